/* ILU(0) of a matrix whose dofs come in blocks, one per node (theory 10.3): without fill between nodes,
   blocks dense. On several ranks each factors its own rows and those of the nodes next to them (overlap
   one), and keeps of the solution what it owns: restricted additive Schwarz. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

/* Makes it the preconditioner of pc, which owns it. The matrix must have blocks (CrBlocksFit). */
PetscErrorCode CrIncompleteUse(PC pc);
/* Lets go of factors and pattern, if pc is one of these. */
PetscErrorCode CrIncompleteDrop(PC pc);
