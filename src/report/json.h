/* Helpers for JSON documents. If memory runs out, they return a PETSc error. */
#pragma once

#include <cjson/cJSON.h>
#include "deck/deck.h"

/* Converts a deck to JSON, with numbers as JSON numbers. The caller deletes it. */
PetscErrorCode CrJsonOfDeck(const CrDeckNode *node, cJSON **json);
PetscErrorCode CrJsonAdd(cJSON *object, const char name[], cJSON *value);
PetscErrorCode CrJsonAddText(cJSON *object, const char name[], const char text[]);
PetscErrorCode CrJsonAddReal(cJSON *object, const char name[], PetscReal value);
PetscErrorCode CrJsonAddReals(cJSON *object, const char name[], PetscInt n,
                              const PetscReal values[]);
