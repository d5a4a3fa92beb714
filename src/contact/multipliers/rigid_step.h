/* The motion of rigid bodies of finite mass in an explicit step. */
#pragma once

#include "contact/multipliers/pair.h"

/* The rigid bodies of the model in a step. */
typedef struct {
  PetscInt n;
  /* [n] velocities of the bodies; owned. before: at t_{n-1/2}. star: at t_{n+1/2} with loads but without contact. now:
     at t_{n+1/2} in the present contact iteration. */
  CrPressBody *before, *star, *now;
  /* [n] pose0: poses at t_n. pose: poses at the end of the step with the velocities `now`. Owned, like `end`. */
  CrPose       *pose0, *pose;
  CrRigidState *end; /* the state at the end of the step, with the poses `pose` */
} CrRigidStep;

PetscErrorCode CrRigidStepCreate(const CrRigid *rigid, CrRigidStep **bodies);
PetscErrorCode CrRigidStepDestroy(CrRigidStep **bodies);
/* Begins a step from `state`. `star` and `now` get the velocities v0 + kick * a, where v0 are the velocities in `state`
   and a[3n] are accelerations. All poses become those at t_n. */
void CrRigidStepBegin(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal kick, const PetscReal *a);
/* Computes `pose` and `end`: the bodies move from `state` with the velocities `now` over the time h. */
void CrRigidStepPlace(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal h);
/* Resets the velocities `now` to the velocities `star` without contact. */
void CrRigidStepRestore(CrRigidStep *bodies);
