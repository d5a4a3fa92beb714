/* Starts the program carom again as a child process. The commands `verify`, `compare`, `converge`, `sweep` and `view`
   use child processes for their runs. */
#pragma once

#include <sys/types.h>
#include "base/base.h"

/* Stores in `path` the path of the running program, of at most `size` bytes. */
PetscErrorCode AppChildSelf(char path[], size_t size);
/* Starts the program words[0] with the arguments `words`, and sets *child to its process id. The child does not inherit
   the environment variables that MPI has set. Its output is appended to the file `log`. `leash` is the file descriptor
   of its standard input; -1: no input. */
PetscErrorCode AppChildStart(char *const words[], const char log[], int leash, pid_t *child);
/* Creates a pipe by which child processes notice that this program has ended. *leash is the reading end of the pipe,
   which becomes the standard input of the children. When this program ends for any reason, the operating system closes
   the pipe. */
PetscErrorCode AppChildLeash(int *leash);
/* Makes this process watch the pipe of AppChildLeash. A child process that was started with the option --leash calls
   this function. When the pipe is closed, the child sends SIGTERM to itself, so that its run ends with a checkpoint. */
void AppChildHold(void);
