/* The parts of `carom compare`. */
#pragma once

#include "app/pool.h"
#include "integrate/integrator.h"

#define COMPARE_MOST 32 /* methods */

/* One method. */
typedef struct {
  const CrIntegratorOps *ops;
  char                   note[80]; /* what it does differently from the deck, "" if nothing */
  AppJob                 job;
} CompareMethod;

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            n;
  CompareMethod       methods[COMPARE_MOST];
} Compare;

/* The table on the screen and compare.csv (compare_table.c). */
void           AppComparePrint(const Compare *compare);
PetscErrorCode AppCompareWriteTable(const Compare *compare);
/* With --converge: every method at several levels, and what one per cent costs (compare_converge.c). */
PetscErrorCode AppCompareConverge(Compare *compare, int *status);
