/* Kernels of elements whose material law is split, W = W_rest(C) + U(J), and of axisymmetric elements. U is computed
   with the mean volume ratio Theta = sum_q w J/V of the element. Only the fraction `volume_part` of U is computed with
   the volume ratio J at the quadrature points (theory 5.9):
     f = f_rest + p b_m,   b_m = sum_q w F_m G grad N,   p = [U(Theta_1) - U(Theta_0)]/(Theta_1 - Theta_0)
     K = K_rest + K(p G) + (1/V) dp/dTheta_1 b_m (x) b_1,   b_1 = sum_q w J_1 F_1^-T grad N
   The kernels of this file test at run time whether the law has internal variables or is split, and whether the element
   is axisymmetric. Elements with split laws or axial symmetry are rarer and more expensive than others. Separate code
   for each case would double the size of the program for every test. */
#pragma once

#include "element/split_tangent.h"

/* ---- forces ------------------------------------------------------------------------------------- */

/* Adds the contributions of one quadrature point to b and to the mean volume. Adds to the stress of the point the
   pressure of the fraction `volume_part` of U. */
CR_INLINE void split_force_volume(const int DIM, const int NN, const CrElementBlock *block,
                                  SplitKind k, PetscBool observe, CrLanes g[][3], SplitPoint *s,
                                  CrLanes b[][3], MeanVolume *mean)
{
  const CrMaterial *m = block->material;
  const double      part = block->volume_part;
  VolumeSecant      v;
  CrLanes           p, U;

  split_volume(DIM, k, s, &v, mean);
  if (!k.between) volume_gradient(CR_NS(DIM), s->E1, v.j0, v.G, NULL);
  if (part > 0) {
    split_pressure(m, k, v.j0, v.dj, &p, NULL);
    for (int I = 0; I < CR_NS(DIM); I++) s->p.S[I] += part * p * v.G[I];
    if (observe) volume_at(m, v.j0, &U, NULL, NULL);
    if (observe) s->p.W += part * U;
  }
  if (part < 1) split_add_volume(DIM, NN, block, s, PETSC_FALSE, v.G, g, b);
}

/* Computes the forces in one loop over the quadrature points. The forces of W_rest and the vector b_m are summed
   separately, and added when the mean volume is known. */
CR_INLINE void split_force_lanes(const int DIM, const int NN, const CrElementBlock *block,
                                 PetscInt batch, const CrNodal *nodal, CrForceKind kind, int first,
                                 const CrKernelOut *out)
{
  const CrMaterial *m = block->material;
  const PetscInt   *nodes = block->nodes + batch * NN * CR_BATCH + first;
  const SplitKind   k = split_kind(block, kind);
  const double      part = block->volume_part;
  PetscBool         observe = !k.between && out->energy;
  CrLanes           X[CR_MAX_CELL_NODES][3], u0[CR_MAX_CELL_NODES][3], u1[CR_MAX_CELL_NODES][3];
  CrLanes           f[CR_MAX_CELL_NODES][3], b[CR_MAX_CELL_NODES][3], g[CR_MAX_CELL_NODES][3];
  CrLanes           energy = lanes_set(0), least = lanes_set(HUGE_VAL), p, U;
  MeanVolume        mean = {0};
  SplitPoint        s;

  split_gather(DIM, NN, nodes, nodal, k, X, u0, u1);
  lanes_clear(DIM, NN, f);
  lanes_clear(DIM, NN, b);
  for (int q = 0; q < block->stress_rule.n; q++) {
    const CrPast past = split_past(block, batch, nodal, q, first);

    s.w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    split_stress(DIM, block, k, &past, PETSC_FALSE, observe, &s);
    if (block->split) split_force_volume(DIM, NN, block, k, observe, g, &s, b, &mean);
    split_add_force(DIM, NN, block, &s, g, f);
    if (observe) energy += s.w * s.p.W;
    if (observe) least = lanes_min(determinant_of(DIM, s.p.F1) * s.h1, least);
  }
  if (block->split && part < 1) {
    split_mean_pressure(m, k, nodal->h, mean.j0 / mean.V, mean.dj / mean.V, &p, NULL);
    for (int a = 0; a < NN; a++)
      for (int i = 0; i < DIM; i++) f[a][i] += (1 - part) * p * b[a][i];
    if (observe) volume_at(m, mean.j0 / mean.V, &U, NULL, NULL);
    if (observe) energy += (1 - part) * mean.V * U;
  }
  if (block->one_point)
    split_hourglass(DIM, NN, block, k, X, u0, u1, g, s.w, f, observe ? &energy : NULL, NULL);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++)
      lanes_store(out->force + (a * DIM + i) * CR_BATCH + first, f[a][i]);
  if (observe) lanes_store(out->energy + first, energy);
  if (observe && out->det) lanes_store(out->det + first, least);
}

/* ---- observations ------------------------------------------------------------------------------- */

/* Computes the Cauchy stress sigma of one quadrature point from its deformation gradient F1 and stress S. */
CR_INLINE void split_cauchy(const int DIM, SplitKind k, const CrElementBlock *block, SplitPoint *s,
                            CrLanes det, CrLanes *sigma)
{
  CrLanes over = k.small ? lanes_set(1) : det;

  cauchy(DIM, block->material, s->p.F1, over, s->p.S, sigma);
  if (DIM == 2 && block->axial) sigma[2] = s->h1 * s->h1 * s->p.S[2] / over;
}

/* Adds the contribution of U to the energy and stress of a quadrature point. The fraction `volume_part` of U is taken
   at the volume ratio of the point, the rest at the mean volume ratio `mean` of the element. */
CR_INLINE void split_observe_volume(const int DIM, const CrElementBlock *block, CrLanes mean,
                                    SplitPoint *s)
{
  const double part = block->volume_part;
  CrLanes      j = volume_change(determinant_change(CR_NS(DIM), s->E1)), G[6], U, p, pm;

  volume_at(block->material, j, &U, &p, NULL);
  volume_at(block->material, mean, NULL, &pm, NULL);
  volume_gradient(CR_NS(DIM), s->E1, j, G, NULL);
  s->p.W += part * U;
  for (int I = 0; I < CR_NS(DIM); I++) s->p.S[I] += (part * p + (1 - part) * pm) * G[I];
}

/* Computes the energy, the least det F, the least principal stretch and the Cauchy stresses of elements at u1. */
CR_INLINE void split_observe_lanes(const int DIM, const int NN, const CrElementBlock *block,
                                   PetscInt batch, const CrNodal *nodal, int first,
                                   const CrKernelOut *out)
{
  const CrMaterial *m = block->material;
  const PetscInt   *nodes = block->nodes + batch * NN * CR_BATCH + first;
  const SplitKind   k = split_kind(block, CR_FORCE_POINT);
  const double      part = block->volume_part;
  CrLanes           X[CR_MAX_CELL_NODES][3], u0[CR_MAX_CELL_NODES][3], u1[CR_MAX_CELL_NODES][3];
  CrLanes           g[CR_MAX_CELL_NODES][3];
  CrLanes energy = lanes_set(0), least = lanes_set(HUGE_VAL), stretch = lanes_set(HUGE_VAL), U,
          points;
  MeanVolume mean = {0};
  SplitPoint s;

  split_gather(DIM, NN, nodes, nodal, k, X, u0, u1);
  if (block->split) split_mean(DIM, NN, block, k, X, u0, u1, &mean);
  for (int q = 0; q < block->stress_rule.n; q++) {
    const CrPast past = split_past(block, batch, nodal, q, first);
    CrLanes      sigma[6], det;

    s.w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    split_stress(DIM, block, k, &past, PETSC_FALSE, PETSC_TRUE, &s);
    det = determinant_of(DIM, s.p.F1) * s.h1;
    if (block->split) split_observe_volume(DIM, block, mean.j0, &s);
    energy += s.w * s.p.W;
    least = lanes_min(det, least);
    stretch = lanes_min(least_stretch_squared(DIM, s.E1), stretch);
    if (DIM == 2 && block->axial) stretch = lanes_min(1 + 2 * s.E1[2], stretch);
    if (!out->stress) continue;
    split_cauchy(DIM, k, block, &s, det, sigma);
    for (int I = 0; I < 6; I++) lanes_store(out->stress + (q * 6 + I) * CR_BATCH + first, sigma[I]);
  }
  if (block->split) volume_at(m, mean.j0, &U, NULL, NULL);
  if (block->split) energy += (1 - part) * mean.V * U;
  points = energy;
  if (block->one_point) split_hourglass(DIM, NN, block, k, X, u0, u1, g, s.w, NULL, &energy, NULL);
  if (out->hourglass) lanes_store(out->hourglass + first, energy - points);
  if (out->energy) lanes_store(out->energy + first, energy);
  if (out->det) lanes_store(out->det + first, least);
  if (out->stretch) lanes_store(out->stretch + first, lanes_sqrt(stretch));
}
