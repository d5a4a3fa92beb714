/* The options of the method `explicit`, as the deck gives them. */
#pragma once

#include "contact/multipliers/multipliers.h"
#include "deck/deck.h"

typedef struct {
  CrMultiplierOptions contact;
  PetscBool           inner_given, iterations_given; /* the deck gives `inner`, or `iterations` */
  PetscReal safety;    /* with `step: auto` the step size is `safety` times the element bound */
  PetscBool automatic; /* the deck says `step: auto` */
} CrExplicitOptions;

extern const CrKey CrExplicitKeys[];

void CrExplicitOptionsRead(const CrDeckNode *time, CrExplicitOptions *options);
/* Sets the defaults for models with rigid bodies: an accelerated iteration with more steps, unless the deck sets these
   options. */
void CrExplicitPreferAccelerated(CrExplicitOptions *options);
