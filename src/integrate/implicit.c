#include <math.h>
#include "integrate/implicit.h"
#include "solve/blocks.h"

static void restart_contact(void *contact)
{
  CrContactRestart(contact);
}

/* Norm of the masses at all dofs, over all ranks. */
static PetscErrorCode mass_norm(const CrModel *model, PetscReal *norm)
{
  PetscReal sum = 0;

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < model->nowned; A++)
    sum += (PetscReal)model->dim * PetscSqr(model->row_mass[A]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPIU_REAL, MPIU_SUM, model->comm));
  *norm = model->quasi_static ? 0 : PetscSqrtReal(sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitCreate(CrIntegrator *it, const CrModel *model, CrImplicit *im)
{
  PetscInt n = model->nowned * model->dim, m = model->nlocal * model->dim;

  PetscFunctionBeginUser;
  PetscCall(CrModelCreateMatrix(model, &im->A));
  PetscCall(CrNewtonCreate(im->A, model->prototype, model->dim, !model->quasi_static && !im->many,
                           it->tolerance, &it->newton));
  PetscCall(CrSupportsCreate(model, &im->supports));
  PetscCall(CrModelCreateVec(model, &im->u1));
  PetscCall(CrModelCreateVec(model, &im->predictor));
  PetscCall(CrModelCreateVec(model, &im->fallback));
  PetscCall(PetscCalloc6(m, &im->um, m, &im->dv, n, &im->internal, n, &im->loads, n, &im->inertia,
                         n, &im->weight));
  PetscCall(PetscCalloc1(model->nbodies, &im->strain));
  im->contact = it->contact;
  if (im->contact) CrNewtonSetRestart(it->newton, restart_contact, im->contact);
  PetscCall(PetscCalloc2(n, &im->touch, im->contact ? m : 0, &im->du));
  CrGravityAdd(model, im->weight);
  PetscCall(CrModelStiffest(model, &im->stiffest));
  PetscCall(mass_norm(model, &im->masses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitDestroy(CrImplicit *im)
{
  PetscFunctionBeginUser;
  PetscCall(MatDestroy(&im->A));
  PetscCall(CrSupportsDestroy(&im->supports));
  PetscCall(VecDestroy(&im->u1));
  PetscCall(VecDestroy(&im->predictor));
  PetscCall(VecDestroy(&im->fallback));
  PetscCall(PetscFree(im->strain));
  PetscCall(PetscFree2(im->touch, im->du));
  PetscCall(PetscFree6(im->um, im->dv, im->internal, im->loads, im->inertia, im->weight));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_prescribed(const CrImplicit *im, const CrModel *model, Vec u)
{
  PetscReal *a;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(u, &a));
  for (PetscInt r = 0; r < model->nowned * model->dim; r++)
    if (im->supports.fixed[r]) a[r] = im->supports.u[r];
  PetscCall(VecRestoreArray(u, &a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rounding of displacements |u| gives forces of about eps E |u| size^(dim-2) (size/element), more
   where elements are slender, and inertia forces of about eps 2 |M| |u| / h^2; a residual judged only
   by forces that are themselves rounding would never pass. The first step leaves from u = 0, so what it leads
   to counts as well. */
static PetscErrorCode round_off_floor(const CrModel *model, Vec u, PetscReal h, CrImplicit *im)
{
  PetscReal greatest, reached, modulus = 0, stiffness;

  PetscFunctionBeginUser;
  PetscCall(VecNorm(u, NORM_INFINITY, &greatest));
  PetscCall(VecNorm(im->predictor, NORM_INFINITY, &reached));
  for (PetscInt k = 0; k < model->nmaterials; k++)
    modulus = PetscMax(modulus, model->materials[k].lambda + 2 * model->materials[k].shear);
  stiffness = modulus * (model->dim == 3 ? model->size : model->thickness);
  stiffness = PetscMax(PetscMax(stiffness, im->stiffest), 2 * im->masses / (h * h));
  im->floor = 1e-4 * stiffness * PetscMax(greatest, reached);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Slaves are eliminated before masters (theory 10.3). Couplings begin with the slave. */
static PetscErrorCode order(const CrModel *model, PetscInt npairs, const PetscInt *pairs, Mat A)
{
  PetscInt *slaves, n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(npairs, &slaves));
  for (PetscInt k = 0; k < npairs; k++)
    if (pairs[2 * k] < model->nowned) slaves[n++] = pairs[2 * k];
  PetscCall(CrBlocksSetFirst(A, n, slaves));
  PetscCall(PetscFree(slaves));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Contact may couple what the elements do not: then the matrix is made anew. After a restart it is
   first made as it was. The old one goes first, with its factors: together they would be what a run
   needs most memory for. */
static PetscErrorCode couple(CrIntegrator *it, CrImplicit *im, const CrModel *model)
{
  PetscBool       missing = PETSC_TRUE;
  PetscInt        n;
  const PetscInt *pairs;

  PetscFunctionBeginUser;
  for (;;) {
    PetscCall(CrContactCouplings(im->contact, &missing, &n, &pairs));
    if (!missing) break;
    PetscCall(CrNewtonDropMatrix(it->newton));
    PetscCall(MatDestroy(&im->A));
    PetscCall(CrModelCouple(model, n, pairs));
    PetscCall(CrModelCreateMatrix(model, &im->A));
    PetscCall(order(model, n, pairs, im->A));
    PetscCall(CrNewtonSetMatrix(it->newton, im->A));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitSearch(CrImplicit *im, const CrState *state, PetscReal h)
{
  const PetscReal *u0, *v0;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u0));
  PetscCall(VecGetArrayRead(state->v, &v0));
  if (im->contact->model->rigid->n)
    PetscCall(CrContactBeginRigid(im->contact, state->rigid, state->t, h));
  PetscCall(CrContactBegin(im->contact, u0, v0, NULL, state->t, h));
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscCall(VecRestoreArrayRead(state->v, &v0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Positions are rounded, and springs on the gap between them make forces of that, however light the
   load is. */
static PetscErrorCode raise_floor(const CrState *state, CrImplicit *im)
{
  const PetscReal *u0;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u0));
  im->floor = PetscMax(im->floor, 1e-6 * CrContactReach(im->contact, u0));
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitStart(CrImplicit *im, const CrModel *model, const CrState *state,
                               PetscReal h)
{
  const PetscReal *u0;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u0));
  PetscCall(CrSupportsAt(model, state->t, h, u0, &im->supports));
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscCall(VecCopy(state->u, im->fallback));
  PetscCall(VecWAXPY(im->predictor, model->quasi_static ? 0 : h, state->v, state->u));
  PetscCall(set_prescribed(im, model, im->fallback));
  PetscCall(set_prescribed(im, model, im->predictor));
  PetscCall(round_off_floor(model, state->u, h, im));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitBegin(CrIntegrator *it, CrImplicit *im, const CrModel *model,
                               const CrState *state, PetscReal h)
{
  PetscFunctionBeginUser;
  PetscCall(CrImplicitStart(im, model, state, h));
  if (im->contact) PetscCall(CrImplicitSearch(im, state, h));
  if (im->contact) PetscCall(couple(it, im, model));
  if (im->contact && im->real_gap) PetscCall(raise_floor(state, im));
  /* where bodies press, free flight would lead deep inside */
  if (im->contact && CrContactIsPressed(im->contact))
    PetscCall(VecCopy(im->fallback, im->predictor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem,
                            CrStepReport *report)
{
  static const CrStepReason reasons[] = {[CR_NEWTON_CONVERGED] = CR_STEP_OK,
                                         [CR_NEWTON_DIVERGED] = CR_FAIL_DIVERGED,
                                         [CR_NEWTON_LINEAR_FAILED] = CR_FAIL_LINEAR,
                                         [CR_NEWTON_NOT_A_NUMBER] = CR_FAIL_NOT_A_NUMBER};

  PetscFunctionBeginUser;
  PetscCall(CrNewtonSolve(it->newton, problem, im->predictor, im->fallback, im->predictor,
                          &it->newton_report));
  report->iterations += it->newton_report.iterations;
  report->reason = reasons[it->newton_report.outcome];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitReview(CrImplicit *im, const CrState *state, PetscBool *again)
{
  const PetscReal *u0, *v0, *u1;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u0));
  PetscCall(VecGetArrayRead(state->v, &v0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  PetscCall(CrContactReview(im->contact, u0, v0, u1, again));
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscCall(VecRestoreArrayRead(state->v, &v0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define MOST_REVIEWS 6

PetscErrorCode CrImplicitSolve(CrIntegrator *it, CrImplicit *im, const CrModel *model,
                               const CrState *state, const CrNewtonProblem *problem,
                               CrStepReport *report)
{
  PetscBool again = PETSC_TRUE;

  PetscFunctionBeginUser;
  if (im->contact && im->contact->too_far) report->reason = CR_FAIL_METHOD;
  for (PetscInt k = 0; again && report->reason == CR_STEP_OK; k++) {
    PetscCall(solve(it, im, problem, report)); /* from where the last one ended */
    again = PETSC_FALSE;
    if (!im->contact || report->reason < 0) break;
    PetscCall(CrImplicitReview(im, state, &again));
    if (again && k == MOST_REVIEWS) report->reason = CR_FAIL_METHOD;
    if (again) PetscCall(couple(it, im, model));
  }
  if (im->contact && report->reason < 0) {
    const PetscReal *u1;

    PetscCall(VecGetArrayRead(im->u1, &u1));
    CrContactBlame(im->contact, u1);
    PetscCall(VecRestoreArrayRead(im->u1, &u1));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- contact -------------------------------------------------------------------------------- */

PetscErrorCode CrImplicitTouch(CrImplicit *im, const CrModel *model, const CrState *state,
                               CrContactStep *step)
{
  const PetscReal *u0, *u1;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(im->touch, model->nowned * model->dim));
  PetscCall(VecGetArrayRead(state->u, &u0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  for (PetscInt r = 0; r < model->nlocal * model->dim; r++) im->du[r] = u1[r] - u0[r];
  step->du = im->du;
  if (!step->slide) {
    step->slide = im->du;
    step->slide_factor = step->law->at_end ? 1 : 2;
    step->slide_from = im->contact->t;
    step->slide_to = im->contact->t + im->contact->h;
  }
  PetscCall(CrContactForce(im->contact, u0, step, im->touch));
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitTouchTangent(CrImplicit *im, const CrState *state,
                                      const CrContactStep *step, PetscReal factor, Mat A)
{
  const PetscReal *u0;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u0));
  PetscCall(CrContactAddTangent(im->contact, u0, step, factor, A));
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitCommit(CrImplicit *im, const CrModel *model, const CrContactLaw *law,
                                CrStepReport *report)
{
  const PetscReal *u1;

  PetscFunctionBeginUser;
  if (!im->contact) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetArrayRead(im->u1, &u1));
  PetscCall(CrContactCommit(im->contact, law, u1, report));
  report->external_work += CrContactRigidWork(im->contact);
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscCall(PetscArraycpy(im->contact->force, im->touch, model->nowned * model->dim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- residual, work ------------------------------------------------------------------------- */

PetscErrorCode CrImplicitResidual(const CrImplicit *im, const CrModel *model, PetscReal momentum,
                                  Vec r, PetscReal *reference)
{
  PetscReal *a, sums[4] = {0};

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(r, &a));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) {
    PetscReal outside = im->loads[k] + im->weight[k];

    sums[0] += PetscSqr(im->internal[k]);
    sums[1] += PetscSqr(outside);
    sums[2] += PetscSqr(im->inertia[k]);
    sums[3] += PetscSqr(im->touch[k]);
    a[k] = im->supports.fixed[k] ? 0 : im->internal[k] + im->inertia[k] - outside - im->touch[k];
  }
  PetscCall(VecRestoreArray(r, &a));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPIU_REAL, MPIU_SUM, model->comm));
  *reference = PetscMax(momentum, im->floor);
  for (int i = 0; i < 4; i++) *reference = PetscMax(*reference, PetscSqrtReal(sums[i]));
  if (im->contact && im->contact->lost) *reference = NAN; /* on every rank alike */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Laws with a logarithm of det F have none for an element inside out. */
static PetscBool has_energy(const CrImplicit *im, const CrModel *model)
{
  for (PetscInt b = 0; b < model->nbodies; b++)
    if (PetscIsInfOrNanReal(im->strain[b])) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Is an element inside out at t_n? Collective. */
static PetscErrorCode is_inverted(const CrModel *model, const CrState *state, PetscBool *inverted)
{
  const PetscReal *u0;
  PetscReal        least;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u0));
  PetscCall(CrModelObserve(model, u0, NULL, &least, NULL));
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_REAL, MPIU_MIN, model->comm));
  *inverted = least <= 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitCheck(const CrIntegrator *it, const CrImplicit *im, const CrModel *model,
                               const CrState *state, CrStepReport *report)
{
  const PetscReal *u1;
  PetscReal        least;
  PetscBool        goes_on = it->last_try;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(im->u1, &u1));
  PetscCall(CrModelObserve(model, u1, im->strain, &least, NULL));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  if (least != least || (least <= 0 && !has_energy(im, model))) least = -PETSC_MAX_REAL;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_REAL, MPIU_MIN, model->comm));
  report->strain = im->strain;
  report->least_det = least;
  if (least > 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (im->through && !goes_on) PetscCall(is_inverted(model, state, &goes_on));
  if (!im->through || !goes_on || least == -PETSC_MAX_REAL) report->reason = CR_FAIL_INVERTED;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitWork(const CrImplicit *im, const CrModel *model, const CrState *state,
                              const PetscReal *internal, const PetscReal *loads,
                              const PetscReal *inertia, const PetscReal *touch, PetscReal h,
                              PetscReal *work)
{
  const PetscReal *u0, *u1, *v0;
  PetscReal        sum = 0;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u0));
  PetscCall(VecGetArrayRead(state->v, &v0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) {
    PetscReal du = u1[k] - u0[k];

    sum += loads[k] * du;
    if (im->supports.fixed[k])
      sum += (internal[k] - loads[k] - im->weight[k] - touch[k]) * du +
             (v0[k] + im->dv[k] / 2) * inertia[k] * h;
  }
  PetscCall(VecRestoreArrayRead(state->u, &u0));
  PetscCall(VecRestoreArrayRead(state->v, &v0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscCallMPI(MPI_Allreduce(&sum, work, 1, MPIU_REAL, MPIU_SUM, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitAccept(CrImplicit *im, const CrModel *model, PetscReal h, CrState *state)
{
  PetscReal *v;

  PetscFunctionBeginUser;
  PetscCall(VecCopy(im->u1, state->u));
  PetscCall(CrModelUpdateGhosts(model, state->u));
  PetscCall(VecGetArray(state->v, &v));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++)
    v[k] = im->supports.fixed[k] ? im->supports.v[k] : v[k] + im->dv[k];
  PetscCall(VecRestoreArray(state->v, &v));
  if (model->quasi_static) PetscCall(VecSet(state->v, 0));
  PetscCall(CrModelUpdateGhosts(model, state->v));
  if (im->contact) PetscCall(CrContactAcceptRigid(im->contact, state->rigid));
  state->t += h;
  state->n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mean velocity of all bodies with a mesh. */
static PetscErrorCode mean_velocity(const CrModel *model, const PetscReal *v, PetscReal mean[3])
{
  PetscReal sums[4] = {0};

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < model->nowned; A++) {
    for (PetscInt i = 0; i < model->dim; i++) sums[i] += model->row_mass[A] * v[model->dim * A + i];
    sums[3] += model->row_mass[A];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPIU_REAL, MPIU_SUM, model->comm));
  for (int i = 0; i < 3; i++) mean[i] = sums[i] / sums[3];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitMomentum(CrImplicit *im, const CrModel *model, Vec v, PetscReal *norm)
{
  const PetscReal *a;
  PetscReal        sum = 0, mean[3];
  PetscInt         dim = model->dim;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(v, &a));
  PetscCall(mean_velocity(model, a, mean));
  for (PetscInt k = 0; k < model->nlocal * dim; k++) im->um[k] = a[k] - mean[k % dim];
  PetscCall(VecRestoreArrayRead(v, &a));
  PetscCall(CrModelMassTimes(model, im->um, im->inertia));
  for (PetscInt k = 0; k < model->nowned * dim; k++) sum += PetscSqr(im->inertia[k]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPIU_REAL, MPIU_SUM, model->comm));
  PetscCall(PetscArrayzero(im->inertia, model->nowned * dim));
  *norm = PetscSqrtReal(sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}
