/* Quasi-static answers that are known exactly: uniaxial tension of every law, patch tests of every
   element, hold steps. */
#include "element/element.h"
#include "material_constants.h"
#include "model_from_text.h"
#include "model/forces.h"
#include "model/gather.h"

#define YOUNG 200.0
#define NU    0.3

/* One element, symmetric supports on three faces, stretched or pulled in x. */
static PetscErrorCode open_bar(Problem *p, const char *law, const char *condition,
                               const char *method, const char *steps)
{
  PetscFunctionBeginUser;
  PetscCall(
      problem_open(p,
                   "carom: 1\ndimension: 3\nmaterials: [{name: m, density: 1, model: %s, young: %g,"
                   " poisson: %g}]\nbodies: [{name: b, material: m, mesh: {block: {from: [0, 0, 0],"
                   " to: [2, 1, 1], elements: [1, 1, 1]}}}]\n"
                   "conditions: [{on: b.left, fix: x}, {on: b.front, fix: y}, {on: b.bottom, fix:"
                   " z}, %s]\ntime: {method: %s, analysis: quasi-static, steps: %s, tolerance:"
                   " 1e-13}\n",
                   law, YOUNG, NU, condition, method, steps));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Displacement of the corner (2, 1, 1). */
static void corner(const Problem *p, PetscReal u[3])
{
  PetscReal *all = copy_of(p->model, p->state->u);

  for (PetscInt A = 0; A < p->model->nowned; A++)
    if (p->model->X[3 * A] == 2 && p->model->X[3 * A + 1] == 1 && p->model->X[3 * A + 2] == 1)
      for (int i = 0; i < 3; i++) u[i] = all[3 * A + i];
  CHECK_OK(PetscFree(all));
}

/* Sum of the internal force in x on the nodes at x = 2, between two states or at one. */
static PetscReal reaction(const Problem *p, const PetscReal *u0)
{
  PetscReal *u = copy_of(p->model, p->state->u), *f, sum = 0;

  CHECK_OK(PetscMalloc1(p->model->nowned * 3, &f));
  CHECK_OK(CrModelForce(p->model, p->state, u0 ? CR_FORCE_CONSERVING : CR_FORCE_POINT, u0, u, f));
  for (PetscInt A = 0; A < p->model->nowned; A++)
    if (p->model->X[3 * A] == 2) sum += f[3 * A];
  CHECK_OK(PetscFree(f));
  CHECK_OK(PetscFree(u));
  return sum;
}

/* Nominal stress and lateral stretch at the axial stretch a, from the literature's formulas. */
static void uniaxial(const char *law, PetscReal a, PetscReal *stress, PetscReal *lateral)
{
  const PetscReal G = YOUNG / (2 * (1 + NU)), lambda = YOUNG * NU / ((1 + NU) * (1 - 2 * NU));

  if (!strcmp(law, "linear")) {
    *stress = YOUNG * (a - 1);
    *lateral = 1 - NU * (a - 1);
  } else if (!strcmp(law, "saint-venant-kirchhoff")) { /* S = E e, e = (a^2 - 1)/2 */
    *stress = YOUNG * a * (a * a - 1) / 2;
    *lateral = PetscSqrtReal(1 - NU * (a * a - 1));
  } else { /* neo-Hookean: G (b^2 - 1) + lambda ln(a b^2) = 0 by bisection */
    PetscReal low = 0.3, high = 2;

    for (int it = 0; it < 200; it++) {
      PetscReal b = (low + high) / 2;

      if (G * (b * b - 1) + lambda * log(a * b * b) > 0)
        high = b;
      else
        low = b;
    }
    *lateral = low;
    *stress = G * (a - 1 / a) + lambda * log(a * low * low) / a;
  }
}

/* Displacement control: stretch 1.3, then a step of rest in which nothing moves. */
static void test_stretched_bar(const char *law, const char *method)
{
  Problem   p;
  PetscReal stress, lateral, u[3], *before;
  PetscInt  rejected;
  int       failures = check_failures;

  uniaxial(law, 1.3, &stress, &lateral);
  CHECK_OK(open_bar(&p, law, "{on: b.right, displacement: [0.6, ~, ~], ramp: [0, 1]}", method,
                    "[[0.25, 4], [0.25, 2]]"));
  CHECK_OK(problem_go(&p, &rejected));
  CHECK(!rejected);
  corner(&p, u);
  CHECK_NEAR(u[0], 0.6, 1e-14);
  before = copy_of(p.model, p.state->u);
  CHECK_NEAR(reaction(&p, NULL), stress, 1e-9);
  for (int i = 1; i < 3; i++) CHECK_NEAR(u[i], lateral - 1, 1e-11);
  CHECK_NEAR(reaction(&p, before), reaction(&p, NULL), 1e-12); /* nothing moves */
  CHECK_OK(PetscFree(before));
  CHECK_OK(problem_close(&p));
  if (check_failures > failures) printf("  stretched, %s, %s\n", law, method);
}

/* Load control: the stretch at which the bar carries the load, by bisection. */
static void test_pulled_bar(const char *law, const char *method)
{
  Problem   p;
  PetscReal low = 1, high = 2, stress, lateral, u[3];
  PetscInt  rejected;
  int       failures = check_failures;

  for (int it = 0; it < 200; it++) {
    uniaxial(law, (low + high) / 2, &stress, &lateral);
    if (stress > 50)
      high = (low + high) / 2;
    else
      low = (low + high) / 2;
  }
  CHECK_OK(open_bar(&p, law, "{on: b.right, traction: [50, 0, 0], ramp: [0, 1]}", method,
                    "[[0.125, 8]]"));
  CHECK_OK(problem_go(&p, &rejected));
  CHECK(!rejected);
  corner(&p, u);
  CHECK_NEAR(u[0], 2 * (low - 1), 1e-10);
  CHECK_NEAR(u[1], lateral - 1, 1e-10);
  CHECK_OK(problem_close(&p));
  if (check_failures > failures) printf("  pulled, %s, %s\n", law, method);
}

/* ---- patch tests */

/* A mesh of skewed cells under affine displacements of its boundary: inside, the field is affine
   and the stress the same everywhere. */
static void test_patch(const CrElement *e, const CrMaterialOps *law, const char *plane)
{
  Problem    p;
  PetscReal *u, *stress, worst[2] = {0};
  char       constants[512], conditions[1024];
  PetscInt   dim = e->dim;
  int        before = check_failures;
  /* T10 has straight edges here: its four points integrate the gradients of curved ones only nearly */
  const char *shape =
      dim == 2 ? "quad: {corners: [[0, 0], [2, 0.3], [2.3, 1.5], [-0.2, 1]]"
      : e->type == CR_T10
          ? "hex: {corners: [[0, 0, 0], [2, 0.2, 0], [2.2, 1.3, 0.1], [0.2, 1.1, 0.1], [0.3, 0, 1],"
            " [2.3, 0.2, 1], [2.5, 1.3, 1.1], [0.5, 1.1, 1.1]]"
          : "hex: {corners: [[0, 0, 0], [2, 0.2, 0], [2.2, 1.3, 0.1], [0, 1, -0.1], [0.1, 0, 1],"
            " [2, 0, 1.2], [2, 1.2, 1], [-0.1, 1, 0.9]]";

  CHECK_OK(material_constants(law, 100, constants, sizeof constants));
  /* the affine motion of the boundary is that of a stretched start, which supports then hold */
  snprintf(conditions, sizeof conditions, "{on: b.boundary, fix: [x, y%s]}", dim == 3 ? ", z" : "");
  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: %d\n%smaterials: [{name: m, density: 1, %s}]\n"
      "bodies: [{name: b, material: m, deformation: %s, mesh: {%s, elements: %s, type: %s}}}]\n"
      "conditions: [%s]\ntime: {method: newmark, analysis: quasi-static, step: 1, end: 1, "
      "tolerance:"
      " 1e-13}\n",
      (int)dim, plane, constants,
      dim == 2 ? "[[1.1, 0.05], [-0.1, 0.95]]"
               : "[[1.1, 0.05, 0], [-0.1, 0.95, 0.1], [0.05, 0, 1.05]]",
      shape, dim == 2 ? "[4, 4]" : "[3, 3, 3]", CrCells[e->type].name, conditions));
  if (check_failures > before) return;
  u = copy_of(p.model, p.state->u); /* affine */
  {                                 /* disturb the inside, so that there is something to solve */
    PetscReal *v;
    unsigned   seed = 71;
    PetscInt   inner = 0;
    CrSupports s;

    CHECK_OK(CrSupportsCreate(p.model, &s));
    CHECK_OK(CrSupportsAt(p.model, 0, 1, u, &s));
    CHECK_OK(VecGetArray(p.state->u, &v));
    for (PetscInt k = 0; k < p.model->nowned * dim; k++)
      if (!s.fixed[k]) {
        v[k] += 0.02 * random_number(&seed);
        inner++;
      }
    CHECK_OK(VecRestoreArray(p.state->u, &v));
    CHECK_OK(CrSupportsDestroy(&s));
    CHECK(inner > 0);
  }
  CHECK_OK(problem_run(&p, 1, 1));
  {
    PetscReal *w = copy_of(p.model, p.state->u);

    CHECK_OK(PetscMalloc1(6 * p.model->nowned, &stress));
    CHECK_OK(CrModelNodalStress(p.model, p.state, w, stress));
    for (PetscInt k = 0; k < p.model->nowned * dim; k++)
      worst[0] = PetscMax(worst[0], PetscAbsReal(w[k] - u[k]));
    for (PetscInt A = 0; A < p.model->nowned; A++)
      for (int i = 0; i < 6; i++)
        worst[1] = PetscMax(worst[1], PetscAbsReal(stress[6 * A + i] - stress[i]));
    CHECK_OK(PetscFree(stress));
    CHECK_OK(PetscFree(w));
  }
  CHECK_LESS(worst[0], 1e-12);
  CHECK_LESS(worst[1], 1e-9); /* moduli of about 100 times strains of 1e-12 */
  CHECK_OK(PetscFree(u));
  CHECK_OK(problem_close(&p));
  if (check_failures > before)
    printf("  patch, %s, %s %s\n", CrCells[e->type].name, law->name, plane);
}

/* A body so lightly loaded that its strains are 1e-9: Newton must still converge at once. */
static void test_light_load(const CrMaterialOps *law, const char *method)
{
  Problem      p;
  CrStepReport report;
  char         constants[512];

  CHECK_OK(material_constants(law, 100, constants, sizeof constants));
  CHECK_OK(
      problem_open(&p,
                   "carom: 1\ndimension: 2\nmaterials: [{name: m, density: 1, %s}]\n"
                   "bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [2, 1],"
                   " elements: [4, 2]}}}]\nconditions: [{on: b.left, fix: [x, y]}, {on: b.right,"
                   " traction: [1e-7, 1e-7], ramp: [0, 1]}]\n"
                   "time: {method: %s, analysis: quasi-static, step: 0.5, end: 1}\n",
                   constants, method));
  for (int k = 0; k < 2; k++) {
    CHECK_OK(problem_step(&p, 0.5, &report));
    CHECK(report.reason == CR_STEP_OK && report.iterations <= 3);
  }
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  static const char *const laws[] = {"linear", "saint-venant-kirchhoff", "neo-hookean"};

  if (check_start(argc, argv)) return 1;
  for (int k = 0; k < 3; k++) {
    test_stretched_bar(laws[k], "newmark");
    test_stretched_bar(laws[k], "midpoint");
    test_stretched_bar(laws[k], "bipotential");
    test_pulled_bar(laws[k], "newmark");
    test_pulled_bar(laws[k], "midpoint");
    test_pulled_bar(laws[k], "bipotential");
  }
  for (PetscInt m = 0; CrMaterialAt(m); m++) {
    for (PetscInt i = 0; CrElementAt(i); i++) {
      test_patch(CrElementAt(i), CrMaterialAt(m), "");
      if (CrElementAt(i)->dim == 2 && !CrMaterialAt(m)->state_size) /* refused */
        test_patch(CrElementAt(i), CrMaterialAt(m), "plane: stress\n");
    }
    test_light_load(CrMaterialAt(m), "newmark");
    test_light_load(CrMaterialAt(m), "midpoint");
  }
  return check_end();
}
