/* Declares the archive: a list of the data that a restart needs. Each entry has a name and points to memory of the
   module that added it: vectors, values of cells (elements), reals, integers or texts. The functions of
   output/checkpoint.h write the listed data to checkpoint.h5, or read this file into the listed memory. */
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

/* Describes an array whose rows are distributed over the ranks. Every rank allocates all rows, but uses only some of
   them. `given` lists the rows that this rank writes to a file, and `needed` the rows that it reads from a file.
   Exactly one rank writes each row. */
typedef struct {
  PetscInt  all, ngiven, nneeded;
  PetscInt *given, *needed; /* row numbers; owned */
} CrRows;

typedef struct {
  CrEntryKind kind;
  char        name[48];
  /* number of reals or ints; for CR_ENTRY_CELLS: number of marks, which are stored in `ints` */
  PetscInt   n;
  Vec        vec; /* vector of CR_ENTRY_VEC; borrowed, like all pointers of an entry */
  PetscReal *reals;
  PetscInt  *ints;
  /* CR_ENTRY_REALS and CR_ENTRY_INTS: the rows that this rank writes and reads; NULL: every rank has the whole array */
  const CrRows *rows;
  /* CR_ENTRY_LIST: address of an array of integers and of its length; reading a checkpoint allocates a new array */
  PetscInt         *count, **list;
  PetscReal       **real_list;
  const PetscInt   *width;  /* CR_ENTRY_CELLS: number of reals per cell in each element block */
  PetscReal *const *blocks; /* CR_ENTRY_CELLS: one array per element block */
  /* CR_ENTRY_TEXT: the text, on rank 0; CrCheckpointReadText reads it from a file */
  const char *text;
} CrEntry;

typedef struct {
  PetscInt n;
  CrEntry  entries[CR_MOST_ENTRIES];
} CrArchive;

PetscErrorCode CrArchiveAddVec(CrArchive *archive, const char name[], Vec vec);
/* Adds nodal values that are stored in an array instead of a PETSc vector: `dim` reals for each node that this rank
   owns. */
PetscErrorCode CrArchiveAddNodal(CrArchive *archive, const char name[], PetscReal *owned);
/* Adds values of cells (elements), such as the state of a material law (model/slabs.h). A checkpoint stores these
   values in the order of the cell numbers. `marks` are integers that describe to which elements and material laws the
   values belong. A checkpoint contains the marks, and a file with different marks is refused. If nmarks is 0, the model
   has no such values, and a file that has them is refused. */
PetscErrorCode CrArchiveAddCells(CrArchive *archive, const char name[], const PetscInt *width,
                                 PetscReal *const *blocks, PetscInt nmarks, PetscInt *marks);
PetscErrorCode CrArchiveAddReals(CrArchive *archive, const char name[], PetscInt n,
                                 PetscReal *reals);
PetscErrorCode CrArchiveAddInts(CrArchive *archive, const char name[], PetscInt n, PetscInt *ints);
/* Add an array of n reals or integers whose rows are distributed over the ranks, as `rows` describes. All rows have the
   same length. If `rows` is NULL, every rank has the whole array. */
PetscErrorCode CrArchiveAddRealRows(CrArchive *archive, const char name[], const CrRows *rows,
                                    PetscInt n, PetscReal *reals);
PetscErrorCode CrArchiveAddIntRows(CrArchive *archive, const char name[], const CrRows *rows,
                                   PetscInt n, PetscInt *ints);
/* Adds the array *list of *count integers. Reading a checkpoint frees *list, allocates it again with the length in the
   file (PetscMalloc), and sets *count. */
PetscErrorCode CrArchiveAddList(CrArchive *archive, const char name[], PetscInt *count,
                                PetscInt **list);
PetscErrorCode CrArchiveAddText(CrArchive *archive, const char name[], const char text[]);
/* Adds the array *list of *count reals. Reading a checkpoint replaces the array as CrArchiveAddList describes. */
PetscErrorCode CrArchiveAddRealList(CrArchive *archive, const char name[], PetscInt *count,
                                    PetscReal **list);
