/* Tangent matrices of elements whose material law is split (split.h), and of axisymmetric elements (theory 5.9). */
#pragma once

#include "element/split_volume.h"

/* Adds the contribution of U to the stress and modulus of a quadrature point. pm is the pressure at the mean volume
   ratio. The fraction `volume_part` of U is taken at the point's own volume ratio. Adds the contributions of the point
   to the vectors bm and b1, whose dyad is part of the tangent. */
CR_INLINE void split_add_modulus(const int DIM, const int NN, const CrElementBlock *block,
                                 SplitKind k, CrLanes pm, CrLanes g[][3], SplitPoint *s,
                                 CrLanes bm[][3], CrLanes b1[][3])
{
  const int    NS = CR_NS(DIM);
  const double part = block->volume_part;
  MeanVolume   unused = {0};
  VolumeSecant v;
  CrLanes      p = lanes_set(0), dp = lanes_set(0), total, dG[36], G1[6];

  split_volume(DIM, k, s, &v, &unused);
  if (k.between)
    volume_secant_gradient(NS, s->E0, s->E1, s->z, &v, dG, G1);
  else {
    volume_gradient(NS, s->E1, v.j0, v.G, dG);
    for (int I = 0; I < NS; I++) G1[I] = v.G[I];
  }
  if (part > 0) split_pressure(block->material, k, v.j0, v.dj, &p, &dp);
  total = (1 - part) * pm + part * p;
  for (int I = 0; I < NS; I++) s->p.S[I] += total * v.G[I];
  for (int I = 0; I < NS; I++)
    for (int J = 0; J < NS; J++)
      s->p.A[I * NS + J] += total * dG[I * NS + J] + part * dp * v.G[I] * G1[J];
  if (part < 1) split_add_volume(DIM, NN, block, s, PETSC_FALSE, v.G, g, bm);
  if (part < 1) split_add_volume(DIM, NN, block, s, PETSC_TRUE, G1, g, b1);
}

/* Adds to the tangent K_AiBj the contribution of hoop strains and stresses at one quadrature point. */
CR_INLINE void split_add_hoop(const int DIM, const int NN, const SplitPoint *s, CrLanes g[][3],
                              double geometric, CrLanes *K)
{
  const int      ND = DIM * NN, NS = CR_NS(DIM);
  const CrLanes *A = s->p.A;
  CrLanes        column[3][3], row[3][3], both;

  for (int i = 0; i < DIM; i++)
    for (int k = 0; k < DIM; k++) {
      column[i][k] = row[i][k] = lanes_set(0);
      for (int m = 0; m < DIM; m++) {
        column[i][k] += s->w * s->h1 * s->p.Fm[i][m] * A[tensor_index[m][k] * NS + 2];
        row[i][k] += s->w * s->hm * A[2 * NS + tensor_index[m][k]] * s->p.F1[i][m];
      }
    }
  both = s->w * (s->hm * A[2 * NS + 2] * s->h1 + geometric * s->p.S[2]);
  for (int a = 0; a < NN; a++)
    for (int b = 0; b < NN; b++) {
      K[a * DIM * ND + b * DIM] += both * s->hoop[a] * s->hoop[b];
      for (int i = 0; i < DIM; i++)
        for (int q = 0; q < DIM; q++) {
          K[(a * DIM + i) * ND + b * DIM] += g[a][q] * column[i][q] * s->hoop[b];
          K[a * DIM * ND + b * DIM + i] += s->hoop[a] * row[i][q] * g[b][q];
        }
    }
}

/* Adds to the tangent K the dyad scale * b (x) c. */
CR_INLINE void split_add_dyad(const int DIM, const int NN, CrLanes scale, CrLanes b[][3],
                              CrLanes c[][3], double *K)
{
  const int ND = DIM * NN;

  for (int r = 0; r < ND; r++) {
    CrLanes left = scale * b[r / DIM][r % DIM];

    for (int q = 0; q < ND; q++) lanes_add(K + (r * ND + q) * CR_BATCH, left * c[q / DIM][q % DIM]);
  }
}

/* Nodal fields of an element, and sums over its quadrature points. */
typedef struct {
  CrLanes    X[CR_MAX_CELL_NODES][3], u0[CR_MAX_CELL_NODES][3], u1[CR_MAX_CELL_NODES][3];
  CrLanes    f[CR_MAX_CELL_NODES][3], bm[CR_MAX_CELL_NODES][3], b1[CR_MAX_CELL_NODES][3];
  CrLanes    p, dp; /* pressure at the mean volume ratio, and its derivative */
  MeanVolume mean;
  KeptPoints kept; /* gradients and weights from split_change, if the law is split */
} SplitSums;

CR_INLINE PetscBool split_has_mean(const CrElementBlock *block)
{
  return block->split && block->volume_part < 1;
}

/* Gathers the nodal fields of an element, and computes the pressure at its mean volume ratio. */
CR_INLINE void split_begin(const int DIM, const int NN, const CrElementBlock *block,
                           const PetscInt *nodes, const CrNodal *nodal, SplitKind k, SplitSums *t)
{
  split_gather(DIM, NN, nodes, nodal, k, t->X, t->u0, t->u1);
  lanes_clear(DIM, NN, t->f);
  lanes_clear(DIM, NN, t->bm);
  lanes_clear(DIM, NN, t->b1);
  t->p = t->dp = lanes_set(0);
  if (!split_has_mean(block)) return;
  if (k.step)
    split_change(DIM, NN, block, k.between ? TRUE_FROM_START : TRUE_TO_END, t->X, t->u0, t->u1,
                 &t->kept, &t->mean);
  else
    split_change(DIM, NN, block, TRUE_FROM_START, t->X, t->u1, NULL, &t->kept, &t->mean);
  split_mean_pressure(block->material, k, nodal->h, t->mean.j0, t->mean.dj, &t->p, &t->dp);
  if (nodal->before)
    t->p = split_continued_pressure(DIM, NN, block, nodes, nodal, k, t->X,
                                    k.between ? t->mean.j0 : t->mean.j0 - t->mean.dj);
}

/* Returns the weight of quadrature point q, and sets its gradients g. Copies the gradients if split_change has stored
   them, else computes them. */
CR_INLINE CrLanes split_gradients(const int DIM, const int NN, const CrElementBlock *block, int q,
                                  SplitSums *t, CrLanes g[][3])
{
  if (!split_has_mean(block) || q >= CR_CHUNK)
    return gradients(DIM, NN, block, &block->stress_rule, q, t->X, g);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) g[a][i] = t->kept.g[q][a][i];
  return t->kept.w[q];
}

/* Adds to the matrix K the contributions of a group of up to CR_CHUNK quadrature points. With the last group, also adds
   the dyad of the mean volume. In 2D and 3D the sum of b over the nodes is zero, like the sum of gradients, as
   complete_tangent requires. In axial symmetry this sum is not zero, and split_join_ring adds the dyad. */
CR_INLINE void split_join(const int DIM, const int NN, const CrElementBlock *block, int q,
                          PetscBool symmetric, SplitSums *t, const Points *points, double *K)
{
  CrLanes scale;
  Dyad    dyad;

  if (!split_has_mean(block) || (DIM == 2 && block->axial) || q + 1 < block->stress_rule.n) {
    add_tangent(DIM, NN, points, symmetric, q < CR_CHUNK, NULL, K);
    return;
  }
  scale = (1 - block->volume_part) * t->dp / t->mean.V;
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) {
      dyad.left[a][i] = scale * t->bm[a][i];
      dyad.right[a][i] = t->b1[a][i];
    }
  add_tangent(DIM, NN, points, symmetric, q < CR_CHUNK, &dyad, K);
}

/* Adds to the matrix K the terms that exist in axial symmetry only. */
CR_INLINE void split_join_ring(const int DIM, const int NN, const CrElementBlock *block,
                               SplitSums *t, const CrLanes *ring, double *K)
{
  if (!(DIM == 2 && block->axial)) return;
  for (int r = 0; r < DIM * NN * DIM * NN; r++) lanes_add(K + r * CR_BATCH, ring[r]);
  if (split_has_mean(block))
    split_add_dyad(DIM, NN, (1 - block->volume_part) * t->dp / t->mean.V, t->bm, t->b1, K);
}

/* Computes the tangent of elements, and the force if out->force is not NULL. */
CR_INLINE void split_tangent_lanes(const int DIM, const int NN, const CrElementBlock *block,
                                   PetscInt batch, const CrNodal *nodal, CrForceKind kind,
                                   int first, const CrKernelOut *out)
{
  const SplitKind k = split_kind(block, kind);
  PetscBool       geometric = !k.small && kind != CR_FORCE_MATERIAL;
  PetscBool       symmetric = !k.between && !k.past;
  double          scale = k.between ? 0.5 : 1.0, *K = out->tangent + first;
  CrLanes(*g)[3], ring[DIM == 2 ? 4 * NN * NN : 1];
  SplitSums  t;
  SplitPoint s;
  Points     points;

  split_begin(DIM, NN, block, block->nodes + batch * NN * CR_BATCH + first, nodal, k, &t);
  for (int r = 0; DIM == 2 && r < 4 * NN * NN; r++) ring[r] = lanes_set(0);
  points.n = 0;
  g = points.g[0];
  for (int q = 0; q < block->stress_rule.n; q++) {
    const CrPast past = split_past(block, batch, nodal, q, first);

    g = points.g[points.n];
    s.w = split_gradients(DIM, NN, block, q, &t, g);
    split_strains(DIM, NN, block, k, q, t.X, t.u0, t.u1, g, &s);
    split_stress(DIM, block, k, &past, PETSC_TRUE, PETSC_FALSE, &s);
    if (block->split) split_add_modulus(DIM, NN, block, k, t.p, g, &s, t.bm, t.b1);
    if (out->force) split_add_force(DIM, NN, block, &s, g, t.f);
    if (DIM == 2 && block->axial) split_add_hoop(DIM, NN, &s, g, geometric ? scale : 0, ring);
    two_point_modulus(DIM, &s.p, geometric, scale, s.w, points.T[points.n]);
    if (++points.n < CR_CHUNK && q + 1 < block->stress_rule.n) continue;
    split_join(DIM, NN, block, q, symmetric, &t, &points, K);
    points.n = 0;
  }
  complete_tangent(DIM, NN, symmetric, K);
  split_join_ring(DIM, NN, block, &t, ring, K);
  if (block->one_point) split_hourglass(DIM, NN, block, k, t.X, t.u0, t.u1, g, s.w, t.f, NULL, K);
  for (int r = 0; out->force && r < DIM * NN; r++)
    lanes_store(out->force + r * CR_BATCH + first, t.f[r / DIM][r % DIM]);
}
