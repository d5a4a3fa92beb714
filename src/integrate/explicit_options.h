/* The options of the time integration method `explicit`, as the deck gives them. */
#pragma once

#include "contact/multipliers/multipliers.h"
#include "deck/deck.h"

typedef struct {
  CrMultiplierOptions contact;
  /* the deck contains the key `inner`, or the key `iterations` */
  PetscBool inner_given, iterations_given;
  /* with `step: auto`, the step size is `safety` times the bound of the critical step (bound.h) */
  PetscReal safety;
  PetscBool automatic; /* the deck says `step: auto` */
} CrExplicitOptions;

extern const CrKey CrExplicitKeys[];

void CrExplicitOptionsRead(const CrDeckNode *time, CrExplicitOptions *options);
/* Sets the defaults for models with rigid bodies: an accelerated contact iteration with a higher limit of iterations.
   Options that the deck sets do not change. */
void CrExplicitPreferAccelerated(CrExplicitOptions *options);
