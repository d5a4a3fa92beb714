/* The mesh of a ring of quads (LL03 4.1). The given radius is the outer radius, and the first nodes are at the angle
   0. */
#include "mesh/internal.h"

static const char *const side_names[] = {"inner", "outer"};

/* Nodes run outwards along a radius, radius after radius counter-clockwise. */
static void fill_nodes(const PetscReal center[], PetscReal radius, PetscReal thickness,
                       PetscInt around, PetscInt across, PetscReal X[], unsigned char sides[])
{
  for (PetscInt k = 0; k < around; k++)
    for (PetscInt j = 0; j <= across; j++) {
      PetscReal angle = 2 * PETSC_PI * k / around;
      PetscReal r = radius - thickness * (across - j) / across;

      *X++ = center[0] + r * PetscCosReal(angle);
      *X++ = center[1] + r * PetscSinReal(angle);
      *sides++ = (unsigned char)((j == 0 ? 1 : 0) | (j == across ? 2 : 0));
    }
}

static void fill_cells(PetscInt around, PetscInt across, PetscInt nodes[])
{
  for (PetscInt k = 0; k < around; k++)
    for (PetscInt j = 0; j < across; j++) {
      PetscInt here = k * (across + 1) + j, next = (k + 1) % around * (across + 1) + j;

      *nodes++ = here;
      *nodes++ = here + 1;
      *nodes++ = next + 1;
      *nodes++ = next;
    }
}

PetscErrorCode CrRingCreate(const PetscReal center[], PetscReal radius, PetscReal thickness,
                            PetscInt around, PetscInt across, CrMesh **mesh)
{
  PetscInt      *nodes;
  unsigned char *sides;

  PetscFunctionBeginUser;
  PetscCall(CrMeshAllocate(2, around * (across + 1), "ring", mesh));
  PetscCall(CrMeshAddBlock(*mesh, CR_Q4, around * across, &nodes));
  PetscCall(PetscMalloc1((*mesh)->nnodes, &sides));
  fill_nodes(center, radius, thickness, around, across, (*mesh)->X, sides);
  fill_cells(around, across, nodes);
  PetscCall(CrMeshFindBoundary(*mesh));
  PetscCall(CrMeshAddSides(*mesh, 2, side_names, sides));
  PetscCall(PetscFree(sides));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshCreateRing(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh)
{
  PetscReal center[2] = {0}, radius, thickness, n, m;

  PetscFunctionBeginUser;
  (void)base;
  if (dim != 2) CrDeckFail(node, "a ring is a 2D mesh, but the deck has dimension 3");
  PetscCall(CrDeckVector(node, "center", 2, 0, center, NULL));
  radius = CrDeckReal(CrDeckFind(node, "radius"));
  thickness = CrDeckReal(CrDeckFind(node, "thickness"));
  n = (PetscReal)fine * CrDeckInteger(CrDeckFind(node, "around"));
  m = (PetscReal)fine * CrDeckInteger(CrDeckFind(node, "across"));
  if (!(thickness < radius))
    CrDeckFail(CrDeckFind(node, "thickness"), "the thickness %g must be below the outer radius %g",
               (double)thickness, (double)radius);
  if (n * m > CR_MESH_MAX_BOXES)
    CrDeckFail(node, "the deck asks for more than %.0f elements", CR_MESH_MAX_BOXES);
  PetscCall(CrRingCreate(center, radius, thickness, (PetscInt)n, (PetscInt)m, mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}
