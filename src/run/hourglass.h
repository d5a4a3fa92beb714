/* Measures the energy in the hourglass springs of one-point elements. These springs replace the bending stiffness that
   one point does not have, and stay elastic when the material flows. Above a tenth of the internal energy results are
   those of the springs. */
#pragma once

#include "base/archive.h"
#include "model/audit.h"

typedef struct CrHourglass CrHourglass;

/* *hourglass is NULL if no body has such elements. Collective. */
PetscErrorCode CrHourglassCreate(const CrModel *model, CrHourglass **hourglass);
PetscErrorCode CrHourglassDestroy(CrHourglass **hourglass);
/* For checkpoints: adds the numbers collected since the start to the archive. */
PetscErrorCode CrHourglassArchive(CrHourglass *hourglass, CrArchive *archive);
/* Looks at bodies if the internal energy, strain and losses, has grown far enough since the last look, or at the end of
   the run. Keeps the greatest ratio of each body. Collective. */
PetscErrorCode CrHourglassLook(CrHourglass *hourglass, const CrState *state, const CrAudit *audit,
                               PetscBool end);
/* At the end: warns of bodies, and returns the greatest ratio of all; NaN: there is none. */
PetscReal CrHourglassEnd(const CrHourglass *hourglass);
