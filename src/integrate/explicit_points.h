/* Rigid points under explicit steps: masses without rotation that meet obstacles, by the same
   multipliers as the nodes of deformable bodies (contact/multipliers.h). Points do not meet one another
   or deformable bodies, so they are a system of their own, the same on every rank. */
#pragma once

#include "contact/multipliers.h"
#include "model/model.h"

typedef struct CrPoints CrPoints;

/* Refuses rigid bodies that are no points, and pairs of them with one another. */
PetscErrorCode CrPointsCreate(const CrModel *model, CrContact *contact,
                              const CrMultiplierOptions *options, CrPoints **points);
PetscErrorCode CrPointsDestroy(CrPoints **points);
PetscErrorCode CrPointsArchive(CrPoints *points, CrArchive *archive);

/* v_{-1/2} = v_0 - (h/2) a_0, without what would close what is closed; *energy += kinetic at t_0. */
PetscErrorCode CrPointsStart(CrPoints *points, CrState *state, PetscReal h, PetscReal *energy);

typedef struct {
  PetscReal external, internal, put_in, kinetic; /* as the sums of explicit.c */
  PetscReal normal, friction;
} CrPointsWork;

/* The trial step from t over h, and its works; h0: size of the step before. */
PetscErrorCode CrPointsStep(CrPoints *points, const CrState *state, PetscReal t, PetscReal h,
                            PetscReal h0, CrPointsWork *work, PetscInt *iterations);
/* The trial becomes the state. */
PetscErrorCode CrPointsCommit(CrPoints *points, CrState *state, CrStepReport *report);
/* -(h/2) f.v with f = - weight. */
PetscReal CrPointsKineticShift(const CrPoints *points, const CrState *state, PetscReal h);
