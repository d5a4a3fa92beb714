/* carom check --json, --preview */
#pragma once

#include "run/run.h"

/* Prints the checked problem as one JSON object: the points of its surface, bodies, named surfaces,
   supports, loads, contact pairs and obstacles; for the editor (`preview`) as parts of a page, which
   have the surface as a film. Of one process. */
PetscErrorCode AppCheckJson(const CrRun *run, PetscBool preview);
/* Prints the recorded mistake as one JSON object. */
PetscErrorCode AppCheckMistake(void);
