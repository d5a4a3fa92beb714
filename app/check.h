/* carom check --json */
#pragma once

#include "run/run.h"

/* Prints the checked problem as parts of a page: its surface, and as JSON bodies, named surfaces,
   supports, loads, contact pairs and obstacles. Of one process. */
PetscErrorCode AppCheckJson(const CrRun *run);
