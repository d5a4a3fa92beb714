/* Quasi-static steps (theory 9): equilibrium at the end of the step,

     f_int(u1) = f_ext(t1) + f_contact(u1),

   with the penalty on the gap at u1 (contact/laws/penalty.c). Without inertia, all methods with contact springs are the
   same, so that they share these steps. Works are computed by the trapezoidal rule, which is exact for linear bodies
   under proportional load. */
#include "integrate/statics.h"
#include "integrate/freedom.h"
#include "model/forces.h"

typedef struct {
  CrImplicit im;
  CrForces   before; /* forces at t_n; owned */
  PetscInt
      loose; /* points at the limit of friction start slipping, as in the last step; archived */
  PetscReal
      *rigid; /* [6 rigid->n] contact forces and torques on rigid bodies at t_n; owned, archived */
  CrContactLaw  law;
  CrContactStep contact; /* of the last residual */
  CrFreedom     freedom; /* whether bodies drift; owned */
} Statics;

static PetscErrorCode residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  Statics            *st = ctx;
  CrImplicit         *im = &st->im;
  const CrStepArrays *s = &im->step;

  PetscFunctionBeginUser;
  PetscCall(CrStepTry(&im->step, x));
  PetscCall(CrModelForce(s->model, s->state, CR_FORCE_POINT, NULL, s->u1, im->f.internal));
  PetscCall(PetscArrayzero(im->f.loads, s->model->nowned * s->model->dim));
  PetscCall(CrLoadsAdd(s->model, s->state->t + s->h, s->u1, im->f.loads));
  st->contact = (CrContactStep){.law = &st->law, .u = s->u1};
  if (im->contact) PetscCall(CrImplicitTouch(im, &st->contact));
  PetscCall(CrImplicitResidual(im, r, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode tangent(void *ctx, Vec x, Mat A)
{
  Statics            *st = ctx;
  CrImplicit         *im = &st->im;
  const CrStepArrays *s = &im->step;

  PetscFunctionBeginUser;
  PetscCall(CrStepTry(&im->step, x));
  st->contact.u = s->u1;
  PetscCall(CrImplicitTangent(im, CR_FORCE_POINT, 0, A));
  PetscCall(CrLoadsAddTangent(s->model, s->state->t + s->h, 0, s->u1, -1, A));
  if (im->contact)
    CrTimed(s->model->watch, CR_PART_CONTACT, CrContactAddTangent(im->contact, &st->contact, 1, A));
  if (im->supports.any) PetscCall(CrMatrixConstrain(s->model, im->supports.fixed, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_settled(void *ctx)
{
  const Statics *st = ctx;

  return !st->im.contact || !st->im.contact->work->unsettled;
}

PetscErrorCode CrStaticsWork(const CrImplicit *im, const CrForces *before, PetscReal *work)
{
  const CrStepArrays *s = &im->step;
  const CrForces     *now = &im->f;
  PetscReal           sum = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->model->nowned * s->model->dim; k++) {
    PetscReal held = before->internal[k] - before->loads[k] - im->weight[k] - before->touch[k];

    if (im->supports.fixed[k])
      held += now->internal[k] - now->loads[k] - im->weight[k] - now->touch[k];
    sum += (before->loads[k] + now->loads[k] + held) / 2 * s->du[k];
  }
  PetscCallMPI(MPI_Allreduce(&sum, work, 1, MPIU_REAL, MPIU_SUM, s->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  const CrImplicit *im;
  const CrForces   *before;
} Balance;

static PetscReal lacks(const CrImplicit *im, const CrForces *f, PetscInt k)
{
  return f->internal[k] - f->loads[k] - im->weight[k] - f->touch[k];
}

/* A dof that was let go has its force of t_n, which fades. */
static CrDofReaction reaction_of(const void *ctx, PetscInt k)
{
  const Balance *b = ctx;
  PetscReal      then = lacks(b->im, b->before, k), now = 0;

  if (b->im->supports.fixed[k]) now = lacks(b->im, &b->im->f, k);
  return (CrDofReaction){now, b->im->step.h * (then + now) / 2,
                         (then + now) / 2 * b->im->step.du[k]};
}

void CrStaticsReactions(const CrImplicit *im, const CrForces *before, CrReactions *reactions,
                        CrStepReport *report)
{
  const Balance balance = {im, before};

  CrReactionsEnterSupports(reactions, im->step.model, &im->supports, &im->last, im->step.u1,
                           reaction_of, &balance);
  report->impulse_now = report->impulse_before = im->step.h / 2;
}

/* Times at which supports come and go are met by steps, so that any time in the step before tells. */
PetscErrorCode CrStaticsResume(CrImplicit *im, const CrModel *model, const CrState *state)
{
  const PetscReal *u;

  PetscFunctionBeginUser;
  if (state->n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(CrSupportsAt(model, state->t * (1 - 1e-9), 0, u, &im->last));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Statics              *st = it->data;
  CrImplicit           *im = &st->im;
  const CrNewtonProblem problem = {.ctx = st,
                                   .residual = residual,
                                   .tangent = tangent,
                                   .accept = is_settled,
                                   .varies = im->contact != NULL};
  PetscReal             work, reach;

  PetscFunctionBeginUser;
  PetscCall(CrStepOpen(&im->step, model, state, h));
  PetscCall(CrImplicitBegin(it, im));
  if (im->contact) { /* without inertia the rounding of gaps does not average out */
    PetscCall(CrContactReach(im->contact, im->step.u0, &reach));
    im->floor = PetscMax(im->floor, 1e-5 * reach);
  }
  if (im->contact) im->contact->work->loose = !st->loose; /* the first attempt turns it round */
  PetscCall(CrImplicitSolve(it, im, &problem, report));
  if (report->reason == CR_STEP_OK) {
    CrForces last = st->before;

    if (report->iterations > 0) PetscCall(CrFreedomLook(&st->freedom, im));
    PetscCall(CrStaticsWork(im, &st->before, &work));
    report->external_work += work;
    CrStaticsReactions(im, &st->before, state->reactions, report);
    if (im->contact) report->external_work += CrContactRigidFade(im->contact, st->rigid);
    if (im->contact) CrContactRigidForces(im->contact, st->rigid);
    PetscCall(CrImplicitCommit(im, &st->law, state, report));
    st->before = im->f;
    im->f = last;
    if (im->contact) st->loose = im->contact->work->loose;
  }
  PetscCall(CrImplicitEnd(im, report, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces at t_n that follow from the state; without contact. */
static PetscErrorCode forces_at_start(Statics *st, const CrModel *model, const CrState *state,
                                      PetscBool internal)
{
  CrStepArrays *s = &st->im.step;

  PetscFunctionBeginUser;
  PetscCall(CrStepOpen(s, model, state, 0));
  if (internal)
    PetscCall(CrModelForce(model, state, CR_FORCE_POINT, NULL, s->u0, st->before.internal));
  PetscCall(PetscArrayzero(st->before.loads, model->nowned * model->dim));
  PetscCall(CrLoadsAdd(model, state->t, s->u0, st->before.loads));
  PetscCall(CrStepClose(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies that supports hold may slip everywhere; others need friction, and start sticking. */
static PetscErrorCode choose_start(const CrModel *model, PetscInt *loose)
{
  PetscInt *free;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(model->nbodies, &free));
  PetscCall(CrSupportsFreeMotions(model, free));
  *loose = 1;
  for (PetscInt b = 0; b < model->nbodies; b++)
    if (free[b]) *loose = 0;
  PetscCall(PetscFree(free));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Statics *st = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitAddRigid(it, model, state));
  if (it->contact) PetscCall(CrContactDivide(it->contact, PETSC_FALSE));
  PetscCall(CrImplicitCreate(it, model, &st->im));
  st->im.real_gap = PETSC_TRUE;
  PetscCall(choose_start(model, &st->loose));
  st->law = CrLaw_rest_penalty;
  PetscCall(CrForcesCreate(model, &st->before));
  PetscCall(PetscCalloc1(6 * model->rigid->n, &st->rigid));
  PetscCall(CrFreedomCreate(model, it->contact, &st->freedom));
  PetscCall(forces_at_start(st, model, state, PETSC_TRUE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  Statics *st = it->data;

  PetscFunctionBeginUser;
  if (it->contact) PetscCall(CrArchiveAddNodal(list, "statics.contact", st->before.touch));
  if (it->contact) PetscCall(CrArchiveAddInts(list, "statics.loose", 1, &st->loose));
  if (it->contact) PetscCall(CrArchiveAddInts(list, "statics.drifts", 1, &st->freedom.told));
  if (it->contact && it->contact->model->rigid->n)
    PetscCall(
        CrArchiveAddReals(list, "statics.rigid", 6 * it->contact->model->rigid->n, st->rigid));
  if (it->remembers) PetscCall(CrArchiveAddNodal(list, "statics.internal", st->before.internal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Statics *st = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrStaticsResume(&st->im, model, state));
  PetscCall(forces_at_start(st, model, state, !it->remembers));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  Statics *st = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitDestroy(&st->im));
  PetscCall(CrForcesDestroy(&st->before));
  PetscCall(CrFreedomDestroy(&st->freedom));
  PetscCall(PetscFree(st->rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrStatics = {.name = "quasi-static",
                                   .data_size = sizeof(Statics),
                                   .setup = setup,
                                   .step = step,
                                   .archive = archive,
                                   .resume = resume,
                                   .destroy = destroy};
