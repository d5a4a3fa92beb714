/* Restitution of the energy that the algorithm loses in impacts. When a pair separates, an impulse gives this energy
   back to the slave and its master (theory 19.6). A pair is one slave in contact with its master (CrPress). */
#pragma once

#include "contact/multipliers/press.h"

PetscErrorCode CrReturnsCreate(const CrContact *contact, CrReturns **returns);
PetscErrorCode CrReturnsDestroy(CrReturns **returns);
/* After a restart, lists the contact points that are not pressed but still have stored energy. */
void CrReturnsResume(CrMultipliers *multipliers);
/* Returns true if a contact point that is no longer pressed keeps its stored energy for a later step. */
PetscBool CrReturnsWait(const CrMultipliers *multipliers, PetscInt point);
/* Updates the stored energies when a step is accepted. Call this function after the pressed points of the last step
   have been deleted from the history, and before those of this step are stored. */
void CrReturnsCommit(CrMultipliers *multipliers, CrContactHistory *history);
/* Gives the lost energy back to pairs that separate in this step, by impulses that change the velocities v. Called
   after the contact iteration. */
PetscErrorCode CrPressReturn(CrMultipliers *multipliers, const CrMultiplierStep *step,
                             PetscReal *v);
/* Adds to pair->store the energy that the pair removed from the bodies in a step. `work` is the work of its normal
   force on the bodies, which is negative if energy is lost. w0 is the relative velocity of slave and master before the
   step. */
void CrPressStore(PetscInt dim, PetscReal work, const PetscReal w0[3], CrPress *pair);
