/* Partners are rigid bodies of finite mass in a model with deformable bodies (theory 14.3). The motion of partners in a
   step follows from the trial positions of the mesh nodes, by solving the equations of motion of each partner. So an
   integration method computes only forces and tangents of nodes. */
#pragma once

#include "contact/touch/touch.h"

/* A rigid body in the step that is being solved. In 2D it moves in the plane. */
struct CrPartner {
  const CrShape *shape; /* borrowed */
  PetscReal      mass, I[3];
  PetscBool      is_free[6]; /* which components of `move` and `turn` are unknowns */
  /* State at t_n: pose, velocity v0, angular momentum pi0 in space, angular velocity Om0 in body axes. `load` is the
     acceleration that loads cause in the middle of the step. */
  CrPose    start;
  PetscReal v0[3], pi0[3], Om0[3], load[3];
  /* true in quasi-static analyses: the body is in equilibrium at the end of the step; "middle" below then means the
     end */
  PetscBool rests;
  /* true if contact acts at the end of the step, not at its middle: in quasi-static analyses, and with Newmark's
     method */
  PetscBool at_end;
  /* Weights of Newmark's method; NULL: the mid-point rule. a0: acceleration at t_n. A0: angular acceleration at t_n, in
     body axes. */
  const CrRigidNewmark *newmark;
  PetscReal             a0[3], A0[3];
  PetscReal             load0[3]; /* if contact acts at the end: acceleration by loads at t_n */
  /* parameters of the iteration towards equilibrium in quasi-static analyses (rest.c) */
  PetscReal drag, caution;
  /* The unknowns of the body in the step: displacement of the centre, and Cayley's rotation vector. */
  PetscReal move[3], turn[3];
  CrPose    end; /* pose R1, x1 at t_{n+1}, which follows from the unknowns */
  /* Values in the middle of the step. xm and Rm are the means of centre and rotation matrix at both ends of the step.
     Rh is the rotation matrix after half of the angle. */
  PetscReal xm[3], Rm[9], Rh[9];
  /* C is defined by dR1 Y = -C (Rm Y)^ d(turn) for any vector Y in body axes, where (..)^ is the matrix of the vector
     product. B is the derivative of the rotation Rh with respect to `turn`. If contact acts at the end of the step, B
     is the derivative of the rotation at the end. */
  PetscReal C[9], B[9];
  PetscReal part;    /* d(xm)/d(move): 1/2, or 1 if contact acts at the end */
  CrPose    path;    /* the pose at t_{n+1} after free flight, which the search assumed */
  PetscBool guessed; /* `guess` is valid: the pose at t_{n+1} in an earlier solution of the step */
  CrPose    guess;
  /* residual of the body's equations of motion; its derivative with respect to the unknowns, or the inverse of this
     derivative */
  PetscReal residual[6], K[36];
  PetscReal force[3], torque[3]; /* sums of contact forces and torques on the body */
  /* number of contacts of the body on all ranks, if these contacts are divided among the ranks; 0: sums over ranks are
     not needed */
  PetscInt shared;
};

#define CR_SCHUR_REALS 36 /* numbers that couple a node and the body: a 3 x 6 and a 6 x 3 block */

/* Derivatives of the forces of one contact. The first letter of a member says what is differentiated: the forces on the
   mesh nodes (n), or the force and torque on the rigid body (z). The second letter says with respect to what: the
   nodes' positions at the end of the step (n), or the body's unknowns `move` and `turn` (z). Rows and columns of nodes
   are dim * node + i. */
typedef struct {
  PetscReal nn[12][12], nz[12][6], zn[6][12], zz[6][6];
} CrBodyTangent;

/* ---- the step ---- */

/* Finds the rigid bodies that have contact points on several ranks, and sets `shared` of each partner. All ranks get
   the result. Called after a contact search. Collective. */
PetscErrorCode CrPartnersShare(CrContact *c);
/* Solves for the motion of all partners, with the mesh nodes at the trial positions of `step`. u0 are the displacements
   at t_n. Sets contact->work->lost if a body has no solution. Collective, like all functions that evaluate or
   differentiate a body. */
void CrPartnersSolve(CrContact *c, const PetscReal *u0, const CrContactStep *step);
/* Adds to the matrix the blocks of nodes that are coupled through a rigid body. */
PetscErrorCode CrPartnersAddTangent(CrContact *c, const CrContactStep *step,
                                    CrMatrixValues *values);
/* CrPartnersSurprise returns true if a body has left the path that the contact search assumed. CrPartnersGuess then
   stores the present poses as `guess`, so that a new contact search also follows the path to these poses. */
PetscBool CrPartnersSurprise(const CrContact *c);
void      CrPartnersGuess(CrContact *c);
/* Returns true if the path of the i-th node of the pass comes within the distance `reach` of the rigid body. */
PetscBool CrPartnerIsNear(const CrContact *c, const CrPass *p, PetscInt i, PetscReal reach);

/* These functions are for quasi-static analyses with exact contact laws. No contact spring moves a rigid body then, so
   the integration method moves it. CrPartnerWeight returns a stiffness that limits the motion of body b in an
   iteration. As the residual vanishes, this stiffness decreases to a small fraction. CrPartnerMove moves body b by
   `change`, which has three displacements and three rotations. If `change` is NULL, CrPartnerMove moves the body back
   to the start of the step. */
PetscReal CrPartnerWeight(const CrContact *c, PetscInt b);
void      CrPartnerMove(CrContact *c, PetscInt b, const PetscReal *change);

/* Replaces each of the n values by its sum over the ranks, if contacts of body b belong to several ranks.
   Collective. */
void CrPartnerSum(const CrContact *c, PetscInt b, PetscInt n, PetscReal *values);

/* Computes the position x of a corner of a partner whose shape is a polytope, at `pose`. */
void CrPartnerCornerAt(const CrPartner *partner, PetscInt corner, CrPoseOf pose, PetscReal x[3]);

/* ---- for the files of this folder ---- */

/* Computes all members of the partner that depend on the unknowns `move` and `turn`. */
void CrPartnerPlace(CrPartner *partner);
/* Computes the unit quaternion q of the rotation with the Cayley vector factor * th. */
void CrPartnerQuaternion(const PetscReal th[3], PetscReal factor, PetscReal q[4]);
/* Computes the 3 x 3 matrix M = d(x)/d(turn) in the middle of the step, for a point x of the body. r is the vector from
   the body's centre to x. */
void CrPartnerCarry(const CrPartner *partner, const PetscReal r[3], PetscReal M[9]);
/* Computes the force f on one of the four nodes of two edges that cross, from the last evaluation of the touch. */
void CrEdgeNodeForce(const CrTouch *touch, PetscInt node, PetscReal f[3]);
/* Computes, for a contact of two edges, the vectors `arm` from the body's centre to the two corners of its edge, in the
   middle of the step. Returns the index of the first corner among the four nodes of the contact. */
PetscInt CrEdgeArms(const CrContact *c, const CrTouch *touch, PetscReal arm[2][3]);
/* Computes the force f on the slave of a contact, from the last evaluation. */
void CrPartnerForce(const CrContact *c, const CrTouch *touch, PetscReal f[3]);
/* Adds the force of a contact to the force F and torque T on the body. Adds the magnitudes of this force and torque to
   sizes[0] and sizes[1]. */
void CrPartnerAddPoint(const CrContact *c, const CrTouch *touch, PetscReal F[3], PetscReal T[3],
                       PetscReal sizes[2]);
/* Evaluates all contacts of body b, and the residual of its equations of motion. If `choose` is true, contacts may
   change their facets. Returns the residual relative to the forces on the body; PETSC_MAX_REAL if a slave has no
   closest point. */
PetscReal CrPartnerEvaluate(CrContact *c, PetscInt b, const PetscReal *u0,
                            const CrContactStep *step, PetscBool choose);
/* Solves the equilibrium equations of body b in a quasi-static analysis, with the mesh nodes at their trial positions.
   Returns false if the body has no equilibrium. */
PetscBool CrPartnerSettle(CrContact *c, PetscInt b, const PetscReal *u0, const CrContactStep *step);
/* Computes the acceleration a and the rate of the angular momentum at the end of the step, for Newmark's method. */
void CrNewmarkAccelerations(const CrPartner *partner, PetscReal h, PetscReal a[3],
                            PetscReal rate[3]);
/* Adds to K, the derivative of the residual, the derivative of the inertia forces, for Newmark's method. */
void CrNewmarkAddInertia(const CrPartner *partner, PetscReal h, PetscReal K[36]);
/* Copies to the state the velocities and accelerations of body b at the end of the step, for Newmark's method. */
void CrNewmarkAccept(const CrPartner *partner, PetscInt b, PetscReal h, CrRigidState *state);
/* Raises sizes[], the reference values of force and torque to which the residual is compared, if hardly any force acts
   on body b. */
void CrPartnerFloor(const CrContact *c, PetscInt b, PetscReal sizes[2]);
/* Returns true if the residual of body b is as small as the force error that rounding of positions causes in the
   contact springs at the body. */
PetscBool CrPartnerIsRounding(const CrContact *c, PetscInt b);
/* Adds a weak spring to K, the derivative of the residual. So K has an inverse even if a motion of body b has no
   stiffness. */
void CrPartnerAnchor(const CrContact *c, PetscInt b, PetscReal K[36]);
/* Sets partner->K to the inverse of the residual's derivative at the last evaluation. Returns false if this derivative
   is singular. */
PetscBool CrPartnerDifferentiate(CrContact *c, PetscInt b, const CrContactStep *step);
/* Adds scale * M to the matrix block of the nodes A (rows) and B (columns), if this rank owns node A. */
void CrPartnerAddBlock(const CrContact *c, PetscInt A, PetscInt B, PetscReal scale,
                       const PetscReal M[9], CrMatrixValues *values);
/* CrPartnerTurn and CrPartnerCouple do the work of the functions `turn` and `couple` of CrPassOps, from the derivatives
   in `tangent`. */
void CrPartnerTurn(const CrBodyTangent *tangent, PetscReal K[36]);
/* nodes->column[] are the indices of the nodes in `tangent`. Returns the number of nodes that are stored from entry m
   on. */
PetscInt CrPartnerCouple(const CrContact *c, const CrPartner *partner, const CrBodyTangent *tangent,
                         const CrSpread *nodes, PetscInt m, CrMatrixValues *values);
/* Computes the derivatives of the force on a node in contact with a rigid body. K1 is the derivative with respect to
   the node's position at the end of the step. K2 is the derivative with respect to the body's rotation `turn`. The
   derivative with respect to the body's centre is -K1. */
void CrNodeOnBodyTangent(const CrContact *c, const CrTouch *touch, PetscReal K1[9],
                         PetscReal K2[9]);
