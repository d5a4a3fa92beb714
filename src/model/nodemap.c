/* Finds local numbers of nodes by their natural numbers. */
#include "model/share.h"

#define WIDE 8 /* entries of a table per node */

/* The entry of a natural number, or the free entry where it belongs. At least half of the entries are free. */
static CrNodeEntry *find(const CrNodeMap *map, PetscInt natural)
{
  const uint64_t spread = (uint64_t)natural * 0x9e3779b97f4a7c15ULL;
  const PetscInt last = ((PetscInt)1 << map->bits) - 1;
  PetscInt       k = (PetscInt)(spread >> (64 - map->bits));

  while (map->entries[k].natural != natural && map->entries[k].natural >= 0) k = (k + 1) & last;
  return &map->entries[k];
}

PetscErrorCode CrNodeMapCreate(PetscInt n, const PetscInt *natural, CrNodeMap *map)
{
  PetscInt high = -1;

  PetscFunctionBeginUser;
  *map = (CrNodeMap){.low = PETSC_MAX_INT, .bits = 1};
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
  while (((PetscInt)1 << map->bits) < 2 * n) map->bits++;
  PetscCall(PetscMalloc1((PetscInt)1 << map->bits, &map->entries));
  for (PetscInt k = 0; k < (PetscInt)1 << map->bits; k++)
    map->entries[k] = (CrNodeEntry){.natural = -1};
  for (PetscInt k = 0; k < n; k++) *find(map, natural[k]) = (CrNodeEntry){natural[k], k};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrNodeMapFind(const CrNodeMap *map, PetscInt natural)
{
  const CrNodeEntry *entry;

  if (natural < map->low || natural - map->low >= map->span) return -1;
  if (map->table) return map->table[natural - map->low];
  entry = find(map, natural);
  return entry->natural == natural ? entry->local : -1;
}

PetscErrorCode CrNodeMapDestroy(CrNodeMap *map)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(map->table));
  PetscCall(PetscFree(map->entries));
  PetscFunctionReturn(PETSC_SUCCESS);
}
