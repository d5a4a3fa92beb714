/* Declarations that the source files of the contact solver `cones` share. */
#pragma once

#include "contact/cones/cones.h"
#include "contact/partners/partners.h"
#include "contact/touch/touch.h"

/* States of a contact. OUT: the contact is not active. HELD: supports hold the node, so that contact cannot move it. */
enum { OUT = 0, ACTIVE, HELD };

/* What the method keeps of a point from step to step: pressure, friction as a vector in space, and two numbers of the
   bank. */
enum { CR_KEPT_PRESSURE, CR_KEPT_FRICTION, CR_KEPT_BANK = 4, CR_KEPT_LASTED, CR_KEPT };

/* The operators of a contact, in the form that the computation of W needs. place: places of its nodes in CrCones.part.
   index: their indices in CrCones.nodes. row and column: the operators G and H, ordered by node, direction, and
   component of z (row) or r (column). body: number of the rigid body of the contact; -1: none. lever: force and torque
   on this body under unit reactions. */
typedef struct {
  PetscInt  n, place[CR_SPREAD_NODES], index[CR_SPREAD_NODES];
  PetscReal row[CR_SPREAD_NODES][3][3], column[CR_SPREAD_NODES][3][4];
  /* This node belongs to node number `of` of the operators G and H. `part` is its coefficient: 1, or less for the nodes
     of a sample. */
  PetscInt  of[CR_SPREAD_NODES];
  PetscReal part[CR_SPREAD_NODES];
  PetscInt  body;
  PetscReal lever[3][6];
} CrConesOperators;

/* The geometric stiffness K of one contact: the derivative of its nodal forces at constant reactions, with respect to
   the unknowns `slot`. Slots are dim times the place of a node, then six for each rigid body (displacement,
   rotation). */
#define CR_TURN_SLOTS (3 * CR_SPREAD_NODES)
typedef struct {
  PetscInt  n, slot[CR_TURN_SLOTS];
  PetscReal K[CR_TURN_SLOTS][CR_TURN_SLOTS];
} CrConesTurn;

/* The geometric stiffness of all contacts. C is the flexibility of nodes and bodies. The geometric stiffness K changes
   displacements x to M^-1 x, with M = 1 - C K. */
typedef struct {
  PetscInt     n, nslots, room_n, room_slots;
  int          sign;  /* sign of det M: negative if an equilibrium is not stable */
  CrConesTurn *turns; /* [n] */
  PetscReal   *M;     /* [nslots][nslots] factors */
  PetscInt    *rows;  /* [nslots] exchanges of rows */
  PetscReal   *x;     /* [4 nslots] */
  PetscReal   *e,
      /* [nnodes*dim] nodal forces K x of the geometric stiffness; nodal displacements that the motion of free bodies
         causes */
      *extra;
} CrConesTurning;

/* Does the work of CrConesSolve, with the present `ease`. */
PetscErrorCode CrConesTry(CrCones *cones, const PetscReal *way, const PetscReal *d, PetscBool first,
                          CrConesRespond *respond, void *ctx, PetscBool *solved);

/* Makes the arrays of the Coulomb problem large enough for n contacts. */
PetscErrorCode CrConesFit(CrCones *cones, PetscInt n);
/* Computes the responses of all nodes of active contacts. */
PetscErrorCode CrConesLearn(CrCones *cones, CrConesRespond *respond, void *ctx, PetscBool *solved);
/* Computes W of the active contacts from the responses. *solved is false if reactions turn with their facets and the
   system is then singular. */
PetscErrorCode CrConesAssemble(CrCones *cones, PetscBool *solved);
/* Stores the flexibility of a contact from its diagonal block w of W, without the rotation of reactions. */
void CrConesKeepOwn(CrCones *cones, PetscInt l, PetscInt pad, const PetscReal *w);
/* Sets the state of each active contact to HELD if supports prevent its motion in the normal direction. Returns true if
   it has changed the state of at least one contact; W must then be assembled again. *mean is the mean of the diagonal
   of W, without the rotation of reactions. */
PetscBool      CrConesDropHeld(CrCones *cones, PetscReal *mean);
PetscErrorCode CrConesSolveProblem(CrCones *cones, PetscReal scale, PetscBool *solved);
/* Computes the displacements of the nodes under all reactions, in cones->push. */
PetscErrorCode CrConesPush(CrCones *cones);
/* Returns the change of component i of z under displacements y of the nodes. */
PetscReal CrConesChange(const CrCones *cones, const CrTouch *touch, PetscInt i, const PetscReal *y);

/* Returns the gap that obeys the law, at the end of the step of the last evaluation. */
PetscReal CrConesGap(const CrCones *cones, const CrTouch *touch);

/* Returns the operator (G or H) of component i of z. For a touch with a rigid body, the operator at the middle of the
   step is also used for the end of the step. */
static inline const PetscReal *CrConesRow(const CrCones *s, const CrTouch *touch, PetscInt i)
{
  if (i > 0) return touch->k.H[i - 1];
  return s->level == CR_LEVEL_GAP && !s->contact->passes[touch->pass].ops->body ? touch->k1.G
                                                                                : touch->k.G;
}

/* ---- reactions that turn with their facets (turning.c) ---- */

PetscErrorCode CrConesCreateTurning(CrCones *cones);
PetscErrorCode CrConesDestroyTurning(CrCones *cones);
/* Computes the geometric stiffness of the active contacts at the last evaluation. *solved is false if M is singular. */
PetscErrorCode CrConesTakeTurning(CrCones *cones, PetscBool *solved);
/* Applies M^-1 to the displacements y of the listed nodes under unit reactions of a contact, [slot][pad]. Adds the
   displacements of bodies. */
void CrConesTurnColumns(CrCones *cones, const CrConesOperators *by, PetscInt pad, PetscReal *y);
/* Applies M^-1 to the correction d (local) without reactions, and to body_free. */
void CrConesTurnFree(CrCones *cones, const PetscReal *d);
/* Applies M^-1 to the displacements `push` and body_push under all reactions. */
void CrConesTurnPush(CrCones *cones);
/* Computes the displacements of all nodes under the forces f, [node index][direction], added to y. */
void CrConesDisplace(const CrCones *cones, const PetscReal *f, PetscReal *y);

/* ---- energy of impacts (bank.c) ---- */

/* Begins a step with the bank of the k-th touch from `last`, the kept numbers of its point. CrConesKeepBank writes
   them at the end of the step. Points that were pushed off keep the part `left` of their banks, see CrConesLeft. */
void CrConesOpenBank(CrCones *cones, PetscInt k, const PetscReal *last);
void CrConesKeepBank(const CrCones *cones, PetscInt k, PetscReal left, PetscReal *last);
/* Returns the part of their banks that points which are pushed off in this step did not get, together. */
PetscReal CrConesLeft(const CrCones *cones);
/* After a solve: pushes off points whose contact ends, by what their banks hold. Returns true if the problem must be
   solved again. */
PetscBool CrConesGiveBack(CrCones *cones);

/* ---- rigid bodies of finite mass (bodies.c) ---- */

/* Returns the number of the rigid body of a contact; -1: none. */
static inline PetscInt CrConesBody(const CrCones *s, const CrTouch *touch)
{
  const CrPass *p = &s->contact->passes[touch->pass];

  return p->ops->body ? p->partner : -1;
}
PetscErrorCode CrConesCreateBodies(CrCones *cones);
/* Computes flexibility and body_free at the last evaluation. Returns false if a body has no flexibility. */
PetscBool CrConesFreeBodies(CrCones *cones);
/* Computes the force and torque on the body of a contact under a unit of component i of r. The same six numbers are the
   derivatives of component i of z with respect to displacement and rotation of the body, up to terms of the order of
   the rotation in a step. */
void CrConesLever(const CrCones *cones, const CrTouch *touch, PetscInt i, PetscReal lever[6]);
/* Sets touch->traction such that its components along the tangents are those of out.t. On the face of a body the
   tangents are means of two rotations, so the tangents are neither of unit length nor perpendicular to each other. */
void CrConesTraction(const CrCones *cones, CrTouch *touch);
/* Returns the change of component i of z of a contact by changes of all bodies: body_free or body_push. Zero without a
   body. */
PetscReal CrConesByBody(const CrCones *cones, const CrTouch *touch, PetscInt i,
                        const PetscReal *change);
/* Returns the contribution of a body to component i of z at the level of velocities. It is h/2 times the velocity at
   the end of the step, which follows by the mid-point rule from the displacement in the step and the velocity at
   t_n. */
PetscReal CrConesBodyWay(const CrCones *cones, const CrTouch *touch, PetscInt i);
/* Adds the flexibility of a body to the block of W for two contacts on it; w [dim][pad] as in flexibility.c. */
void CrConesAddBody(const CrCones *cones, const CrConesOperators *by, const CrConesOperators *of,
                    PetscInt pad, PetscReal *w);
/* Computes body_push from the reactions r of the active contacts. */
void CrConesPushBodies(CrCones *cones);
