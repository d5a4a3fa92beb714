/* Free bodies that meet, slide over each other's facets, edges and corners, spin and part, under every method
   that knows contact: momenta as each method claims; for the dissipative one the ledger in every step and losses
   that are never negative. */
#include "base/vector.h"
#include "model_from_text.h"

#define SVK "{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}"
#define NEO "{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}"

#define CROSSES 1u  /* points slide from facet to facet */
#define PARTS   2u  /* all have parted at the end */
#define CORNERS 4u  /* corners and edges meet: for methods that admit facets by cones */
#define TURNS   8u  /* without friction a pressed point goes round an edge */
#define SAMPLES 16u /* points between nodes too: for methods with springs */

typedef struct {
  const char *name, *deck; /* without friction and time; %s: friction and penalties */
  PetscReal   h;
  PetscInt    n;
  unsigned    flags;
} Case;

#define BLOCKS(above, below, pair)                                                                 \
  "dimension: 3\nmaterials: [" SVK "]\nbodies:\n"                                                  \
  "  - {name: a, material: m, mass: consistent, velocity: [3, 1, -1.5], spin: [0, 0, 2], mesh: "   \
  "{block: {from: [-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], " above "}}}\n"                           \
  "  - {name: b, material: m, mass: consistent, mesh: {block: {from: [-1.5, -1.5, -1], to: "       \
  "[1.5, 1.5, 0], " below "}}}\n"                                                                  \
  "contact: [{between: [a.bottom, b.top], weight: unit, normal_penalty: 2000, "                    \
  "tangential_penalty: "                                                                           \
  "2000" pair "%s}]\n"

/* The same between whole bodies, with areas, so that both have points. */
#define BOTH(above, below) BOTH_WITH(above, below, "")
#define BOTH_WITH(above, below, pair)                                                              \
  "dimension: 3\nmaterials: [" SVK "]\nbodies:\n"                                                  \
  "  - {name: a, material: m, mass: consistent, velocity: [3, 1, -1.5], spin: [0, 0, 2], mesh: "   \
  "{block: {from: [-0.5, -0.6, 0.01], to: [0.7, 0.5, 1], " above "}}}\n"                           \
  "  - {name: b, material: m, mass: consistent, mesh: {block: {from: [-1.5, -1.5, -1], to: "       \
  "[1.5, 1.5, 0], " below "}}}\ncontact: [{between: [a, b]" pair "%s}]\n"

/* A cube that stands on a corner or an edge above another body. */
#define CUBE(pose, type)                                                                           \
  "dimension: 3\nmaterials: [" NEO "]\nbodies:\n"                                                  \
  "  - {name: a, material: m, velocity: [2, 0.6, -3], spin: [0, 1, 1], " pose ", mesh: {block: "   \
  "{from: [-0.4, -0.4, -0.4], to: [0.4, 0.4, 0.4], elements: [2, 2, 2], type: " type "}}}\n"       \
  "  - {name: b, material: m, mesh: {block: {from: [-1, -1, -0.6], to: [1, 1, 0], elements: [6, "  \
  "6, 2], type: " type "}}}\ncontact: [{between: [a, b]%s}]\n"

/* A bar of one element rocks on its long edge, on smaller facets, and slides over the rim of the block. */
#define LONG_EDGE(type, motion)                                                                    \
  "dimension: 3\nmaterials: [" NEO "]\nbodies:\n"                                                  \
  "  - {name: a, material: m, velocity: [2, 3, -3], " motion ", angle: 42, axis: [1, 0, 0], "      \
  "position: [0, 0.5, 0.42], mesh: {block: {from: [-0.8, -0.3, -0.3], to: [0.8, 0.3, 0.3], "       \
  "elements: [1, 1, 1], type: " type "}}}\n"                                                       \
  "  - {name: b, material: m, mesh: {block: {from: [-1, -1, -0.6], to: [1, 1, 0], elements: [8, "  \
  "6, 2], type: " type "}}}\ncontact: [{between: [a, b]%s}]\n"

#define DISCS(elements, pair)                                                                      \
  "dimension: 2\nmaterials: [{name: m, model: saint-venant-kirchhoff, lambda: 130, shear: 43.33, " \
  "density: 8.93}]\nbodies:\n"                                                                     \
  "  - {name: a, material: m, mass: consistent, velocity: [1, 0.1], mesh: {disc: {center: [-1.2, " \
  "0], radius: 1, " elements "}}}\n"                                                               \
  "  - {name: b, material: m, mass: consistent, mesh: {disc: {center: [1.2, 0], radius: "          \
  "1, " elements                                                                                   \
  "}}}\ncontact: [{between: [a, b], normal_penalty: 1.0e4, tangential_penalty: 1.0e3" pair         \
  "%s}]\n"

static const Case cases[] = {
    {"two discs", DISCS("core: 4, rings: 2", ""), 0.02, 110, PARTS},
    {"blocks in the plane",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, -2], spin: 2, angle: 10, mesh: {block: {from: "
     "[-0.6, "
     "0.07], to: [0.6, 0.8], elements: [7, 4]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [13, 4], "
     "type: T3}}}\ncontact: [{between: [a, b]%s}]\n",
     0.01, 60, CROSSES},
    {"H8 on H8", BLOCKS("elements: [2, 2, 1]", "elements: [5, 5, 1]", ""), 0.01, 60,
     CROSSES | PARTS},
    {"H8 on T4", BLOCKS("elements: [2, 2, 1]", "elements: [5, 5, 1], type: T4", ""), 0.01, 60,
     CROSSES | PARTS},
    {"T10 on T10", BLOCKS("elements: [1, 1, 1], type: T10", "elements: [2, 2, 1], type: T10", ""),
     0.02, 30, CROSSES | PARTS},
    {"both ways", BOTH("elements: [2, 2, 1]", "elements: [4, 4, 1]"), 0.01, 60, CROSSES | PARTS},
    {"both ways, T4", BOTH("elements: [3, 3, 1], type: T4", "elements: [2, 2, 1]"), 0.01, 60,
     CROSSES | PARTS | CORNERS},
    {"both ways, T10", BOTH("elements: [1, 1, 1], type: T10", "elements: [2, 2, 1], type: T10"),
     0.02, 30, CROSSES | PARTS},
    {"samples in the plane",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, -2], spin: 2, angle: 10, mesh: {block: {from: "
     "[-0.6, 0.07], to: [0.6, 0.8], elements: [5, 3]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-1.5, -1], to: [1.5, 0], elements: [7, 2]}}}\n"
     "contact: [{between: [a, b], samples: 3%s}]\n",
     0.01, 60, CROSSES | SAMPLES},
    {"samples of T4 on H8",
     BOTH_WITH("elements: [2, 2, 1], type: T4", "elements: [4, 4, 1]", ", samples: 2"), 0.01, 60,
     CROSSES | PARTS | SAMPLES},
    {"corner on corner",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [-2, -2.2], spin: 1, mesh: {block: {from: [0.02, 0.02], "
     "to: [1.02, 1.02], elements: [4, 4]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-1, -1], to: [0, 0], elements: [5, 5]}}}\n"
     "contact: [{between: [a, b]%s}]\n",
     0.005, 100, CORNERS},
    {"corner on a face",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [2, -3], angle: 50, position: [-0.5, 1.72], mesh: {block: "
     "{from: [-0.5, -0.5], to: [0.5, 0.5], elements: [4, 4]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-0.8, 0], to: [0.2, 1], elements: [8, 4]}}}\n"
     "contact: [{between: [b, a]%s}]\n",
     0.005, 160, CORNERS | TURNS},
    {"over an edge",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [1.2, -1], spin: -1.2, mesh: {block: {from: [-0.6, 1.01], "
     "to: [0.4, 1.51], elements: [5, 3]}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-2, 0], to: [0, 1], elements: [7, 3]}}}\n"
     "contact: [{between: [a, b]%s}]\n",
     0.01, 80, CORNERS},
    {"corner in space", CUBE("angle: 50, axis: [1, 0.7, 0.1], position: [0, 0, 0.69]", "H8"), 0.01,
     60, CORNERS},
    {"corner in space, T4", CUBE("angle: 50, axis: [1, 0.7, 0.1], position: [0, 0, 0.69]", "T4"),
     0.01, 60, CORNERS},
    {"edge in space", CUBE("angle: 40, axis: [1, 0, 0], position: [0, 0, 0.57]", "H8"), 0.01, 60,
     CORNERS},
    {"long edge on smaller facets", LONG_EDGE("H8", "spin: [0.5, 2, 1]"), 0.01, 50,
     CORNERS | SAMPLES},
    {"long edge on smaller facets, T4", LONG_EDGE("T4", "spin: [0.5, 2, 1]"), 0.01, 50,
     CORNERS | SAMPLES},
    {"balls",
     "dimension: 3\nmaterials: [{name: m, model: saint-venant-kirchhoff, lambda: 1000, shear: 500, "
     "density: 2}]\nbodies:\n"
     "  - {name: a, material: m, velocity: [2, 0.4, 0.2], spin: [0, 1, 5], mesh: {ball: {center: "
     "[-1, 0, 0], radius: 1, elements: 3}}}\n"
     "  - {name: b, material: m, mesh: {ball: {center: [0.9, 0.55, 0.35], radius: 1, elements: "
     "3}}}\n"
     "contact: [{between: [a, b]%s}]\n",
     0.01, 45, 0},
    {"jaws",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: c, material: m, velocity: [1, 0.5], spin: 1, velocity_gradient: [[0, 0.5], [0, "
     "-4]],"
     " mesh: {file: " CR_TEST_DATA "/jaws-2d.msh}}\ncontact: [{between: [c, c]%s}]\n",
     0.005, 60, 0},
    {"jaws in space",
     "dimension: 3\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: c, material: m, velocity: [1, 0.5, 0.2], spin: [0.3, 0.2, 1], velocity_gradient: "
     "[[0, 0.5, 0], [0, -4, 0], [0, 0.5, 0]], mesh: {file: " CR_TEST_DATA
     "/jaws-3d.msh}}\ncontact: [{between: [c, c]%s}]\n",
     0.005, 30, 0},
    {"three bodies",
     "dimension: 2\nmaterials: [" NEO "]\nbodies:\n"
     "  - {name: a, material: m, velocity: [3, 0], spin: 3, mesh: {disc: {center: [-1.2, 0.1], "
     "radius: 0.5, core: 3, rings: 2}}}\n"
     "  - {name: b, material: m, mesh: {block: {from: [-0.65, -0.5], to: [0.3, 0.5], elements: [4, "
     "5]}}}\n"
     "  - {name: c, material: m, velocity: [-1, 0.1], spin: -2, mesh: {block: {from: [0.35, -0.6], "
     "to: [1, 0.3], elements: [3, 5]}}}\ncontact: [{default: {sides: both%s}}]\n",
     0.01, 60, 0},
};

#define NCASES (int)(sizeof cases / sizeof cases[0])

/* What a run is asked for, step by step. */
typedef struct {
  PetscReal loss, least_loss; /* friction: total, least of a step */
  PetscReal impulse[3];       /* of the pairs on body 0 as slave */
  PetscReal stored;           /* greatest energy in springs */
  PetscInt  touching, sticking, slipping, crossings, dropped, rejected;
  PetscInt  turns; /* pressed points that went round an edge of more than 60 degrees */
  PetscInt *facet; /* of each point, where it is pressed; owned */
} Record;

static PetscErrorCode open_case(Problem *p, const Case *c, const char *method, const char *pair)
{
  char deck[4096];

  PetscFunctionBeginUser;
  snprintf(deck, sizeof deck, c->deck, pair);
  PetscCall(problem_open(p, "carom: 1\n%stime: {method: %s, step: %.17g, end: %.17g}\n", deck,
                         method, (double)c->h, (double)(c->h * (PetscReal)c->n)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Do two facets of a point's master belong to different patches? Edges count their meetings in another way. */
static PetscBool has_turned(const CrContact *c, PetscInt point, PetscInt from, PetscInt to)
{
  const CrPass *q = c->passes;

  while (point >= q->first + q->n) q++;
  return q->kind == CR_NODE_ON_FACET && q->master->patch[from] != q->master->patch[to];
}

static void note_points(const Problem *p, Record *r)
{
  const CrContact *c = p->contact;

  for (PetscInt k = 0; k < c->npoints; k++) {
    PetscInt facet = c->picture->status[k] ? c->past.facet[k] : -1;

    r->sticking += c->picture->status[k] == CR_STICKING;
    r->slipping += c->picture->status[k] == CR_SLIPPING;
    if (facet >= 0 && r->facet[k] >= 0 && facet != r->facet[k]) {
      r->crossings++;
      r->turns += has_turned(c, k, r->facet[k], facet);
    }
    r->facet[k] = facet;
  }
}

static void note_step(Problem *p, const CrStepReport *report, PetscReal h, void *record)
{
  Record *r = record;

  r->loss += report->friction_loss;
  r->least_loss = PetscMin(r->least_loss, report->friction_loss);
  r->stored = PetscMax(r->stored, report->penalty);
  r->touching += report->contacts > 0;
  r->dropped += p->contact->work->ndropped;
  for (PetscInt k = 0; k < p->contact->npairs; k++)
    for (int i = 0; i < 3; i++) r->impulse[i] += h * p->contact->picture->tally.pairs[k].force[i];
  note_points(p, r);
}

/* All steps of the case, failed ones as halves. */
static PetscErrorCode go(Problem *p, Record *r)
{
  PetscFunctionBeginUser;
  *r = (Record){.least_loss = PETSC_MAX_REAL};
  PetscCall(PetscMalloc1(p->contact->npoints, &r->facet));
  for (PetscInt k = 0; k < p->contact->npoints; k++) r->facet[k] = -1;
  PetscCall(problem_watch(p, note_step, r, &r->rejected));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Momenta over the sums of what the bodies carry, which may cancel in the total. */
static void check_momenta(const Problem *p, unsigned claims)
{
  PetscReal L = 0, J = 0;

  for (PetscInt b = 0; b < p->model->nbodies; b++) {
    L += v_length(p->audit->bodies[b].momentum);
    J += v_length(p->audit->bodies[b].angular);
  }
  CHECK(p->model->is_free);
  if (claims & CR_KEEPS_LINEAR) CHECK_LESS(p->audit->momentum_drift / L, 1e-10);
  if (claims & CR_KEEPS_ANGULAR) CHECK_LESS(p->audit->angular_drift / J, 1e-10);
}

/* What contacts.csv will say: losses of the pairs are the ledger's, forces of a pair are what its
   slave's momentum feels. */
static void check_pairs(const Problem *p, const Record *r)
{
  const PetscInt  moving = 0;
  const CrPass   *q = &p->contact->passes[0];
  const PetscReal sign = (q->reversed ? q->master : q->slave)->body == moving ? 1 : -1;
  PetscReal       loss = 0, p0[3] = {0}, scale = v_length(r->impulse);

  for (PetscInt k = 0; k < p->contact->npairs; k++) loss += p->contact->past.loss[k];
  CHECK_NEAR(loss, r->loss, 1e-12 * PetscAbsReal(p->audit->energy0));
  CHECK_NEAR(loss, p->audit->friction_loss, 1e-12 * PetscAbsReal(p->audit->energy0));
  if (p->contact->npairs > 1 || p->model->nbodies != 2) return;
  for (int i = 0; i < 3; i++) p0[i] = p->audit->momentum0[i]; /* the other body starts at rest */
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(p->audit->bodies[moving].momentum[i] - p0[i], sign * r->impulse[i], 1e-9 * scale);
}

/* Methods whose contact cannot create energy; midpoint claims its balance for the bulk alone. */
static PetscBool balances_contact(const CrIntegratorOps *ops)
{
  return (ops->claims & CR_BALANCES_ENERGY) && strcmp(ops->name, "midpoint");
}

static void check_ledger(const Problem *p, const Case *c, PetscBool springs, const Record *r)
{
  PetscReal E = p->audit->energy0;

  CHECK_LESS(p->audit->defect_max / E, 1e-9);
  CHECK_LESS(-1e-12 * E, r->least_loss);
  CHECK(p->audit->energy_max_gain <= 1e-9 * E);
  if (!springs) return;
  CHECK_LESS(p->audit->balance_max / E, 1e-9);
  CHECK_LESS(1e-5 * E, r->stored); /* they were loaded */
  if (c->flags & PARTS) CHECK(p->audit->penalty == 0 && p->audit->contacts == 0);
}

static void check_losses(const Problem *p, const Case *c, PetscBool springs, PetscBool friction,
                         const Record *r)
{
  PetscReal E = p->audit->energy0;

  if (friction) {
    CHECK_LESS(1e-5 * E, r->loss);
    CHECK(r->slipping > 0);
    if ((c->flags & CROSSES) && springs) CHECK(r->crossings > 0);
    return;
  }
  CHECK(r->sticking == 0 && r->slipping == 0);
  /* what springs of points that slide off an edge held */
  CHECK(r->loss == 0 || (p->contact->springs && r->dropped > 0));
  CHECK(p->audit->dropped == p->audit->friction_loss);
  CHECK_LESS(r->loss, 2.5e-2 * E);
  if ((c->flags & TURNS) && springs) CHECK(r->turns > 0);
  /* all comes back once they are apart, but for what was dropped or is in the bank */
  if (p->audit->penalty == 0)
    CHECK_NEAR(p->audit->energy / (E - r->loss + p->audit->contact_work), 1, 1e-9);
}

static void test_case(const Case *c, const CrIntegratorOps *ops, PetscBool friction)
{
  const PetscBool springs = !strcmp(ops->name, "dissipative");
  Problem         p;
  Record          r = {0};
  int             before = check_failures;

  CHECK_OK(open_case(&p, c, ops->name, friction ? ", friction: 0.3" : ""));
  if (check_failures > before) return;
  CHECK_OK(go(&p, &r));
  if (check_failures == before) {
    CHECK(r.touching >= 2);
    check_momenta(&p, ops->claims);
    if (strcmp(ops->name, "newmark")) check_pairs(&p, &r); /* its forces are those of the end */
    if (balances_contact(ops)) {
      check_ledger(&p, c, springs, &r);
      check_losses(&p, c, springs, friction, &r);
    }
  }
  printf("%s, %s, %s: E %.6g -> %.6g, loss %.3g, balance %.1e, L %.1e, J %.1e; %d steps touching, "
         "%d stick, %d slip, %d crossings, %d round edges, %d dropped, %d rejected\n",
         c->name, ops->name, friction ? "friction" : "smooth", (double)p.audit->energy0,
         (double)p.audit->energy, (double)r.loss, (double)p.audit->balance_max,
         (double)p.audit->momentum_drift, (double)p.audit->angular_drift, (int)r.touching,
         (int)r.sticking, (int)r.slipping, (int)r.crossings, (int)r.turns, (int)r.dropped,
         (int)r.rejected);
  CHECK_OK(PetscFree(r.facet));
  CHECK_OK(problem_close(&p));
}

/* ---- what must be seen to go wrong --------------------------------------------------------- */

/* The plain penalty at the mid-point creates energy (AP97 4.4: the run ends with more than twice of
   it; a coarse mesh shows it too), and the ledger says so. */
static void test_midpoint_gains(void)
{
  const Case c = {"two discs", DISCS("core: 8, rings: 4", ", weight: unit"), 0.01, 100, 0};
  Problem    p;
  Record     r = {0};

  CHECK_OK(open_case(&p, &c, "midpoint", ""));
  CHECK_OK(go(&p, &r));
  CHECK_LESS(0.05 * p.audit->energy0, p.audit->energy_max_gain);
  CHECK_LESS(0.05 * p.audit->energy0, p.audit->balance_max);
  printf("midpoint: %.4g -> %.4g\n", (double)p.audit->energy0, (double)p.audit->energy);
  CHECK_OK(PetscFree(r.facet));
  CHECK_OK(problem_close(&p));
}

/* The dynamic gap of a pressed point must go from facet to facet unchanged. A history that takes the real gap there
   breaks the ledger at once. */
static void reset_at_crossings(Problem *p, const CrStepReport *report, PetscReal h, void *record)
{
  Record           *r = record;
  CrContactHistory *past = p->state->contact;

  (void)h;
  (void)report;
  for (PetscInt k = 0; k < past->npoints; k++) {
    PetscInt facet = p->contact->picture->status[k] ? past->facet[k] : -1;

    if (facet >= 0 && r->facet[k] >= 0 && facet != r->facet[k]) {
      r->crossings++;
      past->gd[k] = p->contact->picture->gap[k];
    }
    r->facet[k] = facet;
  }
}

static void test_reset_is_seen(void)
{
  const Case *c = cases;
  Problem     p;
  Record      r = {0};

  while (!(c->flags & TURNS)) c++;
  CHECK_OK(open_case(&p, c, "dissipative", ""));
  CHECK_OK(PetscMalloc1(p.contact->npoints, &r.facet));
  for (PetscInt k = 0; k < p.contact->npoints; k++) r.facet[k] = -1;
  CHECK_OK(problem_watch(&p, reset_at_crossings, &r, &r.rejected));
  CHECK(r.crossings > 0);
  CHECK_LESS(1e-5 * p.audit->energy0, p.audit->balance_max);
  printf("dynamic gap reset at %d crossings: balance %.2e\n", (int)r.crossings,
         (double)p.audit->balance_max);
  CHECK_OK(PetscFree(r.facet));
  CHECK_OK(problem_close(&p));
}

/* ---- sustained stick -------------------------------------------------------------------------- */

/* A block pressed on another, or on a plane, and dragged with less than friction can hold: every
   contact sticks in every step, and nothing is lost. Poisson's ratio 0, so that pressing alone
   slides nothing. */
static void test_stick(const char *analysis, const char *master, const char *obstacles,
                       PetscInt points)
{
  Problem      p;
  CrStepReport report;
  PetscReal    scale = 0;
  PetscInt     pressed = 0, least = 1000;
  int          before = check_failures;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 2\n"
      "materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0, density: 1}]\n"
      "bodies:\n"
      "  - {name: a, material: m, mesh: {block: {from: [0, 0], to: [1, 0.5], elements: [6, 3]}}}\n"
      "  - {name: b, material: m, mesh: {block: {from: [-0.5, -0.5], to: [1.5, 0], elements: [9, "
      "2]}}}\n%s"
      "contact: [{between: [a.bottom, %s], friction: 0.8}]\n"
      "conditions:\n"
      "  - {on: b.bottom, fix: [x, y]}\n"
      "  - {on: a.top, traction: [0, -20], ramp: [0, 1]}\n"
      "  - {on: a.top, traction: [2, 0], ramp: [0.5, 1.5]}\n"
      "time: {method: dissipative, analysis: %s, step: 0.01, end: 2}\n",
      obstacles, master, analysis));
  if (check_failures > before) return;
  for (int k = 0; k < 200; k++) {
    CHECK_OK(problem_step(&p, 0.01, &report));
    CHECK(report.reason == CR_STEP_OK);
    CHECK(report.sticking == report.contacts);
    least = PetscMin(least, report.contacts);
    pressed = PetscMax(pressed, report.contacts);
    scale = PetscMax(scale, p.audit->energy + p.audit->penalty);
  }
  CHECK(pressed == points && least == points);
  CHECK_LESS(1e-3, scale);
  CHECK_LESS(PetscAbsReal(p.audit->friction_loss), 1e-12 * scale);
  /* statics have an error of the path: the bodies are not linear */
  CHECK_LESS(p.audit->balance_max, (strcmp(analysis, "dynamic") ? 1e-5 : 1e-9) * scale);
  if (check_failures > before)
    printf("  stick, %s, on %s: %d contacts, at least %d, loss %.2e of %.2e\n", analysis, master,
           (int)pressed, (int)least, (double)p.audit->friction_loss, (double)scale);
  CHECK_OK(problem_close(&p));
}

/* bipotential takes the nodes of one side by the older test of facing normals, and no points between them. */
static PetscBool has_cones(const CrIntegratorOps *ops)
{
  return strcmp(ops->name, "bipotential") != 0;
}

int main(int argc, char **argv)
{
  const char *plane = "obstacles: [{name: o, plane: {point: [0, 0], normal: [0, 1]}}]\n";

  if (check_start(argc, argv)) return 1;
  for (PetscInt i = 0; CrIntegratorAt(i); i++) {
    const CrIntegratorOps *ops = CrIntegratorAt(i);

    if (!(ops->accepts & CR_CONTACT) || !(ops->accepts & CR_DEFORMABLE)) continue;
    if (ops->accepts & CR_AUTO_STEP) continue; /* test_explicit_contact */
    for (int k = 0; k < NCASES; k++)
      if (!(cases[k].flags & (CORNERS | SAMPLES)) || has_cones(ops))
        test_case(&cases[k], ops, PETSC_TRUE);
    if (!balances_contact(ops)) continue;
    for (int k = 0; k < NCASES; k++)
      if (!(cases[k].flags & (CORNERS | SAMPLES)) || has_cones(ops))
        test_case(&cases[k], ops, PETSC_FALSE);
  }
  test_midpoint_gains();
  test_reset_is_seen();
  test_stick("quasi-static", "b.top", "", 11); /* 7 nodes, and 4 of the body below */
  test_stick("dynamic", "b.top", "", 11);
  test_stick("quasi-static", "o", plane, 7);
  test_stick("dynamic", "o", plane, 7);
  return check_end();
}
