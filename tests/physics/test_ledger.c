/* The ledger: energy of the body equals the work of loads and supports, for every kind of them. */
#include "model_from_text.h"

static const char deck_2d[] =
    "carom: 1\ndimension: 2\n"
    "materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]\n"
    "bodies: [{name: b, material: m, mass: %s, mesh: {block: {from: [0, 0], to: [2, 1], elements: "
    "[8, 4]}}}]\n"
    "conditions: [%s]\ntime: {method: %s, step: 0.02, end: 2, tolerance: 1e-12}\n";

static const char deck_3d[] =
    "carom: 1\ndimension: 3\n"
    "materials: [{name: m, model: mooney-rivlin, c10: 10, c01: 11, bulk: 150, density: 8.93}]\n"
    "bodies: [{name: b, material: m, mass: %s, mesh: {block: {from: [0, 0, 0], to: [2, 1, 1],"
    " elements: [2, 1, 1], type: T10}}}]\n"
    "conditions: [%s]\ntime: {method: %s, step: 0.02, end: 2, tolerance: 1e-12}\n";

/* |balance| over the greatest energy or work seen. */
static void test_balance(const char *deck, const char *mass, const char *conditions)
{
  Problem   p;
  PetscReal scale = 0;
  int       before = check_failures;

  CHECK_OK(problem_open(&p, deck, mass, conditions, "midpoint"));
  if (check_failures > before) return;
  for (int k = 0; k < 40; k++) {
    CHECK_OK(problem_run(&p, 1, 0.02));
    scale = PetscMax(scale, PetscMax(PetscAbsReal(p.audit->external_work), p.audit->energy_scale));
  }
  CHECK_LESS(1e-3, scale); /* something happened */
  CHECK_LESS(p.audit->balance_max / scale, 1e-10);
  CHECK_NEAR(p.audit->defect, p.audit->balance, 0); /* no contact: the same thing */
  CHECK_OK(problem_close(&p));
  if (check_failures > before) printf("  %s\n", conditions);
}

/* Cantilever under gravity and an oscillating tip load on a support that moves by 0.1 (1 - cos 5t)
   in x and y: an independent program found energies up to 22.8, 12.4 of it from loads and gravity
   and 10.4 from the support, and a ledger error of 5.9e-12. */
static void test_cantilever(void)
{
  Problem   p;
  PetscReal greatest = 0;

  CHECK_OK(problem_open(&p, deck_2d, "consistent",
                        "{on: b.left, displacement: [0.1, 0.1],"
                        " wave: {omega: 5, phase: 90, mean: 1, amplitude: -1}},"
                        " {on: b, at: [2, 1], force: [0, 2], wave: {omega: 3}},"
                        " {gravity: [0, -1]}",
                        "midpoint"));
  for (int k = 0; k < 100; k++) {
    CHECK_OK(problem_run(&p, 1, 0.02));
    greatest = PetscMax(greatest, p.audit->kinetic + p.audit->strain);
  }
  printf("cantilever: energy up to %.4g, external work %.4g, gravity %.4g, balance %.1e\n",
         greatest, p.audit->external_work, p.audit->potential0 - p.audit->potential,
         p.audit->balance_max);
  CHECK_NEAR(greatest, 22.8, 0.05);
  CHECK_LESS(p.audit->balance_max, 1e-10 * greatest);
  CHECK_OK(problem_close(&p));
}

/* Constant dead load: its work is load times displacement, whatever the path. */
static void test_dead_load_work(void)
{
  Problem    p;
  PetscReal *u, work = 0;

  CHECK_OK(problem_open(&p, deck_2d, "lumped",
                        "{on: b.left, fix: [x, y]}, {on: b, at: [2, 0.5], force: [3, -1]}",
                        "midpoint"));
  CHECK_OK(problem_run(&p, 50, 0.02));
  u = copy_of(p.model, p.state->u);
  for (PetscInt A = 0; A < p.model->nowned; A++)
    if (p.model->X[2 * A] == 2 && p.model->X[2 * A + 1] == 0.5) work = 3 * u[2 * A] - u[2 * A + 1];
  CHECK_LESS(0.01, work);
  CHECK_NEAR(p.audit->external_work, work, 1e-13);
  CHECK_OK(PetscFree(u));
  CHECK_OK(problem_close(&p));
}

/* A body carried rigidly by all its nodes: the support's work is the kinetic energy. */
static void test_carried_body(void)
{
  Problem p;

  CHECK_OK(problem_open(&p, deck_2d, "consistent", "{on: b, acceleration: [2, 1]}", "midpoint"));
  CHECK_OK(problem_run(&p, 50, 0.02));
  CHECK_NEAR(p.audit->kinetic, 8.93 * 2 * (4 + 1) / 2, 1e-11); /* v = a t, t = 1 */
  CHECK_NEAR(p.audit->external_work, p.audit->kinetic, 1e-11);
  CHECK_NEAR(p.audit->strain, 0, 1e-20);
  CHECK_OK(problem_close(&p));
}

/* Newmark's rule with beta 1/4, gamma 1/2 keeps the energy of linear bodies, with constant loads
   and fixed supports too; other constants do not. */
static void test_newmark_linear(const char *mass, const char *conditions, const char *options,
                                PetscBool keeps)
{
  Problem   p;
  PetscReal relative;

  CHECK_OK(
      problem_open(&p,
                   "carom: 1\ndimension: 2\n"
                   "materials: [{name: m, model: linear, lambda: 130, shear: 43.33, density:"
                   " 8.93}]\nbodies: [{name: b, material: m, mass: %s, velocity_gradient: [[0.4,"
                   " 0.1], [0.2, -0.4]], mesh: {block: {from: [0, 0], to: [2, 1], elements: [8,"
                   " 4]}}}]\nconditions: [%s]\n"
                   "time: {method: newmark, step: 0.02, end: 2, tolerance: 1e-13%s}\n",
                   mass, conditions, options));
  CHECK_OK(problem_run(&p, 100, 0.02));
  relative = p.audit->balance_max / p.audit->energy_scale;
  if (keeps)
    CHECK_LESS(relative, 1e-10);
  else
    CHECK_LESS(1e-5, relative);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  static const char *const plane[] = {
      "{on: b.left, fix: [x, y]}, {on: b.right, traction: [1, 2], ramp: [0, 0.3]}",
      "{on: b.left, fix: [x, y]}, {on: b.top, pressure: 5, wave: {omega: 9}}",
      "{on: b.boundary, pressure: 5, ramp: [0, 0.2]}",
      "{on: b.left, fix: [x, y]}, {on: b, at: [2, 1], force: [0, 2], wave: {omega: 3}}",
      "{on: b.left, fix: [x, y]}, {on: b.right, force: [1, 2], table: [[0, 0], [0.1, 3], [0.3, 1]]}",
      "{on: b.left, displacement: [0.1, 0.2], ramp: [0, 0.3]}",
      "{on: b.left, displacement: [~, 0.2], wave: {omega: 9, phase: 30}}",
      "{on: b.left, displacement: [0.1, 0.2], table: [[0, 0], [0.1, 1], [0.3, -1], [0.31, 0]]}",
      "{on: b.left, velocity: [0.2, ~], acceleration: [~, -1]}",
      "{on: b.left, displacement: [0.3, 0], ramp: [0, 0.3], until: 0.4}", /* released */
      "{on: b.right, traction: [1, 2], until: 0.3}, {on: b.left, fix: [x, y], from: 0.3}",
      "{on: b.left, fix: [x, y]}, {gravity: [1, -2]}",
      "{on: b.left, fix: [x, y]}, {gravity: [1, -2], ramp: [0, 0.2]}",
      "{gravity: [0, -1]}, {gravity: [3, 0], from: 0.1, until: 0.3}",
  };
  static const char *const space[] = {
      "{on: b.left, fix: [x, y, z]}, {on: b.right, traction: [1, 2, 1], ramp: [0, 0.3]}",
      "{on: b.left, fix: [x, y, z]}, {on: b.top, pressure: 5, wave: {omega: 9}}",
      "{on: b.boundary, pressure: 5, ramp: [0, 0.2]}",
      "{on: b.left, displacement: [0.1, 0.2, 0.1], wave: {omega: 5}}, {gravity: [0, 0, -1]}",
      "{on: b.left, velocity: [0.2, ~, 0], acceleration: [~, -1, 1]}, {on: b.right, force: [0, 0, 1]}",
  };

  if (check_start(argc, argv)) return 1;
  for (int m = 0; m < 2; m++) {
    const char *mass = m ? "consistent" : "lumped";

    for (size_t k = 0; k < sizeof plane / sizeof *plane; k++) test_balance(deck_2d, mass, plane[k]);
    for (size_t k = 0; k < sizeof space / sizeof *space; k++) test_balance(deck_3d, mass, space[k]);
    test_newmark_linear(mass, "", "", PETSC_TRUE);
    test_newmark_linear(mass, "{on: b.left, fix: [x, y]}, {on: b.right, traction: [1, 1]}", "",
                        PETSC_TRUE);
    test_newmark_linear(mass, "{on: b.left, fix: [x, y]}, {gravity: [1, 1]}", "", PETSC_TRUE);
    test_newmark_linear(mass, "", ", beta: 0.3, gamma: 0.6", PETSC_FALSE);
  }
  test_cantilever();
  test_dead_load_work();
  test_carried_body();
  return check_end();
}
