/* A saved state: a copy of a run's state in memory, with the same data as a checkpoint. */
#pragma once

#include "run/run.h"

typedef struct CrSaved CrSaved;

/* Copies the state. Collective. */
PetscErrorCode CrSavedCreate(CrRun *run, CrSaved **saved);
/* Restores the saved state. Later results are the same as if the run had continued from this state at once. `saved`
   must come from the same run. Collective. */
PetscErrorCode CrSavedRestore(const CrSaved *saved, CrRun *run);
PetscErrorCode CrSavedDestroy(CrSaved **saved);
