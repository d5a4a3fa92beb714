/* What the implicit methods share: the system matrix, Newton, supports of the step, work arrays. */
#pragma once

#include "integrate/integrator.h"
#include "model/conditions.h"
#include "model/graph.h"
#include "solve/newton.h"

typedef struct {
  PetscBool  many; /* set before creation: many right-hand sides per matrix, so that factors pay */
  Mat        A;    /* owned, as all below */
  CrSupports supports;
  Vec        u1;                  /* trial positions with ghosts; the answer after a good solve */
  Vec        predictor, fallback; /* where Newton starts */
  PetscReal *du;                  /* local dofs: u1 - u0, where something may touch */
  PetscReal *um, *dv;             /* local dofs: mid-step displacement; velocity change */
  PetscReal *internal, *loads, *inertia; /* owned dofs: forces of the last residual */
  PetscReal *weight;                     /* owned dofs: constant gravity */
  PetscReal *touch;                      /* owned dofs: contact forces of the last residual */
  CrContact *contact;                    /* borrowed; NULL: nothing touches */
  PetscReal *strain;                     /* per body: energy at u1 on this rank */
  PetscReal  floor;                      /* force that is round-off of the stiffest body */
  PetscReal  stiffest;                   /* force per displacement of its stiffest element */
  PetscReal  masses;                     /* norm of the masses at all dofs; 0: quasi-static */
  PetscBool  real_gap; /* springs act on the gap between positions, not on sums of its increments */
  PetscBool  through;  /* elements may turn inside out where their law has an energy there */
} CrImplicit;

PetscErrorCode CrImplicitCreate(CrIntegrator *it, const CrModel *model, CrImplicit *im);
PetscErrorCode CrImplicitDestroy(CrImplicit *im);
/* Before Newton: supports of the step, predictor u + h v (or u) and fallback u, both with
   prescribed dofs, and what may touch. */
PetscErrorCode CrImplicitBegin(CrIntegrator *it, CrImplicit *im, const CrModel *model,
                               const CrState *state, PetscReal h);
/* Its two halves, for methods that keep contact out of the matrix: without contact, and contact
   without room in the matrix. */
PetscErrorCode CrImplicitStart(CrImplicit *im, const CrModel *model, const CrState *state,
                               PetscReal h);
PetscErrorCode CrImplicitSearch(CrImplicit *im, const CrState *state, PetscReal h);
/* Newton on im->u1, again where a point went through something that was not looked at; the reason
   goes to the report. */
PetscErrorCode CrImplicitSolve(CrIntegrator *it, CrImplicit *im, const CrModel *model,
                               const CrState *state, const CrNewtonProblem *problem,
                               CrStepReport *report);
/* Did a point go through something that was not looked at on the way to im->u1? */
PetscErrorCode CrImplicitReview(CrImplicit *im, const CrState *state, PetscBool *again);
/* im->touch of the trial state; step: without du, which is u1 - u0 here. */
PetscErrorCode CrImplicitTouch(CrImplicit *im, const CrModel *model, const CrState *state,
                               CrContactStep *step);
/* The contact's part of the tangent; factor: d(configuration)/du1. */
PetscErrorCode CrImplicitTouchTangent(CrImplicit *im, const CrState *state,
                                      const CrContactStep *step, PetscReal factor, Mat A);
/* After a good step: history, counts and losses of contact. */
PetscErrorCode CrImplicitCommit(CrImplicit *im, const CrModel *model, const CrContactLaw *law,
                                CrStepReport *report);
/* r = internal + inertia - loads - weight - touch on free dofs, 0 on prescribed ones; the reference is the
   greatest of these forces, of `momentum` (a norm) and of the round-off floor. Collective. */
PetscErrorCode CrImplicitResidual(const CrImplicit *im, const CrModel *model, PetscReal momentum,
                                  Vec r, PetscReal *reference);
/* Refuses a trial state with an element inside out, unless that is allowed (`through`) and cutting the
   step would not help: it cannot be cut, or some are so at t_n already. Else the report gets energy
   and det F of it. */
PetscErrorCode CrImplicitCheck(const CrIntegrator *it, const CrImplicit *im, const CrModel *model,
                               const CrState *state, CrStepReport *report);
/* Work of loads and supports in the step u0 -> im->u1: loads f.Du on all dofs, and on prescribed
   dofs (internal - loads - weight - touch).Du + (v0 + dv/2).inertia h. The forces are those handed in
   (owned dofs). */
PetscErrorCode CrImplicitWork(const CrImplicit *im, const CrModel *model, const CrState *state,
                              const PetscReal *internal, const PetscReal *loads,
                              const PetscReal *inertia, const PetscReal *touch, PetscReal h,
                              PetscReal *work);
/* u <- u1, v <- v + dv, n + 1, t + h. */
PetscErrorCode CrImplicitAccept(CrImplicit *im, const CrModel *model, PetscReal h, CrState *state);
/* Norm of M v over all ranks, of velocities relative to the mean of all bodies, so that it does not depend on the
   frame. im->um and im->inertia serve as scratch; inertia is left zero. */
PetscErrorCode CrImplicitMomentum(CrImplicit *im, const CrModel *model, Vec v, PetscReal *norm);
