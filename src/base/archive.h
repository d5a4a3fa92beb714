/* An archive lists the data that a restart needs, by name: nodal vectors, numbers of cells, reals, integers,
   texts. An entry points to memory of the module that added it. output/checkpoint.h writes the listed data to
   checkpoint.h5, or reads that file into the listed memory. */
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
   it reads from a file. Exactly one rank writes each row. This rank does not use rows that are in neither list. */
typedef struct {
  PetscInt  all, ngiven, nneeded;
  PetscInt *given, *needed; /* numbers of rows; owned */
} CrRows;

typedef struct {
  CrEntryKind kind;
  char        name[48];
  PetscInt
      n;   /* number of reals or ints; for CR_ENTRY_CELLS: number of marks, which `ints` contains */
  Vec vec; /* borrowed, like all pointers of the entry */
  PetscReal *reals;
  PetscInt  *ints;
  /* for reals and ints: the rows of this rank; NULL: every rank has the whole array */
  const CrRows *rows;
  PetscInt     *count,
      **list; /* an array of integers and its length; reading a checkpoint allocates a new array */
  PetscReal       **real_list;
  const PetscInt   *width;  /* CR_ENTRY_CELLS: numbers per cell in each element block */
  PetscReal *const *blocks; /* CR_ENTRY_CELLS: one array per element block */
  const char       *text;   /* text on rank 0; CrCheckpointReadText reads this text from a file */
} CrEntry;

typedef struct {
  PetscInt n;
  CrEntry  entries[CR_MOST_ENTRIES];
} CrArchive;

PetscErrorCode CrArchiveAddVec(CrArchive *archive, const char name[], Vec vec);
/* Adds numbers at the nodes that this rank owns, in an array instead of a vector. */
PetscErrorCode CrArchiveAddNodal(CrArchive *archive, const char name[], PetscReal *owned);
/* Adds numbers of cells (model/slabs.h), which are written in the order of cell numbers. The marks describe the
   elements and material laws to which the numbers belong. A checkpoint contains the marks, and reading refuses a file
   with different marks. nmarks = 0 means that the model has no such numbers; a file that has them is refused. */
PetscErrorCode CrArchiveAddCells(CrArchive *archive, const char name[], const PetscInt *width,
                                 PetscReal *const *blocks, PetscInt nmarks, PetscInt *marks);
PetscErrorCode CrArchiveAddReals(CrArchive *archive, const char name[], PetscInt n,
                                 PetscReal *reals);
PetscErrorCode CrArchiveAddInts(CrArchive *archive, const char name[], PetscInt n, PetscInt *ints);
/* Add an array of n numbers whose rows are distributed over the ranks. All rows have the same length. If `rows` is
   NULL, every rank has the whole array. */
PetscErrorCode CrArchiveAddRealRows(CrArchive *archive, const char name[], const CrRows *rows,
                                    PetscInt n, PetscReal *reals);
PetscErrorCode CrArchiveAddIntRows(CrArchive *archive, const char name[], const CrRows *rows,
                                   PetscInt n, PetscInt *ints);
/* Adds an array of *count integers, *list. Reading a checkpoint frees *list, allocates it with the length in the file
   (PetscMalloc), and sets *count. */
PetscErrorCode CrArchiveAddList(CrArchive *archive, const char name[], PetscInt *count,
                                PetscInt **list);
PetscErrorCode CrArchiveAddText(CrArchive *archive, const char name[], const char text[]);
/* Adds an array of *count reals. Reading replaces the array as CrArchiveAddList describes. */
PetscErrorCode CrArchiveAddRealList(CrArchive *archive, const char name[], PetscInt *count,
                                    PetscReal **list);
