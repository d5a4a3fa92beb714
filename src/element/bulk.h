/* Bulk viscosity for central differences (theory 12.3). Bulk viscosity dissipates energy in shock waves, and damps the
   oscillations of elements behind the shock. Each element has one viscous pressure p, which follows from the rate of
   its volume:
     p = rho l d (c1 c + c2 l max(0, -d)),   d = (V1 - V0)/(h V1),   f = p b,   b = dV1/dx1
   Here f are the nodal forces, rho is the current density, c the speed of pressure waves, and l the length of the
   element. V0 and V1 are its volumes at the start and end of a step of size h, and x1 the positions of its nodes at the
   end. The deck gives the coefficients c1 and c2. A rigid motion with velocities v has b.v = 0. V1 - V0 is computed
   without cancellation, so that d is zero for rigid motions too. */
#pragma once

#include "element/split.h"

/* Returns the square of the current length l of an element: 4 dim V^2/(nodes |b|^2). For a brick with sides s1, s2, s3
   the result is the reciprocal of the mean of 1/s1^2, 1/s2^2, 1/s3^2. For elements of second order the result is a
   quarter of this value, because their nodes have half the distance. */
CR_INLINE CrLanes bulk_length2(const int DIM, const int NN, const CrElementBlock *block, CrLanes V,
                               CrLanes b[][3])
{
  CrLanes sum = lanes_set(0);

  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) sum += b[a][i] * b[a][i];
  return (block->element->quadratic ? 1.0 : 4.0) * DIM / NN * V * V / sum;
}

/* The undeformed volume of an element (rest), its current volume (now), the change of volume in the step (added), and
   the vector b. */
typedef struct {
  CrLanes rest, now, added, b[CR_MAX_CELL_NODES][3];
} BulkVolume;

CR_INLINE void bulk_volume(const int DIM, const int NN, const CrElementBlock *block, SplitKind k,
                           CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3], BulkVolume *v)
{
  const int NS = CR_NS(DIM);
  CrLanes   g[CR_MAX_CELL_NODES][3];

  v->rest = v->now = v->added = lanes_set(0);
  lanes_clear(DIM, NN, v->b);
  for (int q = 0; q < block->stress_rule.n; q++) {
    VolumeSecant secant;
    SplitPoint   s;
    CrLanes      j;

    s.w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    j = k.small ? trace(s.E1) : volume_change(determinant_change(NS, s.E1));
    for (int I = 0; I < NS; I++) s.p.S[I] = lanes_set(identity2(I));
    if (!k.small) volume_gradient(NS, s.E1, j, s.p.S, NULL);
    v->rest += s.w;
    v->now += s.w * (1 + j);
    split_add_force(DIM, NN, block, &s, g, v->b);
    if (!k.step) continue;
    if (!k.small) volume_secant(NS, s.E0, s.E1, s.z, &secant);
    v->added += s.w * (k.small ? trace(s.z) / 2 : secant.dj);
  }
}

/* Computes the nodal forces of bulk viscosity for a step from u0 to u1, the energy loss, and the numbers CR_BULK_... of
   the cell at the end of the step. If out->damping is not NULL, the function computes other results at u1. In this
   case, out->force becomes the vector b. out->damping becomes the derivative dp/dV' of the pressure with respect to the
   rate of the volume, at the rate of the last step. The quadratic part of the pressure counts twice in this derivative,
   for safety. */
CR_INLINE void bulk_lanes(const int DIM, const int NN, const CrElementBlock *block, PetscInt batch,
                          const CrNodal *nodal, int first, const CrKernelOut *out)
{
  const PetscInt  *nodes = block->nodes + batch * NN * CR_BATCH + first;
  const PetscReal *past = nodal->state ? nodal->state + batch * CR_BULK * CR_BATCH + first : NULL;
  SplitKind        k = split_kind(block, CR_FORCE_POINT);
  CrLanes          X[CR_MAX_CELL_NODES][3], u0[CR_MAX_CELL_NODES][3], u1[CR_MAX_CELL_NODES][3];
  CrLanes          d, l2, l, slope, p;
  BulkVolume       v;

  k.step = !out->damping;
  split_gather(DIM, NN, nodes, nodal, k, X, u0, u1);
  bulk_volume(DIM, NN, block, k, X, u0, u1, &v);
  l2 = bulk_length2(DIM, NN, block, v.now, v.b);
  l = lanes_sqrt(l2);
  d = k.step ? v.added / (nodal->h * v.now) : past ? state_load(past, CR_BULK_RATE) : lanes_set(0);
  slope = block->bulk_quadratic * l * lanes_min(d, lanes_set(0)) * (k.step ? -1.0 : -2.0);
  slope = block->material->density * v.rest / v.now * l * (block->bulk_linear + slope);
  p = k.step ? slope * d : lanes_set(1);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++)
      lanes_store(out->force + (a * DIM + i) * CR_BATCH + first, p * v.b[a][i]);
  if (out->damping) {
    lanes_store(out->damping + first, slope / v.now);
    return;
  }
  lanes_store(out->loss + first, (p + state_load(past, CR_BULK_PRESSURE)) / 2 * v.added);
  state_store(out->state + first, CR_BULK_PRESSURE, p);
  state_store(out->state + first, CR_BULK_RATE, d);
  state_store(out->state + first, CR_BULK_WORK,
              state_load(past, CR_BULK_WORK) +
                  (p + state_load(past, CR_BULK_PRESSURE)) / 2 * v.added / v.rest);
}
