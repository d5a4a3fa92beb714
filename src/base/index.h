/* An index finds numbers by keys (names, or tuples of integers) in constant time. */
#pragma once

#include "base/base.h"

typedef struct CrIndex CrIndex;

/* An empty index. */
PetscErrorCode CrIndexCreate(CrIndex **index);
/* Adds a key of so many bytes, which is copied, unless the index has it. *old: the number that the key had
   before, which stays; -1: the key is new. Numbers are at least 0. */
PetscErrorCode CrIndexAdd(CrIndex *index, const void *key, size_t bytes, PetscInt number,
                          PetscInt *old);
/* The number of a key; -1: the index is NULL or does not have it. */
PetscInt CrIndexFind(const CrIndex *index, const void *key, size_t bytes);
/* The same for names. */
PetscErrorCode CrIndexAddName(CrIndex *index, const char name[], PetscInt number, PetscInt *old);
PetscInt       CrIndexFindName(const CrIndex *index, const char name[]);
PetscErrorCode CrIndexDestroy(CrIndex **index);
