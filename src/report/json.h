/* Parts of the page's description. Out of memory is an error of PETSc's. */
#pragma once

#include <cjson/cJSON.h>
#include "deck/deck.h"

/* A deck as JSON, numbers as numbers. The caller deletes. */
PetscErrorCode CrJsonOfDeck(const CrDeckNode *node, cJSON **json);
PetscErrorCode CrJsonAdd(cJSON *object, const char name[], cJSON *value);
PetscErrorCode CrJsonAddText(cJSON *object, const char name[], const char text[]);
PetscErrorCode CrJsonAddReal(cJSON *object, const char name[], PetscReal value);
PetscErrorCode CrJsonAddReals(cJSON *object, const char name[], PetscInt n,
                              const PetscReal values[]);
