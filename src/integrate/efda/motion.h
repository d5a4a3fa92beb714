/* Motion of the bodies of a system from `now` to `trial`, under the impulses of its contacts (theory 18.5). */
#pragma once

#include "integrate/efda/system.h"

/* Sums the half impulses of the contacts to forces and torques on the guided bodies. */
void EfdaSumForces(EfdaSystem *e);
/* Moves the bodies from `now` to `trial` with these forces: velocities in the middle of the part, and positions
   before their correction. free_only moves only bodies whose island touches no obstacle. Returns false if a
   rotation was not found. */
PetscBool EfdaMove(EfdaSystem *e, PetscReal s, PetscBool free_only);
/* Nothing holds any body; inertias are those of the poses. */
void EfdaRelease(EfdaSystem *e);
/* Free flight of the bodies that nothing holds. */
void EfdaFly(EfdaSystem *e, PetscReal s);
/* Adds the displacement by position impulses dn, dt along normal and first tangent of a contact to dx; how far dx opens a
   contact; moves `trial` by dx, which is zero then. */
void      EfdaDisplace(EfdaSystem *e, const EfdaContact *c, PetscReal dn, PetscReal dt);
PetscReal EfdaOpens(const EfdaSystem *e, const EfdaContact *c);
void      EfdaApply(EfdaSystem *e);
/* The part from `now` to `trial` is accepted: its work is added, `trial` becomes `now`, what was held is remembered. */
PetscErrorCode EfdaAccept(EfdaSystem *e, PetscReal s);
