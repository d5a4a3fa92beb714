/* What the implicit methods share: the system matrix, Newton, supports of the step, work arrays. */
#pragma once

#include "integrate/arrays.h"
#include "integrate/integrator.h"
#include "model/conditions.h"
#include "model/graph.h"
#include "solve/newton.h"

/* Forces on owned dofs. */
typedef struct {
  PetscReal *internal, *loads, *inertia, *touch;
} CrForces;

PetscErrorCode CrForcesCreate(const CrModel *model, CrForces *f);
PetscErrorCode CrForcesDestroy(CrForces *f);

typedef struct {
  PetscBool  many; /* set before creation: many right-hand sides per matrix, so that factors pay */
  Mat        A;    /* owned, as all below */
  CrSupports supports;
  CrStepArrays step;                /* from CrStepOpen, which the method calls, to CrImplicitEnd */
  Vec          predictor, fallback; /* where Newton starts */
  CrForces     f;                   /* of the last residual */
  PetscReal   *weight;              /* owned dofs: constant gravity */
  CrContact   *contact;             /* borrowed; NULL: nothing touches */
  PetscReal   *strain;              /* per body: energy at u1 on this rank */
  PetscReal
      momentum; /* norm of M v0 over all ranks, v0 from the mean; the method makes a force of it */
  PetscReal floor;    /* force that is round-off of the stiffest body */
  PetscReal stiffest; /* force per displacement of its stiffest element */
  PetscReal masses;   /* norm of the masses at all dofs; 0: quasi-static */
  PetscBool real_gap; /* springs act on the gap between positions, not on sums of its increments */
  PetscBool through;  /* elements may turn inside out where their law has an energy there */
} CrImplicit;

PetscErrorCode CrImplicitCreate(CrIntegrator *it, const CrModel *model, CrImplicit *im);
PetscErrorCode CrImplicitDestroy(CrImplicit *im);

/* ---- a step, between CrStepOpen and CrImplicitEnd --------------------------------------------- */

/* Before Newton: momentum, supports of the step, predictor u + h v (or u) and fallback u, both with
   prescribed dofs, and what may touch. */
PetscErrorCode CrImplicitBegin(CrIntegrator *it, CrImplicit *im);
/* Its two halves, for methods that keep contact out of the matrix: without contact, and contact
   without room in the matrix. */
PetscErrorCode CrImplicitStart(CrImplicit *im);
PetscErrorCode CrImplicitSearch(CrImplicit *im);
/* Newton, again where a point went through something that was not looked at, then CrImplicitCheck; the
   reason goes to the report. */
PetscErrorCode CrImplicitSolve(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem,
                               CrStepReport *report);
/* im->f.touch of the trial state; at: without du, and without a slide where that is du. */
PetscErrorCode CrImplicitTouch(CrImplicit *im, CrContactStep *at);
/* r = internal + inertia - loads - weight - touch on free dofs, 0 on prescribed ones; the reference is the
   greatest of these forces, of `momentum` and of the round-off floor. Collective. */
PetscErrorCode CrImplicitResidual(const CrImplicit *im, Vec r, PetscReal *reference);
/* Refuses a trial state with an element inside out, unless that is allowed (`through`) and cutting the
   step would not help: it cannot be cut, or some are so at t_n already. Else the report gets energy
   and det F of the trial state. */
PetscErrorCode CrImplicitCheck(const CrIntegrator *it, const CrImplicit *im, CrStepReport *report);
/* Work of loads and supports in the step: loads f.Du on all dofs, and on prescribed dofs
   (internal - loads - weight - touch).Du + (v0 + dv/2).inertia h, with the forces handed in. */
PetscErrorCode CrImplicitWork(const CrImplicit *im, const CrForces *f, PetscReal *work);
/* After a good step: history, counts and losses of contact. */
PetscErrorCode CrImplicitCommit(CrImplicit *im, const CrContactLaw *law, CrState *state,
                                CrStepReport *report);
/* The last call of every step: closes its arrays. If it was good, u <- u1, v <- v + dv, n + 1, t + h;
   if not, the state stays untouched. */
PetscErrorCode CrImplicitEnd(CrImplicit *im, const CrStepReport *report, CrState *state);
