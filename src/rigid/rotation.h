/* Time integration of the rotation of rigid bodies (theory 18.1), and functions of quaternions. */
#pragma once

#include "rigid/rigid.h"

void CrQuaternionTimes(const PetscReal a[4], const PetscReal b[4], PetscReal c[4]);
void CrQuaternionMatrix(const PetscReal q[4], PetscReal R[9]);
/* Computes the quaternion q of a rotation vector, without approximation. */
void CrQuaternionTurn(const PetscReal rotation[3], PetscReal q[4]);
/* Rotates v by the Cayley map of the rotation vector delta. Both vectors have components in space axes. */
void CrCayleyTurn(const PetscReal delta[3], PetscReal v[3]);
/* Computes the rotation in one step of size h under the angular impulse m (in space axes). The function changes the
   orientation only. The caller must then add m to the angular momentum pi. om gets the mean angular velocity for which
   the rotational energy changes by exactly m.om. Returns false if there is no solution, because h times the angular
   velocity is too large. */
PetscBool CrRotationStep(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                         const PetscReal m[3], PetscReal om[3]);
/* Moves a body in free flight over the time h, under the constant acceleration g. The motion is exact, except for the
   rotation of bodies without rotational symmetry, whose error is of order 6 in h. Energy and momenta are always
   conserved up to rounding errors. */
void CrRigidFlight(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                   const PetscReal g[3]);
