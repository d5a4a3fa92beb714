/* The engine for few bodies, which resolves every impact (theory 18). A step is a chain of parts: guided motion along the
   contacts that hold (guide.c) up to the next impact, the impact at an instant (impact.c), and so on (instant.c). */
#pragma once

#include "integrate/efda/system.h"

/* instant.c: a step from `now`, impacts at their instants; *good false: no solution. */
PetscErrorCode EfdaStepInstant(EfdaSystem *e, PetscReal h, PetscBool *good);
/* Of the contacts that were open and are not held the one deepest after s, at `trial`; -1: none is below
   `depth`. */
PetscInt EfdaFindCrossing(EfdaSystem *e, PetscReal s, PetscReal depth);

/* guide.c: motion over s from `now` to `trial` with the held contacts; *good false: no solution. */
PetscErrorCode EfdaGuide(EfdaSystem *e, PetscReal s, PetscBool *good);

/* impact.c: every island of closed contacts in which two bodies approach is struck. */
PetscErrorCode EfdaStrike(EfdaSystem *e, PetscBool *struck);

/* penalty.c: position impulses of the spring and dashpot, and what the springs remember of a step. */
void EfdaPenaltyShift(EfdaSystem *e, PetscReal s);
void EfdaPenaltyKeep(EfdaSystem *e, PetscReal s);

/* together.c: all held contacts, or all struck ones, at once; tolerance: of cone.h. For masses so unlike that
   Gauss-Seidel will not do. */
PetscBool      EfdaMassesDiffer(const CrRigid *rigid);
PetscErrorCode EfdaTogetherCreate(EfdaSystem *e);
PetscErrorCode EfdaSolveTogether(EfdaSystem *e, PetscBool struck, PetscReal tolerance);
PetscErrorCode EfdaTogetherDestroy(EfdaSystem *e);
