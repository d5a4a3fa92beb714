/* The parts of `carom compare`. */
#pragma once

#include "app/pool.h"
#include "integrate/integrator.h"

#define COMPARE_MOST 32 /* greatest number of methods */

/* One method and its run. */
typedef struct {
  const CrIntegratorOps *ops;
  char                   note[80]; /* settings of this run that differ from the deck; "": none */
  AppJob                 job;
} CompareMethod;

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            n;
  CompareMethod       methods[COMPARE_MOST];
} Compare;

/* Prints the table on the screen, and writes compare.csv (compare_table.c). */
void           AppComparePrint(const Compare *compare);
PetscErrorCode AppCompareWriteTable(const Compare *compare);
/* For --converge: runs every method at several levels, and estimates the time that an error of one per cent needs
   (compare_converge.c). */
PetscErrorCode AppCompareConverge(Compare *compare, int *status);
