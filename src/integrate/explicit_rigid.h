/* Rigid bodies in the steps of the method `explicit`: the check of contact pairs, start velocities, and works. Contact
   impulses change the velocities of rigid bodies and of nodes together (contact/multipliers/multipliers.h). All numbers
   are the same on every rank. */
#pragma once

#include "contact/contact.h"
#include "model/model.h"

/* Refuses decks in which two rigid bodies touch each other. Rigid bodies may touch obstacles and deformable
   bodies. */
PetscErrorCode CrExplicitRigidCheck(const CrModel *model, const CrContact *contact);

typedef struct {
  PetscReal external, internal, put_in, kinetic; /* as the sums of these names in explicit.c */
} CrExplicitRigidWork;

/* Computes *work, the works of the step of size h from `state` to `end`. a[3n] are the accelerations by loads. h0 is
   the size of the previous step. */
void CrExplicitRigidWorks(const CrModel *model, const CrRigidState *state, const CrRigidState *end,
                          const PetscReal *a, PetscReal h, PetscReal h0, CrExplicitRigidWork *work);
/* Sets the staggered velocities v_{-1/2} = v_0 - (h/2) a_0 at the start of a run. a[6n] are the accelerations and the
   rates of angular momentum. Adds to *energy the kinetic energy at t_0. */
void CrExplicitRigidStart(const CrModel *model, CrRigidState *state, const PetscReal *a,
                          PetscReal h, PetscReal *energy);
/* Returns the correction that turns the kinetic energy of the staggered velocities into the kinetic energy at t_n:
   -(h/2) f.v, where f is minus the weight. */
PetscReal CrExplicitRigidShift(const CrModel *model, const CrRigidState *state, PetscReal h);
