/* Impulses with friction: impacts known by hand, and Coulomb's law at every point of random systems in the plane and in
   space, with the energy of the velocities that come out. */
#include "check.h"
#include "cone/impulse.h"

/* Pseudo-random numbers in (0, 1), the same everywhere. */
static unsigned seed = 1;

static PetscReal random_part(void)
{
  seed = seed * 1664525u + 1013904223u;
  return ((PetscReal)(seed >> 8) + 0.5) / 16777216;
}

static PetscReal random_signed(void)
{
  return 2 * random_part() - 1;
}

/* ---- one mass ---------------------------------------------------------------------------------- */

/* A mass m = 2 meets a wall with the normal velocity -3 before the impulse; the energy to return is 5. So r_n has
   r_n (r_n/(2 m) - 3) = 5. */
static PetscReal normal_by_hand(void)
{
  return 2 * (3 + PetscSqrtReal(9 + 5));
}

static void solve_one(PetscInt dim, const PetscReal b[3], PetscReal mu, PetscReal r[3],
                      PetscReal u[3])
{
  const PetscReal c = -5, A = 0.25;
  PetscInt        start[4] = {0}, column[9];
  PetscReal       value[9];
  CrRubbingReport report;
  CrRubbingSystem s = {1, dim, start, column, value, b, &c, &mu};

  for (PetscInt i = 0; i < dim; i++) {
    for (PetscInt j = 0; j < dim; j++) {
      column[dim * i + j] = j;
      value[dim * i + j] = i == j ? A : 0;
    }
    start[i + 1] = dim * (i + 1);
  }
  CHECK_OK(CrRubbingSolve(&s, r, u, &report));
  CHECK(report.converged);
}

static void test_one_mass(void)
{
  const PetscReal rn = normal_by_hand(), fast[3] = {-3, 30, 40}, slow[3] = {-3, 0.3, -0.4};
  const PetscReal backwards[3] = {-3, -30, 0};
  PetscReal       r[3], u[3];

  solve_one(2, fast, 0.5, r, u); /* slips */
  CHECK_NEAR(r[0], rn, 1e-13 * rn);
  CHECK_NEAR(r[1], -0.5 * rn, 1e-13 * rn);
  solve_one(2, backwards, 0.5, r, u);
  CHECK_NEAR(r[1], 0.5 * rn, 1e-13 * rn);
  solve_one(2, slow, 0.5, r, u); /* sticks: the mean velocity is zero */
  CHECK_NEAR(r[1], -0.3 / 0.25, 1e-14);
  CHECK_NEAR(u[1], 0, 1e-15);
  solve_one(3, fast, 0.5, r, u);
  CHECK_NEAR(r[0], rn, 1e-13 * rn);
  CHECK_NEAR(r[1], -0.5 * 0.6 * rn, 1e-13 * rn);
  CHECK_NEAR(r[2], -0.5 * 0.8 * rn, 1e-13 * rn);
  solve_one(3, slow, 0.5, r, u);
  CHECK_NEAR(r[1], -0.3 / 0.25, 1e-14);
  CHECK_NEAR(r[2], 0.4 / 0.25, 1e-14);
  solve_one(3, fast, 0, r, u);
  CHECK(r[1] == 0 && r[2] == 0);
}

/* What supports alone move along a tangent rubs with all its limit, against the motion. */
static void test_held_tangent(void)
{
  const PetscReal c = -5, mu = 0.5, b[2] = {-3, 7}, value[4] = {0.25, 0, 0, 0};
  const PetscInt  start[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
  CrRubbingSystem s = {1, 2, start, column, value, b, &c, &mu};
  CrRubbingReport report;
  PetscReal       r[2], u[2];

  CHECK_OK(CrRubbingSolve(&s, r, u, &report));
  CHECK(report.converged);
  CHECK_NEAR(r[1], -0.5 * normal_by_hand(), 1e-12);
}

/* ---- many masses that are coupled ---------------------------------------------------------------- */

#define MOST 8

typedef struct {
  PetscInt  n, dim, size, start[3 * MOST + 1], column[9 * MOST * MOST];
  PetscReal G[3 * MOST][3 * MOST + 2], v[3 * MOST + 2], value[9 * MOST * MOST], b[3 * MOST];
  PetscReal c[MOST], mu[MOST];
} Sample;

/* A and b from the directions of the rows. */
static void fill_sample(PetscInt rows, Sample *s)
{
  for (PetscInt k = 0; k < rows; k++) {
    for (PetscInt i = 0; i < s->size; i++) s->b[k] += s->G[k][i] * s->v[i];
    for (PetscInt l = 0; l < rows; l++) {
      s->column[k * rows + l] = l;
      for (PetscInt i = 0; i < s->size; i++) s->value[k * rows + l] += s->G[k][i] * s->G[l][i] / 2;
    }
    s->start[k + 1] = (k + 1) * rows;
  }
}

/* Unit masses in `size` directions; every part of a point has its own direction plus `share` of random ones. */
static void random_sample(PetscInt n, PetscInt dim, PetscReal share, PetscReal mu, Sample *s)
{
  PetscInt rows = n * dim;

  *s = (Sample){.n = n, .dim = dim, .size = rows + 2};
  for (PetscInt i = 0; i < s->size; i++) s->v[i] = 3 * random_signed();
  for (PetscInt k = 0; k < rows; k++)
    for (PetscInt i = 0; i < s->size; i++) s->G[k][i] = share * random_signed() + (i == k);
  for (PetscInt l = 0; l < n; l++) {
    s->c[l] = -PetscPowReal(10, -6 * random_part());
    s->mu[l] = mu;
  }
  fill_sample(rows, s);
}

static void cross(const PetscReal a[3], const PetscReal b[3], PetscReal out[3])
{
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;

    out[i] = a[j] * b[k] - a[k] * b[j];
  }
}

/* Points of one rigid body on a plane: all parts act on its six motions (2D: three), so several impulses have the same
   effect. Masses and inertia are in the directions. */
static void rigid_sample(PetscInt n, PetscInt dim, PetscReal mu, Sample *s)
{
  const PetscReal mass = 1 + random_part(), inertia = 0.1 + random_part();
  PetscInt        rows = n * dim;

  *s = (Sample){.n = n, .dim = dim, .size = dim == 3 ? 6 : 3};
  for (PetscInt i = 0; i < s->size; i++) /* some motions are slow: their points stick */
    s->v[i] = random_signed() * PetscPowReal(10, -3 * random_part());
  for (PetscInt l = 0; l < n; l++) {
    PetscReal arm[3] = {random_signed(), dim == 3 ? random_signed() : -0.4, -0.4};

    s->c[l] = -PetscPowReal(10, -6 * random_part());
    s->mu[l] = mu;
    if (dim == 2) arm[2] = 0;
    for (PetscInt q = 0; q < dim; q++) { /* the normal first, then the tangents */
      PetscReal e[3] = {0}, turn[3];

      e[(q + dim - 1) % dim] = 1;
      cross(arm, e, turn);
      for (PetscInt i = 0; i < dim; i++) s->G[dim * l + q][i] = e[i] / PetscSqrtReal(mass);
      for (PetscInt i = dim; i < s->size; i++)
        s->G[dim * l + q][i] = turn[dim == 3 ? i - 3 : 2] / PetscSqrtReal(inertia);
    }
  }
  fill_sample(rows, s);
}

static PetscReal kinetic(PetscInt n, const PetscReal *v)
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < n; i++) sum += v[i] * v[i] / 2;
  return sum;
}

/* The law, point by point. The scale of impulses and velocities is about one. */
static void check_point(PetscInt dim, PetscReal mu, PetscReal c, const PetscReal *r,
                        const PetscReal *u)
{
  PetscReal size = 0, speed = 0, power = 0;

  CHECK(r[0] > 0);
  CHECK_LESS(PetscAbsReal(r[0] * u[0] + c), 1e-11);
  for (PetscInt i = 1; i < dim; i++) {
    size += r[i] * r[i];
    speed += u[i] * u[i];
    power += r[i] * u[i];
  }
  size = PetscSqrtReal(size);
  speed = PetscSqrtReal(speed);
  CHECK_LESS(size - mu * r[0], 1e-10);
  if (size < mu * r[0] - 1e-9) CHECK_LESS(speed, 1e-8);               /* sticks */
  CHECK_LESS(PetscAbsReal(power + size * speed), 1e-8 * (1 + speed)); /* opposes the slip */
}

static void check_solution(const Sample *s, const PetscReal *r, const PetscReal *u)
{
  PetscReal v[3 * MOST + 2], owed = 0, lost = 0, before = kinetic(s->size, s->v);

  memcpy(v, s->v, sizeof v);
  for (PetscInt k = 0; k < s->n * s->dim; k++)
    for (PetscInt i = 0; i < s->size; i++) v[i] += r[k] * s->G[k][i];
  for (PetscInt l = 0; l < s->n; l++) {
    check_point(s->dim, s->mu[l], s->c[l], r + s->dim * l, u + s->dim * l);
    owed -= s->c[l];
    for (PetscInt i = 1; i < s->dim; i++) lost -= r[s->dim * l + i] * u[s->dim * l + i];
  }
  CHECK_NEAR(kinetic(s->size, v), before + owed - lost, 1e-11 * (before + owed));
}

/* share < 0: the points of one rigid body. */
static void test_random(PetscReal mu, PetscReal share, PetscInt most_failures)
{
  PetscInt failures = 0, passes = 0, sweeps = 0;

  for (PetscInt k = 0; k < 60; k++) {
    Sample          s;
    PetscReal       r[3 * MOST], u[3 * MOST];
    CrRubbingReport report;

    if (share < 0)
      rigid_sample(1 + k % MOST, 2 + (k / MOST) % 2, mu, &s);
    else
      random_sample(1 + k % MOST, 2 + (k / MOST) % 2, share, mu, &s);
    CHECK_OK(
        CrRubbingSolve(&(CrRubbingSystem){s.n, s.dim, s.start, s.column, s.value, s.b, s.c, s.mu},
                       r, u, &report));
    passes = PetscMax(passes, report.passes);
    sweeps = PetscMax(sweeps, report.sweeps);
    if (report.converged)
      check_solution(&s, r, u);
    else
      failures++;
  }
  printf("mu %g, coupling %g: %d of 60 without solution, %d passes, %d sweeps\n", (double)mu,
         (double)share, (int)failures, (int)passes, (int)sweeps);
  CHECK(failures <= most_failures);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_one_mass();
  test_held_tangent();
  for (int k = 0; k < 3; k++) {
    const PetscReal share[] = {0.1, 0.3, 1};

    test_random(0.1, share[k], 0);
    test_random(0.5, share[k], 0);
    test_random(1, share[k], 0); /* large friction and strong coupling: the parts swing */
    test_random(3, share[k], 0);
  }
  test_random(0.1, -1, 0);
  test_random(0.3, -1, 0);
  test_random(0.7, -1, 0);
  return check_end();
}
