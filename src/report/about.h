/* Information about a run for the page, from run.yaml, audit.json and converge.json in DIR. */
#pragma once

#include <cjson/cJSON.h>
#include "base/base.h"

/* Adds run.yaml to `run`, as text and as a tree, with the name of the method. *dim is the dimension. */
PetscErrorCode CrAboutDeck(const char dir[], cJSON *run, PetscInt *dim);
/* Adds audit.json to `run`, after CrAboutDeck. If the run is not complete, it adds the warnings so far. */
PetscErrorCode CrAboutAudit(const char dir[], cJSON *run);
/* Adds converge.json to `run`, if the run is a level of a convergence study. */
PetscErrorCode CrAboutStudy(const char dir[], cJSON *run);
