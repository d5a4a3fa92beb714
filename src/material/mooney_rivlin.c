/* Compressible Mooney-Rivlin with isochoric invariants:
   W = c10 (J^-2/3 I1 - 3) + c01 (J^-4/3 I2 - 3) + bulk/2 (J - 1)^2. At small strain the shear
   modulus is 2 (c10 + c01). Differences are formed from polynomials in z and expm1 of the change of
   ln J. */
#include "deck/deck.h"
#include "material/tensor.h"

CR_INLINE void mooney_rivlin(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                             CrLanes *S, CrLanes *CC)
{
  const double c10 = material->constants[0], c01 = material->constants[1];
  const double K      = material->constants[2];
  CrLanes      change = determinant_change(ns, E), lnJ = lanes_log1p(change) / 2;
  CrLanes      am1 = lanes_expm1(-2.0 / 3 * lnJ), bm1 = lanes_expm1(-4.0 / 3 * lnJ);
  CrLanes      Jm1 = lanes_expm1(lnJ), a = 1 + am1, b = 1 + bm1, J = 1 + Jm1;
  CrLanes      I1m3 = 2 * trace(E), I2m3 = 4 * trace(E) + 4 * second_invariant(ns, E);
  CrLanes      I1 = 3 + I1m3, I2 = 3 + I2m3, p = K * Jm1, C[6], Ci[6];

  if (W) *W = c10 * (3 * am1 + a * I1m3) + c01 * (3 * bm1 + b * I2m3) + K / 2 * Jm1 * Jm1;
  if (!S) return;
  metric_and_inverse(ns, E, change, C, Ci);
  for (int I = 0; I < ns; I++) {
    double one = identity2(I);

    S[I] = 2 * c10 * a * (one - I1 / 3 * Ci[I]) +
           2 * c01 * b * (I1 * one - C[I] - 2.0 / 3 * I2 * Ci[I]) + p * J * Ci[I];
  }
  if (!CC) return;
  for (int I = 0; I < ns; I++)
    for (int M = 0; M < ns; M++) {
      double  oneI = identity2(I), oneM = identity2(M);
      CrLanes CiCi = Ci[I] * Ci[M], Ii = inverse_product(Ci, I, M);
      CrLanes eI = I1 * oneI - C[I], eM = I1 * oneM - C[M];
      CrLanes first  = -(oneI * Ci[M] + Ci[I] * oneM) / 3 + I1 / 9 * CiCi + I1 / 3 * Ii;
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
  const double K      = material->constants[2];
  CrLanes      change = determinant_change(ns, E0), l0 = lanes_log1p(change) / 2;
  CrLanes      dl = lanes_log1p(determinant_difference(ns, E0, E1, z) / (1 + change)) / 2;
  CrLanes      a0 = lanes_exp(-2.0 / 3 * l0), b0 = lanes_exp(-4.0 / 3 * l0), J0 = lanes_exp(l0);
  CrLanes      dJ  = J0 * lanes_expm1(dl);
  CrLanes      I1  = 3 + 2 * trace(E1);
  CrLanes      I2  = 3 + 4 * trace(E1) + 4 * second_invariant(ns, E1);
  CrLanes      dI1 = trace(z), Cm[6], dI2;

  for (int I = 0; I < ns; I++) Cm[I] = E0[I] + E1[I] + identity2(I);
  dI2 = trace(Cm) * dI1 - contract(ns, Cm, z);
  *dW = c10 * a0 * (lanes_expm1(-2.0 / 3 * dl) * I1 + dI1) +
        c01 * b0 * (lanes_expm1(-4.0 / 3 * dl) * I2 + dI2) +
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
    .name       = "mooney-rivlin",
    .help       = "c10 (I1' - 3) + c01 (I2' - 3) + bulk/2 (J - 1)^2, isochoric invariants",
    .keys       = keys,
    .configure  = configure,
    .point      = mooney_rivlin_point,
    .difference = mooney_rivlin_difference_change,
};
