/* An archive lists the data that a restart needs, by name: nodal vectors, numbers of cells, reals, integers,
   texts. The data stay with their owners, who add them to the list. A checkpoint writes the listed data to a
   file, or fills them from it. */
#pragma once

#include <petscvec.h>
#include "base/base.h"

#define CR_MOST_ENTRIES 192

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

/* Lists rows of an array that has `all` rows on every rank: the rows that this rank writes to a file, and the rows that
   it reads from a file. Every row is given by one rank. The others mean nothing here. */
typedef struct {
  PetscInt  all, ngiven, nneeded;
  PetscInt *given, *needed; /* numbers of rows; owned */
} CrRows;

typedef struct {
  CrEntryKind kind;
  char        name[48];
  PetscInt    n;   /* number of reals or ints; for cells the number of marks, which are in ints */
  Vec         vec; /* borrowed, like the rest */
  PetscReal  *reals;
  PetscInt   *ints;
  /* for reals and ints: the rows of this rank; NULL: every rank has the whole array */
  const CrRows     *rows;
  PetscInt         *count, **list; /* a list and its length; reading allocates it again */
  PetscReal       **real_list;
  const PetscInt   *width;  /* cells: how many numbers each cell has, by block of the model */
  PetscReal *const *blocks; /* cells: the arrays of the blocks */
  const char       *text;   /* a text on rank 0; CrCheckpointReadText reads the text by its name */
} CrEntry;

typedef struct {
  PetscInt n;
  CrEntry  entries[CR_MOST_ENTRIES];
} CrArchive;

PetscErrorCode CrArchiveAddVec(CrArchive *archive, const char name[], Vec vec);
/* Numbers at the nodes that this rank owns, in an array instead of a vector. */
PetscErrorCode CrArchiveAddNodal(CrArchive *archive, const char name[], PetscReal *owned);
/* Numbers of cells (model/slabs.h), written in the order of cell numbers. The marks describe the elements and laws to
   which the numbers belong. The marks are written too, and a file with other marks is refused. Without marks there are
   no numbers of cells, and a file that has such numbers is refused. */
PetscErrorCode CrArchiveAddCells(CrArchive *archive, const char name[], const PetscInt *width,
                                 PetscReal *const *blocks, PetscInt nmarks, PetscInt *marks);
PetscErrorCode CrArchiveAddReals(CrArchive *archive, const char name[], PetscInt n,
                                 PetscReal *reals);
PetscErrorCode CrArchiveAddInts(CrArchive *archive, const char name[], PetscInt n, PetscInt *ints);
/* Does the same for n numbers whose rows are distributed over the ranks. All rows have the same length. rows NULL:
   every rank has all rows. */
PetscErrorCode CrArchiveAddRealRows(CrArchive *archive, const char name[], const CrRows *rows,
                                    PetscInt n, PetscReal *reals);
PetscErrorCode CrArchiveAddIntRows(CrArchive *archive, const char name[], const CrRows *rows,
                                   PetscInt n, PetscInt *ints);
/* A list of integers whose length is known only when it is read. Reading replaces *list (PetscMalloc). */
PetscErrorCode CrArchiveAddList(CrArchive *archive, const char name[], PetscInt *count,
                                PetscInt **list);
PetscErrorCode CrArchiveAddText(CrArchive *archive, const char name[], const char text[]);
/* A list of reals, like CrArchiveAddList. */
PetscErrorCode CrArchiveAddRealList(CrArchive *archive, const char name[], PetscInt *count,
                                    PetscReal **list);
