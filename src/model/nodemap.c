/* Local numbers of nodes by their natural numbers. */
#include "model/share.h"

#define WIDE 8 /* entries of a table per node */

PetscErrorCode CrNodeMapCreate(PetscInt n, const PetscInt *natural, CrNodeMap *map)
{
  PetscInt high = -1;

  PetscFunctionBeginUser;
  *map = (CrNodeMap){.low = PETSC_MAX_INT, .n = n};
  for (PetscInt k = 0; k < n; k++) {
    map->low = PetscMin(map->low, natural[k]);
    high = PetscMax(high, natural[k]);
  }
  map->span = n ? high - map->low + 1 : 0;
  if (map->span / WIDE <= n) {
    PetscCall(PetscMalloc1(map->span, &map->table));
    for (PetscInt k = 0; k < map->span; k++) map->table[k] = -1;
    for (PetscInt k = 0; k < n; k++) map->table[natural[k] - map->low] = k;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscMalloc2(n, &map->naturals, n, &map->locals));
  for (PetscInt k = 0; k < n; k++) {
    map->naturals[k] = natural[k];
    map->locals[k] = k;
  }
  PetscCall(PetscSortIntWithArray(n, map->naturals, map->locals));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrNodeMapFind(const CrNodeMap *map, PetscInt natural)
{
  PetscInt low = 0, high = map->n;

  if (natural < map->low || natural - map->low >= map->span) return -1;
  if (map->table) return map->table[natural - map->low];
  while (low < high) {
    PetscInt middle = low + (high - low) / 2;

    if (map->naturals[middle] < natural)
      low = middle + 1;
    else
      high = middle;
  }
  return low < map->n && map->naturals[low] == natural ? map->locals[low] : -1;
}

PetscErrorCode CrNodeMapDestroy(CrNodeMap *map)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(map->table));
  PetscCall(PetscFree2(map->naturals, map->locals));
  PetscFunctionReturn(PETSC_SUCCESS);
}
