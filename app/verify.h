/* Declares the types and functions that the source files of the command `carom verify` share. This command runs
   examples and compares their results with expected values. docs/verification.md describes expected.yaml, which lists
   these values. */
#pragma once

#include "app/app.h"
#include "deck/deck.h"

/* Reads FOLDER/expected.yaml into *expected, and reports all mistakes that can be found without a run. */
PetscErrorCode AppVerifyRead(const char folder[], CrDeck **expected);

/* AppVerifyMakeFolder creates a new folder under TMPDIR or /tmp, and stores its path. AppVerifyRemoveFolder deletes a
   folder with its contents. */
PetscErrorCode AppVerifyMakeFolder(char path[], size_t size);
void           AppVerifyRemoveFolder(const char path[]);

/* Between AppVerifyWatchBegin and AppVerifyWatchEnd, an interruption (SIGINT, SIGTERM, SIGHUP) does not end this
   program. Instead, the interruption ends only the running case, so that temporary folders can be removed.
   AppVerifyIsInterrupted then returns true. */
void      AppVerifyWatchBegin(void);
void      AppVerifyWatchEnd(void);
PetscBool AppVerifyIsInterrupted(void);

/* Runs one case of a deck as a child process. `one` is the entry of the case in expected.yaml. Results are written to
   DIR/out, and the terminal output to DIR/log. If a signal killed the child, *exit_code is 128 + the number of the
   signal. */
PetscErrorCode AppVerifyRun(const char deck[], const CrDeckNode *one, const char dir[],
                            int *exit_code);

/* A time series: the values y[k] of a table column at the times t[k]. */
typedef struct {
  PetscInt   n, room;
  PetscReal *t, *y; /* owned */
} AppSeries;

/* Reads from the results in DIR the time series that a row of expected.yaml selects. *found is false if the file of the
   table does not exist. The caller frees the series with AppSeriesDestroy. */
PetscErrorCode AppSeriesRead(const char dir[], const CrDeckNode *row, PetscBool *found,
                             AppSeries *series);
PetscErrorCode AppSeriesDestroy(AppSeries *series);

/* Computes the value that a row of expected.yaml describes, from the results in DIR. If there is no such value, *value
   is NaN, and *trouble is the reason. */
PetscErrorCode AppVerifyValue(const char dir[], const CrDeckNode *row, PetscReal *value,
                              const char **trouble);

/* Evaluates a formula, such as px/mass, and returns its value. The variables are n table columns: names[k] is the name
   of a column, and fields[k] its value as text. If `fields` is NULL, all values are 1. If n is -1, every name counts as
   a column; this checks only the syntax. If the formula is wrong, `trouble` is the error message, and the function
   returns NaN. Otherwise `trouble` is empty. */
PetscReal AppFormulaValue(const char text[], PetscInt n, const char *const names[],
                          const char *const fields[], char trouble[], size_t size);
