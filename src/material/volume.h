/* The volumetric energy U of a split material law W = W_rest(C) + U(J), where J is the volume ratio (theory 5.9).
   Element kernels evaluate U at the J of a quadrature point, or at the mean J of an element. This file also computes
   the secants of det C and of J between two strains, which W_rest and U need. Volume ratios are given as j = J - 1, so
   that small strains keep all their digits. */
#pragma once

#include "material/tensor.h"

/* Computes J - 1 from det C - 1, where J is the volume ratio. */
CR_INLINE CrLanes volume_change(CrLanes det_change)
{
  return det_change / (1 + lanes_sqrt(1 + det_change));
}

/* Returns ln[a,b,b], the second divided difference of the logarithm, which tangents need. `first` is ln[a,b]. If a and
   b are close, a series around their mean is used, because the quotient would lose digits. */
CR_INLINE CrLanes log_second(CrLanes a, CrLanes b, CrLanes first)
{
  CrLanes d = b - a, s = a + 2.0 / 3 * d, spread = d / s;
  CrMask  close = d * d < 4e-6 * a * a;
  CrLanes quotient = (1 / b - first) / lanes_select(close, lanes_set(1), d);

  return lanes_select(close, -(1 + spread * spread / 6) / (2 * s * s), quotient);
}

/* Returns the divided difference ln[a,b] from a and x = (b - a)/a. */
CR_INLINE CrLanes log_first(CrLanes a, CrLanes x)
{
  CrMask still = x == lanes_set(0);

  return lanes_select(still, lanes_set(1), lanes_log1p(x) / lanes_select(still, lanes_set(1), x)) /
         a;
}

/* ---- U ------------------------------------------------------------------------------------------ */

/* Computes U, p = U' and dp = U'' at the volume ratio 1 + j. Each result pointer may be NULL. */
CR_INLINE void volume_at(const CrMaterial *material, CrLanes j, CrLanes *U, CrLanes *p, CrLanes *dp)
{
  const double k = material->volume_modulus;

  if (material->ops->volume == CR_VOLUME_LOG) {
    CrLanes l = lanes_log1p(j), over = 1 / (1 + j);

    if (U) *U = k / 2 * l * l;
    if (p) *p = k * l * over;
    if (dp) *dp = k * (1 - l) * over * over;
    return;
  }
  if (U) *U = k / 2 * j * j;
  if (p) *p = k * j;
  if (dp) *dp = lanes_set(k);
}

/* Computes the secant pressure [U(j0 + dj) - U(j0)]/dj, and its derivative with respect to j0 + dj (which may be
   NULL). */
CR_INLINE void volume_between(const CrMaterial *material, CrLanes j0, CrLanes dj, CrLanes *p,
                              CrLanes *dp)
{
  const double k = material->volume_modulus;

  if (material->ops->volume == CR_VOLUME_LOG) {
    CrLanes a = 1 + j0, b = a + dj, first = log_first(a, dj / a), dl = first * dj;
    CrLanes mean = lanes_log1p(j0) + dl / 2;

    *p = k * mean * first;
    if (dp) *dp = k * (first / (2 * b) + mean * log_second(a, b, first));
    return;
  }
  *p = k * (j0 + dj / 2);
  if (dp) *dp = lanes_set(k / 2);
}

/* ---- secants at a point ----------------------------------------------------------------------- */

/* Secants between the strains E0 and E1, with z = C1 - C0. The tensor M satisfies det C1 - det C0 = M:z, and G = 2
   M/(J0 + J1) satisfies J1 - J0 = G:z/2. Without deformation, M and G are the identity. The difference Mm1 of M from
   the identity is stored too, because it keeps all digits at small strains. */
typedef struct {
  CrLanes M[6], Mm1[6]; /* Mm1 is M minus the identity */
  CrLanes c0, x;        /* det C0 - 1, (det C1 - det C0)/det C0 */
  CrLanes j0, j1, dj;   /* J0 - 1, J1 - 1, J1 - J0 */
  CrLanes G[6];
} VolumeSecant;

CR_INLINE void volume_secant(const int ns, const CrLanes *E0, const CrLanes *E1, const CrLanes *z,
                             VolumeSecant *v)
{
  CrLanes s[6], cof[6], small[6], d, sum;

  for (int I = 0; I < ns; I++) s[I] = E0[I] + E1[I];
  cofactor(ns, s, cof);
  cofactor(ns, z, small);
  for (int I = 0; I < ns; I++) {
    v->Mm1[I] = trace(s) * identity2(I) - s[I] + cof[I] + small[I] / 12;
    v->M[I] = v->Mm1[I] + identity2(I);
  }
  d = contract(ns, v->M, z);
  v->c0 = determinant_change(ns, E0);
  v->x = d / (1 + v->c0);
  v->j0 = volume_change(v->c0);
  v->j1 = volume_change(determinant_change(ns, E1));
  sum = 2 + v->j0 + v->j1;
  v->dj = d / sum;
  for (int I = 0; I < ns; I++) v->G[I] = 2 * v->M[I] / sum;
}

/* Computes X, the derivative of the cofactor matrix with respect to its argument, at the tensor A. X has ns x ns tensor
   components, and is linear in A. */
CR_INLINE void cofactor_derivative(const int ns, const CrLanes *A, CrLanes *X)
{
  for (int I = 0; I < ns * ns; I++) X[I] = lanes_set(0);
  X[0 * ns + 1] = X[1 * ns + 0] = A[2];
  X[0 * ns + 2] = X[2 * ns + 0] = A[1];
  X[1 * ns + 2] = X[2 * ns + 1] = A[0];
  X[2 * ns + 3] = X[3 * ns + 2] = -A[3];
  X[3 * ns + 3] = -A[2] / 2;
  if (ns < 6) return;
  X[0 * ns + 4] = X[4 * ns + 0] = -A[4];
  X[1 * ns + 5] = X[5 * ns + 1] = -A[5];
  X[4 * ns + 4] = -A[0] / 2;
  X[5 * ns + 5] = -A[1] / 2;
  X[3 * ns + 4] = X[4 * ns + 3] = A[5] / 2;
  X[3 * ns + 5] = X[5 * ns + 3] = A[4] / 2;
  X[4 * ns + 5] = X[5 * ns + 4] = A[3] / 2;
}

/* Computes dM, the derivative of M with respect to E1, and G1, the derivative J1 C1^-1 of J1 with respect to E1. */
CR_INLINE void volume_secant_derivative(const int ns, const CrLanes *E0, const CrLanes *E1,
                                        const CrLanes *z, CrLanes j1, CrLanes *dM, CrLanes *G1)
{
  CrLanes A[6], C1[6];

  for (int I = 0; I < ns; I++) {
    A[I] = E0[I] + E1[I] + z[I] / 6 + identity2(I);
    C1[I] = 2 * E1[I] + identity2(I);
  }
  cofactor_derivative(ns, A, dM);
  cofactor(ns, C1, G1);
  for (int I = 0; I < ns; I++) G1[I] /= 1 + j1;
}

/* Computes dG, the derivative of the secant G with respect to E1, and G1, the derivative J1 C1^-1 of J1. */
CR_INLINE void volume_secant_gradient(const int ns, const CrLanes *E0, const CrLanes *E1,
                                      const CrLanes *z, const VolumeSecant *v, CrLanes *dG,
                                      CrLanes *G1)
{
  CrLanes over = 1 / (2 + v->j0 + v->j1);

  volume_secant_derivative(ns, E0, E1, z, v->j1, dG, G1);
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++) dG[I * ns + J] = (2 * dG[I * ns + J] - v->G[I] * G1[J]) * over;
}

/* Computes G = dJ/dE = J C^-1 at the strain E, and its derivative dG with respect to E. dG may be NULL. */
CR_INLINE void volume_gradient(const int ns, const CrLanes *E, CrLanes j, CrLanes *G, CrLanes *dG)
{
  CrLanes C[6], over = 1 / (1 + j);

  for (int I = 0; I < ns; I++) C[I] = 2 * E[I] + identity2(I);
  cofactor(ns, C, G);
  for (int I = 0; I < ns; I++) G[I] *= over;
  if (!dG) return;
  cofactor_derivative(ns, C, dG);
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++) dG[I * ns + J] = (2 * dG[I * ns + J] - G[I] * G[J]) * over;
}
