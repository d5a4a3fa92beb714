/* The mid-point rule with the energy-momentum bulk (theory 4; ST92, G00): x1 - x0 = h (v0 + v1)/2,
   M (v1 - v0)/h + f_int = f_ext(t_m),   f_int = sum w F_m S_hat grad N. With the conserving stress,
   energy balances and momenta of free bodies are kept to solver tolerance; with `stress: plain`, S
   at F_m^T F_m, momenta are kept and energy drifts: there to be compared with. Quasi-static: the
   same without inertia; forces are mid-step forces.

   Prescribed dofs take position and velocity from the prescribed motion (not v1 = 2 Dx/h - v0,
   which would carry every kink of the motion along for ever); the work of supports accounts for it
   (implicit.h). */
#include "integrate/implicit.h"

typedef struct {
  CrImplicit im;
  PetscBool  plain;
  /* during a step */
  const CrModel *model; /* borrowed */
  const CrState *state; /* borrowed */
  PetscReal      h, momentum;
} Midpoint;

/* dv = v1 - v0 and um at the trial positions; local dofs. */
static PetscErrorCode kinematics(Midpoint *mp, Vec x)
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

static PetscErrorCode residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  Midpoint        *mp    = ctx;
  CrImplicit      *im    = &mp->im;
  const CrModel   *model = mp->model;
  PetscInt         n     = model->nowned * model->dim;
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
  PetscCall(CrLoadsAdd(model, mp->state->t + mp->h / 2, im->um, im->loads));
  if (!model->quasi_static) {
    PetscCall(CrModelMassTimes(model, im->dv, im->inertia));
    for (PetscInt k = 0; k < n; k++) im->inertia[k] /= mp->h;
  }
  PetscCall(CrImplicitResidual(im, model, mp->momentum, r, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode tangent(void *ctx, Vec x, Mat A)
{
  Midpoint        *mp    = ctx;
  CrImplicit      *im    = &mp->im;
  const CrModel   *model = mp->model;
  PetscReal        mass  = model->quasi_static ? 0 : 2 / (mp->h * mp->h);
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
  PetscCall(CrLoadsAddTangent(model, mp->state->t + mp->h / 2, im->um, -0.5, A));
  if (im->supports.any) PetscCall(CrMatrixConstrain(model, im->supports.fixed, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Midpoint             *mp      = it->data;
  const CrNewtonProblem problem = {mp, residual, tangent};

  PetscFunctionBeginUser;
  mp->model = model;
  mp->state = state;
  mp->h     = h;
  PetscCall(CrImplicitMomentum(&mp->im, model, state->v, &mp->momentum));
  mp->momentum *= 2 / h;
  PetscCall(CrImplicitBegin(&mp->im, model, state, h));
  PetscCall(CrImplicitSolve(it, &mp->im, &problem, report));
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrImplicitCheck(&mp->im, model, report)); /* no element inside out */
  if (report->reason < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrImplicitWork(&mp->im, model, state, mp->im.internal, mp->im.loads, mp->im.inertia, h,
                           &report->external_work));
  PetscCall(CrImplicitAccept(&mp->im, model, h, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const CrKey options[] = {
    {"stress", CR_WORD, "conserving", "conserving|plain",
     .help = "midpoint: energy-conserving stress, or the plain mid-point stress to compare with"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  Midpoint *mp = it->data;

  PetscFunctionBeginUser;
  mp->plain = CrDeckIsWord(CrDeckFind(time, "stress"), "plain");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mid-step forces make the end points of a quasi-static run ring about a load that jumps (theory
 * 9). */
static PetscErrorCode warn_of_ringing(Midpoint *mp, const CrModel *model, const CrState *state)
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
           "overshoots under "
           "midpoint; give them a ramp, or use newmark");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Midpoint *mp = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitCreate(it, model, &mp->im));
  if (model->quasi_static) PetscCall(warn_of_ringing(mp, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  Midpoint *mp = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitDestroy(&mp->im));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_midpoint = {
    .name      = "midpoint",
    .citation  = "Simo and Tarnow 1992; Gonzalez 2000 (energy-momentum mid-point rule)",
    .help      = "implicit mid-point rule with energy-momentum conserving solids",
    .claims    = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts   = CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS,
    .data_size = sizeof(Midpoint),
    .options   = options,
    .configure = configure,
    .setup     = setup,
    .step      = step,
    .destroy   = destroy,
};
