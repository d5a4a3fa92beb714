/* Updates the internal variables of material laws at the end of an accepted step (theory 5.8). */
#pragma once

#include "element/split.h"

/* Returns the change of the mean volume ratio of an element that the displacement increment du causes. */
CR_INLINE CrLanes mean_dilatation(const int DIM, const int NN, const CrElementBlock *block,
                                  SplitKind k, CrLanes X[][3], CrLanes u0[][3], CrLanes du[][3])
{
  MeanVolume mean;

  split_mean(DIM, NN, block, k, X, u0, du, &mean);
  return mean.dj;
}

/* Computes the internal variables at u1, and the energy that the law dissipates between u0 and u1, for CR_WIDTH
   elements. */
CR_INLINE void commit_lanes(const int DIM, const int NN, const CrElementBlock *block,
                            PetscInt batch, const CrNodal *nodal, int first, const CrKernelOut *out)
{
  const CrMaterial *material = block->material;
  const PetscInt   *nodes = block->nodes + batch * NN * CR_BATCH + first;
  PetscBool         small = (material->ops->flags & CR_SMALL_STRAIN) != 0;
  CrLanes           X[CR_MAX_CELL_NODES][3], u0[CR_MAX_CELL_NODES][3], du[CR_MAX_CELL_NODES][3];
  CrLanes           g[CR_MAX_CELL_NODES][3], loss = lanes_set(0), dilatation;
  const SplitKind   k = split_kind(block, CR_FORCE_POINT);

  gather(DIM, NN, nodes, nodal->X, X);
  gather(DIM, NN, nodes, nodal->u0, u0);
  gather(DIM, NN, nodes, nodal->u1, du);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) du[a][i] -= u0[a][i];
  if (k.viscous) dilatation = mean_dilatation(DIM, NN, block, k, X, u0, du);
  for (int q = 0; q < block->stress_rule.n; q++) {
    CrPast  past = split_past(block, batch, nodal, q, first);
    CrLanes w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
    CrLanes Fm[3][3], F1[3][3], E0[6], E1[6], z[6], D;

    past.lags = nodal->lags;
    if (k.viscous) past.dilatation = &dilatation;
    strains_between(DIM, NN, small, u0, du, g, Fm, F1, E0, E1, z);
    if (DIM == 2 && block->axial)
      w *= hoop_between(NN, small, &block->stress_rule, q, X, u0, du, E0, E1, z);
    material->ops->commit(material, CR_NS(DIM), &past, E0, E1, z,
                          out->state + state_offset(block, 0, q, first), &D);
    loss += w * D;
  }
  lanes_store(out->loss + first, loss);
}
