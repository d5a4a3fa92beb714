/* Newton's method, by PETSc's SNES, for a residual and a tangent. If an attempt to solve the system fails, the module
   makes another attempt with a safer variant (theory 10.2). Each attempt is called a rung. This module also chooses
   the linear solver. */
#pragma once

#include <petscsnes.h>
#include "base/archive.h"
#include "base/base.h"

/* One nonlinear system r(x) = 0. */
typedef struct {
  void *ctx;
  /* Computes r, zero on prescribed dofs, and the largest force in it, with which |r| is compared. */
  PetscErrorCode (*residual)(void *ctx, Vec x, Vec r, PetscReal *reference);
  PetscErrorCode (*tangent)(void *ctx, Vec x, Mat A);
  /* Returns true if the result of the last evaluation may be accepted as the solution. NULL: every result may. */
  PetscBool (*accept)(void *ctx);
  /* The function of CrNewtonSetRestart changes the problem, so that a new attempt from the same start gives other
     iterates. */
  PetscBool varies;
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
  PetscInt        iterations; /* linear solves of all rungs together */
  PetscInt        nhistory; /* number of relative residuals in the last rung, the start included */
  PetscReal       history[CR_NEWTON_HISTORY];
} CrNewtonReport;

/* Creates a solver for systems with the pattern of A, and keeps a reference to A. `dim` (2 or 3) and `has_mass`
   (the matrix contains inertia) are used to choose the linear solver. Collective. */
PetscErrorCode CrNewtonCreate(Mat A, Vec prototype, PetscInt dim, PetscBool has_mass,
                              PetscReal tolerance, CrNewton **newton);
PetscErrorCode CrNewtonDestroy(CrNewton **newton);
/* Sets a function that is called when an attempt (rung) begins, to undo decisions of the last attempt. `search` is true
   if the rung uses backtracking in all iterations; it then needs the exact derivative of the residual. ctx is
   borrowed. */
void CrNewtonSetRestart(CrNewton *newton, void (*restart)(void *ctx, PetscBool search), void *ctx);
/* Frees the matrix and its factors, to make room for another matrix. CrNewtonSetMatrix must follow. */
PetscErrorCode CrNewtonDropMatrix(CrNewton *newton);
/* Sets another matrix, of the same size, with another pattern. */
PetscErrorCode CrNewtonSetMatrix(CrNewton *newton, Mat A);
/* Solves the system in up to three rungs: from `predictor`, then from `fallback`, then from `fallback` with
   backtracking. The first two rungs use backtracking if the iteration cycles. If all rungs fail because of the linear
   solver, they are repeated with the next linear solver. The solution is in x, which may be the vector predictor or
   fallback. Collective. */
PetscErrorCode CrNewtonSolve(CrNewton *newton, const CrNewtonProblem *problem, Vec predictor,
                             Vec fallback, Vec x, CrNewtonReport *report);
/* Solves x = A^-1 b, for methods with an iteration of their own. `renew` says that A has changed since the last
   call; else its factors are kept. *solved is false if no linear solver succeeds. Collective. */
PetscErrorCode CrNewtonLinearSolve(CrNewton *newton, PetscBool renew, Vec b, Vec x,
                                   PetscBool *solved);
/* Does the same as CrNewtonLinearSolve for all columns of a dense matrix B; X gets the solutions. */
PetscErrorCode CrNewtonColumnsSolve(CrNewton *newton, PetscBool renew, Mat B, Mat X,
                                    PetscBool *solved);
/* For checkpoints: store, and restore, which linear solver is in use. */
PetscErrorCode CrNewtonArchive(CrNewton *newton, CrArchive *archive);
PetscErrorCode CrNewtonResume(CrNewton *newton);
/* Returns the number of solutions of this process that needed the last rung; 0 for NULL. */
PetscInt CrNewtonSearched(const CrNewton *newton);
/* Returns the chosen linear solver, in words. */
const char *CrNewtonSolverText(const CrNewton *newton);
