#include "base/archive.h"

static PetscErrorCode add(CrArchive *archive, CrEntryKind kind, const char name[], CrEntry **entry)
{
  PetscFunctionBeginUser;
  PetscCheck(archive->n < CR_MOST_ENTRIES, PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "no room for \"%s\" in the archive", name);
  *entry = &archive->entries[archive->n++];
  **entry = (CrEntry){.kind = kind};
  PetscCall(PetscStrncpy((*entry)->name, name, sizeof(*entry)->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddVec(CrArchive *archive, const char name[], Vec vec)
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_VEC, name, &entry));
  entry->vec = vec;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddNodal(CrArchive *archive, const char name[], PetscReal *owned)
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_NODAL, name, &entry));
  entry->reals = owned;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddCells(CrArchive *archive, const char name[], const PetscInt *width,
                                 PetscReal *const *blocks, PetscInt nmarks, PetscInt *marks)
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_CELLS, name, &entry));
  entry->width = width;
  entry->blocks = blocks;
  entry->n = nmarks;
  entry->ints = marks;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddReals(CrArchive *archive, const char name[], PetscInt n,
                                 PetscReal *reals)
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_REALS, name, &entry));
  entry->n = n;
  entry->reals = reals;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddInts(CrArchive *archive, const char name[], PetscInt n, PetscInt *ints)
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_INTS, name, &entry));
  entry->n = n;
  entry->ints = ints;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddRealRows(CrArchive *archive, const char name[], const CrRows *rows,
                                    PetscInt n, PetscReal *reals)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddReals(archive, name, n, reals));
  archive->entries[archive->n - 1].rows = rows;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddIntRows(CrArchive *archive, const char name[], const CrRows *rows,
                                   PetscInt n, PetscInt *ints)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddInts(archive, name, n, ints));
  archive->entries[archive->n - 1].rows = rows;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddList(CrArchive *archive, const char name[], PetscInt *count,
                                PetscInt **list)
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_LIST, name, &entry));
  entry->count = count;
  entry->list = list;
  entry->n = *count;
  entry->ints = *list;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddText(CrArchive *archive, const char name[], const char text[])
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_TEXT, name, &entry));
  entry->text = text;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrArchiveAddRealList(CrArchive *archive, const char name[], PetscInt *count,
                                    PetscReal **list)
{
  CrEntry *entry;

  PetscFunctionBeginUser;
  PetscCall(add(archive, CR_ENTRY_REAL_LIST, name, &entry));
  entry->count = count;
  entry->real_list = list;
  entry->n = *count;
  entry->reals = *list;
  PetscFunctionReturn(PETSC_SUCCESS);
}
