/* One step of the mid-point rule with the energy-momentum bulk (theory 4; ST92, G00), with whatever
   contact law the method brings:
     x1 - x0 = h (v0 + v1)/2,   M (v1 - v0)/h + f_int = f_ext(t_m) + f_contact(x_m),
     f_int = sum w F_m S_hat grad N. Quasi-static: the same without inertia; forces are mid-step
   forces.

   Prescribed dofs take position and velocity from the prescribed motion (not v1 = 2 Dx/h - v0,
   which would carry every kink of the motion along for ever); the work of supports accounts for it
   (implicit.h). */
#include "integrate/middle.h"

/* dv = v1 - v0 and um at the trial positions; local dofs. */
static PetscErrorCode kinematics(CrMiddle *mp, Vec x)
{
  CrImplicit      *im = &mp->im;
  const PetscReal *u0, *u1, *v0;

  PetscFunctionBeginUser;
  PetscCall(VecCopy(x, im->u1));
  PetscCall(CrModelUpdateGhosts(mp->model, im->u1));
  PetscCall(VecGetArrayRead(mp->state->u, &u0));
  PetscCall(VecGetArrayRead(mp->state->v, &v0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  for (PetscInt k = 0; k < mp->model->nlocal * mp->model->dim; k++) {
    im->um[k] = (u0[k] + u1[k]) / 2;
    im->dv[k] =
        im->supports.fixed[k] ? im->supports.v[k] - v0[k] : 2 * ((u1[k] - u0[k]) / mp->h - v0[k]);
  }
  PetscCall(VecRestoreArrayRead(mp->state->u, &u0));
  PetscCall(VecRestoreArrayRead(mp->state->v, &v0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Contact forces of the trial state. */
static PetscErrorCode touch(CrMiddle *mp)
{
  CrImplicit      *im = &mp->im;
  const PetscReal *previous;
  PetscInt         m = mp->model->nlocal * mp->model->dim;

  PetscFunctionBeginUser;
  mp->contact = (CrContactStep){.law = &mp->law, .u = im->um};
  if (mp->slides) {
    PetscCall(VecGetArrayRead(mp->previous, &previous));
    for (PetscInt r = 0; r < m; r++) mp->slide[r] = im->um[r] - previous[r];
    PetscCall(VecRestoreArrayRead(mp->previous, &previous));
    mp->contact.slide = mp->slide;
    mp->contact.slide_factor = 1;
    mp->contact.slide_from = mp->previous_time;
    mp->contact.slide_to = mp->state->t + mp->h / 2;
  }
  PetscCall(VecGetArrayRead(im->u1, &mp->contact.end));
  PetscCall(CrImplicitTouch(im, mp->model, mp->state, &mp->contact));
  PetscCall(VecRestoreArrayRead(im->u1, &mp->contact.end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  CrMiddle        *mp = ctx;
  CrImplicit      *im = &mp->im;
  const CrModel   *model = mp->model;
  PetscInt         n = model->nowned * model->dim;
  const PetscReal *u0, *u1;

  PetscFunctionBeginUser;
  PetscCall(kinematics(mp, x));
  PetscCall(VecGetArrayRead(mp->state->u, &u0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  if (mp->plain)
    PetscCall(CrModelForce(model, CR_FORCE_POINT, NULL, im->um, im->internal));
  else
    PetscCall(CrModelForce(model, CR_FORCE_CONSERVING, u0, u1, im->internal));
  PetscCall(VecRestoreArrayRead(mp->state->u, &u0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscCall(PetscArrayzero(im->loads, n));
  PetscCall(CrLoadsAddOver(model, mp->state->t + mp->h / 2, mp->h, im->um, im->loads));
  if (!model->quasi_static) {
    PetscCall(CrModelMassTimes(model, im->dv, im->inertia));
    for (PetscInt k = 0; k < n; k++) im->inertia[k] /= mp->h;
  }
  if (im->contact) PetscCall(touch(mp));
  PetscCall(CrImplicitResidual(im, model, mp->momentum, r, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode tangent(void *ctx, Vec x, Mat A)
{
  CrMiddle        *mp = ctx;
  CrImplicit      *im = &mp->im;
  const CrModel   *model = mp->model;
  PetscReal        mass = model->quasi_static ? 0 : 2 / (mp->h * mp->h);
  const PetscReal *u0, *u1;

  PetscFunctionBeginUser;
  PetscCall(kinematics(mp, x));
  PetscCall(VecGetArrayRead(mp->state->u, &u0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  if (mp->plain)
    PetscCall(CrModelTangent(model, CR_FORCE_POINT, NULL, im->um, 0.5, mass, A));
  else
    PetscCall(CrModelTangent(model, CR_FORCE_CONSERVING, u0, u1, 1, mass, A));
  PetscCall(VecRestoreArrayRead(mp->state->u, &u0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscCall(CrLoadsAddTangent(model, mp->state->t + mp->h / 2, mp->h, im->um, -0.5, A));
  if (im->contact) PetscCall(CrImplicitTouchTangent(im, mp->state, &mp->contact, 0.5, A));
  if (im->supports.any) PetscCall(CrMatrixConstrain(model, im->supports.fixed, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The middle of this step is where the next one slides from. */
static PetscErrorCode keep_middle(CrMiddle *mp)
{
  PetscReal *previous;

  PetscFunctionBeginUser;
  if (!mp->slides) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetArray(mp->previous, &previous));
  PetscCall(PetscArraycpy(previous, mp->im.um, mp->model->nlocal * mp->model->dim));
  PetscCall(VecRestoreArray(mp->previous, &previous));
  mp->previous_time = mp->state->t + mp->h / 2;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleBegin(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state, PetscReal h)
{
  PetscFunctionBeginUser;
  mp->model = model;
  mp->state = state;
  mp->h = h;
  PetscCall(CrImplicitMomentum(&mp->im, model, state->v, &mp->momentum));
  mp->momentum *= 2 / h;
  PetscCall(CrImplicitBegin(it, &mp->im, model, state, h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleSolve(CrIntegrator *it, CrMiddle *mp, CrStepReport *report)
{
  const CrNewtonProblem problem = {mp, residual, tangent};

  PetscFunctionBeginUser;
  PetscCall(CrImplicitSolve(it, &mp->im, mp->model, mp->state, &problem, report));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrImplicitCheck(it, &mp->im, mp->model, mp->state, report)); /* no element inside out */
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleEnd(CrMiddle *mp, CrState *state, CrStepReport *report)
{
  CrImplicit *im = &mp->im;
  PetscReal   work;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitWork(im, mp->model, state, im->internal, im->loads, im->inertia, im->touch,
                           mp->h, &work));
  report->external_work += work;
  PetscCall(CrImplicitCommit(im, mp->model, &mp->law, report));
  PetscCall(keep_middle(mp));
  PetscCall(CrImplicitAccept(im, mp->model, mp->h, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMiddleStep(CrIntegrator *it, CrMiddle *mp, const CrModel *model, CrState *state,
                            PetscReal h, CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(CrMiddleBegin(it, mp, model, state, h));
  PetscCall(CrMiddleSolve(it, mp, report));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrMiddleEnd(mp, state, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mid-step forces make the end points of a quasi-static run ring about a load that jumps (theory
 * 9). */
static PetscErrorCode warn_of_ringing(CrMiddle *mp, const CrModel *model, const CrState *state)
{
  CrImplicit      *im = &mp->im;
  const PetscReal *u;
  PetscReal        sums[2] = {0};

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(CrSupportsAt(model, state->t, 0, u, &im->supports));
  PetscCall(CrModelForce(model, CR_FORCE_POINT, NULL, u, im->internal));
  PetscCall(CrLoadsAdd(model, state->t, u, im->loads));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) {
    PetscReal outside = im->loads[k] + im->weight[k];

    if (im->supports.fixed[k]) continue;
    sums[0] += PetscSqr(im->internal[k] - outside);
    sums[1] += PetscSqr(im->internal[k]) + PetscSqr(outside);
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPIU_REAL, MPIU_SUM, model->comm));
  if (sums[0] > 1e-12 * sums[1])
    CrWarn("quasi-static: the loads do not start from equilibrium, so every second state "
           "overshoots under this method; give them a ramp, or use newmark");
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
