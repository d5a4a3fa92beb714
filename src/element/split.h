/* Kernels of elements whose law is split, W = W_rest(C) + U(volume), and of axial symmetry. U is taken at the mean
   volume ratio Theta = sum_q w J/V of the element, but for the share `volume_part`, which is taken at the J of
   the points (theory 5.9):
     f = f_rest + p b_m,   b_m = sum_q w F_m G grad N,   p = [U(Theta_1) - U(Theta_0)]/(Theta_1 - Theta_0)
     K = K_rest + K(p G) + (1/V) dp/dTheta_1 b_m (x) b_1,   b_1 = sum_q w J_1 F_1^-T grad N
   Whether there is a state, a split or a circle is asked at run time: such elements are the rarer and the dearer
   ones, and each question as a constant would double the code. */
#pragma once

#include "element/axial.h"
#include "material/volume.h"

/* One point: strains at both ends (E0 and z only where the step is known), and the plane or spatial Point. */
typedef struct {
  CrLanes w, E0[6], E1[6], z[6];
  CrLanes hm, h1;                  /* F33 of the tangent; 1 without axial symmetry */
  CrLanes hoop[CR_MAX_CELL_NODES]; /* N/R */
  Point   p;
} SplitPoint;

/* The volume of an element: its size at rest, J - 1 at the start, the change of J, as means over the points. */
typedef struct {
  CrLanes V, j0, dj; /* at one configuration: j0 = J - 1, dj = 0 unless a viscosity needs it */
} MeanVolume;

/* How a kernel runs. */
typedef struct {
  PetscBool small, between, past, step; /* step: both ends are known */
  PetscBool viscous; /* the law has a bulk viscosity, and the mean volume takes part of it */
} SplitKind;

CR_INLINE SplitKind split_kind(const CrElementBlock *block, CrForceKind kind)
{
  SplitKind k;

  k.small = (block->material->ops->flags & CR_SMALL_STRAIN) != 0;
  k.between = kind == CR_FORCE_CONSERVING;
  k.past = block->state_size > 0;
  k.step = k.between || k.past;
  k.viscous = block->split && block->volume_part < 1 && block->material->viscosity.eta_bulk > 0;
  return k;
}

/* Strains of point q, with gradients g. u1 is the increment du where the step is known. */
CR_INLINE void split_strains(const int DIM, const int NN, const CrElementBlock *block, SplitKind k,
                             int q, CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3],
                             CrLanes g[][3], SplitPoint *s)
{
  CrLanes H1[3][3];

  s->w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);
  s->hm = s->h1 = lanes_set(1);
  if (k.step)
    strains_between(DIM, NN, k.small, u0, u1, g, s->p.Fm, s->p.F1, s->E0, s->E1, s->z);
  else {
    gradient_of(DIM, NN, u1, g, H1);
    deformation(DIM, k.small, H1, s->p.F1);
    strain_of(DIM, k.small, H1, s->E1);
  }
  if (DIM == 2 && block->axial) {
    CrLanes h0, d, h1;

    s->w *= hoop_shapes(NN, &block->stress_rule, q, X, s->hoop);
    d = hoop_gradient(NN, u1, s->hoop);
    h0 = k.step ? hoop_gradient(NN, u0, s->hoop) : lanes_set(0);
    h1 = h0 + d;
    s->E1[2] = hoop_strain(k.small, h1);
    s->h1 = k.small ? lanes_set(1) : 1 + h1;
    s->hm = k.small ? lanes_set(1) : 1 + h0 + d / 2;
    if (k.step) s->E0[2] = hoop_strain(k.small, h0);
    if (k.step) s->z[2] = 2 * s->hm * d;
  }
  if (k.between) return;
  s->hm = s->h1;
  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) s->p.Fm[i][j] = s->p.F1[i][j];
}

/* Stress, and modulus and energy if wanted, of W_rest, or of the whole law where it is not split. */
CR_INLINE void split_stress(const int DIM, const CrElementBlock *block, SplitKind k,
                            const CrPast *past, PetscBool modulus, PetscBool energy, SplitPoint *s)
{
  const CrMaterial    *m = block->material;
  const CrMaterialOps *ops = m->ops;
  const int            NS = CR_NS(DIM);
  CrLanes             *S = s->p.S, *A = modulus ? s->p.A : NULL, *W = energy ? &s->p.W : NULL;

  if (k.past && k.between)
    ops->between(m, NS, past, s->E0, s->E1, s->z, S, A);
  else if (k.past)
    ops->at(m, NS, past, s->E0, s->E1, s->z, W, S, A);
  else if (block->split && k.between)
    ops->rest_between(m, NS, s->E0, s->E1, s->z, S, A);
  else if (block->split)
    ops->rest(m, NS, s->E1, W, S, A);
  else if (k.between)
    CR_VARIANT(CrStressBetween)(m, NS, s->E0, s->E1, s->z, S, A);
  else
    CR_VARIANT(CrStressAt)(m, NS, s->E1, W, S, A);
}

/* Volume ratios and G of one point; enters them into the sums of the element. */
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

/* U' and U'' at one volume ratio, or their secants. */
CR_INLINE void split_pressure(const CrMaterial *m, SplitKind k, CrLanes j0, CrLanes dj, CrLanes *p,
                              CrLanes *dp)
{
  if (k.between)
    volume_between(m, j0, dj, p, dp);
  else
    volume_at(m, j0, NULL, p, dp);
}

/* The same at the mean volume, with the bulk viscosity there: eta (Theta1 - Theta0)/h (theory 5.11). */
CR_INLINE void split_mean_pressure(const CrMaterial *m, SplitKind k, PetscReal h, CrLanes j0,
                                   CrLanes dj, CrLanes *p, CrLanes *dp)
{
  split_pressure(m, k, j0, dj, p, dp);
  if (!k.viscous || !(h > 0)) return;
  *p += m->viscosity.eta_bulk / h * dj;
  if (dp) *dp += m->viscosity.eta_bulk / h;
}

/* The force of the stress in s, with the hoop stress. */
CR_INLINE void split_add_force(const int DIM, const int NN, const CrElementBlock *block,
                               const SplitPoint *s, CrLanes g[][3], CrLanes f[][3])
{
  add_force(DIM, NN, &s->p, s->w, g, f);
  if (DIM == 2 && block->axial)
    for (int a = 0; a < NN; a++) f[a][0] += s->w * s->hm * s->p.S[2] * s->hoop[a];
}

/* b += w F G grad N */
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

/* The fields of an element at the start of a kernel; u1 becomes the increment where the step is known. */
CR_INLINE void split_gather(const int DIM, const int NN, const PetscInt *nodes,
                            const CrNodal *nodal, SplitKind k, CrLanes X[][3], CrLanes u0[][3],
                            CrLanes u1[][3])
{
  gather(DIM, NN, nodes, nodal->X, X);
  gather(DIM, NN, nodes, nodal->u1, u1);
  if (!k.step) return;
  gather(DIM, NN, nodes, nodal->u0, u0);
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) u1[a][i] -= u0[a][i];
}

CR_INLINE CrPast split_past(const CrElementBlock *block, PetscInt batch, const CrNodal *nodal,
                            int q, int first)
{
  if (!block->state_size) return (CrPast){0};
  return (CrPast){.state = nodal->state + state_offset(block, batch, q, first),
                  .h = nodal->h,
                  .mean = block->split ? 1 - block->volume_part : 0};
}

CR_INLINE void lanes_clear(const int DIM, const int NN, CrLanes f[][3])
{
  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++) f[a][i] = lanes_set(0);
}

/* Hourglass forces act on the mean of both ends, or on the end. u1 is the increment where the step is known. */
CR_INLINE void split_hourglass(const int DIM, const int NN, const CrElementBlock *block,
                               SplitKind k, CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3],
                               CrLanes g[][3], CrLanes w, CrLanes f[][3], CrLanes *energy,
                               double *K)
{
  CrLanes u[CR_MAX_CELL_NODES][3];

  for (int a = 0; a < NN; a++)
    for (int i = 0; i < DIM; i++)
      u[a][i] = !k.step ? u1[a][i] : u0[a][i] + (k.between ? 0.5 : 1.0) * u1[a][i];
  add_hourglass(DIM, NN, block, X, u, g, w, f, energy, k.between ? 0.5 : 1.0, K);
}

/* ---- forces ------------------------------------------------------------------------------------- */

/* One pass: forces of the rest and b_m side by side, joined when the mean is known. */
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
    VolumeSecant v;

    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    split_stress(DIM, block, k, &past, PETSC_FALSE, observe, &s);
    if (block->split) {
      split_volume(DIM, k, &s, &v, &mean);
      if (!k.between) volume_gradient(CR_NS(DIM), s.E1, v.j0, v.G, NULL);
      if (part > 0) {
        split_pressure(m, k, v.j0, v.dj, &p, NULL);
        for (int I = 0; I < CR_NS(DIM); I++) s.p.S[I] += part * p * v.G[I];
        if (observe) volume_at(m, v.j0, &U, NULL, NULL);
        if (observe) s.p.W += part * U;
      }
      if (part < 1) split_add_volume(DIM, NN, block, &s, PETSC_FALSE, v.G, g, b);
    }
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

/* ---- tangents ----------------------------------------------------------------------------------- */

/* The mean volume, by a short pass of its own. */
CR_INLINE void split_mean(const int DIM, const int NN, const CrElementBlock *block, SplitKind k,
                          CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3], MeanVolume *mean)
{
  CrLanes g[CR_MAX_CELL_NODES][3];

  *mean = (MeanVolume){0};
  for (int q = 0; q < block->stress_rule.n; q++) {
    SplitPoint   s;
    VolumeSecant v;

    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    split_volume(DIM, k, &s, &v, mean);
  }
  mean->j0 /= mean->V;
  mean->dj /= mean->V;
}

/* det(1 + H) - 1 */
CR_INLINE CrLanes det_minus_one(const int DIM, CrLanes H[3][3])
{
  CrLanes sum = H[0][0] + H[1][1] + determinant_of(DIM, H);

  if (DIM == 2) return sum;
  return sum + H[2][2] + H[0][0] * H[1][1] - H[0][1] * H[1][0] + H[1][1] * H[2][2] -
         H[1][2] * H[2][1] + H[0][0] * H[2][2] - H[0][2] * H[2][0];
}

/* det(1 + H + D) - det(1 + H) = cof(1 + H + D/2):D + det(D)/4, of which the plane has no last term. */
CR_INLINE CrLanes det_difference(const int DIM, CrLanes H[3][3], CrLanes D[3][3])
{
  CrLanes F[3][3], sum = lanes_set(0);

  for (int i = 0; i < DIM; i++)
    for (int j = 0; j < DIM; j++) F[i][j] = H[i][j] + D[i][j] / 2 + (i == j ? 1.0 : 0.0);
  if (DIM == 2)
    return F[1][1] * D[0][0] + F[0][0] * D[1][1] - F[1][0] * D[0][1] - F[0][1] * D[1][0];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;

      sum += (F[p][r] * F[q][s] - F[p][s] * F[q][r]) * D[i][j];
    }
  return sum + determinant_of(3, D) / 4;
}

/* The mean volume once more, by J = det F: half the work of split_mean, and the tangent needs no more than that. */
CR_INLINE void split_mean_quick(const int DIM, const int NN, const CrElementBlock *block,
                                SplitKind k, CrLanes X[][3], CrLanes u0[][3], CrLanes u1[][3],
                                MeanVolume *mean)
{
  CrLanes g[CR_MAX_CELL_NODES][3], hoop[CR_MAX_CELL_NODES];

  *mean = (MeanVolume){0};
  for (int q = 0; q < block->stress_rule.n; q++) {
    CrLanes H[3][3], D[3][3], j, dj = lanes_set(0);
    CrLanes w = gradients(DIM, NN, block, &block->stress_rule, q, X, g);

    gradient_of(DIM, NN, k.step ? u0 : u1, g, H);
    if (k.step) gradient_of(DIM, NN, u1, g, D);
    j = det_minus_one(DIM, H);
    if (k.step) dj = det_difference(DIM, H, D);
    if (DIM == 2 && block->axial) {
      CrLanes h, dh = lanes_set(0);

      w *= hoop_shapes(NN, &block->stress_rule, q, X, hoop);
      h = hoop_gradient(NN, k.step ? u0 : u1, hoop);
      if (k.step) dh = hoop_gradient(NN, u1, hoop);
      dj = dj * (1 + h + dh / 2) + (1 + j + dj / 2) * dh;
      j = j + h + j * h;
    }
    mean->V += w;
    mean->j0 += w * (k.between ? j : j + dj);
    mean->dj += w * dj;
  }
  mean->j0 /= mean->V;
  mean->dj /= mean->V;
}

/* Adds U to stress and modulus of a point: the pressure p of the mean and the point's own share. bm and b1 get
   the point's part of the dyad. */
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

/* The part of the tangent that hoop strains and stresses add: K_AiBj of one point. */
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

/* K += scale b (x) c */
CR_INLINE void split_add_dyad(const int DIM, const int NN, CrLanes scale, CrLanes b[][3],
                              CrLanes c[][3], double *K)
{
  const int ND = DIM * NN;

  for (int r = 0; r < ND; r++) {
    CrLanes left = scale * b[r / DIM][r % DIM];

    for (int q = 0; q < ND; q++) lanes_add(K + (r * ND + q) * CR_BATCH, left * c[q / DIM][q % DIM]);
  }
}

/* Tangent, and the force if wanted. */
CR_INLINE void split_tangent_lanes(const int DIM, const int NN, const CrElementBlock *block,
                                   PetscInt batch, const CrNodal *nodal, CrForceKind kind,
                                   int first, const CrKernelOut *out)
{
  const PetscInt *nodes = block->nodes + batch * NN * CR_BATCH + first;
  const SplitKind k = split_kind(block, kind);
  const int       ND = DIM * NN;
  PetscBool       geometric = !k.small && kind != CR_FORCE_MATERIAL;
  PetscBool       symmetric = !k.between && !k.past;
  double          scale = k.between ? 0.5 : 1.0, *K = out->tangent + first;
  CrLanes         X[CR_MAX_CELL_NODES][3], u0[CR_MAX_CELL_NODES][3], u1[CR_MAX_CELL_NODES][3];
  CrLanes         f[CR_MAX_CELL_NODES][3], bm[CR_MAX_CELL_NODES][3], b1[CR_MAX_CELL_NODES][3];
  CrLanes         p = lanes_set(0), dp = lanes_set(0), (*g)[3], ring[DIM == 2 ? 4 * NN * NN : 1];
  /* in the plane and in space b adds up to nothing, as gradients do; around an axis it does not */
  const PetscBool joins = block->split && block->volume_part < 1 && !(DIM == 2 && block->axial);
  MeanVolume      mean;
  SplitPoint      s;
  Points          points;
  Dyad            dyad;

  split_gather(DIM, NN, nodes, nodal, k, X, u0, u1);
  if (block->split && block->volume_part < 1) {
    split_mean_quick(DIM, NN, block, k, X, u0, u1, &mean);
    split_mean_pressure(block->material, k, nodal->h, mean.j0, mean.dj, &p, &dp);
  }
  lanes_clear(DIM, NN, f);
  lanes_clear(DIM, NN, bm);
  lanes_clear(DIM, NN, b1);
  for (int r = 0; DIM == 2 && r < ND * ND; r++) ring[r] = lanes_set(0);
  points.n = 0;
  g = points.g[0];
  for (int q = 0; q < block->stress_rule.n; q++) {
    const CrPast past = split_past(block, batch, nodal, q, first);

    g = points.g[points.n];
    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    split_stress(DIM, block, k, &past, PETSC_TRUE, PETSC_FALSE, &s);
    if (block->split) split_add_modulus(DIM, NN, block, k, p, g, &s, bm, b1);
    if (out->force) split_add_force(DIM, NN, block, &s, g, f);
    if (DIM == 2 && block->axial) split_add_hoop(DIM, NN, &s, g, geometric ? scale : 0, ring);
    two_point_modulus(DIM, &s.p, geometric, scale, s.w, points.T[points.n]);
    if (++points.n < CR_CHUNK && q + 1 < block->stress_rule.n) continue;
    if (joins && q + 1 == block->stress_rule.n) {
      const CrLanes scale_of_dyad = (1 - block->volume_part) * dp / mean.V;

      for (int a = 0; a < NN; a++)
        for (int i = 0; i < DIM; i++) {
          dyad.left[a][i] = scale_of_dyad * bm[a][i];
          dyad.right[a][i] = b1[a][i];
        }
      add_tangent(DIM, NN, &points, symmetric, q < CR_CHUNK, &dyad, K);
    } else
      add_tangent(DIM, NN, &points, symmetric, q < CR_CHUNK, NULL, K);
    points.n = 0;
  }
  complete_tangent(DIM, NN, symmetric, K);
  if (DIM == 2 && block->axial)
    for (int r = 0; r < ND * ND; r++) lanes_add(K + r * CR_BATCH, ring[r]);
  if (block->split && block->volume_part < 1 && !joins)
    split_add_dyad(DIM, NN, (1 - block->volume_part) * dp / mean.V, bm, b1, K);
  if (block->one_point) split_hourglass(DIM, NN, block, k, X, u0, u1, g, s.w, f, NULL, K);
  for (int a = 0; out->force && a < NN; a++)
    for (int i = 0; i < DIM; i++)
      lanes_store(out->force + (a * DIM + i) * CR_BATCH + first, f[a][i]);
}

/* ---- observations ------------------------------------------------------------------------------- */

/* Cauchy stress of one point, where F is known. */
CR_INLINE void split_cauchy(const int DIM, SplitKind k, const CrElementBlock *block, SplitPoint *s,
                            CrLanes det, CrLanes *sigma)
{
  CrLanes over = k.small ? lanes_set(1) : det;

  cauchy(DIM, block->material, s->p.F1, over, s->p.S, sigma);
  if (DIM == 2 && block->axial) sigma[2] = s->h1 * s->h1 * s->p.S[2] / over;
}

/* Energy, least det F, least stretch and stresses at u1. */
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
  CrLanes energy = lanes_set(0), least = lanes_set(HUGE_VAL), stretch = lanes_set(HUGE_VAL), U, p;
  MeanVolume mean = {0};
  SplitPoint s;

  split_gather(DIM, NN, nodes, nodal, k, X, u0, u1);
  if (block->split) split_mean(DIM, NN, block, k, X, u0, u1, &mean);
  for (int q = 0; q < block->stress_rule.n; q++) {
    const CrPast past = split_past(block, batch, nodal, q, first);
    CrLanes      sigma[6], det, G[6], j;

    split_strains(DIM, NN, block, k, q, X, u0, u1, g, &s);
    split_stress(DIM, block, k, &past, PETSC_FALSE, PETSC_TRUE, &s);
    det = determinant_of(DIM, s.p.F1) * s.h1;
    if (block->split) {
      CrLanes pm;

      j = volume_change(determinant_change(CR_NS(DIM), s.E1));
      volume_at(m, j, &U, &p, NULL);
      volume_at(m, mean.j0, NULL, &pm, NULL);
      volume_gradient(CR_NS(DIM), s.E1, j, G, NULL);
      s.p.W += part * U;
      for (int I = 0; I < CR_NS(DIM); I++) s.p.S[I] += (part * p + (1 - part) * pm) * G[I];
    }
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
  if (block->one_point) split_hourglass(DIM, NN, block, k, X, u0, u1, g, s.w, NULL, &energy, NULL);
  if (out->energy) lanes_store(out->energy + first, energy);
  if (out->det) lanes_store(out->det + first, least);
  if (out->stretch) lanes_store(out->stretch + first, lanes_sqrt(stretch));
}
