/* Multigrid by smoothed aggregation (PETSc's GAMG), completed by ILU(0) and an exact solution for slaves if the matrix
   contains contact (theory 10.3). The rigid-body modes must be attached to the matrix as its near null space. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

/* Makes pc the multigrid preconditioner of this file. pc owns its data. The matrix must have blocks (CrBlocksFit).
   The preconditioner is not a fixed matrix, because smoothers may iterate. */
PetscErrorCode CrMultigridUse(PC pc);
/* Frees all levels and factors, if CrMultigridUse was called for pc. */
PetscErrorCode CrMultigridDrop(PC pc);
