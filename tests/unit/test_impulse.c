/* The impulse equations: against scalar quadratics solved in turn, complementarity by trying every
   set, impacts known by hand, and the energy of the velocities that come out. */
#include "check.h"
#include "cone/impulse.h"

#define DECADES 14 /* over which |c| is spread */

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

/* ---- systems to try with --------------------------------------------------------------------- */

/* A system with its own arrays, and what it was made of: masses 1, impulse vectors G_l in a
   space of `dim` velocities, vt before the impulses. */
typedef struct {
  PetscInt   n, dim, used, room;
  PetscInt  *start, *column;
  PetscReal *value, *b, *c, *G, *vt;
} Sample;

static Sample sample_create(PetscInt n, PetscInt dim, PetscInt room)
{
  Sample s = {.n = n, .dim = dim, .room = room};

  CHECK_OK(PetscCalloc7(n + 1, &s.start, room, &s.column, room, &s.value, n, &s.b, n, &s.c, n * dim,
                        &s.G, dim, &s.vt));
  return s;
}

static void sample_destroy(Sample *s)
{
  CHECK_OK(PetscFree7(s->start, s->column, s->value, s->b, s->c, s->G, s->vt));
}

static CrImpulseSystem view(const Sample *s)
{
  return (CrImpulseSystem){s->n, s->start, s->column, s->value, s->b, s->c};
}

static void add_entry(Sample *s, PetscInt l, PetscInt k, PetscReal value)
{
  s->column[s->used] = k;
  s->value[s->used++] = value;
  s->start[l + 1] = s->used;
}

static PetscReal dot(PetscInt n, const PetscReal *x, const PetscReal *y)
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* A = G G^T / 2 and b = G vt, all entries. */
static void fill_from_vectors(Sample *s)
{
  s->used = 0;
  for (PetscInt l = 0; l < s->n; l++) {
    const PetscReal *G = s->G + l * s->dim;

    for (PetscInt k = 0; k < s->n; k++) add_entry(s, l, k, 0.5 * dot(s->dim, G, s->G + k * s->dim));
    s->b[l] = dot(s->dim, G, s->vt);
  }
}

/* Vectors of lengths over twelve decades, as when some pressures vanish; the largest |c| is 1. */
static Sample random_sample(PetscInt n, PetscInt dim)
{
  Sample s = sample_create(n, dim, n * n);

  for (PetscInt l = 0; l < n; l++) {
    PetscReal size = PetscPowReal(10, 12 * random_part() - 6);

    for (PetscInt i = 0; i < dim; i++) s.G[l * dim + i] = size * random_signed();
    s.c[l] = l ? -PetscPowReal(10, -DECADES * random_part()) : -1;
  }
  for (PetscInt i = 0; i < dim; i++) s.vt[i] = random_signed();
  fill_from_vectors(&s);
  return s;
}

/* Points along a chain of masters, or over a grid of them: neighbours couple. `weak` multiplies the
   coupling of every 250th point to the next. */
static Sample sparse_sample(PetscInt width, PetscInt height, PetscReal weak)
{
  PetscInt n = width * height;
  Sample   s = sample_create(n, 0, 5 * n);

  for (PetscInt l = 0; l < n; l++) {
    PetscInt  x = l % width, y = l / width;
    PetscReal down = height > 1 ? -0.2 : 0, left = l % 250 ? 0.4 : 0.4 * weak,
              right = (l + 1) % 250 ? 0.4 : 0.4 * weak;

    if (y > 0) add_entry(&s, l, l - width, down);
    if (x > 0) add_entry(&s, l, l - 1, height > 1 ? 0.2 : left);
    add_entry(&s, l, l, 1);
    if (x < width - 1) add_entry(&s, l, l + 1, height > 1 ? 0.2 : right);
    if (y < height - 1) add_entry(&s, l, l + width, down);
    s.b[l] = random_signed();
    s.c[l] = -PetscPowReal(10, -6 * random_part());
  }
  s.c[0] = -1;
  return s;
}

/* ---- what a solution must be ----------------------------------------------------------------- */

static PetscReal rate(const Sample *s, const PetscReal *j, PetscInt l) /* (A j + b)_l */
{
  PetscReal sum = s->b[l];

  for (PetscInt e = s->start[l]; e < s->start[l + 1]; e++) sum += s->value[e] * j[s->column[e]];
  return sum;
}

static PetscReal diagonal(const Sample *s, PetscInt l)
{
  for (PetscInt e = s->start[l]; e < s->start[l + 1]; e++)
    if (s->column[e] == l) return s->value[e];
  return 0;
}

/* Greatest |j (A j + b) + c|; the energies of these samples are of order 1. */
static PetscReal residual(const Sample *s, const PetscReal *j)
{
  PetscReal worst = 0;

  for (PetscInt l = 0; l < s->n; l++)
    worst = PetscMax(worst, PetscAbsReal(j[l] * rate(s, j, l) + s->c[l]));
  return worst;
}

/* Greatest difference of sqrt(A_ll) j_l, which is of order 1 too. */
static PetscReal difference(const Sample *s, const PetscReal *j, const PetscReal *other)
{
  PetscReal worst = 0;

  for (PetscInt l = 0; l < s->n; l++)
    worst = PetscMax(worst, PetscSqrtReal(diagonal(s, l)) * PetscAbsReal(j[l] - other[l]));
  return worst;
}

static PetscInt count_not_positive(PetscInt n, const PetscReal *j)
{
  PetscInt count = 0;

  for (PetscInt l = 0; l < n; l++) count += !(j[l] > 0);
  return count;
}

/* The other way to solve: every scalar quadratic in turn, until nothing changes. */
static void solve_in_turn(const Sample *s, PetscInt sweeps, PetscReal *j)
{
  PetscReal change = 1;

  for (PetscInt sweep = 0; sweep < sweeps && change > 1e-15; sweep++) {
    change = 0;
    for (PetscInt l = 0; l < s->n; l++) {
      PetscReal a = diagonal(s, l), beta = rate(s, j, l) - a * j[l], old = j[l];
      PetscReal r = PetscSqrtReal(beta * beta - 4 * a * s->c[l]);

      j[l] = beta > 0 ? -2 * s->c[l] / (beta + r) : (r - beta) / (2 * a);
      change = PetscMax(change, PetscSqrtReal(a) * PetscAbsReal(j[l] - old));
    }
  }
}

static CrImpulseReport solve(const Sample *s, PetscReal *j)
{
  CrImpulseSystem system = view(s);
  CrImpulseReport report = {0};

  CHECK_OK(CrImpulseSolve(&system, j, &report));
  return report;
}

/* ---- solutions ------------------------------------------------------------------------------- */

/* v_1 = vt + sum j G must have gained exactly the energy -sum c. */
static PetscReal energy_error(const Sample *s, const PetscReal *j)
{
  PetscReal gain = 0, sum_c = 0;

  for (PetscInt i = 0; i < s->dim; i++) {
    PetscReal dv = 0;

    for (PetscInt l = 0; l < s->n; l++) dv += j[l] * s->G[l * s->dim + i];
    gain += dv * (s->vt[i] + dv / 2);
  }
  for (PetscInt l = 0; l < s->n; l++) sum_c += s->c[l];
  return gain + sum_c;
}

/* One solution with all j > 0, to rounding, in few steps. Every fourth system has
   more points than velocities, A singular, and vectors of one orthant, so that none cancel. */
static void test_random_systems(void)
{
  PetscReal worst = 0, energy = 0, defect = 0;
  PetscInt  most = 0, refused = 0, not_positive = 0;

  for (PetscInt trial = 0; trial < 400; trial++) {
    PetscInt        n = 1 + (PetscInt)(24 * random_part());
    Sample          s = random_sample(n, trial % 4 ? n + trial % 20 : n / 2 + 1);
    PetscReal       j[24];
    CrImpulseReport report;

    for (PetscInt i = 0; i < n * s.dim && trial % 4 == 0; i++) s.G[i] = PetscAbsReal(s.G[i]);
    fill_from_vectors(&s);
    report = solve(&s, j);
    refused += !report.converged;
    not_positive += count_not_positive(n, j);
    most = PetscMax(most, report.iterations);
    worst = PetscMax(worst, residual(&s, j));
    energy = PetscMax(energy, PetscAbsReal(energy_error(&s, j)));
    defect = PetscMax(defect, PetscAbsReal(report.defect));
    CHECK_NEAR(report.residual, residual(&s, j), 1e-13);
    sample_destroy(&s);
  }
  printf("400 random systems: %d steps at most, residual %.1e, energy %.1e\n", (int)most,
         (double)worst, (double)energy);
  CHECK(refused == 0 && not_positive == 0);
  CHECK_LESS(most, 36); /* what Newton on the convex function takes */
  CHECK_LESS(worst, 1e-12);
  CHECK_LESS(energy, 1e-11); /* sums of up to 24 * 40 products of size 10 */
  CHECK_LESS(defect, 1e-12);
}

/* The scalar quadratics lead to the same solution, from small and from large impulses. */
static void test_uniqueness(void)
{
  for (PetscInt trial = 0; trial < 60; trial++) {
    PetscInt  n = 2 + (PetscInt)(23 * random_part());
    Sample    s = random_sample(n, 3 * n);
    PetscReal j[24], turn[24];

    solve(&s, j);
    for (PetscInt start = 0; start < 2; start++) {
      for (PetscInt l = 0; l < n; l++) turn[l] = (start ? 100 : 0) / PetscSqrtReal(diagonal(&s, l));
      solve_in_turn(&s, 20000, turn);
      CHECK_LESS(difference(&s, j, turn), 1e-11); /* where the sweeps end, by the condition of A */
    }
    sample_destroy(&s);
  }
}

/* Small c are solved to their own accuracy, not that of the largest. */
static void test_small_impulses(void)
{
  const PetscReal c[] = {-1, -1e-13, -1e-13};
  Sample          s = sample_create(3, 3, 9);
  PetscReal       j[3];

  s.G[0] = s.G[3] = s.G[4] = s.G[6] = s.G[8] = 1; /* (1,0,0), (1,1,0), (1,0,1) */
  s.vt[0] = s.vt[1] = 1;
  s.vt[2] = -4;
  fill_from_vectors(&s);
  for (PetscInt l = 0; l < 3; l++) s.c[l] = c[l];
  CHECK(solve(&s, j).converged);
  for (PetscInt l = 0; l < 3; l++)
    CHECK_NEAR(j[l] * rate(&s, j, l) / -c[l], 1, l == 2 ? 1e-2 : 1e-14);
  CHECK(j[1] < 1e-12 &&
        j[2] > 1); /* the third has a large impulse and a small rate: cancellation */
  sample_destroy(&s);
}

/* Single points are their own roots, without a step, over all ratios of c and b. */
static void test_single_points(void)
{
  Sample s = sample_create(1, 0, 1);

  add_entry(&s, 0, 0, 2);
  for (PetscReal c = 1e-25; c < 1e26; c *= 10)
    for (PetscInt sign = -1; sign <= 1; sign++) {
      PetscReal       j;
      CrImpulseReport report;

      s.b[0] = 3 * sign;
      s.c[0] = -c;
      report = solve(&s, &j);
      CHECK(report.converged && report.iterations == 0 && report.clusters == 1);
      if (sign > 0) CHECK_NEAR(j * (2 * j + 3) / c, 1, 1e-14); /* nothing cancels */
      if (sign < 0) CHECK_NEAR((2 * j - c / j) / 3, 1, 1e-14 * (1 + PetscSqrtReal(c)));
    }
  sample_destroy(&s);
}

/* The same point several times over: the impulse of one, shared in proportion to the c. */
static void test_same_point_again(void)
{
  for (PetscInt n = 2; n < 8; n++)
    for (PetscInt sign = -1; sign <= 1; sign++) {
      Sample    s = sample_create(n, 1, n * n);
      PetscReal j[8], total = 0, sum_c = 0, all;

      s.vt[0] = 3 * sign;
      for (PetscInt l = 0; l < n; l++) s.G[l] = 2;
      for (PetscInt l = 0; l < n; l++) sum_c += s.c[l] = -PetscPowReal(10, -2 * l);
      fill_from_vectors(&s);
      all = (-6 * sign + PetscSqrtReal(36 * PetscAbsInt(sign) - 8 * sum_c)) /
            4; /* 2 j^2 + 6 j + sum c = 0 */
      CHECK(solve(&s, j).converged);
      for (PetscInt l = 0; l < n; l++) CHECK_NEAR(j[l] / (all * s.c[l] / sum_c), 1, 1e-13);
      for (PetscInt l = 0; l < n; l++) s.c[l] = 0; /* how it is shared is open now */
      CHECK(solve(&s, j).converged);
      for (PetscInt l = 0; l < n; l++) total += j[l];
      CHECK_NEAR(total, sign < 0 ? 3 : 0, 1e-14);
      sample_destroy(&s);
    }
}

/* ---- impacts known by hand ------------------------------------------------------------------- */

/* A mass meets a wall somewhere inside the step and leaves with its approach speed. */
static void test_mass_and_wall(void)
{
  const PetscReal m = 3.7, V = 2.3, h = 0.1;

  for (PetscReal part = 0.01; part < 1; part += 0.07) {
    PetscReal g0 = part * h * V, force = 2 * m * (V - g0 / h) / h, vt = V - 2 * g0 / h, j;
    Sample    s = sample_create(1, 0, 1);

    add_entry(&s, 0, 0, 0.5 * force * force / m);
    s.b[0] = force * vt;
    s.c[0] = -force * g0;
    CHECK(solve(&s, &j).converged);
    CHECK_NEAR(vt + j * force / m, V, 8 * PETSC_MACHINE_EPSILON * V);
    sample_destroy(&s);
  }
}

/* Two masses in the way of each other: they separate as they came in the frame of their centre,
   and the momentum does not notice. G = force (1, -1) on (m1, m2). */
static void test_two_masses(void)
{
  const PetscReal m1 = 2, m2 = 5, v1 = -3, v2 = 1, h = 0.01, m = m1 * m2 / (m1 + m2), V = v2 - v1;
  const PetscReal g0 = 0.3 * h * V, force = 2 * m * (V - g0 / h) / h;
  const PetscReal x1 = h * v1 + h * h / (2 * m1) * force, x2 = h * v2 - h * h / (2 * m2) * force;
  const PetscReal vt1 = -v1 + 2 / h * x1, vt2 = -v2 + 2 / h * x2;
  Sample          s = sample_create(1, 0, 1);
  PetscReal       j;

  CHECK_NEAR(x1 - x2, -g0, 1e-15); /* the gap is closed */
  add_entry(&s, 0, 0, 0.5 * force * force / m);
  s.b[0] = force * (vt1 - vt2);
  s.c[0] = -force * g0;
  CHECK(solve(&s, &j).converged);
  CHECK_NEAR((vt1 + j * force / m1) - (vt2 - j * force / m2), V, 1e-13 * V);
  CHECK_NEAR(m1 * (vt1 + j * force / m1) + m2 * (vt2 - j * force / m2), m1 * v1 + m2 * v2, 1e-13);
  sample_destroy(&s);
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* Five systems dealt out like cards: clusters are found, and solved bit for bit as if alone. Zeros
   that are stored do not couple. */
static void test_clusters(void)
{
  const PetscInt sizes[] = {7, 1, 5, 7, 4};
  Sample         part[5], all = sample_create(24, 0, 24 * 24);
  PetscReal      j[24], alone[7];
  PetscInt       owner[24], local[24], given[5] = {0}, count = 0;

  for (PetscInt i = 0; i < 5; i++) part[i] = random_sample(sizes[i], 2 * sizes[i]);
  for (PetscInt i = 0; count < 24; i = (i + 1) % 5)
    if (given[i] < sizes[i]) {
      owner[count] = i;
      local[count++] = given[i]++;
    }
  for (PetscInt l = 0; l < 24; l++) {
    const Sample *s = &part[owner[l]];

    for (PetscInt k = 0; k < 24; k++)
      add_entry(&all, l, k, owner[k] == owner[l] ? s->value[local[l] * s->n + local[k]] : 0);
    all.b[l] = s->b[local[l]];
    all.c[l] = s->c[local[l]];
  }
  CHECK(solve(&all, j).clusters == 5);
  CHECK(solve(&all, j).largest == 7);
  for (PetscInt i = 0; i < 5; i++) {
    CHECK(solve(&part[i], alone).clusters == 1);
    for (PetscInt l = 0; l < 24; l++)
      if (owner[l] == i) CHECK(j[l] == alone[local[l]]);
    sample_destroy(&part[i]);
  }
  sample_destroy(&all);
}

/* Links in any order make one cluster. */
static void test_chain_is_one_cluster(void)
{
  const PetscInt next[] = {3, 5, 1, 4, 2, -1}; /* 0-3-4-2-1-5 */
  Sample         s = sample_create(6, 0, 36);
  PetscReal      j[6];

  for (PetscInt l = 0; l < 6; l++) {
    for (PetscInt k = 0; k < 6; k++)
      if (next[l] == k || next[k] == l) add_entry(&s, l, k, -0.3);
    add_entry(&s, l, l, 1);
    s.c[l] = -1;
  }
  CHECK(solve(&s, j).clusters == 1);
  CHECK_LESS(residual(&s, j), 1e-14);
  sample_destroy(&s);
}

/* ---- c = 0 ----------------------------------------------------------------------------------- */

/* Gaussian elimination on the rows and columns of a set of points: A j = -b there, 0 elsewhere. */
static void solve_set(const Sample *s, unsigned set, PetscReal *j)
{
  PetscReal A[6][7];

  for (PetscInt l = 0; l < s->n; l++) {
    for (PetscInt k = 0; k < s->n; k++)
      A[l][k] = (set >> l & 1) && (set >> k & 1) ? s->value[l * s->n + k] : (PetscReal)(l == k);
    A[l][6] = (set >> l & 1) ? -s->b[l] : 0;
  }
  for (PetscInt m = 0; m < s->n; m++)
    for (PetscInt l = 0; l < s->n; l++) {
      PetscReal factor = A[l][m] / A[m][m];

      for (PetscInt k = 0; k < 7 && l != m; k++) A[l][k] -= factor * A[m][k];
    }
  for (PetscInt l = 0; l < s->n; l++) j[l] = A[l][6] / A[l][l];
}

/* All c = 0 is a linear complementarity problem: one of the sets of pressed points solves it. */
static void test_complementarity(void)
{
  for (PetscInt trial = 0; trial < 200; trial++) {
    PetscInt  n = 1 + trial % 6, found = 0;
    Sample    s = random_sample(n, n + 2);
    PetscReal j[6], tried[6];

    for (PetscInt l = 0; l < n; l++) s.c[l] = 0;
    CHECK(solve(&s, j).converged);
    for (unsigned set = 0; set < 1u << n && !found; set++) {
      solve_set(&s, set, tried);
      found = 1;
      for (PetscInt l = 0; l < n; l++)
        if (tried[l] < 0 || rate(&s, tried, l) < -1e-13 * PetscSqrtReal(diagonal(&s, l))) found = 0;
      if (!found) continue;
      CHECK_LESS(difference(&s, j, tried), 1e-10); /* by the condition of A */
      for (PetscInt l = 0; l < n; l++) CHECK((j[l] == 0) == !(set >> l & 1));
    }
    CHECK(found);
    sample_destroy(&s);
  }
}

/* Some c = 0: the scalar quadratics take them as they are. */
static void test_some_without_energy(void)
{
  for (PetscInt trial = 0; trial < 60; trial++) {
    PetscInt        n = 2 + (PetscInt)(23 * random_part());
    Sample          s = random_sample(n, 3 * n);
    PetscReal       j[24], turn[24] = {0};
    CrImpulseReport report;

    for (PetscInt l = 0; l < n; l++)
      if (random_part() < 0.5) s.c[l] = 0;
    report = solve(&s, j);
    CHECK(report.converged);
    CHECK_LESS(report.iterations, 50);
    solve_in_turn(&s, 20000, turn);
    CHECK_LESS(difference(&s, j, turn), 1e-11);
    for (PetscInt l = 0; l < n; l++) CHECK(s.c[l] < 0 ? j[l] > 0 : j[l] >= 0);
    sample_destroy(&s);
  }
}

/* Nothing to do, on the edge of having to do something, and the limit c -> 0. */
static void test_limits(void)
{
  Sample    s = sample_create(2, 0, 4);
  PetscReal j[2], limit[2];

  for (PetscInt l = 0; l < 2; l++)
    for (PetscInt k = 0; k < 2; k++) add_entry(&s, l, k, l == k ? 2 : 1);
  CHECK(solve(&s, j).converged && j[0] == 0 && j[1] == 0); /* b = 0 */
  s.b[0] = s.b[1] = 3;
  CHECK(solve(&s, j).converged && j[0] == 0 && j[1] == 0);
  s.b[0] = -2;
  s.b[1] = -1; /* j = (1, 0), and there the second rate is 0 too */
  CHECK(solve(&s, j).converged);
  CHECK_NEAR(j[0], 1, 1e-14);
  CHECK_NEAR(j[1], 0, 1e-14);
  s.b[1] = -0.5;
  CHECK(solve(&s, limit).converged && limit[1] == 0);
  for (PetscReal c = 1e-6; c > 1e-200; c *= 1e-7) { /* below 1e-60 it is the limit */
    s.c[0] = s.c[1] = -c;
    CHECK(solve(&s, j).converged && (c > 1e-59) == (j[1] > 0));
    CHECK_NEAR(j[0], limit[0], 4 * c + 1e-15);
    CHECK_NEAR(j[1], limit[1], 4 * c + 1e-15);
  }
  sample_destroy(&s);
}

/* Two points press a node from both sides of a fixed slit. With c = 0 one of them stops it. With
   c < 0 there is no solution, which is a result and no error; where c is only rounding of the
   motion's energy its loss may be accepted, but not impulses without bound. */
static void test_slit(void)
{
  Sample    s = sample_create(2, 0, 4);
  PetscReal j[2];

  for (PetscInt l = 0; l < 2; l++)
    for (PetscInt k = 0; k < 2; k++) add_entry(&s, l, k, l == k ? 0.5 : -0.5);
  s.b[0] = 1;
  s.b[1] = -1;
  CHECK(solve(&s, j).converged);
  CHECK_NEAR(0.5 * (j[1] - j[0]), 1, 1e-14);
  for (PetscReal c = 1; c > 1e-30; c /= 10) {
    PetscBool converged;

    s.c[0] = s.c[1] = -c;
    converged = solve(&s, j).converged;
    CHECK(!converged || (c < 1e-9 && residual(&s, j) < 1e-9 && j[1] < 1e6));
    CHECK(j[0] >= 0 && j[1] >= 0);
  }
  sample_destroy(&s);
}

/* Points that can move nothing, alone and beside others. */
static void test_fixed_points(void)
{
  Sample    s = sample_create(4, 0, 16);
  PetscReal j[4];

  for (PetscInt l = 0; l < 4; l++)
    for (PetscInt k = 0; k < 4; k++) add_entry(&s, l, k, l == 3 && k == 3 ? 2 : 0);
  s.b[0] = 4;
  s.c[0] = -1;
  s.b[1] = -4;
  s.b[3] = -1;
  s.c[3] = -1;
  CHECK(solve(&s, j).converged);
  CHECK(j[0] == 0.25 && j[1] == 0 && j[2] == 0);
  CHECK_NEAR(j[3], 1, 1e-15); /* 2 j^2 - j = 1 */
  s.c[1] = -1e-3;             /* nothing can pay it */
  CHECK(!solve(&s, j).converged && j[1] == 0);
  CHECK_NEAR(solve(&s, j).defect, -1e-3, 1e-15);
  sample_destroy(&s);
}

/* ---- large systems --------------------------------------------------------------------------- */

/* 5000 points in a row, every 250th hardly linked to the next: conjugate gradients on the whole
   must give what the dense solver gives for twenty pieces that are cut there. */
static void test_large_against_dense(void)
{
  Sample          cut, whole;
  PetscReal      *j, *pieces;
  CrImpulseReport report;
  PetscInt        dense_steps;

  CHECK_OK(PetscMalloc2(5000, &j, 5000, &pieces));
  seed = 99;
  whole = sparse_sample(5000, 1, 1e-20);
  seed = 99;
  cut = sparse_sample(5000, 1, 0);
  report = solve(&cut, pieces);
  CHECK(report.converged && report.clusters == 20 && report.largest == 250);
  dense_steps = report.iterations;
  report = solve(&whole, j);
  CHECK(report.iterations <= dense_steps + 2); /* one system has to wait for all its points */
  CHECK(report.converged && report.clusters == 1 && report.largest == 5000);
  CHECK_LESS(report.residual, 1e-13);
  CHECK_LESS(difference(&whole, j, pieces), 1e-13);
  CHECK(count_not_positive(5000, j) == 0);
  sample_destroy(&cut);
  sample_destroy(&whole);
  CHECK_OK(PetscFree2(j, pieces));
}

/* A grid against the scalar quadratics, with and without points of c = 0. */
static void test_large_grid(void)
{
  Sample          s = sparse_sample(100, 50, 1);
  PetscReal      *j, *turn;
  CrImpulseReport report;

  CHECK_OK(PetscCalloc2(5000, &j, 5000, &turn));
  for (PetscInt with_zeros = 0; with_zeros < 2; with_zeros++) {
    for (PetscInt l = 1; l < 5000 && with_zeros; l += 3) s.c[l] = 0;
    report = solve(&s, j);
    CHECK(report.converged && report.largest == 5000);
    CHECK_LESS(report.iterations, 40);
    CHECK_LESS(residual(&s, j), 1e-13);
    solve_in_turn(&s, 2000, turn);
    CHECK_LESS(difference(&s, j, turn), 1e-13);
  }
  sample_destroy(&s);
  CHECK_OK(PetscFree2(j, turn));
}

/* ---- scales ---------------------------------------------------------------------------------- */

/* Other units of energy and impulse, and pressures that vanish at single points, are the same
   physics: j in the new units is the old one. */
static void test_units(void)
{
  const PetscReal energies[] = {1e12, 1e-12, 1e12, 1}, impulses[] = {1, 1e12, 1e-12, 1};

  for (PetscInt trial = 0; trial < 40; trial++) {
    Sample    s = random_sample(12, 24);
    PetscReal j[12], other[12], unit[12];

    solve(&s, j);
    for (PetscInt l = 0; l < 12; l++) {
      unit[l] = impulses[trial % 4] * (trial % 4 == 3 && l % 3 == 0 ? 1e14 : 1);
      s.b[l] *= energies[trial % 4] / unit[l];
      s.c[l] *= energies[trial % 4];
    }
    for (PetscInt l = 0; l < 12; l++)
      for (PetscInt k = 0; k < 12; k++)
        s.value[l * 12 + k] *= energies[trial % 4] / unit[l] / unit[k];
    CHECK(solve(&s, other).converged);
    for (PetscInt l = 0; l < 12; l++) other[l] *= 1 / unit[l];
    for (PetscInt l = 0; l < 12; l++) /* back, to compare in the old units */
      for (PetscInt k = 0; k < 12; k++)
        s.value[l * 12 + k] /= energies[trial % 4] / unit[l] / unit[k];
    CHECK_LESS(difference(&s, j, other), 1e-12);
    sample_destroy(&s);
  }
}

/* Energies far below those of the motion: all that can be asked is rounding of the motion's, and
   the report does not call that a failure. */
static void test_small_energies(void)
{
  for (PetscInt trial = 0; trial < 40; trial++) {
    Sample          s = random_sample(10, 20);
    PetscReal       j[10];
    CrImpulseReport report;

    for (PetscInt l = 0; l < 10; l++) s.c[l] *= PetscPowReal(10, -trial);
    report = solve(&s, j);
    CHECK(report.converged && count_not_positive(10, j) == 0);
    CHECK_LESS(residual(&s, j), 1e-13);
    CHECK_LESS(PetscAbsReal(energy_error(&s, j)), 1e-12);
    sample_destroy(&s);
  }
}

/* ---- the account of c > 0 -------------------------------------------------------------------- */

static PetscReal sum(PetscInt n, const PetscReal *c)
{
  PetscReal total = 0;

  for (PetscInt l = 0; l < n; l++) total += c[l];
  return total;
}

static void test_settle_by_hand(void)
{
  PetscReal c[] = {-3, 1, -1, 0}, bank = 0;
  PetscReal only[] = {2, 0, 5}, late[] = {-6, -2}, rich[] = {1, -1, 4};

  CrImpulseSettle(4, c, &bank); /* 1 of 4: a quarter less */
  CHECK(c[0] == -2.25 && c[1] == 0 && c[2] == -0.75 && c[3] == 0 && bank == 0);
  CrImpulseSettle(3, only, &bank); /* nobody can pay */
  CHECK(only[0] == 0 && only[1] == 0 && only[2] == 0 && bank == 7);
  CrImpulseSettle(0, NULL, &bank);
  CHECK(bank == 7);
  CrImpulseSettle(2, late, &bank); /* 7 of 8: paid back at once */
  CHECK(late[0] == -0.75 && late[1] == -0.25 && bank == 0);
  bank = -3;
  CrImpulseSettle(3, rich, &bank); /* energy lost before pays first: 5 - 3 = 2, one can be taken */
  CHECK(rich[0] == 0 && rich[1] == 0 && rich[2] == 0 && bank == 1);
  bank = -3;
  CrImpulseSettle(2, late, &bank); /* and is not handed out */
  CHECK(late[0] == -0.75 && late[1] == -0.25 && bank == -3);
}

/* Whatever comes: sum(c) + bank stays, no c > 0, no c of another sign or larger, no debt while
   somebody can pay. */
static void test_settle_conserves(void)
{
  PetscReal bank = 0;
  PetscInt  in_debt = 0, free_again = 0;

  for (PetscInt step = 0; step < 2000; step++) {
    PetscReal c[12], old[12], before = bank;
    PetscInt  n = (PetscInt)(13 * random_part()), bad = 0;

    for (PetscInt l = 0; l < n; l++)
      old[l] = c[l] = (random_part() < 0.3 ? 1 : -1) * PetscPowReal(10, -6 * random_part());
    CrImpulseSettle(n, c, &bank);
    CHECK_NEAR(sum(n, c) + bank, sum(n, old) + before, 1e-14);
    for (PetscInt l = 0; l < n; l++) bad += !(c[l] <= 0 && c[l] >= PetscMin(old[l], 0));
    CHECK(bad == 0);
    CHECK(bank >= 0 && (bank == 0 || sum(n, c) == 0));
    in_debt += bank > 0;
    free_again += before > 0 && bank == 0;
  }
  CHECK(in_debt > 100 && free_again > 100); /* both were met */
}

/* Without debt nothing is touched. */
static void test_settle_leaves_alone(void)
{
  const PetscReal given[] = {-1. / 3, -1e-17, 0, -7e300};
  PetscReal       c[4], bank = 0;

  memcpy(c, given, sizeof c);
  CrImpulseSettle(4, c, &bank);
  CHECK(!memcmp(c, given, sizeof c) && bank == 0);
}

/* The meaning of the bank: over many steps the energy created by the velocities, counted with
   the true c, is the bank. */
static void test_bank_is_the_balance(void)
{
  PetscReal bank = 0, created = 0, highest = 0;

  for (PetscInt step = 0; step < 200; step++) {
    PetscInt  n = 1 + (PetscInt)(8 * random_part());
    Sample    s = random_sample(n, 2 * n);
    PetscReal j[8], truth = 0;

    for (PetscInt l = 0; l < n; l++) {
      s.c[l] = 1e-2 * (random_part() - 0.6);
      truth += s.c[l];
    }
    CrImpulseSettle(n, s.c, &bank);
    CHECK(solve(&s, j).converged);
    created += energy_error(&s, j) - sum(n, s.c) + truth;
    CHECK_NEAR(created, bank, 1e-11);
    highest = PetscMax(highest, bank);
    sample_destroy(&s);
  }
  CHECK(highest > 1e-3);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void test_refused(void)
{
  PetscInt        start[] = {0, 1, 2}, column[] = {0, 1};
  PetscReal       value[] = {1, 1}, b[] = {1, 1}, c[] = {-1, 1e-9}, j[2];
  CrImpulseSystem s = {2, start, column, value, b, c};
  CrImpulseReport report;

  CHECK_OK(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  CHECK(CrImpulseSolve(&s, j, &report) == PETSC_ERR_ARG_WRONG); /* c > 0 */
  c[1] = NAN;
  CHECK(CrImpulseSolve(&s, j, &report) == PETSC_ERR_ARG_WRONG);
  c[1] = -1;
  column[1] = 0;
  CHECK(CrImpulseSolve(&s, j, &report) == PETSC_ERR_ARG_WRONG); /* no diagonal */
  column[1] = 1;
  value[1] = -1;
  CHECK(CrImpulseSolve(&s, j, &report) == PETSC_ERR_ARG_WRONG);
  CHECK_OK(PetscPopErrorHandler());
  value[1] = 1;
  b[1] = NAN; /* a motion that has failed: a result */
  CHECK_OK(CrImpulseSolve(&s, j, &report));
  CHECK(!report.converged);
  s.n = 0;
  CHECK_OK(CrImpulseSolve(&s, j, &report));
  CHECK(report.converged && report.clusters == 0 && report.largest == 0);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_random_systems();
  test_uniqueness();
  test_small_impulses();
  test_single_points();
  test_same_point_again();
  test_mass_and_wall();
  test_two_masses();
  test_clusters();
  test_chain_is_one_cluster();
  test_complementarity();
  test_some_without_energy();
  test_limits();
  test_slit();
  test_fixed_points();
  test_large_against_dense();
  test_large_grid();
  test_units();
  test_small_energies();
  test_settle_by_hand();
  test_settle_conserves();
  test_settle_leaves_alone();
  test_bank_is_the_balance();
  test_refused();
  return check_end();
}
