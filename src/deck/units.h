/* Reads the labels of units, such as "mm", for reports, plots, pictures and terminal output. Numbers are never
   converted. All numbers of a deck are in one consistent system of units, and the section `units:` of the deck names
   these units. */
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
  CR_UNIT_IMPULSE, /* impulse and momentum */
  CR_UNIT_MOMENT,
  CR_UNIT_ANGULAR, /* angular momentum */
  CR_UNIT_SPIN,
  CR_UNITS,
  CR_UNIT_NONE = CR_UNITS
} CrUnit;

typedef struct {
  char label[CR_UNITS + 1][64]; /* label of each unit; empty: the deck does not name it */
} CrUnits;

extern const CrKey CrUnitKeys[]; /* table of the top-level key `units` and of the keys below it */

/* Returns the JSON key under which the data of a web page store the label of this unit. */
const char *CrUnitWord(CrUnit unit);
/* Reads the labels from the section `units` of a deck. `root` is the top node of the deck. Without this section all
   labels are empty. Units that do not agree with each other are a user error. The deck need not have been validated:
   values that are not texts are ignored. */
PetscErrorCode CrUnitsRead(const CrDeckNode *root, CrUnits *units);
/* Stores in `text` (of `size` bytes) the caption "words (label)", or the words alone if the unit has no label. */
void CrUnitsCaption(const CrUnits *units, CrUnit unit, const char words[], size_t size,
                    char text[]);
