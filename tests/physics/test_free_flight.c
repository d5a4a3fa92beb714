/* Spinning, stretched bodies in free flight for 1000 steps at a Courant number of about 20: energy
   and both momenta stay; with the plain mid-point stress, or Newmark's method, they do not. */
#include "model_from_text.h"

/* Stiff bodies: the wave crosses an element of size 0.25 (2D), 0.5 (3D) in 1/20 of the step. */
static PetscErrorCode open_body(Problem *p, const char *law, const char *type, const char *elements,
                                PetscReal scale, const char *method)
{
  PetscInt dim = strchr(elements, ',') == strrchr(elements, ',') ? 2 : 3;

  PetscFunctionBeginUser;
  PetscCall(
      problem_open(p,
                   "carom: 1\ndimension: %d\nmaterials: [{name: m, model: %s, lambda: %g, shear: "
                   "%g, density: 8.93}]\n"
                   "bodies: [{name: b, material: m, spin: %s, velocity: %s, deformation: %s,"
                   " mesh: {block: {from: %s, to: %s, elements: %s, type: %s}}}]\n"
                   "time: {method: %s, step: 0.05, end: 50, tolerance: 1e-12}\n",
                   (int)dim, law, 130 * scale, 43.33 * scale, dim == 2 ? "1.5" : "[0.4, 0.3, 1.5]",
                   dim == 2 ? "[0.3, 0.3]" : "[0.3, 0.3, 0.3]",
                   dim == 2 ? "[[1.01, 0], [0, 0.995]]"
                            : "[[1.01, 0, 0], [0, 0.995, 0], [0, 0, 1]]",
                   dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[2, 1]" : "[2, 1, 1]", elements,
                   type, method));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal norm(const PetscReal a[3])
{
  return PetscSqrtReal(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void test_conserves(const char *law, const char *type, const char *elements, PetscReal size)
{
  Problem         p;
  const PetscReal scale = PetscSqr(20 * size / 0.05) * 8.93 / 216.66; /* c = 20 size / h */
  int             before = check_failures;
  PetscInt        rejected;

  CHECK_OK(open_body(&p, law, type, elements, scale, "midpoint"));
  if (check_failures > before) return;
  CHECK_NEAR(CrMaterialWaveSpeed(&p.model->materials[0]) * 0.05 / size, 20, 1e-3);
  CHECK_LESS(0.05 * p.audit->energy0, p.audit->strain);
  CHECK_OK(problem_go(&p, &rejected));
  CHECK(p.state->n >= 1000 && p.state->t == 50);
  printf("%-24s %-3s energy %.1e, linear %.1e, angular %.1e, %d rejected\n", law, type,
         p.audit->balance_max / p.audit->energy0,
         p.audit->momentum_drift / norm(p.audit->momentum0),
         p.audit->angular_drift / norm(p.audit->angular0), (int)rejected);
  CHECK_LESS(p.audit->balance_max / p.audit->energy0, 1e-10);
  CHECK_LESS(p.audit->momentum_drift / norm(p.audit->momentum0), 1e-10);
  CHECK_LESS(p.audit->angular_drift / norm(p.audit->angular0), 1e-10);
  CHECK_OK(problem_close(&p));
}

static void test_drifts(const char *method, PetscReal least)
{
  Problem   p;
  PetscReal drift = 0;
  int       steps;

  CHECK_OK(open_body(&p, "neo-hookean", "Q4", "[8, 4]", 1, method));
  for (steps = 0; steps < 1000; steps++) { /* it may well blow up */
    CrStepReport report;

    CHECK_OK(problem_step(&p, 0.05, &report));
    if (report.reason < 0) break;
    drift = p.audit->balance_max / p.audit->energy0;
  }
  printf("%s: energy %.1e after %d steps\n", method, drift, steps);
  CHECK_LESS(least, drift);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  static const char *const laws[] = {"saint-venant-kirchhoff", "neo-hookean"};

  if (check_start(argc, argv)) return 1;
  for (int k = 0; k < 2; k++) {
    test_conserves(laws[k], "Q4", "[8, 4]", 0.25);
    test_conserves(laws[k], "T6", "[4, 2]", 0.25);
    test_conserves(laws[k], "H8", "[4, 2, 2]", 0.5);
    test_conserves(laws[k], "T10", "[2, 1, 1]", 0.5);
  }
  test_drifts("midpoint, stress: plain", 1e-4);
  test_drifts("newmark", 1e-4);
  return check_end();
}
