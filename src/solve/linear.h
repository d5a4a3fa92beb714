/* The linear solver: chosen by size, printed, any PETSc option overrides. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

typedef struct CrLinear CrLinear;

/* Configures ksp for a matrix of this size; options behind `--` win. has_mass: inertia is in it. */
PetscErrorCode CrLinearCreate(KSP ksp, Mat A, PetscInt dim, PetscBool has_mass, CrLinear **linear);
/* After a solve: `iterations` per linear solve were needed, or it failed. Moves on to a stronger
   solver when this one is too slow or failed; *moved says whether it did. Collective. */
PetscErrorCode CrLinearReview(CrLinear *linear, PetscReal iterations, PetscBool failed,
                              PetscBool *moved);
/* Lets go of what KSPReset leaves: our own factors. */
PetscErrorCode CrLinearDrop(CrLinear *linear);
/* Which one is in use; a restart puts it back. */
PetscInt      *CrLinearRung(CrLinear *linear);
PetscErrorCode CrLinearRestore(CrLinear *linear);
PetscErrorCode CrLinearDestroy(CrLinear **linear);
const char    *CrLinearText(const CrLinear *linear);
