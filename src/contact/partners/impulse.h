/* Functions for impulses on rigid bodies at the end of a step (theory 16.6). In arrays of six numbers, the first three
   belong to translation and the last three to rotation. */
#pragma once

#include "contact/partners/partners.h"

/* Computes `pull`, the force and torque on the rigid body at the end of the step, for a unit force along `row`. `row`
   is the operator G or one of the operators H. `grip` has the points of the body on which the force acts. */
void CrPartnerPull(const CrGrip *grip, PetscInt dim, const PetscReal *row, PetscReal pull[6]);
/* Computes `answer`, the changes of velocity and angular velocity of the body. `pull` is the impulse on the body and
   its moment about the body's centre. */
void CrPartnerAnswer(const CrPartner *partner, const PetscReal pull[6], PetscReal answer[6]);
/* Computes the velocity and angular velocity of the body at t_n (`before`), and at the end of the step with the forces
   of the last evaluation (`after`). h is the step size. */
void CrPartnerTwists(const CrPartner *partner, PetscReal h, PetscReal before[6],
                     PetscReal after[6]);
