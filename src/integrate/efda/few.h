/* The engine for few bodies, which computes the time of every impact (theory 18). A step consists of sub-steps. A
   sub-step ends at the next impact. During a sub-step, bodies move so that their closed contacts stay closed (guide.c).
   An impact has no duration (impact.c). The file instant.c finds the times of impacts. */
#pragma once

#include "integrate/efda/system.h"

/* Computes a step from `now`, with every impact at its own time (instant.c). *good is false if there is no solution. */
PetscErrorCode EfdaStepInstant(EfdaSystem *e, PetscReal h, PetscBool *good);
/* Returns the contact with the greatest penetration in the state `trial`, at the time s after the start of the
   sub-step. Only contacts that were open and are not held closed count. NULL: no penetration exceeds `depth`. */
EfdaContact *EfdaFindCrossing(EfdaSystem *e, PetscReal s, PetscReal depth);

/* Moves the bodies from `now` to `trial` over the time s, so that the held contacts stay closed (guide.c). Afterwards
   e->poses are the poses of `trial`. *good is false if there is no solution. */
PetscErrorCode EfdaGuide(EfdaSystem *e, PetscReal s, PetscBool *good);

/* Solves the impact of every group of touching bodies (island) in which two bodies approach each other (impact.c).
   *struck becomes true if there was at least one impact. */
PetscErrorCode EfdaStrike(EfdaSystem *e, PetscBool *struck);

/* EfdaPenaltyShift computes the position corrections by springs and dashpots (penalty.c). EfdaPenaltyKeep stores the
   elongation of the tangential springs for the next sub-step. s is the length of the sub-step. */
void EfdaPenaltyShift(EfdaSystem *e, PetscReal s);
void EfdaPenaltyKeep(EfdaSystem *e, PetscReal s);

/* Functions of together.c. EfdaSolveTogether solves all held contacts, or all struck contacts (contacts of an impact),
   as one system. EfdaMassesDiffer returns true if the masses of the bodies differ so much that Gauss-Seidel sweeps
   would converge too slowly, and EfdaSolveTogether is needed. `tolerance` has the meaning of CrConeOptions.tolerance.
   EfdaSolveTogether does nothing if EfdaTogetherCreate was not called. */
PetscBool      EfdaMassesDiffer(const CrRigid *rigid);
PetscErrorCode EfdaTogetherCreate(EfdaSystem *e);
PetscErrorCode EfdaSolveTogether(EfdaSystem *e, PetscBool struck, PetscReal tolerance);
PetscErrorCode EfdaTogetherDestroy(EfdaSystem *e);
