/* Makes JSON documents with the library cJSON. If memory runs out, the functions return a PETSc error. */
#pragma once

#include <cjson/cJSON.h>
#include "deck/deck.h"

/* Converts a node of a deck, with all nodes below it, to JSON. Numbers become JSON numbers. The caller deletes
   *json. */
PetscErrorCode CrJsonOfDeck(const CrDeckNode *node, cJSON **json);
PetscErrorCode CrJsonAdd(cJSON *object, const char name[], cJSON *value);
PetscErrorCode CrJsonAddText(cJSON *object, const char name[], const char text[]);
PetscErrorCode CrJsonAddReal(cJSON *object, const char name[], PetscReal value);
PetscErrorCode CrJsonAddReals(cJSON *object, const char name[], PetscInt n,
                              const PetscReal values[]);
