/* The linear solver: chosen by size, printed, any PETSc option overrides. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

typedef struct CrLinear CrLinear;

/* Configures ksp for a matrix of this size; options behind `--` win. */
PetscErrorCode CrLinearCreate(KSP ksp, Mat A, PetscInt dim, CrLinear **linear);
PetscErrorCode CrLinearDestroy(CrLinear **linear);
const char    *CrLinearText(const CrLinear *linear);
