/* Rigid bodies of finite mass beside deformable ones (theory 14.3), here called partners. The motion of partners in a
   step follows from the trial positions of the nodes. So a method computes only forces and tangents of nodes. */
#pragma once

#include "contact/touch/touch.h"

/* A rigid body in the step that is being solved. In 2D it moves in the plane. */
struct CrPartner {
  const CrShape *shape; /* borrowed */
  PetscReal      mass, I[3];
  PetscBool      is_free[6]; /* which components of `move` and `turn` are unknowns */
  /* State at t_n: pose, velocity, angular momentum in space, angular velocity in body axes. `load` is the acceleration
     that loads cause in the middle of the step. */
  CrPose    start;
  PetscReal v0[3], pi0[3], Om0[3], load[3];
  /* quasi-static: equilibrium at the end of the step; "middle" below then means the end */
  PetscBool rests;
  /* contact acts at the end of the step, not at its middle: quasi-static bodies, and newmark */
  PetscBool at_end;
  /* Weights of Newmark's method; NULL: the mid-point rule. Acceleration and angular acceleration (in body axes) at t_n
     */
  const CrRigidNewmark *newmark;
  PetscReal             a0[3], A0[3];
  PetscReal             load0[3]; /* contact at the end: acceleration by loads at t_n */
  PetscReal             drag,
      caution; /* quasi-static: parameters of the iteration towards equilibrium, see rest.c */
  PetscReal move[3],
      turn[3];   /* the unknowns: displacement of the centre, and Cayley's rotation vector */
  CrPose    end; /* pose R1, x1 at t_{n+1}, which follows from the unknowns */
  PetscReal xm[3], Rm[9], Rh[9]; /* middle: means of both ends; Rh is rotated by half the angle */
  /* C: dR1 Y = -C (Rm Y)^ d(turn), where Rm is a mean. B: derivative of the rotation of Rh by `turn`; if contact acts
     at the end, of the rotation at the end */
  PetscReal C[9], B[9];
  PetscReal part;    /* d(xm)/d(move): 1/2, or 1 if contact acts at the end */
  CrPose    path;    /* the pose at t_{n+1} that the search assumed: free flight */
  PetscBool guessed; /* `guess` is the end of an earlier solution of the step */
  CrPose    guess;
  /* residual of the equations of motion; its derivative by the unknowns, or the inverse */
  PetscReal residual[6], K[36];
  PetscReal force[3], torque[3]; /* force and torque of contact */
  /* number of contacts of the body on all ranks, if they are divided among the ranks; 0: sums over ranks are not needed
     */
  PetscInt shared;
};

#define CR_SCHUR_REALS 36 /* coupling of one node and the body: a 3 x 6 block, then a 6 x 3 block */

/* Derivatives of the forces of a contact on its n nodes of the deformable body (n) and on the rigid body (z: force,
   torque), by the nodes' positions at the end of the step, and by move and turn. Rows and columns of nodes are
   dim * node + i. */
typedef struct {
  PetscReal nn[12][12], nz[12][6], zn[6][12], zz[6][6];
} CrBodyTangent;

/* ---- the step ---- */

/* Called after a contact search: finds out which rigid bodies have contact points on several ranks. All ranks get the
   result. Collective. */
PetscErrorCode CrPartnersShare(CrContact *c);
/* Solves for the motion of all bodies, with the nodes at their trial positions. Sets contact->work->lost if a body has
   no solution. Collective, like all functions that evaluate or differentiate a body. */
void CrPartnersSolve(CrContact *c, const PetscReal *u0, const CrContactStep *step);
/* Adds to the matrix the couplings of nodes through the bodies. */
PetscErrorCode CrPartnersAddTangent(CrContact *c, const CrContactStep *step,
                                    CrMatrixValues *values);
/* CrPartnersSurprise returns true if a body has left the path that the contact search assumed. CrPartnersGuess then
   adds the present poses as another end of the path, for a new contact search. */
PetscBool CrPartnersSurprise(const CrContact *c);
void      CrPartnersGuess(CrContact *c);
/* Returns true if the path of the i-th node of the pass comes within the distance `reach` of the rigid body. */
PetscBool CrPartnerIsNear(const CrContact *c, const CrPass *p, PetscInt i, PetscReal reach);

/* These functions are for quasi-static bodies under exact laws. No contact spring moves such a body, so the
   integration method moves it. CrPartnerWeight returns a stiffness that limits the motion of body b in an iteration.
   This stiffness decreases to a small part of its value as the residual vanishes. CrPartnerMove moves body b by a
   displacement and a rotation; if `change` is NULL, it moves the body back to the start of the step. */
PetscReal CrPartnerWeight(const CrContact *c, PetscInt b);
void      CrPartnerMove(CrContact *c, PetscInt b, const PetscReal *change);

/* Adds up numbers over the ranks if contacts of the body belong to several ranks. Collective. */
void CrPartnerSum(const CrContact *c, PetscInt b, PetscInt n, PetscReal *values);

/* Computes the position of a corner of a polytope at a pose of the step. */
void CrPartnerCornerAt(const CrPartner *partner, PetscInt corner, CrPoseOf pose, PetscReal x[3]);

/* ---- for the files of this folder ---- */

/* Computes all members of the partner that depend on the unknowns `move` and `turn`. */
void CrPartnerPlace(CrPartner *partner);
/* Computes the unit quaternion of the Cayley vector `factor` times th. */
void CrPartnerQuaternion(const PetscReal th[3], PetscReal factor, PetscReal q[4]);
/* Computes M = d(x)/d(turn) in the middle of the step, for a point x of the body. r is the vector from the centre to x.
   */
void CrPartnerCarry(const CrPartner *partner, const PetscReal r[3], PetscReal M[9]);
/* Computes the force on one of the four nodes where edges cross, from the last evaluation. */
void CrEdgeNodeForce(const CrTouch *touch, PetscInt node, PetscReal f[3]);
/* For a contact of two edges: computes the vectors from the body's centre to the two corners of its edge, in the middle
   of the step. Returns the number of the first corner among the four nodes. */
PetscInt CrEdgeArms(const CrContact *c, const CrTouch *touch, PetscReal arm[2][3]);
/* Computes the force on the slave of a contact, from the last evaluation. */
void CrPartnerForce(const CrContact *c, const CrTouch *touch, PetscReal f[3]);
/* Adds the force of a contact to force F and torque T on the body, and its absolute values to `sizes`. */
void CrPartnerAddPoint(const CrContact *c, const CrTouch *touch, PetscReal F[3], PetscReal T[3],
                       PetscReal sizes[2]);
/* Evaluates all points of a body, and the residual of its equations. Returns the residual relative to its forces;
   PETSC_MAX_REAL if a point has no closest point. */
PetscReal CrPartnerEvaluate(CrContact *c, PetscInt b, const PetscReal *u0,
                            const CrContactStep *step, PetscBool choose);
/* For quasi-static bodies: solves the equilibrium equations with the nodes at their trial positions. Returns false if
   the body has no equilibrium. */
PetscBool CrPartnerSettle(CrContact *c, PetscInt b, const PetscReal *u0, const CrContactStep *step);
/* For Newmark's method: computes the accelerations at the end of the step. rate is the rate of the angular momentum. */
void CrNewmarkAccelerations(const CrPartner *partner, PetscReal h, PetscReal a[3],
                            PetscReal rate[3]);
/* For Newmark's method: adds the derivative of the inertia forces to the derivative of the residual. */
void CrNewmarkAddInertia(const CrPartner *partner, PetscReal h, PetscReal K[36]);
/* For Newmark's method: copies velocities and accelerations of body b at the end of the step to the state. */
void CrNewmarkAccept(const CrPartner *partner, PetscInt b, PetscReal h, CrRigidState *state);
/* Raises the reference values of force and torque for the residual, if hardly any force acts on the body. */
void CrPartnerFloor(const CrContact *c, PetscInt b, PetscReal sizes[2]);
/* Returns true if the residual is as small as the force that rounding errors of positions cause in the springs near the
   body. */
PetscBool CrPartnerIsRounding(const CrContact *c, PetscInt b);
/* Adds a weak spring to the derivative of the residual, so that it has an inverse even if a motion has no stiffness. */
void CrPartnerAnchor(const CrContact *c, PetscInt b, PetscReal K[36]);
/* Sets partner->K to the inverse of the residual's derivative at the last evaluation. Returns false if it is
   singular. */
PetscBool CrPartnerDifferentiate(CrContact *c, PetscInt b, const CrContactStep *step);
/* Adds scale M to the block of two nodes in the matrix, if this rank owns the first node. */
void CrPartnerAddBlock(const CrContact *c, PetscInt A, PetscInt B, PetscReal scale,
                       const PetscReal M[9], CrMatrixValues *values);
/* Compute the results of the functions `turn` and `couple` of CrPassOps from the derivatives in `tangent`. */
void CrPartnerTurn(const CrBodyTangent *tangent, PetscReal K[36]);
/* The columns of `nodes` are numbers of nodes in the tangent. Returns the number of entries. */
PetscInt CrPartnerCouple(const CrContact *c, const CrPartner *partner, const CrBodyTangent *tangent,
                         const CrSpread *nodes, PetscInt m, CrMatrixValues *values);
/* Computes the derivatives of the force on a node: K1 by the node's end position, K2 by `turn`. The derivative by the
   body's centre is -K1. */
void CrNodeOnBodyTangent(const CrContact *c, const CrTouch *touch, PetscReal K1[9],
                         PetscReal K2[9]);
