/* Declarations that the source files of the contact solver `cones` share. */
#pragma once

#include "contact/cones/cones.h"
#include "contact/partners/partners.h"
#include "contact/touch/touch.h"

/* States of a contact. OUT: the contact is not active. ACTIVE: the contact is part of the Coulomb problem. HELD:
   supports hold the node, so that contact cannot move it. */
enum { OUT = 0, ACTIVE, HELD };

/* Indices of the CR_KEPT numbers that a contact point keeps from step to step. These numbers are the pressure, three
   components of the friction force in space, and two numbers about the energy of impacts (bank.c). */
enum { CR_KEPT_PRESSURE, CR_KEPT_FRICTION, CR_KEPT_BANK = 4, CR_KEPT_LASTED, CR_KEPT };

/* The response of one node. x: dim columns of nnodes*dim reals; column j has the displacements of CrCones.nodes under a
   unit force on the node in direction j. row: index of the node itself in CrCones.nodes; -1: another rank owns it. place
   and seat: indices of the response in CrCones.part and CrCones.here; -1: it is not there. */
typedef struct {
  PetscReal *x; /* owned */
  PetscInt   row, place, seat;
} CrConesResponse;

/* An active contact. Every rank knows the operators G and H of all active contacts, in the form that the computation of
   W needs. The contact has n nodes. index: numbers of their responses. place, seat: members of these responses. row,
   column: the operators, ordered by node, direction in space, and component of z (row) or r (column). body: number of
   the rigid body of the contact; -1: none. lever: force and torque on this body under unit reactions. */
typedef struct {
  PetscInt  n, place[CR_LIFTED_NODES], index[CR_LIFTED_NODES], seat[CR_LIFTED_NODES];
  PetscReal row[CR_LIFTED_NODES][3][3], column[CR_LIFTED_NODES][3][4];
  /* of[k]: index in the operators G and H of the node to which node k belongs. part[k]: its coefficient, which is 1, or
     less for the nodes of a sample. */
  PetscInt  of[CR_LIFTED_NODES];
  PetscReal part[CR_LIFTED_NODES];
  PetscInt  body;
  PetscReal lever[3][6];
  /* node[k], owner[k]: global number of node k, and the rank that owns it. */
  PetscInt node[CR_LIFTED_NODES], owner[CR_LIFTED_NODES];
  /* Contacts are in the order of their passes, then of `order`, then of `touch`, their index on the rank `rank`. This
     rank counts the contact in sums. */
  PetscInt pass, point, order, touch, rank;
  PetscInt island, spot; /* number of its island; its index among the contacts of the island */
  /* This rank has a part of its row of W: it has one of its nodes, or the contact has a rigid body. */
  PetscBool here;
} CrConesOperators;

/* The geometric stiffness K of one contact: the derivative of its nodal forces at constant reactions, with respect to n
   unknowns. slot[] are the numbers of these unknowns. Component i of the node of response part[k] has the number dim * k
   + i. After the nodes, each rigid body has six unknowns (displacement, rotation). contact: number of the contact. */
#define CR_TURN_SLOTS (3 * CR_LIFTED_NODES)
typedef struct {
  PetscInt  n, contact, slot[CR_TURN_SLOTS];
  PetscReal K[CR_TURN_SLOTS][CR_TURN_SLOTS];
} CrConesTurn;

/* The geometric stiffness K of all contacts. If C is the flexibility of nodes and bodies, K changes displacements x to
   M^-1 x, with M = 1 - C K. */
typedef struct {
  PetscInt     n, nslots, room_n, room_slots;
  int          sign;  /* sign of det M; negative: the equilibrium is not stable */
  CrConesTurn *turns; /* [n] */
  PetscReal   *M;     /* [nslots][nslots] LU factors of M */
  PetscInt    *rows;  /* [nslots] row exchanges of the factorisation */
  PetscReal   *x;     /* [4 nslots] */
  /* e [npart*dim]: nodal forces K x of the geometric stiffness. extra [nlocal*dim]: nodal displacements that the motion
     of free bodies causes. */
  PetscReal *e, *extra;
  PetscInt   room_e;
} CrConesTurning;

/* Makes one attempt of CrConesSolve, with the present factor `ease`. The arguments are the same. */
PetscErrorCode CrConesTry(CrCones *cones, const PetscReal *way, const PetscReal *d, PetscBool first,
                          CrConesRespond *respond, void *ctx, PetscBool *solved);

/* ---- the problem ---- */

/* Computes the responses of nodes of active contacts, if they are not known yet. *solved is false if the linear solver
   failed. Collective. */
PetscErrorCode CrConesLearn(CrCones *cones, CrConesRespond *respond, void *ctx, PetscBool *solved);
/* Computes the matrix W of the active contacts from the responses, and the diagonals of W. *solved is false if reactions
   rotate with their facets and the matrix M is singular. Collective. */
PetscErrorCode CrConesAssemble(CrCones *cones, PetscBool *solved);
/* Returns the table from which W is computed: the dim columns of response number `index`, each with *m reals. */
const PetscReal *CrConesTable(const CrCones *cones, PetscInt index, PetscInt *m);
/* Sets the state of an active contact to HELD if supports prevent its motion in the normal direction. Returns true if
   the state of at least one contact has changed. W must then be assembled again. *mean is the mean of the diagonal of
   W, without the rotation of reactions. */
PetscBool      CrConesDropHeld(CrCones *cones, PetscReal *mean);
PetscErrorCode CrConesSolveProblem(CrCones *cones, PetscReal scale, PetscBool *solved);
/* Solves the Coulomb problem of n contacts with springs at those that were pressed, for bodies that are stable only with
   their contacts. W, q and mu are those of CrConeSetDense, and r has the initial values. *solved is false if there is no
   solution. */
PetscErrorCode CrConesSolveStiffened(CrCones *cones, PetscInt n, const PetscReal *W,
                                     const PetscReal *q, const PetscReal *mu,
                                     const CrConeOptions *options, PetscReal *r, PetscBool *solved);
/* Adds to y[n] the normal displacements of the active contacts under the normal reactions x[n]. Contacts with chosen[] = 0
   take no part. Sets y to zero for contacts that another rank solves. */
void CrConesRespondTo(const CrCones *cones, const PetscReal *chosen, const PetscReal *x,
                      PetscReal *y);
/* Computes cones->push, the displacements of the nodes under all reactions. Collective. */
PetscErrorCode CrConesPush(CrCones *cones);
/* Returns the change of component i of z of a touch that the displacements y (local) of the nodes cause. */
PetscReal CrConesChange(const CrCones *cones, const CrTouch *touch, PetscInt i, const PetscReal *y);

/* Returns the gap to which the contact law applies, at the end of the step, from the last evaluation. */
PetscReal CrConesGap(const CrCones *cones, const CrTouch *touch);

/* Returns the operator of component i of z: G for i = 0, H otherwise. With CR_LEVEL_GAP, G belongs to the end of the
   step, except in contacts with a rigid body. */
static inline const PetscReal *CrConesRow(const CrCones *s, const CrTouch *touch, PetscInt i)
{
  if (i > 0) return touch->k.H[i - 1];
  return s->level == CR_LEVEL_GAP && !s->contact->passes[touch->pass].ops->body ? touch->k1.G
                                                                                : touch->k.G;
}

/* ---- reactions that turn with their facets (turning.c) ---- */

PetscErrorCode CrConesCreateTurning(CrCones *cones);
PetscErrorCode CrConesDestroyTurning(CrCones *cones);
/* Computes the geometric stiffness of the active contacts at the last evaluation, and factorises M. *solved is false if
   M is singular. */
PetscErrorCode CrConesTakeTurning(CrCones *cones, PetscBool *solved);
/* Applies M^-1 to the displacements y[slot][pad] of the nodes in CrCones.part under unit reactions of the contact `by`.
   Adds to y the displacements of the rigid bodies. */
void CrConesTurnColumns(CrCones *cones, const CrConesOperators *by, PetscInt pad, PetscReal *y);
/* Applies M^-1 to the displacements without reactions: the correction d (local) of the nodes, and body_free.
   Collective. */
PetscErrorCode CrConesTurnFree(CrCones *cones, const PetscReal *d);
/* Applies M^-1 to the displacements under all reactions: `moved` of the nodes, and body_push. Collective. */
PetscErrorCode CrConesTurnPush(CrCones *cones);
/* Adds to y the displacements of all `nodes` under the nodal forces f. f is ordered by index in CrCones.part and y by
   index in CrCones.nodes, then both by direction. */
void CrConesDisplace(const CrCones *cones, const PetscReal *f, PetscReal *y);

/* ---- energy of impacts (bank.c) ---- */

/* CrConesOpenBank reads the recorded impact energy of touch k from last[], the CR_KEPT numbers of its contact point.
   Called at the start of a step. CrConesKeepBank writes the new values to last[] at the end of the step. Points that
   were pushed away keep the fraction `left` of their energy (CrConesLeft). */
void CrConesOpenBank(CrCones *cones, PetscInt k, const PetscReal *last);
void CrConesKeepBank(const CrCones *cones, PetscInt k, PetscReal left, PetscReal *last);
/* Computes the fraction of their recorded energy that the points which are pushed away in this step did not get back.
   Collective. */
PetscErrorCode CrConesLeft(const CrCones *cones, PetscReal *left);
/* Chooses the gap `lift` of points whose contact ends, so that the work of their reactions returns the recorded impact
   energy. *again is true if the Coulomb problem must be solved again. Called after each solution of this problem.
   Collective. */
PetscErrorCode CrConesGiveBack(CrCones *cones, PetscBool *again);

/* ---- rigid bodies of finite mass (bodies.c) ---- */

/* Returns the number of the rigid body of a contact; -1: none. */
static inline PetscInt CrConesBody(const CrCones *s, const CrTouch *touch)
{
  const CrPass *p = &s->contact->passes[touch->pass];

  return p->ops->body ? p->partner : -1;
}
PetscErrorCode CrConesCreateBodies(CrCones *cones);
/* Computes the members `flexibility` and `body_free` at the last evaluation. Returns false if the tangent matrix of a
   body is singular. */
PetscBool CrConesFreeBodies(CrCones *cones);
/* Computes `lever`, the force and torque on the rigid body of a contact if component i of its reaction r is 1. The same
   six numbers are the derivatives of component i of z with respect to displacement and rotation of the body. This
   equality has an error of the order of the rotation in a step. */
void CrConesLever(const CrCones *cones, const CrTouch *touch, PetscInt i, PetscReal lever[6]);
/* Sets touch->traction, a vector in space, such that its components along the tangents are touch->out.t. On the face of
   a rigid body the tangents are means of two rotations. So the tangents are neither of unit length nor perpendicular to
   each other. */
void CrConesTraction(const CrCones *cones, CrTouch *touch);
/* Returns the change of component i of z of a contact that the motion of its rigid body causes. `change` has the
   motions of all bodies: body_free or body_push. Returns 0 if the contact has no rigid body. */
PetscReal CrConesByBody(const CrCones *cones, const CrTouch *touch, PetscInt i,
                        const PetscReal *change);
/* Returns the contribution of a rigid body to component i of z, with CR_LEVEL_VELOCITY. The contribution is h/2 times
   the velocity at the end of the step. This velocity follows by the mid-point rule from the displacement in the step
   and the velocity at t_n. */
PetscReal CrConesBodyWay(const CrCones *cones, const CrTouch *touch, PetscInt i);
/* Adds to w, the block of W of the contacts `by` and `of`, the flexibility of the rigid body, if both contacts are on
   the same body. w has dim rows of `pad` numbers, as in flexibility.c. */
void CrConesAddBody(const CrCones *cones, const CrConesOperators *by, const CrConesOperators *of,
                    PetscInt pad, PetscReal *w);
/* Computes cones->body_push, the motions of the rigid bodies under the reactions r of the active contacts. */
void CrConesPushBodies(CrCones *cones);
