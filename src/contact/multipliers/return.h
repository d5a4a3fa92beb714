/* Returns energy after impacts: when a pair separates, its slave gets the energy back that the impact lost (theory
   19.6). */
#pragma once

#include "contact/multipliers/press.h"

PetscErrorCode CrReturnsCreate(const CrContact *contact, CrReturns **returns);
PetscErrorCode CrReturnsDestroy(CrReturns **returns);
void           CrReturnsResume(CrMultipliers *multipliers);
/* Returns true if a contact point that is no longer pressed keeps its stored energy. */
PetscBool CrReturnsWait(const CrMultipliers *multipliers, PetscInt point);
/* Accepts the step. Call this function after the pressed points of the last step are deleted, and before the pressed
   points of this step are stored. */
void CrReturnsCommit(CrMultipliers *multipliers, CrContactHistory *history);
/* Called after the iteration: returns the lost energy to pairs that have separated, by impulses that change v. */
PetscErrorCode CrPressReturn(CrMultipliers *multipliers, const CrMultiplierStep *step,
                             PetscReal *v);
/* Adds the energy that a pair removed from the bodies in a step to the store of the pair. `work` is the work of its
   normal force on the bodies (negative for a loss), w0 the relative velocity of the pair before the step. */
void CrPressStore(PetscInt dim, PetscReal work, const PetscReal w0[3], CrPress *pair);
