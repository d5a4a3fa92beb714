/* Rigid bodies of finite mass in an explicit step. */
#pragma once

#include "contact/multipliers/pair.h"

/* The rigid bodies of the model in a step. */
typedef struct {
  PetscInt n;
  /* [n] velocities of the bodies, owned. before: at t_{n-1/2}. star: after the loads have acted, without contact. now:
     in the present contact iteration. */
  CrPressBody *before, *star, *now;
  CrPose      *pose0,
      *pose; /* [n] poses at t_n, and at the end with the velocities `now`; owned, like `end` */
  CrRigidState *end; /* the state at the end, with the poses `pose` */
} CrRigidStep;

PetscErrorCode CrRigidStepCreate(const CrRigid *rigid, CrRigidStep **bodies);
PetscErrorCode CrRigidStepDestroy(CrRigidStep **bodies);
/* Begins a step from `state`: `star` and `now` get the velocities v0 + kick a, with a [3n]; all poses are those of
   t_n. */
void CrRigidStepBegin(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal kick, const PetscReal *a);
/* Computes `pose` and `end` from `state` with the velocities `now`, over the time h. */
void CrRigidStepPlace(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal h);
/* Sets the velocities of the iteration back to those without contact. */
void CrRigidStepRestore(CrRigidStep *bodies);
