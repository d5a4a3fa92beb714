/* The element bound of explicit steps, followed under large strain: all elements are looked at again
   now and then, the more often the sooner the bound may reach the step. One look costs as much as
   ten to twenty steps. */
#pragma once

#include "model/model.h"

typedef struct {
  PetscReal least_det; /* of all ranks, at the state; the method keeps it up to date */
  PetscBool automatic; /* step: auto: a step above `safety` times the bound fails */
  PetscReal safety;
  PetscBool bends; /* the bound may move: some material has large strain */
  struct {
    PetscReal bound; /* 0: none yet; the run has judged the start at rest */
    PetscReal step, least_det;
    PetscReal due;     /* step at which the next look is due */
    PetscReal refused; /* a step was above the bound since */
    PetscReal told;    /* the user has heard of such a step, once a run */
  } seen;              /* in the last look; reals only: an entry of the checkpoint */
} CrBound;
#define CR_BOUND_REALS 6

/* A start at rest was judged by the run; one that is deformed is looked at. Collective. */
PetscErrorCode CrBoundStart(CrBound *bound, const CrModel *model, const CrState *state);
/* Looks where that is due; h: the step that led here. Collective. */
PetscErrorCode CrBoundFollow(CrBound *bound, const CrModel *model, const CrState *state,
                             PetscReal h);
/* Is the step above the bound? The user hears of it once. */
PetscBool CrBoundIsBelow(CrBound *bound, PetscReal t, PetscReal h);
