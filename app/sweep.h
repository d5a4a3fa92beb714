/* The parts of `carom sweep`. */
#pragma once

#include "app/pool.h"

#define SWEEP_KEYS 8    /* parameters */
#define SWEEP_MOST 4096 /* runs */

/* A key of the deck, and the values that it takes. */
typedef struct {
  char     key[160];
  PetscInt n;
  char   **values; /* [n] as texts of YAML; owned */
} SweepKey;

typedef struct {
  const AppArguments *arguments;
  char                dir[PETSC_MAX_PATH_LEN], title[256];
  PetscInt            nkeys, n;
  SweepKey            keys[SWEEP_KEYS];
  AppJob             *jobs; /* [n] owned; the last key changes fastest */
  char (*names)[16];        /* [n] owned */
} Sweep;

/* Reads one --over word: key=a,b,c or key=start:stop:count (sweep_over.c). */
PetscErrorCode AppSweepOver(const char word[], SweepKey *key);
/* The value of key i in run k. */
const char *AppSweepValue(const Sweep *sweep, PetscInt k, PetscInt i);
/* sweep.csv, sweep.html and the table on the screen (sweep_table.c). */
PetscErrorCode AppSweepWriteTable(const Sweep *sweep);
PetscErrorCode AppSweepWritePage(const Sweep *sweep);
void           AppSweepPrint(const Sweep *sweep);
