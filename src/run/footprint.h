/* Measures how finely elements resolve contact zones. One measure is the number of contact points along the contact
   when its force is greatest. The other is the angle between neighbouring facets of curved surfaces in the contact
   zone. */
#pragma once

#include "base/archive.h"
#include "contact/contact.h"

typedef struct CrFootprint CrFootprint;

PetscErrorCode CrFootprintCreate(const CrContact *contact, CrFootprint **footprint);
PetscErrorCode CrFootprintDestroy(CrFootprint **footprint);
/* Adds to the archive of a checkpoint the greatest forces and their measures since the start of the run. */
PetscErrorCode CrFootprintArchive(CrFootprint *footprint, CrArchive *archive);
/* Examines a contact pair after an accepted step, if the force of the pair is greater than in all earlier steps.
   Collective. */
PetscErrorCode CrFootprintLook(CrFootprint *footprint, PetscInt pair);
/* Computes the results at the end of the run. along[0] and along[1] are numbers of contact points, along the longer and
   the shorter direction of the contact. Both numbers belong to the contact pair with the fewest points. *turn is the
   greatest angle between neighbouring facets, in degrees. A result is NaN if it does not exist, such as the shorter
   direction in 2D. Pairs whose force is small compared with the greatest force are ignored. */
void CrFootprintEnd(const CrFootprint *footprint, PetscReal along[2], PetscReal *turn);
/* Returns the number of elements that an elastic wave crosses per unit of time in the element layer at the contact of a
   pair. Returns 0 if no body of the pair has elements. */
PetscReal CrFootprintRate(const CrFootprint *footprint, PetscInt pair);
