/* Choice of the linear solver. The program chooses a solver by the size of the matrix, and prints the choice. PETSc
   options override it. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

typedef struct CrLinear CrLinear;

/* Chooses the linear solver for the matrix A, and configures ksp. PETSc options after `--` on the command line override
   the choice. `has_mass` is true if A contains inertia. */
PetscErrorCode CrLinearCreate(KSP ksp, Mat A, PetscInt dim, PetscBool has_mass, CrLinear **linear);
/* Changes to a stronger solver if the present solver failed or is too slow. The function is called after a nonlinear
   solution. `iterations` is the mean number of iterations per linear solve. *moved is true if the solver has changed.
   Collective. */
PetscErrorCode CrLinearReview(CrLinear *linear, PetscReal iterations, PetscBool failed,
                              PetscBool *moved);
/* Frees the data of incomplete.h and multigrid.h, which PETSc's KSPReset does not free. */
PetscErrorCode CrLinearDrop(CrLinear *linear);
/* CrLinearRung returns a pointer to the number of the solver in use, for checkpoints. CrLinearRestore activates this
   solver again after a restart. */
PetscInt      *CrLinearRung(CrLinear *linear);
PetscErrorCode CrLinearRestore(CrLinear *linear);
PetscErrorCode CrLinearDestroy(CrLinear **linear);
const char    *CrLinearText(const CrLinear *linear);
