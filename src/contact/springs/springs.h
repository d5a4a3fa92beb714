/* Contact in one step of an implicit method. This file declares the contact search, and the forces and tangents that
   follow from the contact law. A touch is a contact point that may be in contact in this step. A touch is pressed if
   its pressure is positive. */
#pragma once

#include "contact/contact.h"

/* Sets the contact law of all steps. Call this function once, before the first step, because the law decides which
   nodes the matrix couples. */
void CrContactSetLaw(CrContact *contact, const CrContactLaw *law);
/* Begins a step of size h from time t, with displacements u0 and velocities v0. Finds the slaves and facets that may
   touch. The search follows the paths of the nodes from u0 to u0 + h v0, and from u0 to `guess`. `guess` are other
   displacements at which the step may end, or NULL. */
PetscErrorCode CrContactBegin(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                              const PetscReal *guess, PetscReal t, PetscReal h);
/* Returns the number of touches in this step, summed over all ranks. */
PetscInt CrContactTouches(const CrContact *contact);
/* Computes *reach, the norm over all touches of the spring stiffness times the slave's position. Times the relative
   rounding error of a number, *reach is the error of contact forces due to rounding of positions. Collective. */
PetscErrorCode CrContactReach(const CrContact *contact, const PetscReal *u0, PetscReal *reach);
/* Sets *missing to true if the touches of this step couple nodes that the matrix does not couple yet. The function then
   lists in *pairs the *n node pairs that a new matrix must couple. The list also contains nodes that may come into
   contact later, so that the new matrix is valid for many steps. Collective. */
PetscErrorCode CrContactCouplings(CrContact *contact, PetscBool *missing, PetscInt *n,
                                  const PetscInt **pairs);
/* Starts a new attempt at the same step. Contact points may then change their facets again. */
void CrContactRestart(CrContact *contact);
/* Evaluates all touches at the trial state `step`, and adds to f the contact forces on dofs that this rank owns. u0 are
   the displacements at t_n. Collective. */
PetscErrorCode CrContactForce(CrContact *contact, const PetscReal *u0, const CrContactStep *step,
                              PetscReal *f);
/* Subtracts from the matrix A the derivative factor * d(force)/d(step->u), for the trial state of the last call of
   CrContactForce. `factor` is the derivative of step->u with respect to the unknowns of the method. */
PetscErrorCode CrContactAddTangent(CrContact *contact, const CrContactStep *step, PetscReal factor,
                                   Mat A);
/* Begins a failed step again, for exact laws. Every concave edge next to a contact point then counts as a valley.
   Collective. */
PetscErrorCode CrContactDent(CrContact *contact, const PetscReal *u0, const PetscReal *v0);
/* Finds contact points that have passed through a facet which the contact search had left out. Binds such points to
   this facet, and sets *again to true: the step must be solved again. Called after a solution with the displacements
   u1. */
PetscErrorCode CrContactReview(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                               const PetscReal *u1, PetscBool *again);
/* penetration / size of an edge or facet below which a place may stay without contact, if a step has many of them */
#define CR_SHALLOW 1e-3
/* Places where sharp edges penetrate the other body without contact. Depths are fractions of the edge or facet. */
typedef struct {
  PetscInt
      added; /* number of new contacts at such places; not zero: the step must be solved again */
  /* If no contact was added, depths of the deepest places that stay without contact. all: of all places. unheld:
     without the places that have no contact because they are shallow and many. */
  PetscReal all, unheld;
} CrOpenPlaces;
/* Finds sharp edges that penetrate the other body at u1 at places without contact. If `adds` is true, the function adds
   ("calls in") contacts at these places (theory 17.7). Used for laws that satisfy the gap condition exactly. Call this
   function after CrContactReview. */
PetscErrorCode CrContactCall(CrContact *contact, const PetscReal *u0, const PetscReal *u1,
                             PetscBool adds, CrOpenPlaces *open);
/* Weakens the condition of contacts that CrContactCall has added and that did more positive work than `most`. If the
   gap was negative at the start of the step, this penetration is allowed to stay. Otherwise the contact exerts no
   force. *n is the number of these contacts. If *n is not zero, the step must be solved again. Called after a solution
   in which contact created energy. */
void CrContactTame(CrContact *contact, PetscReal most, PetscInt *n);
/* Returns true if the step has contacts that CrContactCall has added in this step or before. */
PetscBool CrContactHasCalled(const CrContact *contact);
/* Returns true if the step has contacts whose place on an edge moves while the step is solved. */
PetscBool CrContactHasMoving(const CrContact *contact);
/* Counts the pressed contact points in valleys (theory 13.10), for CrContactExplain. Called after a failed solution
   that ended at the displacements u1. Collective. */
PetscErrorCode CrContactBlame(CrContact *contact, const PetscReal *u1);
/* Finds the name *pair of a pair in which a node is in contact, as slave or as corner of the master's facet; NULL:
   none. Pressed contacts take precedence. *status is the state of the contact. One rank passes the local number of the
   node, and the others pass -1. All ranks get the results. Collective. */
PetscErrorCode CrContactOfNode(const CrContact *contact, PetscInt node, const char **pair,
                               CrContactStatus *status);

/* ---- for velocity updates: impulses at the end of the step ------------------------------------ */

/* The directions of the impulses at a contact point. TRACTION: one impulse along the contact force of the point (LL03).
   PARTS: one impulse along the normal and one along each tangent (theory 16.5). */
typedef enum { CR_IMPULSE_TRACTION, CR_IMPULSE_PARTS } CrImpulseKind;

/* A rigid body on which the impulses of a contact point act. CrImpulsePoint.along has the directions of the
   impulses. */
typedef struct {
  PetscInt  body;       /* number of the body; -1: no rigid body */
  PetscReal pull[3][6]; /* force and torque on the body by a unit impulse in each direction */
  PetscReal answer
      [3]
      /* changes of the body's velocity and angular velocity by a unit impulse in each direction */
      [6];
  /* The body's contribution to the relative velocity at the contact. rate[]: along each direction, before the impulses.
     before: along the first direction, at t_n. */
  PetscReal rate[3], before;
} CrImpulseBody;

/* One pressed contact point, with the nodes on which its impulses act and the directions of the impulses. */
typedef struct {
  PetscInt touch, n; /* index of the touch (-1: it is on another rank); number of nodes */
  PetscInt point;    /* number of the point among all contact points */
  /* true: this rank includes the point in sums over the ranks. A point that every rank has is included on one rank
     only. */
  PetscBool counts;
  /* [n] local nodes, those of the slave first; a node may occur more than once */
  PetscInt nodes[CR_LIFTED_NODES];
  /* number of nodes that belong to the slave; 0: the slave is a rigid body */
  PetscInt own;
  PetscInt parts; /* number of directions: 1, or the dimension of space */
  /* The directions of the impulses at the end of the step. Each row has dim components for each of the n nodes. With
     TRACTION, the only row is w (p G - t H), where w is the weight of the point. With PARTS, the rows are G, H_1 and
     H_2. */
  PetscReal     along[3][3 * CR_LIFTED_NODES];
  CrImpulseBody rigid;
  PetscReal     work; /* w times CrLawOutput.owed, <= 0 */
  PetscReal     slip; /* length of the slip of a point that sticks, else 0 */
  /* new contact: size of the gap at the end of the step; else: size of the gap's increment in the step */
  PetscReal open;
  /* mean velocity of a moving obstacle in the step, projected on each row of `along` */
  PetscReal driven[3];
  PetscReal nu[3];    /* normal at the end of the step */
  PetscReal friction; /* friction coefficient */
  PetscBool bounces;  /* an impulse at the end of the step returns the energy `work` */
  /* The integration method sets these members. carried: velocity of supports, projected on each row of `along`. lost
     (only with PARTS): energy that friction of the impulse dissipates. swing (only with PARTS): normal impulse that
     would reverse the velocity at t_n. */
  PetscReal carried[3], lost, swing;
} CrImpulsePoint;

/* Lists the *n contact points on which impulses act, with the operators G and H at the displacements u1. These are the
   pressed points of the last evaluation, and released points whose energy has not been returned yet. Points that rest
   on springs are left out. points[] must have room for all touches (CrContactTouches). A rank gets its own points in
   ascending order. *found is false if a closest point was not found. Collective. */
PetscErrorCode CrContactImpulses(CrContact *contact, CrImpulseKind kind, const PetscReal *u1,
                                 PetscInt *n, CrImpulsePoint *points, PetscBool *found);
/* Extends the list of CrContactImpulses on every rank to the points of all ranks, in ascending order. Collective. */
PetscErrorCode CrContactGatherImpulses(CrContact *contact, PetscInt *n, CrImpulsePoint *points);
/* Adds the impulses r, divided by the step size h, to the forces of the touches and of rigid bodies. r has one number
   for each direction of each of the n points, point by point. If `all` is true, points[] are the points of all ranks.
   Collective. */
PetscErrorCode CrContactKick(CrContact *contact, PetscBool all, PetscInt n,
                             const CrImpulsePoint *points, const PetscReal *r);
/* CrContactSpreadImpulses adds to f the impulses r along the rows `along` of the points. Each contribution is divided
   by the mass of the node, unless `mass` is NULL. Fixed dofs are left out, unless `fixed` is NULL. f is indexed by
   owned dofs, `mass` and `fixed` by local dofs. If `all` is true, points[] has the points of all ranks. Collective. */
typedef struct {
  PetscBool        all;
  const char      *fixed; /* borrowed, like mass */
  const PetscReal *mass;
} CrImpulseSpread;
PetscErrorCode CrContactSpreadImpulses(const CrContact *contact, const CrImpulseSpread *how,
                                       PetscInt n, const CrImpulsePoint *points, const PetscReal *r,
                                       PetscReal *f);
/* Makes one iteration of the augmented Lagrangian method: sets the multipliers to the pressure and traction of the last
   evaluation. */
void CrContactAugment(CrContact *contact, const CrContactLaw *law);

/* Displacements of a step. where: displacements at which contact forces act. u1: displacements at the end of the
   step. */
typedef struct {
  const PetscReal *where, *u1;
} CrStepEnds;

/* Accepts the step: stores in the history the results of the last evaluation. Writes to the report the numbers of
   contacts, the friction loss and the greatest penetration. Also writes the work of moving obstacles, and the work done
   while the initial penetration is removed. */
PetscErrorCode CrContactCommit(const CrContact *contact, const CrContactLaw *law,
                               const CrStepEnds *ends, CrContactHistory *history,
                               CrStepReport *report);
/* These functions are for output, after CrContactCommit. CrContactSetForce stores the contact forces of the step on
   dofs that this rank owns. CrContactAddImpulses adds to these forces the impulses r, divided by the step size h.
   CrContactAddImpulses is collective. */
PetscErrorCode CrContactSetForce(CrContact *contact, const PetscReal *force);
PetscErrorCode CrContactAddImpulses(CrContact *contact, PetscBool all, PetscInt n,
                                    const CrImpulsePoint *points, const PetscReal *r);
