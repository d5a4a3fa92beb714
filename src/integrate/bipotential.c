/* The bi-potential method of Feng and others (FJCM, theory 17): exact laws of contact and friction on
   the condensed system, with a scheme in first-order form (velocities and displacements),

     M (v1 - v0) = h [ (1 - xi) F0 + xi F1 ] + h R,   u1 - u0 = h [ (1 - theta) v0 + theta v1 ],

   F = f_ext - f_int. Newton's method on the bodies: a correction without contact, then the reactions R
   from a discrete Coulomb problem (contact/cones/cones.h), then the correction they add. Contact never
   enters the matrix, so its factor, and the responses of the surface to forces on it, serve for many
   steps. `internal: em` takes the conserving stress for the weighted internal forces.

   FJCM                          here
   theta, xi                     theta, xi
   z or x: gap plus increment    the three levels of CrConesLevel
   r                             CrTouch.lambda, traction (per weight)
   K bar                         im.A, taken at `base`

   R counts in full (not with xi). Prescribed dofs take position and velocity from the prescribed
   motion. */
#include "integrate/bipotential.h"

#define RENEW      8   /* iterations with one matrix, then it is taken anew */
#define SLOW       0.7 /* share of the residual that is left: more, and it is taken anew at once, */
#define SLOW_AGAIN 0.3 /*   here, if that happened in this step before */
#define MOST       60  /* iterations; then once more from x_n, with a matrix in each */
#define PATIENCE   10  /* iterations without a new best residual */
#define REVIEWS    6
#define SHIFT      1e-3
#define STAGNATION 1e-9 /* as of Newton's method (solve/newton.c) */

/* ---- the bodies ----------------------------------------------------------------------------- */

/* Velocity change, middle of the step and `way` at the trial positions im.u1. */
static PetscErrorCode kinematics(Bipotential *bp)
{
  CrImplicit      *im = &bp->im;
  PetscReal        h = bp->h, theta = bp->theta;
  PetscBool        velocity = bp->level == CR_LEVEL_VELOCITY;
  const PetscReal *u0, *u1, *v0;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(bp->state->u, &u0));
  PetscCall(VecGetArrayRead(bp->state->v, &v0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  for (PetscInt k = 0; k < bp->model->nlocal * bp->model->dim; k++) {
    PetscReal du = u1[k] - u0[k];

    im->um[k] = (u0[k] + u1[k]) / 2;
    im->dv[k] = im->supports.fixed[k] ? im->supports.v[k] - v0[k] : (du / h - v0[k]) / theta;
    bp->way[k] = velocity ? theta * h * (v0[k] + im->dv[k]) : du;
  }
  PetscCall(VecRestoreArrayRead(bp->state->u, &u0));
  PetscCall(VecRestoreArrayRead(bp->state->v, &v0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Internal forces and loads at t_{n+1}, and as the step weighs them. */
static PetscErrorCode forces(Bipotential *bp)
{
  CrImplicit      *im = &bp->im;
  PetscInt         n = bp->model->nowned * bp->model->dim;
  const PetscReal *u0, *u1;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(bp->state->u, &u0));
  PetscCall(VecGetArrayRead(im->u1, &u1));
  if (bp->em)
    PetscCall(CrModelForce(bp->model, CR_FORCE_CONSERVING, u0, u1, im->internal));
  else
    PetscCall(CrModelForce(bp->model, CR_FORCE_POINT, NULL, u1, bp->internal1));
  PetscCall(PetscArrayzero(bp->loads1, n));
  PetscCall(CrLoadsAddOver(bp->model, bp->state->t + bp->h, bp->h, u1, bp->loads1));
  PetscCall(VecRestoreArrayRead(bp->state->u, &u0));
  PetscCall(VecRestoreArrayRead(im->u1, &u1));
  for (PetscInt k = 0; k < n; k++) {
    if (!bp->em) im->internal[k] = (1 - bp->xi) * bp->internal0[k] + bp->xi * bp->internal1[k];
    im->loads[k] = (1 - bp->xi) * bp->loads0[k] + bp->xi * bp->loads1[k];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Residual and reference at im.u1, whose ghosts are up to date. */
static PetscErrorCode evaluate(Bipotential *bp, PetscReal *reference)
{
  CrImplicit    *im = &bp->im;
  const CrModel *model = bp->model;

  PetscFunctionBeginUser;
  PetscCall(kinematics(bp));
  PetscCall(forces(bp));
  if (!model->quasi_static) {
    PetscCall(CrModelMassTimes(model, im->dv, im->inertia));
    for (PetscInt k = 0; k < model->nowned * model->dim; k++) im->inertia[k] /= bp->h;
  }
  if (bp->cones) {
    bp->contact = (CrContactStep){.law = &bp->cones->law, .u = im->um};
    PetscCall(VecGetArrayRead(im->u1, &bp->contact.end));
    PetscCall(CrImplicitTouch(im, model, bp->state, &bp->contact));
    PetscCall(VecRestoreArrayRead(im->u1, &bp->contact.end));
  }
  PetscCall(CrImplicitResidual(im, model, bp->momentum, bp->residual, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- one iteration -------------------------------------------------------------------------- */

/* d = A^-1 f on free dofs; f: owned dofs. */
static PetscErrorCode correct(BipotentialSolver *s, const PetscReal *f, Vec d, PetscBool *solved)
{
  Bipotential *bp = s->bp;
  PetscReal   *b;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(bp->right, &b));
  for (PetscInt k = 0; k < bp->model->nowned * bp->model->dim; k++)
    b[k] = bp->im.supports.fixed[k] ? 0 : f[k];
  PetscCall(VecRestoreArray(bp->right, &b));
  PetscCall(BipotentialSolve(s, bp->right, d, solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces without the reactions, on owned dofs, into im.touch. */
static void forces_without_contact(Bipotential *bp)
{
  CrImplicit *im = &bp->im;

  for (PetscInt k = 0; k < bp->model->nowned * bp->model->dim; k++)
    im->touch[k] = im->loads[k] + im->weight[k] - im->internal[k] - im->inertia[k];
}

/* The correction without contact, the reactions, the correction they add. */
static PetscErrorCode iterate(BipotentialSolver *s, PetscBool first, CrStepReport *report)
{
  Bipotential     *bp = s->bp;
  CrImplicit      *im = &bp->im;
  PetscBool        solved;
  const PetscReal *d;

  PetscFunctionBeginUser;
  forces_without_contact(bp);
  PetscCall(correct(s, im->touch, bp->d, &solved));
  if (!solved) report->reason = CR_FAIL_LINEAR;
  if (!solved) PetscFunctionReturn(PETSC_SUCCESS);
  if (bp->cones && im->contact->ntouches) {
    PetscCall(CrModelUpdateGhosts(bp->model, bp->d));
    PetscCall(VecGetArrayRead(bp->d, &d));
    PetscCall(CrConesSolve(bp->cones, bp->way, d, first, BipotentialRespond, s, &solved));
    PetscCall(VecRestoreArrayRead(bp->d, &d));
    if (!solved) report->reason = CR_FAIL_METHOD;
    if (!solved) PetscFunctionReturn(PETSC_SUCCESS);
    if (bp->cones->n) { /* all forces at once: those of contact may nearly cancel the others */
      CrConesAddForce(bp->cones, im->touch);
      PetscCall(correct(s, im->touch, bp->d, &solved));
      if (!solved) report->reason = CR_FAIL_LINEAR;
    }
    im->contact->iteration++;
  }
  PetscCall(CrMixingApply(&bp->mixing, im->u1, bp->d));
  PetscCall(VecAXPY(im->u1, 1, bp->d));
  PetscCall(CrModelUpdateGhosts(bp->model, im->u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Residual of forces and of the law, over the reference. */
static PetscErrorCode judge(Bipotential *bp, PetscReal *relative)
{
  PetscReal reference, norm, mismatch = 0;
  PetscBool missed = PETSC_FALSE;

  PetscFunctionBeginUser;
  PetscCall(evaluate(bp, &reference));
  PetscCall(VecNorm(bp->residual, NORM_2, &norm));
  if (bp->cones) CrConesMismatch(bp->cones, bp->way, &mismatch, &missed);
  norm = PetscMax(norm, mismatch);
  *relative = norm == 0 ? 0 : reference > 0 ? norm / reference : norm;
  if (missed) *relative = PetscMax(*relative, 1);
  if (reference != reference || norm != norm) *relative = PETSC_INFINITY;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Newton's method from im.u1; eager: a new matrix in each iteration. */
static PetscErrorCode newton(CrIntegrator *it, Bipotential *bp, PetscBool eager,
                             CrStepReport *report)
{
  BipotentialSolver s = {it, bp};
  PetscReal         relative, last = PETSC_MAX_REAL, best = PETSC_MAX_REAL;
  PetscBool         good, grew = PETSC_FALSE;
  PetscInt          idle = 0, age = 0;

  PetscFunctionBeginUser;
  report->reason = CR_STEP_OK;
  PetscCall(BipotentialServes(&s, &good));
  if (bp->cones) CrContactRestart(bp->im.contact);
  PetscCall(evaluate(bp, &relative));
  for (PetscInt k = 1; report->reason == CR_STEP_OK; k++) {
    if (!good || eager) PetscCall(BipotentialRenew(bp));
    if (!good || eager || k == 1 || grew) CrMixingForget(&bp->mixing);
    age = good && !eager ? age + 1 : 1;
    PetscCall(iterate(&s, k == 1, report));
    report->iterations++;
    bp->iterations++;
    if (report->reason < 0) break;
    PetscCall(judge(bp, &relative));
    idle = relative >= best ? idle + 1 : 0;
    best = PetscMin(best, relative);
    if (relative <= it->tolerance || (relative <= STAGNATION && idle >= 2)) break;
    if (PetscIsInfOrNanReal(relative)) report->reason = CR_FAIL_NOT_A_NUMBER;
    if (k == MOST || idle == PATIENCE) report->reason = CR_FAIL_DIVERGED;
    good = age + 1 < RENEW && relative <= (bp->renewed ? SLOW_AGAIN : SLOW) * last;
    if (bp->constant || relative <= STAGNATION) good = PETSC_TRUE; /* a new one would not help */
    grew = relative > last;
    last = relative;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From where im.u1 is; then from x_n. */
static PetscErrorCode attempt(CrIntegrator *it, Bipotential *bp, CrStepReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(newton(it, bp, PETSC_FALSE, report));
  if (report->reason == CR_STEP_OK) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecCopy(bp->im.fallback, bp->im.u1));
  PetscCall(CrModelUpdateGhosts(bp->model, bp->im.u1));
  if (bp->cones) PetscCall(CrConesBegin(bp->cones));
  PetscCall(newton(it, bp, !bp->constant, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the step ------------------------------------------------------------------------------- */

/* Forces at t_n; bp->h: the last step, or the first one. */
static PetscErrorCode forces_at_start(Bipotential *bp, const CrModel *model, const CrState *state)
{
  const PetscReal *u;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u));
  if (!bp->em) PetscCall(CrModelForce(model, CR_FORCE_POINT, NULL, u, bp->internal0));
  PetscCall(PetscArrayzero(bp->loads0, model->nowned * model->dim));
  PetscCall(CrLoadsAddOver(model, state->t, bp->h, u, bp->loads0));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode begin(Bipotential *bp, const CrModel *model, const CrState *state,
                            PetscReal h, CrStepReport *report)
{
  CrImplicit *im = &bp->im;

  PetscFunctionBeginUser;
  bp->model = model;
  bp->state = state;
  bp->h = h;
  bp->renewed = PETSC_FALSE;
  if (state->n == 0) PetscCall(forces_at_start(bp, model, state)); /* for a step of this length */
  PetscCall(CrImplicitMomentum(im, model, state->v, &bp->momentum));
  bp->momentum /= bp->theta * h;
  PetscCall(CrImplicitStart(im, model, state, h));
  if (bp->cones) {
    PetscCall(CrImplicitSearch(im, state, h));
    PetscCall(CrConesBegin(bp->cones));
    if (im->contact->too_far) report->reason = CR_FAIL_METHOD;
  }
  /* where something touches, free flight leads astray */
  PetscCall(
      VecCopy(bp->cones && CrContactIsPressed(im->contact) ? im->fallback : im->predictor, im->u1));
  PetscCall(CrModelUpdateGhosts(model, im->u1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Newton's method, again where a point went through something that was not looked at. */
static PetscErrorCode solve_step(CrIntegrator *it, Bipotential *bp, CrStepReport *report)
{
  PetscBool again = PETSC_TRUE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; again && report->reason == CR_STEP_OK; k++) {
    PetscCall(attempt(it, bp, report));
    again = PETSC_FALSE;
    if (!bp->cones || report->reason < 0) break;
    PetscCall(CrImplicitReview(&bp->im, bp->state, &again));
    if (again && k == REVIEWS) report->reason = CR_FAIL_METHOD;
    if (again) PetscCall(CrConesBegin(bp->cones));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode finish(Bipotential *bp, CrState *state, CrStepReport *report)
{
  CrImplicit *im = &bp->im;
  PetscInt    n = bp->model->nowned * bp->model->dim;
  PetscReal   work;

  PetscFunctionBeginUser;
  PetscCall(CrImplicitWork(im, bp->model, state, im->internal, im->loads, im->inertia, im->touch,
                           bp->h, &work));
  report->external_work += work;
  if (bp->cones) {
    report->contact_work += CrConesNormalWork(bp->cones);
    CrConesRemember(bp->cones);
    PetscCall(CrImplicitCommit(im, bp->model, &bp->cones->law, report));
  }
  PetscCall(PetscArraycpy(bp->internal0, bp->internal1, n));
  PetscCall(PetscArraycpy(bp->loads0, bp->loads1, n));
  PetscCall(CrImplicitAccept(im, bp->model, bp->h, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Bipotential *bp = it->data;

  PetscFunctionBeginUser;
  PetscCall(begin(bp, model, state, h, report));
  PetscCall(solve_step(it, bp, report));
  if (report->reason == CR_STEP_OK) PetscCall(CrImplicitCheck(it, &bp->im, model, state, report));
  if (report->reason < 0)
    PetscCall(BipotentialForgetStep(bp));
  else
    PetscCall(finish(bp, state, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- options, life -------------------------------------------------------------------------- */

static const CrKey options[] = {
    {"level", CR_WORD, "gap", "gap|increment|velocity",
     .help = "bipotential: what obeys the laws of contact: no penetration, no normal work, or "
             "smooth forces"},
    {"internal", CR_WORD, "em", "em|trapezoid",
     .help =
         "bipotential: internal forces that conserve energy, or the weighted ones of both ends"},
    {"theta", CR_REAL, "0.5", .range = "[0.5,1]",
     .help = "dissipative, bipotential: weight of the end of the step in the friction law"},
    {"xi", CR_REAL, "0.5", .range = "[0.5,1]",
     .help = "bipotential: weight of the forces at the end of the step"},
    {.name = NULL}};

static PetscErrorCode configure(CrIntegrator *it, const CrDeckNode *time)
{
  Bipotential      *bp = it->data;
  const CrDeckNode *level = CrDeckFind(time, "level");

  PetscFunctionBeginUser;
  bp->theta = CrDeckReal(CrDeckFind(time, "theta"));
  bp->xi = CrDeckReal(CrDeckFind(time, "xi"));
  bp->em = CrDeckIsWord(CrDeckFind(time, "internal"), "em");
  bp->level = CrDeckIsWord(level, "gap")         ? CR_LEVEL_GAP
              : CrDeckIsWord(level, "increment") ? CR_LEVEL_INCREMENT
                                                 : CR_LEVEL_VELOCITY;
  if (bp->em && (bp->theta != 0.5 || bp->xi != 0.5))
    CrDeckFail(CrDeckFind(time, bp->theta != 0.5 ? "theta" : "xi"),
               "internal: em needs theta: 0.5 and xi: 0.5; take internal: trapezoid");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Quasi-static bodies that contact alone holds: their own matrix is singular. A share SHIFT
   of the inertia that would matter makes it regular; it slows Newton's method by as much and leaves the
   answer as it is. */
static PetscErrorCode choose_shift(Bipotential *bp, const CrModel *model)
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

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Bipotential *bp = it->data;
  PetscInt     n = model->nowned * model->dim, m = model->nlocal * model->dim;

  PetscFunctionBeginUser;
  bp->im.many = PETSC_TRUE;
  bp->constant = PETSC_TRUE;
  for (PetscInt k = 0; k < model->nmaterials; k++)
    if (!(model->materials[k].ops->flags & CR_SMALL_STRAIN)) bp->constant = PETSC_FALSE;
  PetscCall(CrImplicitCreate(it, model, &bp->im));
  PetscCall(CrModelCreateVec(model, &bp->residual));
  PetscCall(CrModelCreateVec(model, &bp->right));
  PetscCall(CrModelCreateVec(model, &bp->response));
  PetscCall(CrModelCreateVec(model, &bp->d));
  PetscCall(CrMixingCreate(bp->d, &bp->mixing));
  PetscCall(CrModelCreateVec(model, &bp->base0));
  PetscCall(CrModelCreateVec(model, &bp->base1));
  PetscCall(CrModelCreateVec(model, &bp->saved0));
  PetscCall(CrModelCreateVec(model, &bp->saved1));
  PetscCall(PetscCalloc6(n, &bp->internal0, n, &bp->loads0, n, &bp->internal1, n, &bp->loads1, m,
                         &bp->way, m, &bp->held));
  if (model->quasi_static && it->contact && bp->level != CR_LEVEL_GAP) {
    CrWarn("quasi-static: bipotential takes level: gap; the others are for impacts");
    bp->level = CR_LEVEL_GAP;
  }
  if (it->contact) PetscCall(CrConesCreate(it->contact, bp->level, bp->theta, &bp->cones));
  PetscCall(choose_shift(bp, model));
  PetscCall(forces_at_start(bp, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  Bipotential *bp = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddVec(list, "bipotential.base0", bp->base0));
  PetscCall(CrArchiveAddVec(list, "bipotential.base1", bp->base1));
  PetscCall(CrArchiveAddReals(list, "bipotential.base", 3, bp->base));
  PetscCall(CrArchiveAddReals(list, "bipotential.h", 1, &bp->h));
  if (bp->cones) PetscCall(CrConesArchive(bp->cones, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Bipotential *bp = it->data;

  PetscFunctionBeginUser;
  bp->fresh = PETSC_FALSE;
  PetscCall(forces_at_start(bp, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(CrIntegrator *it)
{
  Bipotential *bp = it->data;

  PetscFunctionBeginUser;
  if (bp->cones)
    PetscCall(PetscInfo(NULL,
                        "bipotential: %" PetscInt_FMT " iterations, %" PetscInt_FMT
                        " factors, %" PetscInt_FMT " columns, %" PetscInt_FMT
                        " Coulomb problems with %" PetscInt_FMT " sweeps and %" PetscInt_FMT
                        " Newton iterations\n",
                        bp->iterations, bp->factors, bp->cones->columns, bp->cones->solves,
                        bp->cones->sweeps, bp->cones->newton));
  PetscCall(CrConesDestroy(&bp->cones));
  PetscCall(CrImplicitDestroy(&bp->im));
  PetscCall(VecDestroy(&bp->residual));
  PetscCall(VecDestroy(&bp->right));
  PetscCall(VecDestroy(&bp->response));
  PetscCall(VecDestroy(&bp->d));
  PetscCall(CrMixingDestroy(&bp->mixing));
  PetscCall(MatDestroy(&bp->units));
  PetscCall(MatDestroy(&bp->answers));
  PetscCall(VecDestroy(&bp->base0));
  PetscCall(VecDestroy(&bp->base1));
  PetscCall(VecDestroy(&bp->saved0));
  PetscCall(VecDestroy(&bp->saved1));
  PetscCall(PetscFree6(bp->internal0, bp->loads0, bp->internal1, bp->loads1, bp->way, bp->held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_bipotential = {
    .name = "bipotential",
    .citation = "Feng, Joli, Cros and Magnain 2005 (bi-potential method for impact with friction)",
    .help = "exact contact and friction cones on the condensed system",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts = CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS | CR_CONTACT,
    .data_size = sizeof(Bipotential),
    .options = options,
    .configure = configure,
    .setup = setup,
    .step = step,
    .archive = archive,
    .resume = resume,
    .destroy = destroy,
};
