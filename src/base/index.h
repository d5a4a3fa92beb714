/* An index finds numbers by keys (names, or tuples of integers) in constant time. */
#pragma once

#include "base/base.h"

typedef struct CrIndex CrIndex;

/* An empty index. */
PetscErrorCode CrIndexCreate(CrIndex **index);
/* Adds a copy of the key with its number, unless the index has the key. *old is -1 for a new key. If the key exists
   already, *old is its number, which does not change. Numbers are at least 0. */
PetscErrorCode CrIndexAdd(CrIndex *index, const void *key, size_t bytes, PetscInt number,
                          PetscInt *old);
/* The number of a key; -1 if the index is NULL or does not have the key. */
PetscInt CrIndexFind(const CrIndex *index, const void *key, size_t bytes);
/* The same for names. */
PetscErrorCode CrIndexAddName(CrIndex *index, const char name[], PetscInt number, PetscInt *old);
PetscInt       CrIndexFindName(const CrIndex *index, const char name[]);
PetscErrorCode CrIndexDestroy(CrIndex **index);
