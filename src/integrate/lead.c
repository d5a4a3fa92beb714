/* The linear start of Newton's method (theory 10.2). At the start of the iteration, moving supports have displaced only
   their own nodes. Elements beside them are then strongly compressed or inverted. If the bulk modulus is large,
   Newton's method does not converge from there. The linearised step, K(u0) d = -r(u0) - K c for the motion c of
   supports, moves all nodes. */
#include "integrate/implicit.h"
#include "model/forces.h"

#define PROBE   1e-5 /* part of c over which the change of r stands for K c */
#define CRUSHED 0.5  /* least det F of a start that is no start */

/* Is the predictor a bad place to begin? Collective. */
static PetscErrorCode is_crushed(CrImplicit *im, PetscBool *crushed)
{
  const CrStepArrays *s = &im->step;
  PetscReal           least;

  PetscFunctionBeginUser;
  PetscCall(CrStepTry(&im->step, im->predictor));
  PetscCall(CrModelObserve(s->model, s->state, s->u1, NULL, &least, NULL));
  if (least != least) least = 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPIU_REAL, MPIU_MIN, s->model->comm));
  *crushed = least < CRUSHED;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* b = r(u) + [r(u + PROBE c) - r(u)]/PROBE. near holds c on entry, and is overwritten. */
static PetscErrorCode linear_residual(const CrNewtonProblem *problem, Vec u, Vec near, Vec b)
{
  PetscReal reference;
  Vec       r;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(b, &r));
  PetscCall(VecAYPX(near, PROBE, u));
  PetscCall(problem->residual(problem->ctx, near, b, &reference));
  PetscCall(problem->residual(problem->ctx, u, r, &reference));
  PetscCall(VecAXPBY(b, 1 - 1 / PROBE, 1 / PROBE, r));
  PetscCall(VecDestroy(&r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* predictor = fallback - K^-1 b, unless that is no number. */
static PetscErrorCode lead(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem, Vec c)
{
  Vec       u = im->step.state->u, b;
  PetscReal size;
  PetscBool solved;

  PetscFunctionBeginUser;
  PetscCall(VecDuplicate(c, &b));
  PetscCall(linear_residual(problem, u, c, b));
  im->fresh = PETSC_TRUE;
  im->continues = PETSC_FALSE;
  PetscCall(problem->tangent(problem->ctx, u, im->A));
  PetscCall(CrNewtonLinearSolve(it->newton, PETSC_TRUE, b, c, &solved));
  PetscCall(VecNorm(c, NORM_INFINITY, &size));
  im->led = im->next = solved && !PetscIsInfOrNanReal(size);
  if (im->led) PetscCall(VecWAXPY(im->predictor, -1, c, im->fallback));
  PetscCall(VecDestroy(&b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitLead(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem)
{
  Vec       c;
  PetscReal moved;
  PetscBool needed = im->stiff;

  PetscFunctionBeginUser;
  im->led = im->next = PETSC_FALSE;
  if (!im->supports.any || (im->contact && im->contact->work->pressed))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecDuplicate(im->fallback, &c));
  PetscCall(VecWAXPY(c, -1, im->step.state->u, im->fallback));
  PetscCall(VecNorm(c, NORM_INFINITY, &moved));
  if (moved > 0 && !needed) PetscCall(is_crushed(im, &needed));
  if (moved > 0 && needed) PetscCall(lead(it, im, problem, c));
  PetscCall(VecDestroy(&c));
  PetscFunctionReturn(PETSC_SUCCESS);
}
