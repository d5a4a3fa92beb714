/* Warns of large back strains. Kinematic hardening without plastic spin is wrong in large shear (theory 5.12): above a
   back strain of about 1 its stress decreases and then changes sign. The energy balance stays exact, so that nothing
   else would show this error. */
#include "run/internal.h"

#define BACK_LIMIT 1.0

/* The greatest |X|^2 of the owned cells of a block; components beyond the third stand for two. */
static PetscReal greatest_square(const CrElementBlock *b, PetscInt ns, PetscInt first,
                                 const PetscReal *points)
{
  PetscReal greatest = 0;

  for (PetscInt cell = 0; cell < b->nowned; cell++)
    for (PetscInt q = 0; q < b->stress_rule.n; q++) {
      PetscInt         at = (cell / CR_BATCH * b->stress_rule.n + q) * b->state_size + first;
      const PetscReal *X = points + at * CR_BATCH + cell % CR_BATCH;
      PetscReal        square = 0;

      for (PetscInt I = 0; I < ns; I++)
        square += (I < 3 ? 1 : 2) * X[I * CR_BATCH] * X[I * CR_BATCH];
      greatest = PetscMax(greatest, square);
    }
  return greatest;
}

static PetscBool is_kinematic(const CrMaterial *m, PetscInt ns)
{
  return m->ops->state_place && m->ops->state_place(m, ns, CR_STATE_BACK) >= 0;
}

PetscErrorCode CrRunWarnOfBack(CrRun *run)
{
  const CrModel *model = run->model;
  PetscInt       ns = model->dim == 2 ? 4 : 6;
  PetscReal      greatest = 0;
  PetscBool      any = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt m = 0; m < model->nmaterials; m++)
    if (is_kinematic(&model->materials[m], ns)) any = PETSC_TRUE;
  if (!any || run->warned_back) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    if (!b->state_size || !is_kinematic(b->material, ns)) continue;
    greatest =
        PetscMax(greatest,
                 greatest_square(b, ns,
                                 b->material->ops->state_place(b->material, ns, CR_STATE_BACK),
                                 run->state->points.now[k]));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &greatest, 1, MPIU_REAL, MPIU_MAX, model->comm));
  if (!(greatest > BACK_LIMIT * BACK_LIMIT)) PetscFunctionReturn(PETSC_SUCCESS);
  run->warned_back = PETSC_TRUE;
  CrWarn(
      "t = %g: the back strain (the internal variable of kinematic hardening) grew to %.3g; in shear with a back strain above about 1 the stress falls and changes sign; consider isotropic hardening",
      (double)run->state->t, (double)PetscSqrtReal(greatest));
  PetscFunctionReturn(PETSC_SUCCESS);
}
