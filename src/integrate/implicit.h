/* Data and functions that all implicit methods use: the system matrix, Newton's method, the supports of the step, and
   work arrays. */
#pragma once

#include "integrate/arrays.h"
#include "contact/springs/springs.h"
#include "integrate/integrator.h"
#include "model/conditions.h"
#include "model/graph.h"
#include "model/reactions.h"
#include "solve/newton.h"

/* Forces on the degrees of freedom that this rank owns: internal forces, external loads, inertia forces, and contact
   forces (`touch`). */
typedef struct {
  PetscReal *internal, *loads, *inertia, *touch;
} CrForces;

PetscErrorCode CrForcesCreate(const CrModel *model, CrForces *f);
PetscErrorCode CrForcesDestroy(CrForces *f);

typedef struct {
  /* true: the matrix is solved for many right-hand sides; set it before CrImplicitCreate */
  PetscBool many;
  Mat       A; /* owned, like all members below */
  /* supports of this step; in statics, `last` has the supports of the previous step, to find released dofs */
  CrSupports supports, last;
  /* displacements and velocities of the step; the method opens these arrays, CrImplicitEnd closes them */
  CrStepArrays step;
  /* start vectors of Newton's method: of the first attempt, and of attempts after a failure */
  Vec        predictor, fallback;
  CrForces   f;       /* forces of the last residual */
  PetscReal *weight;  /* force of constant gravity on owned dofs */
  PetscReal *drag;    /* force of mass-proportional damping on owned dofs; NULL: no damping */
  CrContact *contact; /* borrowed; NULL: the model has no contact */
  PetscReal *strain;  /* [nbodies] strain energy at u1 of this rank's cells */
  /* Norm of M (v0 - mean velocity) over all ranks. The method divides it by a time to get a typical force. */
  PetscReal momentum;
  PetscReal floor;    /* size of the force that round-off errors cause in the stiffest body */
  PetscReal stiffest; /* stiffness of the stiffest element: force per displacement */
  /* norm of the vector of masses at all dofs; 0: the analysis is quasi-static */
  PetscReal masses;
  PetscBool real_gap; /* contact springs act on the real gap, not on the sum of its increments */
  /* [nlocal*dim] displacements at which the last tangent was computed; NULL: no element uses its mean volume */
  PetscReal *iterate;
  PetscBool  fresh; /* true: Newton's method has just started, so there is no last tangent */
  /* tangents extrapolate the pressure of elements with mean volume from the last iterate (theory 5.9) */
  PetscBool continues;
  PetscBool stiff; /* true: some element with mean volume is nearly incompressible */
  /* true: in this step, the first attempt of Newton's method starts at the solution of the linearised step (lead.c) */
  PetscBool led;
  /* next: the next attempt of Newton's method will start at the solution of the linearised step; now: the present
     attempt started there */
  PetscBool next, now;
  /* true: elements may become inverted, if their law has an energy for det F < 0 */
  PetscBool through;
} CrImplicit;

PetscErrorCode CrImplicitCreate(CrIntegrator *it, const CrModel *model, CrImplicit *im);
PetscErrorCode CrImplicitDestroy(CrImplicit *im);
/* Checks the contact pairs with rigid bodies, and makes points of the rigid bodies slaves. The function is called
   before the first step. */
PetscErrorCode CrImplicitAddRigid(const CrIntegrator *it, const CrModel *model, CrState *state);

/* ---- a step, between CrStepOpen and CrImplicitEnd --------------------------------------------- */

/* Prepares Newton's method: momentum, supports, start vectors, and the search for contact. The predictor is u + h v, or
   u if the analysis is quasi-static or contacts are closed. The fallback is u. Predictor and fallback have the
   prescribed values of supports. */
PetscErrorCode CrImplicitBegin(CrIntegrator *it, CrImplicit *im);
/* CrImplicitStart and CrImplicitSearch are the two halves of CrImplicitBegin, for methods whose matrix does not contain
   contact. CrImplicitStart prepares everything except contact. CrImplicitSearch searches for contact, and adds no
   couplings to the matrix. */
PetscErrorCode CrImplicitStart(CrImplicit *im);
PetscErrorCode CrImplicitSearch(CrImplicit *im);
/* Solves the step by Newton's method. If a contact point has then passed through a facet that the contact search had
   left out, solves again with this facet. Calls CrImplicitCheck, and writes the reason of a failure to the report. */
PetscErrorCode CrImplicitSolve(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem,
                               CrStepReport *report);
/* Prints a warning at the end of a run, if the error of the energy balance is large. Methods whose contact springs do
   not conserve energy use this function. */
void CrImplicitAdvise(const CrIntegrator *it, const CrAudit *audit);
/* Sets it->blame, a message that names the node with the greatest residual r and suggests a remedy. The function is
   called after a step has failed. Collective. */
PetscErrorCode CrImplicitBlame(CrIntegrator *it, const CrImplicit *im, Vec r);
/* Computes the contact forces im->f.touch at the present iterate. The function sets at->du. The caller sets at->slide
   only if slip is not measured by the displacement increments du. */
PetscErrorCode CrImplicitTouch(CrImplicit *im, CrContactStep *at);
/* Computes the system matrix: the tangent of the elements plus the mass matrix M multiplied by `mass`. In some attempts
   of Newton's method, the tangent extrapolates the pressure of elements with mean volume from the last iterate (theory
   5.9). These are attempts in statics, and attempts that started at the solution of the linearised step, but not
   attempts with backtracking. */
PetscErrorCode CrImplicitTangent(CrImplicit *im, CrForceKind kind, PetscReal mass, Mat A);
/* Sets the predictor to the solution of the linearised step, if moving supports would otherwise compress the elements
   beside them strongly at the start of Newton's method (theory 10.2). Collective. */
PetscErrorCode CrImplicitLead(CrIntegrator *it, CrImplicit *im, const CrNewtonProblem *problem);
/* Computes the residual r: internal force + inertia - loads - weight - contact force on free dofs, and 0 on prescribed
   dofs. *reference is the largest of these numbers: the norms of the forces, im->momentum, and im->floor.
   Collective. */
PetscErrorCode CrImplicitResidual(const CrImplicit *im, Vec r, PetscReal *reference);
/* Adds to im->f.loads the force -alpha M dx/h of mass-proportional damping (theory 7.5), for bodies whose material has
   this damping. dx are displacement increments of local dofs, with ghosts. */
PetscErrorCode CrImplicitAddDrag(CrImplicit *im, const PetscReal *dx, PetscReal h);
/* Sets report->drag to the energy that the damping force im->drag dissipates over du. Adds this energy to the external
   work of the report, because im->f.loads contained the damping force, which is not a load. */
PetscErrorCode CrImplicitBookDrag(const CrImplicit *im, CrStepReport *report);
/* Rejects a solution in which an element is inverted. The function accepts such a solution if im->through is true and a
   smaller step would not help. A smaller step does not help if the step cannot be divided again, or if elements were
   already inverted at t_n. The report gets the strain energy and the least det F of an accepted solution. */
PetscErrorCode CrImplicitCheck(const CrIntegrator *it, const CrImplicit *im, CrStepReport *report);
/* Computes *work, the work of loads and supports in the step, with the forces f. Loads do the work loads.du on all
   dofs. Supports do the work (internal - loads - weight - contact force).du + h (v0 + dv/2).inertia on prescribed
   dofs. */
PetscErrorCode CrImplicitWork(const CrImplicit *im, const CrForces *f, PetscReal *work);
/* Adds to `reactions` the reactions of supports in the step. A reaction is the sum internal force + inertia - loads -
   weight - contact force, with the forces f. Reactions act at the displacements in the middle of the step. */
void CrImplicitReactions(const CrImplicit *im, const CrForces *f, CrReactions *reactions);
/* Stores the contact history in the state, and the number of contacts and the friction loss in the report. The function
   is called after a successful step. */
PetscErrorCode CrImplicitCommit(CrImplicit *im, const CrContactLaw *law, CrState *state,
                                CrStepReport *report);
/* Ends a step: closes its arrays. This function is the last that a method calls in every step. After a successful step,
   the state gets the displacements u1, the velocities v + dv, the time t + h and the step number n + 1. After a failed
   step the state does not change. */
PetscErrorCode CrImplicitEnd(CrImplicit *im, const CrStepReport *report, CrState *state);
