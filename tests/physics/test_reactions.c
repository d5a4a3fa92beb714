/* Impulses of contact, and reactions of supports, motions and obstacles: with loads they make up the change of every
   body's momentum to rounding, under every method; their works are the ledger's; a load is carried to rounding. */
#include "base/vector.h"
#include "model/reactions.h"
#include "model_from_text.h"

#define MATERIAL                                                                                   \
  "materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]\nbodies:\n"
#define BLOCKS(more)                                                                               \
  MATERIAL "  - {name: a, material: m, " more                                                      \
           "mesh: {block: {from: [0, 0], to: [1, 0.4], elements: [4, 2]}}}\n"                      \
           "  - {name: b, material: m, " more "velocity: [0.1, -1], "                              \
           "mesh: {block: {from: [0.23, 0.4005], to: [0.7, 0.8], elements: [2, 2]}}}\n"

/* b falls on a, which slides on a plane that moves. */
#define SLIDING                                                                                    \
  BLOCKS("")                                                                                       \
  "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}, velocity: [0.3, 0.2], "           \
  "acceleration: [0, 1]}]\n"                                                                       \
  "contact: [{between: [a, f], friction: 0.3}, {between: [b, a], friction: 0.2}]\n"                \
  "conditions: [{gravity: [0, -10]}]\n"
/* a is held below and pushed from the left, b falls on it. */
#define HELD(more)                                                                                 \
  BLOCKS(more)                                                                                     \
  "contact: [{between: [b, a], friction: 0.2}]\n"                                                  \
  "conditions:\n  - {gravity: [0, -10]}\n  - {on: a.bottom, fix: [y]}\n"                           \
  "  - {on: a.left, velocity: [0.4, ~], name: ram}\n"
/* Boxes or disks on a plane that moves, one upon the other. */
#define RIGID(shape)                                                                               \
  "bodies:\n"                                                                                      \
  "  - {name: a, rigid: {" shape ", mass: 1}, position: [0, 0.1], velocity: [0.5, 0]}\n"           \
  "  - {name: b, rigid: {" shape ", mass: 2}, position: [0.01, 0.3005]}\n"                         \
  "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}, velocity: [0.3, 0.2]}]\n"         \
  "contact: [{between: [a, f], friction: 0.3}, {between: [b, a], friction: 0.2}]\n"                \
  "conditions: [{gravity: [0, -10]}]\n"

/* The support below lets go after some steps, and the ram comes in between. */
#define LOOSE                                                                                      \
  BLOCKS("")                                                                                       \
  "contact: [{between: [b, a], friction: 0.2}]\n"                                                  \
  "conditions:\n  - {gravity: [0, -10]}\n  - {on: a.bottom, fix: [y], until: 0.03}\n"              \
  "  - {on: a.left, velocity: [0.4, ~], name: ram, from: 0.02, until: 0.06}\n"
/* In space: b falls on a, which is held below and pushed. */
#define SPACE                                                                                      \
  MATERIAL                                                                                         \
  "  - {name: a, material: m, mesh: {block: {from: [0, 0, 0], to: [1, 1, 0.4], elements: "         \
  "[3, 3, 2]}}}\n"                                                                                 \
  "  - {name: b, material: m, velocity: [0.1, 0.2, -1], mesh: {block: {from: [0.2, 0.23, "         \
  "0.4005], to: [0.7, 0.8, 0.8], elements: [2, 2, 2]}}}\n"                                         \
  "contact: [{between: [b, a], friction: 0.2}]\n"                                                  \
  "conditions:\n  - {gravity: [0, 0, -10]}\n  - {on: a.bottom, fix: [z]}\n"                        \
  "  - {on: a.left, velocity: [0.4, ~, ~], name: ram}\n"
/* A rigid disk falls on a, which is held below. */
#define PARTNER                                                                                    \
  MATERIAL "  - {name: a, material: m, mesh: {block: {from: [0, 0], to: [1, 0.4], elements: [4, "  \
           "2]}}}\n"                                                                               \
           "  - {name: b, rigid: {disk: {radius: 0.2}, mass: 1}, position: [0.5, 0.6005], "        \
           "velocity: [0.2, -1], spin: 3}\n"                                                       \
           "contact: [{between: [a, b], friction: 0.2}]\n"                                         \
           "conditions:\n  - {gravity: [0, -10]}\n  - {on: a.bottom, fix: [y]}\n"                  \
           "  - {on: a.left, velocity: [0.4, ~], name: ram}\n"

typedef struct {
  const char *name, *deck, *method; /* NULL: every method that takes the deck */
  PetscInt    floor, top;           /* pairs: of a with the obstacle, -1: none; of b on a */
} Case;

static const Case cases[] = {
    {"sliding", SLIDING, NULL, 0, 1},
    {"held", HELD(""), NULL, -1, 0},
    {"let go", LOOSE, NULL, -1, 0},
    {"space", SPACE, NULL, -1, 0},
    {"held, consistent mass", HELD("mass: consistent, "), NULL, -1, 0},
    {"held, spread", HELD(""), "velocity-update, update: spread", -1, 0},
    {"held, augmented", HELD(""), "velocity-update, enforcement: augmented", -1, 0},
    {"held, level increment", HELD(""), "bipotential, level: increment", -1, 0},
    {"held, trapezoid", HELD(""), "bipotential, internal: trapezoid, theta: 0.6, xi: 0.7", -1, 0},
    {"held, damped", HELD(""), "newmark, gamma: 0.6, beta: 0.31", -1, 0},
    {"sliding, sym", SLIDING, "explicit, algorithm: sym", 0, 1},
    {"sliding, returned", SLIDING, "explicit, impact_energy: returned", 0, 1},
    {"partner", PARTNER, "dissipative", -1, 0},
    {"partner", PARTNER, "velocity-update", -1, 0},
    {"partner", PARTNER, "explicit", -1, 0},
    {"disks, few", RIGID("disk: {radius: 0.1}"), "efda, engine: few", 0, 1},
    {"disks, many", RIGID("disk: {radius: 0.1}"), "efda, engine: many", 0, 1},
    {"disks, penalty", RIGID("disk: {radius: 0.1}"), "efda, variant: penalty", 0, 1},
    {"boxes, few", RIGID("box: {size: [0.2, 0.2]}"), "efda, engine: few", 0, 1},
    {"boxes, in turn", RIGID("box: {size: [0.2, 0.2]}"), "efda, engine: few, impacts: sequential",
     0, 1},
    {"boxes, many", RIGID("box: {size: [0.2, 0.2]}"), "efda, engine: many", 0, 1},
};

/* Forces of the pair of both bodies are those on b; or those on a, where a deforms and b is rigid. */
static PetscBool are_on_a(const Problem *p)
{
  return p->model->nbodies && p->model->rigid->n ? PETSC_TRUE : PETSC_FALSE;
}

/* Impulses on body b (0 or 1) by contact, reactions and gravity, since the start. */
static void impulse_on(const Problem *p, const Case *c, PetscInt b, PetscReal sum[3])
{
  const PetscReal   *total = p->contact->past.impulses->total;
  const CrReactions *r = p->state->reactions;

  for (int i = 0; i < 3; i++) {
    sum[i] = p->audit->bodies[b].mass * p->model->gravity[i] * p->state->t;
    sum[i] += ((b == 1) != are_on_a(p) ? 1 : -1) * total[6 * c->top + i];
    if (b == 0 && c->floor >= 0) sum[i] += total[6 * c->floor + i];
    for (PetscInt k = 0; b == 0 && k < r->nsupports; k++) sum[i] += r->all[k].impulse[i];
  }
}

static void check_momenta(const Problem *p, const Case *c, PetscReal start[2][3])
{
  for (PetscInt b = 0; b < 2; b++) {
    PetscReal sum[3], size = 0;

    impulse_on(p, c, b, sum);
    for (int i = 0; i < 3; i++) size += PetscAbsReal(p->audit->bodies[b].momentum[i]);
    for (int i = 0; i < p->model->dim; i++)
      CHECK_NEAR(p->audit->bodies[b].momentum[i] - start[b][i], sum[i], 1e-9 * (1 + size));
  }
}

/* Everything that acts from outside but gravity is in the reactions. */
static void check_work(const Problem *p)
{
  const CrReactions *r = p->state->reactions;
  PetscReal          sum = 0, size = 0;

  for (PetscInt k = 0; k < r->n; k++) {
    sum += r->all[k].work;
    size += PetscAbsReal(r->all[k].work);
  }
  CHECK(size > 1e-4);
  CHECK_NEAR(sum, p->audit->external_work, 1e-11 * (1 + size));
}

/* Normal impulses press the slave out of the master, and friction stays in its cone, summed up too. */
static void check_parts(const Problem *p, PetscInt pair, PetscReal up)
{
  const PetscReal *whole = p->contact->past.impulses->total + 6 * pair, *normal = whole + 3;
  PetscReal        rest[3] = {whole[0] - normal[0], whole[1] - normal[1], whole[2] - normal[2]};

  CHECK(up * normal[p->model->dim - 1] > 0.01);
  CHECK(PetscAbsReal(normal[0]) < 0.5 * up * normal[p->model->dim - 1]);
  CHECK_LESS(v_length(rest), (p->contact->pairs[pair].friction + 1e-6) * 1.1 * v_length(normal));
}

/* Returns 1 if the method takes the deck. */
static int test_case(const Case *c, const char *method)
{
  CrStepReport report;
  PetscReal    start[2][3];
  Problem      p;

  if (problem_open(&p, "carom: 1\ndimension: %d\n%stime: {method: %s, step: 2.0e-3, end: 1}\n",
                   strcmp(c->name, "space") ? 2 : 3, c->deck, method))
    return 0;
  for (PetscInt b = 0; b < 2; b++)
    for (int i = 0; i < 3; i++) start[b][i] = p.audit->bodies[b].momentum[i];
  for (int n = 0; n < 50; n++) {
    CHECK_OK(problem_step(&p, 2e-3, &report));
    CHECK(report.reason == CR_STEP_OK);
    check_momenta(&p, c, start);
  }
  check_work(&p);
  check_parts(&p, c->top, are_on_a(&p) ? -1 : 1);
  if (c->floor >= 0) check_parts(&p, c->floor, 1);
  printf("%s, %s: work %.6g\n", c->name, method, (double)p.audit->external_work);
  CHECK_OK(problem_close(&p));
  return 1;
}

static int test_methods(const Case *c)
{
  const unsigned         needs = CR_DEFORMABLE | CR_CONTACT;
  const CrIntegratorOps *ops;
  int                    n = 0;

  for (PetscInt i = 0; (ops = CrIntegratorAt(i)); i++)
    if ((ops->accepts & needs) == needs) n += test_case(c, ops->name);
  return n;
}

/* ---- what loads ask for ------------------------------------------------------------------- */

/* A cantilever carries its end load and its moment, in every step. */
static void test_cantilever(const char *method)
{
  CrStepReport report;
  Problem      p;
  PetscReal    tip[2] = {0};

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\n" MATERIAL
                        "  - {name: beam, material: m, mesh: {block: {from: [0, 0], to: [4, 1], "
                        "elements: [8, 2]}}}\n"
                        "conditions:\n  - {on: beam.left, fix: [x, y]}\n"
                        "  - {on: beam, at: [4, 0.5], force: [0.3, -2], ramp: [0, 1]}\n"
                        "time: {method: %s, analysis: quasi-static, step: 0.25, end: 1}\n",
                        method));
  for (int n = 1; n <= 4; n++) {
    const CrReaction *r = p.state->reactions->all;
    PetscReal         f = n / 4.0, *u = NULL;

    CHECK_OK(problem_step(&p, 0.25, &report));
    CHECK(report.reason == CR_STEP_OK);
    u = copy_of(p.model, p.state->u);
    for (PetscInt A = 0; A < p.model->nowned; A++)
      if (p.model->X[2 * A] == 4 && p.model->X[2 * A + 1] == 0.5)
        for (int i = 0; i < 2; i++) tip[i] = p.model->X[2 * A + i] + u[2 * A + i];
    PetscFree(u);
    CHECK_NEAR(r->force[0], -0.3 * f, 1e-8);
    CHECK_NEAR(r->force[1], 2 * f, 1e-8);
    CHECK_NEAR(r->moment[2], -(tip[0] * -2 * f - tip[1] * 0.3 * f), 1e-7);
    CHECK_NEAR(r->impulse[1], 2 * f * f / 2, 1e-8); /* trapezoidal: exact for a ramp */
    CHECK(r->work == 0);
  }
  CHECK(!strcmp(p.state->reactions->names[0], "beam.left-fix"));
  CHECK_OK(problem_close(&p));
}

/* A press: both sides carry the same force; the side that moves does all the work, until it lets go. */
static void test_press(const char *method)
{
  CrStepReport report;
  Problem      p;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\n" MATERIAL
                        "  - {name: pad, material: m, mesh: {block: {from: [0, 0], to: [2, 1], "
                        "elements: [4, 2]}}}\n"
                        "conditions:\n  - {on: pad.bottom, fix: [x, y]}\n"
                        "  - {on: pad.top, displacement: [0.1, -0.2], ramp: [0, 1], until: 1}\n"
                        "time: {method: %s, analysis: quasi-static, step: 0.25, end: 1.25}\n",
                        method));
  for (int n = 1; n <= 5; n++) {
    const CrReaction *r = p.state->reactions->all;

    CHECK_OK(problem_step(&p, 0.25, &report));
    CHECK(report.reason == CR_STEP_OK);
    for (int i = 0; i < 2; i++) CHECK_NEAR(r[0].force[i] + r[1].force[i], 0, 1e-8);
    CHECK_NEAR(r[0].moment[2] + r[1].moment[2], 0, 1e-8);
    CHECK((n < 5 ? r[1].force[1] < -10 : r[1].force[1] == 0) && r[0].work == 0);
    CHECK_NEAR(r[1].work, p.audit->external_work, 1e-8);
    CHECK(n > 1 || r[1].work > 0.1);
  }
  CHECK_OK(problem_close(&p));
}

/* A moving plane and a free block that turns: the plane's impulse is the change of momentum, the sum of its moments that
   of the angular momentum, and its work that of the ledger. */
static void test_plane(const CrIntegratorOps *ops)
{
  PetscBool    angular = ops->claims & CR_KEEPS_ANGULAR || !strcmp(ops->name, "explicit");
  CrStepReport report;
  Problem      p;
  PetscReal    start[3], turned = 0;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\n" MATERIAL
                        "  - {name: a, material: m, spin: 2, mesh: {block: {from: [2, 0], to: [3, "
                        "0.4], elements: [4, 2]}}}\n"
                        "obstacles: [{name: plate, plane: {point: [0, -0.001], normal: [0, 1]}, "
                        "velocity: [0, 0.5]}]\n"
                        "contact: [{between: [a, plate], friction: 0.3}]\n"
                        "time: {method: %s, step: 1.0e-3, end: 1}\n",
                        ops->name));
  const CrReaction *r = p.state->reactions->all;

  CHECK(!strcmp(p.state->reactions->names[0], "plate"));
  for (int i = 0; i < 2; i++) start[i] = p.audit->momentum[i];
  start[2] = p.audit->angular[2];
  for (int n = 0; n < 100; n++) {
    CHECK_OK(problem_step(&p, 1e-3, &report));
    turned += 1e-3 * r->moment[2];
    for (int i = 0; i < 2; i++) CHECK_NEAR(r->impulse[i], p.audit->momentum[i] - start[i], 1e-9);
    if (angular) CHECK_NEAR(turned, p.audit->angular[2] - start[2], 1e-8);
  }
  CHECK(p.audit->momentum[1] - start[1] > 0.1 && PetscAbsReal(r->impulse[0]) > 1e-3);
  CHECK_NEAR(r->work, p.audit->external_work, 1e-12);
  CHECK_NEAR(r->work, 0.5 * r->impulse[1], 1e-10); /* a force at one velocity */
  CHECK_OK(problem_close(&p));
}

/* A rigid box on a moving plane under explicit, whose corners are points of contact. */
static void test_box(void)
{
  Problem p;

  CHECK_OK(problem_open(
      &p, "carom: 1\ndimension: 3\nbodies:\n"
          "  - {name: a, rigid: {box: {size: [0.2, 0.2, 0.2]}, mass: 2}, position: [0, 0, 0.1], "
          "velocity: [0.5, 0, -0.3]}\n"
          "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: [0, 0.2, "
          "0.1]}]\n"
          "contact: [{between: [a, f], friction: 0.3}]\nconditions: [{gravity: [0, 0, -10]}]\n"
          "time: {method: explicit, step: 1.0e-3, end: 1}\n"));
  const CrReaction *r = p.state->reactions->all;
  PetscReal         start[3];

  for (int i = 0; i < 3; i++) start[i] = p.audit->momentum[i];
  CHECK_OK(problem_run(&p, 80, 1e-3));
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(p.audit->momentum[i] - start[i], r->impulse[i] - (i == 2) * 20 * 0.08, 1e-10);
  CHECK(r->impulse[2] > 1 && r->impulse[0] < -0.1 && r->impulse[1] > 0.01);
  CHECK_NEAR(r->work, p.audit->external_work, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* ---- angular momentum --------------------------------------------------------------------- */

/* A rigid box tumbles on a moving plane: force and moment of the plane make up the change of both momenta, also those of
   impulses at the end of a step. */
static void test_tumbling_box(const char *method)
{
  CrStepReport report;
  Problem      p;
  PetscReal    sum[3] = {0}, start[6], size = 0;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\n" MATERIAL
      "  - {name: far, material: m, mesh: {block: {from: [9, 0, 0], to: [10, 1, 1], elements: [1, "
      "1, 1]}}}\n"
      "  - {name: a, rigid: {box: {size: [0.2, 0.3, 0.4]}, mass: 2}, position: [0.3, 0.2, 0.25], "
      "angle: 20, axis: [1, 2, 0], velocity: [0.5, 0, -3], spin: [3, 2, 1]}\n"
      "obstacles: [{name: f, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, velocity: [0, 0.2, "
      "0.1]}]\n"
      "contact: [{between: [a, f], friction: 0.3, normal_penalty: 1.0e4}]\n"
      "time: {method: %s, step: 2.0e-3, end: 1}\n",
      method));
  for (int i = 0; i < 3; i++) {
    start[i] = p.audit->momentum[i];
    start[3 + i] = p.audit->angular[i];
  }
  for (int n = 0; n < 80; n++) {
    const CrReactions *r = p.state->reactions;

    CHECK_OK(problem_step(&p, 2e-3, &report));
    CHECK(report.reason == CR_STEP_OK);
    for (int i = 0; i < 3; i++) sum[i] += 2e-3 * r->now[r->nsupports].moment[i];
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(p.audit->momentum[i] - start[i], r->all[r->nsupports].impulse[i], 1e-10);
      CHECK_NEAR(p.audit->angular[i] - start[3 + i], sum[i], 1e-10);
      size = PetscMax(size, PetscAbsReal(sum[i]));
    }
  }
  CHECK(size > 0.1);
  CHECK_LESS(PetscAbsReal(p.audit->defect), 1e-11 * p.audit->energy_scale);
  printf("%s: box on a plane, moments %.3g\n", method, (double)size);
  CHECK_OK(problem_close(&p));
}

/* Two motions twist a block that flies: their moments make up the change of the angular momentum. */
static void test_moments(const char *method)
{
  CrStepReport report;
  Problem      p;
  PetscReal    sum = 0, start, size = 0;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\n" MATERIAL
                        "  - {name: a, material: m, velocity: [0.2, 0.1], spin: 0.5, mesh: {block: "
                        "{from: [0, 0], to: [1, 0.4], elements: [4, 2]}}}\n"
                        "conditions:\n  - {on: a, at: [0, 0.2], velocity: [0.3, ~]}\n"
                        "  - {on: a, at: [1, 0.2], velocity: [~, 0.4]}\n"
                        "time: {method: %s, step: 1.0e-3, end: 1}\n",
                        method));
  start = p.audit->angular[2];
  for (int n = 0; n < 60; n++) {
    CHECK_OK(problem_step(&p, 1e-3, &report));
    for (PetscInt k = 0; k < 2; k++) sum += 1e-3 * p.state->reactions->all[k].moment[2];
    size = PetscMax(size, PetscAbsReal(sum));
    CHECK_NEAR(p.audit->angular[2] - start, sum, 1e-10);
  }
  CHECK(size > 1e-3);
  CHECK_NEAR(p.audit->defect, 0, 1e-9); /* the work of these motions is booked once */
  printf("%s: moments %.3g\n", method, (double)size);
  CHECK_OK(problem_close(&p));
}

/* ---- steps that fail ---------------------------------------------------------------------- */

/* A step that fails leaves impulses and reactions as they were. */
static void test_failed_step(void)
{
  CrStepReport report;
  Problem      p;
  CrReaction   before;
  PetscReal    impulse;

  CHECK_OK(problem_open(&p,
                        "carom: 1\ndimension: 2\n%stime: {method: dissipative, step: 2.0e-3, "
                        "end: 1}\n",
                        HELD("")));
  CHECK_OK(problem_run(&p, 10, 2e-3));
  before = p.state->reactions->all[0];
  impulse = p.contact->past.impulses->total[1];
  CHECK(impulse > 0);
  CHECK_OK(problem_step(&p, 10, &report));
  CHECK(report.reason < 0);
  CHECK(!memcmp(&before, &p.state->reactions->all[0], sizeof before));
  CHECK(impulse == p.contact->past.impulses->total[1]);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  const CrIntegratorOps *ops;

  if (check_start(argc, argv)) return 1;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    int n = cases[k].method ? test_case(&cases[k], cases[k].method) : test_methods(&cases[k]);

    CHECK(n >= (cases[k].method ? 1 : 5)); /* explicit knows no consistent mass */
  }
  for (PetscInt i = 0; (ops = CrIntegratorAt(i)); i++) {
    if (!(ops->accepts & CR_DEFORMABLE)) continue;
    test_plane(ops);
    if (ops->claims & CR_KEEPS_ANGULAR || !strcmp(ops->name, "explicit")) test_moments(ops->name);
    if (!(ops->accepts & CR_QUASI_STATIC)) continue;
    test_cantilever(ops->name);
    test_press(ops->name);
  }
  test_tumbling_box("dissipative");
  test_tumbling_box("velocity-update");
  test_box();
  test_failed_step();
  return check_end();
}
