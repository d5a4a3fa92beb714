/* Nodal stresses, for pictures and extremes. */
#include "model/internal.h"
#include "model/gather.h"

PetscReal CrVonMises(const PetscReal s[6])
{
  return PetscSqrtReal(0.5 *
                           (PetscSqr(s[0] - s[1]) + PetscSqr(s[1] - s[2]) + PetscSqr(s[2] - s[0])) +
                       3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* Adds the stresses of one batch, carried to the nodes, to the owned nodes around. */
static void add_batch(const CrModel *model, const CrElementBlock *b, PetscInt batch,
                      const PetscReal *carry, const PetscReal *points, PetscReal *stress,
                      PetscReal *count)
{
  PetscInt nn = b->element->nnodes, nq = b->stress_rule.n;

  for (PetscInt l = 0; l < CR_BATCH && batch * CR_BATCH + l < b->n; l++)
    for (PetscInt a = 0; a < nn; a++) {
      PetscInt A = b->nodes[(batch * nn + a) * CR_BATCH + l];

      if (A >= model->nowned) continue;
      count[A] += 1;
      for (PetscInt q = 0; q < nq; q++)
        for (PetscInt I = 0; I < 6; I++)
          stress[6 * A + I] += carry[a * nq + q] * points[(q * 6 + I) * CR_BATCH + l];
    }
}

PetscErrorCode CrModelNodalStress(const CrModel *model, const CrState *state, const PetscReal *u,
                                  PetscReal *stress)
{
  CrNodal   nodal;
  PetscReal points[CR_MAX_POINTS * 6 * CR_BATCH], carry[CR_MAX_CELL_NODES * CR_MAX_POINTS], *count;
  const CrKernelOut out = {.stress = points};

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(stress, 6 * model->nowned));
  PetscCall(PetscCalloc1(model->nowned, &count));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    CrElementExtrapolation(b->element, carry);
    for (PetscInt a = 0; b->one_point && a < b->element->nnodes; a++) carry[a] = 1;
    PetscCall(CrModelNodal(model, state, k, NULL, u, &nodal));
    for (PetscInt batch = 0; batch < b->nbatches; batch++) {
      b->element->observe(b, batch, &nodal, CR_FORCE_POINT, &out);
      add_batch(model, b, batch, carry, points, stress, count);
    }
  }
  for (PetscInt A = 0; A < model->nowned; A++)
    for (PetscInt I = 0; I < 6; I++) stress[6 * A + I] /= count[A];
  PetscCall(PetscFree(count));
  PetscFunctionReturn(PETSC_SUCCESS);
}
