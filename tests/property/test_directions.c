/* Laws that must agree with others: orthotropic with the constants of an isotropic law, turned with the strain, and in
   tension along its directions; Ogden with the exponents 2 and -2 is Mooney-Rivlin. */
#include <stdlib.h>
#include "material/conserving.h"
#include "model_from_text.h"

static void read_law(const char *text, PetscBool plane_stress, CrMaterial *material)
{
  char    deck_text[1024];
  CrDeck *deck;

  snprintf(deck_text, sizeof deck_text, "materials: [{name: m, density: 1, %s}]", text);
  CHECK_OK(CrDeckParse("material", deck_text, strlen(deck_text), 0, NULL, &deck));
  CHECK_OK(CrDeckValidate(deck, CrMaterialKeys));
  CHECK_OK(CrMaterialRead(CrDeckFind(CrDeckRoot(deck), "materials.0"), plane_stress, material));
  CHECK_OK(CrDeckDestroy(&deck));
}

/* W and S of a law at a strain. */
static PetscReal law_at(const CrMaterial *m, PetscInt ns, const PetscReal *E, PetscReal *S)
{
  CrLanes e[6], s[6], w = {0};

  for (int I = 0; I < ns; I++) e[I] = lanes_set(E[I]);
  CR_VARIANT(CrStressAt)(m, ns, e, &w, s, NULL);
  for (int I = 0; I < ns; I++) S[I] = s[I][0];
  return w[0];
}

/* Two laws have the same energy and stress at random strains. */
static void check_same(const CrMaterial *a, const CrMaterial *b, PetscInt ns, PetscReal bound)
{
  unsigned seed = 5;

  for (int trial = 0; trial < 20; trial++) {
    PetscReal E[6], S[6], T[6];

    for (int I = 0; I < 6; I++) E[I] = 0.15 * random_number(&seed);
    if (a->plane_stress) E[2] = 0;
    CHECK_NEAR(law_at(a, ns, E, S), law_at(b, ns, E, T), bound);
    for (int I = 0; I < ns; I++)
      if (I != 2 || !a->plane_stress) CHECK_NEAR(S[I], T[I], bound);
  }
}

static void test_isotropic(void)
{
  CrMaterial a, b;

  for (int stress = 0; stress < 2; stress++) {
    read_law("model: saint-venant-kirchhoff, young: 2, poisson: 0.3", stress, &a);
    read_law("model: orthotropic, young_1: 2, young_2: 2, young_3: 2, poisson_12: 0.3, "
             "poisson_13: 0.3, poisson_23: 0.3, shear_12: 0.76923076923076923, "
             "shear_13: 0.76923076923076923, shear_23: 0.76923076923076923",
             stress, &b);
    check_same(&a, &b, stress ? 4 : 6, 1e-14);
  }
}

static const char *const wood = "model: orthotropic, young_1: 10, young_2: 0.8, young_3: 0.5, "
                                "poisson_12: 0.4, poisson_13: 0.45, poisson_23: 0.6, "
                                "shear_12: 0.7, shear_13: 0.6, shear_23: 0.1";

/* Turned by Q the law has at Q E Q^T the energy that it had at E, and the turned stress. */
static void test_turned(void)
{
  static const int index[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  static const int row[6] = {0, 1, 2, 0, 1, 0}, col[6] = {0, 1, 2, 1, 2, 2};
  PetscReal        Q[3][3], c = PetscCosReal(0.7), s = PetscSinReal(0.7);
  CrMaterial       law, turned;
  unsigned         seed = 9;

  for (int i = 0; i < 9; i++) { /* about (1, 2, 2)/3, by Rodrigues */
    const PetscReal k[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
    int             p = i / 3, q = i % 3;
    PetscReal cross = q == (p + 1) % 3 ? -k[(p + 2) % 3] : q == (p + 2) % 3 ? k[(p + 1) % 3] : 0;

    Q[p][q] = c * (p == q) + s * cross + (1 - c) * k[p] * k[q];
  }
  read_law(wood, PETSC_FALSE, &law);
  turned = law;
  turned.ops->turn(&turned, Q);
  for (int trial = 0; trial < 20; trial++) {
    PetscReal E[6], e[6] = {0}, S[6], T[6];

    for (int I = 0; I < 6; I++) E[I] = 0.15 * random_number(&seed);
    for (int I = 0; I < 6; I++)
      for (int n = 0; n < 9; n++)
        e[I] += Q[row[I]][n / 3] * E[index[n / 3][n % 3]] * Q[col[I]][n % 3];
    CHECK_NEAR(law_at(&law, 6, E, S), law_at(&turned, 6, e, T), 1e-14);
    for (int I = 0; I < 6; I++) {
      for (int n = 0; n < 9; n++)
        T[I] -= Q[row[I]][n / 3] * S[index[n / 3][n % 3]] * Q[col[I]][n % 3];
      CHECK_NEAR(T[I], 0, 1e-14);
    }
  }
}

/* Tension along direction i: E_ii = 1/young_i, the others by the ratios. Energy 1/(2 young_i). */
static void test_tension(void)
{
  const PetscReal strain[3][6] = {{0.1, -0.04, -0.045}, {-0.04, 1.25, -0.75}, {-0.045, -0.75, 2}};
  CrMaterial      law;

  read_law(wood, PETSC_FALSE, &law);
  for (int i = 0; i < 3; i++) {
    PetscReal S[6], W = law_at(&law, 6, strain[i], S);

    CHECK_NEAR(W, strain[i][i] / 2, 1e-14);
    for (int I = 0; I < 6; I++) CHECK_NEAR(S[I], I == i, 1e-14);
  }
}

static void test_ogden(void)
{
  CrMaterial a, b;

  read_law("model: mooney-rivlin, c10: 0.3, c01: 0.1, bulk: 2", PETSC_FALSE, &a);
  read_law("model: ogden, mu: [0.6, -0.2], alpha: [2, -2], bulk: 2", PETSC_FALSE, &b);
  CHECK_NEAR(a.shear, b.shear, 1e-15);
  check_same(&a, &b, 6, 1e-14);
  check_same(&a, &b, 4, 1e-14);
}

int main(int argc, char **argv)
{
  setenv("CAROM_ISA", CrIsaName(CR_ISA_BASELINE), 1);
  if (check_start(argc, argv)) return 1;
  test_isotropic();
  test_turned();
  test_tension();
  test_ogden();
  return check_end();
}
