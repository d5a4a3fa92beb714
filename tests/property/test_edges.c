/* Two free bars that cross edge on edge: no node comes near a facet of the other bar, so edges alone hold them. Under
   every spring method they bounce, momenta and the ledger stay exact, also where the crossing slides over nodes. Without
   sharp edges, or one way, they pass through each other. */
#include "base/vector.h"
#include "contact/touch/touch.h"
#include "model_from_text.h"

#define STEP 0.01

/* The upper bar has the length along x, the lower one along y. Both stand on an edge. */
static PetscErrorCode open_bars(Problem *p, const char *method, const char *type, int elements,
                                const char *velocity, const char *pair)
{
  return problem_open(
      p,
      "carom: 1\ndimension: 3\n"
      "materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 1}]\n"
      "bodies:\n"
      "  - {name: a, material: m, velocity: %s, angle: 45, axis: [1, 0, 0], position: [0.07, 0.03, "
      "0.7171], mesh: {block: {from: [-1.5, -0.25, -0.25], to: [1.5, 0.25, 0.25], elements: [%d, "
      "1, 1], type: %s}}}\n"
      "  - {name: b, material: m, angle: 45, axis: [0, 1, 0], mesh: {block: {from: [-0.25, -1.5, "
      "-0.25], to: [0.25, 1.5, 0.25], elements: [1, %d, 1], type: %s}}}\n"
      "contact: [{between: [a, b]%s}]\n"
      "time: {method: %s, step: 0.01, end: 1, tolerance: 1.0e-12}\n",
      velocity, elements, type, elements, type, pair, method);
}

typedef struct {
  PetscInt  pressed, edges, handed; /* steps; of them by edges; springs that were passed on */
  PetscInt  halved;                 /* steps that were done as two halves */
  PetscReal least_loss, deepest;
} Record;

static void note(const Problem *p, const CrStepReport *report, Record *r)
{
  const CrContact *c = p->contact;
  PetscBool        edge = PETSC_FALSE;

  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    const CrTouch *touch = &c->work->touches[k];

    if (touch->idle || c->passes[touch->pass].kind != CR_EDGE_ON_EDGE) continue;
    if (touch->out.p > 0) edge = PETSC_TRUE;
    r->handed += touch->inherits;
  }
  r->pressed += report->contacts > 0;
  r->edges += edge;
  r->least_loss = PetscMin(r->least_loss, report->friction_loss);
  r->deepest = PetscMax(r->deepest, report->max_penetration);
}

static void go(Problem *p, int steps, Record *r)
{
  CrStepReport report;

  *r = (Record){0};
  for (int k = 0; k < steps; k++) {
    CHECK_OK(problem_step(p, STEP, &report));
    if (report.reason == CR_STEP_OK) {
      note(p, &report, r);
      continue;
    }
    r->halved++;
    for (int half = 0; half < 2; half++) {
      CHECK_OK(problem_step(p, STEP / 2, &report));
      CHECK(report.reason == CR_STEP_OK);
      note(p, &report, r);
    }
  }
}

static PetscReal height(const Problem *p)
{
  return p->audit->bodies[0].x[2] - p->audit->bodies[1].x[2];
}

/* Momentum of the upper bar over that of the start: half of it if nothing bounces, 0 if all is given away. */
static PetscReal kept(const Problem *p)
{
  return p->audit->bodies[0].momentum[2] / p->audit->momentum0[2];
}

static void check_momenta(const Problem *p, const CrIntegratorOps *ops)
{
  PetscReal L = v_length(p->audit->momentum0), J = 0;

  for (int b = 0; b < 2; b++) J += v_length(p->audit->bodies[b].angular);
  if (ops->claims & CR_KEEPS_LINEAR) CHECK_LESS(p->audit->momentum_drift / L, 1e-10);
  if (ops->claims & CR_KEEPS_ANGULAR) CHECK_LESS(p->audit->angular_drift / J, 1e-10);
}

/* The upper bar comes down with 1. Two equal bars share its momentum as soon as they no longer approach each other. */
static void test_bounce(const char *method, const char *type, PetscBool friction)
{
  const PetscBool exact = !strcmp(method, "dissipative") || !strcmp(method, "velocity-update");
  Problem         p;
  Record          r;
  int             before = check_failures;

  CHECK_OK(open_bars(&p, method, type, 3, friction ? "[0.5, 0.3, -1]" : "[0, 0, -1]",
                     friction ? ", friction: 0.3" : ""));
  if (check_failures > before) return;
  go(&p, 40, &r);
  CHECK(r.edges >= 3);
  CHECK(r.halved <= (strcmp(method, "velocity-update") ? 0 : 1)); /* impulses of many points */
  CHECK_LESS(0.3, height(&p)); /* 0.7171 - 0.4 if nothing had happened */
  CHECK_LESS(kept(&p), 0.65);
  CHECK_LESS(r.deepest, 0.05);
  check_momenta(&p, p.it->ops);
  if (exact) CHECK_LESS(p.audit->balance_max / p.audit->energy0, 1e-9);
  if (exact) CHECK_LESS(-1e-13, r.least_loss);
  if (exact && friction) CHECK_LESS(1e-4, p.audit->friction_loss);
  if (exact && !friction) CHECK(p.audit->friction_loss == 0);
  printf("%s, %s, %s: %d steps by edges, depth %.1e, kept %.3f, loss %.1e, balance %.0e, L %.0e, J "
         "%.0e\n",
         method, type, friction ? "rough" : "smooth", (int)r.edges, (double)r.deepest,
         (double)kept(&p), (double)p.audit->friction_loss,
         (double)(p.audit->balance_max / p.audit->energy0), (double)p.audit->momentum_drift,
         (double)p.audit->angular_drift);
  CHECK_OK(problem_close(&p));
}

/* Seven elements, and the upper bar moves along: the crossing slides over nodes of both bars. */
static PetscInt test_slide(const char *type, PetscBool friction)
{
  Problem p;
  Record  r;
  int     before = check_failures, took_part = 0;

  CHECK_OK(open_bars(&p, "dissipative", type, 7, "[3, 2, -1]", friction ? ", friction: 0.3" : ""));
  if (check_failures > before) return 0;
  go(&p, 40, &r);
  for (PetscInt k = 0; k < p.contact->npasses; k++)
    for (PetscInt i = 0; p.contact->passes[k].kind == CR_EDGE_ON_EDGE && i < p.contact->passes[k].n;
         i++)
      took_part += p.contact->past.touched[p.contact->passes[k].first + i];
  CHECK(took_part >= 4 && !r.halved); /* two of each bar */
  check_momenta(&p, p.it->ops);
  CHECK_LESS(p.audit->balance_max / p.audit->energy0, 1e-9);
  CHECK_LESS(-1e-13, r.least_loss);
  CHECK_LESS(0.3, height(&p));
  CHECK_LESS(r.deepest, 0.05);
  if (!friction) CHECK_LESS(p.audit->friction_loss, 5e-3 * p.audit->energy0); /* dropped */
  printf(
      "slide, %s, %s: %d edges, %d springs passed on, depth %.1e, loss %.2e, balance %.0e, J %.0e\n",
      type, friction ? "rough" : "smooth", took_part, (int)r.handed, (double)r.deepest,
      (double)p.audit->friction_loss, (double)(p.audit->balance_max / p.audit->energy0),
      (double)p.audit->angular_drift);
  CHECK_OK(problem_close(&p));
  return r.handed;
}

/* What the test of bounces would see if edges did not touch: free flight. */
static void test_off(const char *pair)
{
  Problem p;
  Record  r;
  int     before = check_failures;

  CHECK_OK(open_bars(&p, "dissipative", "H8", 3, "[0, 0, -1]", pair));
  if (check_failures > before) return;
  go(&p, 40, &r);
  CHECK(r.pressed == 0);
  CHECK_NEAR(kept(&p), 1, 1e-12);
  CHECK_NEAR(height(&p), 0.7171 - 40 * STEP, 1e-10);
  CHECK_OK(problem_close(&p));
}

/* The order of names, and the bodies in the other order, change nothing. */
static void test_swap(void)
{
  Problem p[2];
  Record  r;

  CHECK_OK(open_bars(&p[0], "dissipative", "H8", 3, "[0.5, 0.3, -1]", ", friction: 0.3"));
  CHECK_OK(problem_open(
      &p[1],
      "carom: 1\ndimension: 3\n"
      "materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 1}]\n"
      "bodies:\n"
      "  - {name: a, material: m, velocity: [0.5, 0.3, -1], angle: 45, axis: [1, 0, 0], position: "
      "[0.07, 0.03, 0.7171], mesh: {block: {from: [-1.5, -0.25, -0.25], to: [1.5, 0.25, 0.25], "
      "elements: [3, 1, 1]}}}\n"
      "  - {name: b, material: m, angle: 45, axis: [0, 1, 0], mesh: {block: {from: [-0.25, -1.5, "
      "-0.25], to: [0.25, 1.5, 0.25], elements: [1, 3, 1]}}}\n"
      "contact: [{between: [b, a], friction: 0.3}]\n"
      "time: {method: dissipative, step: 0.01, end: 1, tolerance: 1.0e-12}\n"));
  for (int k = 0; k < 2; k++) go(&p[k], 30, &r);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(p[0].audit->bodies[0].momentum[i], p[1].audit->bodies[0].momentum[i], 1e-12);
  for (int k = 0; k < 2; k++) CHECK_OK(problem_close(&p[k]));
}

/* Both bars in one body, which is pressed together: self-contact. */
static void test_self(const char *pair, PetscBool holds)
{
  Problem p;
  Record  r;
  int     before = check_failures;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\n"
      "materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 1}]\n"
      "bodies: [{name: c, material: m, velocity_gradient: [[0, 0, 0], [0, 0, 0], [0, 0, -1.4]], "
      "mesh: {file: " CR_TEST_DATA "/crossed-bars.msh}}]\n"
      "contact: [{between: [c, c], friction: 0.2%s}]\n"
      "time: {method: dissipative, step: 0.01, end: 1, tolerance: 1.0e-12}\n",
      pair));
  if (check_failures > before) return;
  go(&p, 30, &r);
  CHECK(holds ? r.edges >= 3 : r.pressed == 0);
  CHECK_LESS(p.audit->balance_max / p.audit->energy0, 1e-9);
  CHECK_LESS(p.audit->momentum_drift, 1e-12);
  CHECK_LESS(p.audit->angular_drift, 1e-12);
  CHECK_LESS(r.deepest, 0.05);
  CHECK_OK(problem_close(&p));
}

/* ---- blocks thrown at each other --------------------------------------------------------------- */

static double uniform(double lo, double hi)
{
  static unsigned long long seed = 8;

  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return lo + (hi - lo) * ((seed >> 11) * (1.0 / 9007199254740992.0));
}

/* A block of random sides, elements, direction and spin, at a height and with a velocity along z. */
static void random_block(char *text, size_t size, const char *name, double height, double velocity)
{
  static const char *const types[3] = {"H8", "T4", "T10"};
  const double             a = uniform(0.3, 0.6), b = uniform(0.3, 0.6), c = uniform(0.3, 0.6);

  snprintf(
      text, size,
      "  - {name: %s, material: m, velocity: [%g, %g, %g], spin: [%g, %g, %g], angle: %g, axis: "
      "[%g, %g, %g], position: [%g, %g, %g], mesh: {block: {from: [%g, %g, %g], to: [%g, %g, "
      "%g], elements: [%d, %d, %d], type: %s}}}\n",
      name, uniform(-0.5, 0.5), uniform(-0.5, 0.5), velocity, uniform(-2, 2), uniform(-2, 2),
      uniform(-2, 2), uniform(0, 180), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1),
      uniform(-0.2, 0.2), uniform(-0.2, 0.2), height, -a, -b, -c, a, b, c, (int)uniform(1, 4),
      (int)uniform(1, 4), (int)uniform(1, 4), types[(int)uniform(0, 3)]);
}

/* The deepest of the edges that press at the end of a step. */
static PetscReal deepest_edge(const Problem *p)
{
  PetscReal deepest = 0;

  for (PetscInt k = 0; k < p->contact->npasses; k++) {
    const CrPass *pass = &p->contact->passes[k];

    for (PetscInt i = pass->first; pass->kind == CR_EDGE_ON_EDGE && i < pass->first + pass->n; i++)
      if (p->contact->picture->status[i]) deepest = PetscMin(deepest, p->contact->picture->gap[i]);
  }
  return deepest;
}

static void note_throw(Problem *p, const CrStepReport *report, PetscReal h, void *deepest)
{
  (void)report, (void)h;
  *(PetscReal *)deepest = PetscMin(*(PetscReal *)deepest, deepest_edge(p));
}

/* Corners, edges and faces in any order: the ledger and the momenta hold through every change of features, and no edge
   takes over where it is not. Blocks are about 1 wide. Returns 1 if edges pressed. */
static int test_throw(int number)
{
  char      a[640], b[640];
  Problem   p;
  PetscReal deepest = 0;
  PetscInt  rejected;
  int       before = check_failures;

  random_block(a, sizeof a, "a", 1.7, -2.5);
  random_block(b, sizeof b, "b", 0, 0);
  CHECK_OK(
      problem_open(&p,
                   "carom: 1\ndimension: 3\n"
                   "materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: "
                   "1}]\nbodies:\n%s%scontact: [{between: [a, b], friction: %g}]\n"
                   "time: {method: dissipative, step: 0.01, end: 0.6, tolerance: 1.0e-12}\n",
                   a, b, number % 2 ? 0.3 : 0.));
  if (check_failures > before) return 0;
  CHECK_OK(problem_watch(&p, note_throw, &deepest, &rejected));
  CHECK_LESS(p.audit->balance_max / p.audit->energy0, 1e-9);
  CHECK_LESS(p.audit->energy_max_gain / p.audit->energy0, 1e-9);
  CHECK_LESS(p.audit->momentum_drift / v_length(p.audit->momentum0), 1e-10);
  CHECK_LESS(p.audit->angular_drift / v_length(p.audit->momentum0), 1e-10);
  CHECK_LESS(-0.05, deepest);
  printf("throw %d: edges %.1e deep, balance %.0e, L %.0e, J %.0e, %d rejected\n", number,
         (double)-deepest, (double)(p.audit->balance_max / p.audit->energy0),
         (double)p.audit->momentum_drift, (double)p.audit->angular_drift, (int)rejected);
  CHECK_OK(problem_close(&p));
  return deepest < 0;
}

int main(int argc, char **argv)
{
  static const char *const methods[] = {"dissipative", "velocity-update", "midpoint", "newmark"};

  PetscInt handed = 0;
  int      pressed = 0;

  if (check_start(argc, argv)) return 1;
  for (int m = 0; m < 4; m++)
    for (int friction = 0; friction < 2; friction++) test_bounce(methods[m], "H8", friction);
  for (int friction = 0; friction < 2; friction++) {
    test_bounce("dissipative", "T4", friction);
    test_bounce("dissipative", "T10", friction);
    test_bounce("velocity-update", "T10", friction);
    handed += test_slide("H8", friction);
    handed += test_slide("T4", friction);
    handed += test_slide("T10", friction);
  }
  CHECK(handed >= 3);
  test_off(", corner: 95"); /* edges of 90 degrees are not above that */
  test_off(", sides: first");
  test_swap();
  test_self("", PETSC_TRUE);
  test_self(", corner: 95", PETSC_FALSE);
  for (int k = 0; k < 30; k++) pressed += test_throw(k);
  CHECK(pressed >= 15);
  return check_end();
}
