/* Measures the energy in the hourglass springs of elements with one integration point. These springs replace the
   bending stiffness that such an element does not have, and stay elastic when the material flows. If their energy is
   above a tenth of the internal energy, the springs determine the results. */
#pragma once

#include "base/archive.h"
#include "model/audit.h"

typedef struct CrHourglass CrHourglass;

/* Creates the measurement. *hourglass is NULL if no body has elements with one integration point. Collective. */
PetscErrorCode CrHourglassCreate(const CrModel *model, CrHourglass **hourglass);
PetscErrorCode CrHourglassDestroy(CrHourglass **hourglass);
/* Adds to the archive of a checkpoint the ratios measured since the start of the run. */
PetscErrorCode CrHourglassArchive(CrHourglass *hourglass, CrArchive *archive);
/* Measures the ratio of hourglass energy to internal energy (strain energy and losses) in all bodies, and keeps the
   greatest ratio of each body. The function does so only if the internal energy has grown enough since the last
   measurement, or at the end of the run (`end`). Collective. */
PetscErrorCode CrHourglassLook(CrHourglass *hourglass, const CrState *state, const CrAudit *audit,
                               PetscBool end);
/* Warns, at the end of the run, of bodies with a large ratio. Returns the greatest ratio, or NaN if no body has such
   elements. */
PetscReal CrHourglassEnd(const CrHourglass *hourglass);
