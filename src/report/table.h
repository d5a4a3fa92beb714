/* Tables of a run as columns of numbers. */
#pragma once

#include "base/base.h"

typedef struct {
  const char  *name;   /* borrowed from the table's text */
  PetscReal   *values; /* [nrows]; of a column of words: which one; owned */
  PetscInt     nwords; /* 0: numbers */
  const char **words;  /* in the order of their first row, owned */
} CrColumn;

typedef struct {
  PetscInt  nrows, ncolumns;
  PetscInt  every;   /* of the times in the file each so many-th was taken, and the last */
  CrColumn *columns; /* owned */
  char     *text;    /* owned */
} CrTable;

/* Reads a table; where it has more than `most` numbers, whole times are left out. NULL if there is
   no such file or no row in it. Not collective. */
PetscErrorCode  CrTableRead(const char path[], PetscReal most, CrTable **table);
PetscErrorCode  CrTableDestroy(CrTable **table);
const CrColumn *CrTableFind(const CrTable *table, const char name[]);
