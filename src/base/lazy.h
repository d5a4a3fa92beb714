/* Creates large arrays of zeros of which only parts are used. The operating system gives physical memory only to those
   pages of an array that are written. So an array may have an entry for every node, or for every contact point,
   although this rank uses only a few entries. */
#pragma once

#include "base/base.h"

/* Creates an array of n zeros, for instance CrLazyCreate(n, &array). The old value of the pointer `array` is
   ignored. */
#define CrLazyCreate(n, array) CrLazyAllocate((size_t)(n), sizeof **(array), array)
/* Frees the array and sets it to NULL, for instance CrLazyDestroy(&array). NULL stays NULL. */
#define CrLazyDestroy(array) CrLazyFree(array)

/* Returns the memory pages of a range of zeros to the operating system. The range must contain zeros only, and it keeps
   them. A page takes memory again when it is written. So an array that another library has filled with zeros becomes
   like one of CrLazyCreate. */
void CrLazyDrop(void *range, size_t bytes);

/* These functions do the work of the macros CrLazyCreate and CrLazyDestroy. `array` is the address of a pointer, and
   `size` is the number of bytes per entry. */
PetscErrorCode CrLazyAllocate(size_t n, size_t size, void *array);
PetscErrorCode CrLazyFree(void *array);
