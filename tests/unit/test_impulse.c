/* The impulse equations alone (theory 16.2): the one solution with all j > 0 is found whatever the
   sizes of its terms, cluster by cluster, and settling what cannot be paid loses nothing. */
#include "check.h"
#include "contact/impulse.h"

#define MOST 2000

/* A system under construction; dense here, compressed for the solver. */
typedef struct {
  PetscInt   n;
  PetscReal *A; /* [n*n] */
  PetscReal  b[MOST], c[MOST];
} Dense;

static Dense     dense;
static PetscReal j[MOST], other[MOST];

/* ---- helpers -------------------------------------------------------------------------------- */

static unsigned seed = 1;

/* Uniform in [0, 1). */
static PetscReal draw(void)
{
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

static PetscReal between(PetscReal low, PetscReal high)
{
  return low + (high - low) * draw();
}

static void begin(PetscInt n)
{
  dense.n = n;
  free(dense.A);
  dense.A = calloc((size_t)(n * n), sizeof(PetscReal));
}

#define A_(k, l) dense.A[(k)*dense.n + (l)]

/* Compressed rows of what is not zero, and the diagonal. */
static void solve(CrImpulseReport *report)
{
  PetscInt       *start  = malloc(sizeof(PetscInt) * (size_t)(dense.n + 1));
  PetscInt       *column = malloc(sizeof(PetscInt) * (size_t)(dense.n * dense.n));
  PetscReal      *value  = malloc(sizeof(PetscReal) * (size_t)(dense.n * dense.n));
  CrImpulseSystem s      = {dense.n, start, column, value, dense.b, dense.c};
  PetscInt        m      = 0;

  for (PetscInt k = 0; k < dense.n; k++) {
    start[k] = m;
    for (PetscInt l = 0; l < dense.n; l++)
      if (k == l || A_(k, l) != 0) {
        column[m]  = l;
        value[m++] = A_(k, l);
      }
  }
  start[dense.n] = m;
  for (PetscInt l = 0; l < dense.n; l++) j[l] = NAN;
  CHECK_OK(CrImpulseSolve(&s, j, report));
  free(start);
  free(column);
  free(value);
}

/* Greatest |j (A j + b) + c| in extended precision, less what rounding of j, A and b by one unit
   makes of it; over the greatest |c|. */
static PetscReal worst_residual(const PetscReal *x)
{
  long double worst = 0, scale = 0;

  for (PetscInt k = 0; k < dense.n; k++) {
    long double sum = dense.b[k], size = fabsl((long double)dense.b[k]), r;

    for (PetscInt l = 0; l < dense.n; l++) {
      sum += (long double)A_(k, l) * x[l];
      size += fabsl((long double)A_(k, l) * x[l]);
    }
    r     = fabsl(x[k] * sum + dense.c[k]) - 8 * PETSC_MACHINE_EPSILON * fabsl(x[k]) * size;
    worst = r > worst ? r : worst;
    scale = -dense.c[k] > scale ? -dense.c[k] : scale;
  }
  return (PetscReal)(worst / (scale > 0 ? scale : 1));
}

static PetscBool all_positive(const PetscReal *x)
{
  for (PetscInt l = 0; l < dense.n; l++)
    if (!(x[l] > 0)) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* A = V V^T/2 with `width` random columns, as G M^-1 G is. */
static void fill_gram(PetscInt n, PetscInt width)
{
  PetscReal *V = malloc(sizeof(PetscReal) * (size_t)(n * width));

  begin(n);
  for (PetscInt i = 0; i < n * width; i++) V[i] = between(-1, 1);
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt l = 0; l < n; l++)
      for (PetscInt i = 0; i < width; i++) A_(k, l) += V[k * width + i] * V[l * width + i] / 2;
  free(V);
}

/* b of both signs, c from -1 down by so many decades. */
static void fill_rest(PetscReal decades)
{
  for (PetscInt l = 0; l < dense.n; l++) {
    dense.b[l] = between(-2, 2);
    dense.c[l] = -PetscPowReal(10, -decades * draw());
  }
  dense.c[(PetscInt)(draw() * dense.n)] = -1;
}

/* Nonlinear Gauss-Seidel on the scalar quadratics, another way to the same solution. Returns the
   sweeps, 0 if they were not enough. */
static PetscInt gauss_seidel(PetscReal *x, PetscInt most)
{
  for (PetscInt l = 0; l < dense.n; l++) x[l] = 1;
  for (PetscInt sweep = 1; sweep <= most; sweep++) {
    PetscReal change = 0;

    for (PetscInt k = 0; k < dense.n; k++) {
      PetscReal a = A_(k, k), b = dense.b[k], root, next;

      for (PetscInt l = 0; l < dense.n; l++)
        if (l != k) b += A_(k, l) * x[l];
      root   = sqrt(b * b - 4 * a * dense.c[k]);
      next   = b > 0 ? -2 * dense.c[k] / (b + root) : (root - b) / (2 * a);
      change = PetscMax(change, PetscAbsReal(next - x[k]) / PetscMax(next, 1e-12));
      x[k]   = next;
    }
    if (change < 1e-14) return sweep;
  }
  return 0;
}

/* ---- the one solution ------------------------------------------------------------------------ */

static void test_random_systems(void)
{
  PetscInt most = 0;

  for (int k = 0; k < 400; k++) {
    PetscInt        n = 1 + (PetscInt)(24 * draw());
    CrImpulseReport report;

    fill_gram(n, n + (PetscInt)(3 * draw())); /* down to square: nearly singular now and then */
    fill_rest(14);
    solve(&report);
    CHECK(report.converged);
    CHECK(report.clusters == 1 && report.largest == n);
    CHECK(all_positive(j));
    CHECK_LESS(worst_residual(j), 1e-12);
    most = PetscMax(most, report.iterations);
  }
  printf("random systems: at most %d iterations\n", (int)most);
  CHECK(most <= 40);
}

static void test_same_as_gauss_seidel(void)
{
  int compared = 0;

  for (int k = 0; k < 60; k++) {
    PetscInt        n = 1 + (PetscInt)(12 * draw());
    CrImpulseReport report;

    fill_gram(n, 3 * n);
    fill_rest(k % 8);
    solve(&report);
    if (!gauss_seidel(other, 20000)) continue;
    compared++;
    for (PetscInt l = 0; l < n; l++) CHECK_NEAR(j[l], other[l], 1e-9 * other[l] + 1e-13);
  }
  CHECK(compared > 50);
}

/* One mass against a wall (spec of the method, section 9): whatever part of the step was flight, it
   leaves as fast as it came. v = vt + j G/m; the other root would be a pull that leaves it falling. */
static void test_mass_on_wall(void)
{
  const PetscReal parts[] = {1e-9, 1e-3,  0.1,      0.3,      0.5,      0.7,
                             0.9,  0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12};

  for (int m = -3; m <= 3; m += 3)
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      PetscReal       mass = PetscPowRealInt(10, m), V = 3, h = 0.01, g0 = parts[i] * h * V;
      PetscReal       force = 2 * mass * (V - g0 / h) / h, vt = V - 2 * g0 / h, velocity;
      CrImpulseReport report;

      begin(1);
      A_(0, 0)   = force * force / mass / 2;
      dense.b[0] = force * vt;
      dense.c[0] = -force * g0;
      solve(&report);
      velocity = vt + j[0] * force / mass;
      CHECK(report.converged);
      CHECK(report.iterations <= 3); /* one point has a closed form */
      /* c is force times gap, and the force is a difference: as many digits as that has */
      CHECK_NEAR(velocity, V, 1e-14 * V / (1 - parts[i]) * 1e-2 + 1e-13 * V);
    }
}

/* c far below b^2: y is -b but for the last digits, and y (y + b) cannot be c to all of its own. That is
   no failure: the energy is right to rounding of what moves. */
static void test_small_work(void)
{
  for (int decades = 0; decades <= 24; decades++)
    for (int n = 1; n <= 4; n++) {
      CrImpulseReport report;
      PetscReal       size = 0;

      fill_gram(n, 2 * n + 2);
      for (PetscInt l = 0; l < n; l++) {
        dense.b[l] = -1 - draw();
        dense.c[l] = -PetscPowRealInt(10, -decades) * (1 + draw());
      }
      solve(&report);
      for (PetscInt l = 0; l < n; l++) size += PetscAbsReal(j[l] * dense.b[l]);
      CHECK(report.converged);
      CHECK(report.iterations <= 40);
      CHECK(all_positive(j));
      CHECK_LESS(worst_residual(j) * PetscPowRealInt(10, -decades), 1e-14 * size);
    }
}

/* p -> 0 at the end of a step: j grows without bound while the impulse j G stays. The solution for
   G times s is j/s, for factors far apart in one cluster. */
static void test_scale_of_points(void)
{
  const PetscReal factor[] = {1e-9, 1, 1e6, 1e-4, 1e9, 1e-2};
  CrImpulseReport report;

  fill_gram(6, 9);
  fill_rest(4);
  solve(&report);
  for (int l = 0; l < 6; l++) other[l] = j[l];
  for (int k = 0; k < 6; k++) {
    dense.b[k] *= factor[k];
    for (int l = 0; l < 6; l++) A_(k, l) *= factor[k] * factor[l];
  }
  solve(&report);
  CHECK(report.converged);
  for (int l = 0; l < 6; l++) CHECK_NEAR(j[l] * factor[l], other[l], 1e-10 * other[l]);
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* Three independent systems, their points shuffled together, give what each gives alone; and an
   entry that is stored but zero joins nothing. */
static void test_clusters(void)
{
  const PetscInt  size[] = {5, 1, 3}, of[] = {0, 2, 0, 1, 2, 0, 0, 2, 0};
  PetscReal       A[3][25], b[3][5], c[3][5], alone[3][5];
  PetscInt        start[10], column[81], count[3] = {0}, index[9], m = 0;
  PetscReal       value[81];
  CrImpulseSystem s = {9, start, column, value, dense.b, dense.c};
  CrImpulseReport report;

  for (int k = 0; k < 3; k++) {
    fill_gram(size[k], size[k] + 2);
    fill_rest(3);
    solve(&report);
    memcpy(A[k], dense.A, sizeof(PetscReal) * (size_t)(size[k] * size[k]));
    memcpy(b[k], dense.b, sizeof b[k]);
    memcpy(c[k], dense.c, sizeof c[k]);
    memcpy(alone[k], j, sizeof alone[k]);
  }
  for (int k = 0; k < 9; k++) index[k] = count[of[k]]++;
  for (int k = 0; k < 9; k++) {
    start[k]   = m;
    dense.b[k] = b[of[k]][index[k]];
    dense.c[k] = c[of[k]][index[k]];
    for (int l = 0; l < 9; l++) {
      column[m]  = l;
      value[m++] = of[k] == of[l] ? A[of[k]][index[k] * size[of[k]] + index[l]] : 0;
    }
  }
  start[9] = m;
  CHECK_OK(CrImpulseSolve(&s, j, &report));
  CHECK(report.clusters == 3);
  CHECK(report.largest == 5);
  for (int k = 0; k < 9; k++) CHECK_NEAR(j[k], alone[of[k]][index[k]], 1e-13 * j[k]);
}

/* A point whose nodes are all held moves nothing: its equation is linear, or has no answer. */
static void test_held_points(void)
{
  CrImpulseReport report;

  begin(1);
  dense.b[0] = 4;
  dense.c[0] = -2;
  solve(&report);
  CHECK(report.converged && j[0] == 0.5);
  dense.c[0] = 0;
  solve(&report);
  CHECK(report.converged && j[0] == 0);
  dense.b[0] = 0;
  dense.c[0] = -2;
  solve(&report);
  CHECK(!report.converged);
}

static void test_nothing(void)
{
  CrImpulseReport report;

  begin(0);
  solve(&report);
  CHECK(report.converged && report.clusters == 0);
}

/* ---- the limit c -> 0 ------------------------------------------------------------------------ */

/* Are the points of the set the ones that get an impulse? x of A x = -b on the set, >= 0; A x + b >= 0
   outside. Gauss elimination, n <= 5. */
static PetscBool is_answer(unsigned set, PetscReal *x)
{
  PetscInt  n = dense.n;
  PetscReal M[5][6];

  for (PetscInt k = 0; k < n; k++) {
    for (PetscInt l = 0; l < n; l++)
      M[k][l] = (set >> k & 1) && (set >> l & 1) ? A_(k, l) : (k == l ? 1 : 0);
    M[k][n] = (set >> k & 1) ? -dense.b[k] : 0;
  }
  for (PetscInt k = 0; k < n; k++) /* positive definite: no pivoting */
    for (PetscInt r = 0; r < n; r++)
      for (PetscInt l = n; r != k && l >= k; l--) M[r][l] -= M[r][k] / M[k][k] * M[k][l];
  for (PetscInt k = 0; k < n; k++) x[k] = M[k][n] / M[k][k];
  for (PetscInt k = 0; k < n; k++) {
    PetscReal out = dense.b[k];

    for (PetscInt l = 0; l < n; l++) out += A_(k, l) * x[l];
    if (x[k] < 0 || (!(set >> k & 1) && out < 0)) return PETSC_FALSE;
  }
  return PETSC_TRUE;
}

/* c = 0 everywhere: j >= 0, A j + b >= 0, their product 0; all sets of points are tried. */
static void test_complementarity(void)
{
  for (int trial = 0; trial < 100; trial++) {
    PetscInt        n    = 1 + (PetscInt)(5 * draw());
    PetscReal       unit = trial % 2 ? 1 : 1e-9; /* of velocity */
    CrImpulseReport report;
    int             answers = 0;

    fill_gram(n, 2 * n + 1);
    for (PetscInt l = 0; l < n; l++) {
      dense.b[l] = unit * between(-2, 2);
      dense.c[l] = 0;
    }
    solve(&report);
    CHECK(report.converged);
    for (unsigned set = 0; set < 1u << n; set++) {
      if (!is_answer(set, other)) continue;
      answers++;
      for (PetscInt l = 0; l < n; l++) CHECK_NEAR(j[l], other[l], 1e-9 * unit);
    }
    CHECK(answers == 1);
  }
}

/* Some c = 0 among others: what Gauss-Seidel gives, whose scalar root takes the limit by itself. */
static void test_some_without_work(void)
{
  int compared = 0;

  for (int trial = 0; trial < 60; trial++) {
    PetscInt        n = 2 + (PetscInt)(8 * draw());
    CrImpulseReport report;

    fill_gram(n, 3 * n);
    fill_rest(2);
    for (PetscInt l = 1; l < n; l += 2) dense.c[l] = 0;
    if (dense.c[0] == 0) dense.c[0] = -1;
    solve(&report);
    CHECK(report.converged);
    if (!gauss_seidel(other, 20000)) continue;
    compared++;
    for (PetscInt l = 0; l < n; l++) CHECK_NEAR(j[l], other[l], 1e-8);
  }
  CHECK(compared > 50);
}

/* ---- many points ----------------------------------------------------------------------------- */

/* A chain in which neighbours share a node: too many points for a dense matrix of Newton. */
static void test_long_chain(void)
{
  static PetscInt  start[MOST + 1], column[3 * MOST];
  static PetscReal value[3 * MOST];
  PetscReal        worst = 0;
  PetscInt         m     = 0;
  CrImpulseSystem  s     = {MOST, start, column, value, dense.b, dense.c};
  CrImpulseReport  report;

  dense.n = MOST;
  fill_rest(10);
  for (PetscInt k = 0; k < MOST; k++) {
    start[k] = m;
    for (PetscInt l = PetscMax(0, k - 1); l <= PetscMin(MOST - 1, k + 1); l++) {
      column[m]  = l;
      value[m++] = k == l ? 1 : -0.45;
    }
  }
  start[MOST] = m;
  CHECK_OK(CrImpulseSolve(&s, j, &report));
  CHECK(report.converged);
  CHECK(report.clusters == 1 && report.largest == MOST);
  CHECK(report.iterations <= 40);
  for (PetscInt k = 0; k < MOST; k++) {
    PetscReal Aj = j[k] + dense.b[k];

    if (k > 0) Aj -= 0.45 * j[k - 1];
    if (k < MOST - 1) Aj -= 0.45 * j[k + 1];
    worst = PetscMax(worst, PetscAbsReal(j[k] * Aj + dense.c[k]));
    if (!(j[k] > 0)) worst = PETSC_INFINITY;
  }
  CHECK_LESS(worst, 1e-11);
  /* the same from the other end: the answer does not depend on the order */
  for (PetscInt k = 0; k < MOST; k++) other[k] = j[MOST - 1 - k];
  for (PetscInt k = 0; k < MOST / 2; k++) {
    PetscReal b = dense.b[k], c = dense.c[k];

    dense.b[k]            = dense.b[MOST - 1 - k];
    dense.c[k]            = dense.c[MOST - 1 - k];
    dense.b[MOST - 1 - k] = b;
    dense.c[MOST - 1 - k] = c;
  }
  CHECK_OK(CrImpulseSolve(&s, j, &report));
  for (PetscInt k = 0; k < MOST; k++) CHECK_NEAR(j[k], other[k], 1e-6 * other[k] + 1e-10);
}

/* ---- what cannot be paid --------------------------------------------------------------------- */

static PetscReal sum_of(PetscInt n, const PetscReal *c)
{
  PetscReal sum = 0;

  for (PetscInt l = 0; l < n; l++) sum += c[l];
  return sum;
}

/* Work and bank together stay; no c is left above 0, none that was below grows in size, all others
   fall by one factor; the bank keeps something only when nothing is left to take it from. */
static void test_settle(void)
{
  for (int trial = 0; trial < 400; trial++) {
    PetscInt  n = (PetscInt)(8 * draw());
    PetscReal c[8], before[8], bank = trial % 3 ? draw() * (trial % 2) : 0, all, least = 1,
                               most = 0;

    for (PetscInt l = 0; l < n; l++) before[l] = c[l] = between(-1, trial % 5 == 0 ? -0.1 : 0.6);
    all = sum_of(n, c) + bank;
    CrImpulseSettle(n, c, &bank);
    CHECK_NEAR(sum_of(n, c) + bank, all, 1e-14);
    CHECK(bank >= -1e-15);
    CHECK(bank <= 1e-15 || PetscAbsReal(sum_of(n, c)) <= 1e-15);
    for (PetscInt l = 0; l < n; l++) {
      CHECK(c[l] <= 0);
      if (before[l] >= 0) {
        CHECK(c[l] == 0);
        continue;
      }
      CHECK(c[l] >= before[l]);
      least = PetscMin(least, c[l] / before[l]);
      most  = PetscMax(most, c[l] / before[l]);
    }
    if (most > 0) CHECK_NEAR(least, most, 1e-13);
  }
}

static void test_settle_of_nothing(void)
{
  PetscReal c[] = {-1, -2e-9, -3e5}, bank = 0;

  CrImpulseSettle(3, c, &bank);
  CHECK(c[0] == -1 && c[1] == -2e-9 && c[2] == -3e5 && bank == 0);
  bank = 0.25;
  CrImpulseSettle(0, NULL, &bank);
  CHECK(bank == 0.25);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_random_systems();
  test_same_as_gauss_seidel();
  test_mass_on_wall();
  test_small_work();
  test_scale_of_points();
  test_clusters();
  test_held_points();
  test_nothing();
  test_complementarity();
  test_some_without_work();
  test_long_chain();
  test_settle();
  test_settle_of_nothing();
  free(dense.A);
  return check_end();
}
