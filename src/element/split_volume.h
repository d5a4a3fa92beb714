/* The mean volume ratio of an element, and the pressure that follows from it (theory 5.9). */
#pragma once

#include "element/split_point.h"

/* Volume of an element: V is its undeformed volume. j0 is the mean of J - 1 at the start of the step, and dj the mean
   change of J in the step. */
typedef struct {
  /* if only one configuration is known: j0 = J - 1 there, and dj = 0 unless a viscosity needs it */
  CrLanes V, j0, dj;
} MeanVolume;

/* Computes the volume ratios and the secant G of one quadrature point, and adds the volume ratios to the sums in
   `mean`. */
CR_INLINE void split_volume(const int DIM, SplitKind k, const SplitPoint *s, VolumeSecant *v,
                            MeanVolume *mean)
{
  const int NS = CR_NS(DIM);

  mean->V += s->w;
  v->dj = lanes_set(0);
  if (k.between || k.viscous) volume_secant(NS, s->E0, s->E1, s->z, v);
  if (!k.between) v->j0 = v->j1 = volume_change(determinant_change(NS, s->E1));
  mean->j0 += s->w * v->j0;
  mean->dj += s->w * v->dj;
}

/* Computes p = U' and dp = U'' at one volume ratio, or the secant pressure and its derivative if k.between is true. */
CR_INLINE void split_pressure(const CrMaterial *m, SplitKind k, CrLanes j0, CrLanes dj, CrLanes *p,
                              CrLanes *dp)
{
  if (k.between)
    volume_between(m, j0, dj, p, dp);
  else
    volume_at(m, j0, NULL, p, dp);
}

/* Computes the pressure p and its derivative dp at the mean volume ratio, as split_pressure does. Adds the viscous
   pressure eta (Theta1 - Theta0)/h (theory 5.11). */
CR_INLINE void split_mean_pressure(const CrMaterial *m, SplitKind k, PetscReal h, CrLanes j0,
                                   CrLanes dj, CrLanes *p, CrLanes *dp)
{
  split_pressure(m, k, j0, dj, p, dp);
  if (!k.viscous || !(h > 0)) return;
  *p += m->viscosity.eta_bulk / h * dj;
  if (dp) *dp += m->viscosity.eta_bulk / h;
}

/* Adds to b the contribution w F G grad N of one quadrature point. F is F1 if `end` is true, else F_m. */
CR_INLINE void split_add_volume(const int DIM, const int NN, const CrElementBlock *block,
                                const SplitPoint *s, PetscBool end, const CrLanes *G,
                                CrLanes g[][3], CrLanes b[][3])
{
  SplitPoint t = *s;

  for (int I = 0; I < CR_NS(DIM); I++) t.p.S[I] = G[I];
  if (end) t.hm = t.h1;
  for (int i = 0; end && i < DIM; i++)
    for (int j = 0; j < DIM; j++) t.p.Fm[i][j] = t.p.F1[i][j];
  split_add_force(DIM, NN, block, &t, g, b);
}

/* Computes the mean volume ratio of an element, in a separate loop over the quadrature points. */
CR_INLINE void split_mean(const int DIM, const int NN, const CrElementBlock *block, SplitKind k,
                          CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3], MeanVolume *mean)
{
  CrLanes g[CR_MAX_CELL_NODES][3];

  *mean = (MeanVolume){0};
  for (int q = 0; q < block->stress_rule.n; q++) {
    SplitPoint   s;
    VolumeSecant v;

    s.w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    split_volume(DIM, k, &s, &v, mean);
  }
  mean->j0 /= mean->V;
  mean->dj /= mean->V;
}

/* ---- mean volume from J = det F ----------------------------------------------------------------- */

/* Returns det(1 + H) - 1. */
CR_INLINE CrLanes det_minus_one(const int DIM, CrLanes H[3][3])
{
  CrLanes sum = H[0][0] + H[1][1] + determinant_of(DIM, H);

  if (DIM == 2) return sum;
  return sum + H[2][2] + H[0][0] * H[1][1] - H[0][1] * H[1][0] + H[1][1] * H[2][2] -
         H[1][2] * H[2][1] + H[0][0] * H[2][2] - H[0][2] * H[2][0];
}

/* Returns cof F : D. */
CR_INLINE CrLanes cofactor_product(const int DIM, CrLanes F[3][3], CrLanes D[3][3])
{
  CrLanes sum = lanes_set(0);

  if (DIM == 2)
    return F[1][1] * D[0][0] + F[0][0] * D[1][1] - F[1][0] * D[0][1] - F[0][1] * D[1][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;

      sum += (F[p][r] * F[q][s] - F[p][s] * F[q][r]) * D[i][j];
    }
  return sum;
}

/* What split_change computes: the exact or the linearised change of J, and J at the start or at the end of the step. */
typedef enum { TRUE_FROM_START, TRUE_TO_END, LINEAR_FROM_START } ChangeOf;

/* Returns det(1 + H + D) - det(1 + H) = cof(1 + H + D/2):D + det(D)/4 (in 2D without the last term), or its linear part
   cof(1 + H):D. */
CR_INLINE CrLanes det_difference(const int DIM, ChangeOf what, CrLanes H[3][3], CrLanes D[3][3])
{
  CrLanes F[3][3], sum;

  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++)
      F[i][j] =
          H[i][j] + (what == LINEAR_FROM_START ? lanes_set(0) : D[i][j] / 2) + (i == j ? 1.0 : 0.0);
  sum = cofactor_product(DIM, F, D);
  if (DIM == 2 || what == LINEAR_FROM_START) return sum;
  return sum + determinant_of(3, D) / 4;
}

/* Computes *j = J - 1 of one quadrature point at the displacements u, and *dj, the change of J by the increment d. If d
   is NULL, there is no change. Returns the weight 2 pi R of the circle in axial symmetry, else 1. */
CR_INLINE CrLanes split_change_at(const int DIM, const int NN, const CrElementBlock *block, int q,
                                  ChangeOf what, CrLanes X[][3], CrLanes u[][3], CrLanes d[][3],
                                  CrLanes g[][3], CrLanes *j, CrLanes *dj)
{
  const double half = what == LINEAR_FROM_START ? 0 : 0.5;
  CrLanes      H[3][3], D[3][3], hoop[CR_MAX_CELL_NODES], circle, h, dh = lanes_set(0);

  gradient_of(DIM, NN, u, g, H);
  *j = det_minus_one(DIM, H);
  *dj = lanes_set(0);
  if (d) gradient_of(DIM, NN, d, g, D);
  if (d) *dj = det_difference(DIM, what, H, D);
  if (!(DIM == 2 && block->axial)) return lanes_set(1);
  circle = hoop_shapes(NN, &block->stress_rule, q, X, hoop);
  h = hoop_gradient(NN, u, hoop);
  if (d) dh = hoop_gradient(NN, d, hoop);
  *dj = *dj * (1 + h + half * dh) + (1 + *j + half * *dj) * dh;
  *j = *j + h + *j * h;
  return circle;
}

/* Gradients and weights of the first CR_CHUNK quadrature points, stored for a second loop over the points. */
typedef struct {
  CrLanes g[CR_CHUNK][CR_MAX_CELL_NODES][3], w[CR_CHUNK];
} KeptPoints;

/* Computes the mean volume ratio by J = det F, and its change from u to u + d. split_change needs half the computing
   time of split_mean. The accuracy of split_change is sufficient for tangents. */
CR_INLINE void split_change(const int DIM, const int NN, const CrElementBlock *block, ChangeOf what,
                            CrLanes X[][3], CrLanes u[][3], CrLanes d[][3], KeptPoints *kept,
                            MeanVolume *mean)
{
  CrLanes spare[CR_MAX_CELL_NODES][3];

  *mean = (MeanVolume){0};
  for (int q = 0; q < block->stress_rule.n; q++) {
    CrLanes(*g)[3] = q < CR_CHUNK ? kept->g[q] : spare;
    CrLanes w = gradients(DIM, NN, block, &block->stress_rule, q, X, g), j, dj;

    if (q < CR_CHUNK) kept->w[q] = w;
    w *= split_change_at(DIM, NN, block, q, what, X, u, d, g, &j, &dj);
    mean->V += w;
    mean->j0 += w * (what == TRUE_TO_END ? j + dj : j);
    mean->dj += w * dj;
  }
  mean->j0 /= mean->V;
  mean->dj /= mean->V;
}

/* Returns the pressure with which the tangent of Newton's method is computed (theory 5.9). After a Newton step, the
   volume of an element is correct to first order only. The pressure of the remaining volume error can be so large that
   its geometric stiffness exceeds all other stiffness. So the tangent uses a pressure that is extrapolated linearly
   from the last iterate. `start` is J - 1 at the start of the step. */
CR_INLINE CrLanes split_continued_pressure(const int DIM, const int NN, const CrElementBlock *block,
                                           const PetscInt *nodes, const CrNodal *nodal, SplitKind k,
                                           CrLanes X[][3], CrLanes start)
{
  CrLanes    u[CR_MAX_CELL_NODES][3], d[CR_MAX_CELL_NODES][3], p, dp;
  MeanVolume c;
  KeptPoints unused;

  gather(DIM, NN, nodes, nodal->before, u);
  gather(DIM, NN, nodes, nodal->reached, d);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) d[a][i] -= u[a][i];
  split_change(DIM, NN, block, LINEAR_FROM_START, X, u, d, &unused, &c);
  split_mean_pressure(block->material, k, nodal->h, k.between ? start : c.j0, c.j0 - start, &p,
                      &dp);
  return p + dp * c.dj;
}
