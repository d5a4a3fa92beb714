/* The engine for few bodies, which resolves every impact in time (theory 18). A step consists of parts. In each part,
   bodies move along their closed contacts (guide.c), until the next impact. An impact has no duration (impact.c).
   instant.c finds the times of impacts. */
#pragma once

#include "integrate/efda/system.h"

/* instant.c: computes a step from `now`, with every impact at its own time. *good is false if there is no solution. */
PetscErrorCode EfdaStepInstant(EfdaSystem *e, PetscReal h, PetscBool *good);
/* Returns the contact that penetrates most at `trial`, after the time s, among contacts that were open and are not
   held. NULL: no contact penetrates by more than `depth`. */
EfdaContact *EfdaFindCrossing(EfdaSystem *e, PetscReal s, PetscReal depth);

/* guide.c: moves the bodies from `now` to `trial` over the time s, along the held contacts. Afterwards e->poses are
   the poses of `trial`. *good is false if there is no solution. */
PetscErrorCode EfdaGuide(EfdaSystem *e, PetscReal s, PetscBool *good);

/* impact.c: solves the impact of every island of closed contacts in which two bodies approach each other.
   *struck becomes true if there was such an island. */
PetscErrorCode EfdaStrike(EfdaSystem *e, PetscBool *struck);

/* penalty.c: the first function computes the position impulses of springs and dashpots, the second function stores the
   stretch of the springs after a step. */
void EfdaPenaltyShift(EfdaSystem *e, PetscReal s);
void EfdaPenaltyKeep(EfdaSystem *e, PetscReal s);

/* together.c: solves all held contacts, or all struck contacts, as one system. This solver is for bodies whose masses
   differ so much that Gauss-Seidel sweeps converge too slowly. tolerance is that of CrConeOptions. EfdaSolveTogether
   does nothing if EfdaTogetherCreate was not called. */
PetscBool      EfdaMassesDiffer(const CrRigid *rigid);
PetscErrorCode EfdaTogetherCreate(EfdaSystem *e);
PetscErrorCode EfdaSolveTogether(EfdaSystem *e, PetscBool struck, PetscReal tolerance);
PetscErrorCode EfdaTogetherDestroy(EfdaSystem *e);
