/* The active contacts of all ranks, and sums over the ranks (active.c). */
#pragma once

#include "contact/cones/internal.h"

/* Lists the active contacts of all ranks, and finds their islands. Collective. */
PetscErrorCode CrConesList(CrCones *cones);
/* Replaces each of the n values by its sum over the ranks. If contact points are not divided among the ranks, the
   function does nothing. Collective. */
PetscErrorCode CrConesSum(const CrCones *cones, PetscInt n, PetscReal *values);
/* Sets *yes on all ranks to true if it is true on at least one rank. Collective. */
PetscErrorCode CrConesAny(const CrCones *cones, PetscBool *yes);
/* Returns true if this rank counts the l-th active contact, or touch k, in sums over the ranks. */
PetscBool CrConesCounts(const CrCones *cones, PetscInt l);
PetscBool CrConesTouchCounts(const CrCones *cones, PetscInt k);
/* Copies the displacements `moved` of the nodes of this rank to y (local), and brings those of ghosts. Collective. */
PetscErrorCode CrConesBring(const CrCones *cones, const PetscReal *moved, PetscReal *y);
/* Frees the arrays of the Coulomb problem. */
PetscErrorCode CrConesFreeLists(CrCones *cones);
