#include <string.h>
#include "run/internal.h"
#include "run/saved.h"

/* A copy of one entry of an archive: the numbers of this rank, and the length of a list. */
typedef struct {
  PetscInt n;
  void    *bytes; /* owned */
} Copy;

struct CrSaved {
  const CrRun *run; /* it can only go back to this one; borrowed */
  PetscInt     n;
  Copy        *copies; /* [n] owned */
};

static PetscInt cells_in(const CrModel *model, const CrEntry *e)
{
  PetscInt n = 0;

  for (PetscInt k = 0; e->n && k < model->nblocks; k++)
    n += e->width[k] * model->blocks[k].nbatches * CR_BATCH;
  return n;
}

/* The numbers of an entry on this rank, and the bytes of each. */
static PetscInt count_numbers(const CrModel *model, const CrEntry *e, size_t *size)
{
  const PetscBool ints = e->kind == CR_ENTRY_INTS || e->kind == CR_ENTRY_LIST;

  *size = ints ? sizeof(PetscInt) : sizeof(PetscReal);
  switch (e->kind) {
  case CR_ENTRY_VEC:
  case CR_ENTRY_NODAL: return model->nowned * model->dim;
  case CR_ENTRY_CELLS: return cells_in(model, e);
  case CR_ENTRY_TEXT: return 0;
  default: return e->n;
  }
}

/* Copies the numbers of an entry out of it, or into it. */
static PetscErrorCode move_vec(const CrEntry *e, PetscInt n, PetscReal *copy, PetscBool out)
{
  PetscReal *a;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(e->vec, &a));
  PetscCall(out ? PetscArraycpy(copy, a, n) : PetscArraycpy(a, copy, n));
  PetscCall(VecRestoreArray(e->vec, &a));
  if (out) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGhostUpdateBegin(e->vec, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecGhostUpdateEnd(e->vec, INSERT_VALUES, SCATTER_FORWARD));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode move_cells(const CrModel *model, const CrEntry *e, PetscReal *copy,
                                 PetscBool out)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; e->n && k < model->nblocks; k++) {
    const PetscInt n = e->width[k] * model->blocks[k].nbatches * CR_BATCH;

    if (!n) continue;
    PetscCall(out ? PetscArraycpy(copy, e->blocks[k], n) : PetscArraycpy(e->blocks[k], copy, n));
    copy += n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode move(const CrModel *model, const CrEntry *e, PetscInt n, size_t size,
                           void *copy, PetscBool out)
{
  const PetscBool ints = e->kind == CR_ENTRY_INTS || e->kind == CR_ENTRY_LIST;
  void           *own = ints ? (void *)e->ints : (void *)e->reals;

  PetscFunctionBeginUser;
  if (e->kind == CR_ENTRY_VEC)
    PetscCall(move_vec(e, n, copy, out));
  else if (e->kind == CR_ENTRY_CELLS)
    PetscCall(move_cells(model, e, copy, out));
  else if (n)
    memcpy(out ? copy : own, out ? own : copy, (size_t)n * size);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A list is as long as it was. */
static PetscErrorCode resize(CrEntry *e, PetscInt n)
{
  PetscFunctionBeginUser;
  if (e->kind == CR_ENTRY_LIST) {
    PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)PetscMax(n, 1), e->list));
    e->ints = *e->list;
  } else if (e->kind == CR_ENTRY_REAL_LIST) {
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)PetscMax(n, 1), e->real_list));
    e->reals = *e->real_list;
  } else
    PetscFunctionReturn(PETSC_SUCCESS);
  *e->count = e->n = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode save(CrSaved *saved, const CrModel *model, const CrArchive *archive)
{
  PetscFunctionBeginUser;
  saved->n = archive->n;
  PetscCall(PetscCalloc1(archive->n, &saved->copies));
  for (PetscInt k = 0; k < archive->n; k++) {
    Copy  *copy = &saved->copies[k];
    size_t size;

    copy->n = count_numbers(model, &archive->entries[k], &size);
    PetscCall(PetscMalloc((size_t)PetscMax(copy->n, 1) * size, &copy->bytes));
    PetscCall(move(model, &archive->entries[k], copy->n, size, copy->bytes, PETSC_TRUE));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSavedCreate(CrRun *run, CrSaved **saved)
{
  CrArchive     *archive;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(saved));
  PetscCall(PetscNew(&archive));
  (*saved)->run = run;
  code = CrRunCollect(run, NULL, archive);
  if (!code) code = save(*saved, run->model, archive);
  PetscCall(PetscFree(archive));
  if (code) PetscCall(CrSavedDestroy(saved));
  PetscFunctionReturn(code);
}

static PetscErrorCode restore(const CrSaved *saved, const CrModel *model, CrArchive *archive)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < archive->n; k++) {
    const Copy *copy = &saved->copies[k];
    size_t      size;

    PetscCall(resize(&archive->entries[k], copy->n));
    count_numbers(model, &archive->entries[k], &size);
    PetscCall(move(model, &archive->entries[k], copy->n, size, copy->bytes, PETSC_FALSE));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSavedRestore(const CrSaved *saved, CrRun *run)
{
  CrArchive     *archive;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (saved->run != run) CrInputFail("the saved state belongs to another simulation");
  PetscCall(PetscNew(&archive));
  code = CrRunCollect(run, NULL, archive);
  if (!code) code = restore(saved, run->model, archive);
  PetscCall(PetscFree(archive));
  if (code) PetscFunctionReturn(code);
  run->failed = run->stopped = PETSC_FALSE;
  PetscCall(CrIntegratorResume(run->integrator, run->model, run->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSavedDestroy(CrSaved **saved)
{
  PetscFunctionBeginUser;
  if (!*saved) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; (*saved)->copies && k < (*saved)->n; k++)
    PetscCall(PetscFree((*saved)->copies[k].bytes));
  PetscCall(PetscFree((*saved)->copies));
  PetscCall(PetscFree(*saved));
  PetscFunctionReturn(PETSC_SUCCESS);
}
