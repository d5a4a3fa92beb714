/* Impulses of the last step in a checkpoint, which knows lists of integers: body, other, and the three
   numbers bit by bit. */
#include "integrate/efda/pile_internal.h"

#define WORDS ((PetscInt)(sizeof(double) / sizeof(PetscInt)))
#define ENTRY (2 + 3 * WORDS)

PetscErrorCode CrPileArchive(CrPile *p, CrArchive *archive)
{
  PetscInt *at;

  PetscFunctionBeginUser;
  p->npacked = WORDS + ENTRY * p->nkept;
  PetscCall(PetscFree(p->packed));
  PetscCall(PetscMalloc1(p->npacked, &p->packed));
  memcpy(p->packed, &p->kept_h, sizeof(double));
  at = p->packed + WORDS;
  for (PetscInt b = 0; b < p->def.n; b++)
    for (PetscInt k = p->kept_start[b]; k < p->kept_start[b + 1]; k++, at += ENTRY) {
      at[0] = b;
      at[1] = p->kept_other[k];
      memcpy(at + 2, p->kept[k], sizeof p->kept[k]);
    }
  PetscCall(CrArchiveAddList(archive, "pile impulses", &p->npacked, &p->packed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPileResume(CrPile *p)
{
  const PetscInt *at = p->packed + WORDS;
  PetscInt        n = (p->npacked - WORDS) / ENTRY;

  PetscFunctionBeginUser;
  if (p->npacked < WORDS) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2(p->kept_other, p->kept));
  PetscCall(PetscMalloc2(n, &p->kept_other, n, &p->kept));
  memcpy(&p->kept_h, p->packed, sizeof(double));
  memset(p->kept_start, 0, sizeof *p->kept_start * (p->def.n + 1));
  p->nkept = p->kept_room = n;
  for (PetscInt k = 0; k < n; k++, at += ENTRY) { /* in the order of the lesser body, as written */
    p->kept_start[at[0] + 1]++;
    p->kept_other[k] = at[1];
    memcpy(p->kept[k], at + 2, sizeof p->kept[k]);
  }
  for (PetscInt b = 0; b < p->def.n; b++) p->kept_start[b + 1] += p->kept_start[b];
  p->listed = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
