/* Rotation of rigid bodies in time (theory 18.1), and quaternions. */
#pragma once

#include "rigid/rigid.h"

void CrQuaternionTimes(const PetscReal a[4], const PetscReal b[4], PetscReal c[4]);
void CrQuaternionMatrix(const PetscReal q[4], PetscReal R[9]);
void CrQuaternionTurn(const PetscReal rotation[3],
                      PetscReal       q[4]); /* quaternion of a rotation vector, exact */
/* Rotates v by the Cayley map of the rotation vector delta. Both vectors have components in space axes. */
void CrCayleyTurn(const PetscReal delta[3], PetscReal v[3]);
/* Computes the rotation in one step of size h under the torque impulse m (in space). The function changes the
   orientation only: the caller must set pi to pi + m. om is the angular velocity with which m does work: the
   rotational energy changes by exactly m.om. Returns false if there is no solution, because h times the angular
   velocity is too large. */
PetscBool CrRotationStep(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                         const PetscReal m[3], PetscReal om[3]);
/* Moves a body in free flight over the time h, under the constant acceleration g. The motion is exact, except for the
   rotation of asymmetric bodies, which has order 6. Energy and momenta are always conserved up to rounding errors. */
void CrRigidFlight(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                   const PetscReal g[3]);
