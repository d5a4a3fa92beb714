/* The critical step of explicit methods under large strain, bounded element by element. The bound changes as elements
   deform, so it is computed again now and then. A computation of the bound costs as much as ten to twenty steps, so it
   is repeated more often only when the bound comes close to the step. */
#pragma once

#include "model/model.h"

typedef struct {
  PetscReal least_det; /* least det F over all ranks at the state; the method updates it */
  PetscBool automatic; /* the deck says `step: auto`: a step above `safety` times the bound fails */
  PetscReal safety;
  PetscBool bends; /* the bound may change, since some material has large strain */
  /* The last computation of the bound. All members are reals, because a checkpoint stores them as one entry. */
  struct {
    PetscReal bound; /* 0: not computed yet; the run has computed it for the start at rest */
    PetscReal step, least_det; /* number of the step, and least det F, at that time */
    PetscReal due;             /* number of the step at which the bound is to be computed again */
    PetscReal refused;         /* 1: a step has been above the bound since then */
    PetscReal told; /* 1: the user was warned of such a step; there is one warning per run */
  } seen;
} CrBound;
#define CR_BOUND_REALS 6

/* Computes the bound of a deformed start. The run has done so for a start at rest. Collective. */
PetscErrorCode CrBoundStart(CrBound *bound, const CrModel *model, const CrState *state);
/* Call it after a step of size h. Computes the bound again if a new computation is due. Collective. */
PetscErrorCode CrBoundFollow(CrBound *bound, const CrModel *model, const CrState *state,
                             PetscReal h);
/* Returns true if the step size h exceeds the bound, or with `step: auto` if h exceeds `safety` times the bound. The
   first time in a run, the function warns the user. t is the time that the warning prints. */
PetscBool CrBoundIsBelow(CrBound *bound, PetscReal t, PetscReal h);
