/* What a restart needs, as a list of named things that live elsewhere: nodal vectors, reals,
   integers. Whoever owns a thing adds it; the checkpoint writes the list, or reads a file back into
   it. */
#pragma once

#include <petscvec.h>
#include "base/base.h"

#define CR_MOST_ENTRIES 96

typedef enum {
  CR_ENTRY_VEC,
  CR_ENTRY_REALS,
  CR_ENTRY_INTS,
  CR_ENTRY_LIST,
  CR_ENTRY_REAL_LIST
} CrEntryKind;

typedef struct {
  CrEntryKind kind;
  char        name[48];
  PetscInt    n;   /* of reals and ints */
  Vec         vec; /* borrowed, as the rest */
  PetscReal  *reals;
  PetscInt   *ints;
  /* of a list: as long as it was; made anew when it is read */
  PetscInt   *count, **list;
  PetscReal **real_list;
} CrEntry;

typedef struct {
  PetscInt n;
  CrEntry  entries[CR_MOST_ENTRIES];
} CrArchive;

PetscErrorCode CrArchiveAddVec(CrArchive *archive, const char name[], Vec vec);
PetscErrorCode CrArchiveAddReals(CrArchive *archive, const char name[], PetscInt n,
                                 PetscReal *reals);
PetscErrorCode CrArchiveAddInts(CrArchive *archive, const char name[], PetscInt n, PetscInt *ints);
/* Integers whose number is not known before they are read: *list (PetscMalloc) is replaced then. */
PetscErrorCode CrArchiveAddList(CrArchive *archive, const char name[], PetscInt *count,
                                PetscInt **list);
/* The same for reals. */
PetscErrorCode CrArchiveAddRealList(CrArchive *archive, const char name[], PetscInt *count,
                                    PetscReal **list);
