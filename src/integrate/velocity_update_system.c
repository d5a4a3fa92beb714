/* The linear system of the velocity update (theory 16.2) for impulses that are spread over the bodies (theory 16.4),
   its solution, and the new velocities. For lumped masses see velocity_update_islands.c. */
#include "base/grow.h"
#include "base/lazy.h"
#include "base/vector.h"
#include "integrate/velocity_update.h"
#include "model/forces.h"
#include "model/vicinity.h"

/* Lumped masses of all nodes of this rank, ghosts too. */
PetscErrorCode VelocityUpdateSetUp(VelocityUpdate *vu, const CrModel *model)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(model->nlocal, &vu->mass, model->nlocal * model->dim, &vu->v));
  PetscCall(CrLazyCreate(model->nlocal, &vu->marks));
  PetscCall(CrModelNodeMasses(model, vu->mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_points(VelocityUpdate *vu)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree5(vu->points, vu->b, vu->j, vu->u, vu->start));
  PetscCall(PetscFree2(vu->c, vu->mu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VelocityUpdateDestroySystem(VelocityUpdate *vu)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree2(vu->mass, vu->v));
  PetscCall(CrLazyDestroy(&vu->marks));
  PetscCall(free_points(vu));
  PetscCall(PetscFree(vu->column));
  PetscCall(PetscFree(vu->value));
  PetscCall(MatDestroy(&vu->B));
  PetscCall(KSPDestroy(&vu->ksp));
  PetscCall(VecDestroy(&vu->right));
  if (vu->nW) PetscCall(VecDestroyVecs(vu->nW, &vu->W));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VelocityUpdateFit(VelocityUpdate *vu, PetscInt n)
{
  PetscFunctionBeginUser;
  const PetscInt most = 3; /* parts of a point */

  if (n <= vu->room) PetscFunctionReturn(PETSC_SUCCESS);
  vu->room = PetscMax(n, 2 * vu->room);
  PetscCall(free_points(vu));
  PetscCall(PetscMalloc5(vu->room, &vu->points, most * vu->room, &vu->b, most * vu->room, &vu->j,
                         most * vu->room, &vu->u, most * vu->room + 1, &vu->start));
  PetscCall(PetscMalloc2(vu->room, &vu->c, vu->room, &vu->mu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VelocityUpdateEntry(VelocityUpdate *vu, PetscInt *n, PetscInt column,
                                   PetscReal value)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrowTwo(*n + 1, &vu->room_entries, &vu->column, &vu->value));
  vu->column[*n] = column;
  vu->value[(*n)++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal VelocityUpdateShared(const CrImpulsePoint *P, PetscInt p, const CrImpulsePoint *Q,
                               PetscInt q)
{
  if (P->rigid.body < 0 || P->rigid.body != Q->rigid.body) return 0;
  return v_dot_n(6, P->rigid.pull[p], Q->rigid.answer[q]);
}

PetscErrorCode VelocityUpdateSolve(const VelocityUpdate *vu, const VelocityUpdateSystem *s,
                                   PetscReal *j, PetscReal *u, PetscBool *converged)
{
  CrImpulseSystem along = {s->n, s->start, vu->column, vu->value, s->b, s->c};
  CrRubbingSystem parts = {s->n, s->parts, s->start, vu->column, vu->value, s->b, s->c, s->mu};
  CrImpulseReport found;
  CrRubbingReport rubbed;

  PetscFunctionBeginUser;
  if (vu->kind == CR_IMPULSE_PARTS) {
    PetscCall(CrRubbingSolve(&parts, j, u, &rubbed));
    *converged = rubbed.converged;
  } else {
    PetscCall(CrImpulseSolve(&along, j, &found)); /* along the tractions (LL03 75) */
    *converged = found.converged;
  }
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

/* W^l = B^-1 G^l for every part of every point. */
static PetscErrorCode spread_impulses(VelocityUpdate *vu, const CrModel *model, PetscInt parts,
                                      PetscInt n)
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
    const CrImpulsePoint *P = &vu->points[l / parts];
    const PetscReal      *G = P->along[l % parts];

    PetscCall(VecSet(vu->right, 0));
    PetscCall(VecGetArray(vu->right, &f));
    for (PetscInt a = 0; a < P->n; a++)
      for (PetscInt i = 0; i < dim && P->nodes[a] < model->nowned; i++)
        if (!fixed[dim * P->nodes[a] + i]) f[dim * P->nodes[a] + i] += G[dim * a + i];
    PetscCall(VecRestoreArray(vu->right, &f));
    CrTimed(model->watch, CR_PART_SOLVER, KSPSolve(vu->ksp, vu->right, vu->W[l]));
    PetscCall(CrModelUpdateAllGhosts(model, vu->W[l]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rigid bodies have no stiffness: their impulses are not spread. */
static void add_bodies(const VelocityUpdate *vu, PetscInt parts, PetscInt n, PetscReal *sums)
{
  for (PetscInt k = 0; k < n; k++) {
    const CrImpulsePoint *P = &vu->points[k / parts];

    if (P->rigid.body < 0) continue;
    for (PetscInt l = 0; l < n; l++)
      sums[k * (n + 1) + l] +=
          VelocityUpdateShared(P, k % parts, &vu->points[l / parts], l % parts);
    sums[k * (n + 1) + n] += P->rigid.rate[k % parts];
  }
}

/* A_kl = W^k.M W^l/2, b_l = W^l.M v: everything couples. */
PetscErrorCode VelocityUpdateSpread(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                    PetscInt npoints)
{
  const PetscReal *w, *x;
  PetscReal       *Mw, *sums;
  PetscInt         m = model->nowned * model->dim, entries = 0, parts = vu->points[0].parts;
  PetscInt         n = parts * npoints;

  PetscFunctionBeginUser;
  PetscCall(spread_matrix(vu, model, stiff));
  PetscCall(spread_impulses(vu, model, parts, n));
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
  add_bodies(vu, parts, n, sums);
  for (PetscInt k = 0; k < n; k++) {
    vu->start[k] = entries;
    vu->b[k] = sums[k * (n + 1) + n];
    for (PetscInt l = 0; l < n; l++)
      PetscCall(VelocityUpdateEntry(vu, &entries, l,
                                    (sums[k * (n + 1) + l] + sums[l * (n + 1) + k]) / 4));
  }
  vu->start[n] = entries;
  PetscCall(PetscFree2(Mw, sums));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VelocityUpdateApply(VelocityUpdate *vu, const CrModel *model, PetscBool wide,
                                   PetscInt n)
{
  CrImplicit           *im = &vu->middle.im;
  const CrImpulseSpread local = {.fixed = im->supports.fixed, .mass = vu->mass};
  PetscInt              dim = model->dim;
  const PetscReal      *w;

  PetscFunctionBeginUser;
  if (!wide) {
    PetscCall(CrContactSpreadImpulses(im->contact, &local, n, vu->points, vu->j, im->step.dv));
    PetscCall(CrModelBringGhosts(model, im->step.dv));
  }
  for (PetscInt l = 0; wide && l < vu->points[0].parts * n; l++) {
    PetscCall(VecGetArrayRead(vu->W[l], &w));
    for (PetscInt r = 0; r < model->nlocal * dim; r++)
      if (!im->supports.fixed[r]) im->step.dv[r] += vu->j[l] * w[r];
    PetscCall(VecRestoreArrayRead(vu->W[l], &w));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  const PetscReal *impulse;
  PetscReal        h;
} Spread;

static CrDofReaction reaction_of(const void *ctx, PetscInt dof)
{
  const Spread *s = ctx;

  return (CrDofReaction){s->impulse[dof] / s->h, s->impulse[dof], 0};
}

/* The rows of prescribed dofs of B, which the solution left out, times the change of velocity. */
PetscErrorCode VelocityUpdateReact(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                   PetscInt n, CrReactions *reactions)
{
  const CrImplicit *im = &vu->middle.im;
  PetscReal         h = im->step.h;
  Spread            spread = {.h = h};

  PetscFunctionBeginUser;
  PetscCall(VecSet(vu->right, 0));
  PetscCall(VecMAXPY(vu->right, vu->points[0].parts * n, vu->j, vu->W));
  PetscCall(CrModelTangent(model, im->step.state, CR_FORCE_MATERIAL, NULL, im->step.u1,
                           stiff ? h * h / 4 : 0, 1, vu->B));
  PetscCall(MatMult(vu->B, vu->right, vu->W[0]));
  PetscCall(VecGetArrayRead(vu->W[0], &spread.impulse));
  CrReactionsEnterSupports(reactions, model, &im->supports, NULL, im->step.u1, reaction_of,
                           &spread);
  PetscCall(VecRestoreArrayRead(vu->W[0], &spread.impulse));
  PetscFunctionReturn(PETSC_SUCCESS);
}
