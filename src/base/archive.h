/* What a restart needs, as a list of named things that live elsewhere: nodal vectors, numbers of
   cells, reals, integers, texts. Whoever owns a thing adds it; the checkpoint writes the list, or reads a file back into
   it. */
#pragma once

#include <petscvec.h>
#include "base/base.h"

#define CR_MOST_ENTRIES 96

typedef enum {
  CR_ENTRY_VEC,
  CR_ENTRY_NODAL,
  CR_ENTRY_CELLS,
  CR_ENTRY_REALS,
  CR_ENTRY_INTS,
  CR_ENTRY_LIST,
  CR_ENTRY_REAL_LIST,
  CR_ENTRY_TEXT
} CrEntryKind;

typedef struct {
  CrEntryKind       kind;
  char              name[48];
  PetscInt          n;   /* of reals and ints, and of the marks of cells, which are the ints */
  Vec               vec; /* borrowed, as the rest */
  PetscReal        *reals;
  PetscInt         *ints;
  PetscInt         *count, **list; /* of a list: as long as it was; made anew when it is read */
  PetscReal       **real_list;
  const PetscInt   *width;  /* of cells: numbers of each cell, by block of the model */
  PetscReal *const *blocks; /*   and the arrays of the blocks */
  const char       *text;   /* on rank 0; whoever wants it back reads it by name */
} CrEntry;

typedef struct {
  PetscInt n;
  CrEntry  entries[CR_MOST_ENTRIES];
} CrArchive;

PetscErrorCode CrArchiveAddVec(CrArchive *archive, const char name[], Vec vec);
/* The numbers of the nodes that this rank owns, in an array instead of a vector. */
PetscErrorCode CrArchiveAddNodal(CrArchive *archive, const char name[], PetscReal *owned);
/* Numbers of cells (CrModelGatherReals), written by cell number. The marks say to what elements and
   laws they belong: they are written too, and reading refuses a file with others. No marks: there are
   no such numbers, and a file that has some is refused. */
PetscErrorCode CrArchiveAddCells(CrArchive *archive, const char name[], const PetscInt *width,
                                 PetscReal *const *blocks, PetscInt nmarks, PetscInt *marks);
PetscErrorCode CrArchiveAddReals(CrArchive *archive, const char name[], PetscInt n,
                                 PetscReal *reals);
PetscErrorCode CrArchiveAddInts(CrArchive *archive, const char name[], PetscInt n, PetscInt *ints);
/* Integers whose number is not known before they are read: *list (PetscMalloc) is replaced then. */
PetscErrorCode CrArchiveAddList(CrArchive *archive, const char name[], PetscInt *count,
                                PetscInt **list);
PetscErrorCode CrArchiveAddText(CrArchive *archive, const char name[], const char text[]);
/* The same for reals. */
PetscErrorCode CrArchiveAddRealList(CrArchive *archive, const char name[], PetscInt *count,
                                    PetscReal **list);
