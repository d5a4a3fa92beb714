/* Orthotropic Saint-Venant Kirchhoff: W = E:C:E/2 with nine constants in three directions of the body (theory 5.14). The
   compliance is that of engineers: eps_1 = s_1/E_1 - nu_12 s_2/E_1 ..., nu_ij/E_i = nu_ji/E_j. */
#include "deck/deck.h"
#include "material/tensor.h"

/* constants: the turned stiffness, 6 x 6 tensor components; then the nine numbers of the deck */
enum { STIFFNESS = 0, YOUNG = 36, POISSON = 39, SHEAR = 42 };

CR_INLINE void orthotropic(const CrMaterial *material, const int ns, const CrLanes *E, CrLanes *W,
                           CrLanes *S, CrLanes *CC)
{
  const PetscReal *C = material->constants + STIFFNESS;
  CrLanes          T[6];

  for (int I = 0; I < ns; I++) {
    T[I] = lanes_set(0);
    for (int J = 0; J < ns; J++) T[I] += CR_WEIGHT(J) * C[6 * I + J] * E[J];
  }
  if (W) *W = contract(ns, T, E) / 2;
  for (int I = 0; S && I < ns; I++) S[I] = T[I];
  for (int I = 0; S && CC && I < ns; I++)
    for (int J = 0; J < ns; J++) CC[I * ns + J] = lanes_set(C[6 * I + J]);
}

/* W1 - W0 = S((E0+E1)/2) : (E1-E0), exact for a quadratic energy */
CR_INLINE void orthotropic_difference(const CrMaterial *material, const int ns, const CrLanes *E0,
                                      const CrLanes *E1, const CrLanes *z, CrLanes *dW)
{
  CrLanes Em[6], S[6];

  for (int I = 0; I < ns; I++) Em[I] = (E0[I] + E1[I]) / 2;
  orthotropic(material, ns, Em, NULL, S, NULL);
  *dW = contract(ns, S, z) / 2;
}

CR_POINT_LAW(orthotropic)
CR_DIFFERENCE_LAW(orthotropic_difference)

/* Order of pairs: 12, 13, 23. */
static const int first[3] = {0, 0, 1}, second[3] = {1, 2, 2};

/* Stiffness of the normal components in the directions: the inverse of the compliance. Returns its determinant. */
static PetscReal normal_stiffness(const PetscReal *constants, PetscReal K[3][3])
{
  PetscReal A[3][3], det = 0;

  for (int i = 0; i < 3; i++) A[i][i] = 1 / constants[YOUNG + i];
  for (int p = 0; p < 3; p++)
    A[first[p]][second[p]] = A[second[p]][first[p]] =
        -constants[POISSON + p] / constants[YOUNG + first[p]];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;

      K[i][j] = A[p][r] * A[q][s] - A[p][s] * A[q][r];
    }
  for (int j = 0; j < 3; j++) det += A[0][j] * K[0][j];
  for (int i = 0; i < 9; i++) K[i / 3][i % 3] /= det;
  return det;
}

/* C_ijkl in the directions */
static PetscReal component(const PetscReal *constants, PetscReal K[3][3], int i, int j, int k,
                           int l)
{
  if (i == j && k == l) return K[i][k];
  if (i == j || k == l || !((i == k && j == l) || (i == l && j == k))) return 0;
  return constants[SHEAR + (i + j == 1 ? 0 : i + j == 2 ? 1 : 2)];
}

/* In plane stress the energy is condensed over E33. */
static void condense(PetscReal *C)
{
  PetscReal column[6], last = C[6 * 2 + 2];

  for (int I = 0; I < 6; I++) column[I] = C[6 * I + 2];
  for (int I = 0; I < 6; I++)
    for (int J = 0; J < 6; J++) C[6 * I + J] -= column[I] * column[J] / last;
  for (int I = 0; I < 6; I++) C[6 * I + 2] = C[6 * 2 + I] = 0;
}

static void turn(CrMaterial *material, PetscReal Q[3][3])
{
  const PetscReal *constants = material->constants;
  PetscReal       *C = material->constants + STIFFNESS, K[3][3];

  (void)normal_stiffness(constants, K);
  for (int I = 0; I < 6; I++)
    for (int J = 0; J < 6; J++) {
      int i = tensor_row[I], j = tensor_col[I], k = tensor_row[J], l = tensor_col[J];

      C[6 * I + J] = 0;
      for (int n = 0; n < 81; n++) {
        int p = n / 27, q = n / 9 % 3, r = n / 3 % 3, s = n % 3;

        C[6 * I + J] += Q[i][p] * Q[j][q] * Q[k][r] * Q[l][s] * component(constants, K, p, q, r, s);
      }
    }
  if (material->plane_stress) condense(C);
}

static const CrKey keys[] = {
    {"young_1", CR_REAL, .range = "(0,inf)", .help = "orthotropic: modulus along direction 1"},
    {"young_2", CR_REAL, .range = "(0,inf)", .help = "orthotropic: modulus along direction 2"},
    {"young_3", CR_REAL, .range = "(0,inf)", .help = "orthotropic: modulus along direction 3"},
    {"poisson_12", CR_REAL,
     .help =
         "orthotropic: Poisson's ratio, contraction along direction 2 under tension along direction 1"},
    {"poisson_13", CR_REAL,
     .help =
         "orthotropic: Poisson's ratio, contraction along direction 3 under tension along direction 1"},
    {"poisson_23", CR_REAL,
     .help =
         "orthotropic: Poisson's ratio, contraction along direction 3 under tension along direction 2"},
    {"shear_12", CR_REAL, .range = "(0,inf)",
     .help = "orthotropic: shear modulus in the plane of directions 1 and 2"},
    {"shear_13", CR_REAL, .range = "(0,inf)",
     .help = "orthotropic: shear modulus in the plane of directions 1 and 3"},
    {"shear_23", CR_REAL, .range = "(0,inf)",
     .help = "orthotropic: shear modulus in the plane of directions 2 and 3"},
    {.name = NULL}};

/* Reads the nine constants and refuses the common ones of isotropic laws. */
static PetscErrorCode read_constants(CrMaterial *material, const CrDeckNode *node)
{
  const char *const others[] = {"lambda", "shear", "young", "poisson", "bulk"};

  PetscFunctionBeginUser;
  for (int i = 0; i < 5; i++)
    if (CrDeckFind(node, others[i]))
      CrDeckFail(CrDeckFind(node, others[i]),
                 "this key is for isotropic laws only, but the model is orthotropic");
  for (int i = 0; i < 9; i++) {
    const CrDeckNode *value = CrDeckFind(node, keys[i].name);

    if (!value) CrDeckFail(node, "the model orthotropic needs the key \"%s\"", keys[i].name);
    material->constants[YOUNG + i] = CrDeckReal(value);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* lambda + 2 shear and shear become the greatest moduli: wave speeds, critical steps and penalties go by them. */
static PetscErrorCode configure(CrMaterial *material, const CrDeckNode *node)
{
  PetscReal  K[3][3], one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, greatest = 0;
  PetscReal *c = material->constants;

  PetscFunctionBeginUser;
  PetscCall(read_constants(material, node));
  for (int p = 0; p < 3; p++)
    if (!(PetscSqr(c[POISSON + p]) < c[YOUNG + first[p]] / c[YOUNG + second[p]]))
      CrDeckFail(CrDeckFind(node, keys[3 + p].name),
                 "the square of this Poisson's ratio must be below %g, the ratio of the two moduli",
                 (double)(c[YOUNG + first[p]] / c[YOUNG + second[p]]));
  if (!(normal_stiffness(c, K) > 0))
    CrDeckFail(
        node,
        "these orthotropic constants are not positive definite: the stored energy would be negative for some strains");
  for (int i = 0; i < 3; i++) {
    greatest = PetscMax(greatest, K[i][i]);
    material->shear = PetscMax(material->shear, c[SHEAR + i]);
  }
  material->lambda = greatest - 2 * material->shear;
  turn(material, one);
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrMaterialOps CR_VARIANT(CrMaterial_orthotropic) = {
    .name = "orthotropic",
    .help = "Saint-Venant Kirchhoff with different moduli in three directions",
    .flags = CR_QUADRATIC,
    .keys = keys,
    .configure = configure,
    .turn = turn,
    .point = orthotropic_point,
    .difference = orthotropic_difference_change,
};
