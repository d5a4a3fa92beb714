/* Newton's method on SNES behind one residual and one tangent, with the ladder of
   theory 10.2, and the choice of the linear solver. */
#pragma once

#include <petscsnes.h>
#include "base/archive.h"
#include "base/base.h"

/* One nonlinear system r(x) = 0. */
typedef struct {
  void *ctx;
  /* r, zero on prescribed dofs, and the largest force in it, against which |r| is judged. */
  PetscErrorCode (*residual)(void *ctx, Vec x, Vec r, PetscReal *reference);
  PetscErrorCode (*tangent)(void *ctx, Vec x, Mat A);
} CrNewtonProblem;

typedef enum {
  CR_NEWTON_CONVERGED = 0,
  CR_NEWTON_DIVERGED,
  CR_NEWTON_LINEAR_FAILED,
  CR_NEWTON_NOT_A_NUMBER
} CrNewtonOutcome;

#define CR_NEWTON_HISTORY 64

typedef struct {
  CrNewtonOutcome outcome;
  PetscInt        iterations; /* linear solves, all rungs together */
  PetscInt        nhistory;   /* of the last rung: relative residuals, first the start's */
  PetscReal       history[CR_NEWTON_HISTORY];
} CrNewtonReport;

/* A solver for systems with the pattern of A (borrowed; reference kept). `dim`, 2 or 3, and whether
   inertia is in the matrix: for the choice of the linear solver. Collective. */
PetscErrorCode CrNewtonCreate(Mat A, Vec prototype, PetscInt dim, PetscBool has_mass,
                              PetscReal tolerance, CrNewton **newton);
PetscErrorCode CrNewtonDestroy(CrNewton **newton);
/* Called as every rung begins: whatever was decided during the last one is open again. ctx: borrowed. */
void CrNewtonSetRestart(CrNewton *newton, void (*restart)(void *ctx), void *ctx);
/* Lets go of the matrix and its factors, so that there is room for another one: the next call must bring it. */
PetscErrorCode CrNewtonDropMatrix(CrNewton *newton);
/* Another matrix of the same size and another pattern. */
PetscErrorCode CrNewtonSetMatrix(CrNewton *newton, Mat A);
/* Solves from `predictor`, on failure from `fallback`, then from `fallback` with backtracking all along; the first two
   turn to backtracking once they go round in circles. If all fail and the linear solver was the reason, the ladder
   begins again with the next linear solver. The answer is left in x, which may be predictor or fallback. Collective. */
PetscErrorCode CrNewtonSolve(CrNewton *newton, const CrNewtonProblem *problem, Vec predictor,
                             Vec fallback, Vec x, CrNewtonReport *report);
/* For methods that iterate themselves: x = A^-1 b. renew: A has other values than at the last call,
   else factors are kept. False in *solved: no solver could. Collective. */
PetscErrorCode CrNewtonLinearSolve(CrNewton *newton, PetscBool renew, Vec b, Vec x,
                                   PetscBool *solved);
/* The same for the columns of dense matrices. */
PetscErrorCode CrNewtonColumnsSolve(CrNewton *newton, PetscBool renew, Mat B, Mat X,
                                    PetscBool *solved);
/* For checkpoints: the linear solver that is in use. */
PetscErrorCode CrNewtonArchive(CrNewton *newton, CrArchive *archive);
PetscErrorCode CrNewtonResume(CrNewton *newton);
/* What was chosen, in words. */
const char *CrNewtonSolverText(const CrNewton *newton);
