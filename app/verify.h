/* The parts of `carom verify`. docs/verification.md describes the contents of expected.yaml. */
#pragma once

#include "app/app.h"
#include "deck/deck.h"

/* Reads FOLDER/expected.yaml and checks it as far as it can be checked without a run. */
PetscErrorCode AppVerifyRead(const char folder[], CrDeck **expected);

/* Create a new folder under TMPDIR or /tmp, and delete it with its contents. */
PetscErrorCode AppVerifyMakeFolder(char path[], size_t size);
void           AppVerifyRemoveFolder(const char path[]);

/* Between Begin and End, an interruption (SIGINT, SIGTERM, SIGHUP) ends the running case and is recorded, so that
   temporary folders can be removed. */
void      AppVerifyWatchBegin(void);
void      AppVerifyWatchEnd(void);
PetscBool AppVerifyIsInterrupted(void);

/* Runs a case as a child process. Results are written to DIR/out, and the terminal output to DIR/log. If a signal
   killed the child, the exit code is 128 + the number of the signal. */
PetscErrorCode AppVerifyRun(const char deck[], const CrDeckNode *one, const char dir[],
                            int *exit_code);

/* The values of a column at the times of a table. */
typedef struct {
  PetscInt   n, room;
  PetscReal *t, *y; /* owned */
} AppSeries;

/* Reads the series that a row of expected.yaml selects from DIR; *found is false if this file does not exist. The
   caller frees the series. */
PetscErrorCode AppSeriesRead(const char dir[], const CrDeckNode *row, PetscBool *found,
                             AppSeries *series);
PetscErrorCode AppSeriesDestroy(AppSeries *series);

/* Computes the value that a row of expected.yaml describes. If there is no such value, *value is NaN, and *trouble is
   the reason. */
PetscErrorCode AppVerifyValue(const char dir[], const CrDeckNode *row, PetscReal *value,
                              const char **trouble);

/* Returns the value of a formula over n columns whose values are given as text (NULL: all values are 1). n = -1: every
   name counts as a column, to check the syntax. If the formula is wrong, `trouble` is the error message, and the value
   is NaN. Otherwise `trouble` is empty. */
PetscReal AppFormulaValue(const char text[], PetscInt n, const char *const names[],
                          const char *const fields[], char trouble[], size_t size);
