/* The parts of `carom compare`. */
#pragma once

#include <sys/types.h>
#include "app/app.h"
#include "integrate/integrator.h"

#define COMPARE_MOST 32 /* methods */
#define COMPARE_SETS 512

typedef enum {
  COMPARE_COMPLETED,
  COMPARE_BROKE_LIMIT,
  COMPARE_FAILED,
  COMPARE_REFUSED
} CompareState;

/* One method: how it is started, and how it ended. */
typedef struct {
  const CrIntegratorOps *ops;
  char                   dir[PETSC_MAX_PATH_LEN], log[PETSC_MAX_PATH_LEN];
  char                   note[80];     /* what it does differently from the deck, "" if nothing */
  char                   trouble[512]; /* why it refused or failed, "" if it did not */
  PetscInt               nsets;
  char                  *sets[COMPARE_SETS]; /* own --set values, owned */
  pid_t                  child;
  CompareState           state;
  struct cJSON          *audit; /* audit.json; NULL: there is none; owned */
} CompareMethod;

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  int                 leash; /* of the children */
  PetscInt            n;
  CompareMethod       methods[COMPARE_MOST];
} Compare;

/* Starts every method as a child, as many at a time as there are processors, waits for them, and
   finds out how they ended (compare_run.c). *interrupted: a signal ended it. */
PetscErrorCode AppCompareRun(Compare *compare, PetscBool *interrupted);
/* The table on the screen and compare.csv (compare_table.c). */
void           AppComparePrint(const Compare *compare);
PetscErrorCode AppCompareWriteTable(const Compare *compare);
