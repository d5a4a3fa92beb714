/* Ogden's law with isochoric stretches: W = sum_p mu_p/alpha_p (sum_i l_i^alpha_p - 3) + bulk/2 (J - 1)^2, l_i = J^-1/3
   times the principal stretches, up to three terms (theory 5.13). At small strain the shear modulus is
   sum mu_p alpha_p/2. In logarithms, l_i^alpha = exp(alpha d_i) with the deviator d of H = ln(C)/2: the energy is the
   trace of a function of dev H, whose conserving stress is a sum of divided differences (spectral.h). */
#include "deck/deck.h"
#include "material/spectral.h"
#include "material/volume.h"

#define TERMS 3

enum { MU = 0, ALPHA = TERMS, BULK = 2 * TERMS, COUNT };

/* The deviators of the logarithmic stretches. */
CR_INLINE void deviators(const Spectrum *s, CrLanes d[3])
{
  CrLanes mean = (s->h[0] + s->h[1] + s->h[2]) / 3;

  for (int i = 0; i < 3; i++) d[i] = s->h[i] - mean;
}

/* (exp(y) - 1)/y - 1 */
CR_INLINE CrLanes exp_ratio_minus(CrLanes y)
{
  CrLanes near = y / 2 * exp_series(y);
  CrMask  small = y * y < lanes_set(CR_EXP_REACH * CR_EXP_REACH);

  if (in_all_lanes(small)) return near;
  return lanes_select(small, near, exp_minus_one(y) / lanes_select(small, lanes_set(1), y) - 1);
}

/* exp(y) - 1 - y */
CR_INLINE CrLanes exp_beyond(CrLanes y)
{
  CrLanes near = y * y / 2 * exp_series(y);
  CrMask  small = y * y < lanes_set(CR_EXP_REACH * CR_EXP_REACH);

  return in_all_lanes(small) ? near : lanes_select(small, near, exp_minus_one(y) - y);
}

/* exp[a,b] - 1; power: exp(a) - 1 */
CR_INLINE CrLanes exp_first_of(CrLanes a, CrLanes power, CrLanes b)
{
  CrLanes ratio = exp_ratio_minus(b - a);

  return power * (1 + ratio) + ratio;
}

CR_INLINE CrLanes exp_first_minus(CrLanes a, CrLanes b)
{
  return exp_first_of(a, exp_minus_one(a), b);
}

/* exp[a,b,c] from the first differences less 1: the quotient with the widest base, or a series where all are close,
   which is good to 1e-9; only tangents use it. There the mean of the first differences is exp(mean) (1 + spread/12). */
CR_INLINE CrLanes exp_second(CrLanes a, CrLanes b, CrLanes c, CrLanes ab, CrLanes ac, CrLanes bc)
{
  CrLanes x = (b - c) * (b - c), y = (a - c) * (a - c), w = (a - b) * (a - b);
  CrLanes spread = (x + y + w) / 3; /* sum of the squared deviations */
  CrMask  first = (x >= y) & (x >= w), second = y >= w, close = spread < lanes_set(2e-6);
  CrLanes top = lanes_select(first, ab - ac, lanes_select(second, ab - bc, ac - bc));
  CrLanes base = lanes_select(first, b - c, lanes_select(second, a - c, a - b));

  return lanes_select(close, (3 + ab + ac + bc) / 6 * (1 - spread / 24),
                      top / lanes_select(close, lanes_set(1), base));
}

/* ---- at one strain ---------------------------------------------------------------------------- */

/* Derivatives of W_rest by the logarithmic stretches: first beta, and second if wanted. */
CR_INLINE void principal(const CrMaterial *material, const CrLanes d[3], CrLanes beta[3],
                         CrLanes B[3][3])
{
  for (int j = 0; j < 3; j++) beta[j] = lanes_set(0);
  for (int j = 0; B && j < 9; j++) B[j / 3][j % 3] = lanes_set(0);
  for (int p = 0; p < (int)material->constants[COUNT]; p++) {
    const double mu = material->constants[MU + p], alpha = material->constants[ALPHA + p];
    CrLanes      x[3], mean;

    for (int j = 0; j < 3; j++) x[j] = exp_minus_one(alpha * d[j]);
    mean = (x[0] + x[1] + x[2]) / 3;
    for (int j = 0; j < 3; j++) beta[j] += mu * (x[j] - mean);
    for (int j = 0; B && j < 3; j++)
      for (int k = 0; k < 3; k++)
        B[j][k] += mu * alpha *
                   ((j == k ? 1 + x[j] : lanes_set(0)) - (2 + x[j] + x[k]) / 3 + (1 + mean) / 3);
  }
}

/* (beta_j - beta_k)/(d_j - d_k) */
CR_INLINE CrLanes beta_secant(const CrMaterial *material, CrLanes dj, CrLanes dk)
{
  CrLanes sum = lanes_set(0);

  for (int p = 0; p < (int)material->constants[COUNT]; p++) {
    const double mu = material->constants[MU + p], alpha = material->constants[ALPHA + p];

    sum += mu * alpha * (1 + exp_first_minus(alpha * dk, alpha * dj));
  }
  return sum;
}

/* Component I of the symmetric product of the eigenvectors j and k. */
CR_INLINE CrLanes product_of(const Spectrum *s, int j, int k, int I)
{
  int r = tensor_row[I], c = tensor_col[I];

  return (s->Q[r][j] * s->Q[c][k] + s->Q[c][j] * s->Q[r][k]) / 2;
}

CR_INLINE void ogden_tangent(const CrMaterial *material, const int ns, const Spectrum *s,
                             const CrLanes d[3], const CrLanes beta[3], CrLanes B[3][3],
                             CrLanes *CC)
{
  CrLanes c[3];

  for (int j = 0; j < 3; j++) c[j] = 1 + 2 * s->e[j];
  for (int I = 0; I < ns * ns; I++) CC[I] = lanes_set(0);
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) {
      CrLanes weight;

      if (j == k)
        weight = (B[j][j] - 2 * beta[j]) / (c[j] * c[j]);
      else
        weight = B[j][k] / (c[j] * c[k]);
      for (int I = 0; I < ns; I++)
        for (int J = 0; J < ns; J++)
          CC[I * ns + J] += weight * product_of(s, j, j, I) * product_of(s, k, k, J);
      if (j >= k || !CR_HAS(ns, j, k)) continue;
      weight = 4 * (beta_secant(material, d[j], d[k]) * log_secant(s, j, s, k) / (2 * c[j]) -
                    beta[k] / (c[j] * c[k]));
      for (int I = 0; I < ns; I++)
        for (int J = 0; J < ns; J++)
          CC[I * ns + J] += weight * product_of(s, j, k, I) * product_of(s, j, k, J);
    }
}

CR_INLINE void ogden_rest(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                          CrLanes *S, CrLanes *CC)
{
  Spectrum s;
  CrLanes  d[3], beta[3], B[3][3];

  spectrum_of(ns, E, &s);
  deviators(&s, d);
  if (W) *W = lanes_set(0);
  for (int p = 0; W && p < (int)material->constants[COUNT]; p++)
    for (int i = 0; i < 3; i++) /* the linear terms add up to nothing */
      *W += material->constants[MU + p] / material->constants[ALPHA + p] *
            exp_beyond(material->constants[ALPHA + p] * d[i]);
  if (!S) return;
  principal(material, d, beta, CC ? B : NULL);
  for (int I = 0; I < ns; I++) {
    S[I] = lanes_set(0);
    for (int j = 0; j < 3; j++) S[I] += beta[j] / (1 + 2 * s.e[j]) * product_of(&s, j, j, I);
  }
  if (CC) ogden_tangent(material, ns, &s, d, beta, B, CC);
}

CR_INLINE void ogden(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                     CrLanes *S, CrLanes *CC)
{
  CrLanes j = volume_change(determinant_change(ns, E)), U, p, dp, G[6], dG[36];

  ogden_rest(material, ns, E, W, S, CC);
  volume_at(material, j, &U, &p, &dp);
  if (W) *W += U;
  if (!S) return;
  volume_gradient(ns, E, j, G, CC ? dG : NULL);
  for (int I = 0; I < ns; I++) S[I] += p * G[I];
  for (int I = 0; CC && I < ns; I++)
    for (int J = 0; J < ns; J++) CC[I * ns + J] += p * dG[I * ns + J] + dp * G[I] * G[J];
}

/* ---- between two strains ---------------------------------------------------------------------- */

/* Takes the trace of a tensor in mixed form away. */
CR_INLINE void take_trace(const int ns, LogSecant *s, CrLanes T[3][3])
{
  CrLanes mean = matrix_product(ns, T, s->R) / 3;

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) T[i][j] -= mean * s->R[i][j];
}

/* One term between two strains: alpha times the deviators of both ends, and exp[x_i,y_j] - 1. */
typedef struct {
  CrLanes x[3], y[3], xy[3][3];
} Term;

CR_INLINE void term_between(const int ns, const double alpha, const CrLanes a[3],
                            const CrLanes b[3], Term *t)
{
  CR_UNROLL3
  for (int i = 0; i < 3; i++) {
    t->x[i] = alpha * a[i];
    t->y[i] = alpha * b[i];
  }
  CR_UNROLL3
  for (int i = 0; i < 3; i++) {
    CrLanes power = exp_minus_one(t->x[i]);

    CR_UNROLL3
    for (int j = 0; j < 3; j++)
      if (CR_HAS(ns, i, j)) t->xy[i][j] = exp_first_of(t->x[i], power, t->y[j]);
  }
}

/* Its part in X_ijk, scale = mu alpha. First differences serve many second ones. */
CR_INLINE void add_second(const int ns, const double scale, LogSecant *s, const Term *t,
                          CrLanes X[3][3][3])
{
  CrLanes yy[3][3];

  CR_UNROLL3
  for (int i = 0; i < 3; i++) {
    CrLanes power = exp_minus_one(t->y[i]);

    CR_UNROLL3
    for (int j = 0; j < 3; j++)
      if (CR_HAS(ns, i, j)) yy[i][j] = j < i ? yy[j][i] : exp_first_of(t->y[i], power, t->y[j]);
  }
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) CR_UNROLL3
  for (int k = 0; k < 3; k++)
    if (CR_HAS(ns, i, j) && CR_HAS(ns, j, k))
      X[i][j][k] += scale * s->R[i][j] *
                    exp_second(t->x[i], t->y[j], t->y[k], t->xy[i][j], t->xy[i][k], yy[j][k]);
}

/* V_ijk = 2 T_ij ln[a_i,b_j,b_k] for the change of `pull`, and X_ijk for that of T: exp[..] of the deviators. */
CR_INLINE void second_differences(const CrMaterial *material, const int ns, LogSecant *s,
                                  CrLanes T[3][3], const Term *terms, CrLanes D1[3][3],
                                  CrLanes V[3][3][3], CrLanes X[3][3][3])
{
  const LogModulus one = {.ends = 1};

  second_weights(ns, s, T, &one, D1, V);
  for (int i = 0; i < 27; i++) X[i / 9][i / 3 % 3][i % 3] = lanes_set(0);
  for (int p = 0; p < (int)material->constants[COUNT]; p++)
    add_second(ns, material->constants[MU + p] * material->constants[ALPHA + p], s, &terms[p], X);
}

/* The change of the stress for a change e of the strain at the end, in the eigenvectors of that end. */
CR_INLINE void ogden_change(const int ns, LogSecant *s, CrLanes D1[3][3], CrLanes V[3][3][3],
                            CrLanes X[3][3][3], CrLanes e[3][3], CrLanes *dS)
{
  Matrix  h, dT, half, full;
  CrLanes mean;

  CR_UNROLL3
  for (int j = 0; j < 3; j++) CR_UNROLL3
  for (int k = 0; k < 3; k++) h[j][k] = CR_HAS(ns, j, k) ? D1[j][k] * e[j][k] : lanes_set(0);
  mean = (h[0][0] + h[1][1] + h[2][2]) / 3;
  CR_UNROLL3
  for (int j = 0; j < 3; j++) h[j][j] -= mean;
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int k = 0; k < 3; k++) {
    dT[i][k] = lanes_set(0);
    CR_UNROLL3
    for (int j = 0; j < 3; j++)
      if (CR_HAS(ns, i, j) && CR_HAS(ns, j, k)) dT[i][k] += X[i][j][k] * h[j][k];
  }
  take_trace(ns, s, dT);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int k = 0; k < 3; k++) {
    dT[i][k] *= s->D[i][k];
    CR_UNROLL3
    for (int j = 0; j < 3; j++)
      if (CR_HAS(ns, i, j) && CR_HAS(ns, j, k)) dT[i][k] += V[i][j][k] * e[j][k];
  }
  multiply(ns, 0, s->B0, 0, dT, half);
  multiply(ns, 0, half, 1, s->B1, full);
  symmetric_part(ns, full, dS);
}

CR_INLINE void ogden_between(const CrMaterial *material, const int ns, const CrLanes *E0,
                             const CrLanes *E1, const CrLanes *z, CrLanes *S, CrLanes *A)
{
  LogSecant s;
  Matrix    T, D1;
  Term      terms[TERMS];
  CrLanes   a[3], b[3], V[3][3][3], X[3][3][3];

  (void)z;
  spectrum_of(ns, E0, &s.s0);
  spectrum_of(ns, E1, &s.s1);
  log_secant_fill(ns, NULL, &s);
  deviators(&s.s0, a);
  deviators(&s.s1, b);
  for (int p = 0; p < (int)material->constants[COUNT]; p++)
    term_between(ns, material->constants[ALPHA + p], a, b, &terms[p]);
  CR_UNROLL3
  for (int i = 0; i < 3; i++) CR_UNROLL3
  for (int j = 0; j < 3; j++) { /* less mu R, which has no deviator */
    T[i][j] = lanes_set(0);
    for (int p = 0; CR_HAS(ns, i, j) && p < (int)material->constants[COUNT]; p++)
      T[i][j] += material->constants[MU + p] * s.R[i][j] * terms[p].xy[i][j];
  }
  take_trace(ns, &s, T);
  pull(ns, &s, T, S);
  if (!A) return;
  CR_UNROLL3
  for (int j = 0; j < 3; j++) CR_UNROLL3
  for (int k = 0; k < 3; k++)
    D1[j][k] = CR_HAS(ns, j, k) ? log_secant(&s.s1, j, &s.s1, k) : lanes_set(0);
  second_differences(material, ns, &s, T, terms, D1, V, X);
  for (int J = 0; J < ns; J++) {
    Matrix  e;
    CrLanes dS[6];

    CR_UNROLL3
    for (int j = 0; j < 3; j++) CR_UNROLL3
    for (int k = 0; k < 3; k++) e[j][k] = product_of(&s.s1, j, k, J);
    ogden_change(ns, &s, D1, V, X, e, dS);
    for (int I = 0; I < ns; I++) A[I * ns + J] = dS[I];
  }
}

CR_INLINE void ogden_difference(const CrMaterial *material, const int ns, const CrLanes *E0,
                                const CrLanes *E1, const CrLanes *z, CrLanes *dW)
{
  VolumeSecant v;
  CrLanes      S[6], p;

  ogden_between(material, ns, E0, E1, z, S, NULL);
  volume_secant(ns, E0, E1, z, &v);
  volume_between(material, v.j0, v.dj, &p, NULL);
  *dW = contract(ns, S, z) / 2 + p * v.dj;
}

CR_POINT_LAW(ogden)
CR_POINT_LAW(ogden_rest)
CR_BETWEEN_LAW(ogden_between)
CR_DIFFERENCE_LAW(ogden_difference)

/* ---- the deck --------------------------------------------------------------------------------- */

static const CrKey keys[] = {
    {"mu", CR_REALS,
     .help = "ogden: coefficients of up to three terms of the energy, with the unit of a stress"},
    {"alpha", CR_REALS, .help = "ogden: exponents of the terms with the coefficients `mu`"},
    {.name = NULL}};

static PetscErrorCode configure(CrMaterial *material, const CrDeckNode *node)
{
  const CrDeckNode *mu = CrDeckFind(node, "mu"), *alpha = CrDeckFind(node, "alpha");
  const CrDeckNode *bulk = CrDeckFind(node, "bulk");
  const char *const others[] = {"lambda", "shear", "young", "poisson"};
  PetscInt          n = CrDeckCount(mu);

  PetscFunctionBeginUser;
  if (!mu || !alpha || !bulk) CrDeckFail(node, "ogden needs mu, alpha and bulk");
  for (int i = 0; i < 4; i++)
    if (CrDeckFind(node, others[i]))
      CrDeckFail(CrDeckFind(node, others[i]),
                 "the constants of ogden are mu, alpha and bulk, not \"%s\"", others[i]);
  if (n < 1 || n > TERMS || CrDeckCount(alpha) != n)
    CrDeckFail(mu, "mu and alpha must be lists of the same length, with 1 to %d terms", TERMS);
  for (PetscInt p = 0; p < n; p++) {
    material->constants[MU + p] = CrDeckReal(CrDeckItem(mu, p));
    material->constants[ALPHA + p] = CrDeckReal(CrDeckItem(alpha, p));
    if (!(material->constants[MU + p] * material->constants[ALPHA + p] > 0))
      CrDeckFail(CrDeckItem(mu, p),
                 "the product of mu and alpha must be greater than 0 in every term, but is %g",
                 (double)(material->constants[MU + p] * material->constants[ALPHA + p]));
    material->shear += material->constants[MU + p] * material->constants[ALPHA + p] / 2;
  }
  material->constants[COUNT] = (PetscReal)n;
  material->constants[BULK] = material->volume_modulus = CrDeckReal(bulk);
  material->lambda = material->volume_modulus - 2.0 / 3 * material->shear;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrMaterialOps CR_VARIANT(CrMaterial_ogden) = {
    .name = "ogden",
    .help =
        "law with the energy sum of mu/alpha (l1^alpha + l2^alpha + l3^alpha - 3) over the terms + bulk/2 (J - 1)^2: l1, l2, l3 are the isochoric stretches, and J = det F",
    .keys = keys,
    .configure = configure,
    .point = ogden_point,
    .difference = ogden_difference_change,
    .volume = CR_VOLUME_QUADRATIC,
    .rest = ogden_rest_point,
    .rest_between = ogden_between_stress,
};
