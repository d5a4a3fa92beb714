/* The tree of boxes against trying every box, and what its queries cost. */
#include "check.h"
#include "contact/geometry/tree.h"

#define ROOM 4096

/* Pseudo-random numbers in (0, 1), the same everywhere. */
static unsigned seed = 1;

static PetscReal random_part(void)
{
  seed = seed * 1664525u + 1013904223u;
  return ((PetscReal)(seed >> 8) + 0.5) / 16777216;
}

/* ---- boxes to try with --------------------------------------------------------------------- */

/* A box of sides up to `size` somewhere in the unit cube. */
static void random_box(PetscInt dim, PetscReal size, PetscReal *box)
{
  for (PetscInt i = 0; i < dim; i++) {
    box[i] = random_part();
    box[dim + i] = box[i] + size * random_part();
  }
}

static void fill_uniform(PetscInt dim, PetscInt n, PetscReal *boxes)
{
  PetscReal size = PetscPowReal((PetscReal)n, -1.0 / (PetscReal)dim);

  for (PetscInt k = 0; k < n; k++) random_box(dim, size, boxes + k * 2 * dim);
}

/* Half of the boxes sit in clusters of a thousandth of the whole, some many orders smaller. */
static void fill_clustered(PetscInt dim, PetscInt n, PetscReal *boxes)
{
  for (PetscInt k = 0; k < n; k++) {
    PetscReal *box = boxes + k * 2 * dim, shrink = k % 7 ? 1e-3 : 1e-9;

    random_box(dim, 0.2, box);
    if (k % 2) continue;
    for (PetscInt i = 0; i < 2 * dim; i++)
      box[i] = (PetscReal)((k / 2 + i % dim) % 3) / 3 + shrink * box[i];
  }
}

/* Points, slabs, the same box again and again, boxes that touch at integers, one over everything. */
static void fill_degenerate(PetscInt dim, PetscInt n, PetscReal *boxes)
{
  for (PetscInt k = 0; k < n; k++) {
    PetscReal *box = boxes + k * 2 * dim;

    for (PetscInt i = 0; i < dim; i++) {
      PetscInt cell = i == 0 ? k % 5 : i == 1 ? (k / 5) % 5 : (k / 25) % 5;

      box[i] = k % 4 == 0 ? 0.25 : (PetscReal)cell / 5;
      box[dim + i] = k % 3 == 0 ? box[i] : (PetscReal)(cell + 1) / 5;
      if (box[dim + i] < box[i]) box[dim + i] = box[i];
      if (k == n / 2) box[dim + i] = 1 + (box[i] = -1);
    }
  }
}

typedef void Fill(PetscInt dim, PetscInt n, PetscReal *boxes);

/* ---- against trying every box -------------------------------------------------------------- */

static PetscBool boxes_meet(PetscInt dim, const PetscReal *a, const PetscReal *b)
{
  for (PetscInt i = 0; i < dim; i++)
    if (!(a[i] <= b[dim + i]) || !(b[i] <= a[dim + i])) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* One query; wrong answers are counted, so that a broken tree does not print a page for each. */
static int is_wrong(const CrTree *tree, PetscInt dim, PetscInt n, const PetscReal *boxes,
                    const PetscReal *box, PetscInt *total)
{
  PetscInt  found[ROOM] = {-7}, count = 1, at = 1;
  PetscBool fits = CrTreeQuery(tree, box, ROOM, found, &count);

  if (!fits || found[0] != -7) return 1;
  for (PetscInt k = 0; k < n; k++) /* ascending, nothing missing, nothing doubled */
    if (boxes_meet(dim, boxes + k * 2 * dim, box) && (at >= count || found[at++] != k)) return 1;
  *total += count - 1;
  return at != count;
}

static void check_queries(const CrTree *tree, PetscInt dim, PetscInt n, const PetscReal *boxes)
{
  PetscInt wrong = 0, total = 0;

  for (PetscInt q = 0; q < 60; q++) {
    PetscReal box[6];

    random_box(dim, q % 3 ? 0.1 : 1, box);
    if (q % 5 == 0 && n) /* a box of the tree itself, and one that only touches it */
      for (PetscInt i = 0; i < 2 * dim; i++) box[i] = boxes[(q * 7919) % n * 2 * dim + i];
    if (q % 10 == 0 && n) box[dim] = box[0];
    wrong += is_wrong(tree, dim, n, boxes, box, &total);
  }
  CHECK(wrong == 0);
  if (n > 100) CHECK(total > 0); /* the queries do ask something */
}

/* The box of everything is exactly that. */
static void check_whole(const CrTree *tree, PetscInt dim, PetscInt n, const PetscReal *boxes)
{
  for (PetscInt i = 0; i < dim; i++) {
    PetscReal low = PETSC_INFINITY, high = PETSC_NINFINITY;

    for (PetscInt k = 0; k < n; k++) {
      low = PetscMin(low, boxes[k * 2 * dim + i]);
      high = PetscMax(high, boxes[k * 2 * dim + dim + i]);
    }
    CHECK(CrTreeBox(tree)[i] == low && CrTreeBox(tree)[dim + i] == high);
  }
}

static void move(PetscInt dim, PetscInt n, PetscReal far, PetscReal *boxes)
{
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt i = 0; i < dim; i++) {
      PetscReal step = far * (random_part() - 0.5);

      boxes[k * 2 * dim + i] += step;
      boxes[k * 2 * dim + dim + i] += step;
    }
}

/* As built, after small motions, after one that mixes everything, and moved away as a whole. */
static void test_against_all(PetscInt dim, PetscInt n, Fill *fill)
{
  CrTree    *tree;
  PetscReal *boxes;
  int        before = check_failures;

  CHECK_OK(CrTreeCreate(dim, n, &tree));
  CHECK_OK(PetscMalloc1(n * 2 * dim, &boxes));
  fill(dim, n, boxes);
  for (int step = 0; step < 12; step++) {
    CrTreeUpdate(tree, boxes);
    check_queries(tree, dim, n, boxes);
    check_whole(tree, dim, n, boxes);
    move(dim, n, step < 8 ? 0.02 : 1, boxes);
  }
  CHECK_OK(PetscFree(boxes));
  CHECK_OK(CrTreeDestroy(&tree));
  CHECK(tree == NULL);
  if (check_failures > before) printf("  dimension %d, %d boxes\n", (int)dim, (int)n);
}

static void test_all_sizes(void)
{
  const PetscInt sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 100, 1000, 1023, 1025, 2500};

  for (PetscInt dim = 2; dim <= 3; dim++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      test_against_all(dim, sizes[s], fill_uniform);
      test_against_all(dim, sizes[s], fill_clustered);
      test_against_all(dim, sizes[s], fill_degenerate);
    }
}

/* ---- edges of the contract ----------------------------------------------------------------- */

/* A line of unit boxes; too little room says so, counts on, and keeps what there was before. */
static void test_room(void)
{
  CrTree   *tree;
  PetscReal boxes[10][4], all[4] = {0, 0, 10, 1}, touching[4] = {2, 1, 2, 5};
  PetscReal infinite[4] = {PETSC_NINFINITY, PETSC_NINFINITY, PETSC_INFINITY, PETSC_INFINITY};
  PetscInt  found[16] = {0}, n = 2;

  for (int k = 0; k < 10; k++)
    for (int i = 0; i < 4; i++) boxes[k][i] = (i == 0 ? k : i == 1 ? 0 : i == 2 ? k + 1 : 1);
  CHECK_OK(CrTreeCreate(2, 10, &tree));
  CHECK(CrTreeQuery(tree, infinite, 16, found, &n) && n == 2); /* not yet updated: nothing there */
  CrTreeUpdate(tree, boxes[0]);
  found[0] = found[1] = found[5] = -3;
  CHECK(!CrTreeQuery(tree, all, 5, found, &n));
  CHECK(n == 12 && found[0] == -3 && found[1] == -3 && found[5] == -3);
  n = 2;
  CHECK(CrTreeQuery(tree, all, 12, found, &n));
  for (int k = 0; k < 10; k++) CHECK(found[k + 2] == k);
  n = 0;
  CHECK(!CrTreeQuery(tree, all, 0, NULL, &n) && n == 10);
  n = 0; /* touching counts: the corner point of two boxes */
  CHECK(CrTreeQuery(tree, touching, 16, found, &n));
  CHECK(n == 2 && found[0] == 1 && found[1] == 2);
  CHECK_OK(CrTreeDestroy(&tree));
  CHECK_OK(CrTreeDestroy(&tree));
}

enum { BAD = 300 };

/* Of kind 0 are good boxes, the others are not all numbers. */
static void fill_bad(int kind, PetscReal *boxes)
{
  const PetscReal inf = PETSC_INFINITY;

  fill_uniform(3, BAD, boxes);
  for (PetscInt k = 0; k < BAD; k++)
    for (PetscInt i = 0; i < 6; i++) {
      if (kind == 1 && k % 3 == 0) boxes[k * 6 + i] = NAN;
      if (kind == 2 && k % 3 == 0 && i == k % 6) boxes[k * 6 + i] = NAN;
      if (kind == 3) boxes[k * 6 + i] = NAN;
      if (kind == 4 && k % 5 == 0 && i >= k % 6) boxes[k * 6 + i] = i < 3 ? -inf : inf;
    }
}

/* Boxes with NaN are found by nothing and hide nothing; infinite ones are found as boxes are. */
static void check_bad(CrTree *tree, int kind)
{
  const PetscReal inf = PETSC_INFINITY, all[6] = {-inf, -inf, -inf, inf, inf, inf};

  PetscReal boxes[BAD * 6], nowhere[6] = {0, 0, 0, 1, NAN, 1};
  PetscInt  total = 0, n = 0, found[ROOM];

  fill_bad(kind, boxes);
  CrTreeUpdate(tree, boxes);
  for (int q = 0; q < 50; q++) {
    PetscReal box[6];

    random_box(3, 0.3, box);
    CHECK(!is_wrong(tree, 3, BAD, boxes, box, &total));
  }
  CHECK(!is_wrong(tree, 3, BAD, boxes, all, &total));
  CHECK(CrTreeQuery(tree, nowhere, ROOM, found, &n) && n == 0);
}

/* From every kind to every kind. */
static void test_not_numbers(void)
{
  for (int first = 0; first < 5; first++)
    for (int second = 0; second < 5; second++) {
      CrTree *tree;

      CHECK_OK(CrTreeCreate(3, BAD, &tree));
      check_bad(tree, first);
      check_bad(tree, second);
      check_bad(tree, first);
      CHECK_OK(CrTreeDestroy(&tree));
    }
}

static void test_refuses(void)
{
  CrTree *tree = NULL;

  CHECK_OK(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  CHECK(CrTreeCreate(1, 3, &tree) && CrTreeCreate(3, -1, &tree));
  CHECK_OK(PetscPopErrorHandler());
}

/* Updates take no memory, whether they refit or build. */
static void test_no_allocation(void)
{
  enum { N = 500 };

  CrTree        *tree;
  PetscReal      boxes[N * 6];
  PetscLogDouble start, greatest;

  CHECK_OK(CrTreeCreate(3, N, &tree));
  fill_uniform(3, N, boxes);
  CrTreeUpdate(tree, boxes);
  CHECK_OK(PetscMallocGetCurrentUsage(&start));
  CHECK(start > N * 6 * sizeof(PetscReal)); /* PETSc does count */
  CHECK_OK(PetscMallocPushMaximumUsage(0));
  for (int step = 0; step < 5; step++) {
    move(3, N, 1, boxes);
    CrTreeUpdate(tree, boxes);
    check_queries(tree, 3, N, boxes);
  }
  CHECK_OK(PetscMallocPopMaximumUsage(0, &greatest));
  CHECK_NEAR(greatest, start, 0);
  CHECK_OK(CrTreeDestroy(&tree));
}

/* ---- cost ---------------------------------------------------------------------------------- */

/* Boxes on a grid over the unit square (2D: along a circle), bent in 3D, as the facets of a surface
   are; numbered at random, as meshers do. */
static void fill_surface(PetscInt dim, PetscInt side, PetscReal *boxes)
{
  PetscInt  n = dim == 2 ? side : side * side, width = 2 * dim;
  PetscReal h = 1.0 / (PetscReal)side, half = dim == 2 ? 4 * h : 0.6 * h; /* neighbours meet */

  for (PetscInt k = 0; k < n; k++) {
    PetscReal *box = boxes + k * width, a = h * (PetscReal)(k % side),
              b = h * (PetscReal)(k / side);
    PetscReal at[3] = {a, b, 0.2 * PetscSinReal(7 * a) * PetscCosReal(5 * b)};

    if (dim == 2) {
      at[0] = PetscCosReal(6.28 * a);
      at[1] = PetscSinReal(6.28 * a);
    }
    for (PetscInt i = 0; i < dim; i++) {
      box[i] = at[i] - half;
      box[dim + i] = at[i] + half;
    }
  }
  for (PetscInt k = n - 1; k > 0; k--) {
    PetscInt j = (PetscInt)(random_part() * (PetscReal)(k + 1));

    for (PetscInt i = 0; i < width; i++) {
      PetscReal t = boxes[k * width + i];

      boxes[k * width + i] = boxes[j * width + i];
      boxes[j * width + i] = t;
    }
  }
}

/* Boxes looked at and found per query, over queries for all boxes of the tree. */
static void measure(const CrTree *tree, PetscInt dim, PetscInt n, const PetscReal *boxes,
                    PetscReal *looked, PetscReal *found)
{
  *looked = *found = 0;
  for (PetscInt k = 0; k < n; k++) {
    PetscInt count = 0;

    *looked += (PetscReal)CrTreeLooked(tree, boxes + k * 2 * dim) / (PetscReal)n;
    (void)CrTreeQuery(tree, boxes + k * 2 * dim, 0, NULL, &count);
    *found += (PetscReal)count / (PetscReal)n;
  }
}

/* A hundred times the boxes, the same number found by each query: a query costs a few more boxes for
   each doubling, not even twice as many in all. */
static void test_growth(PetscInt dim)
{
  const PetscInt sides[2][3] = {{1000, 10000, 100000}, {32, 100, 316}};

  PetscReal looked[3], found[3];

  for (int s = 0; s < 3; s++) {
    PetscInt   side = sides[dim - 2][s], n = dim == 2 ? side : side * side;
    CrTree    *tree;
    PetscReal *boxes;

    CHECK_OK(CrTreeCreate(dim, n, &tree));
    CHECK_OK(PetscMalloc1(n * 2 * dim, &boxes));
    fill_surface(dim, side, boxes);
    CrTreeUpdate(tree, boxes);
    measure(tree, dim, n, boxes, &looked[s], &found[s]);
    printf("dimension %d, %6d boxes: %5.1f looked at, %5.1f found per query\n", (int)dim, (int)n,
           looked[s], found[s]);
    /* two nodes per level and doubling, and a few boxes around each that is found */
    CHECK_LESS(looked[s], 2 * PetscLog2Real((PetscReal)n) + 4 * found[s]);
    CHECK_OK(PetscFree(boxes));
    CHECK_OK(CrTreeDestroy(&tree));
  }
  CHECK_LESS(looked[2], 2 * looked[0]);
}

/* Boxes that drift through each other: a refitted tree stays about as good as a new one, because it
   is built again in time. Without that its queries would look at nearly everything. */
static void test_stays_good(PetscInt dim)
{
  PetscInt   side = dim == 2 ? 4000 : 64, n = dim == 2 ? side : side * side;
  CrTree    *tree, *fresh;
  PetscReal *boxes, *start, looked, found, best, worst = 0;

  CHECK_OK(CrTreeCreate(dim, n, &tree));
  CHECK_OK(PetscMalloc2(n * 2 * dim, &boxes, n * 2 * dim, &start));
  fill_surface(dim, side, start);
  for (int step = 0; step <= 40; step++) {
    /* each box goes its own way; at the end they are as far apart as they have ever been */
    seed = 5;
    for (PetscInt k = 0; k < n; k++)
      for (PetscInt i = 0; i < dim; i++) {
        PetscReal u = (random_part() - 0.5) * 0.05 * step;

        boxes[k * 2 * dim + i] = start[k * 2 * dim + i] + u;
        boxes[k * 2 * dim + dim + i] = start[k * 2 * dim + dim + i] + u;
      }
    CrTreeUpdate(tree, boxes);
    if (step % 10) continue;
    CHECK_OK(CrTreeCreate(dim, n, &fresh));
    CrTreeUpdate(fresh, boxes);
    measure(tree, dim, n, boxes, &looked, &found);
    measure(fresh, dim, n, boxes, &best, &found);
    worst = PetscMax(worst, looked / best);
    CHECK_OK(CrTreeDestroy(&fresh));
  }
  printf("dimension %d: at worst %.2f times the boxes of a new tree\n", (int)dim, worst);
  CHECK_LESS(worst, 1.5);
  CHECK_OK(PetscFree2(boxes, start));
  CHECK_OK(CrTreeDestroy(&tree));
}

/* Trees of the same boxes answer and cost the same, whatever became of them before. */
static void test_same_again(Fill *fill)
{
  enum { N = 700 };

  CrTree   *one, *other;
  PetscReal boxes[N * 6], scattered[N * 6];

  fill(3, N, boxes);
  fill_clustered(3, N, scattered);
  CHECK_OK(CrTreeCreate(3, N, &one));
  CHECK_OK(CrTreeCreate(3, N, &other));
  for (int i = 0; i < N * 6; i++) scattered[i] *= 1e-6; /* so small that the next must build */
  CrTreeUpdate(one, boxes);
  CrTreeUpdate(other, scattered);
  CrTreeUpdate(other, boxes);
  for (int k = 0; k < N; k++)
    CHECK(CrTreeLooked(one, boxes + 6 * k) == CrTreeLooked(other, boxes + 6 * k));
  CHECK_OK(CrTreeDestroy(&one));
  CHECK_OK(CrTreeDestroy(&other));
}

int main(int argc, char **argv)
{
  setenv("PETSC_OPTIONS", "-malloc_debug", 0); /* to count what is allocated */
  if (check_start(argc, argv)) return 1;
  test_all_sizes();
  test_room();
  test_not_numbers();
  test_refuses();
  test_no_allocation();
  for (PetscInt dim = 2; dim <= 3; dim++) {
    test_growth(dim);
    test_stays_good(dim);
  }
  test_same_again(fill_uniform);
  test_same_again(fill_degenerate); /* many equal centers */
  return check_end();
}
