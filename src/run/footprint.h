/* How finely elements resolve contact zones: the number of points along the contact when its force is greatest, and the
   angle between neighbouring facets of curved surfaces there. */
#pragma once

#include "base/archive.h"
#include "contact/contact.h"

typedef struct CrFootprint CrFootprint;

PetscErrorCode CrFootprintCreate(const CrContact *contact, CrFootprint **footprint);
PetscErrorCode CrFootprintDestroy(CrFootprint **footprint);
/* For checkpoints: adds the numbers collected since the start to the archive. */
PetscErrorCode CrFootprintArchive(CrFootprint *footprint, CrArchive *archive);
/* Looks at a pair in an accepted step, if its force is greater than ever before. Collective. */
PetscErrorCode CrFootprintLook(CrFootprint *footprint, PetscInt pair);
/* At the end: points along the contact of the pair that has the fewest, in its longer and its shorter direction, and
   the greatest turn in degrees. NaN: there is none; the shorter direction is missing in the plane. Pairs whose force is
   slight beside the greatest do not count. */
void CrFootprintEnd(const CrFootprint *footprint, PetscReal along[2], PetscReal *turn);
/* How many elements a wave crosses per unit of time in the contact layer of a pair; 0: no body of it has elements. */
PetscReal CrFootprintRate(const CrFootprint *footprint, PetscInt pair);
