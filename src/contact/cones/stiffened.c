/* Solves the Coulomb problem of a body that is stable only where contact holds it (theory 17.3). The stiffness matrix of
   such a body is not positive definite, and neither is W. The solvers of cone.h then find no reactions, or wrong ones.
   But the body is stable if springs hold its points in contact. With springs of stiffness gamma and r' = r + Gamma z the
   problem is

     z = W' r' + q',   W' = (1 + W Gamma)^-1 W,   q' = (1 + W Gamma)^-1 q.

   W' is positive definite if gamma is large enough. A contact that sticks has z = 0, so that r' = r. If a contact slips
   or opens, its springs in these directions go, and the problem is solved again. So the solution has no spring forces. */
#include "base/cholesky.h"
#include "base/gauss.h"
#include "base/grow.h"
#include "contact/cones/internal.h"

#define SOFTEST  10   /* least stiffness, over the inverse of the mean flexibility */
#define STIFFER  10   /* factor to the next one, */
#define STIFFEST 1e6  /*   and the greatest one */
#define SLIPS    1e-9 /* of the greatest traction: with less left, a contact slips */

/* Computes W' and q' for springs of stiffness gamma. Returns false if W' is not positive definite. */
static PetscBool stiffen(CrCones *s, PetscInt m, const PetscReal *W0, const PetscReal *q0,
                         PetscReal gamma, PetscReal *W, PetscReal *q)
{
  PetscReal *A = s->stiffened.A, *copy = W + m * m + m, *x = copy + m * m;

  /* W0 is stored column by column, A and the right-hand sides row by row */
  for (PetscInt i = 0; i < m; i++)
    for (PetscInt j = 0; j < m; j++) {
      A[i * m + j] = (i == j ? 1 : 0) + (s->stiffened.rows[m + j] ? gamma * W0[j * m + i] : 0);
      copy[i * m + j] = W0[j * m + i];
    }
  if (!CrGaussFactor(m, A, s->stiffened.rows)) return PETSC_FALSE;
  CrGaussSolve(m, A, s->stiffened.rows, m, copy);
  for (PetscInt i = 0; i < m; i++) q[i] = q0[i];
  CrGaussSolve(m, A, s->stiffened.rows, 1, q);
  for (PetscInt i = 0; i < m; i++)
    for (PetscInt j = 0; j < m; j++) W[j * m + i] = copy[i * m + j];
  for (PetscInt i = 0; i < m; i++) {
    x[i] = 0;
    if (W0[i * m + i] == 0) copy[i * m + i] = 1; /* a support holds the node in this direction */
    for (PetscInt j = 0; j < i; j++) copy[i * m + j] = (copy[i * m + j] + copy[j * m + i]) / 2;
  }
  return CrCholeskySolve(m, m, copy, x);
}

/* Removes the springs of contacts that open, and the tangential springs of those that slip. Returns true if there are
   any. */
static PetscBool release(CrCones *s, PetscInt n, const PetscReal *mu, const PetscReal *reactions)
{
  PetscInt  dim = s->contact->model->dim, *springs = s->stiffened.rows + n * dim;
  PetscBool any = PETSC_FALSE;

  for (PetscInt l = 0; l < n * dim; l++) {
    const PetscReal *r = reactions + l - l % dim;
    PetscReal        traction = dim == 3 ? PetscHypotReal(r[1], r[2]) : PetscAbsReal(r[1]);
    PetscBool        slips = traction >= (1 - SLIPS) * mu[l / dim] * r[0];

    if (!springs[l] || (r[0] > 0 && (l % dim == 0 || !slips))) continue;
    springs[l] = 0;
    any = PETSC_TRUE;
  }
  return any;
}

PetscErrorCode CrConesSolveStiffened(CrCones *s, PetscInt n, const PetscReal *W0,
                                     const PetscReal *q0, const PetscReal *mu,
                                     const CrConeOptions *options, PetscReal *r, PetscBool *solved)
{
  PetscInt   m = n * s->contact->model->dim;
  PetscReal *W, *q;
  PetscBool  again = PETSC_TRUE;

  PetscFunctionBeginUser;
  *solved = PETSC_FALSE;
  PetscCall(CrGrow(3 * m * m + 2 * m, &s->stiffened.room, &s->stiffened.A));
  PetscCall(CrGrow(2 * m, &s->stiffened.room_rows, &s->stiffened.rows));
  W = s->stiffened.A + m * m;
  q = W + m * m;
  for (PetscInt l = 0; l < m; l++) s->stiffened.rows[m + l] = 1;
  while (again) {
    PetscReal gamma = SOFTEST;

    while (gamma <= STIFFEST && !stiffen(s, m, W0, q0, gamma, W, q)) gamma *= STIFFER;
    if (gamma > STIFFEST) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(CrConeSetDense(s->cone, W));
    PetscCall(CrConeSetVectors(s->cone, q, mu));
    PetscCall(CrConeSolve(s->cone, options, r, &s->report));
    if (!s->report.converged) PetscFunctionReturn(PETSC_SUCCESS);
    again = release(s, n, mu, r);
  }
  *solved = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
