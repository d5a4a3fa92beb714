/* Motion of rigid bodies from the state `now` to the state `trial`, under the impulses of their contacts (theory
   18.5). */
#pragma once

#include "integrate/efda/system.h"

/* Sums the half impulses of the contacts to forces and torques on the bodies that contacts hold. */
void EfdaSumForces(EfdaSystem *e);
/* Moves the bodies from `now` to `trial` over the time s, with the forces of EfdaSumForces. Computes velocities in the
   middle of the sub-step, and positions before their correction. If free_only is true, the function moves only bodies
   that have no connection to an obstacle through contacts. Returns false if the equation for a rotation has no
   solution. */
PetscBool EfdaMove(EfdaSystem *e, PetscReal s, PetscBool free_only);
/* Marks all bodies as free of contact, and computes their inverse inertia matrices at the present poses. */
void EfdaRelease(EfdaSystem *e);
/* Moves the bodies that no contact holds, in free flight over the time s. */
void EfdaFly(EfdaSystem *e, PetscReal s);
/* Functions for position corrections. EfdaDisplace adds to e->dx the displacements that position impulses cause: dn
   along the normal, and dt along the first tangent of a contact. EfdaOpens returns by how much e->dx opens a contact.
   EfdaApply moves the bodies of `trial` by e->dx, and sets e->dx to zero. */
void      EfdaDisplace(EfdaSystem *e, const EfdaContact *c, PetscReal dn, PetscReal dt);
PetscReal EfdaOpens(const EfdaSystem *e, const EfdaContact *c);
void      EfdaApply(EfdaSystem *e);
/* Accepts the sub-step from `now` to `trial` of length s. Adds its works to the sums of the step, makes `trial` the new
   `now`, and stores the held contacts. */
PetscErrorCode EfdaAccept(EfdaSystem *e, PetscReal s);
