/* One step of contact for implicit methods: forces and tangents of all points, by the method's law. */
#pragma once

#include "contact/contact.h"

/* Sets the law of all steps. Call it once, before the first step: the law decides which nodes the matrix couples. */
void CrContactSetLaw(CrContact *contact, const CrContactLaw *law);
/* Finds what may touch in the step from u0 with velocities v0. guess: where the step may end, NULL:
   only u0 + h v0 is known. */
PetscErrorCode CrContactBegin(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                              const PetscReal *guess, PetscReal t, PetscReal h);
/* How many points may touch in this step. */
PetscInt CrContactTouches(const CrContact *contact);
/* Does a path of this step leap over an obstacle? Then the step must be cut. */
PetscBool CrContactIsTooFar(const CrContact *contact);
/* Did a projection of the last evaluation fail? All ranks get the same answer. */
PetscBool CrContactIsLost(const CrContact *contact);
/* Is a point in a state that only the linear model of the last iteration gives it? Then the step is not solved. */
PetscBool CrContactIsUnsettled(const CrContact *contact);
/* Does any point press at t_n? */
PetscBool CrContactIsPressed(const CrContact *contact);
/* The springs of all that may touch, times how far from the origin: a relative error of positions is
   this force (a norm). */
PetscReal CrContactReach(const CrContact *contact, const PetscReal *u0);
/* Node pairs that the matrix must hold for this step; *missing: the graph lacks some. They are given
   with room to move. Collective. */
PetscErrorCode CrContactCouplings(CrContact *contact, PetscBool *missing, PetscInt *n,
                                  const PetscInt **pairs);
/* For steady laws: points at the limit of friction start slipping if loose, and sticking if not. Bodies that only
   friction holds must start sticking. CrContactTurnLoose reverses the choice, for a new attempt. */
void      CrContactSetLoose(CrContact *contact, PetscBool loose);
void      CrContactTurnLoose(CrContact *contact);
PetscBool CrContactIsLoose(const CrContact *contact);
/* Starts a new attempt at the same step: points may change their facets again. */
void CrContactRestart(CrContact *contact);
/* f += contact forces on owned dofs. Needs u0 for what is carried from facet to facet. */
PetscErrorCode CrContactForce(CrContact *contact, const PetscReal *u0, const CrContactStep *step,
                              PetscReal *f);
/* A -= factor * d(force)/d(configuration), at the step of the last CrContactForce; factor: that of
   the configuration with respect to the unknowns. */
PetscErrorCode CrContactAddTangent(CrContact *contact, const CrContactStep *step, PetscReal factor,
                                   Mat A);
/* After a solve: finds points that went through a facet which the search had left out. The search then includes
   this facet, and the step must be solved again (*again). */
PetscErrorCode CrContactReview(CrContact *contact, const PetscReal *u0, const PetscReal *v0,
                               const PetscReal *u1, PetscBool *again);
/* After a solve that failed, with its last displacements: notes pressed points that no single facet can
   hold (theory 13.10). */
void CrContactBlame(CrContact *contact, const PetscReal *u1);
/* The name of the pair in whose contact a node takes part, as slave or master, pressed ones first; NULL: none. */
const char *CrContactOfNode(const CrContact *contact, PetscInt node, CrContactStatus *status);
/* ---- for methods that repair velocities: impulses on the end of the step ---------------------- */

/* How impulses act: along the traction of their point (LL03), or with a part along its normal and one along each
   tangent (theory 16.5). */
typedef enum { CR_IMPULSE_TRACTION, CR_IMPULSE_PARTS } CrImpulseKind;

/* One pressed point: the nodes on which its impulse acts, and the directions of the impulse. */
typedef struct {
  PetscInt touch, n;               /* nodes */
  PetscInt nodes[CR_SPREAD_NODES]; /* local */
  PetscInt own;                    /* how many of them belong to the slave; they come first */
  PetscInt parts;                  /* 1, or the dimension of space */
  /* w (p G - t H) at the end of the step, by node and component; or G, H_1 and H_2 there, without weight */
  PetscReal along[3][3 * CR_SPREAD_NODES];
  PetscReal work;      /* w times what the law owes, <= 0 */
  PetscReal slip;      /* length of the slip, of points that should stick */
  PetscReal open;      /* gap at the end (new contact), or opening of the step */
  PetscReal driven[3]; /* `along` times the velocity of a moving obstacle, over the step */
  PetscReal nu[3];     /* normal at the end */
  PetscReal friction;  /* coefficient */
  PetscBool bounces;   /* an impulse returns what is owed */
  /* The method fills these, PARTS only: what friction dissipates, and the normal impulse that turns the velocity of t_n. */
  PetscReal lost, swing;
} CrImpulsePoint;

/* Pressed points of the last evaluation, and released ones whose springs owe energy, with operators at u1. Points that
   rest on springs are left out. points[] has room for all touches (CrContactTouches). False: a projection failed. */
PetscBool CrContactImpulses(CrContact *contact, CrImpulseKind kind, const PetscReal *u1,
                            PetscInt *n, CrImpulsePoint *points);
/* The impulses r (in the order of points and parts) over h count as contact forces. */
void CrContactKick(CrContact *contact, PetscInt n, const CrImpulsePoint *points,
                   const PetscReal *r);
/* Multipliers take the pressure and friction of the last evaluation under `law`. */
void CrContactAugment(CrContact *contact, const CrContactLaw *law);

/* Displacements of a step: where forces act, and at its end. */
typedef struct {
  const PetscReal *where, *u1;
} CrStepEnds;

/* The step is accepted: the history takes over what the last evaluation found. Counts, loss, penetration, and the
   work of moving obstacles and of overlaps go into the report. */
PetscErrorCode CrContactCommit(const CrContact *contact, const CrContactLaw *law,
                               const CrStepEnds *ends, CrContactHistory *history,
                               CrStepReport *report);
/* For output, after CrContactCommit: the contact forces of the step on owned dofs; then what impulses
   r add to them. */
PetscErrorCode CrContactSetForce(CrContact *contact, const PetscReal *force);
void           CrContactAddImpulses(CrContact *contact, PetscInt n, const CrImpulsePoint *points,
                                    const PetscReal *r);
