/* The folder of many runs of one deck, which a later call with the same words goes on with: `converge`, `sweep`. */
#pragma once

#include "app/pool.h"

/* Makes the folder, or finds out what it holds. `kind` names the command and its files; `words` say what was asked for.
   Runs that are there are marked as done, those that were interrupted as to be resumed. The folder of another deck, of
   other words, or of something else is refused; with --force other studies are replaced. */
PetscErrorCode AppStudyOpen(const char kind[], const char dir[], const AppArguments *arguments,
                            const char words[], PetscInt n, AppJob *const jobs[]);
