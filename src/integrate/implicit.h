/* What the implicit methods share: the system matrix, Newton, supports of the step, work arrays. */
#pragma once

#include "integrate/integrator.h"
#include "model/conditions.h"
#include "model/graph.h"
#include "solve/newton.h"

typedef struct {
  Mat        A; /* owned, as all below */
  CrSupports supports;
  Vec        u1;                  /* trial positions with ghosts; the answer after a good solve */
  Vec        predictor, fallback; /* where Newton starts */
  PetscReal *um, *dv;             /* local dofs: mid-step displacement; velocity change */
  PetscReal *internal, *loads, *inertia; /* owned dofs: forces of the last residual */
  PetscReal *weight;                     /* owned dofs: constant gravity */
  PetscReal *strain;                     /* per body: energy at u1 on this rank */
  PetscReal  floor;                      /* force that is round-off of the stiffest body */
} CrImplicit;

PetscErrorCode CrImplicitCreate(CrIntegrator *it, const CrModel *model, CrImplicit *im);
PetscErrorCode CrImplicitDestroy(CrImplicit *im);
/* Before Newton: supports of the step, predictor u + h v (or u) and fallback u, both with
 * prescribed dofs. */
PetscErrorCode CrImplicitBegin(CrImplicit *im, const CrModel *model, const CrState *state,
                               PetscReal h);
/* Newton on im->u1; the reason goes to the report. */
PetscErrorCode CrImplicitSolve(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem,
                               CrStepReport *report);
/* r = internal + inertia - loads - weight on free dofs, 0 on prescribed ones; the reference is the
   greatest of these forces, of `momentum` (a norm) and of the round-off floor. Collective. */
PetscErrorCode CrImplicitResidual(const CrImplicit *im, const CrModel *model, PetscReal momentum,
                                  Vec r, PetscReal *reference);
/* Refuses a trial state with an element inside out; else the report gets energy and det F of it. */
PetscErrorCode CrImplicitCheck(const CrImplicit *im, const CrModel *model, CrStepReport *report);
/* Work of loads and supports in the step u0 -> im->u1: loads f.Du on all dofs, and on prescribed
   dofs (internal - loads - weight).Du + (v0 + dv/2).inertia h. The forces are those handed in
   (owned dofs). */
PetscErrorCode CrImplicitWork(const CrImplicit *im, const CrModel *model, const CrState *state,
                              const PetscReal *internal, const PetscReal *loads,
                              const PetscReal *inertia, PetscReal h, PetscReal *work);
/* u <- u1, v <- v + dv, n + 1, t + h. */
PetscErrorCode CrImplicitAccept(CrImplicit *im, const CrModel *model, PetscReal h, CrState *state);
/* Norm of M v over all ranks; im->inertia serves as scratch and is left zero. */
PetscErrorCode CrImplicitMomentum(CrImplicit *im, const CrModel *model, Vec v, PetscReal *norm);
