/* Motion of the bodies of a system from `now` to `trial`, under the impulses of its contacts (theory 18.5). */
#pragma once

#include "integrate/efda/system.h"

/* Adds up the half impulses of the contacts, which gives forces and torques on the guided bodies. */
void EfdaSumForces(EfdaSystem *e);
/* Moves the bodies from `now` to `trial` with these forces: velocities in the middle of the part, and positions
   before their correction. free_only moves only bodies whose island touches no obstacle. Returns false if a
   rotation was not found. */
PetscBool EfdaMove(EfdaSystem *e, PetscReal s, PetscBool free_only);
/* Marks all bodies as free of contact, and computes their inverse inertia matrices at the present poses. */
void EfdaRelease(EfdaSystem *e);
/* Moves the bodies that no contact holds, in free flight. */
void EfdaFly(EfdaSystem *e, PetscReal s);
/* Position impulses dn and dt act along normal and first tangent of a contact. EfdaDisplace adds the displacements that
   they cause to dx. EfdaOpens returns by how much dx opens a contact. EfdaApply moves `trial` by dx, and sets dx to
   zero. */
void      EfdaDisplace(EfdaSystem *e, const EfdaContact *c, PetscReal dn, PetscReal dt);
PetscReal EfdaOpens(const EfdaSystem *e, const EfdaContact *c);
void      EfdaApply(EfdaSystem *e);
/* Accepts the part from `now` to `trial`: adds its work, makes `trial` the new `now`, and stores the held contacts. */
PetscErrorCode EfdaAccept(EfdaSystem *e, PetscReal s);
