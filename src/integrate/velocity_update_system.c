/* The impulse system of the velocity update (theory 16.2): A and b of the pressed points, with lumped mass, or
   with a matrix that spreads impulses over the bodies (theory 16.4). */
#include "base/grow.h"
#include "integrate/velocity_update.h"
#include "model/forces.h"

/* Lumped masses of all nodes of this rank, ghosts too. */
PetscErrorCode VelocityUpdateSetUp(VelocityUpdate *vu, const CrModel *model)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(model->nlocal, &vu->mass, model->nlocal * model->dim, &vu->v));
  PetscCall(CrModelNodeMasses(model, vu->mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VelocityUpdateDestroySystem(VelocityUpdate *vu)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree2(vu->mass, vu->v));
  PetscCall(PetscFree5(vu->points, vu->b, vu->c, vu->j, vu->start));
  PetscCall(PetscFree(vu->column));
  PetscCall(PetscFree(vu->value));
  PetscCall(PetscFree(vu->touching_start));
  PetscCall(PetscFree(vu->touching));
  PetscCall(MatDestroy(&vu->B));
  PetscCall(KSPDestroy(&vu->ksp));
  PetscCall(VecDestroy(&vu->right));
  if (vu->nW) PetscCall(VecDestroyVecs(vu->nW, &vu->W));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VelocityUpdateFit(VelocityUpdate *vu, PetscInt n)
{
  PetscFunctionBeginUser;
  if (n <= vu->room) PetscFunctionReturn(PETSC_SUCCESS);
  vu->room = PetscMax(n, 2 * vu->room);
  PetscCall(PetscFree5(vu->points, vu->b, vu->c, vu->j, vu->start));
  PetscCall(PetscMalloc5(vu->room, &vu->points, vu->room, &vu->b, vu->room, &vu->c, vu->room,
                         &vu->j, vu->room + 1, &vu->start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_entry(VelocityUpdate *vu, PetscInt *n, PetscInt column, PetscReal value)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrowTwo(*n + 1, &vu->room_entries, &vu->column, &vu->value));
  vu->column[*n] = column;
  vu->value[(*n)++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Points by node, compressed. */
static PetscErrorCode points_of_nodes(VelocityUpdate *vu, const CrModel *model, PetscInt n)
{
  PetscInt all = 0;

  PetscFunctionBeginUser;
  if (!vu->touching_start) PetscCall(PetscMalloc1(model->nlocal + 2, &vu->touching_start));
  PetscCall(PetscArrayzero(vu->touching_start, model->nlocal + 2));
  for (PetscInt l = 0; l < n; l++)
    for (PetscInt a = 0; a < vu->points[l].n; a++, all++)
      vu->touching_start[vu->points[l].nodes[a] + 2]++;
  for (PetscInt A = 0; A <= model->nlocal; A++) vu->touching_start[A + 1] += vu->touching_start[A];
  PetscCall(PetscRealloc(sizeof(PetscInt) * PetscMax(all, 1), &vu->touching));
  for (PetscInt l = 0; l < n; l++)
    for (PetscInt a = 0; a < vu->points[l].n; a++)
      vu->touching[vu->touching_start[vu->points[l].nodes[a] + 1]++] = l;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* G^k . M^-1 G^l / 2 over the free dofs of the nodes they share, lumped mass. */
static PetscReal shared(const VelocityUpdate *vu, const CrModel *model, PetscInt k, PetscInt l)
{
  const CrImpulsePoint *P = &vu->points[k], *Q = &vu->points[l];
  const char           *fixed = vu->middle.im.supports.fixed;
  PetscReal             sum = 0;
  PetscInt              dim = model->dim;

  for (PetscInt a = 0; a < P->n; a++)
    for (PetscInt b = 0; b < Q->n; b++) {
      if (P->nodes[a] != Q->nodes[b]) continue;
      for (PetscInt i = 0; i < dim; i++)
        if (!fixed[dim * P->nodes[a] + i])
          sum += P->G[dim * a + i] * Q->G[dim * b + i] / (2 * vu->mass[P->nodes[a]]);
    }
  return sum;
}

PetscErrorCode VelocityUpdateLocal(VelocityUpdate *vu, const CrModel *model, PetscInt n)
{
  const char *fixed = vu->middle.im.supports.fixed;
  PetscInt   *seen, entries = 0, dim = model->dim;

  PetscFunctionBeginUser;
  PetscCall(points_of_nodes(vu, model, n));
  PetscCall(PetscMalloc1(n, &seen));
  for (PetscInt l = 0; l < n; l++) seen[l] = -1;
  for (PetscInt l = 0; l < n; l++) {
    const CrImpulsePoint *P = &vu->points[l];

    vu->start[l] = entries;
    vu->b[l] = 0;
    for (PetscInt a = 0; a < P->n; a++) {
      PetscInt A = P->nodes[a];

      for (PetscInt i = 0; i < dim; i++)
        if (!fixed[dim * A + i]) vu->b[l] += P->G[dim * a + i] * vu->v[dim * A + i];
      for (PetscInt q = vu->touching_start[A]; q < vu->touching_start[A + 1]; q++) {
        PetscInt k = vu->touching[q];

        if (seen[k] == l) continue;
        seen[k] = l;
        PetscCall(add_entry(vu, &entries, k, shared(vu, model, l, k)));
      }
    }
  }
  vu->start[n] = entries;
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The matrix that spreads impulses: M, with h^2/4 K (material part, at the end of the step) or
   without, on free dofs. */
static PetscErrorCode spread_matrix(VelocityUpdate *vu, const CrModel *model, PetscBool stiff)
{
  const CrImplicit *im = &vu->middle.im;
  PetscReal         h = im->step.h;
  PC                pc;
  PetscMPIInt       size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  PetscCall(MatDestroy(&vu->B)); /* the pattern may have changed */
  PetscCall(KSPDestroy(&vu->ksp));
  PetscCall(CrModelCreateMatrix(model, &vu->B));
  PetscCall(CrModelTangent(model, im->step.state, CR_FORCE_MATERIAL, NULL, im->step.u1,
                           stiff ? h * h / 4 : 0, 1, vu->B));
  if (im->supports.any) PetscCall(CrMatrixConstrain(model, im->supports.fixed, vu->B));
  PetscCall(KSPCreate(model->comm, &vu->ksp));
  PetscCall(KSPSetOperators(vu->ksp, vu->B, vu->B));
  PetscCall(KSPSetType(vu->ksp, KSPPREONLY));
  PetscCall(KSPGetPC(vu->ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, size == 1 ? MATSOLVERPETSC : MATSOLVERMUMPS));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* W^l = B^-1 G^l for every point. */
static PetscErrorCode spread_impulses(VelocityUpdate *vu, const CrModel *model, PetscInt n)
{
  const char *fixed = vu->middle.im.supports.fixed;
  PetscInt    dim = model->dim;
  PetscReal  *f;

  PetscFunctionBeginUser;
  if (!vu->right) PetscCall(CrModelCreateVec(model, &vu->right));
  if (n > vu->nW) {
    if (vu->nW) PetscCall(VecDestroyVecs(vu->nW, &vu->W));
    vu->nW = PetscMax(n, 2 * vu->nW);
    PetscCall(VecDuplicateVecs(model->prototype, vu->nW, &vu->W));
  }
  for (PetscInt l = 0; l < n; l++) {
    const CrImpulsePoint *P = &vu->points[l];

    PetscCall(VecSet(vu->right, 0));
    PetscCall(VecGetArray(vu->right, &f));
    for (PetscInt a = 0; a < P->n; a++)
      for (PetscInt i = 0; i < dim && P->nodes[a] < model->nowned; i++)
        if (!fixed[dim * P->nodes[a] + i]) f[dim * P->nodes[a] + i] += P->G[dim * a + i];
    PetscCall(VecRestoreArray(vu->right, &f));
    PetscCall(KSPSolve(vu->ksp, vu->right, vu->W[l]));
    PetscCall(CrModelUpdateGhosts(model, vu->W[l]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A_kl = W^k.M W^l/2, b_l = W^l.M v: everything couples. */
PetscErrorCode VelocityUpdateSpread(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                    PetscInt n)
{
  const PetscReal *w, *x;
  PetscReal       *Mw, *sums;
  PetscInt         m = model->nowned * model->dim, entries = 0;

  PetscFunctionBeginUser;
  PetscCall(spread_matrix(vu, model, stiff));
  PetscCall(spread_impulses(vu, model, n));
  PetscCall(PetscMalloc2(m, &Mw, n * (n + 1), &sums));
  PetscCall(PetscArrayzero(sums, n * (n + 1)));
  for (PetscInt l = 0; l <= n; l++) {
    if (l < n) PetscCall(VecGetArrayRead(vu->W[l], &w));
    PetscCall(CrModelMassTimes(model, l < n ? w : vu->v, Mw));
    if (l < n) PetscCall(VecRestoreArrayRead(vu->W[l], &w));
    for (PetscInt k = 0; k < n; k++) {
      PetscCall(VecGetArrayRead(vu->W[k], &x));
      for (PetscInt r = 0; r < m; r++) sums[k * (n + 1) + l] += x[r] * Mw[r];
      PetscCall(VecRestoreArrayRead(vu->W[k], &x));
    }
  }
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, sums, (int)(n * (n + 1)), MPIU_REAL, MPIU_SUM, model->comm));
  for (PetscInt k = 0; k < n; k++) {
    vu->start[k] = entries;
    vu->b[k] = sums[k * (n + 1) + n];
    for (PetscInt l = 0; l < n; l++)
      PetscCall(add_entry(vu, &entries, l, (sums[k * (n + 1) + l] + sums[l * (n + 1) + k]) / 4));
  }
  vu->start[n] = entries;
  PetscCall(PetscFree2(Mw, sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VelocityUpdateApply(VelocityUpdate *vu, const CrModel *model, PetscBool wide,
                                   PetscInt n)
{
  CrImplicit      *im = &vu->middle.im;
  PetscInt         dim = model->dim;
  const PetscReal *w;

  PetscFunctionBeginUser;
  for (PetscInt l = 0; l < n && !wide; l++)
    for (PetscInt a = 0; a < vu->points[l].n; a++)
      for (PetscInt i = 0; i < dim; i++) {
        PetscInt r = dim * vu->points[l].nodes[a] + i;

        if (!im->supports.fixed[r])
          im->step.dv[r] += vu->j[l] * vu->points[l].G[dim * a + i] / vu->mass[r / dim];
      }
  for (PetscInt l = 0; l < n && wide; l++) {
    PetscCall(VecGetArrayRead(vu->W[l], &w));
    for (PetscInt r = 0; r < model->nlocal * dim; r++)
      if (!im->supports.fixed[r]) im->step.dv[r] += vu->j[l] * w[r];
    PetscCall(VecRestoreArrayRead(vu->W[l], &w));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
