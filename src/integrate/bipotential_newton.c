/* Newton's method for a step of the bi-potential method (theory 17.3, 17.4). */
#include "contact/springs/springs.h"
#include "integrate/bipotential.h"

#define RENEW      8   /* iterations with one matrix, then it is taken anew */
#define SLOW       0.7 /* share of the residual that is left: more, and it is taken anew at once, */
#define SLOW_AGAIN 0.3 /*   here, if that happened in this step before */
#define PATIENCE   10  /* iterations without a new best residual */
#define STAGNATION 1e-9 /* as of Newton's method (solve/newton.c) */
#define MOST_SHORT 120  /* short corrections of statics */

/* ---- one iteration -------------------------------------------------------------------------- */

/* d = A^-1 f on free dofs; f: owned dofs. */
static PetscErrorCode correct(BipotentialSolver *s, const PetscReal *f, Vec d, PetscBool *solved)
{
  Bipotential   *bp = s->bp;
  const CrModel *model = bp->im.step.model;
  PetscReal     *b;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(bp->right, &b));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++)
    b[k] = bp->im.supports.fixed[k] ? 0 : f[k];
  PetscCall(VecRestoreArray(bp->right, &b));
  PetscCall(BipotentialSolve(s, bp->right, d, solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces without the reactions, on owned dofs, into im.f.touch. */
static void forces_without_contact(CrImplicit *im)
{
  const CrModel *model = im->step.model;
  CrForces      *f = &im->f;

  for (PetscInt k = 0; k < model->nowned * model->dim; k++)
    f->touch[k] = f->loads[k] + im->weight[k] - f->internal[k] - f->inertia[k];
}

/* The correction without contact, the reactions, the correction they add. */
static PetscErrorCode iterate(BipotentialSolver *s, PetscBool first, CrStepReport *report)
{
  Bipotential     *bp = s->bp;
  CrImplicit      *im = &bp->im;
  PetscBool        solved;
  const PetscReal *d;

  PetscFunctionBeginUser;
  forces_without_contact(im);
  PetscCall(correct(s, im->f.touch, bp->d, &solved));
  if (!solved) report->reason = CR_FAIL_LINEAR;
  if (!solved) PetscFunctionReturn(PETSC_SUCCESS);
  if (bp->cones && CrContactTouches(im->contact)) {
    PetscCall(CrModelUpdateGhosts(im->step.model, bp->d));
    PetscCall(VecGetArrayRead(bp->d, &d));
    CrTimed(im->step.model->watch, CR_PART_CONTACT,
            CrConesSolve(bp->cones, bp->way, d, first, BipotentialRespond, s, &solved));
    PetscCall(VecRestoreArrayRead(bp->d, &d));
    if (!solved) report->reason = CR_FAIL_METHOD;
    if (!solved) PetscFunctionReturn(PETSC_SUCCESS);
    if (bp->cones->n) { /* all forces at once: those of contact may nearly cancel the others */
      PetscCall(CrConesAddForce(bp->cones, im->f.touch));
      PetscCall(correct(s, im->f.touch, bp->d, &solved));
      if (!solved) report->reason = CR_FAIL_LINEAR;
    }
  }
  if (bp->cones && bp->cones->careful) PetscCall(VecScale(bp->d, bp->cones->ease));
  if (bp->cones && CrConesMovesBodies(bp->cones)) {
    CrMixingForget(&bp->mixing); /* it does not know bodies */
    CrConesMoveBodies(bp->cones);
  }
  PetscCall(CrMixingApply(&bp->mixing, im->step.trial, bp->d));
  PetscCall(VecAYPX(bp->d, 1, im->step.trial));
  PetscCall(CrStepTry(&im->step, bp->d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Residual of forces and of the law, over the reference. */
static PetscErrorCode judge(Bipotential *bp, PetscReal *relative)
{
  PetscReal reference, norm, mismatch = 0;
  PetscBool missed = PETSC_FALSE;

  PetscFunctionBeginUser;
  PetscCall(BipotentialEvaluate(bp, &reference));
  PetscCall(VecNorm(bp->residual, NORM_2, &norm));
  if (bp->cones) PetscCall(CrConesMismatch(bp->cones, bp->way, &mismatch, &missed));
  norm = PetscMax(norm, mismatch);
  if (bp->cones) norm = PetscMax(norm, CrConesImbalance(bp->cones));
  *relative = norm == 0 ? 0 : reference > 0 ? norm / reference : norm;
  if (missed) *relative = PetscMax(*relative, 1);
  if (reference != reference || norm != norm) *relative = PETSC_INFINITY;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* May reactions turn with their facets within an iteration? Where contact alone holds a body, its own matrix says
   nothing about its motion as a whole, and what turns would decide it. */
static PetscBool may_turn(const Bipotential *bp)
{
  return bp->cones && bp->shift == 0;
}

/* A matrix of the present state does not help: then reactions that turn with their facets may be the reason. */
static void let_turn(Bipotential *bp)
{
  if (may_turn(bp) && bp->cones->n && CrConesColumns(bp->cones) < BIPOTENTIAL_FEW)
    bp->cones->turns = PETSC_TRUE;
}

/* Where elements have a mean volume, statics continue its pressure from iterate to iterate (theory 5.9). */
static void restart(Bipotential *bp)
{
  CrImplicit *im = &bp->im;

  im->fresh = PETSC_TRUE;
  im->now = im->next;
  im->next = PETSC_FALSE;
  im->continues = im->iterate && im->step.model->quasi_static;
  if (bp->cones) CrContactRestart(im->contact);
  if (bp->cones && CrContactHasMoving(im->contact) && may_turn(bp) &&
      CrConesColumns(bp->cones) < BIPOTENTIAL_FEW)
    bp->cones->turns = PETSC_TRUE;
}

/* Newton's method from the trial positions; eager: a new matrix in each iteration. */
static PetscErrorCode newton(CrIntegrator *it, Bipotential *bp, PetscBool eager,
                             CrStepReport *report)
{
  BipotentialSolver s = {it, bp};
  PetscReal         relative, last = PETSC_MAX_REAL, best = PETSC_MAX_REAL, first = 0;
  PetscBool         good, grew = PETSC_FALSE;
  PetscInt          idle = 0, age = 0;

  PetscFunctionBeginUser;
  report->reason = CR_STEP_OK;
  restart(bp);
  if (bp->im.continues) eager = PETSC_TRUE;
  PetscCall(BipotentialServes(&s, &good));
  PetscCall(BipotentialEvaluate(bp, &relative));
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
    if (k == BIPOTENTIAL_MOST || idle == PATIENCE) report->reason = CR_FAIL_DIVERGED;
    good = age + 1 < RENEW && relative <= (bp->renewed ? SLOW_AGAIN : SLOW) * last;
    if (age == 1) first = relative;
    if (BipotentialPays(it, bp, age, first, relative)) good = PETSC_TRUE;
    if (relative > PetscMax(SLOW_AGAIN * last, STAGNATION) && (age == 1 || bp->constant))
      let_turn(bp);
    if (bp->constant || relative <= STAGNATION) good = PETSC_TRUE; /* a new one would not help */
    grew = relative > last;
    last = relative;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Statics: Newton's method from x_n by short corrections that lead to a stable equilibrium, with a matrix in each. */
static PetscErrorCode creep(CrIntegrator *it, Bipotential *bp, CrStepReport *report)
{
  BipotentialSolver s = {it, bp};
  PetscReal         relative, best = PETSC_MAX_REAL;
  PetscInt          idle = 0;

  PetscFunctionBeginUser;
  report->reason = CR_STEP_OK;
  restart(bp);
  PetscCall(BipotentialEvaluate(bp, &relative));
  for (PetscInt k = 1; report->reason == CR_STEP_OK; k++) {
    PetscCall(BipotentialRenew(bp));
    CrMixingForget(&bp->mixing);
    PetscCall(iterate(&s, k == 1, report));
    report->iterations++;
    bp->iterations++;
    if (report->reason < 0) break;
    PetscCall(judge(bp, &relative));
    idle = relative >= best ? idle + 1 : 0;
    best = PetscMin(best, relative);
    if (relative <= it->tolerance || (relative <= STAGNATION && idle >= 2)) break;
    if (PetscIsInfOrNanReal(relative)) report->reason = CR_FAIL_NOT_A_NUMBER;
    if (k == MOST_SHORT) report->reason = CR_FAIL_DIVERGED;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Once more, from x_n: in statics by short corrections, else with a matrix in each. Reactions turn with their facets. */
static PetscErrorCode rescue(CrIntegrator *it, Bipotential *bp, CrStepReport *report)
{
  const CrStepArrays *s = &bp->im.step;
  PetscBool           careful = may_turn(bp) && s->model->quasi_static;

  PetscFunctionBeginUser;
  PetscCall(CrStepTry(&bp->im.step, bp->im.fallback));
  if (careful && !bp->cones->careful) PetscCall(CrContactDent(bp->im.contact, s->u0, s->v0));
  if (bp->cones) {
    bp->cones->turns = may_turn(bp);
    bp->cones->careful = careful;
    bp->cones->pauses = PETSC_TRUE;
    CrConesHaltBodies(bp->cones);
    PetscCall(CrConesBegin(bp->cones));
  }
  if (careful)
    PetscCall(creep(it, bp, report));
  else
    PetscCall(newton(it, bp, !bp->constant, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BipotentialAttempt(CrIntegrator *it, Bipotential *bp, CrStepReport *report)
{
  PetscFunctionBeginUser;
  if (!bp->cones || !bp->cones->careful) PetscCall(newton(it, bp, PETSC_FALSE, report));
  if (report->reason == CR_STEP_OK && !(bp->cones && bp->cones->careful))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(rescue(it, bp, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}
