/* Starts the program as its own child process, for `verify`, `compare` and others. */
#pragma once

#include <sys/types.h>
#include "base/base.h"

/* Finds the path of the running program. */
PetscErrorCode AppChildSelf(char path[], size_t size);
/* Starts a program, without the environment variables that MPI has set. The output of the program is appended to the
   log. `leash` is the file descriptor of its standard input; -1: no input. */
PetscErrorCode AppChildStart(char *const words[], const char log[], int leash, pid_t *child);
/* Creates the pipe by which child processes notice that this program has ended. *leash is the reading end of the pipe.
   The operating system closes the pipe when this program ends for any reason. */
PetscErrorCode AppChildLeash(int *leash);
/* A child process that was started with --leash calls this function. When the pipe of AppChildLeash is closed, the
   child gets SIGTERM, so that its run ends with a checkpoint. */
void AppChildHold(void);
