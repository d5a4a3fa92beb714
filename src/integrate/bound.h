/* The critical step of explicit methods under large strain, bounded element by element. The bound changes as elements
   deform, so it is computed again at intervals. A computation of the bound takes as much time as ten to twenty steps.
   So the bound is computed more often only when it is close to the step size. */
#pragma once

#include "model/model.h"

typedef struct {
  PetscReal least_det; /* least det F over all ranks at the state; the method updates it */
  PetscBool automatic; /* the deck says `step: auto`: a step above `safety` times the bound fails */
  PetscReal safety;
  PetscBool bends; /* the bound may change, since some material has large strain */
  /* The last computation of the bound. All members are reals, because a checkpoint stores them as one entry. */
  struct {
    /* 0: not computed yet; the run itself computes the bound of an undeformed start */
    PetscReal bound;
    /* number of the step, and least det F, when the bound was computed */
    PetscReal step, least_det;
    PetscReal due;     /* number of the step at which the bound is to be computed again */
    PetscReal refused; /* 1: since this computation, a step was longer than the bound */
    /* 1: the user has been warned of a step above the bound; there is one warning per run */
    PetscReal told;
  } seen;
} CrBound;
#define CR_BOUND_REALS 6

/* Computes the bound of a deformed start. The run itself computes the bound of an undeformed start. Collective. */
PetscErrorCode CrBoundStart(CrBound *bound, const CrModel *model, const CrState *state);
/* Call it after a step of size h. Computes the bound again if a new computation is due. Collective. */
PetscErrorCode CrBoundFollow(CrBound *bound, const CrModel *model, const CrState *state,
                             PetscReal h);
/* Returns true if the step size h exceeds the bound, or with `step: auto` if h exceeds `safety` times the bound. The
   first time in a run, the function warns the user. t is the time that the warning prints. */
PetscBool CrBoundIsBelow(CrBound *bound, PetscReal t, PetscReal h);
