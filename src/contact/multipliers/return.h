/* Energy that pairs lose in impacts is given back when they open (theory 19.6). */
#pragma once

#include "contact/multipliers/press.h"

PetscErrorCode CrReturnsCreate(const CrContact *contact, CrReturns **returns);
PetscErrorCode CrReturnsDestroy(CrReturns **returns);
void           CrReturnsResume(CrMultipliers *multipliers);
/* Does a point that is no longer pressed keep what it has in store? */
PetscBool CrReturnsWait(const CrMultipliers *multipliers, PetscInt point);
/* The step is accepted; after what was pressed has been forgotten, before what is pressed is remembered. */
void CrReturnsCommit(CrMultipliers *multipliers, CrContactHistory *history);
/* After the iteration: pairs that have opened get back what they lost, and v with it. */
PetscErrorCode CrPressReturn(CrMultipliers *multipliers, const CrMultiplierStep *step,
                             PetscReal *v);
/* The pair has done `work` in a step that it entered with the relative velocity w0. */
void CrPressStore(PetscInt dim, PetscReal work, const PetscReal w0[3], CrPress *pair);
