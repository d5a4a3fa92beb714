/* Compressible neo-Hookean: W = G/2 (tr C - 3) - G ln J + lambda/2 (ln J)^2 (theory 5.4).
   Everything is written in E = (C - 1)/2 so that no digits are lost at small strain:
   tr C - 3 = 2 tr E, and ln J = log1p(det C - 1)/2 with det C - 1 a polynomial in E. */
#include "deck/deck.h"
#include "material/volume.h"

CR_INLINE void neo_hookean(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                           CrLanes *S, CrLanes *CC)
{
  const double lambda = material->constants[0], G = material->constants[1];
  CrLanes      change = determinant_change(ns, E), lnJ = lanes_log1p(change) / 2, C[6], Ci[6];

  /* tr E - ln J, of second order: the linear terms are taken out by hand */
  if (W) {
    CrLanes second =
        -(2 * second_invariant(ns, E) + 4 * determinant(ns, E)) - lanes_log1p_minus(change) / 2;

    *W = G * second + lambda / 2 * lnJ * lnJ;
  }
  if (!S) return;
  metric_and_inverse(ns, E, change, C, Ci);

  /* S = G (1 - Ci) + lambda lnJ Ci */
  for (int I = 0; I < ns; I++) S[I] = G * one_minus_inverse(ns, Ci, E, I) + lambda * lnJ * Ci[I];
  if (!CC) return;
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++)
      CC[I * ns + J] = lambda * Ci[I] * Ci[J] + 2 * (G - lambda * lnJ) * inverse_product(Ci, I, J);
}

CR_INLINE void neo_hookean_difference(const CrMaterial *material, const int ns, const CrLanes *E0,
                                      const CrLanes *E1, const CrLanes *z, CrLanes *dW)
{
  const double lambda = material->constants[0], G = material->constants[1];
  CrLanes      l0 = lanes_log1p(determinant_change(ns, E0)) / 2, dl;

  *dW = G / 2 * trace_minus_log_difference(ns, E0, E1, z, &dl);
  *dW += lambda * dl * (l0 + dl / 2);
}

/* The law without lambda/2 (ln J)^2. */
CR_INLINE void neo_hookean_rest(const CrMaterial *material, const int ns, const CrLanes *E,
                                CrLanes *W, CrLanes *S, CrLanes *CC)
{
  const double G = material->constants[1];
  CrLanes      change = determinant_change(ns, E), C[6], Ci[6];

  if (W)
    *W = G *
         (-(2 * second_invariant(ns, E) + 4 * determinant(ns, E)) - lanes_log1p_minus(change) / 2);
  if (!S) return;
  metric_and_inverse(ns, E, change, C, Ci);
  for (int I = 0; I < ns; I++) S[I] = G * one_minus_inverse(ns, Ci, E, I);
  for (int I = 0; CC && I < ns; I++)
    for (int J = 0; J < ns; J++) CC[I * ns + J] = 2 * G * inverse_product(Ci, I, J);
}

/* S = G (1 - L M) with L = ln[det C0, det C1], a discrete C^-1; L - 1 and M - 1 are small at small strain. */
CR_INLINE void neo_hookean_between(const CrMaterial *material, const int ns, const CrLanes *E0,
                                   const CrLanes *E1, const CrLanes *z, CrLanes *S, CrLanes *A)
{
  const double G = material->constants[1];
  CrLanes      Lm1, L, D0, D1, second, G1[6];
  VolumeSecant v;

  volume_secant(ns, E0, E1, z, &v);
  Lm1 = (lanes_log1p_ratio(v.x) - v.c0) / (1 + v.c0);
  L = 1 + Lm1;
  for (int I = 0; I < ns; I++) S[I] = -G * (Lm1 * v.M[I] + v.Mm1[I]);
  if (!A) return;
  D0 = 1 + v.c0;
  D1 = D0 * (1 + v.x);
  second = 2 * (1 + v.j1) * log_second(D0, D1, L); /* dL/dE1 = second G1 */
  volume_secant_derivative(ns, E0, E1, z, v.j1, A, G1);
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++) A[I * ns + J] = -G * (L * A[I * ns + J] + second * v.M[I] * G1[J]);
}

CR_POINT_LAW(neo_hookean)
CR_POINT_LAW(neo_hookean_rest)
CR_BETWEEN_LAW(neo_hookean_between)
CR_DIFFERENCE_LAW(neo_hookean_difference)

static PetscErrorCode configure(CrMaterial *material, const CrDeckNode *node)
{
  PetscFunctionBeginUser;
  PetscCall(CrElasticConstants(node, &material->lambda, &material->shear));
  material->constants[0] = material->volume_modulus = material->lambda;
  material->constants[1] = material->shear;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrMaterialOps CR_VARIANT(CrMaterial_neo_hookean) = {
    .name = "neo-hookean",
    .help =
        "compressible neo-Hookean law with the energy G/2 (tr C - 3) - G ln J + lambda/2 (ln J)^2: C is the right Cauchy-Green tensor, J = det F, and G and lambda are the Lame constants",
    .configure = configure,
    .point = neo_hookean_point,
    .difference = neo_hookean_difference_change,
    .volume = CR_VOLUME_LOG,
    .rest = neo_hookean_rest_point,
    .rest_between = neo_hookean_between_stress,
};
