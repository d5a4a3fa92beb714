/* An index finds numbers by keys (names, or tuples of integers) in constant time. */
#pragma once

#include "base/base.h"

typedef struct CrIndex CrIndex;

/* Creates an empty index. */
PetscErrorCode CrIndexCreate(CrIndex **index);
/* Adds a copy of the key with its number, which is at least 0. *old becomes -1. If the index contains the key already,
   nothing is added, and *old is the number of the key in the index. */
PetscErrorCode CrIndexAdd(CrIndex *index, const void *key, size_t bytes, PetscInt number,
                          PetscInt *old);
/* Returns the number of a key; -1 if the index is NULL or does not have the key. */
PetscInt CrIndexFind(const CrIndex *index, const void *key, size_t bytes);
/* CrIndexAddName and CrIndexFindName do the same as CrIndexAdd and CrIndexFind, with names as keys. */
PetscErrorCode CrIndexAddName(CrIndex *index, const char name[], PetscInt number, PetscInt *old);
PetscInt       CrIndexFindName(const CrIndex *index, const char name[]);
PetscErrorCode CrIndexDestroy(CrIndex **index);
