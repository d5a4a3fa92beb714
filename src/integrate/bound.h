/* The element bound of explicit steps, followed under large strain: all elements are looked at again
   now and then; one look costs as much as ten steps. */
#pragma once

#include "model/model.h"

typedef struct {
  PetscReal least_det; /* of all ranks, at the state; the method keeps it up to date */
  PetscBool automatic; /* step: auto: a step above `safety` times the bound fails */
  PetscReal safety;
  PetscBool bends; /* the bound may move: some material has large strain */
  PetscBool told;  /* that the bound fell below the step */
  struct {
    PetscReal bound; /* 0: none yet; the run has judged the start at rest */
    PetscReal step, least_det, falls;
  } seen; /* in the last look; reals only: an entry of the checkpoint */
} CrBound;

/* A start at rest was judged by the run; one that is deformed is looked at. Collective. */
PetscErrorCode CrBoundStart(CrBound *bound, const CrModel *model, const CrState *state);
/* Looks where that is due. Collective. */
PetscErrorCode CrBoundFollow(CrBound *bound, const CrModel *model, const CrState *state);
/* Is the step above the bound? The user hears of it once. */
PetscBool CrBoundIsBelow(CrBound *bound, PetscReal t, PetscReal h);
