/* A time step by the mid-point rule, which several integration methods use. Each method chooses its own contact law. */
#pragma once

#include "integrate/implicit.h"

typedef struct {
  CrImplicit im;
  /* the stress is S(F_m^T F_m) with the mid-point F_m, not the energy-conserving stress */
  PetscBool plain;
  /* true: slip is measured from the middle of the last step to the middle of this step */
  PetscBool        slides;
  CrContactLaw     law;           /* contact law, which the method sets */
  PetscReal        previous_time; /* time of the middle of the last step */
  Vec              previous;      /* displacements at previous_time; owned */
  const PetscReal *um0;           /* array of `previous`, open during a step */
  /* [local dofs] um - um0, where um are the displacements in the middle of this step; owned */
  PetscReal    *slide;
  CrContactStep contact; /* contact data of the last residual */
} CrMiddle;

PetscErrorCode CrMiddleSetup(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state);
/* Compute a step in three parts. CrMiddleBegin prepares supports and start vectors, and searches for contact.
   CrMiddleSolve runs Newton's method; the caller may call it again with another contact law or other multipliers.
   CrMiddleEnd fills the report and the state; it must be called after a failure too. */
PetscErrorCode CrMiddleBegin(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state, PetscReal h);
PetscErrorCode CrMiddleSolve(CrIntegrator *it, CrMiddle *mp, CrStepReport *report);
PetscErrorCode CrMiddleEnd(CrMiddle *mp, CrState *state, CrStepReport *report);
/* Calls CrMiddleBegin, CrMiddleSolve and CrMiddleEnd. */
PetscErrorCode CrMiddleStep(CrIntegrator *it, CrMiddle *mp, const CrModel *model, CrState *state,
                            PetscReal h, CrStepReport *report);
PetscErrorCode CrMiddleArchive(CrMiddle *mp, CrArchive *archive);
PetscErrorCode CrMiddleDestroy(CrMiddle *mp);
