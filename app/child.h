/* The program as a child of itself: `verify` and `compare`. */
#pragma once

#include <sys/types.h>
#include "base/base.h"

/* Path of the running program. */
PetscErrorCode AppChildSelf(char path[], size_t size);
/* Starts a program without what MPI left in the environment; what it says goes behind what the log
   holds. */
PetscErrorCode AppChildStart(char *const words[], const char log[], pid_t *child);
