/* A step as its parts see it: plain arrays of local dofs. They are opened once, at the start of the step,
   handed down to model, supports and contact, and closed at its end. */
#pragma once

#include "model/model.h"

#define CR_STEP_VECTORS 4 /* that may be open beside the trial positions */

typedef struct {
  const CrModel   *model; /* borrowed */
  const CrState   *state; /* at t_n, borrowed */
  PetscReal        h;
  const PetscReal *u0, *v0; /* of the state */
  const PetscReal *u1;      /* trial positions, of `trial`; the answer after a good solve */
  PetscReal       *um, *du; /* (u0 + u1)/2, u1 - u0; owned, as all below */
  PetscReal       *dv;      /* velocity change, by the method */
  Vec              trial;   /* written by CrStepTry alone */
  PetscInt         nopen;
  struct {
    Vec               vec; /* borrowed, as the array */
    const PetscReal **array;
  } open[CR_STEP_VECTORS]; /* what CrStepClose closes */
} CrStepArrays;

PetscErrorCode CrStepArraysCreate(const CrModel *model, CrStepArrays *step);
PetscErrorCode CrStepArraysDestroy(CrStepArrays *step);
/* A step of size h from the state; also for setup, which reads the state. */
PetscErrorCode CrStepOpen(CrStepArrays *step, const CrModel *model, const CrState *state,
                          PetscReal h);
/* Opens another vector for reading until the step is closed. Nobody may write it before, and *array must
   live as long. */
PetscErrorCode CrStepRead(CrStepArrays *step, Vec vec, const PetscReal **array);
/* The step tries the positions x: u1 with ghosts, um and du. Collective. */
PetscErrorCode CrStepTry(CrStepArrays *step, Vec x);
/* What was opened is NULL afterwards. */
PetscErrorCode CrStepClose(CrStepArrays *step);

/* The first n local numbers of a vector become those of an array. */
PetscErrorCode CrVecTake(Vec vec, PetscInt n, const PetscReal *from);
