/* Rigid bodies under explicit steps: what they may meet, their loads and works. Contact moves them, with
   the nodes (contact/multipliers/multipliers.h); the same on every rank. */
#pragma once

#include "contact/contact.h"
#include "model/model.h"

/* Refuses pairs of rigid bodies with one another; the rest meets obstacles and nodes. */
PetscErrorCode CrExplicitRigidCheck(const CrModel *model, const CrContact *contact);

typedef struct {
  PetscReal external, internal, put_in, kinetic; /* as the sums of explicit.c */
} CrExplicitRigidWork;

/* Of the step from `state` to `end` over h, with loads that accelerate by a [3n]; h0: size of the step
   before. */
void CrExplicitRigidWorks(const CrModel *model, const CrRigidState *state, const CrRigidState *end,
                          const PetscReal *a, PetscReal h, PetscReal h0, CrExplicitRigidWork *work);
/* v_{-1/2} = v_0 - (h/2) a_0, with rates a [6n]; *energy += kinetic at t_0. */
void CrExplicitRigidStart(const CrModel *model, CrRigidState *state, const PetscReal *a,
                          PetscReal h, PetscReal *energy);
/* -(h/2) f.v with f = - weight. */
PetscReal CrExplicitRigidShift(const CrModel *model, const CrRigidState *state, PetscReal h);
