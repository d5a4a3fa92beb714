/* Writes the web page of a run, or of several runs that are compared. The page is one file that contains all data and
   scripts. */
#pragma once

#include <cjson/cJSON.h>
#include "base/base.h"
#include "report/film.h"

/* One of the runs that a page shows. */
typedef struct {
  const char *label; /* label of the run on the page; NULL: the name of the method */
  const char *dir;   /* folder of the results; NULL: the run has no results */
  /* reason why there are no results, or why they end early; otherwise NULL */
  const char *trouble;
} CrReportRun;

/* Returns true if the program was built with the web page (docs/manual.md). */
PetscBool CrReportIsThere(void);
#define CR_REPORT_SIZE 20. /* default limit for the size of a page, in megabytes */

/* Writes DIR/report.html from the files in DIR. The page has at most about `size` megabytes. Not collective. */
PetscErrorCode CrReportWrite(const char dir[], PetscReal size);
/* Writes DIR/compare.html, a page that compares n runs. `title` is the title of the deck. `studies` is a JSON list of
   the convergence studies that the page shows, or NULL. Not collective. */
PetscErrorCode CrReportCompare(const char dir[], const char title[], PetscInt n,
                               const CrReportRun runs[], cJSON *studies);
/* Writes DIR/converge.html, a page about n levels of refinement of one deck. `study` is a JSON object with levels and
   results. This object becomes part of the page. */
PetscErrorCode CrReportConverge(const char dir[], const char title[], PetscInt n,
                                const CrReportRun runs[], cJSON *study);
/* Writes DIR/sweep.html, a page about many runs of one deck with varied keys. `study` is a JSON object with the keys,
   the runs and the names of results. This object becomes part of the page. */
PetscErrorCode CrReportSweep(const char dir[], const char title[], cJSON *study);
/* Writes to a stream the page of a run, which may still be running. */
PetscErrorCode CrReportStream(const char dir[], FILE *to);
/* Writes to a stream at most `count` frames, beginning with frame `first`. The output consists of parts of a page
   (compressed text), numbered from `part` on, and of a JSON document. The document has `total`, the number of all
   frames of the run, and `film` if there are frames. */
PetscErrorCode CrReportStreamFilm(const char dir[], PetscInt first, PetscInt count, PetscInt part,
                                  FILE *to);
/* Writes one film to a stream, as parts of a page (compressed text) and a JSON document. `more` becomes the member
   `model` of this document, which then owns it. */
PetscErrorCode CrReportStreamPreview(const CrFilm *film, cJSON *more, FILE *to);
