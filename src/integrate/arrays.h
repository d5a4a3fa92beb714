/* Arrays of displacements and velocities in a step, with one number per local degree of freedom. The arrays are opened
   at the start of the step and closed at its end. The functions for internal forces, supports and contact read them. */
#pragma once

#include "model/model.h"

#define CR_STEP_VECTORS 4 /* greatest number of open vectors, not counting `trial` */

typedef struct {
  const CrModel   *model; /* borrowed */
  const CrState   *state; /* state at t_n; borrowed */
  PetscReal        h;
  const PetscReal *u0, *v0; /* displacements and velocities at t_n */
  /* array of `trial`: the present iterate of the displacements at t_{n+1} */
  const PetscReal *u1;
  PetscReal       *um, *du; /* (u0 + u1)/2 and u1 - u0; owned, like all members below */
  PetscReal       *dv;      /* change of velocity in the step; the method computes it */
  Vec              trial;   /* displacements of the present iterate; only CrStepTry changes them */
  PetscInt         nopen;
  struct {
    Vec               vec; /* borrowed, like the array */
    const PetscReal **array;
  } open[CR_STEP_VECTORS]; /* vectors that CrStepClose closes */
} CrStepArrays;

PetscErrorCode CrStepArraysCreate(const CrModel *model, CrStepArrays *step);
PetscErrorCode CrStepArraysDestroy(CrStepArrays *step);
/* Opens the arrays for a step of size h that starts from `state`. The setup of a method may also call this function, to
   read the state. */
PetscErrorCode CrStepOpen(CrStepArrays *step, const CrModel *model, const CrState *state,
                          PetscReal h);
/* Opens another vector for reading, and sets *array to its values. The vector stays open until CrStepClose. Until then
   nobody may write to the vector, and the variable *array must exist. */
PetscErrorCode CrStepRead(CrStepArrays *step, Vec vec, const PetscReal **array);
/* Takes the displacements x as the iterate for t_{n+1}: sets u1 with its ghosts, um and du. Collective. */
PetscErrorCode CrStepTry(CrStepArrays *step, Vec x);
/* Closes all arrays, and sets the pointers to them to NULL. */
PetscErrorCode CrStepClose(CrStepArrays *step);

/* Copies the first n numbers of an array into the local part of a vector. */
PetscErrorCode CrVecTake(Vec vec, PetscInt n, const PetscReal *from);
