/* Data and functions that all implicit methods use: system matrix, Newton's method, supports of the step, work
   arrays. */
#pragma once

#include "integrate/arrays.h"
#include "contact/springs/springs.h"
#include "integrate/integrator.h"
#include "model/conditions.h"
#include "model/graph.h"
#include "model/reactions.h"
#include "solve/newton.h"

/* Forces on the degrees of freedom that this rank owns: internal, external, of inertia and of contact. */
typedef struct {
  PetscReal *internal, *loads, *inertia, *touch;
} CrForces;

PetscErrorCode CrForcesCreate(const CrModel *model, CrForces *f);
PetscErrorCode CrForcesDestroy(CrForces *f);

typedef struct {
  PetscBool many; /* the matrix is solved for many right-hand sides; to be set before creation */
  Mat       A;    /* owned, like all members below */
  /* supports of this step; in statics also the supports of the step before, to find dofs that were released */
  CrSupports   supports, last;
  CrStepArrays step; /* the method opens it, CrImplicitEnd closes it */
  /* starting points of Newton's method: first attempt, and after a failure */
  Vec        predictor, fallback;
  CrForces   f;       /* forces of the last residual */
  PetscReal *weight;  /* force of constant gravity on owned dofs */
  PetscReal *drag;    /* force of damping by mass on owned dofs; NULL: none */
  CrContact *contact; /* borrowed; NULL: the model has no contact */
  PetscReal *strain;  /* [nbodies] strain energy at u1 of this rank's cells */
  /* Norm of M (v0 - mean velocity) over all ranks; the method turns it into a force. */
  PetscReal  momentum;
  PetscReal  floor;     /* force that round-off errors cause in the stiffest body */
  PetscReal  stiffest;  /* stiffness of the stiffest element: force per displacement */
  PetscReal  masses;    /* norm of the masses at all dofs; 0: quasi-static */
  PetscBool  real_gap;  /* contact springs act on the real gap, not on the sum of its increments */
  PetscReal *iterate;   /* [nlocal*dim] displacements of the last tangent; NULL: no mean volumes */
  PetscBool  fresh;     /* Newton's method has just started, so there is no last tangent */
  PetscBool  continues; /* tangents continue the pressure of mean volumes */
  PetscBool  stiff;     /* an element with mean volume is nearly incompressible */
  /* in this step the first attempt of Newton's method begins at the linear start (lead.c) */
  PetscBool led;
  /* next: the next attempt of Newton's method begins at the linear start (lead.c); now: the present attempt began at
     the linear start */
  PetscBool next, now;
  PetscBool through; /* elements may become inverted if their law has an energy there */
} CrImplicit;

PetscErrorCode CrImplicitCreate(CrIntegrator *it, const CrModel *model, CrImplicit *im);
PetscErrorCode CrImplicitDestroy(CrImplicit *im);
/* Called before the first step: checks the pairs of rigid bodies, and makes points of the rigid bodies slaves. */
PetscErrorCode CrImplicitAddRigid(const CrIntegrator *it, const CrModel *model, CrState *state);

/* ---- a step, between CrStepOpen and CrImplicitEnd --------------------------------------------- */

/* Prepares Newton's method: momentum, supports, start vectors, and the search for contact. The predictor is u + h v, or
   u if the analysis is quasi-static or contacts are closed. The fallback is u. Predictor and fallback have the
   prescribed values of supports. */
PetscErrorCode CrImplicitBegin(CrIntegrator *it, CrImplicit *im);
/* The two halves of CrImplicitBegin, for methods whose matrix does not contain contact. CrImplicitStart does everything
   except contact. CrImplicitSearch searches for contact, and adds no couplings to the matrix. */
PetscErrorCode CrImplicitStart(CrImplicit *im);
PetscErrorCode CrImplicitSearch(CrImplicit *im);
/* Solves the step by Newton. Solves again if a point went through a facet that the search had left out. Calls
   CrImplicitCheck, and puts the reason of a failure into the report. */
PetscErrorCode CrImplicitSolve(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem,
                               CrStepReport *report);
/* For methods whose contact springs do not conserve energy: prints a warning at the end of a run if the error of the
   energy balance is large. */
void CrImplicitAdvise(const CrIntegrator *it, const CrAudit *audit);
/* Called after a failure: sets it->blame, a message that names the node with the greatest residual r and suggests a
   remedy. Collective. */
PetscErrorCode CrImplicitBlame(CrIntegrator *it, const CrImplicit *im, Vec r);
/* Computes the contact forces im->f.touch at the trial state. The caller does not set at->du, and sets at->slide only
   if slip is not measured by du. */
PetscErrorCode CrImplicitTouch(CrImplicit *im, CrContactStep *at);
/* Computes the system matrix: the tangent of the elements plus the mass matrix M multiplied by `mass`. In statics, and
   after a linear start, it continues the pressure of mean volumes from iterate to iterate (theory 5.9), except in an
   attempt with backtracking. */
PetscErrorCode CrImplicitTangent(CrImplicit *im, CrForceKind kind, PetscReal mass, Mat A);
/* If supports move, and Newton's method would start with strongly compressed elements beside them, sets the predictor
   to the solution of the linearised step (theory 10.2). Collective. */
PetscErrorCode CrImplicitLead(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem);
/* Computes the residual r: internal force + inertia - loads - weight - contact force on free dofs, and 0 on prescribed
   dofs. The reference is the largest among the norms of these forces, `momentum` and the round-off floor.
   Collective. */
PetscErrorCode CrImplicitResidual(const CrImplicit *im, Vec r, PetscReal *reference);
/* Adds the force -alpha M dx/h of damping by mass to im->f.loads, where a material has one (theory 7.5). dx is local,
   with ghosts. */
PetscErrorCode CrImplicitAddDrag(CrImplicit *im, const PetscReal *dx, PetscReal h);
/* Adds the work of im->drag on du to `drag` in the report, and subtracts this work from the external work. */
PetscErrorCode CrImplicitBookDrag(const CrImplicit *im, CrStepReport *report);
/* Rejects a trial state in which an element is inverted. The function accepts such a state if `through` is true and a
   smaller step would not help: the step cannot be divided again, or elements were inverted at t_n. The report gets the
   energy and the least det F of an accepted state. */
PetscErrorCode CrImplicitCheck(const CrIntegrator *it, const CrImplicit *im, CrStepReport *report);
/* Computes the work of loads and supports in the step, with the forces f. Loads do loads.du on all dofs. Supports do
   the work (internal - loads - weight - contact force).du + h (v0 + dv/2).inertia on prescribed dofs. */
PetscErrorCode CrImplicitWork(const CrImplicit *im, const CrForces *f, PetscReal *work);
/* Enters the reactions of supports in the step. A reaction is internal force + inertia - loads - weight - contact force
   of f, at the middle of the step. */
void CrImplicitReactions(const CrImplicit *im, const CrForces *f, CrReactions *reactions);
/* Called after a successful step: stores history, counts and losses of contact. */
PetscErrorCode CrImplicitCommit(CrImplicit *im, const CrContactLaw *law, CrState *state,
                                CrStepReport *report);
/* The last call of every step: closes its arrays. After a successful step, the state gets the displacements u1, the
   velocities v + dv, the time t + h and the step number n + 1. After a failed step the state does not change. */
PetscErrorCode CrImplicitEnd(CrImplicit *im, const CrStepReport *report, CrState *state);
