/* Multigrid preconditioner by smoothed aggregation (PETSc's GAMG). If the matrix contains contact, the preconditioner
   also uses ILU(0) and an exact solution for the slave nodes (theory 10.3). The rigid-body modes must be attached to
   the matrix as its near null space. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

/* Makes pc the multigrid preconditioner of this file. pc owns the data. The matrix must have blocks of dofs
   (CrBlocksFit). The preconditioner is not linear, because smoothers may iterate, so it needs a flexible Krylov
   method. */
PetscErrorCode CrMultigridUse(PC pc);
/* Frees all multigrid levels and factors, if CrMultigridUse was called for pc. */
PetscErrorCode CrMultigridDrop(PC pc);
