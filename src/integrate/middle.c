/* One step of the mid-point rule with the conserving stress (theory 4; ST92, G00), and with the contact law of the
   method:
     x1 - x0 = h (v0 + v1)/2,   M (v1 - v0)/h + f_int = f_ext(t_m) + f_contact(x_m),
     f_int = sum w F_m S_hat grad N.
   Quasi-static steps with `equilibrium: middle` have the same equations without inertia.

   Prescribed dofs have the position and velocity of the prescribed motion. The formula v1 = 2 Dx/h - v0 is not used for
   them, because every jump of the prescribed velocity would then cause an oscillation that never decays. The work of
   supports includes this difference (implicit.h). */
#include "integrate/middle.h"
#include "model/forces.h"

/* dv = v1 - v0 at the trial positions x; local dofs. */
static PetscErrorCode kinematics(CrMiddle *mp, Vec x)
{
  const CrSupports *supports = &mp->im.supports;
  CrStepArrays     *s = &mp->im.step;
  PetscReal         h = s->h;

  PetscFunctionBeginUser;
  PetscCall(CrStepTry(s, x));
  for (PetscInt k = 0; k < s->model->nlocal * s->model->dim; k++)
    s->dv[k] = supports->fixed[k] ? supports->v[k] - s->v0[k] : 2 * (s->du[k] / h - s->v0[k]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Contact forces of the trial state. */
static PetscErrorCode touch(CrMiddle *mp)
{
  const CrStepArrays *s = &mp->im.step;

  PetscFunctionBeginUser;
  mp->contact = (CrContactStep){.law = &mp->law, .u = s->um, .end = s->u1};
  if (mp->slides) {
    for (PetscInt r = 0; r < s->model->nlocal * s->model->dim; r++)
      mp->slide[r] = s->um[r] - mp->um0[r];
    mp->contact.slide = mp->slide;
    mp->contact.slide_factor = 1;
    mp->contact.slide_from = mp->previous_time;
    mp->contact.slide_to = s->state->t + s->h / 2;
  }
  PetscCall(CrImplicitTouch(&mp->im, &mp->contact));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  CrMiddle           *mp = ctx;
  CrImplicit         *im = &mp->im;
  const CrStepArrays *s = &im->step;
  const CrModel      *model = s->model;
  PetscInt            n = model->nowned * model->dim;

  PetscFunctionBeginUser;
  PetscCall(kinematics(mp, x));
  if (mp->plain)
    PetscCall(CrModelForce(model, s->state, CR_FORCE_POINT, NULL, s->um, im->f.internal));
  else
    PetscCall(CrModelForce(model, s->state, CR_FORCE_CONSERVING, s->u0, s->u1, im->f.internal));
  PetscCall(PetscArrayzero(im->f.loads, n));
  PetscCall(CrLoadsAddOver(model, s->state->t + s->h / 2, s->h, s->um, im->f.loads));
  PetscCall(CrImplicitAddDrag(im, s->du, s->h));
  if (!model->quasi_static) {
    PetscCall(CrModelMassTimes(model, s->dv, im->f.inertia));
    for (PetscInt k = 0; k < n; k++) im->f.inertia[k] /= s->h;
  }
  if (im->contact) PetscCall(touch(mp));
  PetscCall(CrImplicitResidual(im, r, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode tangent(void *ctx, Vec x, Mat A)
{
  CrMiddle           *mp = ctx;
  CrImplicit         *im = &mp->im;
  const CrStepArrays *s = &im->step;
  const CrModel      *model = s->model;
  PetscReal           mass = model->quasi_static ? 0 : 2 / (s->h * s->h);

  PetscFunctionBeginUser;
  PetscCall(kinematics(mp, x));
  if (mp->plain)
    PetscCall(CrModelTangent(model, s->state, CR_FORCE_POINT, NULL, s->um, 0.5, mass, A));
  else
    PetscCall(CrImplicitTangent(im, CR_FORCE_CONSERVING, mass, A));
  if (im->drag) PetscCall(CrDragAddTangent(model, 1 / s->h, A));
  PetscCall(CrLoadsAddTangent(model, s->state->t + s->h / 2, s->h, s->um, -0.5, A));
  if (im->contact)
    CrTimed(model->watch, CR_PART_CONTACT, CrContactAddTangent(im->contact, &mp->contact, 0.5, A));
  if (im->supports.any) PetscCall(CrMatrixConstrain(model, im->supports.fixed, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleBegin(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state, PetscReal h)
{
  PetscFunctionBeginUser;
  PetscCall(CrStepOpen(&mp->im.step, model, state, h));
  if (mp->slides) PetscCall(CrStepRead(&mp->im.step, mp->previous, &mp->um0));
  PetscCall(CrImplicitBegin(it, &mp->im));
  mp->im.momentum *= 2 / h;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleSolve(CrIntegrator *it, CrMiddle *mp, CrStepReport *report)
{
  const CrNewtonProblem problem = {.ctx = mp, .residual = residual, .tangent = tangent};

  PetscFunctionBeginUser;
  PetscCall(CrImplicitSolve(it, &mp->im, &problem, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleEnd(CrMiddle *mp, CrState *state, CrStepReport *report)
{
  CrImplicit *im = &mp->im;
  PetscReal   work;

  PetscFunctionBeginUser;
  if (report->reason == CR_STEP_OK) {
    PetscCall(CrImplicitWork(im, &im->f, &work));
    report->external_work += work;
    CrImplicitReactions(im, &im->f, state->reactions);
    PetscCall(CrImplicitBookDrag(im, report));
    PetscCall(CrImplicitCommit(im, &mp->law, state, report));
  }
  PetscCall(CrImplicitEnd(im, report, state));
  if (!mp->slides || report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  /* the middle of this step is where the next one slides from */
  PetscCall(CrVecTake(mp->previous, im->step.model->nlocal * im->step.model->dim, im->step.um));
  PetscCall(CrModelUpdateAllGhosts(im->step.model, mp->previous));
  mp->previous_time = mp->contact.slide_to;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleStep(CrIntegrator *it, CrMiddle *mp, const CrModel *model, CrState *state,
                            PetscReal h, CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(CrMiddleBegin(it, mp, model, state, h));
  PetscCall(CrMiddleSolve(it, mp, report));
  PetscCall(CrMiddleEnd(mp, state, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mid-step forces make the end points of a quasi-static run ring about a load that jumps (theory
 * 9). */
static PetscErrorCode warn_of_ringing(CrMiddle *mp, const CrModel *model, const CrState *state)
{
  CrImplicit *im = &mp->im;
  PetscReal   sums[2] = {0};

  PetscFunctionBeginUser;
  PetscCall(CrStepOpen(&im->step, model, state, 0));
  PetscCall(CrSupportsAt(model, state->t, 0, im->step.u0, &im->supports));
  PetscCall(CrModelForce(model, state, CR_FORCE_POINT, NULL, im->step.u0, im->f.internal));
  PetscCall(CrLoadsAdd(model, state->t, im->step.u0, im->f.loads));
  PetscCall(CrStepClose(&im->step));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) {
    PetscReal outside = im->f.loads[k] + im->weight[k];

    if (im->supports.fixed[k]) continue;
    sums[0] += PetscSqr(im->f.internal[k] - outside);
    sums[1] += PetscSqr(im->f.internal[k]) + PetscSqr(outside);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPIU_REAL, MPIU_SUM, model->comm));
  if (sums[0] > 1e-12 * sums[1])
    CrWarn(
        "at the start the bodies are not in equilibrium with the loads, so with `equilibrium: middle` the displacements oscillate from step to step; give the loads a ramp, or remove `equilibrium: middle`");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleSetup(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state)
{
  PetscFunctionBeginUser;
  PetscCall(CrImplicitCreate(it, model, &mp->im));
  if (mp->slides && it->contact) {
    PetscCall(CrModelCreateVec(model, &mp->previous));
    PetscCall(VecCopy(state->u, mp->previous));
    PetscCall(CrModelUpdateGhosts(model, mp->previous));
    PetscCall(PetscCalloc1(model->nlocal * model->dim, &mp->slide));
  } else
    mp->slides = PETSC_FALSE;
  if (model->quasi_static) PetscCall(warn_of_ringing(mp, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleArchive(CrMiddle *mp, CrArchive *archive)
{
  PetscFunctionBeginUser;
  if (!mp->slides) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrArchiveAddVec(archive, "middle.previous", mp->previous));
  PetscCall(CrArchiveAddReals(archive, "middle.previous_time", 1, &mp->previous_time));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleDestroy(CrMiddle *mp)
{
  PetscFunctionBeginUser;
  PetscCall(CrImplicitDestroy(&mp->im));
  PetscCall(VecDestroy(&mp->previous));
  PetscCall(PetscFree(mp->slide));
  PetscFunctionReturn(PETSC_SUCCESS);
}
