/* Arrays of displacements and velocities in a step, with one number per local degree of freedom. The arrays are opened
   at the start of the step and closed at its end. Model, supports and contact read them. */
#pragma once

#include "model/model.h"

#define CR_STEP_VECTORS 4 /* how many vectors may be open beside the trial positions */

typedef struct {
  const CrModel   *model; /* borrowed */
  const CrState   *state; /* state at t_n; borrowed */
  PetscReal        h;
  const PetscReal *u0, *v0; /* displacements and velocities at t_n */
  const PetscReal *u1;      /* array of `trial`: displacements that Newton tries for t_{n+1} */
  PetscReal       *um, *du; /* (u0 + u1)/2 and u1 - u0; owned, like all members below */
  PetscReal       *dv;      /* change of velocity, which the method computes */
  Vec              trial;   /* only CrStepTry writes it */
  PetscInt         nopen;
  struct {
    Vec               vec; /* borrowed, like the array */
    const PetscReal **array;
  } open[CR_STEP_VECTORS]; /* CrStepClose closes these */
} CrStepArrays;

PetscErrorCode CrStepArraysCreate(const CrModel *model, CrStepArrays *step);
PetscErrorCode CrStepArraysDestroy(CrStepArrays *step);
/* Opens the arrays for a step of size h from the state. A method's setup may use it too, to read the state. */
PetscErrorCode CrStepOpen(CrStepArrays *step, const CrModel *model, const CrState *state,
                          PetscReal h);
/* Opens another vector for reading. The vector stays open until CrStepClose. Until then the vector must not be written,
   and *array must stay valid. */
PetscErrorCode CrStepRead(CrStepArrays *step, Vec vec, const PetscReal **array);
/* Tries the displacements x: sets u1 with its ghosts, um and du. Collective. */
PetscErrorCode CrStepTry(CrStepArrays *step, Vec x);
/* Closes all arrays; the pointers to them become NULL. */
PetscErrorCode CrStepClose(CrStepArrays *step);

/* Copies the first n numbers of an array into the local part of a vector. */
PetscErrorCode CrVecTake(Vec vec, PetscInt n, const PetscReal *from);
