/* Every law of the registry, at points: stress and tangents against differences, the conserving
   stress, small strains. The test is compiled for the baseline instruction set and asks for the
   laws of that set; test_element_forces.c compares the sets. */
#include <stdlib.h>
#include "material/conserving.h"
#include "material/volume.h"
#include "material_constants.h"
#include "model_from_text.h"

/* The last two take the law as W_rest + U, as kernels do that know the mean volume of an element. */
typedef enum { PLANE_STRAIN, SPACE, PLANE_STRESS, AXIAL, SPLIT_AXIAL, SPLIT_SPACE, NMODES } Mode;

static const char *const mode_names[] = {"plane strain",          "3D",
                                         "plane stress",          "axial symmetry",
                                         "split, axial symmetry", "split, 3D"};

/* One law in one mode. */
typedef struct {
  CrMaterial material;
  Mode       mode;
  PetscInt   ns;
} Law;

/* the components that a plane problem works with: not 33 */
static PetscBool works(const Law *law, int I)
{
  return (law->mode != PLANE_STRAIN && law->mode != PLANE_STRESS) || I != 2;
}

static PetscBool is_split(const Law *law)
{
  return law->mode == SPLIT_AXIAL || law->mode == SPLIT_SPACE;
}

/* W_rest + U at one strain. */
static void split_at(const Law *law, const CrLanes *E, CrLanes *W, CrLanes *S, CrLanes *CC)
{
  const int ns = (int)law->ns;
  CrLanes   j = volume_change(determinant_change(ns, E)), U, p, dp, G[6], dG[36];

  law->material.ops->rest(&law->material, ns, E, W, S, CC);
  volume_at(&law->material, j, &U, &p, &dp);
  volume_gradient(ns, E, j, G, dG);
  *W += U;
  for (int I = 0; I < ns; I++) S[I] += p * G[I];
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++) CC[I * ns + J] += p * dG[I * ns + J] + dp * G[I] * G[J];
}

/* The conserving stress of both parts. */
static void split_between(const Law *law, const CrLanes *E0, const CrLanes *E1, const CrLanes *z,
                          CrLanes *S, CrLanes *A)
{
  const int    ns = (int)law->ns;
  VolumeSecant v;
  CrLanes      p, dp, dG[36], G1[6];

  law->material.ops->rest_between(&law->material, ns, E0, E1, z, S, A);
  volume_secant(ns, E0, E1, z, &v);
  volume_between(&law->material, v.j0, v.dj, &p, &dp);
  volume_secant_gradient(ns, E0, E1, z, &v, dG, G1);
  for (int I = 0; I < ns; I++) S[I] += p * v.G[I];
  for (int I = 0; I < ns; I++)
    for (int J = 0; J < ns; J++) A[I * ns + J] += p * dG[I * ns + J] + dp * v.G[I] * G1[J];
}

static void to_lanes(PetscInt n, const PetscReal *a, CrLanes *b)
{
  for (PetscInt i = 0; i < n; i++) b[i] = lanes_set(a[i]);
}

/* All lanes the same; the last one is read. */
static void from_lanes(PetscInt n, const CrLanes *a, PetscReal *b)
{
  for (PetscInt i = 0; i < n; i++) b[i] = a[i][CR_WIDTH - 1];
}

static PetscReal at(const Law *law, const PetscReal *E, PetscReal *S, PetscReal *CC)
{
  CrLanes   e[6], w = {0}, s[6], c[36];
  PetscReal W;

  to_lanes(law->ns, E, e);
  if (is_split(law))
    split_at(law, e, &w, s, c);
  else
    CR_VARIANT(CrStressAt)(&law->material, law->ns, e, &w, s, c);
  from_lanes(1, &w, &W);
  if (S) from_lanes(law->ns, s, S);
  if (CC) from_lanes(law->ns * law->ns, c, CC);
  return W;
}

static void between(const Law *law, const PetscReal *E0, const PetscReal *E1, PetscReal *S,
                    PetscReal *A)
{
  PetscReal z[6];
  CrLanes   e0[6], e1[6], zl[6], s[6], a[36];

  for (int I = 0; I < law->ns; I++) z[I] = 2 * (E1[I] - E0[I]);
  to_lanes(law->ns, E0, e0);
  to_lanes(law->ns, E1, e1);
  to_lanes(law->ns, z, zl);
  if (is_split(law))
    split_between(law, e0, e1, zl, s, a);
  else
    CR_VARIANT(CrStressBetween)(&law->material, law->ns, e0, e1, zl, s, a);
  from_lanes(law->ns, s, S);
  if (A) from_lanes(law->ns * law->ns, a, A);
}

/* Green strain of a random deformation gradient 1 + H with |H_ij| < size. */
static void random_strain(const Law *law, PetscReal size, unsigned *seed, PetscReal E[6])
{
  static const int row[6] = {0, 1, 2, 0, 1, 0}, col[6] = {0, 1, 2, 1, 2, 2};
  PetscReal        H[3][3] = {{0}};
  int              dim = law->ns == 6 ? 3 : 2;

  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) H[i][j] = size * random_number(seed);
  if (dim == 2 && works(law, 2)) H[2][2] = size * random_number(seed);
  for (int I = 0; I < 6; I++) {
    E[I] = (H[row[I]][col[I]] + H[col[I]][row[I]]) / 2;
    for (int k = 0; k < 3; k++) E[I] += H[k][row[I]] * H[k][col[I]] / 2;
  }
}

static PetscReal product(const Law *law, const PetscReal *a, const PetscReal *b)
{
  PetscReal sum = 0;

  for (int I = 0; I < law->ns; I++)
    if (works(law, I)) sum += CR_WEIGHT(I) * a[I] * b[I];
  return sum;
}

static void keep_greatest(PetscReal *worst, PetscReal value)
{
  if (!(PetscAbsReal(value) <= *worst)) *worst = PetscAbsReal(value); /* NaN too */
}

/* W and S on the line E + x e_J, at the four places of a difference of fourth order. With a step of
   3e-4 truncation is about 1e-13 and rounding about 1e-12 of moduli of about 1. */
#define STEP 3e-4
static const PetscReal places[4] = {-2, -1, 1, 2},
                       shares[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

/* S = dW/dE and CC = dS/dE. */
static void test_derivatives(const Law *law)
{
  unsigned  seed = 7;
  PetscReal E[6], S[6], CC[36], T[6], worst[3] = {0};

  for (int trial = 0; trial < 20; trial++) {
    random_strain(law, 0.3, &seed, E);
    at(law, E, S, CC);
    for (int J = 0; J < law->ns; J++) {
      PetscReal value = E[J], dW = 0, dS[6] = {0};

      if (!works(law, J)) continue;
      for (int k = 0; k < 4; k++) {
        E[J] = value + places[k] * STEP;
        dW += shares[k] / STEP * at(law, E, T, NULL);
        for (int I = 0; I < law->ns; I++) dS[I] += shares[k] / STEP * T[I];
      }
      E[J] = value;
      /* a shear component stands for two entries */
      keep_greatest(&worst[0], dW - CR_WEIGHT(J) * S[J]);
      for (int I = 0; I < law->ns; I++) {
        if (!works(law, I)) continue;
        keep_greatest(&worst[1], dS[I] - CR_WEIGHT(J) * CC[I * law->ns + J]);
        keep_greatest(&worst[2], CC[I * law->ns + J] - CC[J * law->ns + I]);
      }
    }
  }
  CHECK_LESS(worst[0], 1e-9);
  CHECK_LESS(worst[1], 1e-8);
  CHECK_LESS(worst[2], 1e-13); /* major symmetry: the law has an energy */
}

/* S:(C1-C0)/2 = W1 - W0, the same from either end, and its derivative. */
static void test_conserving(const Law *law)
{
  unsigned  seed = 11;
  PetscReal E0[6], E1[6], dE[6], S[6], T[6], A[36], worst[3] = {0};

  for (int trial = 0; trial < 20; trial++) {
    random_strain(law, 0.3, &seed, E0);
    random_strain(law, 0.3, &seed, E1);
    for (int I = 0; I < law->ns; I++) dE[I] = E1[I] - E0[I];
    between(law, E0, E1, S, A);
    between(law, E1, E0, T, NULL);
    keep_greatest(&worst[0],
                  product(law, S, dE) - (at(law, E1, NULL, NULL) - at(law, E0, NULL, NULL)));
    for (int I = 0; I < law->ns; I++)
      if (works(law, I)) keep_greatest(&worst[1], S[I] - T[I]);
    for (int J = 0; J < law->ns; J++) {
      PetscReal value = E1[J], dS[6] = {0};

      if (!works(law, J)) continue;
      for (int k = 0; k < 4; k++) {
        E1[J] = value + places[k] * STEP;
        between(law, E0, E1, T, NULL);
        for (int I = 0; I < law->ns; I++) dS[I] += shares[k] / STEP * T[I];
      }
      E1[J] = value;
      for (int I = 0; I < law->ns; I++)
        if (works(law, I)) keep_greatest(&worst[2], dS[I] - CR_WEIGHT(J) * A[I * law->ns + J]);
    }
  }
  CHECK_LESS(worst[0], 1e-14); /* a few roundings of W, which is about 1 */
  CHECK_LESS(worst[1], 1e-14);
  CHECK_LESS(worst[2], 1e-8);
}

/* Nothing moves: the stress and half the tangent at that place. */
static void test_limit(const Law *law)
{
  unsigned  seed = 13;
  PetscReal E[6], S[6], CC[36], T[6], A[36], worst = 0;

  random_strain(law, 0.3, &seed, E);
  at(law, E, S, CC);
  between(law, E, E, T, A);
  for (int I = 0; I < law->ns; I++)
    for (int J = 0; J < law->ns; J++) {
      if (!works(law, I) || !works(law, J)) continue;
      keep_greatest(&worst, S[I] - T[I]);
      keep_greatest(&worst, A[I * law->ns + J] - CC[I * law->ns + J] / 2);
    }
  CHECK_LESS(worst, is_split(law) ? 2e-14 : 1e-15); /* other formulas there */
}

/* S:z/2 = W1 - W0 relative to |S||z| for steps from tiny to large: no quotient of small numbers. */
static void test_steps(const Law *law)
{
  unsigned seed = 23;

  for (PetscReal size = 1e-9; size < 1; size *= 30) {
    PetscReal E0[6], E1[6], dE[6], S[6], dW, worst = 0;
    CrLanes   e0[6], e1[6], z[6], w;

    for (int trial = 0; trial < 20; trial++) {
      random_strain(law, 0.3, &seed, E0);
      random_strain(law, PetscMin(size, 0.3), &seed, dE);
      for (int I = 0; I < law->ns; I++) {
        E1[I] = E0[I] + dE[I];
        dE[I] = E1[I] - E0[I]; /* as the numbers are rounded */
      }
      between(law, E0, E1, S, NULL);
      to_lanes(law->ns, E0, e0);
      to_lanes(law->ns, E1, e1);
      to_lanes(law->ns, dE, z);
      for (int I = 0; I < law->ns; I++) z[I] *= 2;
      law->material.ops->difference(&law->material, law->ns, e0, e1, z, &w);
      from_lanes(1, &w, &dW);
      keep_greatest(&worst, (product(law, S, dE) - dW) /
                                PetscSqrtReal(product(law, S, S) * product(law, dE, dE)));
    }
    CHECK_LESS(worst, 1e-13);
  }
}

static PetscReal hooke_stress(PetscReal lambda, PetscReal G, const PetscReal *E, int I)
{
  return (I < 3 ? lambda * (E[0] + E[1] + E[2]) : 0) + 2 * G * E[I];
}

/* At small strain every law is Hooke's with the material's own constants. The next terms are odd in
   W and even in S: the mean over E and -E is Hooke's up to the square of the strain. Terms that
   cancel would leave eps/strain of relative error, 1e-8 at 1e-8, and Newton of a lightly loaded
   body would not converge. */
static void test_small_strain(const Law *law, PetscReal strain)
{
  const PetscReal G = law->material.shear, bound = 1e-13 + 1e3 * strain * strain;
  PetscReal       lambda = law->material.lambda, E[2][2][6], dE[6], Em[6], S[2][6], hooke[2];
  PetscReal       worst[2] = {0}, work[2];
  unsigned        seed = 17;

  if (law->mode == PLANE_STRESS) lambda *= 2 * G / (lambda + 2 * G);
  for (int k = 0; k < 2; k++) {
    PetscReal W = 0;

    for (int I = 0; I < 6; I++) {
      E[0][k][I] = works(law, I) ? strain * random_number(&seed) : 0;
      E[1][k][I] = -E[0][k][I];
    }
    for (int sign = 0; sign < 2; sign++) W += at(law, E[sign][k], S[sign], NULL) / 2;
    hooke[k] = lambda / 2 * PetscSqr(E[0][k][0] + E[0][k][1] + E[0][k][2]) +
               G * product(law, E[0][k], E[0][k]);
    CHECK_NEAR(W / hooke[k], 1, bound);
    for (int I = 0; I < law->ns; I++)
      if (works(law, I))
        keep_greatest(&worst[0], (S[0][I] - S[1][I]) / 2 - hooke_stress(lambda, G, E[0][k], I));
  }
  CHECK_LESS(worst[0] / strain, bound);
  for (int I = 0; I < law->ns; I++) {
    dE[I] = E[0][1][I] - E[0][0][I];
    Em[I] = (E[0][0][I] + E[0][1][I]) / 2;
  }
  for (int sign = 0; sign < 2; sign++) {
    between(law, E[sign][0], E[sign][1], S[sign], NULL);
    work[sign] = (sign ? -1 : 1) * product(law, S[sign], dE);
  }
  CHECK_LESS(PetscAbsReal((work[0] + work[1]) / 2 - (hooke[1] - hooke[0])),
             bound * PetscMax(hooke[0], hooke[1]));
  for (int I = 0; I < law->ns; I++)
    if (works(law, I))
      keep_greatest(&worst[1], (S[0][I] - S[1][I]) / 2 - hooke_stress(lambda, G, Em, I));
  CHECK_LESS(worst[1] / strain, bound);
}

/* ---- the energies themselves, written out again in long double */

static long double determinant_of(const long double C[6])
{
  return C[0] * (C[1] * C[2] - C[4] * C[4]) - C[3] * (C[3] * C[2] - C[4] * C[5]) +
         C[5] * (C[3] * C[4] - C[1] * C[5]);
}

/* W of the laws of the literature from C in full; NAN for a law that this test does not know. */
static long double energy(const CrMaterial *m, const long double E[6])
{
  long double C[6], tr = 0, CC = 0, EE = 0, J, I1, I2;
  long double lambda = m->lambda, G = m->shear;

  for (int I = 0; I < 6; I++) {
    C[I] = 2 * E[I] + (I < 3);
    tr += I < 3 ? E[I] : 0;
    EE += CR_WEIGHT(I) * E[I] * E[I];
    CC += CR_WEIGHT(I) * C[I] * C[I];
  }
  J = sqrtl(determinant_of(C));
  I1 = C[0] + C[1] + C[2];
  I2 = (I1 * I1 - CC) / 2;
  if (m->ops->turn) return NAN; /* see test_orthotropic */
  if (m->ops->flags & CR_QUADRATIC) return lambda / 2 * tr * tr + G * EE;
  if (!strcmp(m->ops->name, "neo-hookean"))
    return G / 2 * (I1 - 3) - G * logl(J) + lambda / 2 * logl(J) * logl(J);
  if (!strcmp(m->ops->name, "mooney-rivlin"))
    return m->constants[0] * (powl(J, -2.0L / 3) * I1 - 3) +
           m->constants[1] * (powl(J, -4.0L / 3) * I2 - 3) +
           m->constants[2] / 2 * (J - 1) * (J - 1);
  return NAN;
}

/* The least energy over the thickness strain, by golden section. */
static long double condensed_energy(const CrMaterial *m, long double E[6])
{
  const long double g = 0.61803398874989484820L;
  long double       a = -0.45L, b = 1;

  for (int it = 0; it < 90; it++) {
    long double c = b - g * (b - a), d = a + g * (b - a), Wc, Wd;

    E[2] = c;
    Wc = energy(m, E);
    E[2] = d;
    Wd = energy(m, E);
    if (Wc < Wd)
      b = d;
    else
      a = c;
  }
  return energy(m, E);
}

/* Long double holds 19 digits, so W at strains of `size` is known to about 1e-19/size^2. */
static void test_energy(const Law *law, PetscReal size)
{
  unsigned  seed = 19;
  PetscReal E[6];

  for (int trial = 0; trial < 5; trial++) {
    long double e[6] = {0}, W;

    random_strain(law, size, &seed, E);
    for (int I = 0; I < law->ns; I++) e[I] = E[I];
    W = law->mode == PLANE_STRESS ? condensed_energy(&law->material, e) : energy(&law->material, e);
    if (W != W) return;
    CHECK_NEAR(at(law, E, NULL, NULL) / (PetscReal)W, 1, 1e-14 + 1e-18 / (size * size));
  }
}

int main(int argc, char **argv)
{
  Law law;

  setenv("CAROM_ISA", CrIsaName(CR_ISA_BASELINE), 1);
  if (check_start(argc, argv)) return 1;
  for (PetscInt i = 0; CrMaterialAt(i); i++)
    for (law.mode = 0; law.mode < NMODES; law.mode++) {
      int before = check_failures;

      law.ns = law.mode == SPACE || law.mode == SPLIT_SPACE ? 6 : 4;
      if (CrMaterialAt(i)->state_size) continue; /* see test_flow */
      if (is_split(&law) && !CrMaterialAt(i)->volume) continue;
      CHECK_OK(material_sample(CrMaterialAt(i), 1, law.mode == PLANE_STRESS, &law.material));
      test_derivatives(&law);
      test_conserving(&law);
      test_limit(&law);
      if (is_split(&law)) test_steps(&law);
      if (!law.material.ops->turn) test_small_strain(&law, 1e-6);
      if (!law.material.ops->turn) test_small_strain(&law, 1e-8);
      test_energy(&law, 0.3);
      test_energy(&law, 1e-2);
      test_energy(&law, 1e-4);
      if (check_failures > before) printf("  %s, %s\n", CrMaterialNameAt(i), mode_names[law.mode]);
    }
  return check_end();
}
