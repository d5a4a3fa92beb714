/* The state of a run, kept in memory: everything that a checkpoint holds. */
#pragma once

#include "run/run.h"

typedef struct CrSaved CrSaved;

/* Copies the state. Collective. */
PetscErrorCode CrSavedCreate(CrRun *run, CrSaved **saved);
/* The run continues from the saved state; later results are as if the run had never left this state. `saved` must come
   from the same run. Collective. */
PetscErrorCode CrSavedRestore(const CrSaved *saved, CrRun *run);
PetscErrorCode CrSavedDestroy(CrSaved **saved);
