/* Impulses on rigid bodies at the end of a step (theory 16.6). */
#pragma once

#include "contact/partners/partners.h"

/* Computes the force and torque on the rigid body that one row of the operators G and H causes at the end of the
   step. */
void CrPartnerPull(const CrGrip *grip, PetscInt dim, const PetscReal *row, PetscReal pull[6]);
/* Computes the changes of velocity and angular velocity that the impulse and its moment cause. */
void CrPartnerAnswer(const CrPartner *partner, const PetscReal pull[6], PetscReal answer[6]);
/* Computes the velocity and angular velocity at t_n, and at the end of the step with the forces of the last
   evaluation. */
void CrPartnerTwists(const CrPartner *partner, PetscReal h, PetscReal before[6],
                     PetscReal after[6]);
