/* Motion of the bodies of a system from `now` to `trial`, under the impulses of its contacts (theory 18.5). */
#pragma once

#include "integrate/efda/system.h"

/* Sums the half impulses of the contacts to forces and torques on the guided bodies. */
void EfdaSumForces(EfdaSystem *e);
/* Moves the bodies from `now` to `trial` with these forces: velocities in the middle of the part, and positions
   before their correction. free_only moves only bodies whose island touches no obstacle. Returns false if a
   rotation was not found. */
PetscBool EfdaMove(EfdaSystem *e, PetscReal s, PetscBool free_only);
/* Moves the bodies that no contact holds, in free flight. */
void EfdaFly(EfdaSystem *e, PetscReal s);
/* Correction of positions. Displace adds the displacements by the position impulses dn (normal) and dt
   (tangential) of a contact to dx. Opens gives the change of a contact's gap by dx. Apply moves `trial` by dx.
   */
void EfdaDisplace(EfdaSystem *e, const EfdaContact *c, PetscReal dn, PetscReal dt, PetscReal *dx);
PetscReal EfdaOpens(const EfdaContact *c, const PetscReal *dx);
void      EfdaApply(EfdaSystem *e, const PetscReal *dx);
/* Accepts the part from `now` to `trial`: adds its work, copies `trial` to `now`, and remembers the held
   contacts. */
PetscErrorCode EfdaAccept(EfdaSystem *e, PetscReal s);
