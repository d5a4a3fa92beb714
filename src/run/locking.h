/* Do elements resist a change of shape as if it were one of volume? First-order elements of full integration do so when
   Poisson's ratio comes near 0.5. The sign of it is a ratio of volumetric to deviatoric energy far above that of
   uniaxial stress. */
#pragma once

#include "base/archive.h"
#include "model/model.h"

typedef struct CrLocking CrLocking;

/* *locking is NULL if no body has such elements and nu > 0.4. */
PetscErrorCode CrLockingCreate(const CrModel *model, CrLocking **locking);
PetscErrorCode CrLockingDestroy(CrLocking **locking);
/* For checkpoints: adds the numbers collected since the start to the archive. */
PetscErrorCode CrLockingArchive(CrLocking *locking, CrArchive *archive);
/* Looks at the state if its strain energy, the same on all ranks, is far above that of the last look. Collective. */
PetscErrorCode CrLockingLook(CrLocking *locking, const CrState *state, PetscReal strain);
/* At the end: warns of bodies that lock, and returns the greatest ratio of the energies; NaN: there is none. */
PetscReal CrLockingEnd(const CrLocking *locking);
