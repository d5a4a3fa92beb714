/* Reads a table of a run (such as history.csv) as columns of numbers. */
#pragma once

#include "base/base.h"

typedef struct {
  const char  *name;   /* name of the column; points into CrTable.text */
  PetscReal   *values; /* [nrows] numbers, or indices into `words` if the column has words; owned */
  PetscInt     nwords; /* number of different words in the column; 0: the column has numbers */
  const char **words;  /* [nwords] words, in the order in which they first occur; owned */
} CrColumn;

typedef struct {
  PetscInt  nrows, ncolumns;
  PetscInt  every;   /* interval: only every n-th time of the file, and the last one, was read */
  CrColumn *columns; /* owned */
  char     *text;    /* owned */
} CrTable;

/* Reads a table file. If the file has more than `most` numbers, only the rows of every n-th time are kept. *table is
   NULL if the file does not exist or has no row. Not collective. */
PetscErrorCode  CrTableRead(const char path[], PetscReal most, CrTable **table);
PetscErrorCode  CrTableDestroy(CrTable **table);
const CrColumn *CrTableFind(const CrTable *table, const char name[]);
