/* Sharp edges: which ones a body has, which of two bodies may meet, and when two edges go through each other. */
#include "base/vector.h"
#include "contact/geometry/facet.h"
#include "contact/geometry/kinematics.h"
#include "contact/geometry/ridges.h"
#include "model_from_text.h"

static double uniform(double lo, double hi)
{
  static unsigned long long seed = 20240302;

  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return lo + (hi - lo) * ((seed >> 11) * (1.0 / 9007199254740992.0));
}

/* ---- going through each other ---------------------------------------------------------------- */

/* The gap and the place of the crossing at time t, by the kinematics of contact. */
static PetscReal gap_at(const PetscReal *x0, const PetscReal *x1, PetscReal t, PetscReal *beyond)
{
  PetscReal    x[12];
  CrKinematics k;

  for (int i = 0; i < 12; i++) x[i] = (1 - t) * x0[i] + t * x1[i];
  CHECK(CrKinematicsEdges(x, &k));
  *beyond = CrEdgesBeyond(k.xi);
  return k.gap;
}

/* The first time at which the gap becomes negative between the ends of both edges, by many small steps; 2: never. */
static PetscReal search(const PetscReal *x0, const PetscReal *x1, int n)
{
  PetscReal beyond, last = gap_at(x0, x1, 0, &beyond);

  for (int k = 1; k <= n; k++) {
    PetscReal t = (PetscReal)k / n, now = gap_at(x0, x1, t, &beyond);

    if (last >= 0 && now < 0 && beyond <= 0) return t;
    last = now;
  }
  return 2;
}

/* Edges about the origin along x and y, the first one above; every node moves its own way. */
static void random_motion(PetscReal *x0, PetscReal *x1)
{
  static const PetscReal start[12] = {0.5, 0, 0.2, -0.5, 0, 0.2, 0, -0.5, 0, 0, 0.5, 0};

  for (int i = 0; i < 12; i++) {
    x0[i] = start[i] + uniform(-0.15, 0.15);
    x1[i] = x0[i] + uniform(-0.4, 0.4) - (i == 2 || i == 5 ? 0.3 : 0);
  }
}

static void test_crossing(void)
{
  int seen = 0, missed = 0;

  for (int s = 0; s < 400; s++) {
    PetscReal x0[12], x1[12], when = -1, beyond, exact, margin = 1e-3;
    PetscBool crosses;

    random_motion(x0, x1);
    crosses = CrEdgesCross(x0, x1, 0, &when);
    exact = search(x0, x1, 2000);
    if (crosses) {
      CHECK_NEAR(gap_at(x0, x1, when, &beyond), 0, 1e-12);
      CHECK(beyond <= 0 && when >= 0 && when <= 1);
      seen++;
    } else
      missed++;
    /* near an end the two may differ by rounding and by the width of the small steps */
    if ((exact <= 1) == (crosses != 0)) {
      if (crosses) CHECK_NEAR(when, exact, 1e-3);
      continue;
    }
    (void)gap_at(x0, x1, crosses ? when : exact, &beyond);
    CHECK(CrEdgesCross(x0, x1, margin, &when) || beyond < margin);
  }
  CHECK(seen > 100 && missed > 50);
}

/* Straight down: the time is known. From behind, or beside, nothing is crossed. */
static void test_fall(void)
{
  PetscReal x0[12] = {0.5, 0, 0.3, -0.5, 0, 0.3, 0, -0.5, 0, 0, 0.5, 0}, x1[12], when = -1;

  for (int i = 0; i < 12; i++) x1[i] = x0[i] - (i == 2 || i == 5 ? 0.4 : 0);
  CHECK(CrEdgesCross(x0, x1, 0, &when));
  CHECK_NEAR(when, 0.75, 1e-14);
  CHECK(!CrEdgesCross(x1, x0, 0, &when)); /* back up */
  for (int i = 0; i < 6; i += 3) x0[i] += 0.51, x1[i] += 0.51;
  CHECK(!CrEdgesCross(x0, x1, 0, &when));
  CHECK(CrEdgesCross(x0, x1, 0.05, &when));
  for (int i = 0; i < 6; i += 3) x0[i + 2] = 0; /* starts on the other edge */
  CHECK(CrEdgesCross(x0, x1, 0.05, &when) && when == 0);
}

/* ---- edges of bodies ------------------------------------------------------------------------- */

/* Bars that stand on an edge, turned against each other about z. */
static PetscErrorCode open_bars(Problem *p, double turn, double sink)
{
  const double s = sin(turn) / 2, c = cos(turn) / 2, w = 0.2;

  return problem_open(
      p,
      "carom: 1\ndimension: 3\nmaterials: [{name: m, young: 1, poisson: 0.3, density: 1}]\n"
      "bodies:\n"
      "  - {name: a, material: m, position: [0, 0, %.17g], mesh: {hex: {corners: [[%.17g, %.17g, "
      "0], [%.17g, %.17g, 0], [%.17g, %.17g, 0.2], [%.17g, %.17g, 0.2], [%.17g, %.17g, 0.2], "
      "[%.17g, %.17g, 0.2], [%.17g, %.17g, 0.4], [%.17g, %.17g, 0.4]], elements: [1, 1, 1]}}}\n"
      "  - {name: b, material: m, angle: 45, axis: [0, 1, 0], mesh: {block: {from: [-0.2, -0.5, "
      "-0.2], to: [0.2, 0.5, 0.2], elements: [1, 1, 1]}}}\n"
      "contact: [{between: [a, b]}]\ntime: {method: dissipative, step: 0.01, end: 1}\n",
      0.2 * sqrt(2.) - sink, -c, -s, c, s, c - 2 * w * s, s + 2 * w * c, -c - 2 * w * s,
      -s + 2 * w * c, -c + 2 * w * s, -s - 2 * w * c, c + 2 * w * s, s - 2 * w * c, c, s, -c, -s);
}

/* How many meetings of two bodies are possible near the origin, at what gap. */
static int count_meetings(const Problem *p, PetscReal *gap)
{
  const CrPass *pass = p->contact->passes;
  PetscReal    *u, x[12];
  int           count = 0;

  while (pass->kind != CR_EDGE_ON_EDGE) pass++;
  CHECK_OK(PetscCalloc1(3 * p->model->nlocal, &u));
  CHECK(pass->ridges[0]->n == 12 && pass->ridges[1]->n == 12);
  for (PetscInt i = 0; i < 12; i++)
    for (PetscInt j = 0; j < 12; j++) {
      PetscInt     m = CrMeetingFind(p->model, pass->ridges, i, j, u, NULL, 15 * PETSC_PI / 180);
      PetscInt     nodes[4];
      CrKinematics k;

      if (m < 0) continue;
      CrMeetingNodes(pass->ridges[0], i, pass->ridges[1], m, nodes);
      for (int a = 0; a < 4; a++)
        for (int d = 0; d < 3; d++) x[3 * a + d] = p->model->X[3 * nodes[a] + d];
      CHECK(CrKinematicsEdges(x, &k));
      if (CrEdgesBeyond(k.xi) > 0 || PetscAbsReal(k.gap) > 0.1) continue;
      CHECK_LESS(0.99, k.nu[2]); /* outward from b, which lies below */
      *gap = k.gap;
      count++;
    }
  CHECK_OK(PetscFree(u));
  return count;
}

/* The lowest edge of one bar and the highest of the other meet, and no others. */
static void test_bars(double turn, int expected)
{
  Problem   p;
  PetscReal gap = -1;
  int       before = check_failures;

  CHECK_OK(open_bars(&p, turn, 0.01));
  if (check_failures > before) return;
  CHECK(count_meetings(&p, &gap) == expected);
  if (expected) CHECK_NEAR(gap, -0.01, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* One cube lies on another. If their corners meet, nodes on facets hold them, and no edges do. If it is shifted, two
   pairs of edges cross, because no node needs to be near these places. */
static void test_flat_cubes(double shift, int expected)
{
  Problem   p;
  PetscReal gap = -1;
  int       before = check_failures;

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\nmaterials: [{name: m, young: 1, poisson: 0.3, density: 1}]\n"
      "bodies: [{name: a, material: m, position: [%.17g, %.17g, 0.999], mesh: {block: {from: [0, 0, "
      "0], to: [1, 1, 1], elements: [1, 1, 1]}}}, {name: b, material: m, mesh: {block: {from: [0, "
      "0, 0], to: [1, 1, 1], elements: [1, 1, 1]}}}]\n"
      "contact: [{between: [a, b]}]\ntime: {method: dissipative, step: 0.01, end: 1}\n",
      shift, shift));
  if (check_failures > before) return;
  CHECK(count_meetings(&p, &gap) == expected);
  if (expected) CHECK_NEAR(gap, -0.001, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* A third of the area of both faces at each edge of a block of 1 x 2 x 3; 12 edges, none on flat sides. */
static void test_weights(void)
{
  Problem p;
  int     seen[3] = {0};

  CHECK_OK(problem_open(
      &p,
      "carom: 1\ndimension: 3\nmaterials: [{name: m, young: 1, poisson: 0.3, density: 1}]\n"
      "bodies: [{name: a, material: m, mesh: {block: {from: [0, 0, 0], to: [1, 2, 3], elements: "
      "[1, 1, 1]}}}, {name: b, material: m, mesh: {block: {from: [5, 0, 0], to: [6, 2, 3], "
      "elements: [1, 1, 1]}}}]\n"
      "contact: [{between: [a, b]}]\ntime: {method: dissipative, step: 0.01, end: 1}\n"));
  CHECK(p.contact->nridges == 2 && p.contact->ridges[0]->n == 12);
  for (PetscInt i = 0; i < 12; i++)
    for (int d = 0; d < 3; d++) {
      const PetscReal side[3] = {1, 2, 3}, length = p.contact->ridges[0]->length[i];

      if (PetscAbsReal(length - side[d]) > 1e-12) continue;
      seen[d]++;
      CHECK_NEAR(p.contact->ridges[0]->weight[i], length * (6 - length) / 3, 1e-12);
    }
  CHECK(seen[0] == 4 && seen[1] == 4 && seen[2] == 4);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_crossing();
  test_fall();
  test_weights();
  for (int k = 0; k <= 4; k++) test_bars(k * 0.3, 1);
  test_flat_cubes(0, 0);
  test_flat_cubes(0.3, 2);
  test_bars(PETSC_PI / 2 - 0.15, 0); /* they cross at less than 10 degrees */
  return check_end();
}
