/* Rigid bodies of finite mass beside deformable ones (theory 14.3). Their motion in a step follows from the
   trial positions of the nodes, so that a method only sees forces and tangents of nodes. */
#pragma once

#include "contact/touch/touch.h"

/* A rigid body in the step that is being solved; 2D: in the plane. */
struct CrPartner {
  const CrShape *shape; /* borrowed */
  PetscReal      mass, I[3];
  PetscBool      is_free[6]; /* which of `move` and `turn` are unknowns */
  /* at t_n; load: acceleration from outside in the middle of the step */
  PetscReal x0[3], v0[3], pi0[3], Om0[3], R0[9], load[3];
  PetscReal move[3], turn[3];     /* the unknowns: x1 - x0, Cayley's rotation vector */
  PetscReal x1[3], R1[9];         /* the end that follows from them */
  PetscReal xm[3], Rm[9], Rh[9];  /* the middle: means of both ends; turned half way */
  PetscReal C[9], B[9];           /* dR1 Y = -C (Rm Y)^ d(turn); rotation of Rh by d(turn) */
  PetscReal path_x[3], path_R[9]; /* where the search believed that the step ends */
  PetscBool guessed;              /* a solution is known: where to search too */
  PetscReal guess_x[3], guess_R[9];
  PetscReal residual[6], K[36];  /* of its equations; derivative by the unknowns, then inverse */
  PetscReal force[3], torque[3]; /* of contact */
};

#define CR_SCHUR_REALS 36 /* coupling of one node to the body: 3 x 6, then 6 x 3 */

/* ---- the step ---- */

/* Motion of all bodies for the nodes as they are; contact->work->lost where one has no solution. */
PetscErrorCode CrPartnersSolve(CrContact *c, const PetscReal *u0, const CrContactStep *step);
PetscErrorCode CrPartnersAddTangent(CrContact *c, const CrContactStep *step,
                                    CrMatrixValues *values);
/* Has a body gone elsewhere than the search expected? Then it must also look where the bodies are now. */
PetscBool CrPartnersSurprise(const CrContact *c);
void      CrPartnersGuess(CrContact *c);
/* Does the node come within reach of the body on its path? */
PetscBool CrPartnerIsNear(const CrContact *c, const CrPass *p, PetscInt i, PetscReal reach);

/* ---- for the files of this folder ---- */

/* Everything that follows from `move` and `turn`. */
void CrPartnerPlace(CrPartner *partner);
/* The quaternion of `factor` times a Cayley vector. */
void CrPartnerQuaternion(const PetscReal th[3], PetscReal factor, PetscReal q[4]);
/* Force of a point on its slave, from the last evaluation. */
void CrPartnerForce(const CrContact *c, const CrTouch *touch, PetscReal f[3]);
/* Adds a point to force and torque on the body; sizes: sums of their absolute values. */
void CrPartnerAddPoint(const CrContact *c, const CrTouch *touch, PetscReal F[3], PetscReal T[3],
                       PetscReal sizes[2]);
/* partner->K: inverse of the derivative of the residual at the last evaluation; false: singular. */
PetscBool CrPartnerDifferentiate(CrContact *c, PetscInt b, const CrContactStep *step);
/* A += scale M between two nodes, if this rank owns the first. */
void CrPartnerAddBlock(const CrContact *c, PetscInt A, PetscInt B, PetscReal scale,
                       const PetscReal M[9], CrMatrixValues *values);
/* Derivative of the force on a node by its end position (and, with the other sign, by the centre's), and by
   `turn`. */
void CrNodeOnBodyTangent(const CrContact *c, const CrTouch *touch, PetscReal K1[9],
                         PetscReal K2[9]);
