/* What the page says about a run beside its numbers, from the files in DIR. */
#pragma once

#include <cjson/cJSON.h>
#include "base/base.h"

/* run.yaml as text and as a tree; *dim and the name of the method come from it. */
PetscErrorCode CrAboutDeck(const char dir[], cJSON *run, PetscInt *dim);
/* audit.json with what it knows about the method; of a run that is not over its warnings so far. After
   CrAboutDeck. */
PetscErrorCode CrAboutAudit(const char dir[], cJSON *run);
