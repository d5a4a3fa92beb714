/* Quasi-static analysis is equilibrium at the end of every step, for every method that accepts it (theory 9): a body
   whose load ends is free of strain again, contact forces belong to the end of the step, and books by the
   trapezoidal rule are exact for linear bodies and of second order for others. */
#include "contact/springs/springs.h"
#include "model_from_text.h"

#define PRESS 0.02 /* way of the press */

typedef void Check(const char *method);

static void for_each_method(Check *check)
{
  PetscInt n = 0;

  for (PetscInt m = 0; CrIntegratorAt(m); m++)
    if (CrIntegratorAt(m)->accepts & CR_QUASI_STATIC) {
      int before = check_failures;

      check(CrIntegratorAt(m)->name);
      if (check_failures > before) printf("  %s\n", CrIntegratorAt(m)->name);
      n++;
    }
  CHECK(n >= 4);
}

/* ---- a cantilever ----------------------------------------------------------------------------- */

static PetscErrorCode open_cantilever(Problem *p, const char *method, PetscInt dim, const char *law,
                                      const char *load)
{
  PetscFunctionBeginUser;
  PetscCall(problem_open(
      p,
      "carom: 1\ndimension: %d\nmaterials: [{name: m, model: %s, young: 1000, poisson: 0.3, density:"
      " 1}]\nbodies: [{name: b, material: m, mesh: {block: {from: %s, to: %s, elements: %s}}}]\n"
      "conditions: [{on: b.left, fix: [x, y%s]}, {on: b.right, traction: %s, %s}]\n"
      "time: {method: %s, analysis: quasi-static, step: 0.125, end: 1}\n",
      (int)dim, law, dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[5, 1]" : "[5, 1, 1]",
      dim == 2 ? "[10, 2]" : "[8, 2, 2]", dim == 2 ? "" : ", z", dim == 2 ? "[0, 2]" : "[0, 0, 2]",
      load, method));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Runs to the end; *peak: the greatest strain energy. */
static PetscErrorCode go(Problem *p, PetscInt n, PetscReal h, PetscReal *peak)
{
  PetscFunctionBeginUser;
  *peak = 0;
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(problem_run(p, 1, h));
    *peak = PetscMax(*peak, p->audit->strain);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A load that ends leaves nothing behind, whether it came by a ramp or at once. */
static void test_unloaded(const char *method)
{
  static const char *const loads[] = {"ramp: [0, 0.5], until: 0.5", "until: 0.5"};
  static const char *const laws[] = {"linear", "neo-hookean"};

  for (int l = 0; l < 2; l++)
    for (PetscInt dim = 2; dim <= 3; dim++)
      for (int k = 0; k < 2; k++) {
        Problem   p;
        PetscReal peak;
        int       before = check_failures;

        CHECK_OK(open_cantilever(&p, method, dim, laws[k], loads[l]));
        CHECK_OK(go(&p, 8, 0.125, &peak));
        CHECK(peak > 0.5);
        CHECK_LESS(p.audit->strain, 1e-12 * peak);
        if (k == 0) CHECK_LESS(p.audit->balance_max, 1e-11 * peak);
        CHECK_OK(problem_close(&p));
        if (check_failures > before) printf("  %s in %dD, %s\n", laws[k], (int)dim, loads[l]);
      }
}

/* The deflection under a load does not depend on how many steps led to it. */
static void test_path_free(const char *method)
{
  PetscReal strain[2], peak;

  for (int k = 0; k < 2; k++) {
    Problem p;

    CHECK_OK(open_cantilever(&p, method, 2, "neo-hookean", "ramp: [0, 1]"));
    CHECK_OK(go(&p, k ? 8 : 4, k ? 0.125 : 0.25, &peak));
    strain[k] = p.audit->strain;
    CHECK_OK(problem_close(&p));
  }
  CHECK_NEAR(strain[0], strain[1], 1e-9 * strain[1]);
}

/* Gravity from the first instant: its potential falls by twice what the body stores, and the books show that
   the rest was held back from outside. */
static void test_weight(const char *method)
{
  Problem p;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\nmaterials: [{name: m, model: linear, young: 1000,"
      " poisson: 0.3, density: 1}]\nbodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to:"
      " [5, 1], elements: [10, 2]}}}]\nconditions: [{on: b.left, fix: [x, y]}, {gravity: [0, -1]}]\n"
      "time: {method: %s, analysis: quasi-static, step: 0.5, end: 1}\n",
      method));
  CHECK_OK(problem_run(&p, 2, 0.5));
  CHECK(p.audit->strain > 1e-3);
  CHECK_NEAR(p.audit->potential - p.audit->potential0, -2 * p.audit->strain,
             1e-9 * p.audit->strain);
  CHECK_NEAR(p.audit->external_work, -p.audit->strain, 1e-9 * p.audit->strain);
  CHECK_LESS(p.audit->balance_max, 1e-9 * p.audit->strain);
  CHECK_OK(problem_close(&p));
}

/* ---- order of the path error ------------------------------------------------------------------ */

static PetscReal path_error(Problem *p, PetscInt n)
{
  PetscReal peak = 0, error;

  CHECK_OK(go(p, n, 1.0 / (PetscReal)n, &peak));
  error = PetscAbsReal(p->audit->balance) / peak;
  CHECK_OK(problem_close(p));
  return error;
}

static void check_order(PetscReal coarse, PetscReal fine, PetscReal least, PetscReal most)
{
  CHECK(coarse > 1e-9);
  CHECK(coarse > least * fine && coarse < most * fine);
  if (!(coarse > least * fine && coarse < most * fine))
    printf("  path errors %g and %g: ratio %g\n", (double)coarse, (double)fine,
           (double)(coarse / fine));
}

static void test_order_of_bending(const char *method)
{
  Problem   p;
  PetscReal error[2];

  for (int k = 0; k < 2; k++) {
    CHECK_OK(open_cantilever(&p, method, 2, "neo-hookean", "ramp: [0, 1]"));
    error[k] = path_error(&p, k ? 16 : 8);
  }
  check_order(error[0], error[1], 3.6, 4.4);
}

/* ---- contact ---------------------------------------------------------------------------------- */

/* A block on a floor, pressed down by its top; no lateral contraction. */
static PetscErrorCode open_pressed(Problem *p, const char *method, PetscInt dim, PetscReal friction,
                                   const char *law, const char *top)
{
  PetscFunctionBeginUser;
  PetscCall(problem_open(
      p,
      "carom: 1\ndimension: %d\nmaterials: [{name: m, model: %s, young: 1000, poisson: 0, density:"
      " 1}]\nbodies: [{name: b, material: m, mesh: {block: {from: %s, to: %s, elements: %s}}}]\n"
      "obstacles: [{name: floor, plane: {point: %s, normal: %s}}]\n"
      "contact: [{between: [b.bottom, floor], friction: %g, normal_penalty: 1e5,"
      " tangential_penalty: 1e5}]\nconditions: [%s]\n"
      "time: {method: %s, analysis: quasi-static, step: 0.125, end: 1}\n",
      (int)dim, law, dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[1, 1]" : "[1, 1, 1]",
      dim == 2 ? "[3, 3]" : "[2, 2, 2]", dim == 2 ? "[0, 0]" : "[0, 0, 0]",
      dim == 2 ? "[0, 1]" : "[0, 0, 1]", (double)friction, top, method));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal force_on(const Problem *p, PetscInt axis)
{
  return p->contact->picture->tally.pairs[0].force[axis];
}

/* Springs in series: way (1/E + 1/k_N) per area; released, nothing is left. */
static void test_pressed(const char *method)
{
  for (PetscInt dim = 2; dim <= 3; dim++) {
    PetscReal soft = strcmp(method, "bipotential") ? 1 / 1e5 : 0, peak;
    PetscReal expected = PRESS / (1.0 / 1000 + soft);
    Problem   p;
    char      top[200];
    int       before = check_failures;

    snprintf(top, sizeof top,
             "{on: b.top, displacement: %s%g], table: [[0, 0], [0.5, 1], [0.75, 0.5], [1, 0]]}",
             dim == 2 ? "[0, " : "[0, 0, ", -PRESS);
    CHECK_OK(open_pressed(&p, method, dim, 0.3, "linear", top));
    CHECK_OK(go(&p, 4, 0.125, &peak));
    CHECK_NEAR(force_on(&p, dim - 1), expected, 1e-9 * expected);
    CHECK_OK(go(&p, 2, 0.125, &peak));
    CHECK_NEAR(force_on(&p, dim - 1), expected / 2, 1e-9 * expected);
    CHECK_LESS(p.audit->balance_max, 1e-11 * peak);
    CHECK_OK(go(&p, 2, 0.125, &peak));
    CHECK_LESS(p.audit->strain, 1e-12 * expected * PRESS);
    CHECK_OK(problem_close(&p));
    if (check_failures > before) printf("  pressed in %dD\n", (int)dim);
  }
}

/* Pressed, then dragged along: the force is mu N at the end of the step, and the loss that force times the way,
   less what the block and its springs gave way before it slid. */
static void test_dragged(const char *method)
{
  const PetscReal mu = 0.3, way = 0.2;
  Problem         p;
  PetscReal       peak, N, last, h = 0.125;

  CHECK_OK(open_pressed(&p, method, 2, mu, "linear",
                        "{on: b.top, displacement: [~, -0.02], ramp: [0, 0.25]}, {on: b.top,"
                        " displacement: [0.2, ~], ramp: [0.25, 1]}"));
  CHECK_OK(go(&p, 7, h, &peak));
  last = p.audit->friction_loss;
  CHECK_OK(go(&p, 1, h, &peak));
  N = force_on(&p, 1);
  CHECK(N > 10);
  CHECK_NEAR(force_on(&p, 0), -mu * N, 1e-9 * N);
  CHECK_NEAR(p.audit->friction_loss - last, mu * N * way * h / 0.75, 1e-6 * N * way);
  CHECK_OK(problem_close(&p));
}

static void test_order_of_friction(const char *method)
{
  Problem   p;
  PetscReal error[2];

  for (int k = 0; k < 2; k++) {
    CHECK_OK(open_pressed(&p, method, 2, 0.3, "neo-hookean",
                          "{on: b.top, displacement: [~, -0.1], ramp: [0, 1]}, {on: b.top,"
                          " displacement: [0.1, ~], ramp: [0, 1]}"));
    error[k] = path_error(&p, k ? 32 : 16);
  }
  check_order(error[0], error[1], 3, 5.5);
}

/* Blocks on each other, held by friction alone: closest points move on deformable masters, and slip at both ends of the
   step counts. */
static void test_order_of_stack(const char *method)
{
  Problem   p;
  PetscReal error[2];

  for (int k = 0; k < 2; k++) {
    CHECK_OK(problem_open(
        &p,
        "carom: 1\ndimension: 2\nmaterials: [{name: m, model: linear, young: 1000, poisson: 0, density: 1}]\n"
        "bodies:\n"
        "  - {name: a, material: m, mesh: {block: {from: [0, 0], to: [2, 1], elements: [6, 3]}}}\n"
        "  - {name: b, material: m, mesh: {block: {from: [0, 1], to: [2, 2], elements: [4, 2]}}}\n"
        "obstacles: [{name: o, plane: {point: [0, 0], normal: [0, 1]}}]\n"
        "contact: [{between: [a.bottom, o], friction: 0.5}, {between: [a.top, b.bottom], friction: 0.5}]\n"
        "conditions: [{on: b.top, traction: [3, -10], ramp: [0, 1]}]\n"
        "time: {method: %s, analysis: quasi-static, step: 0.125, end: 1}\n",
        method));
    error[k] = path_error(&p, k ? 16 : 8);
  }
  check_order(error[0], error[1], 3.5, 5.5);
}

/* ---- supports that move ------------------------------------------------------------------------- */

/* The glued top of rubber is moved by a fifth of the height, two rows of elements, in n steps. */
static PetscReal squeeze(const char *method, const char *analysis, PetscInt dim, PetscInt n)
{
  Problem   p;
  PetscReal energy;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: %d\nmaterials: [{name: m, model: neo-hookean, bulk: 5000, shear: 1,"
      " density: 1.0e-3}]\nbodies: [{name: b, material: m, mesh: {block: {from: %s, to: %s, "
      "elements: %s}}}]\n"
      "conditions: [{on: b.bottom, fix: [x, y%s]}, {on: b.top, displacement: %s, ramp: [0, 1]}]\n"
      "time: {method: %s, %sstep: 1, end: 1}\n",
      (int)dim, dim == 2 ? "[0, 0]" : "[0, 0, 0]", dim == 2 ? "[10, 10]" : "[10, 10, 10]",
      dim == 2 ? "[10, 10]" : "[3, 3, 8]", dim == 2 ? "" : ", z",
      dim == 2 ? "[0, -2]" : "[0, 0, -2]", method, analysis));
  for (PetscInt k = 0; k < n; k++) {
    CrStepReport report = {0};

    CHECK_OK(problem_step(&p, 1.0 / (PetscReal)n, &report));
    CHECK(report.reason == CR_STEP_OK);
    CHECK(report.iterations <= 8);
  }
  energy = p.audit->strain;
  CHECK_OK(problem_close(&p));
  return energy;
}

/* One large step is not rejected, and ends where small ones end. `bipotential` has a Newton of its own. */
static void test_moved(const char *method)
{
  if (!strcmp(method, "bipotential")) return;
  for (PetscInt dim = 2; dim <= 3; dim++) {
    PetscReal small = squeeze(method, "analysis: quasi-static, ", dim, 8);

    CHECK(small > 0);
    CHECK_NEAR(squeeze(method, "analysis: quasi-static, ", dim, 1), small, 1e-6 * small);
  }
}

/* ---- failures --------------------------------------------------------------------------------- */

/* Nothing holds a block that is pulled off the floor: the message says which body, where, and in which contact. */
static void test_blame(const char *method)
{
  Problem      p;
  CrStepReport report;

  CHECK_OK(open_pressed(
      &p, method, 2, 0.3, "neo-hookean",
      "{on: b.top, traction: [0, -1], until: 0.25}, {on: b.top, traction: [500, 1], from: 0.25}"));
  CHECK_OK(problem_step(&p, 0.25, &report));
  CHECK(report.reason == CR_STEP_OK && !p.it->blame[0]);
  for (PetscInt A = 0; A < p.model->nowned; A++) {
    CrContactStatus status = CR_OPEN;
    const char     *pair = NULL;
    PetscBool       foot = p.model->X[2 * A + 1] == 0;

    CHECK_OK(CrContactOfNode(p.contact, A, &pair, &status));
    CHECK(foot ? pair && !strcmp(pair, p.contact->pairs[0].name) && status == CR_STICKING : !pair);
  }
  CHECK_OK(problem_step(&p, 0.25, &report));
  CHECK(report.reason < 0);
  CHECK(strstr(p.it->blame, "farthest from equilibrium: node ") != NULL);
  CHECK(strstr(p.it->blame, " of body b at (") != NULL);
  CHECK(strstr(p.it->blame, "try shorter steps") != NULL);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for_each_method(test_unloaded);
  for_each_method(test_path_free);
  for_each_method(test_weight);
  for_each_method(test_order_of_bending);
  for_each_method(test_pressed);
  for_each_method(test_dragged);
  for_each_method(test_order_of_friction);
  for_each_method(test_order_of_stack);
  for_each_method(test_moved);
  CHECK(squeeze("midpoint", "", 2, 4) > 0);
  CHECK(squeeze("dissipative", "", 2, 2) > 0);
  for_each_method(test_blame);
  return check_end();
}
