/* Explicit contact by multipliers on free bodies that meet, slide, spin and part: momenta and the
   identity of the works hold whatever the algorithm, the constraint and the number of iterations
   (theory 19.3); without friction `sym` keeps the angular momentum; contact gives no energy. And the
   iteration itself: all solvers find the same velocities, also for light masters and two passes. */
#include "base/vector.h"
#include "contact/multipliers/press.h"
#include "model_from_text.h"

#define SVK "{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}"
#define NEO "{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}"

typedef struct {
  const char *name, *deck; /* %s: friction */
  PetscReal   h;           /* 0.8 of the element bound, about */
  PetscInt    n;
} Case;

static const Case cases[] = {
    {"two discs",
     "dimension: 2\nmaterials: [{name: m, model: saint-venant-kirchhoff, lambda: 130, shear: "
     "43.33, "
     "density: 8.93}]\nbodies:\n"
     "  - {name: a, material: m, velocity: [1, 0.1], mesh: {disc: {center: [-1.2, 0], radius: 1, "
     "core: 4, rings: 2}}}\n"
     "  - {name: b, material: m, mesh: {disc: {center: [1.2, 0], radius: 1, core: 4, rings: 2}}}\n"
     "contact: [{between: [a, b]%s}]\n",
     0.0224, 98},
    {"blocks in the plane",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, -2], spin: 2, angle: 10, mesh: {block: {from: "
     "[-0.6, "
     "0.07], to: [0.6, 0.8], elements: [7, 4]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [13, 4], "
     "type: T3}}}\ncontact: [{between: [a, b]%s}]\n",
     0.0074, 80},
    {"H8 on T4, heavy on light",
     "dimension: 3\nmaterials: [" SVK ", {name: light, model: saint-venant-kirchhoff, lambda: 20, "
     "shear: 15, density: 0.2}]\nbodies:\n"
     "  - {name: a, material: m, velocity: [1, 0.4, -1.5], spin: [0, 0, 2], mesh: {block: {from: "
     "[-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], elements: [4, 4, 2]}}}\n"
     "  - {name: b, material: light, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], "
     "elements: [5, 5, 1], type: T4}}}\ncontact: [{between: [a.bottom, b.top]%s}]\n",
     0.012, 50},
    {"two passes",
     "dimension: 3\nmaterials: [" SVK "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, 1, -1.5], spin: [0, 0, 2], mesh: {block: {from: "
     "[-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], elements: [2, 2, 1]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-1.5, -1.5, -1], to: [1.5, 1.5, 0], "
     "elements: "
     "[4, 4, 1]}}}\ncontact: [{between: [a.bottom, b.top], passes: 2%s}]\n",
     0.022, 26},
    {"balls",
     "dimension: 3\nmaterials: [{name: m, model: saint-venant-kirchhoff, lambda: 1000, shear: 500, "
     "density: 2}]\nbodies:\n"
     "  - {name: a, material: m, velocity: [2, 0.4, 0.2], spin: [0, 1, 5], mesh: {ball: {center: "
     "[-1, 0, 0], radius: 1, elements: 3}}}\n"
     "  - {name: b, material: m, mesh: {ball: {center: [0.9, 0.55, 0.35], radius: 1, elements: "
     "3}}}\n"
     "contact: [{between: [a, b]%s}]\n",
     0.0058, 77},
    {"edge on edge",
     "dimension: 3\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [0.3, 0.2, -1.5], spin: [0, 0, 0.3], axis: [1, 0, 0], "
     "angle: 45, position: [0.02, 0.03, 0.37], mesh: {block: {from: [-1, -0.25, -0.25], to: [1, "
     "0.25, 0.25], elements: [7, 2, 2]}}}\n"
     "  - {name: b, material: m, axis: [0, 1, 0], angle: 45, position: [0, 0, -0.36], mesh: {block: "
     "{from: [-0.25, -1, -0.25], to: [0.25, 1, 0.25], elements: [2, 5, 2]}}}\n"
     "contact: [{between: [a, b]%s}]\n",
     0.0023, 160},
    {"jaws",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: c, material: m, velocity: [1, 0.5], spin: 1, velocity_gradient: [[0, 0.5], [0, "
     "-4]], mesh: {file: " CR_TEST_DATA "/jaws-2d.msh}}\ncontact: [{between: [c, c]%s}]\n",
     0.00248, 121},
    {"three bodies",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, 0], spin: 3, mesh: {disc: {center: [-1.2, 0.1], "
     "radius: 0.5, core: 3, rings: 2}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-0.65, -0.5], to: [0.3, 0.5], elements: [4, "
     "5]}}}\n"
     "  - {name: c, material: m, velocity: [-1, 0.1], spin: -2, mesh: {block: {from: [0.35, -0.6], "
     "to: [1, 0.3], elements: [3, 5]}}}\ncontact: [{default: {passes: 2%s}}]\n",
     0.005, 118},
};

#define NCASES (int)(sizeof cases / sizeof cases[0])

/* ---- invariants ------------------------------------------------------------------------------ */

static void test_case(const Case *c, const char *options, PetscBool friction)
{
  char         deck[4096];
  Problem      p;
  CrStepReport report;
  PetscReal    L = 0, J = 0, E;
  PetscInt     touching = 0, before = check_failures;

  snprintf(deck, sizeof deck, c->deck, friction ? ", friction: 0.3" : "");
  CHECK_OK(problem_open(&p, "carom: 1\n%stime: {method: explicit, step: %.17g, end: %.17g, %s}\n",
                        deck, (double)c->h, (double)(c->h * (PetscReal)c->n), options));
  if (check_failures > before) return;
  for (PetscInt k = 0; k < c->n; k++) {
    CHECK_OK(problem_step(&p, c->h, &report));
    CHECK(report.reason == CR_STEP_OK);
    touching += report.contacts > 0;
    if (check_failures > before) break;
  }
  for (PetscInt b = 0; b < p.model->nbodies; b++) {
    L += v_length(p.audit->bodies[b].momentum);
    J += v_length(p.audit->bodies[b].angular);
  }
  E = p.audit->energy0;
  CHECK(touching > 2);
  CHECK_LESS(p.audit->momentum_drift / L, 1e-12);
  CHECK_LESS(p.audit->defect_max / E, 1e-11);
  CHECK_LESS(p.audit->energy_max_gain / E, 2e-3); /* drift of central differences */
  CHECK_LESS(p.audit->contact_work / E, 1e-3);    /* no overlaps are thrown out */
  if (strstr(options, "sym") && !friction) CHECK_LESS(p.audit->angular_drift / J, 1e-12);
  printf("%s, %s, %s: E %.6g -> %.6g, loss %.3g, W_N %.3g, defect %.1e, L %.1e, J %.1e, deepest "
         "%.1e\n",
         c->name, options, friction ? "friction" : "smooth", (double)E, (double)p.audit->energy,
         (double)p.audit->friction_loss, (double)p.audit->contact_work,
         (double)(p.audit->defect_max / E), (double)(p.audit->momentum_drift / L),
         (double)(p.audit->angular_drift / J), (double)p.audit->deepest);
  CHECK_OK(problem_close(&p));
}

/* ---- a step that fails ----------------------------------------------------------------------- */

/* A leap over much of a facet is refused, and everything is as before: the same steps in smaller
   parts end where they would have ended. */
static void test_leap(void)
{
  const char  *deck = "carom: 1\ndimension: 2\n"
                      "materials: [{name: m, young: 1.0e6, poisson: 0, density: 1}]\nbodies:\n"
                      "  - {name: a, material: m, velocity: [0, -100], mesh: {block: {from: [0.3, "
                      "0.3], to: [0.5, 0.5], elements: [2, 2]}}}\n"
                      "  - {name: b, material: m, mesh: {block: {from: [0, -1], to: [1, 0], "
                      "elements: [4, 4]}}}\n"
                      "contact: [{between: [a, b]}]\n"
                      "time: {method: explicit, step: 1.0e-5, end: 1}\n";
  Problem      p, q;
  CrStepReport report;
  PetscReal   *u, *v;

  CHECK_OK(problem_open(&p, "%s", deck));
  CHECK_OK(problem_open(&q, "%s", deck));
  CHECK_OK(problem_step(&p, 1e-2, &report)); /* a whole body length: the lists see it coming */
  CHECK(report.reason == CR_FAIL_METHOD);
  CHECK(p.state->n == 0 && p.state->t == 0);
  for (int k = 0; k < 400; k++) {
    CHECK_OK(problem_step(&p, 1e-5, &report));
    CHECK_OK(problem_step(&q, 1e-5, &report));
  }
  CHECK(q.audit->max_contacts > 0);
  u = copy_of(p.model, p.state->u);
  v = copy_of(q.model, q.state->u);
  CHECK(!memcmp(u, v, sizeof(PetscReal) * (size_t)(p.model->nlocal * 2)));
  CHECK_OK(PetscFree(u));
  CHECK_OK(PetscFree(v));
  CHECK_OK(problem_close(&p));
  CHECK_OK(problem_close(&q));
}

/* ---- the iteration --------------------------------------------------------------------------- */

#define MOST 200

/* An interface of ns slave nodes on nm master segments in the plane, as pairs; two passes: also the
   other way round. Masses of a row of quads; density of the master relative to that of the slave. */
static PetscInt interface(PetscInt ns, PetscInt nm, PetscReal density, PetscBool two,
                          CrPress *pairs, PetscReal *inverse)
{
  PetscInt n = 0;

  for (PetscInt s = 0; s <= ns; s++) inverse[s] = (s % ns ? 1 : 2) * (PetscReal)(ns * ns);
  for (PetscInt m = 0; m <= nm; m++)
    inverse[ns + 1 + m] = (m % nm ? 1 : 2) * (PetscReal)(nm * nm) / density;
  for (int pass = 0; pass < (two ? 2 : 1); pass++) {
    PetscInt na = pass ? nm : ns, nb = pass ? ns : nm, a0 = pass ? ns + 1 : 0,
             b0 = pass ? 0 : ns + 1;

    for (PetscInt s = 0; s <= na; s++, n++) {
      PetscReal at = (PetscReal)(s * nb) / (PetscReal)na;
      PetscInt  f = PetscMin((PetscInt)at, nb - 1);

      pairs[n] = (CrPress){.n = 3, .nodes = {a0 + s, b0 + f, b0 + f + 1}, .mu = 0.3};
      pairs[n].W[0] = 1;
      pairs[n].W[1] = -(1 - (at - (PetscReal)f));
      pairs[n].W[2] = -(at - (PetscReal)f);
      pairs[n].nu[1] = pass ? -1 : 1;
      for (int a = 0; a < 3; a++) pairs[n].flow[a] = pairs[n].W[a] * inverse[pairs[n].nodes[a]];
    }
  }
  return n;
}

/* The contact of pairs alone, without surfaces, in the plane and on one rank. */
typedef struct {
  CrRigid       rigid;
  CrModel       model;
  CrContact     contact;
  CrRigidStep   bodies;
  PetscReal     share[MOST];
  CrMultipliers m;
} Bare;

static void bare_open(PetscInt n, Bare *b)
{
  *b = (Bare){.model = {.dim = 2, .comm = PETSC_COMM_SELF, .nlocal = MOST, .nowned = MOST}};
  b->model.rigid = &b->rigid;
  b->contact.model = &b->model;
  b->m = (CrMultipliers){.contact = &b->contact,
                         .bodies = &b->bodies,
                         .share = b->share,
                         .all = (PetscReal)n};
  CHECK_OK(CrRoundsCreate(&b->model, &b->m.rounds));
}

static void bare_close(Bare *b)
{
  for (PetscInt k = 0; k < MOST; k++) CHECK(b->share[k] == 0);
  CHECK_OK(CrRoundsDestroy(&b->m.rounds));
}

/* Iterations of a solver to 1e-10 from a random start; v: the velocities found. */
static PetscInt solve(CrInner inner, PetscInt n, CrPress *pairs, PetscInt nodes, PetscReal *v)
{
  CrMultiplierOptions options = {.inner = inner, .iterations = 20000, .tolerance = 1e-10};
  CrPressList         list = {.pairs = pairs, .n = n};
  unsigned            seed = 7;
  PetscInt            taken = 0;
  Bare                bare;

  for (PetscInt k = 0; k < nodes; k++) {
    v[2 * k] = 0.3 * random_number(&seed);
    v[2 * k + 1] = 0.3 * random_number(&seed);
  }
  for (PetscInt k = 0; k < n; k++) { /* slaves come down, masters are about at rest */
    for (int i = 0; i < 4; i++) pairs[k].lam[i] = 0;
    if (pairs[k].nu[1] > 0) v[2 * pairs[k].nodes[0] + 1] -= 1;
  }
  bare_open(n, &bare);
  CHECK_OK(CrPressPrecondition(&bare.m, inner, &list));
  CHECK_OK(CrPressIterate(&bare.m, &options, 1e-3, &list, v, &taken));
  CHECK(taken < options.iterations); /* the tolerance has ended it */
  bare_close(&bare);
  return taken;
}

static void check_laws(PetscInt n, const CrPress *pairs, const PetscReal *v)
{
  for (PetscInt k = 0; k < n; k++) {
    const CrPress *p = &pairs[k];
    PetscReal      w[3] = {0}, closing;

    CrPressVelocity(2, p, v, w);
    closing = CrPressClosing(2, p, w);
    CHECK(p->lam[0] >= 0);
    CHECK_LESS(closing, 1e-8);
    if (p->lam[0] > 1e-3) CHECK_LESS(-1e-8, closing);
    CHECK_LESS(PetscAbsReal(p->lam[1]), p->mu * p->lam[0] * (1 + 1e-12) + 1e-14);
    if (PetscAbsReal(p->lam[1]) < 0.99 * p->mu * p->lam[0] && p->lam[0] > 1e-3) /* sticks */
      CHECK_LESS(PetscAbsReal(w[0]), 1e-7);
    if (PetscAbsReal(w[0]) > 1e-6) CHECK_LESS(0, p->lam[1] * w[0] + 1e-12); /* against the slip */
  }
}

static void test_interface(const char *name, PetscInt ns, PetscInt nm, PetscReal density,
                           PetscBool two)
{
  CrPress   pairs[MOST];
  PetscReal inverse[MOST], v[3][2 * MOST], apart = 0;
  PetscInt  n = interface(ns, nm, density, two, pairs, inverse), nodes = ns + nm + 2, taken[3];

  for (int k = 0; k < 3; k++) {
    taken[k] = solve((CrInner)k, n, pairs, nodes, v[k]);
    check_laws(n, pairs, v[k]);
  }
  for (PetscInt r = 0; r < 2 * nodes; r++)
    apart =
        PetscMax(apart, PetscMax(PetscAbsReal(v[0][r] - v[1][r]), PetscAbsReal(v[0][r] - v[2][r])));
  printf("%s: Jacobi %d, Nesterov %d, Gauss-Seidel %d iterations; apart by %.1e\n", name,
         (int)taken[0], (int)taken[1], (int)taken[2], (double)apart);
  CHECK_LESS(apart, 1e-6); /* multipliers need not be unique, velocities are (to the stop) */
}

/* The partition bounds H: x.H x <= sum Htilde x^2 for any x. */
static void test_partition(void)
{
  CrPress   pairs[MOST];
  PetscReal inverse[MOST];
  unsigned  seed = 11;
  Bare      bare;

  for (int two = 0; two < 2; two++) {
    PetscInt n = interface(9, 5, 0.1, (PetscBool)two, pairs, inverse);

    bare_open(n, &bare);
    CHECK_OK(CrPressPrecondition(&bare.m, CR_INNER_JACOBI, &(CrPressList){.pairs = pairs, .n = n}));
    bare_close(&bare);
    for (int k = 0; k < 200; k++) {
      PetscReal v[2 * MOST] = {0}, energy = 0, bound = 0;

      for (PetscInt s = 0; s < n; s++) {
        PetscReal x = random_number(&seed) * (k % 3 ? 1 : (s % 2 ? -1 : 1)), force[3] = {0, x, 0};

        bound += pairs[s].diagonal * x * x;
        for (PetscInt a = 0; a < 3; a++) v[2 * pairs[s].nodes[a] + 1] += pairs[s].W[a] * force[1];
      }
      for (PetscInt A = 0; A < 16; A++) energy += inverse[A] * v[2 * A + 1] * v[2 * A + 1];
      CHECK_LESS(energy, bound * (1 + 1e-12));
    }
  }
}

/* ---- order on a curved path ------------------------------------------------------------------ */

/* A point inside a circle of radius 1, from rest at 60 degrees: angle after 0.5, by Runge-Kutta. */
static PetscReal exact_angle(PetscReal mu)
{
  const PetscReal g = 9.81, h = 0.5 / 20000;
  PetscReal       y[2] = {PETSC_PI / 3, 0}, k[4][2];

  for (int n = 0; n < 20000; n++) {
    for (int stage = 0; stage < 4; stage++) {
      PetscReal part = stage == 0 ? 0 : stage == 3 ? h : h / 2, *last = k[stage ? stage - 1 : 0];
      PetscReal angle = y[0] + (stage ? part * last[0] : 0),
                rate = y[1] + (stage ? part * last[1] : 0);

      k[stage][0] = rate;
      k[stage][1] = -g * PetscSinReal(angle) + mu * (g * PetscCosReal(angle) + rate * rate);
    }
    for (int i = 0; i < 2; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  return y[0];
}

/* One node of an element without stiffness whose others are held. */
static PetscReal slide(const char *algorithm, PetscReal mu, PetscInt n)
{
  Problem          p;
  PetscReal        angle = 0;
  const PetscReal *u;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\n"
      "materials: [{name: m, model: linear, young: 1.0e-12, poisson: 0, density: 1}]\n"
      "bodies: [{name: b, material: m, mesh: {block: {from: [0.7660254037844387, -0.5], to: "
      "[0.8660254037844387, -0.4], elements: [1, 1]}}}]\n"
      "obstacles: [{name: o, circle: {center: [0, 0], radius: 1, side: inside}}]\n"
      "contact: [{between: [b.bottom, o], friction: %g}]\n"
      "conditions: [{gravity: [0, -9.81]}, {on: b.left, fix: [x, y]}, {on: b.top, fix: [x, y]}]\n"
      "time: {method: explicit, step: %.17g, end: 0.5, algorithm: %s, constraint: gap, outer: 5, "
      "iterations: 20}\n",
      (double)mu, 0.5 / (double)n, algorithm));
  CHECK_OK(problem_run(&p, n, 0.5 / (PetscReal)n));
  CHECK_OK(VecGetArrayRead(p.state->u, &u));
  for (PetscInt A = 0; A < 4; A++) {
    PetscReal x = p.model->X[2 * A] + u[2 * A], y = p.model->X[2 * A + 1] + u[2 * A + 1];

    if (PetscAbsReal(p.model->X[2 * A] - 0.866) < 0.01 && p.model->X[2 * A + 1] < -0.45)
      angle = PetscAtan2Real(x, -y);
  }
  CHECK_OK(VecRestoreArrayRead(p.state->u, &u));
  CHECK_OK(problem_close(&p));
  return angle;
}

/* Forces along the normals of the end of a step are first order on a curved path; sym is second. */
static void test_bowl(void)
{
  const PetscReal exact = exact_angle(0);
  PetscReal       error[3], other[3];

  CHECK_NEAR(exact, 0.119419, 1e-6);
  CHECK_NEAR(exact_angle(0.2), 0.288371, 1e-6);
  for (int k = 0; k < 3; k++) {
    error[k] = slide("sym", 0, 125 << k) - exact;
    other[k] = slide("3", 0, 125 << k) - exact;
  }
  printf("bowl: errors of sym %.3g %.3g %.3g, of 3 %.3g %.3g %.3g\n", (double)error[0],
         (double)error[1], (double)error[2], (double)other[0], (double)other[1], (double)other[2]);
  for (int k = 0; k < 2; k++) {
    CHECK_NEAR(error[k] / error[k + 1], 4, 0.2);
    CHECK_NEAR(other[k] / other[k + 1], 2, 0.1);
  }
  CHECK_NEAR(slide("sym", 0.2, 500) - exact_angle(0.2), 1.5e-4, 0.1e-4);
}

int main(int argc, char **argv)
{
  static const char *const options[] = {
      "algorithm: 3",
      "algorithm: legacy, constraint: rate",
      "algorithm: 1, iterations: 2",
      "algorithm: 2, inner: gauss-seidel",
      "algorithm: sym, outer: 3",
      "algorithm: 3, inner: nesterov, iterations: 20",
      "closing: yes",
  };

  if (check_start(argc, argv)) return 1;
  for (int k = 0; k < NCASES; k++)
    for (int o = 0; o < (int)(sizeof options / sizeof options[0]); o++)
      for (int friction = 0; friction < 2; friction++)
        test_case(&cases[k], options[o], (PetscBool)friction);
  test_leap();
  test_bowl();
  test_partition();
  test_interface("matching", 9, 9, 1, PETSC_FALSE);
  test_interface("9 on 5", 9, 5, 1, PETSC_FALSE);
  test_interface("36 on 5, light master", 36, 5, 0.1, PETSC_FALSE);
  test_interface("two passes, 9 and 5", 9, 5, 1, PETSC_TRUE);
  test_interface("two passes, 36 and 30", 36, 30, 1, PETSC_TRUE);
  return check_end();
}
