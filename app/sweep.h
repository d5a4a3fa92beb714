/* The parts of `carom sweep`. */
#pragma once

#include "app/pool.h"

#define SWEEP_KEYS 8    /* greatest number of keys */
#define SWEEP_MOST 4096 /* greatest number of runs */

/* A key of the deck, and its values. */
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

/* Reads one value of --over: key=a,b,c or key=start:stop:count (sweep_over.c). */
PetscErrorCode AppSweepOver(const char word[], SweepKey *key);
/* Returns the value of key i in run k. */
const char *AppSweepValue(const Sweep *sweep, PetscInt k, PetscInt i);
/* Writes sweep.csv and sweep.html, and prints the table on the screen (sweep_table.c). */
PetscErrorCode AppSweepWriteTable(const Sweep *sweep);
PetscErrorCode AppSweepWritePage(const Sweep *sweep);
void           AppSweepPrint(const Sweep *sweep);
