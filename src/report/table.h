/* Tables of a run as columns of numbers. */
#pragma once

#include "base/base.h"

typedef struct {
  const char  *name;   /* borrowed from the table's text */
  PetscReal   *values; /* [nrows] numbers, or indices into `words`; owned */
  PetscInt     nwords; /* number of different words; 0: the column has numbers */
  const char **words;  /* words in the order of their first row; owned */
} CrColumn;

typedef struct {
  PetscInt  nrows, ncolumns;
  PetscInt  every;   /* every so many-th time of the file was read, and the last */
  CrColumn *columns; /* owned */
  char     *text;    /* owned */
} CrTable;

/* Reads a table. If it has more than `most` numbers, it leaves out all rows of some times. *table is NULL if
   there is no such file or no row. Not collective. */
PetscErrorCode  CrTableRead(const char path[], PetscReal most, CrTable **table);
PetscErrorCode  CrTableDestroy(CrTable **table);
const CrColumn *CrTableFind(const CrTable *table, const char name[]);
