/* Units of a deck, as unit labels in reports, plots, pictures and terminal output. Numbers are never converted: a deck is in one
   consistent set of units, and `units:` says which. */
#pragma once

#include "deck/deck.h"

typedef enum {
  CR_UNIT_LENGTH,
  CR_UNIT_MASS,
  CR_UNIT_TIME,
  CR_UNIT_FORCE,
  CR_UNIT_ENERGY,
  CR_UNIT_STRESS,
  CR_UNIT_VELOCITY,
  CR_UNIT_IMPULSE, /* and momentum */
  CR_UNIT_MOMENT,
  CR_UNIT_ANGULAR, /* angular momentum */
  CR_UNIT_SPIN,
  CR_UNITS,
  CR_UNIT_NONE = CR_UNITS
} CrUnit;

typedef struct {
  char label[CR_UNITS + 1][64]; /* empty: not known */
} CrUnits;

extern const CrKey CrUnitKeys[]; /* the top-level key `units` */

/* The word of the page for a unit. */
const char *CrUnitWord(CrUnit unit);
/* Labels from the section `units` of a deck; all are empty without it. Units that do not fit together are an error of
   the user. The deck need not have been validated: what is no text is left out. */
PetscErrorCode CrUnitsRead(const CrDeckNode *root, CrUnits *units);
/* "words (label)", or the words alone. */
void CrUnitsCaption(const CrUnits *units, CrUnit unit, const char words[], size_t size,
                    char text[]);
