/* Declares the types and functions that the source files of the command `carom compare` share. This command runs one
   deck with several methods of time integration. */
#pragma once

#include "app/pool.h"
#include "integrate/integrator.h"

#define COMPARE_MOST 32 /* greatest number of methods in one comparison */

/* One method of time integration, and the run of the deck with this method. */
typedef struct {
  const CrIntegratorOps *ops;
  char   note[80]; /* describes settings of this run that differ from the deck; "": none */
  AppJob job;
} CompareMethod;

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            n;
  CompareMethod       methods[COMPARE_MOST];
} Compare;

/* AppComparePrint prints the table of all methods on the screen. AppCompareWriteTable writes this table to compare.csv.
   Both functions are in compare_table.c. */
void           AppComparePrint(const Compare *compare);
PetscErrorCode AppCompareWriteTable(const Compare *compare);
/* Does the work of the option --converge (compare_converge.c). The function runs every method at several levels of
   refinement. From the results it estimates the computing time that each method needs for an error of one per cent. */
PetscErrorCode AppCompareConverge(Compare *compare, int *status);
