/* The page of a run, or of several that are compared: one file with everything in it. */
#pragma once

#include <cjson/cJSON.h>
#include "base/base.h"
#include "report/film.h"

/* One run of a page. */
typedef struct {
  const char *label;   /* NULL: its method */
  const char *dir;     /* folder of its results; NULL: there are none */
  const char *trouble; /* why there are none, or why they end early; NULL */
} CrReportRun;

/* Has the program a page? It has not if it was built without (docs/manual.md). */
PetscBool CrReportIsThere(void);
#define CR_REPORT_SIZE 20. /* megabytes that a page has at most, about */

/* Writes DIR/report.html from the files in DIR, of at most about so many megabytes. Not collective. */
PetscErrorCode CrReportWrite(const char dir[], PetscReal size);
/* Writes DIR/compare.html; title: of the deck. Not collective. */
PetscErrorCode CrReportCompare(const char dir[], const char title[], PetscInt n,
                               const CrReportRun runs[]);
/* The page of the run as it is now, into a stream. */
PetscErrorCode CrReportStream(const char dir[], FILE *to);
/* Frames from `first` on, at most `count`, as parts of a page, numbered from `part`; the document
   has `film` (not if there are none) and `total`. */
PetscErrorCode CrReportStreamFilm(const char dir[], PetscInt first, PetscInt count, PetscInt part,
                                  FILE *to);
/* One film and `more`, which becomes `model` of the document and belongs to it, as parts of a page. */
PetscErrorCode CrReportStreamPreview(const CrFilm *film, cJSON *more, FILE *to);
