/* Mass-proportional damping: a force -alpha M v (theory 7.5). The coefficient alpha belongs to the material of a
   body. */
#include "model/internal.h"
#include "model/forces.h"

PetscReal CrDragOf(const CrModel *model, PetscInt A)
{
  return model->bodies[model->node_body[A]].material->mass_damping;
}

PetscErrorCode CrDragAdd(const CrModel *model, const PetscReal *du, PetscReal h, PetscReal *drag,
                         PetscReal *f)
{
  PetscFunctionBeginUser;
  PetscCall(CrModelMassTimes(model, du, drag));
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) {
    drag[k] *= -CrDragOf(model, k / model->dim) / h;
    f[k] += drag[k];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrDragLoss(const CrModel *model, const PetscReal *drag, const PetscReal *du,
                          PetscReal *loss)
{
  PetscFunctionBeginUser;
  *loss = 0;
  for (PetscInt k = 0; k < model->nowned * model->dim; k++) *loss -= drag[k] * du[k];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, loss, 1, MPIU_REAL, MPIU_SUM, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The entries of node A: the lumped mass, or its row of the mass matrix. */
static void add_row(const CrModel *model, PetscReal scale, PetscInt A, CrMatrixValues *values)
{
  const CrGraph *g = model->graph;

  if (model->all_lumped) {
    for (PetscInt i = 0; i < model->dim; i++)
      *CrMatrixEntry(g, values, A, i, A, i) += scale * model->row_mass[A];
    return;
  }
  for (int p = 0; p < 2; p++) {
    const PetscReal *m = model->mass + (p ? g->start[0][g->nowned] : 0) + g->start[p][A];

    for (PetscInt k = g->start[p][A]; k < g->start[p][A + 1]; k++, m++)
      for (PetscInt i = 0; i < model->dim; i++)
        *CrMatrixEntry(g, values, A, i, g->column[p][k], i) += scale * *m;
  }
}

PetscErrorCode CrDragAddTangent(const CrModel *model, PetscReal scale, Mat A)
{
  CrMatrixValues values;

  PetscFunctionBeginUser;
  PetscCall(CrMatrixGetValues(A, &values));
  for (PetscInt n = 0; n < model->nowned; n++)
    add_row(model, scale * CrDragOf(model, n), n, &values);
  PetscCall(CrMatrixRestoreValues(&values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
