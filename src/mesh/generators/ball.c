/* The mesh of a ball: a square or cube [-1, 1]^dim of n^dim boxes, mapped to a disc or sphere (LL03 4.3). */
#include "mesh/internal.h"

/* u -> R f u with f = c (1 - m^2) + m^2 m/|u|, m the greatest |u_i|: near the middle a shrunken
   cube, on its surface the sphere. */
static void blow_up(PetscInt dim, PetscReal radius, PetscReal u[])
{
  PetscReal m = 0, square = 0, f = dim == 2 ? 0.72 : 0.62;

  for (PetscInt i = 0; i < dim; i++) {
    m = PetscMax(m, PetscAbsReal(u[i]));
    square += u[i] * u[i];
  }
  if (m > 0) f = f * (1 - m * m) + m * m * m / PetscSqrtReal(square);
  for (PetscInt i = 0; i < dim; i++) u[i] *= radius * f;
}

PetscErrorCode CrBallCreate(PetscInt dim, const PetscReal center[], PetscReal radius, PetscInt n,
                            CrMesh **mesh)
{
  /* the grid has the plain cube's nodes, boundary and all; only "outer" replaces its six sides */
  CrGrid cube = {.source = "ball",
                 .dim = dim,
                 .type = dim == 2 ? CR_Q4 : CR_H8,
                 .n = {n, n, dim == 2 ? 1 : n},
                 .grading = {1, 1, 1}};

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < 1 << dim; k++) {
    cube.corners[k][0] = (k % 4 == 1 || k % 4 == 2) ? 1 : -1;
    cube.corners[k][1] = k % 4 >= 2 ? 1 : -1;
    cube.corners[k][2] = k >= 4 ? 1 : -1;
  }
  PetscCall(CrGridCreate(&cube, mesh));
  for (PetscInt A = 0; A < (*mesh)->nnodes; A++) {
    PetscReal *X = &(*mesh)->X[A * dim];

    blow_up(dim, radius, X);
    for (PetscInt i = 0; i < dim; i++) X[i] += center[i];
  }
  PetscCall(CrMeshKeepSets(*mesh, 1));
  PetscCall(CrMeshAddOuter(*mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMeshCreateBall(const CrDeckNode *node, PetscInt dim, PetscInt fine,
                                const char base[], CrMesh **mesh)
{
  PetscReal center[3] = {0}, n = (PetscReal)fine * CrDeckInteger(CrDeckFind(node, "elements"));

  PetscFunctionBeginUser;
  (void)base;
  PetscCall(CrDeckVector(node, "center", dim, 0, center, NULL));
  if (PetscPowReal(n, dim) > CR_MESH_MAX_BOXES)
    CrDeckFail(CrDeckFind(node, "elements"), "the deck asks for more than %.0f elements",
               CR_MESH_MAX_BOXES);
  PetscCall(CrBallCreate(dim, center, CrDeckReal(CrDeckFind(node, "radius")), (PetscInt)n, mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}
