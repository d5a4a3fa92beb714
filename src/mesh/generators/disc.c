/* The mesh of a disc: a square core with curved sides, and rings around it up to the circle. AP97 4.3 and 4.4 do not
   describe the meshes of their discs. The results of the program were compared with those of AP97 on this mesh. */
#include "mesh/internal.h"

/* Core nodes x = s u (1 + 0.15 (1 - v^2)), y likewise, u and v equally spaced from -1 to 1. */
static void core_nodes(PetscReal s, PetscInt n, PetscReal X[])
{
  for (PetscInt j = 0; j <= n; j++)
    for (PetscInt i = 0; i <= n; i++) {
      PetscReal u = (PetscReal)(2 * i - n) / n, v = (PetscReal)(2 * j - n) / n;

      *X++ = s * u * (1 + 0.15 * (1 - v * v));
      *X++ = s * v * (1 + 0.15 * (1 - u * u));
    }
}

/* k-th node around the core, counter-clockwise from its lower left corner. */
static PetscInt edge_node(PetscInt n, PetscInt k)
{
  PetscInt side = k / n, r = k % n, i, j;

  i = side == 0 ? r : side == 1 ? n : side == 2 ? n - r : 0;
  j = side == 0 ? 0 : side == 1 ? r : side == 2 ? n : n - r;
  return j * (n + 1) + i;
}

/* Node k of layer l; layer 0 is the core's edge. */
static PetscInt layer_node(PetscInt n, PetscInt l, PetscInt k)
{
  k %= 4 * n;
  return l == 0 ? edge_node(n, k) : (n + 1) * (n + 1) + (l - 1) * 4 * n + k;
}

/* Linear between the core's edge and the circle; the first node is at -135 degrees. */
static void ring_nodes(PetscReal radius, PetscInt n, PetscInt m, PetscReal X[])
{
  for (PetscInt l = 1; l <= m; l++)
    for (PetscInt k = 0; k < 4 * n; k++) {
      PetscReal  angle = PETSC_PI * (-0.75 + (PetscReal)k / (2 * n)), t = (PetscReal)l / m;
      PetscReal *core = &X[2 * edge_node(n, k)], *x = &X[2 * layer_node(n, l, k)];

      x[0] = (1 - t) * core[0] + t * radius * PetscCosReal(angle);
      x[1] = (1 - t) * core[1] + t * radius * PetscSinReal(angle);
    }
}

static void fill_cells(PetscInt n, PetscInt m, PetscInt nodes[])
{
  for (PetscInt j = 0; j < n; j++)
    for (PetscInt i = 0; i < n; i++) {
      PetscInt A = j * (n + 1) + i;

      *nodes++ = A;
      *nodes++ = A + 1;
      *nodes++ = A + n + 2;
      *nodes++ = A + n + 1;
    }
  for (PetscInt l = 0; l < m; l++)
    for (PetscInt k = 0; k < 4 * n; k++) {
      *nodes++ = layer_node(n, l, k);
      *nodes++ = layer_node(n, l + 1, k);
      *nodes++ = layer_node(n, l + 1, k + 1);
      *nodes++ = layer_node(n, l, k + 1);
    }
}

PetscErrorCode CrDiscCreate(const PetscReal center[], PetscReal radius, PetscInt core,
                            PetscInt rings, CrMesh **mesh)
{
  PetscInt *nodes;

  PetscFunctionBeginUser;
  PetscCall(CrMeshAllocate(2, (core + 1) * (core + 1) + 4 * core * rings, "disc", mesh));
  core_nodes(0.5 * radius / PetscSqrtReal(2), core, (*mesh)->X);
  ring_nodes(radius, core, rings, (*mesh)->X);
  for (PetscInt i = 0; i < 2 * (*mesh)->nnodes; i++) (*mesh)->X[i] += center[i % 2];
  PetscCall(CrMeshAddBlock(*mesh, CR_Q4, core * core + 4 * core * rings, &nodes));
  fill_cells(core, rings, nodes);
  PetscCall(CrMeshFindBoundary(*mesh));
  PetscCall(CrMeshAddOuter(*mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshCreateDisc(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh)
{
  PetscReal center[2] = {0}, n, m;

  PetscFunctionBeginUser;
  (void)base;
  if (dim != 2) CrDeckFail(node, "a disc is a 2D mesh, but the deck has dimension 3; use ball");
  PetscCall(CrDeckVector(node, "center", 2, 0, center, NULL));
  n = (PetscReal)fine * CrDeckInteger(CrDeckFind(node, "core"));
  m = (PetscReal)fine * CrDeckInteger(CrDeckFind(node, "rings"));
  if (n * n + 4 * n * m > CR_MESH_MAX_BOXES)
    CrDeckFail(node, "the deck asks for more than %.0f elements", CR_MESH_MAX_BOXES);
  PetscCall(
      CrDiscCreate(center, CrDeckReal(CrDeckFind(node, "radius")), (PetscInt)n, (PetscInt)m, mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}
