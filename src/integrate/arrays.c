#include "integrate/arrays.h"

PetscErrorCode CrStepArraysCreate(const CrModel *model, CrStepArrays *step)
{
  PetscInt m = model->nlocal * model->dim;

  PetscFunctionBeginUser;
  PetscCall(CrModelCreateVec(model, &step->trial));
  PetscCall(PetscCalloc3(m, &step->um, m, &step->du, m, &step->dv));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStepArraysDestroy(CrStepArrays *step)
{
  PetscFunctionBeginUser;
  PetscCall(VecDestroy(&step->trial));
  PetscCall(PetscFree3(step->um, step->du, step->dv));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStepRead(CrStepArrays *step, Vec vec, const PetscReal **array)
{
  PetscFunctionBeginUser;
  PetscCheck(step->nopen < CR_STEP_VECTORS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "too many vectors");
  PetscCall(VecGetArrayRead(vec, array));
  step->open[step->nopen].vec = vec;
  step->open[step->nopen++].array = array;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStepOpen(CrStepArrays *step, const CrModel *model, const CrState *state,
                          PetscReal h)
{
  PetscFunctionBeginUser;
  PetscCheck(!step->nopen, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the last step was not closed");
  step->model = model;
  step->state = state;
  step->h = h;
  PetscCall(CrStepRead(step, state->u, &step->u0));
  PetscCall(CrStepRead(step, state->v, &step->v0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The trial array is open but while its vector is written. */
PetscErrorCode CrStepTry(CrStepArrays *step, Vec x)
{
  const PetscReal *u0 = step->u0, *u1;

  PetscFunctionBeginUser;
  if (step->u1) PetscCall(VecRestoreArrayRead(step->trial, &step->u1));
  PetscCall(VecCopy(x, step->trial));
  PetscCall(CrModelUpdateGhosts(step->model, step->trial));
  PetscCall(VecGetArrayRead(step->trial, &step->u1));
  u1 = step->u1;
  for (PetscInt r = 0; r < step->model->nlocal * step->model->dim; r++) {
    step->um[r] = (u0[r] + u1[r]) / 2;
    step->du[r] = u1[r] - u0[r];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStepClose(CrStepArrays *step)
{
  PetscFunctionBeginUser;
  if (step->u1) PetscCall(VecRestoreArrayRead(step->trial, &step->u1));
  while (step->nopen-- > 0)
    PetscCall(VecRestoreArrayRead(step->open[step->nopen].vec, step->open[step->nopen].array));
  step->nopen = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrVecTake(Vec vec, PetscInt n, const PetscReal *from)
{
  PetscReal *to;

  PetscFunctionBeginUser;
  PetscCall(VecGetArray(vec, &to));
  PetscCall(PetscArraycpy(to, from, n));
  PetscCall(VecRestoreArray(vec, &to));
  PetscFunctionReturn(PETSC_SUCCESS);
}
