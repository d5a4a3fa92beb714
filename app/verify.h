/* The parts of `carom verify`. What expected.yaml may hold is described in docs/verification.md. */
#pragma once

#include "app/app.h"
#include "deck/deck.h"

/* Reads FOLDER/expected.yaml and checks it as far as it can be checked without a run. */
PetscErrorCode AppVerifyRead(const char folder[], CrDeck **expected);

/* A fresh folder under TMPDIR or /tmp, and its end with everything in it. */
PetscErrorCode AppVerifyMakeFolder(char path[], size_t size);
void           AppVerifyRemoveFolder(const char path[]);

/* From Begin to End an interruption (SIGINT, SIGTERM, SIGHUP) ends the running case and is
   remembered, so that temporary folders can be removed. */
void      AppVerifyWatchBegin(void);
void      AppVerifyWatchEnd(void);
PetscBool AppVerifyIsInterrupted(void);

/* Runs a case as a child process: results go to DIR/out, what it says to DIR/log. The exit code is
   128 + the signal for a child that was killed. */
PetscErrorCode AppVerifyRun(const char deck[], const CrDeckNode *one, const char dir[],
                            int *exit_code);

/* The values of a column at the times of a table. */
typedef struct {
  PetscInt   n, room;
  PetscReal *t, *y; /* owned */
} AppSeries;

/* Reads the series that a row of expected.yaml selects from DIR; *found is false if there is no
   such file. The caller frees. */
PetscErrorCode AppSeriesRead(const char dir[], const CrDeckNode *row, PetscBool *found,
                             AppSeries *series);
PetscErrorCode AppSeriesDestroy(AppSeries *series);

/* The number a row asks for, NaN where there is none and then *trouble says why. */
PetscErrorCode AppVerifyValue(const char dir[], const CrDeckNode *row, PetscReal *value,
                              const char **trouble);

/* A formula over n columns whose fields are given as text (NULL: all 1). n = -1: every name is taken
   for a column, to check the syntax. trouble is empty, or says what is wrong; then the value is NaN. */
PetscReal AppFormulaValue(const char text[], PetscInt n, const char *const names[],
                          const char *const fields[], char trouble[], size_t size);
