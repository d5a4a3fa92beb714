/* The program as a child of itself: `verify` and `compare`. */
#pragma once

#include <sys/types.h>
#include "base/base.h"

/* Path of the running program. */
PetscErrorCode AppChildSelf(char path[], size_t size);
/* Starts a program without what MPI left in the environment; what it says goes behind what the log
   holds. leash: its standard input; -1: nothing. */
PetscErrorCode AppChildStart(char *const words[], const char log[], int leash, pid_t *child);
/* A leash for children: as long as this program lives, however it ends, something holds its other end. */
PetscErrorCode AppChildLeash(int *leash);
/* In a child that was started with --leash: when nobody holds the other end any more, the child gets
   SIGTERM, so that a run ends with a checkpoint. */
void AppChildHold(void);
