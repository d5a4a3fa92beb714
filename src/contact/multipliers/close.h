/* Closing: what still penetrates at the end of an explicit step is removed in the same step (theory 19.9). */
#pragma once

#include "contact/multipliers/press.h"

/* Examines the positions to which v leads. If a pair or a node without a pair is deeper inside than it may be, all
   pairs are evaluated there, and such nodes get pairs; *open says so. turn is the number of calls in
   this step; slack is the distance by which positions have changed since the search. Collective. */
PetscErrorCode CrPressOpen(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v,
                           PetscInt turn, PetscReal *slack, PetscBool *open);
/* The change of velocity at which an iteration that closes gaps may end. */
PetscReal CrPressFine(const CrMultipliers *multipliers, PetscReal h);
/* All ranks agree on pairs that have changed, and prepare them for sweeps. */
PetscErrorCode CrPressAgree(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v);
/* Solves for the normal multipliers of a list whose friction is frozen, by conjugate gradients on the active set. v are
   velocities of all nodes of the list. Returns the number of iterations. */
PetscInt CrPressActive(PetscInt dim, PetscReal kick, PetscReal tolerance, const CrPressList *list,
                       PetscReal *v);
