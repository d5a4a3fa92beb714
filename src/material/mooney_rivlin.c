/* Compressible Mooney-Rivlin with isochoric invariants (theory 5.5):
   W = c10 (J^-2/3 I1 - 3) + c01 (J^-4/3 I2 - 3) + bulk/2 (J - 1)^2. At small strain the shear
   modulus is 2 (c10 + c01). Energy, stress and differences are written so that the terms that
   cancel at small strain are taken out by hand: a I1 - 3 and b I2 - 3 are of second order. */
#include "deck/deck.h"
#include "material/tensor.h"

CR_INLINE void mooney_rivlin(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                             CrLanes *S, CrLanes *CC)
{
  const double c10 = material->constants[0], c01 = material->constants[1];
  const double K = material->constants[2];
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

CR_POINT_LAW(mooney_rivlin)
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
      CrDeckFail(CrDeckFind(node, others[i]), "mooney-rivlin takes c10, c01 and bulk, not \"%s\"",
                 others[i]);
  material->shear = 2 * (material->constants[0] + material->constants[1]);
  if (!(material->shear > 0))
    CrDeckFail(CrDeckFind(node, "c10"),
               "c10 + c01, half the shear modulus, must be greater than 0, is %g",
               (double)material->shear / 2);
  material->lambda = material->constants[2] - 2.0 / 3 * material->shear;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrMaterialOps CR_VARIANT(CrMaterial_mooney_rivlin) = {
    .name = "mooney-rivlin",
    .help = "c10 (I1' - 3) + c01 (I2' - 3) + bulk/2 (J - 1)^2, isochoric invariants",
    .keys = keys,
    .configure = configure,
    .point = mooney_rivlin_point,
    .difference = mooney_rivlin_difference_change,
};
