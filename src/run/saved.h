/* The state of a run, kept in memory: everything that a checkpoint holds. */
#pragma once

#include "run/run.h"

typedef struct CrSaved CrSaved;

/* Copies the state. Collective. */
PetscErrorCode CrSavedCreate(CrRun *run, CrSaved **saved);
/* The run goes on from the saved state, as if it had never left it. `saved` must come from the same run. Collective. */
PetscErrorCode CrSavedRestore(const CrSaved *saved, CrRun *run);
PetscErrorCode CrSavedDestroy(CrSaved **saved);
