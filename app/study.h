/* Opens the folder of a study: many runs of one deck that the command `converge` or `sweep` makes. A later call of the
   command with the same options resumes these runs. */
#pragma once

#include "app/pool.h"

/* Creates the folder `dir` of a study, or finds out which of the n runs it contains. `kind` is the name of the command
   and of its files. `words` is a text that describes the options of the command. Completed runs are marked as done, and
   interrupted runs are marked to be resumed. The function rejects a folder that contains a study of another deck, a
   study with other options, or other files. With the option --force it replaces another study. */
PetscErrorCode AppStudyOpen(const char kind[], const char dir[], const AppArguments *arguments,
                            const char words[], PetscInt n, AppJob *const jobs[]);
