/* Declares the types and functions that the source files of the command `carom sweep` share. This command runs one deck
   with many combinations of values for some keys. */
#pragma once

#include "app/pool.h"

#define SWEEP_KEYS 8    /* greatest number of varied keys */
#define SWEEP_MOST 4096 /* greatest number of runs in one sweep */

/* A key of the deck that is varied, and the values that it takes. */
typedef struct {
  char     key[160];
  PetscInt n;
  char   **values; /* [n] values of the key, as YAML text; owned */
} SweepKey;

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            nkeys, n;
  SweepKey            keys[SWEEP_KEYS];
  AppJob             *jobs; /* [n] runs; from run to run, the last key changes fastest; owned */
  char (*names)[16];        /* [n] names of the runs; owned */
} Sweep;

/* Reads the text of one option --over into `key` (sweep_over.c). The text is key=a,b,c or key=start:stop:count. */
PetscErrorCode AppSweepOver(const char word[], SweepKey *key);
/* Returns the value of the i-th varied key in run k, as text. */
const char *AppSweepValue(const Sweep *sweep, PetscInt k, PetscInt i);
/* AppSweepWriteTable writes sweep.csv, AppSweepWritePage writes sweep.html, and AppSweepPrint prints the table on the
   screen. All three are in sweep_table.c. */
PetscErrorCode AppSweepWriteTable(const Sweep *sweep);
PetscErrorCode AppSweepWritePage(const Sweep *sweep);
void           AppSweepPrint(const Sweep *sweep);
