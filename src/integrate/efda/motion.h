/* Motion of the bodies of a system from `now` to `trial` under the half impulses of its contacts (theory 18.5). */
#pragma once

#include "integrate/efda/system.h"

/* Forces and torques of the half impulses on the guided bodies. */
void EfdaSumForces(EfdaSystem *e);
/* From `now` with these forces to `trial`: velocities of the middle, and the end before correction; false: a rotation
   was not found. */
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
