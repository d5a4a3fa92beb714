#include "integrate/bound.h"

#define LOOK_AT    10  /* looks at the element bound are this many steps apart, or a multiple */
#define LOOK_FIRST 100 /* step of the first, unless something calls for it */
#define LOOK_LATEST                                                                                \
  800 /* looks that find nothing are twice as far apart each time, but no more than this */
#define LOOK_DET    0.05 /* change of the least det F that does not wait for it */
#define LOOK_BEFORE 0.5  /* part of the time in which the bound would fall to the step */
#define SLACK       1.05 /* an automatic step may come this much nearer to the bound than `safety` */

/* The greatest step, as a part of the bound. */
static PetscReal greatest_part(const CrBound *bound)
{
  return bound->automatic ? PetscMin(1, SLACK * bound->safety) : 1;
}

/* Steps until the next look: a part of what it takes the bound to fall as far as h, at the rate of the last
   steps. Where a step was refused there may soon be room for it again. */
static PetscReal steps_to_wait(const CrBound *bound, PetscReal before, PetscReal steps, PetscReal h)
{
  PetscReal room = bound->seen.bound - h / greatest_part(bound), fall = before - bound->seen.bound;
  PetscReal most = PetscMin(2 * steps, LOOK_LATEST);

  if (!(room > 0) || bound->seen.refused > 0) return LOOK_AT;
  if (!(before > 0)) return steps; /* the first */
  return fall > 0 ? PetscMin(LOOK_BEFORE * room / fall * steps, most) : most;
}

/* h: the step of the run, 0: not known yet. */
static PetscErrorCode look(CrBound *bound, const CrModel *model, const CrState *state, PetscReal h)
{
  PetscReal        before = bound->seen.bound, steps = (PetscReal)state->n - bound->seen.step;
  const PetscReal *u;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(CrModelCriticalStep(model, state, u, &bound->seen.bound));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  bound->seen.due = (PetscReal)state->n + steps_to_wait(bound, before, steps, h);
  bound->seen.step = (PetscReal)state->n;
  bound->seen.least_det = bound->least_det;
  bound->seen.refused = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether to look, by what is the same on every rank: the answer must not depend on their number. A user
   whose own step is above the bound has been told. */
static PetscBool is_due(const CrBound *bound, const CrState *state)
{
  PetscReal change = PetscAbsReal(bound->least_det - bound->seen.least_det);

  if (!bound->bends || state->n % LOOK_AT || (bound->seen.told > 0 && !bound->automatic))
    return PETSC_FALSE;
  return (PetscReal)state->n >= bound->seen.due || change > LOOK_DET;
}

PetscErrorCode CrBoundStart(CrBound *bound, const CrModel *model, const CrState *state)
{
  PetscReal moved;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nmaterials; k++)
    if (!(model->materials[k].ops->flags & CR_SMALL_STRAIN)) bound->bends = PETSC_TRUE;
  if (model->bulk[1] > 0) bound->bends = PETSC_TRUE; /* it damps by the rate */
  bound->least_det = bound->seen.least_det = 1;
  bound->seen.due = CrModelLoses(model) ? LOOK_AT : LOOK_FIRST; /* flow leaves det F as it is */
  PetscCall(VecNorm(state->u, NORM_INFINITY, &moved));
  if (bound->bends && moved > 0) PetscCall(look(bound, model, state, 0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A given step is judged by the bound itself, which is safe by half a percent and scatters by less. An
   automatic one keeps its distance: at the bound, strains that change within a step make energy.
   Small falls do not halve it. */
PetscBool CrBoundIsBelow(CrBound *bound, PetscReal t, PetscReal h)
{
  if (bound->seen.bound == 0 || h <= 1.001 * greatest_part(bound) * bound->seen.bound)
    return PETSC_FALSE;
  if (bound->seen.told == 0 && bound->automatic)
    CrWarn(
        "t = %g: the critical step, estimated from the elements, fell to %g; from here on the program halves its steps of %g",
        (double)t, (double)bound->seen.bound, (double)h);
  else if (bound->seen.told == 0)
    CrWarn("t = %g: the critical step, estimated from the elements, fell to %g, below the step %g",
           (double)t, (double)bound->seen.bound, (double)h);
  bound->seen.told = 1;
  bound->seen.refused = 1;
  return PETSC_TRUE;
}

PetscErrorCode CrBoundFollow(CrBound *bound, const CrModel *model, const CrState *state,
                             PetscReal h)
{
  PetscFunctionBeginUser;
  if (is_due(bound, state)) PetscCall(look(bound, model, state, h));
  PetscFunctionReturn(PETSC_SUCCESS);
}
