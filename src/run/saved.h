/* Saves the state of a run in memory and restores it. A saved state has the same data as a checkpoint. */
#pragma once

#include "run/run.h"

typedef struct CrSaved CrSaved;

/* Copies the present state of the run to *saved. Collective. */
PetscErrorCode CrSavedCreate(CrRun *run, CrSaved **saved);
/* Sets the state of the run to the saved state. Later results are the same as if the run had continued at once from
   this state. `saved` must come from the same run. Collective. */
PetscErrorCode CrSavedRestore(const CrSaved *saved, CrRun *run);
PetscErrorCode CrSavedDestroy(CrSaved **saved);
