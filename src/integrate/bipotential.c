/* The bi-potential method of Feng and others (FJCM, theory 17): contact and friction laws are satisfied exactly, in a
   Coulomb problem for the contact points alone. The unknowns of the time integration are velocities and displacements,

     M (v1 - v0) = h [ (1 - xi) F0 + xi F1 ] + h R,   u1 - u0 = h [ (1 - theta) v0 + theta v1 ],

   with F = f_ext - f_int. An iteration of Newton's method computes a correction of the bodies without contact, then the
   reactions R from a discrete Coulomb problem (contact/cones/cones.h), and then the correction that the reactions
   cause. The matrix contains no contact terms. So its factors, and the responses of the surface to unit forces, are
   used for many steps. With `internal: em` the conserving stress replaces the weighted internal forces.

   FJCM                          here
   theta, xi                     theta, xi
   z or x: gap plus increment    the three levels of CrConesLevel
   r                             CrTouch.lambda, traction (per weight)
   K bar                         im.A, taken at `base`

   The reactions R act with the factor 1, not with xi. In quasi-static steps the bodies are in equilibrium at the end
   of the step (theory 9). Prescribed dofs have the position and velocity of the prescribed motion. */
#include "integrate/bipotential.h"
#include "model/forces.h"

#define REVIEWS 6
#define CREATED                                                                                    \
  1e-6 /* of the kinetic energy: if a step creates more, laws that were called in are weakened */
#define CREATED_MOST 5e-4 /* if it still creates this much, these laws go */
#define CALLS        24   /* how often edges that are inside may call in laws */
#define OPEN         1e-9 /* of an edge or facet: depth without a law that is mentioned */
#define OPEN_DEEP    5e-3 /* the same, where the step is divided, if it has laws that were called in */
#define OPEN_LIFTED                                                                                \
  0.02 /* depths above this count, if vertices of quadratic faces are lifted; edges lie between nodes */
#define SHORTEST 0.2 /* of the first step: shorter steps are not divided if an edge lies inside */
#define IMPACT_LOSS                                                                                \
  0.02 /* of the energy: what impacts may take unmentioned, as of explicit's long steps */

/* ---- the bodies ----------------------------------------------------------------------------- */

/* Velocity change and `way` at the trial positions. */
static void kinematics(Bipotential *bp)
{
  const CrSupports *supports = &bp->im.supports;
  CrStepArrays     *s = &bp->im.step;
  PetscReal         h = s->h, theta = bp->theta;
  PetscBool         velocity = bp->level == CR_LEVEL_VELOCITY;

  for (PetscInt k = 0; k < s->model->nlocal * s->model->dim; k++) {
    s->dv[k] = supports->fixed[k] ? supports->v[k] - s->v0[k] : (s->du[k] / h - s->v0[k]) / theta;
    bp->way[k] = velocity ? theta * h * (s->v0[k] + s->dv[k]) : s->du[k];
  }
}

/* Internal forces and loads at t_{n+1}, and as the step weighs them. */
static PetscErrorCode forces(Bipotential *bp)
{
  const CrStepArrays *s = &bp->im.step;
  CrForces           *f = &bp->im.f;
  PetscInt            n = s->model->nowned * s->model->dim;

  PetscFunctionBeginUser;
  if (bp->em)
    PetscCall(CrModelForce(s->model, s->state, CR_FORCE_CONSERVING, s->u0, s->u1, f->internal));
  else
    PetscCall(CrModelForce(s->model, s->state, CR_FORCE_POINT, NULL, s->u1, bp->internal1));
  PetscCall(PetscArrayzero(bp->loads1, n));
  PetscCall(CrLoadsAddOver(s->model, s->state->t + s->h, s->h, s->u1, bp->loads1));
  for (PetscInt k = 0; k < n; k++) {
    if (!bp->em) f->internal[k] = (1 - bp->xi) * bp->internal0[k] + bp->xi * bp->internal1[k];
    f->loads[k] = (1 - bp->xi) * bp->loads0[k] + bp->xi * bp->loads1[k];
  }
  PetscCall(CrImplicitAddDrag(&bp->im, s->du, s->h));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Residual and reference at the trial positions. */
PetscErrorCode BipotentialEvaluate(Bipotential *bp, PetscReal *reference)
{
  CrImplicit         *im = &bp->im;
  const CrStepArrays *s = &im->step;

  PetscFunctionBeginUser;
  kinematics(bp);
  PetscCall(forces(bp));
  if (!s->model->quasi_static) {
    PetscCall(CrModelMassTimes(s->model, s->dv, im->f.inertia));
    for (PetscInt k = 0; k < s->model->nowned * s->model->dim; k++) im->f.inertia[k] /= s->h;
  }
  if (bp->cones) {
    PetscBool     ends = bp->cones->law.where == CR_WHERE_END;
    CrContactStep contact = {.law = &bp->cones->law, .u = ends ? s->u1 : s->um, .end = s->u1};

    PetscCall(CrImplicitTouch(im, &contact));
    bp->cones->at = contact;
    bp->cones->at.law = &bp->cones->law;
  } else /* `iterate` has used the array */
    PetscCall(PetscArrayzero(im->f.touch, s->model->nowned * s->model->dim));
  PetscCall(CrImplicitResidual(im, bp->residual, reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the step ------------------------------------------------------------------------------- */

/* Forces at t_n, the internal ones unless they were in the checkpoint; step.h: the last step, or the first one. */
static PetscErrorCode forces_at_start(Bipotential *bp, PetscBool internal)
{
  const CrStepArrays *s = &bp->im.step;

  PetscFunctionBeginUser;
  if (internal && !bp->em)
    PetscCall(CrModelForce(s->model, s->state, CR_FORCE_POINT, NULL, s->u0, bp->internal0));
  PetscCall(PetscArrayzero(bp->loads0, s->model->nowned * s->model->dim));
  PetscCall(CrLoadsAddOver(s->model, s->state->t, s->h, s->u0, bp->loads0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode lead_residual(void *ctx, Vec x, Vec r, PetscReal *reference)
{
  Bipotential *bp = ctx;

  PetscFunctionBeginUser;
  PetscCall(CrStepTry(&bp->im.step, x));
  PetscCall(BipotentialEvaluate(bp, reference));
  PetscCall(VecCopy(bp->residual, r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode lead_tangent(void *ctx, Vec x, Mat A)
{
  Bipotential *bp = ctx;

  (void)A; /* im.A */
  PetscFunctionBeginUser;
  PetscCall(CrStepTry(&bp->im.step, x));
  PetscCall(BipotentialRenew(bp));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode begin(CrIntegrator *it, Bipotential *bp, const CrModel *model,
                            const CrState *state, PetscReal h, CrStepReport *report)
{
  const CrNewtonProblem lead = {.ctx = bp, .residual = lead_residual, .tangent = lead_tangent};
  CrImplicit           *im = &bp->im;

  PetscFunctionBeginUser;
  PetscCall(CrStepOpen(&im->step, model, state, h));
  bp->renewed = PETSC_FALSE;
  bp->open = (CrOpenPlaces){0};
  if (state->n == 0) PetscCall(forces_at_start(bp, PETSC_TRUE)); /* for a step of this length */
  PetscCall(CrImplicitStart(im));
  im->momentum /= bp->theta * h;
  if (bp->cones) {
    im->contact->work->plain = PETSC_FALSE;
    PetscCall(CrImplicitSearch(im));
    PetscCall(CrConesBegin(bp->cones));
    if (im->contact->work->too_far) report->reason = CR_FAIL_METHOD;
    bp->cones->turns = bp->turns && im->contact->work->pressed;
    bp->cones->careful = bp->cones->pauses = PETSC_FALSE;
  }
  if (model->quasi_static && report->reason == CR_STEP_OK) PetscCall(CrImplicitLead(it, im, &lead));
  /* where something touches, free flight leads astray */
  PetscCall(
      CrStepTry(&im->step, bp->cones && im->contact->work->pressed ? im->fallback : im->predictor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A step with laws that were called in failed: starts it again from its first guess, without such laws. */
static PetscErrorCode start_plain(Bipotential *bp, CrStepReport *report)
{
  CrImplicit *im = &bp->im;

  PetscFunctionBeginUser;
  report->reason = CR_STEP_OK;
  im->contact->work->plain = PETSC_TRUE;
  PetscCall(CrImplicitSearch(im));
  PetscCall(CrConesBegin(bp->cones));
  PetscCall(CrStepTry(&im->step, im->contact->work->pressed ? im->fallback : im->predictor));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Positive work of contact creates energy, but not in statics, where it is an error of the path. *n: how many laws that
   were called in are weakened for that. If none can be, and the energy is too much, the step has to do without such
   laws. */
static PetscErrorCode tame(Bipotential *bp, PetscInt *n, CrStepReport *report)
{
  const CrStepArrays *s = &bp->im.step;
  PetscInt            m = s->model->nowned * s->model->dim;
  PetscBool           overdrawn;
  PetscReal           returned, work, energy = 0;
  PetscReal          *p = bp->way; /* the next evaluation computes it again */

  PetscFunctionBeginUser;
  *n = 0;
  PetscCall(CrConesReturned(bp->cones, &returned, &overdrawn));
  PetscCall(CrConesNormalWork(bp->cones, &work));
  work -= returned;
  if (s->model->quasi_static || !(work > 0) || !CrContactHasCalled(bp->im.contact))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrModelMassTimes(s->model, s->v0, p));
  for (PetscInt k = 0; k < m; k++) energy += p[k] * s->v0[k] / 2;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPIU_REAL, MPIU_SUM, s->model->comm));
  if (work > CREATED * energy) CrContactTame(bp->im.contact, CREATED / 2 * energy, n);
  if (*n == 0 && work > CREATED_MOST * energy) report->reason = CR_FAIL_METHOD;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Calls in laws where edges lie inside. */
static PetscErrorCode call_in(Bipotential *bp, PetscInt *calls, PetscBool *again)
{
  const CrStepArrays *s = &bp->im.step;
  PetscBool           adds = !bp->im.contact->work->plain && *calls < CALLS;

  PetscFunctionBeginUser;
  CrTimed(s->model->watch, CR_PART_CONTACT,
          CrContactCall(bp->im.contact, s->u0, s->u1, adds, &bp->open));
  if (bp->open.added > 0) {
    ++*calls;
    *again = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The depth above which an edge counts as inside. */
static PetscReal depth_of(const Bipotential *bp, PetscReal depth)
{
  return bp->im.contact && bp->im.contact->ends ? PetscMax(depth, OPEN_LIFTED) : depth;
}

/* An edge lies inside where no law holds it. Shorter steps find such places in time. In statics nothing would push the
   edge out in later steps, so that a step without called laws is no result if an edge lies deep inside. */
static PetscBool is_too_open(const CrIntegrator *it, const Bipotential *bp)
{
  PetscBool plain = bp->im.contact->work->plain;

  if (plain && bp->im.step.model->quasi_static && bp->open.all > depth_of(bp, CR_SHALLOW))
    return PETSC_TRUE;
  return bp->open.unheld > depth_of(bp, plain ? OPEN : OPEN_DEEP) && !it->last_try &&
         bp->im.step.h > SHORTEST * it->first_step;
}

/* Is there anything to solve again? A point may have gone through something that was not looked at. Then an edge may lie
   inside where it has no law. */
static PetscErrorCode look_again(Bipotential *bp, PetscInt *reviews, PetscInt *calls,
                                 PetscBool *again, CrStepReport *report)
{
  const CrStepArrays *s = &bp->im.step;
  PetscInt            n = 0;
  PetscReal           returned;
  PetscBool           overdrawn;

  PetscFunctionBeginUser;
  CrTimed(s->model->watch, CR_PART_CONTACT,
          CrContactReview(bp->im.contact, s->u0, s->v0, s->u1, again));
  if (*again && (*reviews)++ == REVIEWS) report->reason = CR_FAIL_METHOD;
  if (!*again) PetscCall(call_in(bp, calls, again));
  if (!*again) PetscCall(tame(bp, &n, report));
  if (!*again && n == 0) { /* else there may be new touches, which the cones do not know yet */
    PetscCall(CrConesReturned(bp->cones, &returned, &overdrawn));
    if (overdrawn) bp->cones->pauses = *again = PETSC_TRUE;
  }
  if (n > 0) *again = PETSC_TRUE;
  if (*again) PetscCall(CrConesBegin(bp->cones));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Newton's method, until nothing has to be looked at again. */
static PetscErrorCode solve_step(CrIntegrator *it, Bipotential *bp, CrStepReport *report)
{
  PetscBool again = PETSC_TRUE;
  PetscInt  reviews = 0, calls = 0;

  PetscFunctionBeginUser;
  while (again && report->reason == CR_STEP_OK) {
    PetscCall(BipotentialAttempt(it, bp, report));
    again = PETSC_FALSE;
    if (!bp->cones) break;
    if (report->reason == CR_STEP_OK) PetscCall(look_again(bp, &reviews, &calls, &again, report));
    if (report->reason < 0 && CrContactHasCalled(bp->im.contact)) {
      PetscCall(start_plain(bp, report));
      reviews = 0;
      again = PETSC_TRUE;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Works of the step: with the forces that it weighs, or by the trapezoidal rule in statics. There the normal work of
   exact contact is an error of the path, as all of the balance is. */
static PetscErrorCode books(Bipotential *bp, CrReactions *reactions, CrStepReport *report)
{
  const CrForces before = {bp->internal0, bp->loads0, NULL, bp->touch0};
  PetscReal      work, pushed = 0;

  PetscFunctionBeginUser;
  if (bp->im.step.model->quasi_static) {
    PetscCall(CrStaticsWork(&bp->im, &before, &work));
    CrStaticsReactions(&bp->im, &before, reactions, report);
    if (bp->cones) CrConesMeanLoss(bp->cones);
    if (bp->cones) report->external_work += CrContactRigidFade(bp->im.contact, bp->rigid);
    if (bp->cones) CrContactRigidForces(bp->im.contact, bp->rigid);
  } else {
    PetscCall(CrImplicitWork(&bp->im, &bp->im.f, &work));
    CrImplicitReactions(&bp->im, &bp->im.f, reactions);
    if (bp->cones) PetscCall(CrConesNormalWork(bp->cones, &pushed));
    report->contact_work += pushed;
  }
  report->external_work += work;
  PetscCall(CrImplicitBookDrag(&bp->im, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode finish(Bipotential *bp, CrState *state, CrStepReport *report)
{
  CrImplicit *im = &bp->im;
  PetscInt    n = im->step.model->nowned * im->step.model->dim;

  PetscFunctionBeginUser;
  PetscCall(books(bp, state->reactions, report));
  if (bp->open.all > depth_of(bp, OPEN)) {
    if (bp->inside[0] == 0) bp->inside[2] = im->step.state->t + im->step.h;
    bp->inside[0]++;
    bp->inside[1] = PetscMax(bp->inside[1], bp->open.all);
  }
  if (bp->cones) {
    PetscCall(CrConesRemember(bp->cones, state->contact));
    bp->turns = bp->cones->turns;
    PetscCall(CrImplicitCommit(im, &bp->cones->law, state, report));
  }
  PetscCall(PetscArraycpy(bp->internal0, bp->internal1, n));
  PetscCall(PetscArraycpy(bp->loads0, bp->loads1, n));
  PetscCall(PetscArraycpy(bp->touch0, im->f.touch, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A body that is stable only where contact holds it: its own matrix is not positive, and neither is W. */
static void blame_matrix(CrIntegrator *it, const Bipotential *bp, PetscInt reason)
{
  size_t n = strlen(it->blame);

  if (reason != CR_FAIL_METHOD || !bp->cones || !bp->cones->indefinite) return;
  snprintf(
      it->blame + n, sizeof it->blame - n,
      "%sa body is unstable without its contacts, and bipotential cannot compute contact forces on such a body; use `method: dissipative`",
      n ? "; " : "");
}

static PetscErrorCode step(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                           CrStepReport *report)
{
  Bipotential *bp = it->data;

  PetscFunctionBeginUser;
  PetscCall(begin(it, bp, model, state, h, report));
  PetscCall(solve_step(it, bp, report));
  if (report->reason == CR_STEP_OK && bp->cones && is_too_open(it, bp))
    report->reason = CR_FAIL_METHOD;
  if (report->reason == CR_STEP_OK) PetscCall(CrImplicitCheck(it, &bp->im, report));
  if (report->reason < 0) {
    PetscCall(CrImplicitBlame(it, &bp->im, bp->residual));
    blame_matrix(it, bp, report->reason);
    PetscCall(BipotentialForgetStep(bp));
  } else
    PetscCall(finish(bp, state, report));
  PetscCall(CrImplicitEnd(&bp->im, report, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- options, life -------------------------------------------------------------------------- */

static const CrKey options[] = {
    {"level", CR_WORD, "gap", "gap|increment|velocity",
     .help =
         "bipotential: which quantity obeys the laws of contact: the gap, its increment, or its rate"},
    {"impact_energy", CR_WORD, "returned", "returned|lost",
     .help =
         "bipotential with `level: gap`: kinetic energy that nodes lose at impact is returned at separation, or dissipated"},
    {"internal", CR_WORD, "em", "em|trapezoid",
     .help =
         "bipotential: em: internal forces that conserve energy; trapezoid: weighted mean of the internal forces at both ends of the step"},
    {"theta", CR_REAL, "0.5", .range = "[0.5,1]",
     .help =
         "dissipative: weight of the end of the step in the friction law; bipotential: weight of the velocity at the end of the step"},
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
  bp->returns = CrDeckIsWord(CrDeckFind(time, "impact_energy"), "returned");
  bp->level = CrDeckIsWord(level, "gap")         ? CR_LEVEL_GAP
              : CrDeckIsWord(level, "increment") ? CR_LEVEL_INCREMENT
                                                 : CR_LEVEL_VELOCITY;
  if (bp->em && (bp->theta != 0.5 || bp->xi != 0.5))
    CrDeckFail(
        CrDeckFind(time, bp->theta != 0.5 ? "theta" : "xi"),
        "`internal: em` needs `theta: 0.5` and `xi: 0.5`; for other values use `internal: trapezoid`");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Statics take all forces at the end of the step, and the law for the gap there. */
static void place_at_end(Bipotential *bp)
{
  if (bp->level != CR_LEVEL_GAP)
    CrWarn(
        "in a quasi-static analysis bipotential always uses `level: gap`; the other levels are for impacts");
  bp->level = CR_LEVEL_GAP;
  bp->theta = bp->xi = 1;
  bp->em = PETSC_FALSE;
}

static PetscErrorCode setup(CrIntegrator *it, const CrModel *model, CrState *state)
{
  Bipotential *bp = it->data;
  PetscInt     n = model->nowned * model->dim, m = model->nlocal * model->dim;

  PetscFunctionBeginUser;
  PetscCall(BipotentialCheckRigid(bp, model));
  PetscCall(CrImplicitAddRigid(it, model, state));
  bp->im.many = PETSC_TRUE;
  bp->constant = PETSC_TRUE;
  for (PetscInt k = 0; k < model->nmaterials; k++)
    if (!(model->materials[k].ops->flags & CR_SMALL_STRAIN)) bp->constant = PETSC_FALSE;
  PetscCall(CrImplicitCreate(it, model, &bp->im));
  PetscCall(CrModelCreateVec(model, &bp->residual));
  PetscCall(CrModelCreateVec(model, &bp->right));
  PetscCall(CrModelCreateVec(model, &bp->d));
  PetscCall(CrMixingCreate(bp->d, &bp->mixing));
  PetscCall(CrModelCreateVec(model, &bp->base0));
  PetscCall(CrModelCreateVec(model, &bp->base1));
  PetscCall(CrModelCreateVec(model, &bp->saved0));
  PetscCall(CrModelCreateVec(model, &bp->saved1));
  PetscCall(PetscCalloc7(n, &bp->internal0, n, &bp->loads0, n, &bp->internal1, n, &bp->loads1, n,
                         &bp->touch0, m, &bp->way, m, &bp->held));
  PetscCall(PetscCalloc1(6 * model->rigid->n, &bp->rigid));
  if (model->quasi_static) place_at_end(bp);
  if (it->contact)
    PetscCall(CrConesCreate(it->contact, bp->level, bp->theta, state->contact, &bp->cones));
  if (bp->cones && bp->returns && bp->level == CR_LEVEL_GAP && !model->quasi_static)
    PetscCall(CrConesReturn(bp->cones));
  if (it->contact && model->quasi_static) bp->cones->law.where = CR_WHERE_END;
  PetscCall(BipotentialChooseShift(bp, model));
  PetscCall(CrStepOpen(&bp->im.step, model, state, 0));
  PetscCall(forces_at_start(bp, PETSC_TRUE));
  PetscCall(CrStepClose(&bp->im.step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode archive(CrIntegrator *it, CrArchive *list)
{
  Bipotential *bp = it->data;

  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddVec(list, "bipotential.base0", bp->base0));
  PetscCall(CrArchiveAddVec(list, "bipotential.base1", bp->base1));
  PetscCall(CrArchiveAddReals(list, "bipotential.base", 3, bp->base));
  PetscCall(CrArchiveAddReals(list, "bipotential.h", 1, &bp->im.step.h));
  PetscCall(CrArchiveAddReals(list, "bipotential.inside", 3, bp->inside));
  if (bp->cones) PetscCall(CrArchiveAddInts(list, "bipotential.turns", 1, &bp->turns));
  if (it->remembers && !bp->em)
    PetscCall(CrArchiveAddNodal(list, "bipotential.internal", bp->internal0));
  if (bp->cones && bp->cones->law.where == CR_WHERE_END)
    PetscCall(CrArchiveAddNodal(list, "bipotential.contact", bp->touch0));
  if (bp->cones && CrConesMovesBodies(bp->cones))
    PetscCall(CrArchiveAddReals(list, "bipotential.rigid", 6 * bp->im.contact->model->rigid->n,
                                bp->rigid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode resume(CrIntegrator *it, const CrModel *model, const CrState *state)
{
  Bipotential *bp = it->data;

  PetscFunctionBeginUser;
  bp->fresh = PETSC_FALSE;
  if (model->quasi_static) PetscCall(CrStaticsResume(&bp->im, model, state));
  PetscCall(CrStepOpen(&bp->im.step, model, state, bp->im.step.h));
  PetscCall(forces_at_start(bp, !it->remembers));
  PetscCall(CrStepClose(&bp->im.step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The steps in which laws of sharp edges were left out or weakened. */
static void advise_inside(const Bipotential *bp)
{
  if (bp->inside[0] == 0) return;
  CrWarn(
      "in %g steps, first at t = %g, sharp edges stayed inside the other body by up to %.1e of an edge or facet. Too many contacts of edges were needed, or they "
      "would have created energy. Shorter steps or a finer mesh reduce this overlap.",
      (double)bp->inside[0], (double)bp->inside[2], (double)bp->inside[1]);
}

/* Arriving nodes lose their motion, at gap and velocity level. In long steps a whole body arrives at once. */
static void advise(const CrIntegrator *it, const CrAudit *a)
{
  const Bipotential *bp = it->data;

  advise_inside(bp);
  if (bp->level == CR_LEVEL_INCREMENT || !(-a->contact_work > IMPACT_LOSS * a->energy_scale))
    return;
  CrWarn(
      "impacts dissipated %.3g %% of the energy. With `level: %s` nodes lose their kinetic energy at impact, and if the step is long, whole bodies lose it. Use shorter steps, "
      "%sor `level: increment`, which conserves energy.",
      (double)(-100 * a->contact_work / a->energy_scale),
      bp->level == CR_LEVEL_GAP ? "gap" : "velocity",
      bp->level == CR_LEVEL_GAP && bp->returns ? ""
                                               : "`level: gap` with `impact_energy: returned`, ");
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
  if (bp->cones) PetscCall(CrConesInform(bp->cones));
  PetscCall(CrConesDestroy(&bp->cones));
  PetscCall(CrImplicitDestroy(&bp->im));
  PetscCall(VecDestroy(&bp->residual));
  PetscCall(VecDestroy(&bp->right));
  PetscCall(VecDestroy(&bp->d));
  PetscCall(CrMixingDestroy(&bp->mixing));
  PetscCall(MatDestroy(&bp->units));
  PetscCall(MatDestroy(&bp->answers));
  PetscCall(VecDestroy(&bp->base0));
  PetscCall(VecDestroy(&bp->base1));
  PetscCall(VecDestroy(&bp->saved0));
  PetscCall(VecDestroy(&bp->saved1));
  PetscCall(PetscFree(bp->rigid));
  PetscCall(PetscFree7(bp->internal0, bp->loads0, bp->internal1, bp->loads1, bp->touch0, bp->way,
                       bp->held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrIntegratorOps CrIntegrator_bipotential = {
    .name = "bipotential",
    .citation = "Feng, Joli, Cros and Magnain 2005 (bi-potential method for impact with friction)",
    .help =
        "implicit method that satisfies the laws of contact and friction exactly; it computes all contact forces of a step together",
    .claims = CR_BALANCES_ENERGY | CR_KEEPS_LINEAR | CR_KEEPS_ANGULAR | CR_SECOND_ORDER,
    .accepts =
        CR_DRAG | CR_DEFORMABLE | CR_QUASI_STATIC | CR_CONSISTENT_MASS | CR_CONTACT | CR_PARTNERS,
    .data_size = sizeof(Bipotential),
    .options = options,
    .configure = configure,
    .setup = setup,
    .step = step,
    .archive = archive,
    .resume = resume,
    .advise = advise,
    .destroy = destroy,
};
