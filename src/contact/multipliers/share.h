/* The ranks share the search for pairs and the iteration, if there is enough work. */
#pragma once

#include "contact/multipliers/press.h"

PetscErrorCode CrSharingCreate(MPI_Comm comm, PetscInt nlocal,
                               CrSharing **sharing); /* NULL on one rank. Collective */
PetscErrorCode CrSharingDestroy(CrSharing **sharing);
/* Are there enough pressed points to share the search? */
PetscBool CrSharingIsWorthIt(const CrMultipliers *multipliers);
/* Every rank searches its share of the entries, and all exchange what they found. The result is the same on
   every rank, in the order in which one rank would have found it. Collective. */
PetscErrorCode CrSharingLook(CrMultipliers *multipliers, const CrMultiplierStep *step);
/* Sets m->mine, the pairs on which this rank iterates. If very many pairs press, these are its share of the pairs, and
   neighbouring pairs on which the share depends. Else they are all pairs. */
PetscErrorCode CrSharingChoose(CrMultipliers *multipliers);
/* After a shared iteration: sends the multipliers of all pairs to every rank. Collective. */
PetscErrorCode CrSharingTell(CrMultipliers *multipliers);
/* Appends the pairs of a pass, as CrPressAdd does. Passes must come in ascending order. */
PetscErrorCode CrSharingTake(CrMultipliers *multipliers, const CrMultiplierStep *step,
                             PetscInt pass, const PetscReal *v);
