/* A hash table with open addressing. All keys are stored one after the other in one array of bytes. */
#include "base/index.h"
#include <stdint.h>
#include <string.h>

typedef struct {
  uint64_t hash;
  size_t   start, bytes; /* of the key */
  PetscInt number;
} Entry;

struct CrIndex {
  PetscInt  n, room; /* room: a power of two, or 0 */
  Entry    *entries; /* [n] in the order of their arrival; owned, as all below */
  PetscInt *slots;   /* [2 room] 1 + entry; 0: free */
  size_t    used, keys_room;
  char     *keys;
};

/* FNV-1a. */
static uint64_t hash_of(const void *key, size_t bytes)
{
  const unsigned char *p = key;
  uint64_t             hash = 0xcbf29ce484222325ULL;

  for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 0x100000001b3ULL;
  return hash ^ (hash >> 32);
}

/* The slot that holds the key, or the free one where it belongs. */
static PetscInt *slot_of(const CrIndex *x, uint64_t hash, const void *key, size_t bytes)
{
  size_t mask = 2 * (size_t)x->room - 1, at = (size_t)hash & mask;

  for (; x->slots[at]; at = (at + 1) & mask) {
    const Entry *e = &x->entries[x->slots[at] - 1];

    if (e->hash == hash && e->bytes == bytes && !memcmp(x->keys + e->start, key, bytes)) break;
  }
  return &x->slots[at];
}

/* Half of the slots stay free, so that searches are short. */
static PetscErrorCode grow(CrIndex *x)
{
  PetscFunctionBeginUser;
  x->room = PetscMax(16, 2 * x->room);
  PetscCall(PetscRealloc(sizeof(Entry) * (size_t)x->room, &x->entries));
  PetscCall(PetscFree(x->slots));
  PetscCall(PetscCalloc1(2 * x->room, &x->slots));
  for (PetscInt k = 0; k < x->n; k++) {
    const Entry *e = &x->entries[k];

    *slot_of(x, e->hash, x->keys + e->start, e->bytes) = k + 1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIndexCreate(CrIndex **index)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(index));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIndexAdd(CrIndex *x, const void *key, size_t bytes, PetscInt number, PetscInt *old)
{
  const uint64_t hash = hash_of(key, bytes);
  PetscInt      *slot;

  PetscFunctionBeginUser;
  *old = CrIndexFind(x, key, bytes);
  if (*old >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (x->n == x->room) PetscCall(grow(x));
  if (x->used + bytes > x->keys_room) {
    x->keys_room = 2 * (x->used + bytes) + 64;
    PetscCall(PetscRealloc(x->keys_room, &x->keys));
  }
  memcpy(x->keys + x->used, key, bytes);
  slot = slot_of(x, hash, key, bytes);
  x->entries[x->n] = (Entry){hash, x->used, bytes, number};
  x->used += bytes;
  *slot = ++x->n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrIndexFind(const CrIndex *x, const void *key, size_t bytes)
{
  PetscInt k;

  if (!x || !x->n) return -1;
  k = *slot_of(x, hash_of(key, bytes), key, bytes);
  return k ? x->entries[k - 1].number : -1;
}

PetscErrorCode CrIndexAddName(CrIndex *x, const char name[], PetscInt number, PetscInt *old)
{
  return CrIndexAdd(x, name, strlen(name), number, old);
}

PetscInt CrIndexFindName(const CrIndex *x, const char name[])
{
  return CrIndexFind(x, name, strlen(name));
}

PetscErrorCode CrIndexDestroy(CrIndex **index)
{
  CrIndex *x = *index;

  PetscFunctionBeginUser;
  if (!x) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(x->entries));
  PetscCall(PetscFree(x->slots));
  PetscCall(PetscFree(x->keys));
  PetscCall(PetscFree(*index));
  PetscFunctionReturn(PETSC_SUCCESS);
}
