/* Rigid bodies under explicit steps: which contacts are allowed, loads and works. Contact changes their velocities
   together with those of the nodes (contact/multipliers/multipliers.h). All numbers are the same on every rank. */
#pragma once

#include "contact/contact.h"
#include "model/model.h"

/* Refuses decks in which two rigid bodies touch each other. Rigid bodies may touch obstacles and deformable
   bodies. */
PetscErrorCode CrExplicitRigidCheck(const CrModel *model, const CrContact *contact);

typedef struct {
  PetscReal external, internal, put_in, kinetic; /* like the sums of the same names in explicit.c */
} CrExplicitRigidWork;

/* Computes the works of the step from `state` to `end` of size h, under the accelerations a [3n] by loads. h0 is the
   size of the step before. */
void CrExplicitRigidWorks(const CrModel *model, const CrRigidState *state, const CrRigidState *end,
                          const PetscReal *a, PetscReal h, PetscReal h0, CrExplicitRigidWork *work);
/* Sets the staggered velocities v_{-1/2} = v_0 - (h/2) a_0 at the start, with accelerations and rates of angular
   momentum a [6n]. Adds the kinetic energy at t_0 to *energy. */
void CrExplicitRigidStart(const CrModel *model, CrRigidState *state, const PetscReal *a,
                          PetscReal h, PetscReal *energy);
/* Returns the shift of kinetic energy to t_n: -(h/2) f.v, where f is minus the weight. */
PetscReal CrExplicitRigidShift(const CrModel *model, const CrRigidState *state, PetscReal h);
