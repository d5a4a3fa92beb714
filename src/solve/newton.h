/* Newton's method, by PETSc's SNES, for a residual and a tangent. If an attempt to solve the system fails, the module
   makes another attempt with a safer variant (theory 10.2). Each attempt is called a rung. The module also chooses the
   linear solver. */
#pragma once

#include <petscsnes.h>
#include "base/archive.h"
#include "base/base.h"

/* One nonlinear system r(x) = 0. */
typedef struct {
  void *ctx;
  /* Computes the residual r at x, which is zero on prescribed dofs. *reference is the largest force in the residual;
     |r| is compared with it. */
  PetscErrorCode (*residual)(void *ctx, Vec x, Vec r, PetscReal *reference);
  PetscErrorCode (*tangent)(void *ctx, Vec x, Mat A);
  /* Returns true if the result of the last evaluation may be accepted as the solution. NULL: every result may. */
  PetscBool (*accept)(void *ctx);
  /* True if the function of CrNewtonSetRestart changes the problem, so that a new attempt from the same start vector
     gives other iterates. */
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
  PetscInt        iterations; /* number of linear solves in all rungs together */
  /* number of entries in history[]: relative residuals of the last rung, including its start */
  PetscInt  nhistory;
  PetscReal history[CR_NEWTON_HISTORY];
} CrNewtonReport;

/* Creates a solver for systems with the pattern of A, and keeps a reference to A. The choice of the linear solver
   depends on `dim` (2 or 3), and on `has_mass`, which is true if the matrix contains inertia. Collective. */
PetscErrorCode CrNewtonCreate(Mat A, Vec prototype, PetscInt dim, PetscBool has_mass,
                              PetscReal tolerance, CrNewton **newton);
PetscErrorCode CrNewtonDestroy(CrNewton **newton);
/* Sets a function `restart` that is called when an attempt (rung) begins, to undo decisions of the last attempt. The
   argument `search` of this function is true if the rung uses backtracking in all iterations. Backtracking needs the
   exact derivative of the residual. ctx is borrowed. */
void CrNewtonSetRestart(CrNewton *newton, void (*restart)(void *ctx, PetscBool search), void *ctx);
/* Frees the matrix and its factors, before another matrix is allocated. CrNewtonSetMatrix must follow. */
PetscErrorCode CrNewtonDropMatrix(CrNewton *newton);
/* Sets another matrix, which has the same size and may have another pattern. */
PetscErrorCode CrNewtonSetMatrix(CrNewton *newton, Mat A);
/* Solves the system in up to three rungs: from `predictor`, then from `fallback`, then from `fallback` with
   backtracking. In the rungs without backtracking, backtracking starts if the iteration cycles. If all rungs fail
   because of the linear solver, they are repeated with the next linear solver. x gets the solution. x may be the same
   vector as predictor or fallback. Collective. */
PetscErrorCode CrNewtonSolve(CrNewton *newton, const CrNewtonProblem *problem, Vec predictor,
                             Vec fallback, Vec x, CrNewtonReport *report);
/* Solves A x = b, for methods with an iteration of their own. If `renew` is true, A has changed since the last call,
   and new factors are computed. *solved is false if no linear solver succeeds. Collective. */
PetscErrorCode CrNewtonLinearSolve(CrNewton *newton, PetscBool renew, Vec b, Vec x,
                                   PetscBool *solved);
/* Solves A X = B for all columns of the dense matrix B, as CrNewtonLinearSolve does for one vector. */
PetscErrorCode CrNewtonColumnsSolve(CrNewton *newton, PetscBool renew, Mat B, Mat X,
                                    PetscBool *solved);
/* CrNewtonArchive adds to a checkpoint which linear solver is in use. CrNewtonResume activates this solver again after
   a restart. */
PetscErrorCode CrNewtonArchive(CrNewton *newton, CrArchive *archive);
PetscErrorCode CrNewtonResume(CrNewton *newton);
/* Returns the number of calls of CrNewtonSolve, since the program started, that needed the last rung. Returns 0 if
   `newton` is NULL. */
PetscInt CrNewtonSearched(const CrNewton *newton);
/* Returns a description of the chosen linear solver. */
const char *CrNewtonSolverText(const CrNewton *newton);
