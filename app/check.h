/* Prints the result of `carom check` as JSON, for the options --json and --preview. */
#pragma once

#include "run/run.h"

/* Prints the checked problem as one JSON object. The object contains surface points, bodies, named surfaces, supports,
   loads, contact pairs and obstacles. If `preview` is true, the function prints compressed data for the web page of the
   editor instead. The surface is then a film of one frame (report/film.h). Works on one process only. */
PetscErrorCode AppCheckJson(const CrRun *run, PetscBool preview);
/* Prints the recorded error message (CrErrorMessage) as one JSON object. */
PetscErrorCode AppCheckMistake(void);
