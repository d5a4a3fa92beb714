/* Declares an index (hash table), which finds the number of a key in constant time. Keys are names or tuples of
   integers. */
#pragma once

#include "base/base.h"

typedef struct CrIndex CrIndex;

/* Creates an empty index. */
PetscErrorCode CrIndexCreate(CrIndex **index);
/* Adds a copy of the key, of `bytes` bytes, with its number, which is at least 0, and sets *old to -1. If the index
   contains the key already, the function adds nothing, and *old is the number stored with the key. */
PetscErrorCode CrIndexAdd(CrIndex *index, const void *key, size_t bytes, PetscInt number,
                          PetscInt *old);
/* Returns the number stored with a key, or -1 if the index is NULL or does not contain the key. */
PetscInt CrIndexFind(const CrIndex *index, const void *key, size_t bytes);
/* CrIndexAddName and CrIndexFindName do the same as CrIndexAdd and CrIndexFind, with names as keys. */
PetscErrorCode CrIndexAddName(CrIndex *index, const char name[], PetscInt number, PetscInt *old);
PetscInt       CrIndexFindName(const CrIndex *index, const char name[]);
PetscErrorCode CrIndexDestroy(CrIndex **index);
