/* Starts the program as its own child process, for `verify`, `compare` and others. */
#pragma once

#include <sys/types.h>
#include "base/base.h"

/* Finds the path of the running program. */
PetscErrorCode AppChildSelf(char path[], size_t size);
/* Starts a program, without the environment variables that MPI has set. The output of the program is appended to the
   log. `leash` is its standard input; -1: no input. */
PetscErrorCode AppChildStart(char *const words[], const char log[], int leash, pid_t *child);
/* Creates a leash for children: the reading end of a pipe. The pipe is closed when this program ends for any reason. */
PetscErrorCode AppChildLeash(int *leash);
/* Called in a child that was started with --leash. When the pipe is closed, the child gets SIGTERM, so that its run
   ends with a checkpoint. */
void AppChildHold(void);
