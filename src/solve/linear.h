/* The linear solver. The solver is chosen by the size of the matrix and printed; PETSc options override the choice. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

typedef struct CrLinear CrLinear;

/* Configures ksp for a matrix of this size; PETSc options after `--` override it. has_mass: A contains inertia. */
PetscErrorCode CrLinearCreate(KSP ksp, Mat A, PetscInt dim, PetscBool has_mass, CrLinear **linear);
/* Called after a solution that needed `iterations` per linear solve, or that failed. Changes to a stronger solver if
   the present one failed or is too slow. *moved is true if the solver has changed. Collective. */
PetscErrorCode CrLinearReview(CrLinear *linear, PetscReal iterations, PetscBool failed,
                              PetscBool *moved);
/* Frees the incomplete factors and the multigrid data of the program, which KSPReset does not free. */
PetscErrorCode CrLinearDrop(CrLinear *linear);
/* CrLinearRung returns a pointer to the number of the solver in use, for checkpoints. CrLinearRestore activates this
   solver again after a restart. */
PetscInt      *CrLinearRung(CrLinear *linear);
PetscErrorCode CrLinearRestore(CrLinear *linear);
PetscErrorCode CrLinearDestroy(CrLinear **linear);
const char    *CrLinearText(const CrLinear *linear);
