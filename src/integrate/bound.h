/* A lower bound of the critical step of explicit methods, from the eigenvalues of single elements. The bound changes as
   elements deform under large strain, so it is computed again at intervals. One computation of the bound costs as much
   as ten to twenty steps. Therefore the bound is computed often only when it is close to the step size. */
#pragma once

#include "model/model.h"

typedef struct {
  /* least det F of all elements in the present state, over all ranks; the method updates it */
  PetscReal least_det;
  /* the deck says `step: auto`; then a step above `safety` times the bound fails */
  PetscBool automatic;
  PetscReal safety;
  /* true: the bound may change during the run, since some material has large strain */
  PetscBool bends;
  /* The last computation of the bound. All members are reals, because a checkpoint stores them as one entry. */
  struct {
    /* the bound of the critical step; 0: it has not been computed yet */
    PetscReal bound;
    /* number of the step, and least det F, when the bound was computed */
    PetscReal step, least_det;
    PetscReal due;     /* number of the step at which the bound is to be computed again */
    PetscReal refused; /* 1: a step after this computation was longer than the bound */
    /* 1: the user has been warned of a step above the bound; there is one warning per run */
    PetscReal told;
  } seen;
} CrBound;
#define CR_BOUND_REALS 6

/* Computes the bound at the start of a run, if the bodies are deformed then. For an undeformed start the caller of the
   method has already computed the bound. Collective. */
PetscErrorCode CrBoundStart(CrBound *bound, const CrModel *model, const CrState *state);
/* Computes the bound again if a new computation is due. The method calls this function after every step; h is the step
   size. Collective. */
PetscErrorCode CrBoundFollow(CrBound *bound, const CrModel *model, const CrState *state,
                             PetscReal h);
/* Returns true if the step size h exceeds the bound, or with `step: auto` if h exceeds `safety` times the bound. The
   first time in a run, the function warns the user. The warning contains the time t. */
PetscBool CrBoundIsBelow(CrBound *bound, PetscReal t, PetscReal h);
