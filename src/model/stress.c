/* Computes stresses and internal variables at nodes, for pictures and greatest values. */
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

/* From the points of an element to its nodes, [nnodes][points]. */
static void carry_matrix(const CrElementBlock *b, PetscReal *carry)
{
  CrElementExtrapolation(b->element, carry);
  for (PetscInt a = 0; b->one_point && a < b->element->nnodes; a++) carry[a] = 1;
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

    carry_matrix(b, carry);
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

/* ---- state -------------------------------------------------------------------------------- */

/* Adds scale times component c of the state of a block, carried to the owned nodes around. */
static void add_component(const CrModel *model, const CrElementBlock *b, const PetscReal *points,
                          PetscInt c, PetscReal scale, const PetscReal *carry, PetscReal *values)
{
  PetscInt nn = b->element->nnodes, nq = b->stress_rule.n;

  for (PetscInt cell = 0; cell < b->n; cell++)
    for (PetscInt a = 0; a < nn; a++) {
      PetscInt batch = cell / CR_BATCH, l = cell % CR_BATCH;
      PetscInt A = b->nodes[(batch * nn + a) * CR_BATCH + l];

      if (A >= model->nowned) continue;
      for (PetscInt q = 0; q < nq; q++)
        values[A] += scale * carry[a * nq + q] *
                     points[((batch * nq + q) * b->state_size + c) * CR_BATCH + l];
    }
}

static void add_block(const CrModel *model, const CrElementBlock *b, const PetscReal *points,
                      PetscReal *values)
{
  const CrMaterial *m = b->material;
  PetscInt          ns = model->dim == 2 ? 4 : 6, n = model->nowned;
  PetscInt          strain = m->ops->state_place(m, ns, CR_STATE_STRAIN);
  PetscInt          loss = m->ops->state_place(m, ns, CR_STATE_LOSS);
  PetscInt  work = m->ops->loss == CR_LOSS_PLASTIC ? CR_SHOWN_PLASTIC_WORK : CR_SHOWN_VISCOUS_WORK;
  PetscReal carry[CR_MAX_CELL_NODES * CR_MAX_POINTS];

  carry_matrix(b, carry);
  if (strain >= 0)
    add_component(model, b, points, strain, 1, carry, values + CR_SHOWN_PLASTIC_STRAIN * n);
  if (loss < 0) return;
  add_component(model, b, points, loss, 1, carry, values + work * n);
  if (m->heating > 0)
    add_component(model, b, points, loss, m->heating, carry,
                  values + CR_SHOWN_TEMPERATURE_RISE * n);
}

/* The work of bulk viscosity, one number for each cell. */
static void add_bulk(const CrModel *model, const CrElementBlock *b, const PetscReal *cells,
                     PetscReal *values)
{
  PetscInt nn = b->element->nnodes;

  for (PetscInt cell = 0; cell < b->n; cell++)
    for (PetscInt a = 0; a < nn; a++) {
      PetscInt batch = cell / CR_BATCH, l = cell % CR_BATCH;
      PetscInt A = b->nodes[(batch * nn + a) * CR_BATCH + l];

      if (A < model->nowned)
        values[CR_SHOWN_VISCOUS_WORK * model->nowned + A] +=
            cells[(batch * CR_BULK + CR_BULK_WORK) * CR_BATCH + l];
    }
}

PetscErrorCode CrModelNodalState(const CrModel *model, const CrState *state, PetscReal *values)
{
  PetscReal *count;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(values, CR_NSHOWN * model->nowned));
  PetscCall(PetscCalloc1(model->nowned, &count));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt i = 0; i < b->n * b->element->nnodes; i++) {
      PetscInt cell = i / b->element->nnodes, a = i % b->element->nnodes;
      PetscInt A =
          b->nodes[(cell / CR_BATCH * b->element->nnodes + a) * CR_BATCH + cell % CR_BATCH];

      if (A < model->nowned) count[A] += 1;
    }
    if (b->state_size && b->material->ops->state_place)
      add_block(model, b, state->points.now[k], values);
    if (model->thickens) add_bulk(model, b, state->bulk.now[k], values);
  }
  for (PetscInt i = 0; i < CR_NSHOWN * model->nowned; i++)
    values[i] = PetscMax(0, values[i] / count[i % model->nowned]);
  PetscCall(PetscFree(count));
  PetscFunctionReturn(PETSC_SUCCESS);
}
