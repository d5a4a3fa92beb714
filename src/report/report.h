/* The page of a run, or of several that are compared: one file with everything in it. */
#pragma once

#include "base/base.h"

/* One run of a page. */
typedef struct {
  const char *label;   /* NULL: its method */
  const char *dir;     /* folder of its results; NULL: there are none */
  const char *trouble; /* why there are none, or why they end early; NULL */
} CrReportRun;

/* Has the program a page? It has not if it was built without (docs/manual.md). */
PetscBool CrReportIsThere(void);
/* Writes DIR/report.html from the files in DIR. Not collective. */
PetscErrorCode CrReportWrite(const char dir[]);
/* Writes DIR/compare.html; title: of the deck. Not collective. */
PetscErrorCode CrReportCompare(const char dir[], const char title[], PetscInt n,
                               const CrReportRun runs[]);
