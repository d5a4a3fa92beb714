/* Enlarges arrays. A growing array is a pointer, the number of its entries, and `room`, the number of entries for which
   memory is allocated. */
#pragma once

#include "base/base.h"

/* Enlarges the allocated memory of an array to at least n entries, for instance CrGrow(list->n + 1, &list->room,
   &list->data). The array starts as NULL with room 0, and is freed with PetscFree. The room at least doubles each time,
   so adding n entries one by one copies O(n) entries. */
#define CrGrow(n, room, array) CrGrowArray(n, room, sizeof **(array), array)

/* CR_LIST declares a growing list with `n` entries, stored at `at`. CrListGrow enlarges its memory for `more` further
   entries. */
#define CR_LIST(type)                                                                              \
  struct {                                                                                         \
    PetscInt n, room;                                                                              \
    type    *at;                                                                                   \
  }
#define CrListGrow(list, more) CrGrow((list)->n + (more), &(list)->room, &(list)->at)
/* Appends an entry to a growing list. */
#define CrListAdd(list, ...)                                                                       \
  do {                                                                                             \
    PetscCall(CrListGrow(list, 1));                                                                \
    (list)->at[(list)->n++] = (__VA_ARGS__);                                                       \
  } while (0)

/* Enlarges two arrays that have the same allocated length. */
#define CrGrowTwo(n, room, a, b) CrGrowArrays(n, room, sizeof **(a), a, sizeof **(b), b)

/* Enlarges an array to at least n bytes, as CrGrow does for entries. */
PetscErrorCode CrGrowBytes(size_t n, size_t *room, void *bytes);

/* These functions do the work of the macros CrGrow and CrGrowTwo. `array`, `a` and `b` are addresses of pointers; sizes
   are bytes per entry. */
PetscErrorCode CrGrowArray(PetscInt n, PetscInt *room, size_t size, void *array);
PetscErrorCode CrGrowArrays(PetscInt n, PetscInt *room, size_t size_a, void *a, size_t size_b,
                            void *b);
