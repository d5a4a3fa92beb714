/* The options of the method `explicit`, as the deck gives them. */
#pragma once

#include "contact/multipliers/multipliers.h"
#include "deck/deck.h"

typedef struct {
  CrMultiplierOptions contact;
  PetscBool           inner_given, iterations_given; /* the deck gives `inner`, or `iterations` */
  PetscReal           safety;    /* step: auto is this times the element bound */
  PetscBool           automatic; /* step: auto */
} CrExplicitOptions;

extern const CrKey CrExplicitKeys[];

void CrExplicitOptionsRead(const CrDeckNode *time, CrExplicitOptions *options);
/* With rigid bodies, the iteration is accelerated and longer, unless the deck says otherwise. */
void CrExplicitPreferAccelerated(CrExplicitOptions *options);
