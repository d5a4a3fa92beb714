/* The folder of `converge` or `sweep`, with many runs of one deck. A later call with the same options resumes these
   runs. */
#pragma once

#include "app/pool.h"

/* Creates the folder, or finds out what it contains. `kind` is the name of the command and of its files, and `words`
   describe the options. Completed runs are marked as done, and interrupted runs are marked to be resumed. The function
   rejects a folder that contains a study of another deck, a study with other options, or other files. With --force it
   replaces such a study. */
PetscErrorCode AppStudyOpen(const char kind[], const char dir[], const AppArguments *arguments,
                            const char words[], PetscInt n, AppJob *const jobs[]);
