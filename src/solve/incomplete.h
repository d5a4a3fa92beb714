/* ILU(0) of a matrix with a dense block per node (theory 10.3). This factorization has no fill between nodes. With
   several ranks it is a restricted additive Schwarz method: each rank factors its own rows and those of neighbouring
   nodes (overlap one), and keeps its own part of the solution. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

/* Makes pc this preconditioner. pc owns it. The matrix must have blocks (CrBlocksFit). */
PetscErrorCode CrIncompleteUse(PC pc);
/* Frees factors and pattern, if pc is this preconditioner. */
PetscErrorCode CrIncompleteDrop(PC pc);
