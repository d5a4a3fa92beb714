/* Contact in one step of an implicit method: the contact search, and the forces and tangents of all contacts by the
   contact law of the method. A touch is a contact point that may be in contact in this step. A touch is pressed if its
   pressure is positive. */
#pragma once

#include "contact/contact.h"

/* Sets the law of all steps. Call it once, before the first step: the law decides which nodes the matrix couples. */
void CrContactSetLaw(CrContact *contact, const CrContactLaw *law);
/* Begins a step of size h from t, with displacements u0 and velocities v0: finds the slaves and facets that may touch.
   The search follows the paths to u0 + h v0 and to `guess`, other displacements at which the step may end (NULL: there
   are none). */
PetscErrorCode CrContactBegin(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                              const PetscReal *guess, PetscReal t, PetscReal h);
/* Returns the number of contacts in this step, on all ranks. */
PetscInt CrContactTouches(const CrContact *contact);
/* Computes the norm of penalty times position over all contacts. This norm times the relative rounding error of
   positions is the error of the contact force that rounding causes. Collective. */
PetscErrorCode CrContactReach(const CrContact *contact, const PetscReal *u0, PetscReal *reach);
/* Sets *missing to true if the contacts of this step need couplings of nodes that the matrix does not have. The
   function then lists the n node pairs of a new matrix. The list also contains nodes that may come into contact later,
   so that the new matrix is valid for many steps. Collective. */
PetscErrorCode CrContactCouplings(CrContact *contact, PetscBool *missing, PetscInt *n,
                                  const PetscInt **pairs);
/* Starts a new attempt at the same step: points may change their facets again. */
void CrContactRestart(CrContact *contact);
/* Evaluates all contacts, and adds the contact forces to f on owned dofs. u0 are the displacements at t_n, to which the
   history of a point belongs. Collective. */
PetscErrorCode CrContactForce(CrContact *contact, const PetscReal *u0, const CrContactStep *step,
                              PetscReal *f);
/* Subtracts factor * d(force)/d(step->u) from the matrix A, for the step of the last CrContactForce. factor is the
   derivative of step->u with respect to the unknowns of the method. */
PetscErrorCode CrContactAddTangent(CrContact *contact, const CrContactStep *step, PetscReal factor,
                                   Mat A);
/* For exact laws, called after a failed step: begins the step again. Every concave edge next to a contact point then
   counts as a valley. Collective. */
PetscErrorCode CrContactDent(CrContact *contact, const PetscReal *u0, const PetscReal *v0);
/* Called after a solution: finds contact points that have passed through a facet which the contact search had left out.
   The search then includes this facet, and the step must be solved again (*again). */
PetscErrorCode CrContactReview(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                               const PetscReal *u1, PetscBool *again);
/* For laws that satisfy the gap condition exactly; call it after CrContactReview. Finds sharp edges that penetrate the
   other body at u1 at places without contact, and adds contacts there (theory 17.7). The program is said to "call in"
   these contacts. *n is the number of new contacts. If it is not zero, the step must be solved again. */
PetscErrorCode CrContactCall(CrContact *contact, const PetscReal *u0, const PetscReal *u1,
                             PetscInt *n);
/* Called after a solution in which contact created energy. Added contacts that did more positive work than `most` get a
   weaker condition. Under the weaker condition the gap may stay as it was at the start of the step, or the contact
   exerts no force. *n is the number of these contacts. If it is not zero, the step must be solved again. */
void CrContactTame(CrContact *contact, PetscReal most, PetscInt *n);
/* Returns true if the step has contacts that CrContactCall has added in this step or before. */
PetscBool CrContactHasCalled(const CrContact *contact);
/* Returns true if the step has contacts whose place on an edge moves while the step is solved. */
PetscBool CrContactHasMoving(const CrContact *contact);
/* Called after a failed solution that ended at u1: counts the pressed contact points in valleys (theory 13.10), for
   CrContactExplain. Collective. */
PetscErrorCode CrContactBlame(CrContact *contact, const PetscReal *u1);
/* Finds the name of a pair in which the node is in contact, as slave or on the master's facet; NULL: none. Pressed
   contacts take precedence. One rank passes the node and the others pass -1; all ranks get the answer. Collective. */
PetscErrorCode CrContactOfNode(const CrContact *contact, PetscInt node, const char **pair,
                               CrContactStatus *status);

/* ---- for velocity updates: impulses at the end of the step ------------------------------------ */

/* The direction of impulses. TRACTION: along the contact force of the point (LL03). PARTS: one along the normal and one
   along each tangent (theory 16.5). */
typedef enum { CR_IMPULSE_TRACTION, CR_IMPULSE_PARTS } CrImpulseKind;

/* A rigid body on which the impulse of a point acts. */
typedef struct {
  PetscInt  body;       /* number of the body; -1: no rigid body */
  PetscReal pull[3][6]; /* force and torque of each direction of the impulse */
  PetscReal
      answer[3]
            [6]; /* changes of velocity and angular velocity by a unit impulse in each direction */
  /* The body's part of the velocity along each direction before the impulses, and along the first direction at t_n. */
  PetscReal rate[3], before;
} CrImpulseBody;

/* One pressed point: the nodes on which its impulse acts, and the directions of the impulse. */
typedef struct {
  PetscInt touch, n; /* number of the contact (-1: another rank has it), and number of nodes */
  PetscInt point;    /* number of the point among all points */
  PetscBool
           counts; /* sums over the ranks include the point on this rank; a point that every rank has is included on one
           rank only */
  PetscInt nodes
      [CR_LIFTED_NODES]; /* local nodes, those of the slave first; a node may occur more than once */
  PetscInt own;          /* number of nodes that belong to the slave; 0: a rigid body */
  PetscInt parts;        /* number of directions: 1, or the dimension of space */
  /* The directions at the end of the step, by node and component. TRACTION: w (p G - t H), with the weight w of the
     point. PARTS: G, H_1 and H_2. */
  PetscReal     along[3][3 * CR_LIFTED_NODES];
  CrImpulseBody rigid;
  PetscReal     work; /* w times CrLawOutput.owed, <= 0 */
  PetscReal     slip; /* length of the slip of a point that sticks, else 0 */
  PetscReal open; /* size of the gap at the end (new contact), or of its increment in the step */
  /* the mean velocity of a moving obstacle in the step, projected on each row of `along` */
  PetscReal driven[3];
  PetscReal nu[3];    /* normal at the end of the step */
  PetscReal friction; /* friction coefficient */
  PetscBool bounces;  /* an impulse returns the energy `work` */
  /* The integration method sets these members: the velocity of supports, projected on each row of `along`; with PARTS,
     the energy that friction of the impulse dissipates, and the normal impulse that would reverse the velocity at t_n.
     */
  PetscReal carried[3], lost, swing;
} CrImpulsePoint;

/* Lists the points on which impulses act, with operators at u1. These are the pressed points of the last evaluation,
   and released points whose energy has not been returned yet. Points that rest on springs are left out. points[] has
   room for all contacts (CrContactTouches). A rank gets its own points in ascending order. *found is false if a closest
   point was not found. Collective. */
PetscErrorCode CrContactImpulses(CrContact *contact, CrImpulseKind kind, const PetscReal *u1,
                                 PetscInt *n, CrImpulsePoint *points, PetscBool *found);
/* Extends the list to the points of all ranks, in ascending order, on every rank. Collective. */
PetscErrorCode CrContactGatherImpulses(CrContact *contact, PetscInt *n, CrImpulsePoint *points);
/* Adds the impulses r, divided by h, to the forces of the contacts and of rigid bodies. r has the order of points and
   parts. If `all` is true, `points` are the points of all ranks. Collective. */
PetscErrorCode CrContactKick(CrContact *contact, PetscBool all, PetscInt n,
                             const CrImpulsePoint *points, const PetscReal *r);
/* Adds the impulses r along the rows `along` to f. Each contribution is divided by the mass of the node, unless `mass`
   is NULL. Fixed dofs are left out, unless `fixed` is NULL. f has owned dofs; mass and fixed have local ones. If `all`
   is true, `points` has the points of all ranks. Collective. */
typedef struct {
  PetscBool        all;
  const char      *fixed; /* borrowed, like mass */
  const PetscReal *mass;
} CrImpulseSpread;
PetscErrorCode CrContactSpreadImpulses(const CrContact *contact, const CrImpulseSpread *how,
                                       PetscInt n, const CrImpulsePoint *points, const PetscReal *r,
                                       PetscReal *f);
/* Makes one step of the augmented Lagrangian method: sets the multipliers to pressure and traction of the last
   evaluation. */
void CrContactAugment(CrContact *contact, const CrContactLaw *law);

/* Displacements of a step: those at which contact forces act, and those at the end of the step. */
typedef struct {
  const PetscReal *where, *u1;
} CrStepEnds;

/* Accepts the step: stores the results of the last evaluation in the history. Writes counts, friction loss,
   penetration, and the work of moving obstacles and of the overlap ramp to the report. */
PetscErrorCode CrContactCommit(const CrContact *contact, const CrContactLaw *law,
                               const CrStepEnds *ends, CrContactHistory *history,
                               CrStepReport *report);
/* For output, after CrContactCommit. The first function stores the contact forces of the step on owned dofs. The second
   function adds the impulses r, divided by h. The second one is collective. */
PetscErrorCode CrContactSetForce(CrContact *contact, const PetscReal *force);
PetscErrorCode CrContactAddImpulses(CrContact *contact, PetscBool all, PetscInt n,
                                    const CrImpulsePoint *points, const PetscReal *r);
