#include "base/grow.h"

#define FIRST_ROOM 16 /* entries: most lists are longer than that or empty */

static PetscInt next_room(PetscInt n, PetscInt room)
{
  PetscInt twice = room <= PETSC_MAX_INT / 2 ? 2 * room : PETSC_MAX_INT;

  return PetscMax(PetscMax(n, twice), FIRST_ROOM);
}

PetscErrorCode CrGrowArray(PetscInt n, PetscInt *room, size_t size, void *array)
{
  PetscInt wanted = next_room(n, *room);

  PetscFunctionBeginUser;
  if (n <= *room) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc(size * (size_t)wanted, array));
  *room = wanted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGrowArrays(PetscInt n, PetscInt *room, size_t size_a, void *a, size_t size_b,
                            void *b)
{
  PetscInt wanted = next_room(n, *room);

  PetscFunctionBeginUser;
  if (n <= *room) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc(size_a * (size_t)wanted, a));
  PetscCall(PetscRealloc(size_b * (size_t)wanted, b));
  *room = wanted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGrowBytes(size_t n, size_t *room, void *bytes)
{
  size_t wanted = PetscMax(PetscMax(n, 2 * *room), FIRST_ROOM);

  PetscFunctionBeginUser;
  if (n <= *room) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscRealloc(wanted, bytes));
  *room = wanted;
  PetscFunctionReturn(PETSC_SUCCESS);
}
