/* The matrix of the bi-potential method, which is used for many steps, and the responses of surface nodes that belong
   to it (theory 17.3, 17.4). */
#include <string.h>
#include "integrate/bipotential.h"
#include "model/forces.h"

#define SHIFT 1e-3 /* of the inertia that would matter, where contact alone holds a body */
#define CHEAP 16.0 /* columns that cost as much as an iteration */
#define BLOCK 16   /* nodes whose columns are solved for at once */

/* im.A at `base`, with the supports of that time. */
static PetscErrorCode take_matrix(Bipotential *bp, const char *fixed, PetscBool any)
{
  const CrModel   *model = bp->im.step.model;
  PetscReal        h = bp->base[1];
  PetscReal        mass = model->quasi_static ? bp->shift : 1 / (bp->theta * h * h);
  const PetscReal *u0, *u1;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(bp->base0, &u0));
  PetscCall(VecGetArrayRead(bp->base1, &u1));
  if (bp->em)
    PetscCall(
        CrModelTangent(model, bp->im.step.state, CR_FORCE_CONSERVING, u0, u1, 1, mass, bp->im.A));
  else if (bp->im.continues) /* statics: at the trial positions, which `base` holds */
    PetscCall(CrImplicitTangent(&bp->im, CR_FORCE_POINT, mass, bp->im.A));
  else
    PetscCall(
        CrModelTangent(model, bp->im.step.state, CR_FORCE_POINT, NULL, u1, bp->xi, mass, bp->im.A));
  if (bp->im.drag) PetscCall(CrDragAddTangent(model, 1 / h, bp->im.A));
  PetscCall(CrLoadsAddTangent(model, bp->base[0] + h, h, u1, -bp->xi, bp->im.A));
  PetscCall(VecRestoreArrayRead(bp->base0, &u0));
  PetscCall(VecRestoreArrayRead(bp->base1, &u1));
  if (any) PetscCall(CrMatrixConstrain(model, fixed, bp->im.A));
  PetscCall(PetscArraycpy(bp->held, fixed, model->nlocal * model->dim));
  if (bp->cones) CrConesForget(bp->cones);
  bp->fresh = PETSC_TRUE;
  bp->factored = PETSC_FALSE;
  bp->factors++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BipotentialRenew(Bipotential *bp)
{
  const CrStepArrays *s = &bp->im.step;

  PetscFunctionBeginUser;
  if (!bp->renewed) {
    PetscCall(VecCopy(bp->base0, bp->saved0));
    PetscCall(VecCopy(bp->base1, bp->saved1));
    PetscCall(PetscArraycpy(bp->saved, bp->base, 3));
  }
  bp->renewed = PETSC_TRUE;
  PetscCall(VecCopy(s->state->u, bp->base0));
  PetscCall(VecCopy(s->trial, bp->base1));
  PetscCall(CrModelUpdateGhosts(s->model, bp->base0));
  PetscCall(CrModelUpdateGhosts(s->model, bp->base1));
  bp->base[0] = s->state->t;
  bp->base[1] = s->h;
  bp->base[2] = 1;
  PetscCall(take_matrix(bp, bp->im.supports.fixed, bp->im.supports.any));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A step that failed leaves nothing behind. */
PetscErrorCode BipotentialForgetStep(Bipotential *bp)
{
  PetscFunctionBeginUser;
  if (!bp->renewed) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecCopy(bp->saved0, bp->base0));
  PetscCall(VecCopy(bp->saved1, bp->base1));
  PetscCall(PetscArraycpy(bp->base, bp->saved, 3));
  bp->fresh = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BipotentialSolve(BipotentialSolver *s, Vec b, Vec x, PetscBool *solved)
{
  PetscFunctionBeginUser;
  CrTimed(s->bp->im.step.model->watch, CR_PART_SOLVER,
          CrNewtonLinearSolve(s->it->newton, !s->bp->factored, b, x, solved));
  s->bp->factored = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Columns of unit forces on the nodes first..last, all directions. */
static PetscErrorCode unit_forces(Bipotential *bp, PetscInt first, PetscInt last,
                                  const PetscInt *nodes)
{
  const CrModel *model = bp->im.step.model;
  PetscInt       dim = model->dim, m = model->nowned * dim;
  PetscReal     *f;

  PetscFunctionBeginUser;
  PetscCall(MatZeroEntries(bp->units));
  PetscCall(MatDenseGetArray(bp->units, &f));
  for (PetscInt k = first; k < last; k++)
    for (PetscInt i = 0; i < dim && nodes[k] >= 0 && nodes[k] < model->nowned; i++)
      if (!bp->im.supports.fixed[dim * nodes[k] + i])
        f[((k - first) * dim + i) * m + dim * nodes[k] + i] = 1;
  PetscCall(MatDenseRestoreArray(bp->units, &f));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Hands the first n columns of the answer to the cones: those of node `first` and the following ones of the list. */
static PetscErrorCode hand_columns(Bipotential *bp, PetscInt first, PetscInt n)
{
  const CrModel   *model = bp->im.step.model;
  PetscInt         m = model->nowned * model->dim;
  const PetscReal *from;

  PetscFunctionBeginUser;
  PetscCall(MatDenseGetArrayRead(bp->answers, &from));
  for (PetscInt k = 0; k < n; k++)
    CrConesTake(bp->cones, first + k / model->dim, k % model->dim, from + k * m);
  PetscCall(MatDenseRestoreArrayRead(bp->answers, &from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Displacements under unit forces on nodes of the surface, many at a time. */
PetscErrorCode BipotentialRespond(void *ctx, PetscInt n, const PetscInt *nodes, PetscBool *solved)
{
  BipotentialSolver *s = ctx;
  Bipotential       *bp = s->bp;
  const CrModel     *model = bp->im.step.model;
  PetscInt           dim = model->dim, m = model->nowned * dim;

  PetscFunctionBeginUser;
  if (!bp->units) {
    PetscCall(MatCreateDense(model->comm, m, PETSC_DECIDE, PETSC_DETERMINE, dim * BLOCK, NULL,
                             &bp->units));
    PetscCall(MatDuplicate(bp->units, MAT_DO_NOT_COPY_VALUES, &bp->answers));
  }
  *solved = PETSC_TRUE;
  for (PetscInt k = 0; k < n && *solved; k += BLOCK) {
    PetscInt last = PetscMin(k + BLOCK, n);

    PetscCall(unit_forces(bp, k, last, nodes));
    CrTimed(model->watch, CR_PART_SOLVER,
            CrNewtonColumnsSolve(s->it->newton, !bp->factored, bp->units, bp->answers, solved));
    bp->factored = PETSC_TRUE;
    if (*solved) PetscCall(hand_columns(bp, k, (last - k) * dim));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* After a restart or a failed step the matrix is first what it was. */
static PetscErrorCode recall(BipotentialSolver *s)
{
  Bipotential     *bp = s->bp;
  const CrModel   *model = bp->im.step.model;
  CrSupports       then;
  PetscInt         n = 0, *learned = NULL;
  const PetscReal *u0;

  PetscFunctionBeginUser;
  PetscCall(CrModelUpdateGhosts(model, bp->base0));
  PetscCall(CrModelUpdateGhosts(model, bp->base1));
  PetscCall(CrSupportsCreate(model, &then));
  PetscCall(VecGetArrayRead(bp->base0, &u0));
  PetscCall(CrSupportsAt(model, bp->base[0], bp->base[1], u0, &then));
  PetscCall(VecRestoreArrayRead(bp->base0, &u0));
  if (bp->cones) learned = CrConesLearned(bp->cones, &n);
  PetscCall(take_matrix(bp, then.fixed, then.any));
  if (bp->cones) PetscCall(CrConesLearnAgain(bp->cones, n, learned, BipotentialRespond, s));
  PetscCall(CrSupportsDestroy(&then));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does the matrix serve for this step? Where laws have a state, a restart could not take the matrix of
   an earlier step again. */
PetscErrorCode BipotentialServes(BipotentialSolver *s, PetscBool *yes)
{
  Bipotential   *bp = s->bp;
  const CrModel *model = bp->im.step.model;
  int            differs =
      bp->base[2] == 0 || bp->base[1] != bp->im.step.h || model->remembers || bp->im.continues;

  PetscFunctionBeginUser;
  if (!differs && !bp->fresh) PetscCall(recall(s));
  if (!differs) /* `held` is that of the matrix */
    differs = !!memcmp(bp->held, bp->im.supports.fixed,
                       (size_t)(model->nlocal * model->dim) * sizeof *bp->held);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MAX, model->comm));
  *yes = !differs;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool BipotentialPays(const CrIntegrator *it, const Bipotential *bp, PetscInt age,
                          PetscReal first, PetscReal relative)
{
  PetscInt  columns = bp->cones ? CrConesColumns(bp->cones) : 0;
  PetscReal cost = columns < BIPOTENTIAL_FEW ? 0 : (PetscReal)columns / CHEAP, rate;

  if (age < 2 || !(relative < first)) return PETSC_FALSE;
  rate = PetscLogReal(relative / first) / (PetscReal)(age - 1);
  return PetscLogReal(it->tolerance / relative) / rate <=
         PetscMin(cost, BIPOTENTIAL_MOST / 2 - age);
}

/* Quasi-static bodies that contact alone holds: their own matrix is singular. A share SHIFT
   of the inertia that would matter makes it regular; it slows Newton's method by as much and leaves the
   answer as it is. */
PetscErrorCode BipotentialChooseShift(Bipotential *bp, const CrModel *model)
{
  PetscInt *free, any = 0;
  PetscReal least = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  if (!model->quasi_static || !bp->cones) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(model->nbodies, &free));
  PetscCall(CrSupportsFreeMotions(model, free));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    const CrMaterial *m = model->bodies[b].material;

    any += free[b];
    least = PetscMin(least,
                     (m->lambda + 2 * m->shear) / (m->density * PetscSqr(model->bodies[b].size)));
  }
  PetscCall(PetscFree(free));
  if (any) bp->shift = SHIFT * least;
  PetscFunctionReturn(PETSC_SUCCESS);
}
