/* How finely elements resolve contact zones: the number of points along the contact when its force is greatest, and the
   angle between neighbouring facets of curved surfaces in the contact zone. */
#pragma once

#include "base/archive.h"
#include "contact/contact.h"

typedef struct CrFootprint CrFootprint;

PetscErrorCode CrFootprintCreate(const CrContact *contact, CrFootprint **footprint);
PetscErrorCode CrFootprintDestroy(CrFootprint **footprint);
/* Adds to the archive of a checkpoint the numbers collected since the start of the run. */
PetscErrorCode CrFootprintArchive(CrFootprint *footprint, CrArchive *archive);
/* Examines a pair in an accepted step, if its force is greater than in all earlier steps. Collective. */
PetscErrorCode CrFootprintLook(CrFootprint *footprint, PetscInt pair);
/* At the end of the run: computes the number of points along the contact of the pair that has the fewest, in its
   longer (along[0]) and its shorter direction (along[1]), and *turn, the greatest angle between facets, in degrees. A
   result is NaN if it does not exist, such as the shorter direction in 2D. Pairs whose force is small compared with the
   greatest force are left out. */
void CrFootprintEnd(const CrFootprint *footprint, PetscReal along[2], PetscReal *turn);
/* Returns the number of elements that a wave crosses per unit of time in the contact layer of a pair; 0: no body of
   the pair has elements. */
PetscReal CrFootprintRate(const CrFootprint *footprint, PetscInt pair);
