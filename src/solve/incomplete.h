/* ILU(0) preconditioner for matrices with a dense block per pair of coupled nodes (theory 10.3). The factors have no
   blocks that the matrix does not have. With several ranks, the preconditioner is a restricted additive Schwarz method.
   Each rank factors the rows of its own and of neighbouring nodes (overlap one), and uses the solution at its own
   nodes. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

/* Makes pc the ILU(0) preconditioner of this file. pc owns the data. The matrix must have blocks of dofs
   (CrBlocksFit). */
PetscErrorCode CrIncompleteUse(PC pc);
/* Frees the factors and their pattern, if CrIncompleteUse was called for pc. */
PetscErrorCode CrIncompleteDrop(PC pc);
/* Sets *named to true if pc is a preconditioner of PETSc's type "shell" with this name. */
PetscErrorCode CrShellNamed(PC pc, const char *name, PetscBool *named);
