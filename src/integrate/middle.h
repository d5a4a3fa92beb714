/* A step by the mid-point rule, which several integration methods use. Each method chooses its contact law. */
#pragma once

#include "integrate/implicit.h"

typedef struct {
  CrImplicit im;
  PetscBool  plain; /* the stress is S(F_m^T F_m), not the conserving stress */
  PetscBool
      slides; /* slip is measured from the middle of the last step to the middle of this one */
  CrContactLaw     law;           /* the method sets it */
  PetscReal        previous_time; /* time of the middle of the last step */
  Vec              previous;      /* displacements at that time; owned */
  const PetscReal *um0;           /* array of `previous`, open during a step */
  PetscReal       *slide;         /* um - um0, by local dof; owned */
  CrContactStep    contact;       /* trial state of the last residual */
} CrMiddle;

PetscErrorCode CrMiddleSetup(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state);
/* The three parts of a step. Begin prepares supports, predictor and search. Solve runs Newton; a method may call it
   again with another law or other multipliers. End fills the ledger and the state; it must also be called after a
   failure. */
PetscErrorCode CrMiddleBegin(CrIntegrator *it, CrMiddle *mp, const CrModel *model,
                             const CrState *state, PetscReal h);
PetscErrorCode CrMiddleSolve(CrIntegrator *it, CrMiddle *mp, CrStepReport *report);
PetscErrorCode CrMiddleEnd(CrMiddle *mp, CrState *state, CrStepReport *report);
/* Calls CrMiddleBegin, CrMiddleSolve and CrMiddleEnd. */
PetscErrorCode CrMiddleStep(CrIntegrator *it, CrMiddle *mp, const CrModel *model, CrState *state,
                            PetscReal h, CrStepReport *report);
PetscErrorCode CrMiddleArchive(CrMiddle *mp, CrArchive *archive);
PetscErrorCode CrMiddleDestroy(CrMiddle *mp);
