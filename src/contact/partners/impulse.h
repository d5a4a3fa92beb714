/* Impulses on rigid bodies at the end of a step (theory 16.6). */
#pragma once

#include "contact/partners/partners.h"

/* Force and torque on the body by one row of operators at the end of the step. */
void CrPartnerPull(const CrGrip *grip, PetscInt dim, const PetscReal *row, PetscReal pull[6]);
/* Changes of velocity and angular velocity by the impulse and its moment. */
void CrPartnerAnswer(const CrPartner *partner, const PetscReal pull[6], PetscReal answer[6]);
/* Velocity and angular velocity at t_n, and at the end of the step with the forces of the last evaluation. */
void CrPartnerTwists(const CrPartner *partner, PetscReal h, PetscReal before[6],
                     PetscReal after[6]);
