/* The web page of a run, or of several runs that are compared. The page is one file that contains everything. */
#pragma once

#include <cjson/cJSON.h>
#include "base/base.h"
#include "report/film.h"

/* One run of a page. */
typedef struct {
  const char *label;   /* label on the page; NULL: the name of the method */
  const char *dir;     /* folder of the results; NULL: there are none */
  const char *trouble; /* why there are no results, or why they end early; else NULL */
} CrReportRun;

/* Returns true if the program was built with the web page (docs/manual.md). */
PetscBool CrReportIsThere(void);
#define CR_REPORT_SIZE 20. /* default of the greatest size of a page, in megabytes */

/* Writes DIR/report.html from the files in DIR. The page has about `size` megabytes at most. Not collective. */
PetscErrorCode CrReportWrite(const char dir[], PetscReal size);
/* Writes DIR/compare.html, a comparison of n runs. `title` is the title of the deck. studies: JSON list of the
   convergence studies, for the page, or NULL. Not collective. */
PetscErrorCode CrReportCompare(const char dir[], const char title[], PetscInt n,
                               const CrReportRun runs[], cJSON *studies);
/* Writes DIR/converge.html, n levels of one deck; `study` is a JSON object with levels and quantities, and becomes part
   of the page. */
PetscErrorCode CrReportConverge(const char dir[], const char title[], PetscInt n,
                                const CrReportRun runs[], cJSON *study);
/* Writes DIR/sweep.html; `study` is a JSON object with keys, runs and the names of numbers, and becomes part of the
   page. */
PetscErrorCode CrReportSweep(const char dir[], const char title[], cJSON *study);
/* Writes the page of a run, which may still be running, to a stream. */
PetscErrorCode CrReportStream(const char dir[], FILE *to);
/* Writes at most `count` frames from frame `first` on, as parts of a page that are numbered from `part` on. The
   JSON document has `total`, the number of all frames, and `film` if there are frames. */
PetscErrorCode CrReportStreamFilm(const char dir[], PetscInt first, PetscInt count, PetscInt part,
                                  FILE *to);
/* Writes one film as parts of a page. `more` becomes `model` of the JSON document, which takes ownership of it. */
PetscErrorCode CrReportStreamPreview(const CrFilm *film, cJSON *more, FILE *to);
