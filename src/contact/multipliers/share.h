/* The ranks share the search for pairs, and the iteration, where there is enough of it. */
#pragma once

#include "contact/multipliers/press.h"

PetscErrorCode CrSharingCreate(MPI_Comm comm, PetscInt nlocal,
                               CrSharing **sharing); /* NULL on one rank. Collective */
PetscErrorCode CrSharingDestroy(CrSharing **sharing);
PetscBool      CrSharingIsWorthIt(const CrMultipliers *multipliers);
/* Every rank looks at its share of the entries; what all have found is in the order in which one
   would have found it, the same on every rank. Collective. */
PetscErrorCode CrSharingLook(CrMultipliers *multipliers, const CrMultiplierStep *step);
/* Where very many press, the ranks share the iteration too: m->mine becomes a share of the pairs and
   those around it on which it depends, else all of them. */
PetscErrorCode CrSharingChoose(CrMultipliers *multipliers);
/* After a shared iteration every rank gets to know the multipliers of all pairs. Collective. */
PetscErrorCode CrSharingTell(CrMultipliers *multipliers);
/* Appends the pairs of a pass, as CrPressAdd; passes in ascending order. */
PetscErrorCode CrSharingTake(CrMultipliers *multipliers, const CrMultiplierStep *step,
                             PetscInt pass, const PetscReal *v);
