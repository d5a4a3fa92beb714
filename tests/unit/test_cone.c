/* The discrete Coulomb problem: one contact against scans and the law spelt out, many against mechanics that is
   known in advance (stacks of boxes), against each other and against enumeration. */
#include "check.h"
#include "cone/cone.h"

static unsigned long seed = 4711;

static PetscReal uniform(PetscReal low, PetscReal high)
{
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return low + (high - low) * (PetscReal)(seed >> 11) / 9007199254740992.0;
}

static PetscReal tangential(PetscInt dim, const PetscReal x[])
{
  return dim == 3 ? hypot(x[1], x[2]) : fabs(x[1]);
}

/* Coulomb's law as the textbooks have it, without projections: the greatest violation. */
static PetscReal violation(PetscInt dim, PetscReal mu, const PetscReal r[], const PetscReal z[])
{
  PetscReal rt = tangential(dim, r), zt = tangential(dim, z), bad = 0;

  bad = PetscMax(bad, -r[0]);
  bad = PetscMax(bad, -z[0]);
  bad = PetscMax(bad, fabs(r[0] * z[0]));
  bad = PetscMax(bad, rt - mu * r[0]);
  for (PetscInt a = 1; a < dim; a++) bad = PetscMax(bad, fabs(z[a] * rt + zt * r[a])); /* opposed */
  return PetscMax(bad, fabs((mu * r[0] - rt) * zt)); /* slips only on the cone */
}

/* Of a whole problem with a dense W. */
static PetscReal violation_all(PetscInt dim, PetscInt n, const PetscReal W[], const PetscReal q[],
                               const PetscReal mu[], const PetscReal r[])
{
  PetscReal bad = 0;

  for (PetscInt i = 0; i < n; i++) {
    PetscReal z[3];

    for (PetscInt a = 0; a < dim; a++) {
      z[a] = q[i * dim + a];
      for (PetscInt k = 0; k < n * dim; k++) z[a] += W[k * n * dim + i * dim + a] * r[k];
    }
    bad = PetscMax(bad, violation(dim, mu[i], r + i * dim, z));
  }
  return bad;
}

/* B = A^T A + something, made unsymmetric by `skew`. */
static void random_block(PetscInt dim, PetscReal skew, PetscReal B[])
{
  PetscReal A[9];

  for (PetscInt k = 0; k < dim * dim; k++) A[k] = uniform(-1, 1);
  for (PetscInt c = 0; c < dim; c++)
    for (PetscInt a = 0; a < dim; a++) {
      B[c * dim + a] = (a == c ? 0.05 : 0) + skew * uniform(-1, 1);
      for (PetscInt m = 0; m < dim; m++) B[c * dim + a] += A[a * dim + m] * A[c * dim + m];
    }
}

/* ---- one contact --------------------------------------------------------------------------- */

/* P_K(tau) is the point of K from which tau - p looks away from all of K. */
static void check_projection(PetscInt dim)
{
  for (int trial = 0; trial < 500; trial++) {
    PetscReal mu = trial % 7 ? uniform(0, 1.5) : 0, tau[3], p[3], bad = 0;

    for (PetscInt a = 0; a < dim; a++) tau[a] = uniform(-1, 1);
    CrConeProject(dim, mu, tau, p);
    CHECK_LESS(tangential(dim, p) - mu * p[0], 1e-15);
    for (int other = 0; other < 50; other++) {
      PetscReal y[3] = {uniform(0, 3)}, angle = uniform(0, 7), product = 0;

      y[1] = mu * y[0] * cos(angle), y[2] = mu * y[0] * sin(angle);
      for (PetscInt a = 0; a < dim; a++) product += (tau[a] - p[a]) * (y[a] - p[a]);
      bad = PetscMax(bad, product);
    }
    CHECK_LESS(bad, 1e-14);
  }
  {
    PetscReal tau[3] = {-1, 0, 0}, p[3];

    CrConeProject(dim, 0, tau, p); /* a cone without width: no tension either */
    CHECK(p[0] == 0 && p[1] == 0);
  }
}

/* e x z_t for a direction e of slip, with r_n such that z_n = 0; e.z_t < 0 where it counts. */
static PetscReal slip_cross(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                            const PetscReal e[3], PetscReal *rn, PetscBool *opposed)
{
  PetscReal D = B[0], z[3] = {0};

  for (PetscInt a = 1; a < dim; a++) D += mu * B[a * dim] * e[a];
  *rn = -b[0] / D;
  for (PetscInt a = 1; a < dim; a++) {
    z[a] = b[a] + B[a] * *rn;
    for (PetscInt c = 1; c < dim; c++) z[a] += B[c * dim + a] * mu * *rn * e[c];
  }
  *opposed = D > 0 && e[1] * z[1] + e[2] * z[2] < 0;
  return e[1] * z[2] - e[2] * z[1];
}

/* All directions of slip by scanning: how far r lies from the nearest, relative to its length. */
static PetscReal scan_slip(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                           const PetscReal r[])
{
  const int n = dim == 3 ? 20000 : 2;
  PetscReal near = PETSC_MAX_REAL, last = 0;

  for (int k = 0; k <= n; k++) {
    PetscReal angle = 2 * PETSC_PI * k / n, e[3] = {0, cos(angle), dim == 3 ? sin(angle) : 0}, rn,
              f;
    PetscReal away[3] = {0};
    PetscBool opposed;

    f = slip_cross(dim, B, mu, b, e, &rn, &opposed);
    for (PetscInt a = 1; a < dim; a++) away[a] = r[a] - mu * rn * e[a];
    if (opposed && k && f * last <= 0) near = PetscMin(near, tangential(dim, away) / (mu * rn));
    last = f;
  }
  return near;
}

static void check_local(PetscInt dim, PetscReal skew)
{
  PetscReal most = 0;
  int       open = 0, stick = 0, slip = 0;

  for (int trial = 0; trial < 3000; trial++) {
    PetscReal B[9], b[3], r[3] = {0}, z[3], mu = uniform(0.01, 1), size = 0;

    random_block(dim, skew, B);
    for (PetscInt a = 0; a < dim; a++) b[a] = uniform(-1, 1);
    CrConeLocalSolve(dim, B, mu, b, r);
    for (PetscInt a = 0; a < dim; a++) {
      z[a] = b[a];
      for (PetscInt c = 0; c < dim; c++) z[a] += B[c * dim + a] * r[c];
      size = PetscMax(size, fabs(r[a]));
    }
    most = PetscMax(most, violation(dim, mu, r, z) / (1 + size));
    open += r[0] == 0;
    stick += r[0] > 0 && tangential(dim, z) < 1e-10;
    if (r[0] > 0 && tangential(dim, z) >= 1e-10) {
      slip++;
      if (slip % 20 == 0)
        CHECK_LESS(scan_slip(dim, B, mu, b, r), 3e-3); /* steps of the scan, 3e-4 each */
    }
  }
  CHECK(open > 300 && stick > 100 && slip > 300);
  CHECK_LESS(most, 1e-11);
}

static void check_local_edges(void)
{
  PetscReal B[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, b[3] = {-1, 5, 0}, r[3] = {0}, zero[9] = {0};

  CrConeLocalSolve(3, B, 0, b, r); /* mu = 0 */
  CHECK(r[0] == 0.5 && r[1] == 0 && r[2] == 0);
  CrConeLocalSolve(3, B, 0.5, b, r); /* slip against b_t */
  CHECK_NEAR(r[0], 0.5, 1e-15);
  CHECK_NEAR(r[1], -0.25, 1e-15);
  CHECK_NEAR(r[2], 0, 1e-15);
  CrConeLocalSolve(3, zero, 0.5, b, r); /* nothing moves */
  CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
  CHECK_NEAR(CrConeRho(3, B), 0.5, 1e-15);
  CHECK(CrConeRho(3, zero) == 1);
}

/* rho against power iteration on the symmetric part. */
static void check_rho(PetscInt dim)
{
  for (int trial = 0; trial < 50; trial++) {
    PetscReal B[9], x[3] = {1, 0.3, -0.2}, y[3], norm = 0;

    random_block(dim, 0.1, B);
    for (int k = 0; k < 3000; k++) {
      norm = 0;
      for (PetscInt a = 0; a < dim; a++) {
        y[a] = 0;
        for (PetscInt c = 0; c < dim; c++) y[a] += 0.5 * (B[c * dim + a] + B[a * dim + c]) * x[c];
        norm += y[a] * y[a];
      }
      norm = sqrt(norm);
      for (PetscInt a = 0; a < dim; a++) x[a] = y[a] / norm;
    }
    CHECK_NEAR(norm * CrConeRho(dim, B), 1, 1e-6);
  }
}

/* ---- many contacts ------------------------------------------------------------------------- */

static PetscErrorCode make(PetscInt dim, PetscInt n, const PetscReal W[], const PetscReal q[],
                           const PetscReal mu[], CrCone **cone)
{
  PetscFunctionBeginUser;
  PetscCall(CrConeCreate(dim, n, cone));
  PetscCall(CrConeSetDense(*cone, W));
  PetscCall(CrConeSetVectors(*cone, q, mu));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Solves from zero (or from r), checks convergence. */
static CrConeReport solve(CrCone *cone, const char solver[], PetscReal tolerance, PetscBool warm,
                          PetscReal r[])
{
  CrConeOptions o = CrConeDefaults();
  CrConeReport  report;

  o.solver = solver;
  o.tolerance = tolerance;
  if (!warm) memset(r, 0, (size_t)(CrConeContacts(cone) * CrConeDimension(cone)) * sizeof *r);
  CHECK_OK(CrConeSolve(cone, &o, r, &report));
  CHECK(report.converged);
  return report;
}

/* A stack of unit cubes on a floor, four contacts at the corners of each joint: 12 equations per joint for 6
   degrees of freedom. M^-1 of a cube: 1, and 6 for rotations. q is the velocity after a time step without
   contact. */
#define CUBES 4

typedef struct {
  PetscReal W[144 * CUBES * CUBES], q[12 * CUBES], mu[4 * CUBES], H[12 * CUBES][6 * CUBES];
} Stack;

static void add_point(Stack *s, PetscInt row, PetscInt cube, PetscReal sign, const PetscReal x[3])
{
  const PetscInt axis[3] = {2, 0, 1}; /* normal z, tangents x, y */

  for (PetscInt a = 0; a < 3; a++) {
    PetscInt   i = axis[a], j = (i + 1) % 3, k = (i + 2) % 3;
    PetscReal *h = s->H[row + a] + 6 * cube;

    h[i] += sign;            /* v_i */
    h[3 + j] += sign * x[k]; /* (omega x x)_i = omega_j x_k - omega_k x_j */
    h[3 + k] -= sign * x[j];
  }
}

static void make_stack(Stack *s, PetscReal slide, PetscReal weight, PetscReal floor_friction,
                       PetscReal friction)
{
  const PetscInt size = 12 * CUBES;

  memset(s, 0, sizeof *s);
  for (PetscInt joint = 0; joint < CUBES; joint++)
    for (PetscInt corner = 0; corner < 4; corner++) {
      PetscInt  i = 4 * joint + corner;
      PetscReal x[3] = {corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, -0.5};

      s->mu[i] = joint ? friction : floor_friction;
      add_point(s, 3 * i, joint, 1, x);
      x[2] = 0.5;
      if (joint) add_point(s, 3 * i, joint - 1, -1, x);
    }
  for (PetscInt a = 0; a < size; a++) {
    for (PetscInt cube = 0; cube < CUBES; cube++)
      s->q[a] += s->H[a][6 * cube] * slide - s->H[a][6 * cube + 2] * weight;
    for (PetscInt b = 0; b < size; b++)
      for (PetscInt k = 0; k < 6 * CUBES; k++)
        s->W[b * size + a] += s->H[a][k] * s->H[b][k] * (k % 6 < 3 ? 1 : 6);
  }
}

static PetscReal joint_sum(const PetscReal r[], PetscInt joint, PetscInt component)
{
  PetscReal sum = 0;

  for (PetscInt corner = 0; corner < 4; corner++) sum += r[3 * (4 * joint + corner) + component];
  return sum;
}

/* At rest every joint carries what is above it; sliding, the floor takes mu times the weight and the joints
   above hold the rest together. W has rank 24 of 48. */
static void check_stacks(const char solver[])
{
  static Stack s;
  PetscReal    r[12 * CUBES];
  CrCone      *cone;

  for (int slides = 0; slides < 2; slides++) {
    make_stack(&s, slides ? 3 : 0, 0.1, 0.2, 0.8);
    CHECK_OK(make(3, 4 * CUBES, s.W, s.q, s.mu, &cone));
    solve(cone, solver, 1e-10, PETSC_FALSE, r);
    for (PetscInt joint = 0; joint < CUBES; joint++) {
      CHECK_NEAR(joint_sum(r, joint, 0), 0.1 * (CUBES - joint), 1e-7);
      CHECK_NEAR(joint_sum(r, joint, 1), slides ? -0.02 * (CUBES - joint) : 0, 1e-7);
      CHECK_NEAR(joint_sum(r, joint, 2), 0, 1e-7);
    }
    CHECK_LESS(violation_all(3, 4 * CUBES, s.W, s.q, s.mu, r), 1e-7);
    CHECK_OK(CrConeDestroy(&cone));
  }
}

/* W rounded to four digits has negative eigenvalues, as printed files have. */
static void check_rounded_stack(void)
{
  static Stack s;
  PetscReal    r[12 * CUBES];
  CrCone      *cone;

  make_stack(&s, 0.01, 0.1, 0.5, 0.7);
  for (PetscInt k = 0; k < 144 * CUBES * CUBES; k++)
    s.W[k] = s.W[k] * 1.23456789 * (1 + 1e-6 * uniform(-1, 1));
  CHECK_OK(make(3, 4 * CUBES, s.W, s.q, s.mu, &cone));
  solve(cone, "hybrid", 1e-8, PETSC_FALSE, r);
  CHECK_LESS(violation_all(3, 4 * CUBES, s.W, s.q, s.mu, r), 1e-7);
  CHECK_OK(CrConeDestroy(&cone));
}

/* Stacks hit at random, with friction up to 1: every stage of the hybrid is needed for some of them, and none
   is left unsolved. */
static void check_hit_stacks(void)
{
  static Stack s;
  PetscReal    r[12 * CUBES];
  PetscInt     newton = 0, proximal = 0;

  for (int trial = 0; trial < 150; trial++) {
    CrConeReport report;
    CrCone      *cone;

    make_stack(&s, 0, 0.1, uniform(0.5, 1), uniform(0.5, 1));
    for (PetscInt k = 0; k < 6 * CUBES; k++) {
      PetscReal v = uniform(-0.3, 0.3);

      for (PetscInt a = 0; a < 12 * CUBES; a++) s.q[a] += s.H[a][k] * v;
    }
    CHECK_OK(make(3, 4 * CUBES, s.W, s.q, s.mu, &cone));
    report = solve(cone, "hybrid", 1e-8, PETSC_FALSE, r);
    newton += report.newton > 0;
    proximal += report.proximal > 0;
    CHECK_LESS(violation_all(3, 4 * CUBES, s.W, s.q, s.mu, r), 1e-7);
    CHECK_OK(CrConeDestroy(&cone));
  }
  printf("hit stacks: %d with Newton, %d with the proximal loop\n", (int)newton, (int)proximal);
  CHECK(newton > 0);
}

/* A chain: neighbours couple weakly, friction from 0 to 1, unsymmetric if asked for. */
#define LINKS 12

static void make_chain(PetscInt dim, PetscReal skew, PetscReal W[], PetscReal q[], PetscReal mu[])
{
  const PetscInt size = dim * LINKS;
  PetscReal      B[9];

  memset(W, 0, (size_t)(size * size) * sizeof *W);
  for (PetscInt i = 0; i < LINKS; i++) {
    mu[i] = (PetscReal)i / (LINKS - 1); /* 0 and 1 in one problem */
    for (PetscInt j = PetscMax(0, i - 1); j <= PetscMin(LINKS - 1, i + 1); j++) {
      random_block(dim, skew, B);
      for (PetscInt c = 0; c < dim; c++)
        for (PetscInt a = 0; a < dim; a++)
          W[(j * dim + c) * size + i * dim + a] =
              i == j ? B[c * dim + a] + (a == c) : (i < j || skew > 0 ? 0.1 * B[c * dim + a] : 0);
    }
  }
  for (PetscInt k = 0; skew == 0 && k < size; k++)
    for (PetscInt m = 0; m < k; m++) W[m * size + k] = W[k * size + m];
  for (PetscInt k = 0; k < size; k++) q[k] = uniform(-1, 0.5);
}

/* All solvers agree, and the answer obeys the law. */
static void check_chain(PetscInt dim, PetscReal skew)
{
  PetscReal W[9 * LINKS * LINKS], q[3 * LINKS], mu[LINKS], r[3 * LINKS], other[3 * LINKS], eps, eta;
  CrCone   *cone;

  make_chain(dim, skew, W, q, mu);
  CHECK_OK(make(dim, LINKS, W, q, mu, &cone));
  solve(cone, NULL, 1e-13, PETSC_FALSE, r);
  CHECK_LESS(violation_all(dim, LINKS, W, q, mu, r), 1e-12);
  CHECK_OK(CrConeErrors(cone, r, &eps, &eta));
  CHECK_LESS(eps, 1e-13);
  CHECK_LESS(eta, 1e-11);
  for (PetscInt k = 1; CrConeSolverName(k); k++) {
    solve(cone, CrConeSolverName(k), 1e-13, PETSC_FALSE, other);
    for (PetscInt m = 0; m < dim * LINKS; m++) CHECK_NEAR(other[m], r[m], 1e-11);
  }
  CHECK(solve(cone, NULL, 1e-12, PETSC_TRUE, r).iterations ==
        0); /* a warm start that is the answer */
  CHECK_OK(CrConeDestroy(&cone));
}

/* ---- measures ------------------------------------------------------------------------------ */

static void check_measures(void)
{
  /* z = r + q = (3, 4): tau = (1, 2) - (3 + 0.5 * 4, 4) = (-4, -2): open, so P = 0 */
  PetscReal W[4] = {2, 0, 0, 2}, q[2] = {1, 0}, mu[1] = {0.5}, r[2] = {1, 2}, none[2] = {0, 0}, eps,
            eta;
  PetscReal pressed[2] = {-1, 0};
  CrCone   *cone;

  CHECK_OK(make(2, 1, W, q, mu, &cone));
  CHECK_OK(CrConeErrors(cone, r, &eps, &eta));
  CHECK_NEAR(eps, sqrt(5.) / 5, 1e-15); /* |r| over |z| = 5 */
  /* rho = 1/2: tau = (1 - 2.5, 2 - 2) = (-1.5, 0): open too */
  CHECK_NEAR(eta, 1, 1e-15);
  CHECK_OK(CrConeErrors(cone, none, &eps, &eta));
  CHECK(eps == 0 && eta == 0);
  CHECK_OK(
      CrConeSetVectors(cone, pressed, mu)); /* r = 0 with q_n < 0: P = (1, 0), rho q = (1/2, 0) */
  CHECK_OK(CrConeErrors(cone, none, &eps, &eta));
  CHECK_NEAR(eps, 1, 1e-15);
  CHECK_NEAR(eta, 1, 1e-15);
  CHECK_OK(CrConeDestroy(&cone));
}

/* ---- islands, edges ------------------------------------------------------------------------ */

/* Two chains, interleaved: two islands, each with the answer it has alone. */
static void check_islands(void)
{
  static PetscReal W[LINKS * LINKS * 9], both[4 * LINKS * LINKS * 9];
  PetscReal q[3 * LINKS], mu[LINKS], r[3 * LINKS], q2[6 * LINKS], mu2[2 * LINKS], r2[6 * LINKS];
  const PetscInt size = 3 * LINKS;
  CrCone        *cone;

  make_chain(3, 0, W, q, mu);
  memset(both, 0, sizeof both);
  for (PetscInt k = 0; k < size; k++) {
    for (PetscInt m = 0; m < size; m++)
      for (PetscInt copy = 0; copy < 2; copy++)
        both[(6 * (k / 3) + 3 * copy + k % 3) * 2 * size + 6 * (m / 3) + 3 * copy + m % 3] =
            W[k * size + m];
    q2[6 * (k / 3) + k % 3] = q2[6 * (k / 3) + 3 + k % 3] = q[k];
    mu2[2 * (k / 3)] = mu2[2 * (k / 3) + 1] = mu[k / 3];
  }
  CHECK_OK(make(3, LINKS, W, q, mu, &cone));
  CHECK(solve(cone, NULL, 1e-13, PETSC_FALSE, r).islands == 1);
  CHECK_OK(CrConeDestroy(&cone));
  CHECK_OK(make(3, 2 * LINKS, both, q2, mu2, &cone));
  CHECK(solve(cone, NULL, 1e-13, PETSC_FALSE, r2).islands == 2);
  for (PetscInt k = 0; k < size; k++)
    for (PetscInt copy = 0; copy < 2; copy++)
      CHECK_NEAR(r2[6 * (k / 3) + 3 * copy + k % 3], r[k], 1e-11);
  CHECK_OK(CrConeDestroy(&cone));
}

/* mu = 0: of all subsets of pressed contacts exactly one is consistent. */
static void check_frictionless(void)
{
  PetscReal W[9 * LINKS * LINKS], q[3 * LINKS], mu[LINKS] = {0}, r[3 * LINKS], unused[LINKS];
  CrCone   *cone;

  make_chain(2, 0, W, q, unused);
  CHECK_OK(make(2, LINKS, W, q, mu, &cone));
  solve(cone, NULL, 1e-13, PETSC_FALSE, r);
  for (PetscInt i = 0; i < LINKS; i++) CHECK(r[2 * i + 1] == 0 && r[2 * i] >= 0);
  CHECK_LESS(violation_all(2, LINKS, W, q, mu, r), 1e-12);
  CHECK_OK(CrConeDestroy(&cone));
}

static void check_edges(void)
{
  PetscReal     W[36] = {0}, q[6] = {0.5, 3, -1, 0, 2, 2}, mu[2] = {0.3, 0.3}, r[6], zero[1] = {0};
  PetscInt      row[] = {0, 2, 3}, col[] = {0, 0, 1};
  PetscReal     block[27] = {0};
  CrConeOptions o = CrConeDefaults();
  CrConeReport  report;
  CrCone       *cone;

  CHECK_OK(CrConeCreate(3, 0, &cone)); /* no contact */
  CHECK_OK(CrConeSolve(cone, &o, zero, &report));
  CHECK(report.converged && report.iterations == 0 && report.error == 0);
  CHECK_OK(CrConeDestroy(&cone));

  for (PetscInt k = 0; k < 6; k++) W[7 * k] = 1;
  CHECK_OK(make(3, 2, W, q, mu, &cone)); /* separating: nothing to do */
  CHECK(solve(cone, NULL, 1e-12, PETSC_FALSE, r).iterations == 0);
  for (PetscInt k = 0; k < 6; k++) CHECK(r[k] == 0);

  for (PetscInt k = 0; k < 3; k++) block[4 * k] = block[9 + 4 * k] = 0.5, block[18 + 4 * k] = 1;
  q[0] = -1; /* a block given in two halves adds up */
  CHECK_OK(CrConeSetBlocks(cone, row, col, block));
  CHECK_OK(CrConeSetVectors(cone, q, mu));
  solve(cone, NULL, 1e-12, PETSC_FALSE, r);
  CHECK_NEAR(r[0], 1, 1e-14);
  CHECK_NEAR(tangential(3, r), 0.3, 1e-14);

  memset(block + 18, 0, 9 * sizeof *block); /* the second contact joins two fixed things */
  q[3] = -1;
  CHECK_OK(CrConeSetBlocks(cone, row, col, block));
  CHECK_OK(CrConeSetVectors(cone, q, mu));
  CHECK_OK(CrConeSolve(cone, &o, r, &report));
  CHECK(report.unsupported == 1 && !report.converged && report.worst == 1);
  CHECK_NEAR(r[0], 1, 1e-14);
  for (PetscInt k = 3; k < 6; k++) CHECK(r[k] == 0);
  CHECK_OK(CrConeDestroy(&cone));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  for (PetscInt dim = 2; dim <= 3; dim++) {
    check_projection(dim);
    check_local(dim, 0);
    check_local(dim, 0.02);
    check_rho(dim);
    check_chain(dim, 0);
    check_chain(dim, 0.05);
  }
  check_local_edges();
  check_measures();
  check_islands();
  check_frictionless();
  check_stacks("hybrid");
  check_stacks("gauss-seidel");
  check_rounded_stack();
  check_hit_stacks();
  check_edges();
  return check_end();
}
