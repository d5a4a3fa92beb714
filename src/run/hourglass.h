/* Measures the energy in the hourglass springs of one-point elements. These springs replace the bending stiffness that
   one point does not have, and stay elastic when the material flows. If this energy is above a tenth of the internal
   energy, the springs determine the results. */
#pragma once

#include "base/archive.h"
#include "model/audit.h"

typedef struct CrHourglass CrHourglass;

/* Creates the measurement. *hourglass is NULL if no body has such elements. Collective. */
PetscErrorCode CrHourglassCreate(const CrModel *model, CrHourglass **hourglass);
PetscErrorCode CrHourglassDestroy(CrHourglass **hourglass);
/* Adds to the archive of a checkpoint the numbers collected since the start of the run. */
PetscErrorCode CrHourglassArchive(CrHourglass *hourglass, CrArchive *archive);
/* Measures all bodies if the internal energy (strain energy and losses) has grown enough since the last measurement,
   or at the end of the run. Keeps the greatest ratio of each body. Collective. */
PetscErrorCode CrHourglassLook(CrHourglass *hourglass, const CrState *state, const CrAudit *audit,
                               PetscBool end);
/* At the end of the run: warns of bodies with a large ratio, and returns the greatest ratio; NaN: no body has such
   elements. */
PetscReal CrHourglassEnd(const CrHourglass *hourglass);
