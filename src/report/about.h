/* Collects information about a run for its web page, from the files run.yaml, audit.json and converge.json in the
   folder of the run. */
#pragma once

#include <cjson/cJSON.h>
#include "base/base.h"

/* Adds to the JSON object `run` the contents of run.yaml, as text and as a tree, with the name of the method. *dim is
   the space dimension of the deck. */
PetscErrorCode CrAboutDeck(const char dir[], cJSON *run, PetscInt *dim);
/* Adds to `run` the contents of audit.json. If the run is not complete, it adds the warnings so far instead. Call it
   after CrAboutDeck. */
PetscErrorCode CrAboutAudit(const char dir[], cJSON *run);
/* Adds to `run` the contents of converge.json, if the run is a level of a convergence study. */
PetscErrorCode CrAboutStudy(const char dir[], cJSON *run);
