#include "integrate/bound.h"

#define LOOK_AT     10   /* looks at the element bound are this many steps apart, or a multiple */
#define LOOK_LATEST 100  /* but no more */
#define LOOK_DET    0.05 /* change of the least det F that does not wait for it */
#define LOOK_FALL   0.02 /* nor does a bound that fell by this part */
#define SLACK       1.05 /* an automatic step may come this much nearer to the bound than `safety` */

static PetscErrorCode look(CrBound *bound, const CrModel *model, const CrState *state)
{
  const PetscReal *u;
  PetscReal        before = bound->seen.bound;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(CrModelCriticalStep(model, u, &bound->seen.bound));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  bound->seen.step      = (PetscReal)state->n;
  bound->seen.least_det = bound->least_det;
  bound->seen.falls     = bound->seen.bound < (1 - LOOK_FALL) * before;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether to look, by what is the same on every rank: the answer must not depend on their number. */
static PetscBool is_due(const CrBound *bound, const CrState *state)
{
  PetscReal change = PetscAbsReal(bound->least_det - bound->seen.least_det);

  if (!bound->bends || state->n % LOOK_AT) return PETSC_FALSE;
  return (PetscReal)state->n - bound->seen.step >= LOOK_LATEST || change > LOOK_DET ||
                 bound->seen.falls
             ? PETSC_TRUE
             : PETSC_FALSE;
}

PetscErrorCode CrBoundStart(CrBound *bound, const CrModel *model, const CrState *state)
{
  PetscReal moved;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nmaterials; k++)
    if (!(model->materials[k].ops->flags & CR_SMALL_STRAIN)) bound->bends = PETSC_TRUE;
  bound->least_det = bound->seen.least_det = 1;
  PetscCall(VecNorm(state->u, NORM_INFINITY, &moved));
  if (bound->bends && moved > 0) PetscCall(look(bound, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A given step is judged by the bound itself, which is safe by half a percent and scatters by less. An
   automatic one keeps its distance: at the bound, strains that change within a step make energy.
   Small falls do not halve it. */
PetscBool CrBoundIsBelow(CrBound *bound, PetscReal t, PetscReal h)
{
  PetscReal part = bound->automatic ? PetscMin(1, SLACK * bound->safety) : 1;

  if (bound->seen.bound == 0 || h <= 1.001 * part * bound->seen.bound) return PETSC_FALSE;
  if (!bound->told && bound->automatic)
    CrWarn("t = %g: the critical step fell to %g (element bound); steps of %g are halved",
           (double)t, (double)bound->seen.bound, (double)h);
  else if (!bound->told)
    CrWarn("t = %g: the critical step fell to %g (element bound), below the step %g", (double)t,
           (double)bound->seen.bound, (double)h);
  bound->told = PETSC_TRUE;
  return PETSC_TRUE;
}

PetscErrorCode CrBoundFollow(CrBound *bound, const CrModel *model, const CrState *state)
{
  PetscFunctionBeginUser;
  if (is_due(bound, state)) PetscCall(look(bound, model, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}
