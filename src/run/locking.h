/* Detects volumetric locking. First-order elements with full integration lock when Poisson's ratio is near 0.5: they
   are much too stiff against changes of shape without change of volume. The ratio of volumetric to deviatoric strain
   energy is then far above its value in uniaxial stress. */
#pragma once

#include "base/archive.h"
#include "model/model.h"

typedef struct CrLocking CrLocking;

/* Creates the measurement. *locking is NULL if no body has such elements together with a Poisson's ratio above 0.4. */
PetscErrorCode CrLockingCreate(const CrModel *model, CrLocking **locking);
PetscErrorCode CrLockingDestroy(CrLocking **locking);
/* Adds to the archive of a checkpoint the energies measured since the start of the run. */
PetscErrorCode CrLockingArchive(CrLocking *locking, CrArchive *archive);
/* Measures the energy ratio of each body if the strain energy is far above that of the last measurement. `strain` is
   the present strain energy, which must be the same on all ranks. Collective. */
PetscErrorCode CrLockingLook(CrLocking *locking, const CrState *state, PetscReal strain);
/* Warns, at the end of the run, of bodies that lock. Returns the greatest ratio of volumetric to deviatoric energy, or
   NaN if there is none. */
PetscReal CrLockingEnd(const CrLocking *locking);
