/* The mid-point rule as a part of methods: bulk, Newton, and contact by the law they bring. */
#pragma once

#include "integrate/implicit.h"

typedef struct {
  CrImplicit   im;
  PetscBool    plain;  /* stress at F_m^T F_m instead of the conserving one */
  PetscBool    slides; /* slip is measured from the middle of the last step to that of this one */
  CrContactLaw law;    /* set by the method */
  PetscReal    previous_time; /* when that was */
  Vec          previous;      /* displacements in the middle of the last step; owned */
  const PetscReal *um0;       /* of `previous`, during a step */
  PetscReal       *slide;     /* local dofs: way from there; owned */
  CrContactStep    contact;   /* of the last residual */
} CrMiddle;

PetscErrorCode CrMiddleSetup(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state);
/* The three parts of a step: supports, predictor and search; Newton, which may be called again with
   another law or multipliers; ledger and state, which come last after a failure too. */
PetscErrorCode CrMiddleBegin(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state, PetscReal h);
PetscErrorCode CrMiddleSolve(CrIntegrator *it, CrMiddle *mp, CrStepReport *report);
PetscErrorCode CrMiddleEnd(CrMiddle *mp, CrState *state, CrStepReport *report);
PetscErrorCode CrMiddleStep(CrIntegrator *it, CrMiddle *mp, const CrModel *model, CrState *state,
                            PetscReal h, CrStepReport *report);
PetscErrorCode CrMiddleArchive(CrMiddle *mp, CrArchive *archive);
PetscErrorCode CrMiddleDestroy(CrMiddle *mp);
