/* Closing: removes the penetration at the end of an explicit step within the same step (theory 19.9). */
#pragma once

#include "contact/multipliers/press.h"

/* Examines the positions at the end of the step with the velocities v. *open becomes true if a pair, or a node without
   a pair, penetrates deeper than allowed. The function then evaluates all pairs at these positions, and creates pairs
   for such nodes. turn is the number of earlier calls in this step. slack is the distance by which positions have
   changed since the search. Collective. */
PetscErrorCode CrPressOpen(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v,
                           PetscInt turn, PetscReal *slack, PetscBool *open);
/* Sets multipliers that are only rounding errors to zero, so that the number of contacts does not depend on the number
   of ranks. Collective. */
PetscErrorCode CrPressRelease(CrMultipliers *multipliers, PetscReal kick, PetscReal *v);
/* Returns the change of velocity below which the iteration of closing may end. */
PetscReal CrPressFine(const CrMultipliers *multipliers, PetscReal h);
/* Adds the nodes of all facets that slaves may reach at the positions m->where to the halo. *grown is true if some of
   these nodes had no values; m->where must then be set again. Collective. */
PetscErrorCode CrPressReach(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v,
                            PetscBool *grown);
/* Exchanges the changed pairs between the ranks, and prepares these pairs for Gauss-Seidel sweeps. */
PetscErrorCode CrPressAgree(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v);
/* Computes the normal multipliers of a list of pairs with constant friction, by conjugate gradients on the active set.
   v are the velocities of all nodes of the list. Returns the number of iterations. */
PetscInt CrPressActive(PetscInt dim, PetscReal kick, PetscReal tolerance, const CrPressList *list,
                       PetscReal *v);
/* Is the function `closed` of CrPressOps, for pairs that only closing begins. */
PetscBool CrPressNeverClosed(CrMultipliers *multipliers, PetscInt entry, const PetscReal *u,
                             PetscReal t, CrFound *found);
