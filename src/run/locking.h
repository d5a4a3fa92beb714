/* Detects volumetric locking. First-order elements with full integration lock when Poisson's ratio is near 0.5: they
   resist changes of shape as if they were changes of volume. Then the ratio of volumetric to deviatoric energy is far
   above the ratio in uniaxial stress. */
#pragma once

#include "base/archive.h"
#include "model/model.h"

typedef struct CrLocking CrLocking;

/* Creates the measurement. *locking is NULL if no body has such elements and nu > 0.4. */
PetscErrorCode CrLockingCreate(const CrModel *model, CrLocking **locking);
PetscErrorCode CrLockingDestroy(CrLocking **locking);
/* Adds to the archive of a checkpoint the numbers collected since the start of the run. */
PetscErrorCode CrLockingArchive(CrLocking *locking, CrArchive *archive);
/* Measures the state if its strain energy is far above the strain energy of the last measurement. `strain` must be the
   same on all ranks. Collective. */
PetscErrorCode CrLockingLook(CrLocking *locking, const CrState *state, PetscReal strain);
/* At the end: warns of bodies that lock, and returns the greatest ratio of the energies; NaN: there is none. */
PetscReal CrLockingEnd(const CrLocking *locking);
