/* The mass matrix, stored as one number per node pair of the graph, its products, and masses and centroids of
   bodies. */
#include <petscksp.h>
#include "model/internal.h"
#include "model/forces.h"
#include "model/halo.h"

/* One element's share: lumped, or consistent where its body asks for it. */
static void add_element(CrModel *model, PetscInt block, PetscInt e, const PetscReal *M)
{
  const CrElementBlock *b = &model->blocks[block];
  PetscInt              nn = b->element->nnodes, l = e % CR_BATCH;
  const PetscInt       *nodes = b->nodes + e / CR_BATCH * nn * CR_BATCH + l;
  const PetscInt       *slots = model->graph ? model->graph->slots[block] + e * nn * nn : NULL;
  PetscReal             m[CR_MAX_CELL_NODES];

  CrElementLump(b->element, M, l, m);
  for (PetscInt a = 0; a < nn; a++) {
    PetscInt A = nodes[a * CR_BATCH];

    if (A >= model->nowned) continue;
    if (!model->bodies[b->body].consistent) {
      model->row_mass[A] += m[a];
      if (slots) model->mass[CrGraphPosition(model->graph, A, slots[a * nn + a])] += m[a];
      continue;
    }
    for (PetscInt c = 0; c < nn; c++) {
      PetscReal entry = M[(a * nn + c) * CR_BATCH + l];

      model->row_mass[A] += entry;
      model->mass[CrGraphPosition(model->graph, A, slots[a * nn + c])] += entry;
    }
  }
}

/* Masses and centroids of the bodies, by row sums (the same for lumped and consistent mass). */
static PetscErrorCode sum_bodies(CrModel *model)
{
  PetscReal *sums;
  PetscInt   dim = model->dim;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(4 * model->nbodies, &sums));
  for (PetscInt A = 0; A < model->nowned; A++) {
    PetscReal *s = sums + 4 * model->node_body[A];

    s[3] += model->row_mass[A];
    for (PetscInt i = 0; i < dim; i++) s[i] += model->row_mass[A] * model->X[dim * A + i];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, (int)(4 * model->nbodies), MPIU_REAL, MPIU_SUM,
                             model->comm));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    model->bodies[b].mass = sums[4 * b + 3];
    model->total_mass += sums[4 * b + 3];
    for (PetscInt i = 0; i < 3; i++)
      model->bodies[b].centroid[i] = sums[4 * b + i] / sums[4 * b + 3];
  }
  PetscCall(PetscFree(sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelComputeMass(CrModel *model)
{
  const CrNodal     nodal = {.X = model->X};
  PetscReal         M[CR_MAX_CELL_NODES * CR_MAX_CELL_NODES * CR_BATCH];
  const CrKernelOut out = {.mass = M};

  PetscFunctionBeginUser;
  model->all_lumped = PETSC_TRUE;
  for (PetscInt b = 0; b < model->nbodies; b++)
    if (model->bodies[b].consistent) model->all_lumped = PETSC_FALSE;
  PetscCall(PetscCalloc1(model->nowned, &model->row_mass));
  if (!model->all_lumped) {
    PetscCall(CrGraphCreate(model, 0, NULL, &model->graph));
    PetscCall(PetscCalloc1(CrGraphSize(model->graph), &model->mass));
  }
  for (PetscInt k = 0; k < model->nblocks; k++)
    for (PetscInt e = 0; e < model->blocks[k].n; e++) {
      if (e % CR_BATCH == 0)
        model->blocks[k].element->mass(&model->blocks[k], e / CR_BATCH, &nodal, CR_FORCE_POINT,
                                       &out);
      add_element(model, k, e, M);
    }
  PetscCall(sum_bodies(model));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelMassTimes(const CrModel *model, const PetscReal *x, PetscReal *y)
{
  const CrGraph   *g = model->graph;
  PetscInt         dim = model->dim;
  const PetscReal *m = model->mass;

  PetscFunctionBeginUser;
  if (model->all_lumped) {
    for (PetscInt A = 0; A < model->nowned; A++)
      for (PetscInt i = 0; i < dim; i++) y[dim * A + i] = model->row_mass[A] * x[dim * A + i];
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscArrayzero(y, dim * g->nowned));
  for (int p = 0; p < 2; p++)
    for (PetscInt A = 0; A < g->nowned; A++)
      for (PetscInt k = g->start[p][A]; k < g->start[p][A + 1]; k++, m++)
        for (PetscInt i = 0; i < dim; i++) y[dim * A + i] += *m * x[dim * g->column[p][k] + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelNodeMasses(const CrModel *model, PetscReal *mass)
{
  CrHalo all; /* for this once: its buffers need not stay */

  PetscFunctionBeginUser;
  PetscCall(PetscArraycpy(mass, model->row_mass, model->nowned));
  PetscCall(
      CrHaloCreate(model->comm, model->nowned, model->nlocal - model->nowned, model->ghosts, &all));
  PetscCall(CrHaloBring(&all, 1, mass, mass + model->nowned));
  PetscCall(CrHaloDestroy(&all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Consistent mass: conjugate gradients with the diagonal, a few iterations whatever the mesh. */
static PetscErrorCode solve_consistent(const CrModel *model, const char *fixed, Vec y, Vec x)
{
  Mat M;
  KSP ksp;
  PC  pc;

  PetscFunctionBeginUser;
  PetscCall(CrModelCreateMatrix(model, &M));
  PetscCall(CrModelTangent(model, NULL, CR_FORCE_POINT, NULL, NULL, 0, 1, M));
  PetscCall(CrMatrixConstrain(model, fixed, M));
  PetscCall(KSPCreate(model->comm, &ksp));
  PetscCall(KSPSetOperators(ksp, M, M));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCJACOBI));
  PetscCall(KSPSetTolerances(ksp, 1e-14, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
  PetscCall(KSPSolve(ksp, y, x));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&M));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelMassSolve(const CrModel *model, const char *fixed, Vec y, Vec x)
{
  PetscReal *b, *a;
  PetscInt   dim = model->dim;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(y, &b));
  for (PetscInt r = 0; r < dim * model->nowned; r++)
    if (fixed[r]) b[r] = 0;
  if (model->all_lumped) {
    PetscCall(VecGetArray(x, &a));
    for (PetscInt r = 0; r < dim * model->nowned; r++) a[r] = b[r] / model->row_mass[r / dim];
    PetscCall(VecRestoreArray(x, &a));
  }
  PetscCall(VecRestoreArray(y, &b));
  if (!model->all_lumped) PetscCall(solve_consistent(model, fixed, y, x));
  PetscFunctionReturn(PETSC_SUCCESS);
}
