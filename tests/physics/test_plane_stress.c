/* A sheet pulled to one and a half of its length: in plane stress the state is uniaxial, and the
   true stress follows from the three-dimensional law with free sides, thinner and narrower alike. */
#include "model_from_text.h"
#include "model/gather.h"

/* Neo-Hookean, free sides: G (b^2 - 1) + lambda ln J = 0 with J = a b^2, sigma = (G (a^2 - 1) +
 * lambda ln J)/J. */
static PetscReal uniaxial_stress(PetscReal lambda, PetscReal G, PetscReal a)
{
  PetscReal low = 0.1, high = 2, J;

  for (int k = 0; k < 200; k++) {
    PetscReal b = (low + high) / 2;

    if (G * (b * b - 1) + lambda * log(a * b * b) > 0)
      high = b;
    else
      low = b;
  }
  J = a * low * low;
  return (G * (a * a - 1) + lambda * log(J)) / J;
}

/* Saint-Venant Kirchhoff: S = E e with e = (a^2 - 1)/2, sides e' = -nu e; sigma = a^2 S / J, J = a
 * (1 + 2 e'). */
static PetscReal uniaxial_stress_svk(PetscReal young, PetscReal nu, PetscReal a)
{
  PetscReal e = (a * a - 1) / 2;

  return a * a * young * e / (a * (1 - 2 * nu * e));
}

static void test_sheet(const char *model, PetscReal expected)
{
  Problem          p;
  PetscInt         rejected;
  PetscReal       *stress;
  const PetscReal *u;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nplane: stress\n"
                        "materials: [{name: m, model: %s, young: 100, poisson: 0.3, density: 1}]\n"
                        "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [1, 1],"
                        " elements: [2, 2]}}}]\n"
                        "conditions: [{on: b.left, fix: [x]}, {on: b.bottom, fix: [y]},"
                        " {on: b.right, displacement: [0.5, ~], ramp: [0, 1]}]\n"
                        "time: {method: newmark, analysis: quasi-static, step: 0.25, end: 1}\n",
                        model));
  CHECK_OK(problem_go(&p, &rejected));
  CHECK_OK(PetscMalloc1(6 * p.model->nowned, &stress));
  CHECK_OK(VecGetArrayRead(p.state->u, &u));
  CHECK_OK(CrModelNodalStress(p.model, p.state, u, stress));
  CHECK_OK(VecRestoreArrayRead(p.state->u, &u));
  for (PetscInt A = 0; A < p.model->nowned; A++) {
    CHECK_NEAR(stress[6 * A], expected, 1e-9 * expected);
    for (int I = 1; I < 6; I++) CHECK_NEAR(stress[6 * A + I], 0, 1e-9 * expected);
  }
  CHECK_OK(PetscFree(stress));
  CHECK_OK(problem_close(&p));
}

/* Energy per volume of the laws at principal stretches a, a, and c across. */
static PetscReal neo_hookean(PetscReal a, PetscReal c)
{
  PetscReal G = 100 / 2.6, lambda = 100 * 0.3 / (1.3 * 0.4), J = a * a * c;

  return G / 2 * (2 * a * a + c * c - 3) - G * log(J) + lambda / 2 * PetscSqr(log(J));
}

static PetscReal mooney_rivlin(PetscReal a, PetscReal c)
{
  PetscReal J = a * a * c, I1 = 2 * a * a + c * c, I2 = a * a * (a * a + 2 * c * c);

  return 17 * (pow(J, -2. / 3) * I1 - 3) + 4 * (pow(J, -4. / 3) * I2 - 3) + 21 * PetscSqr(J - 1);
}

/* A sheet that starts at a times its size both ways has the least energy over its thickness. */
static void test_squeezed(const char *law, PetscReal (*energy)(PetscReal, PetscReal), PetscReal a)
{
  PetscReal low = 0.05, high = 20;
  Problem   p;

  for (int k = 0; k < 300; k++) { /* golden section */
    PetscReal x = low + 0.381966011250105 * (high - low),
              y = low + 0.618033988749895 * (high - low);

    if (energy(a, x) < energy(a, y))
      high = y;
    else
      low = x;
  }
  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\nplane: stress\n"
                        "materials: [{name: m, model: %s, density: 1}]\n"
                        "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [1, 1],"
                        " elements: [2, 2]}}, deformation: [[%g, 0], [0, %g]]}]\n"
                        "time: {method: midpoint, step: 1e-6, end: 1e-6}\n",
                        law, a, a));
  CHECK_NEAR(p.audit->strain, energy(a, low), 1e-9 * energy(a, low));
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  static const PetscReal size[] = {0.3, 0.5, 0.8, 1.5, 3};

  const PetscReal G = 100 / 2.6, lambda = 30 / (1.3 * 0.4);

  if (check_start(argc, argv)) return 1;
  test_sheet("neo-hookean", uniaxial_stress(lambda, G, 1.5));
  test_sheet("saint-venant-kirchhoff", uniaxial_stress_svk(100, 0.3, 1.5));
  for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
    test_squeezed("neo-hookean, young: 100, poisson: 0.3", neo_hookean, size[k]);
    test_squeezed("mooney-rivlin, c10: 17, c01: 4, bulk: 42", mooney_rivlin, size[k]);
  }
  return check_end();
}
