/* Rigid bodies of finite mass in an explicit step. */
#pragma once

#include "contact/multipliers/pair.h"

/* The rigid bodies of the model in a step. */
typedef struct {
  PetscInt     n;
  CrPressBody *before, *star, *now; /* [n] of v_{n-1/2}, without contact, of the iteration; owned */
  CrPose      *pose0, *pose;        /* [n] at t_n, where `now` leads; owned, as below */
  CrRigidState *end;                /* the state behind `pose` */
} CrRigidStep;

PetscErrorCode CrRigidStepCreate(const CrRigid *rigid, CrRigidStep **bodies);
PetscErrorCode CrRigidStepDestroy(CrRigidStep **bodies);
/* A step from `state` begins: velocities v0 + kick a; a: [3n]. All poses are those of t_n. */
void CrRigidStepBegin(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal kick, const PetscReal *a);
/* Poses and end where the velocities of the iteration lead from `state` in h. */
void CrRigidStepPlace(CrRigidStep *bodies, const CrRigid *rigid, const CrRigidState *state,
                      PetscReal h);
/* The iteration stands at the velocities without contact again. */
void CrRigidStepRestore(CrRigidStep *bodies);
