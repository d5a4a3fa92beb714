/* Newton's method with several attempts (theory 10.2). The first attempt starts from the predictor with full steps, and
   uses backtracking on |r| if the iteration cycles. The second attempt does the same from the old positions. The third
   attempt starts from the old positions with backtracking in every iteration. If all fail, the run halves the step.
   SNES iterates, and this file has the convergence test and the step length. */
#include "solve/newton.h"
#include "solve/blocks.h"
#include "solve/linear.h"

#define PLAIN_ITERATIONS  14
#define PLAIN_PATIENCE    2  /* iterations without a new best residual before backtracking */
#define FIRST_RISE        2  /* of |r|, that backtracking lets the first two steps take */
#define FIRST_ITERATIONS  25 /* of a rung that begins without backtracking */
#define SEARCH_ITERATIONS 40
#define FALLING           0.3 /* residual over the last one: a rung that converges so is not cut off */
#define MORE_ITERATIONS   10   /* that it gets at most */
#define STAGNATION        1e-9 /* |r| over reference below which two idle iterations mean round-off */

struct CrNewton {
  SNES                   snes; /* owned */
  Vec                    r, x; /* residual; iterates of a rung, so that its start survives; owned */
  Mat                    A;    /* reference */
  CrLinear              *linear; /* owned */
  PetscReal              tolerance;
  const CrNewtonProblem *problem;               /* borrowed, during a solve */
  CrNewtonReport        *report;                /* borrowed, during a solve */
  void (*restart)(void *ctx, PetscBool search); /* may be NULL */
  void     *restart_ctx;                        /* borrowed */
  PetscBool search;                             /* backtracking on */
  PetscReal reference, best, last;              /* last: residual of the last iteration */
  PetscInt  limit;                              /* iterations of the rung */
  PetscBool again;                              /* with another linear solver */
  PetscInt  idle;                               /* iterations without a new best residual */
  PetscInt  searched;                           /* solutions of the last rung */
};

static PetscErrorCode form_residual(SNES snes, Vec x, Vec r, void *ctx)
{
  CrNewton *newton = ctx;

  PetscFunctionBeginUser;
  (void)snes;
  PetscCall(newton->problem->residual(newton->problem->ctx, x, r, &newton->reference));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode form_tangent(SNES snes, Vec x, Mat A, Mat P, void *ctx)
{
  CrNewton *newton = ctx;

  PetscFunctionBeginUser;
  (void)snes;
  (void)A;
  PetscCall(newton->problem->tangent(newton->problem->ctx, x, P));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* |r| <= tol ref, or at round-off and no longer falling. */
static PetscErrorCode test_convergence(SNES snes, PetscInt it, PetscReal xnorm, PetscReal dnorm,
                                       PetscReal rnorm, SNESConvergedReason *reason, void *ctx)
{
  CrNewton       *newton = ctx;
  CrNewtonReport *report = newton->report;
  PetscReal       relative = newton->reference == 0 ? rnorm : rnorm / newton->reference;
  PetscBool       falls,
      accepts = !newton->problem->accept || newton->problem->accept(newton->problem->ctx);

  PetscFunctionBeginUser;
  (void)snes;
  (void)xnorm;
  (void)dnorm;
  *reason = SNES_CONVERGED_ITERATING;
  if (it == 0) report->nhistory = 0;
  if (report->nhistory < CR_NEWTON_HISTORY) report->history[report->nhistory++] = relative;
  newton->idle = it > 0 && relative >= newton->best ? newton->idle + 1 : 0;
  newton->best = it > 0 ? PetscMin(newton->best, relative) : relative;
  falls = it > 0 && relative <= FALLING * newton->last;
  newton->last = relative;
  if (PetscIsInfOrNanReal(relative))
    *reason = SNES_DIVERGED_FNORM_NAN;
  else if (!accepts)
    *reason = it >= newton->limit ? SNES_DIVERGED_MAX_IT : SNES_CONVERGED_ITERATING;
  else if (rnorm == 0 || relative <= newton->tolerance)
    *reason = SNES_CONVERGED_FNORM_RELATIVE;
  else if (relative <= STAGNATION && newton->idle >= 2)
    *reason = SNES_CONVERGED_FNORM_RELATIVE;
  else if (it >= (newton->search ? newton->limit : PLAIN_ITERATIONS) && !falls)
    *reason = SNES_DIVERGED_MAX_IT;
  else if (newton->idle >= PLAIN_PATIENCE)
    newton->search = PETSC_TRUE; /* it goes round in circles */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Step length: full, or on the search rung the first of 1, 1/2, ... 1/32 that lowers |r|, else the
 * best. */
static PetscErrorCode choose_length(SNESLineSearch search, void *ctx)
{
  CrNewton *newton = ctx;
  Vec       x, r, y, w, g;
  PetscReal start, least = PETSC_INFINITY, best = 1, norm;
  PetscInt  it, tries;

  PetscFunctionBeginUser;
  PetscCall(SNESLineSearchGetVecs(search, &x, &r, &y, &w, &g));
  PetscCall(SNESGetIterationNumber(newton->snes, &it));
  PetscCall(VecNorm(r, NORM_2, &start));
  if (it < 2) start *= FIRST_RISE; /* the first steps bring contacts into their places */
  tries = newton->search ? 6 : 1;
  for (PetscInt k = 0; k < tries; k++) {
    PetscReal length = PetscPowRealInt(0.5, (int)k);

    PetscCall(VecWAXPY(w, -length, y, x));
    PetscCall(SNESComputeFunction(newton->snes, w, r));
    PetscCall(VecNorm(r, NORM_2, &norm));
    if (norm < least) { /* false for NaN */
      least = norm;
      best = length;
    }
    if (norm < start) break;
    if (k == tries - 1 && best != length) {
      PetscCall(VecWAXPY(w, -best, y, x));
      PetscCall(SNESComputeFunction(newton->snes, w, r));
      norm = least;
    }
  }
  PetscCall(VecCopy(w, x));
  PetscCall(SNESLineSearchSetNorms(search, 1, norm, 1));
  PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNewtonCreate(Mat A, Vec prototype, PetscInt dim, PetscBool has_mass,
                              PetscReal tolerance, CrNewton **out)
{
  CrNewton      *newton;
  SNESLineSearch search;
  KSP            ksp;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&newton));
  newton->A = A;
  newton->tolerance = tolerance;
  PetscCall(PetscObjectReference((PetscObject)A));
  PetscCall(CrBlocksMultiply(A));
  PetscCall(VecDuplicate(prototype, &newton->r));
  PetscCall(VecDuplicate(prototype, &newton->x));
  PetscCall(SNESCreate(PetscObjectComm((PetscObject)A), &newton->snes));
  PetscCall(SNESSetType(newton->snes, SNESNEWTONLS));
  PetscCall(SNESSetFunction(newton->snes, newton->r, form_residual, newton));
  PetscCall(SNESSetJacobian(newton->snes, A, A, form_tangent, newton));
  PetscCall(SNESSetConvergenceTest(newton->snes, test_convergence, newton, NULL));
  PetscCall(SNESGetLineSearch(newton->snes, &search));
  PetscCall(SNESLineSearchSetType(search, SNESLINESEARCHSHELL));
  PetscCall(SNESLineSearchShellSetUserFunc(search, choose_length, newton));
  PetscCall(SNESGetKSP(newton->snes, &ksp));
  PetscCall(CrLinearCreate(ksp, A, dim, has_mass, &newton->linear));
  PetscCall(SNESSetFromOptions(newton->snes));
  PetscCall(SNESSetTolerances(newton->snes, 0, 0, 0, PLAIN_ITERATIONS, 10000000));
  *out = newton;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrNewtonSetRestart(CrNewton *newton, void (*restart)(void *ctx, PetscBool search), void *ctx)
{
  newton->restart = restart;
  newton->restart_ctx = ctx;
}

PetscErrorCode CrNewtonDropMatrix(CrNewton *newton)
{
  PetscFunctionBeginUser;
  PetscCall(SNESReset(newton->snes)); /* its references to the matrix, factors, Krylov vectors */
  PetscCall(CrLinearDrop(newton->linear));
  PetscCall(MatDestroy(&newton->A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNewtonSetMatrix(CrNewton *newton, Mat A)
{
  PetscFunctionBeginUser;
  PetscCall(CrNewtonDropMatrix(newton));
  PetscCall(PetscObjectReference((PetscObject)A));
  PetscCall(CrBlocksMultiply(A));
  newton->A = A;
  PetscCall(SNESSetFunction(newton->snes, newton->r, form_residual, newton));
  PetscCall(SNESSetJacobian(newton->snes, A, A, form_tangent, newton));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNewtonDestroy(CrNewton **newton)
{
  PetscFunctionBeginUser;
  if (!*newton) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrLinearDestroy(&(*newton)->linear));
  PetscCall(SNESDestroy(&(*newton)->snes));
  PetscCall(VecDestroy(&(*newton)->r));
  PetscCall(VecDestroy(&(*newton)->x));
  PetscCall(MatDestroy(&(*newton)->A));
  PetscCall(PetscFree(*newton));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* x = A^-1 b, or X = A^-1 B. */
static PetscErrorCode solve_linear(CrNewton *newton, PetscBool renew, Vec b, Vec x, Mat B, Mat X,
                                   PetscBool *solved)
{
  KSP                ksp;
  KSPConvergedReason reason;
  PetscInt           its;
  PetscBool          moved = PETSC_TRUE;

  PetscFunctionBeginUser;
  PetscCall(SNESGetKSP(newton->snes, &ksp));
  if (renew) PetscCall(KSPSetOperators(ksp, newton->A, newton->A));
  PetscCall(KSPSetReusePreconditioner(ksp, !renew));
  for (*solved = PETSC_FALSE; moved && !*solved;) {
    if (B)
      PetscCall(KSPMatSolve(ksp, B, X));
    else
      PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(KSPGetIterationNumber(ksp, &its));
    *solved = reason > 0;
    PetscCall(CrLinearReview(newton->linear, (PetscReal)its, !*solved, &moved));
    if (moved) PetscCall(KSPSetOperators(ksp, newton->A, newton->A));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNewtonLinearSolve(CrNewton *newton, PetscBool renew, Vec b, Vec x,
                                   PetscBool *solved)
{
  PetscFunctionBeginUser;
  PetscCall(solve_linear(newton, renew, b, x, NULL, NULL, solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNewtonColumnsSolve(CrNewton *newton, PetscBool renew, Mat B, Mat X,
                                    PetscBool *solved)
{
  PetscFunctionBeginUser;
  PetscCall(solve_linear(newton, renew, NULL, NULL, B, X, solved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *CrNewtonSolverText(const CrNewton *newton)
{
  return CrLinearText(newton->linear);
}

PetscInt CrNewtonSearched(const CrNewton *newton)
{
  return newton ? newton->searched : 0;
}

PetscErrorCode CrNewtonArchive(CrNewton *newton, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddInts(archive, "newton.linear_solver", 1, CrLinearRung(newton->linear)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNewtonResume(CrNewton *newton)
{
  PetscFunctionBeginUser;
  PetscCall(CrLinearRestore(newton->linear));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static CrNewtonOutcome outcome_of(SNESConvergedReason reason)
{
  if (reason > 0) return CR_NEWTON_CONVERGED;
  if (reason == SNES_DIVERGED_LINEAR_SOLVE) return CR_NEWTON_LINEAR_FAILED;
  if (reason == SNES_DIVERGED_FNORM_NAN || reason == SNES_DIVERGED_FUNCTION_DOMAIN)
    return CR_NEWTON_NOT_A_NUMBER;
  return CR_NEWTON_DIVERGED;
}

/* One rung from x, which holds the start and then the answer. */
static PetscErrorCode climb(CrNewton *newton, PetscBool search, Vec x, CrNewtonReport *report)
{
  SNESConvergedReason reason;
  PetscInt            its;

  PetscFunctionBeginUser;
  newton->search = search;
  newton->idle = 0;
  newton->limit = search ? SEARCH_ITERATIONS : FIRST_ITERATIONS;
  PetscCall(SNESSetTolerances(newton->snes, 0, 0, 0, newton->limit + MORE_ITERATIONS, 10000000));
  PetscCall(SNESSolve(newton->snes, NULL, x));
  PetscCall(SNESGetConvergedReason(newton->snes, &reason));
  PetscCall(SNESGetIterationNumber(newton->snes, &its));
  report->iterations += its;
  report->outcome = outcome_of(reason);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All rungs with the linear solver in use. */
static PetscErrorCode climb_all(CrNewton *newton, Vec predictor, Vec fallback,
                                CrNewtonReport *report)
{
  PetscInt  linear = 0, before = report->iterations;
  PetscBool failed = PETSC_FALSE, same;

  PetscFunctionBeginUser;
  PetscCall(VecEqual(predictor, fallback, &same));
  for (int rung = 0; rung < 3; rung++) {
    PetscInt more;

    if (rung == 1 && same && !newton->problem->varies)
      continue; /* it would be the first once more */
    PetscCall(VecCopy(rung == 0 ? predictor : fallback, newton->x));
    if (newton->restart) newton->restart(newton->restart_ctx, rung == 2);
    PetscCall(climb(newton, rung == 2, newton->x, report));
    PetscCall(SNESGetLinearSolveIterations(newton->snes, &more));
    linear += more;
    if (report->outcome == CR_NEWTON_LINEAR_FAILED) failed = PETSC_TRUE;
    if (report->outcome == CR_NEWTON_CONVERGED) {
      if (rung == 2) newton->searched++;
      break;
    }
  }
  failed = failed && report->outcome != CR_NEWTON_CONVERGED;
  PetscCall(CrLinearReview(newton->linear,
                           (PetscReal)linear / PetscMax(1, report->iterations - before), failed,
                           &newton->again));
  newton->again = newton->again && failed;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNewtonSolve(CrNewton *newton, const CrNewtonProblem *problem, Vec predictor,
                             Vec fallback, Vec x, CrNewtonReport *report)
{
  PetscFunctionBeginUser;
  newton->problem = problem;
  newton->report = report;
  report->iterations = 0;
  do PetscCall(climb_all(newton, predictor, fallback, report));
  while (newton->again); /* with another linear solver */
  PetscCall(VecCopy(newton->x, x));
  newton->problem = NULL;
  newton->report = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}
