/* The folder of `converge` or `sweep`, with many runs of one deck. A later call with the same options resumes these
   runs. */
#pragma once

#include "app/pool.h"

/* Creates the folder, or finds out what it contains. `kind` is the name of the command and of its files, and `words`
   describe the options. Completed runs are marked as done, and interrupted runs are marked to be resumed. A folder of
   another deck, of other options, or with other files is refused. With --force a study of another deck or with other
   options is replaced. */
PetscErrorCode AppStudyOpen(const char kind[], const char dir[], const AppArguments *arguments,
                            const char words[], PetscInt n, AppJob *const jobs[]);
