/* Large arrays of zeros of which only parts are used. Pages of memory to which nothing was written use no physical
   memory. So an array may have an entry for every node, or for every contact point, although this rank uses only a few
   entries. */
#pragma once

#include "base/base.h"

/* Creates an array of n zeros, for instance CrLazyCreate(n, &array). The old value of the pointer `array` is not used.
   */
#define CrLazyCreate(n, array) CrLazyAllocate((size_t)(n), sizeof **(array), array)
/* Frees the array and sets it to NULL, for instance CrLazyDestroy(&array). NULL stays NULL. */
#define CrLazyDestroy(array) CrLazyFree(array)

/* The functions behind the macros. `array` is the address of a pointer. */
PetscErrorCode CrLazyAllocate(size_t n, size_t size, void *array);
PetscErrorCode CrLazyFree(void *array);
