/* The options --json and --preview of `carom check`. */
#pragma once

#include "run/run.h"

/* Prints the checked problem as one JSON object: surface points, bodies, named surfaces, supports, loads, contact
   pairs and obstacles. For the editor (`preview`) it prints parts of a page instead, with the surface as a film. Works
   on one process only. */
PetscErrorCode AppCheckJson(const CrRun *run, PetscBool preview);
/* Prints the recorded error message as one JSON object. */
PetscErrorCode AppCheckMistake(void);
