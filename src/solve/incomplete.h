/* ILU(0) of a matrix with a dense block per node (theory 10.3). This factorization has no fill between nodes. With
   several ranks it is a restricted additive Schwarz method: each rank factors its own rows and those of neighbouring
   nodes (overlap one), and keeps its own part of the solution. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

/* Makes pc the ILU(0) preconditioner of this file. pc owns its data. The matrix must have blocks (CrBlocksFit). */
PetscErrorCode CrIncompleteUse(PC pc);
/* Frees factors and pattern, if CrIncompleteUse was called for pc. */
PetscErrorCode CrIncompleteDrop(PC pc);
/* Sets *named to true if pc is a preconditioner of PETSc's type "shell" with this name. */
PetscErrorCode CrShellNamed(PC pc, const char *name, PetscBool *named);
