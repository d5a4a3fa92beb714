/* The bi-potential method against its own laws (theory 17): Coulomb's law and the law of contact for
   single nodes, the energy identity, what each level promises, options, stacks that contact alone
   holds. */
#include "model_from_text.h"

/* A linear block that comes down on a floor at an angle, turning. */
static PetscErrorCode open_throw(Problem *p, const char *model, const char *level,
                                 const char *options, PetscReal mu)
{
  PetscFunctionBeginUser;
  PetscCall(
      problem_open(p,
                   "carom: 1\ndimension: 2\n"
                   "materials: [{name: m, model: %s, young: 1000, poisson: 0.3, density: 1}]\n"
                   "bodies: [{name: b, material: m, velocity: [2, -3], spin: 1, mass: consistent,"
                   " mesh: {block: {from: [0, 0.02], to: [2, 1], elements: [8, 4]}}}]\n"
                   "obstacles: [{name: o, plane: {point: [0, 0], normal: [0, 1]}}]\n"
                   "contact: [{between: [b.bottom, o], friction: %g}]\n"
                   "time: {method: bipotential, level: %s, step: 0.004, end: 1%s}\n",
                   model, (double)mu, level, options));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Coulomb's law node by node, from the forces that output shows; and the impulse of all of them. */
static void check_forces(const Problem *p, PetscReal mu, PetscReal h, PetscReal impulse[2])
{
  for (PetscInt A = 0; A < p->model->nowned; A++) {
    const PetscReal *f = p->contact->picture->force + 2 * A;

    CHECK(f[1] >= 0);
    CHECK(PetscAbsReal(f[0]) <= mu * f[1] * (1 + 1e-9));
    for (int i = 0; i < 2; i++) impulse[i] += h * f[i];
  }
}

/* Gap level: a node is pressed or apart, never both. */
static void check_complementary(const Problem *p, PetscReal bound)
{
  for (PetscInt k = 0; k < p->contact->npoints; k++)
    if (p->contact->picture->status[k] && p->contact->picture->pressure[k] > 0)
      CHECK_NEAR(p->contact->picture->gap[k], 0, bound);
}

static void test_level(const char *model, const char *level, PetscReal mu)
{
  const PetscReal h = 0.004;
  Problem         p;
  CrStepReport    report;
  PetscReal       impulse[2] = {0}, E, bound = strcmp(model, "linear") ? 1e-10 : 1e-12;
  PetscInt        pressed = 0, iterations = 0;
  int             before = check_failures;

  CHECK_OK(open_throw(&p, model, level, ", impact_energy: lost", mu));
  if (check_failures > before) return;
  E = p.audit->energy0;
  for (int k = 0; k < 100; k++) {
    CHECK_OK(problem_step(&p, h, &report));
    CHECK(report.reason == CR_STEP_OK);
    check_forces(&p, mu, h, impulse);
    if (!strcmp(level, "gap")) check_complementary(&p, 1e-2 * bound);
    if (strcmp(level, "velocity")) CHECK_LESS(-1e-13 * E, report.friction_loss);
    pressed += report.contacts > 0;
    iterations = PetscMax(iterations, report.iterations);
  }
  CHECK(pressed > 10);
  if (!strcmp(model, "linear")) CHECK(iterations == 1); /* flat floor, constant matrix */
  CHECK_LESS(p.audit->defect_max / E, bound);
  for (int i = 0; i < 2; i++)
    CHECK_NEAR(p.audit->momentum[i] - p.audit->momentum0[i], impulse[i], 1e-10);
  if (!strcmp(level, "increment")) CHECK_LESS(PetscAbsReal(p.audit->contact_work) / E, bound);
  if (strcmp(level, "increment")) CHECK_LESS(p.audit->contact_work / E, -1e-6); /* nodes arrive */
  if (!strcmp(level, "gap")) CHECK_LESS(p.audit->deepest, 1e-2 * bound);
  if (mu > 0)
    CHECK_LESS(1e-4 * E, p.audit->friction_loss);
  else
    CHECK(p.audit->friction_loss == 0);
  printf("%s, %s, mu %g: defect %.1e, normal work %.2e, loss %.2e, penetration %.1e\n", model,
         level, (double)mu, (double)(p.audit->defect_max / E), (double)(p.audit->contact_work / E),
         (double)(p.audit->friction_loss / E), (double)p.audit->deepest);
  CHECK_OK(problem_close(&p));
}

/* ---- options */

static PetscReal *positions(const char *options, PetscReal *change, PetscInt *n)
{
  Problem    p;
  PetscReal *u = NULL;

  *n = 0;
  CHECK_OK(open_throw(&p, "linear", "gap", options, 0.2));
  CHECK_OK(problem_run(&p, 60, 0.004));
  *change = p.audit->defect / p.audit->energy0;
  *n = p.model->nowned * 2;
  u = copy_of(p.model, p.state->u);
  CHECK_OK(problem_close(&p));
  return u;
}

/* For linear bodies both kinds of internal force are one and the same at theta = xi = 1/2; more of
   either damps. */
static void test_options(void)
{
  PetscReal same, both, theta, xi, *u, *v, *w, *x;
  PetscInt  n;
  PetscReal off = 0;

  u = positions("", &same, &n);
  v = positions(", internal: trapezoid", &both, &n);
  for (PetscInt k = 0; k < n; k++) off = PetscMax(off, PetscAbsReal(u[k] - v[k]));
  CHECK_LESS(off, 1e-11);
  CHECK_LESS(PetscAbsReal(both), 1e-12);
  w = positions(", internal: trapezoid, theta: 0.7", &theta, &n);
  x = positions(", internal: trapezoid, xi: 0.7", &xi, &n);
  CHECK_LESS(theta, -1e-4);
  CHECK_LESS(xi, -1e-4);
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(v));
  CHECK_OK(PetscFree(w));
  CHECK_OK(PetscFree(x));
}

/* ---- a graph of bodies that nothing but contact holds */

/* Blocks on each other, rough, pressed on the topmost: every pair carries the whole load. */
static void test_stack(PetscInt dim)
{
  const char *decks[] = {
      "dimension: 2\n"
      "materials: [{name: m, model: linear, young: 1000, poisson: 0, density: 1}]\nbodies:\n"
      "  - {name: a, material: m, mesh: {block: {from: [0, 0], to: [2, 1], elements: [6, 3]}}}\n"
      "  - {name: b, material: m, mesh: {block: {from: [0, 1], to: [2, 2], elements: [4, 2]}}}\n"
      "  - {name: c, material: m, mesh: {block: {from: [0, 2], to: [2, 3], elements: [4, 2]}}}\n"
      "obstacles: [{name: o, plane: {point: [0, 0], normal: [0, 1]}}]\n"
      "contact: [{between: [a.bottom, o], friction: 0.5}, {between: [a.top, b.bottom], friction: "
      "0.5}, {between: [b.top, c.bottom], friction: 0.5}]\n"
      "conditions: [{on: c.top, traction: [3, -10], ramp: [0, 1]}]\n",
      "dimension: 3\n"
      "materials: [{name: m, model: linear, young: 1000, poisson: 0, density: 1}]\nbodies:\n"
      "  - {name: a, material: m, mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: [4, 2, "
      "1]}}}\n"
      "  - {name: b, material: m, mesh: {block: {from: [0, 0, 1], to: [2, 1, 2], elements: [2, 1, "
      "1]}}}\n"
      "obstacles: [{name: o, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
      "contact: [{between: [a.bottom, o], friction: 0.5}, {between: [a.top, b.bottom], friction: "
      "0.5}]\n"
      "conditions: [{on: b.top, traction: [2, 1, -10], ramp: [0, 1]}]\n"};
  const PetscReal load[2][3] = {{-6, 20, 0}, {-4, -2, 20}};
  Problem         p;
  CrStepReport    report;
  int             before = check_failures;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\n%stime: {method: bipotential, analysis: quasi-static, step: 0.25, end: 1.25}\n",
      decks[dim - 2]));
  if (check_failures > before) return;
  for (int k = 0; k < 5; k++) { /* four of loading, one of rest */
    CHECK_OK(problem_step(&p, 0.25, &report));
    CHECK(report.reason == CR_STEP_OK);
    CHECK(report.sticking > 0);
    CHECK_LESS(-1e-10 * p.audit->strain, report.friction_loss); /* what Newton's tolerance leaves */
  }
  /* on the slave: for the first pair what the floor does, for the others what is below on what is
     above, turned round, since the slave is the lower one */
  for (PetscInt k = 0; k < p.contact->npairs; k++)
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(p.contact->picture->tally.pairs[k].force[i], (k ? -1 : 1) * load[dim - 2][i],
                 1e-7);
  CHECK_LESS(p.audit->deepest, 1e-9);
  CHECK_LESS(p.audit->balance_max, 1e-3 * p.audit->strain); /* path error of four steps */
  CHECK_OK(problem_close(&p));
}

/* ---- nothing depends on old matrices */

static PetscErrorCode run_steps(Problem *p, PetscInt restart)
{
  CrStepReport report;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < 40; k++) {
    if (restart && k % restart == 0) PetscCall(CrIntegratorResume(p->it, p->model, p->state));
    PetscCall(problem_step(p, 0.004, &report));
    CHECK(report.reason == CR_STEP_OK);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a restart computes again is, bit by bit, what was there. */
static void test_matrix_again(void)
{
  Problem    a, b;
  PetscReal *u, *v;

  CHECK_OK(open_throw(&a, "neo-hookean", "gap", "", 0.3));
  CHECK_OK(open_throw(&b, "neo-hookean", "gap", "", 0.3));
  CHECK_OK(run_steps(&a, 0));
  CHECK_OK(run_steps(&b, 3));
  u = copy_of(a.model, a.state->u);
  v = copy_of(b.model, b.state->u);
  CHECK(!memcmp(u, v, sizeof(PetscReal) * (size_t)(a.model->nlocal * 2)));
  CHECK(a.audit->max_contacts > 0);
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(v));
  CHECK_OK(problem_close(&a));
  CHECK_OK(problem_close(&b));
}

/* Energy that nodes lose at impact is returned: contact never gives more than it took, takes less in the end than
   without it, and all that holds without it holds, but that a point which is pushed off is pressed and apart. */
static void test_returned(const char *model, PetscReal mu)
{
  const PetscReal h = 0.004;
  PetscReal       taken[2], impulse[2] = {0};
  int             before = check_failures, returned = 0;

  for (int lost = 0; lost < 2; lost++) {
    Problem      p;
    CrStepReport report;
    PetscReal    E;

    CHECK_OK(open_throw(&p, model, "gap", lost ? ", impact_energy: lost" : "", mu));
    if (check_failures > before) return;
    E = p.audit->energy0;
    impulse[0] = impulse[1] = 0;
    for (int k = 0; k < 200; k++) {
      CHECK_OK(problem_step(&p, h, &report));
      CHECK(report.reason == CR_STEP_OK);
      check_forces(&p, mu, h, impulse);
      CHECK_LESS(-1e-13 * E, report.friction_loss);
      CHECK_LESS(p.audit->contact_work, 1e-12 * E);
      if (lost) CHECK_LESS(report.contact_work, 1e-12 * E);
      returned += report.contact_work > 1e-4 * E;
    }
    CHECK_LESS(p.audit->defect_max / E, 1e-10);
    CHECK_LESS(p.audit->deepest, 1e-12);
    for (int i = 0; i < 2; i++)
      CHECK_NEAR(p.audit->momentum[i] - p.audit->momentum0[i], impulse[i], 1e-10);
    taken[lost] = -p.audit->contact_work / E;
    CHECK_OK(problem_close(&p));
  }
  CHECK(returned > 0);
  CHECK_LESS(taken[0], 0.7 * taken[1]);
  printf("returned, %s, mu %g: contact takes %.2e of the energy, %.2e without\n", model, (double)mu,
         (double)taken[0], (double)taken[1]);
}

int main(int argc, char **argv)
{
  const char *levels[] = {"gap", "increment", "velocity"};

  if (check_start(argc, argv)) return 1;
  for (int k = 0; k < 3; k++) {
    test_level("linear", levels[k], 0.3);
    test_level("linear", levels[k], 0);
    test_level("saint-venant-kirchhoff", levels[k], 0.3);
  }
  test_returned("linear", 0.3);
  test_returned("neo-hookean", 0);
  test_returned("saint-venant-kirchhoff", 0.3);
  test_options();
  test_stack(2);
  test_stack(3);
  test_matrix_again();
  return check_end();
}
