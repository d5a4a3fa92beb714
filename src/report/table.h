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
  PetscInt  every;   /* only every n-th time of the file was read, and the last one */
  CrColumn *columns; /* owned */
  char     *text;    /* owned */
} CrTable;

/* Reads a table file. If the file has more than `most` numbers, rows are left out for some times, so that every n-th
   time remains. *table is NULL if the file does not exist or has no row. Not collective. */
PetscErrorCode  CrTableRead(const char path[], PetscReal most, CrTable **table);
PetscErrorCode  CrTableDestroy(CrTable **table);
const CrColumn *CrTableFind(const CrTable *table, const char name[]);
