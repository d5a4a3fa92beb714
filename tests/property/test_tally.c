/* The ledger of contact under every method, and under every engine of efda: what it says of a step is the sum of what it
   says of the pairs; a contact without friction neither sticks nor slips, and loses nothing; slip grows while a pair is
   pressed, and at no other time. */
#include "model_from_text.h"

/* One upon the other, which slides on the floor: friction on the floor, or everywhere, or nowhere. */
#define PAIRS                                                                                      \
  "obstacles: [{name: f, plane: {point: [0, 0], normal: [0, 1]}}]\n"                               \
  "contact: [{between: [a, f], friction: %g}, {between: [b, a], friction: %g}]\n"                  \
  "conditions: [{gravity: [0, -10]}]\n"
#define RIGID(shape)                                                                               \
  "bodies:\n"                                                                                      \
  "  - {name: a, rigid: {" shape ", mass: 1}, position: [0, 0.1], velocity: [0.5, 0]}\n"           \
  "  - {name: b, rigid: {" shape ", mass: 1}, position: [0.01, 0.3005]}\n" PAIRS
#define THROWN /* fast: a group of the crowd */                                                    \
  "bodies:\n"                                                                                      \
  "  - {name: a, rigid: {box: {size: [0.2, 0.2]}, mass: 1}, position: [0, 0.1], velocity: [0.5, "  \
  "0]}\n"                                                                                          \
  "  - {name: b, rigid: {box: {size: [0.2, 0.2]}, mass: 1}, position: [0.05, 0.6], velocity: [0, " \
  "-15]}\n" PAIRS
#define SOFT                                                                                       \
  "materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]\nbodies:\n"     \
  "  - {name: a, material: m, velocity: [0.5, 0], mesh: {block: {from: [0, 0], to: [1, 0.4], "     \
  "elements: [4, 2]}}}\n"                                                                          \
  "  - {name: b, material: m, mesh: {block: {from: [0.23, 0.4005], to: [0.7, 0.8], elements: [2, " \
  "2]}}}\n" PAIRS

typedef struct {
  const char *name, *deck,
      *method; /* method: with its options; NULL: every one that takes the deck */
} Case;

static const Case cases[] = {
    {"blocks", SOFT, NULL},
    {"disks, few", RIGID("disk: {radius: 0.1}"), "efda, engine: few"},
    {"disks, many", RIGID("disk: {radius: 0.1}"), "efda, engine: many"},
    {"disks, penalty", RIGID("disk: {radius: 0.1}"), "efda, variant: penalty"},
    {"boxes, few", RIGID("box: {size: [0.2, 0.2]}"), "efda, engine: few"},
    {"boxes, in turn", RIGID("box: {size: [0.2, 0.2]}"), "efda, engine: few, impacts: sequential"},
    {"boxes, many", RIGID("box: {size: [0.2, 0.2]}"), "efda, engine: many"},
    {"boxes, thrown", THROWN, "efda, engine: many"},
    {"boxes, penalty", RIGID("box: {size: [0.2, 0.2]}"), "efda, variant: penalty"},
};

static const PetscReal frictions[][2] = {{0, 0}, {0.3, 0}, {0.3, 0.2}};

/* Entries over all steps, by pair. */
typedef struct {
  CrTallySums pairs[2];
  PetscReal   slip[2]; /* mean of the slaves, since the start */
} Record;

static void check_step(const Problem *p, const CrStepReport *report, Record *r)
{
  PetscInt  points = 0, sticking = 0;
  PetscReal loss = 0, size = 0, deepest = 0;

  CHECK_OK(CrContactGatherNodes(p->contact));
  for (PetscInt k = 0; k < p->contact->npairs; k++) {
    const CrTallySums *sums = &p->contact->picture->tally.pairs[k];
    const PetscReal   *slip = p->contact->picture->slip + 3 * k;

    CHECK(sums->points > 0 || slip[0] == r->slip[k]);
    r->slip[k] = slip[0];
    CHECK(sums->sticking + sums->slipping + sums->smooth == sums->points);
    if (p->contact->pairs[k].friction > 0)
      CHECK(sums->smooth == 0);
    else
      CHECK(sums->smooth == sums->points && sums->slipping == 0 &&
            PetscAbsReal(sums->loss) < 1e-15);
    points += sums->points;
    sticking += sums->sticking;
    loss += sums->loss;
    size += PetscAbsReal(sums->loss);
    deepest = PetscMax(deepest, sums->max_penetration);
    r->pairs[k].points += sums->points;
    r->pairs[k].slipping += sums->slipping;
    r->pairs[k].loss += sums->loss;
  }
  CHECK(report->contacts == points);
  CHECK(report->sticking == sticking);
  CHECK(report->max_penetration == deepest);
  CHECK_NEAR(report->friction_loss, loss, 1e-15 + 1e-14 * size);
}

static void test_case(const Case *c, const char *method, const PetscReal friction[2])
{
  Record       r = {0};
  CrStepReport report;
  Problem      p;
  char         deck[4096];

  snprintf(deck, sizeof deck, c->deck, (double)friction[0], (double)friction[1]);
  CHECK_OK(problem_open(&p, "carom: 1\ndimension: 2\n%stime: {method: %s, step: 2.0e-3, end: 1}\n",
                        deck, method));
  if (!p.contact) return;
  for (int n = 0; n < 60; n++) {
    CHECK_OK(problem_step(&p, 2e-3, &report));
    CHECK(report.reason == CR_STEP_OK);
    check_step(&p, &report, &r);
  }
  for (int k = 0; k < 2; k++) {
    CHECK(r.pairs[k].points > 0);
    CHECK_NEAR(p.contact->past.loss[k], r.pairs[k].loss, 1e-14);
    CHECK(p.contact->past.met[k] == 1);
  }
  if (friction[0] > 0) CHECK(r.pairs[0].slipping > 0 && r.pairs[0].loss > 1e-3);
  /* a slides 60 steps at 0.5, unless it flies or friction stops it; b, which falls by little, hardly pushes it */
  CHECK(r.slip[0] > 1e-3 && r.slip[0] < 1.1 * 60 * 2e-3 * 0.5);
  if (friction[0] > 0) CHECK_LESS(r.slip[0], 0.6 * 60 * 2e-3 * 0.5);
  printf("%s, %s, friction %g and %g: %d and %d contacts, loss %.4g, slip %.6g\n", c->name, method,
         (double)friction[0], (double)friction[1], (int)r.pairs[0].points, (int)r.pairs[1].points,
         (double)p.audit->friction_loss, (double)r.slip[0]);
  CHECK_OK(problem_close(&p));
}

static void test_methods(const Case *c, const PetscReal friction[2])
{
  const unsigned         needs = CR_DEFORMABLE | CR_CONTACT;
  const CrIntegratorOps *ops;

  for (PetscInt i = 0; (ops = CrIntegratorAt(i)); i++)
    if ((ops->accepts & needs) == needs) test_case(c, ops->name, friction);
}

static void test_status(void)
{
  CHECK(CrCoulombStatus(0.3, 0, 0) == CR_OPEN);
  CHECK(CrCoulombStatus(0, 2, 0) == CR_SMOOTH);
  CHECK(CrCoulombStatus(0.3, 2, 0.5) == CR_STICKING);
  CHECK(CrCoulombStatus(0.3, 2, 0.6) == CR_SLIPPING);
  CHECK(CrCoulombStatus(0.3, 2, 0.6 * (1 - 1e-9)) == CR_SLIPPING); /* what solvers leave */
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_status();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int f = 0; f < 3; f++) {
      if (cases[k].method)
        test_case(&cases[k], cases[k].method, frictions[f]);
      else
        test_methods(&cases[k], frictions[f]);
    }
  return check_end();
}
