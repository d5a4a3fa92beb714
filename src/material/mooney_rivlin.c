/* Compressible Mooney-Rivlin with isochoric invariants (theory 5.5):
   W = c10 (J^-2/3 I1 - 3) + c01 (J^-4/3 I2 - 3) + bulk/2 (J - 1)^2. At small strain the shear
   modulus is 2 (c10 + c01). Energy, stress and differences are written so that the terms that
   cancel at small strain are taken out by hand: a I1 - 3 and b I2 - 3 are of second order. */
#include "deck/deck.h"
#include "material/volume.h"

/* The law with the bulk modulus K. */
CR_INLINE void with_bulk(const CrMaterial *material, const double K, const int ns, const CrLanes *E,
                         CrLanes *W, CrLanes *S, CrLanes *CC)
{
  const double c10 = material->constants[0], c01 = material->constants[1];
  CrLanes      change = determinant_change(ns, E), lnJ = lanes_log1p(change) / 2;
  CrLanes      am1 = lanes_expm1(-2.0 / 3 * lnJ), bm1 = lanes_expm1(-4.0 / 3 * lnJ);
  CrLanes      Jm1 = lanes_expm1(lnJ), a = 1 + am1, b = 1 + bm1, J = 1 + Jm1;
  CrLanes      I1m3 = 2 * trace(E), I2m3 = 4 * trace(E) + 4 * second_invariant(ns, E);
  CrLanes      I1 = 3 + I1m3, I2 = 3 + I2m3, p = K * Jm1, C[6], Ci[6];

  if (W) {
    CrLanes second = 4 * second_invariant(ns, E);
    /* tr C - 3 - ln det C, of second order */
    CrLanes trace_minus_log = -second - 8 * determinant(ns, E) - lanes_log1p_minus(change);

    *W = c10 * (3 * lanes_expm1_minus(-2.0 / 3 * lnJ) + trace_minus_log + am1 * I1m3) +
         c01 * (3 * lanes_expm1_minus(-4.0 / 3 * lnJ) + 2 * trace_minus_log + second + bm1 * I2m3) +
         K / 2 * Jm1 * Jm1;
  }
  if (!S) return;
  metric_and_inverse(ns, E, change, C, Ci);
  for (int I = 0; I < ns; I++) {
    CrLanes rest = one_minus_inverse(ns, Ci, E, I); /* 1 - I1/3 Ci = rest - (I1 - 3)/3 Ci, ... */

    S[I] = 2 * c10 * a * (rest - I1m3 / 3 * Ci[I]) +
           2 * c01 * b * (2 * rest + I1m3 * identity2(I) - 2 * E[I] - 2.0 / 3 * I2m3 * Ci[I]) +
           p * J * Ci[I];
  }
  if (!CC) return;
  for (int I = 0; I < ns; I++)
    for (int M = 0; M < ns; M++) {
      double  oneI = identity2(I), oneM = identity2(M);
      CrLanes CiCi = Ci[I] * Ci[M], Ii = inverse_product(Ci, I, M);
      CrLanes eI = I1 * oneI - C[I], eM = I1 * oneM - C[M];
      CrLanes first = -(oneI * Ci[M] + Ci[I] * oneM) / 3 + I1 / 9 * CiCi + I1 / 3 * Ii;
      CrLanes second = oneI * oneM - identity4(I, M) - 2.0 / 3 * (eI * Ci[M] + Ci[I] * eM) +
                       4.0 / 9 * I2 * CiCi + 2.0 / 3 * I2 * Ii;

      CC[I * ns + M] =
          4 * c10 * a * first + 4 * c01 * b * second + J * (p + J * K) * CiCi - 2 * p * J * Ii;
    }
}

CR_INLINE void mooney_rivlin(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                             CrLanes *S, CrLanes *CC)
{
  with_bulk(material, material->constants[2], ns, E, W, S, CC);
}

CR_INLINE void mooney_rivlin_rest(const CrMaterial *material, const int ns, const CrLanes *E,
                                  CrLanes *W, CrLanes *S, CrLanes *CC)
{
  with_bulk(material, 0, ns, E, W, S, CC);
}

CR_INLINE void mooney_rivlin_difference(const CrMaterial *material, const int ns, const CrLanes *E0,
                                        const CrLanes *E1, const CrLanes *z, CrLanes *dW)
{
  const double c10 = material->constants[0], c01 = material->constants[1];
  const double K = material->constants[2];
  CrLanes      l0 = lanes_log1p(determinant_change(ns, E0)) / 2, dl;
  CrLanes      first = trace_minus_log_difference(ns, E0, E1, z, &dl); /* tr z - 2 dl */
  CrLanes      a0 = lanes_exp(-2.0 / 3 * l0), b0 = lanes_exp(-4.0 / 3 * l0), J0 = lanes_exp(l0);
  CrLanes      dJ = J0 * lanes_expm1(dl), ya = -2.0 / 3 * dl, yb = -4.0 / 3 * dl;
  CrLanes      I1m3 = 2 * trace(E1), I2m3 = 4 * trace(E1) + 4 * second_invariant(ns, E1), s[6];
  CrLanes      second; /* change of I2 beyond 2 tr z */

  for (int I = 0; I < ns; I++) s[I] = E0[I] + E1[I];
  second = trace(s) * trace(z) - contract(ns, s, z);
  *dW = c10 * a0 * (lanes_expm1_minus(ya) * (3 + I1m3) + ya * I1m3 + first) +
        c01 * b0 * (lanes_expm1_minus(yb) * (3 + I2m3) + yb * I2m3 + 2 * first + second) +
        K / 2 * dJ * (2 * lanes_expm1(l0) + dJ);
}

/* The function a(J) = J^q between two volumes. At rest its mean over the ends is 1 and its secant q. */
typedef struct {
  CrLanes mean_m1, slope, slope_mq; /* mean - 1, secant, secant - q */
  CrLanes dmean, dslope;            /* derivatives of mean and secant by J1 */
} PowerSecant;

/* l0 = ln J0, dl = ln J1 - ln J0 */
CR_INLINE void power_secant(const double q, const VolumeSecant *v, CrLanes l0, CrLanes dl,
                            PowerSecant *s)
{
  CrLanes y = v->dj / (1 + v->j0), m1 = lanes_expm1((q - 1) * l0);
  CrMask  still = y == lanes_set(0);
  CrLanes phi = (q * lanes_log1p_minus(y) + lanes_expm1_minus(q * dl)) /
                lanes_select(still, lanes_set(1), y); /* ((1 + y)^q - 1)/y - q */

  s->mean_m1 = (lanes_expm1(q * l0) + lanes_expm1(q * (l0 + dl))) / 2;
  s->slope_mq = (1 + m1) * phi + q * m1;
  s->slope = q + s->slope_mq;
}

/* The derivatives; where the ends are close, by a series around the mean of J0, J1, J1. */
CR_INLINE void power_derivatives(const double q, const VolumeSecant *v, CrLanes l0, CrLanes dl,
                                 PowerSecant *s)
{
  CrLanes d = v->dj, J0 = 1 + v->j0, mean = J0 + 2.0 / 3 * d, spread = d / mean;
  CrMask  close = d * d < 4e-6 * J0 * J0;
  CrLanes rate = q * lanes_exp((q - 1) * (l0 + dl)); /* da/dJ at J1 */
  CrLanes series = q * (q - 1) / 2 * lanes_exp((q - 2) * lanes_log1p(v->j0 + 2.0 / 3 * d)) *
                   (1 + (q - 2) * (q - 3) / 36 * spread * spread);

  s->dmean = rate / 2;
  s->dslope = lanes_select(close, series, (rate - s->slope) / lanes_select(close, lanes_set(1), d));
}

/* Derivative of the stress below. first, second: tangents of the powers of J; h1, h2: means of I1/2, I2/2. */
CR_INLINE void rest_tangent(const CrMaterial *material, const int ns, const CrLanes *E0,
                            const CrLanes *E1, const CrLanes *z, const VolumeSecant *v,
                            const PowerSecant *first, const PowerSecant *second, CrLanes h1,
                            CrLanes h2, CrLanes *A)
{
  const double c10 = material->constants[0], c01 = material->constants[1];
  CrLanes      over = 1 / (2 + v->j0 + v->j1), G1[6], trm = trace(E0) + trace(E1);
  CrLanes      slope = c10 * h1 * first->slope + c01 * h2 * second->slope;
  CrLanes      bend = c10 * h1 * first->dslope + c01 * h2 * second->dslope;

  volume_secant_derivative(ns, E0, E1, z, v->j1, A, G1);
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++) {
      double  oneI = identity2(I), oneJ = identity2(J);
      CrLanes em = (2 + trm) * oneI - E0[I] - E1[I];       /* tr C_m 1 - C_m */
      CrLanes e1 = (2 + 2 * trace(E1)) * oneJ - 2 * E1[J]; /* tr C_1 1 - C_1 */
      CrLanes dG = (2 * A[I * ns + J] - v->G[I] * G1[J]) * over;
      CrLanes ends = c10 * oneI * first->dmean + c01 * em * second->dmean;

      A[I * ns + J] =
          2 * (ends * G1[J] + c10 / 2 * first->slope * v->G[I] * oneJ +
               c01 / 2 * second->slope * v->G[I] * e1 + bend * v->G[I] * G1[J] + slope * dG +
               c01 * (1 + second->mean_m1) * (oneI * oneJ - identity4(I, J)));
    }
}

/* Discrete product rule: the change of J^-2/3 I1 is mean(J^-2/3) tr z + mean(I1) times the secant of J^-2/3 times
   J1 - J0, the same for I2. The terms that cancel at rest are taken out by hand. */
CR_INLINE void mooney_rivlin_between(const CrMaterial *material, const int ns, const CrLanes *E0,
                                     const CrLanes *E1, const CrLanes *z, CrLanes *S, CrLanes *A)
{
  const double c10 = material->constants[0], c01 = material->constants[1];
  CrLanes      l0, dl, i1, i2, over, f, g, half;
  VolumeSecant v;
  PowerSecant  a, b;

  volume_secant(ns, E0, E1, z, &v);
  l0 = lanes_log1p(v.c0) / 2;
  dl = lanes_log1p(v.x) / 2;
  power_secant(-2.0 / 3, &v, l0, dl, &a);
  power_secant(-4.0 / 3, &v, l0, dl, &b);
  i1 = trace(E0) + trace(E1); /* means of I1 - 3 and I2 - 3 */
  i2 = 2 * i1 + 2 * (second_invariant(ns, E0) + second_invariant(ns, E1));
  f = 1.5 * a.slope_mq + i1 / 2 * a.slope;
  g = 1.5 * b.slope_mq + i2 / 2 * b.slope;
  half = (v.j0 + v.j1) / 2;
  over = 1 / (1 + half);
  for (int I = 0; I < ns; I++) {
    double  one = identity2(I);
    CrLanes Gm1 = (v.Mm1[I] - half * one) * over, e = i1 * one - E0[I] - E1[I];

    S[I] = 2 * c10 * (a.mean_m1 * one - Gm1 + f * v.G[I]) +
           2 * c01 * (e + b.mean_m1 * (2 * one + e) - 2 * Gm1 + g * v.G[I]);
  }
  if (!A) return;
  power_derivatives(-2.0 / 3, &v, l0, dl, &a);
  power_derivatives(-4.0 / 3, &v, l0, dl, &b);
  rest_tangent(material, ns, E0, E1, z, &v, &a, &b, (3 + i1) / 2, (3 + i2) / 2, A);
}

CR_POINT_LAW(mooney_rivlin)
CR_POINT_LAW(mooney_rivlin_rest)
CR_BETWEEN_LAW(mooney_rivlin_between)
CR_DIFFERENCE_LAW(mooney_rivlin_difference)

static const CrKey keys[] = {{"c10", CR_REAL,
                              .help = "mooney-rivlin: coefficient of the first invariant"},
                             {"c01", CR_REAL,
                              .help = "mooney-rivlin: coefficient of the second invariant"},
                             {.name = NULL}};

static PetscErrorCode configure(CrMaterial *material, const CrDeckNode *node)
{
  const char *const names[] = {"c10", "c01", "bulk"}, *const others[] = {"lambda", "shear", "young",
                                                                         "poisson"};

  PetscFunctionBeginUser;
  for (int i = 0; i < 3; i++) {
    const CrDeckNode *value = CrDeckFind(node, names[i]);

    if (!value)
      CrDeckFail(node, "mooney-rivlin needs c10, c01 and bulk: \"%s\" is missing", names[i]);
    material->constants[i] = CrDeckReal(value);
  }
  for (int i = 0; i < 4; i++)
    if (CrDeckFind(node, others[i]))
      CrDeckFail(CrDeckFind(node, others[i]),
                 "the constants of mooney-rivlin are c10, c01 and bulk, not \"%s\"", others[i]);
  material->shear = 2 * (material->constants[0] + material->constants[1]);
  if (!(material->shear > 0))
    CrDeckFail(CrDeckFind(node, "c10"),
               "c10 + c01, half of the shear modulus, must be greater than 0, but is %g",
               (double)material->shear / 2);
  material->volume_modulus = material->constants[2];
  material->lambda = material->constants[2] - 2.0 / 3 * material->shear;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrMaterialOps CR_VARIANT(CrMaterial_mooney_rivlin) = {
    .name = "mooney-rivlin",
    .help =
        "law with the energy c10 (I1' - 3) + c01 (I2' - 3) + bulk/2 (J - 1)^2: I1' and I2' are the isochoric invariants, and J = det F",
    .keys = keys,
    .configure = configure,
    .point = mooney_rivlin_point,
    .difference = mooney_rivlin_difference_change,
    .volume = CR_VOLUME_QUADRATIC,
    .rest = mooney_rivlin_rest_point,
    .rest_between = mooney_rivlin_between_stress,
};
