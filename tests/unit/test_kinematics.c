/* Projection, gap and slip of a point and a master: against points that were put at a known place,
   against differences, and the identities from which momentum is conserved. */
#include "check.h"
#include "contact/geometry/kinematics.h"

#define DOFS CR_CONTACT_DOFS

static double uniform(double lo, double hi)
{
  static unsigned long long seed = 20240229;

  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return lo + (hi - lo) * ((seed >> 11) * (1.0 / 9007199254740992.0));
}

/* A contact: the master's kind, where everything is, and what was meant. */
typedef struct {
  int       dim, nmaster;
  PetscReal x[DOFS], xi[2], gap, nu[3];
  PetscReal center[3], radius; /* obstacles; radius 0: a plane with normal nu */
  PetscBool inside;
  PetscInt  axis, rest; /* rest: where the foot is held (facets) */
} Case;

static PetscBool evaluate(const Case *c, const PetscReal *x, CrKinematics *k)
{
  memset(k, 0x7f, sizeof *k); /* nothing may depend on what was there before */
  if (c->rest) return CrKinematicsRest(c->dim, c->nmaster, c->rest, x, k);
  if (c->nmaster) return CrKinematicsFacet(c->dim, c->nmaster, x, k);
  if (c->radius > 0)
    CrKinematicsSphere(c->dim, c->center, c->radius, c->inside, c->axis, x, k);
  else
    CrKinematicsPlane(c->dim, c->center, c->nu, x, k);
  return PETSC_TRUE;
}

static void cross3(const PetscReal *a, const PetscReal *b, PetscReal *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static PetscReal dot3(const PetscReal *a, const PetscReal *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normalise(PetscReal *a)
{
  PetscReal l = sqrt(dot3(a, a));

  for (int i = 0; i < 3; i++) a[i] /= l;
}

/* Random rotation matrix (about z in 2D) by Rodrigues' formula. */
static void rotation(int dim, PetscReal R[3][3])
{
  PetscReal u[3] = {0, 0, 1}, angle = uniform(-3, 3);

  if (dim == 3)
    for (int i = 0; i < 3; i++) u[i] = uniform(-1, 1);
  normalise(u);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[i][j] = (i == j ? cos(angle) : 0) + (1 - cos(angle)) * u[i] * u[j];
  for (int i = 0; i < 3; i++) {
    R[(i + 2) % 3][(i + 1) % 3] += sin(angle) * u[i];
    R[(i + 1) % 3][(i + 2) % 3] -= sin(angle) * u[i];
  }
}

static void rotate(int dim, int n, PetscReal R[3][3], PetscReal *x)
{
  for (int A = 0; A < n; A++) {
    PetscReal y[3] = {0};

    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) y[i] += R[i][j] * x[dim * A + j];
    for (int i = 0; i < dim; i++) x[dim * A + i] = y[i];
  }
}

/* Point, tangents and normal of the master at xi, written out once more. */
static void master_point(int dim, int nmaster, const PetscReal *x, const PetscReal *xi,
                         PetscReal *p, PetscReal tau[2][3], PetscReal *nu)
{
  const PetscReal u = xi[0], v = xi[1];
  PetscReal       N[4] = {1 - u - v, u, v, 0}, N1[4] = {-1, 1, 0, 0}, N2[4] = {-1, 0, 1, 0};

  if (dim == 2) N[0] = 1 - u, N[1] = u, N[2] = 0;
  if (nmaster == 4)
    for (int k = 0; k < 4; k++) {
      const PetscReal s = k == 1 || k == 2 ? 1 : -1, t = k >= 2 ? 1 : -1;

      N[k] = (1 + s * u) * (1 + t * v) / 4;
      N1[k] = s * (1 + t * v) / 4;
      N2[k] = t * (1 + s * u) / 4;
    }
  for (int i = 0; i < 3; i++) {
    p[i] = tau[0][i] = tau[1][i] = 0;
    for (int k = 0; k < nmaster && i < dim; k++) {
      p[i] += N[k] * x[dim * (k + 1) + i];
      tau[0][i] += N1[k] * x[dim * (k + 1) + i];
      tau[1][i] += N2[k] * x[dim * (k + 1) + i];
    }
  }
  if (dim == 2)
    nu[0] = tau[0][1], nu[1] = -tau[0][0], nu[2] = 0;
  else
    cross3(tau[0], tau[1], nu);
  normalise(nu);
}

/* A facet of about unit size, crooked, turned and moved, with a slave at xi (as far outside as
   `beyond` says) and at a height within `height`. */
static Case random_facet(int nmaster, PetscReal beyond, PetscReal height)
{
  static const PetscReal start[5][8] = {
      {0}, {0}, {0, 0, 1, 0}, {0, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 1, 1, 0, 1}};
  Case      c = {.dim = nmaster == 2 ? 2 : 3, .nmaster = nmaster};
  PetscReal R[3][3], p[3], tau[2][3], nu[3];

  for (int k = 0; k < nmaster; k++)
    for (int i = 0; i < c.dim; i++)
      c.x[c.dim * (k + 1) + i] = (i < 2 ? start[nmaster][2 * k + i] : 0) + uniform(-0.12, 0.12);
  rotation(c.dim, R);
  rotate(c.dim, nmaster + 1, R, c.x);
  for (int i = 0; i < c.dim; i++) {
    PetscReal move = uniform(-0.3, 0.3);

    for (int k = 1; k <= nmaster; k++) c.x[c.dim * k + i] += move;
  }
  for (int b = 0; b < c.dim - 1; b++)
    c.xi[b] = nmaster == 4 ? uniform(-1 - beyond, 1 + beyond) : uniform(-beyond, 1 + beyond);
  c.gap = uniform(-height, height);
  master_point(c.dim, nmaster, c.x, c.xi, p, tau, nu);
  for (int i = 0; i < 3; i++) c.nu[i] = nu[i];
  for (int i = 0; i < c.dim; i++) c.x[i] = p[i] + c.gap * nu[i];
  return c;
}

static Case random_obstacle(int dim, int kind) /* 0 plane, 1 outside of a ball, 2 inside of it */
{
  Case      c = {.dim = dim, .radius = kind ? 0.8 : 0, .inside = kind == 2};
  PetscReal d = 0;

  for (int i = 0; i < dim; i++) {
    c.center[i] = uniform(-1, 1);
    c.nu[i] = uniform(-1, 1);
  }
  normalise(c.nu);
  c.gap = uniform(-0.4, 0.4);
  d = kind ? c.radius + (c.inside ? -c.gap : c.gap) : c.gap;
  for (int i = 0; i < dim; i++) c.x[i] = c.center[i] + (c.inside ? -1 : 1) * d * c.nu[i];
  c.axis = CrSphereAxis(c.nu);
  return c;
}

/* What a point that was put at xi and gap must find again. */
static void check_place(const Case *c)
{
  CrKinematics k;
  PetscReal    sum = 0, second[3];

  CHECK(evaluate(c, c->x, &k));
  CHECK(k.dim == c->dim && k.nmaster == c->nmaster);
  CHECK_NEAR(k.gap, c->gap, 2e-15);
  for (int i = 0; i < 3; i++) CHECK_NEAR(k.nu[i], c->nu[i], 5e-15);
  for (int a = 0; a < c->dim - 1; a++) CHECK_NEAR(k.xi[a], c->nmaster ? c->xi[a] : 0, 1e-14);
  for (int A = 0; A < c->nmaster; A++) sum += k.shape[A];
  CHECK_NEAR(sum, c->nmaster > 0, 1e-15);
  if (c->dim == 2) {
    CHECK_NEAR(k.nu[0], k.e[0][1], 0);
    CHECK_NEAR(k.nu[1], -k.e[0][0], 0);
    return;
  }
  for (int a = 0; a < 2; a++) {
    CHECK_NEAR(dot3(k.e[a], k.nu), 0, 1e-15);
    CHECK_NEAR(dot3(k.e[a], k.e[a]), 1, 1e-15);
  }
  cross3(k.nu, k.e[0], second);
  for (int i = 0; i < 3; i++) CHECK_NEAR(k.e[1][i], second[i], 1e-15);
}

/* |sum B_A| and |sum x_A x B_A| */
static PetscReal rigid_residue(const Case *c, const PetscReal *B)
{
  PetscReal force[3] = {0}, moment[3] = {0};

  for (int A = 0; A <= c->nmaster; A++) {
    PetscReal x[3] = {0}, b[3] = {0}, m[3];

    for (int i = 0; i < c->dim; i++) {
      x[i] = c->x[c->dim * A + i];
      b[i] = B[c->dim * A + i];
      force[i] += b[i];
    }
    cross3(x, b, m);
    for (int i = 0; i < 3; i++) moment[i] += m[i];
  }
  return fmax(sqrt(dot3(force, force)), sqrt(dot3(moment, moment)));
}

/* Without the curvature term the slip still annihilates translations, but not rotations. */
static void check_term_is_needed(const Case *c, const CrKinematics *k)
{
  PetscReal B[DOFS];

  for (int i = 0; i < c->dim - 1; i++) {
    for (int a = 0; a < c->dim * (c->nmaster + 1); a++)
      B[a] = (a < c->dim ? 1 : -k->shape[a / c->dim - 1]) * k->e[i][a % c->dim];
    CHECK_NEAR(rigid_residue(c, B), fabs(k->gap), 1e-14); /* the couple is g nu x e_i */
  }
}

static void check_identities(const Case *c)
{
  CrKinematics k;

  CHECK(evaluate(c, c->x, &k));
  CHECK_LESS(rigid_residue(c, k.G), 1e-14);
  for (int i = 0; i < c->dim - 1; i++) {
    CHECK_LESS(rigid_residue(c, k.H[i]), 1e-14);
    if (c->dim == 3 && !c->rest) CHECK_LESS(rigid_residue(c, k.Xi[i]), 3e-14);
  }
  check_term_is_needed(c, &k);
}

/* Everything that is differentiated, as one list: gap, xi, G, H. */
static int list(const Case *c, const CrKinematics *k, PetscReal *v)
{
  const int n = c->dim * (c->nmaster + 1);
  int       m = 0;

  v[m++] = k->gap;
  for (int a = 0; a < 2; a++) v[m++] = c->nmaster > 2 && !c->rest ? k->xi[a] : 0;
  for (int a = 0; a < n; a++) v[m++] = k->G[a];
  for (int i = 0; i < c->dim - 1; i++)
    for (int a = 0; a < n; a++) v[m++] = k->H[i][a];
  return m;
}

/* Fourth-order differences of the list with respect to dof b. */
static int differences(const Case *c, int b, PetscReal *d)
{
  static const PetscReal at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const PetscReal        h = 3e-4;
  int                    m = 0;

  for (int s = 0; s < 4; s++) {
    PetscReal    x[DOFS], v[4 + 3 * DOFS];
    CrKinematics k;

    memcpy(x, c->x, sizeof x);
    x[b] += at[s] * h;
    CHECK(evaluate(c, x, &k));
    m = list(c, &k, v);
    for (int a = 0; a < m; a++) d[a] = (s ? d[a] : 0) + weight[s] * v[a] / (12 * h);
  }
  return m;
}

static PetscReal worst_first, worst_second;

static void check_differences(const Case *c)
{
  const int    n = c->dim * (c->nmaster + 1);
  PetscReal    dG[DOFS][DOFS], dH[2][DOFS][DOFS], alone[DOFS][DOFS], d[4 + 3 * DOFS], scale = 1;
  PetscReal    first = 0, second = 0, crooked = 0;
  CrKinematics k;

  CHECK(evaluate(c, c->x, &k));
  CrKinematicsGradient(&k, c->x, dG, dH);
  CrKinematicsGradient(&k, c->x, alone, NULL); /* without friction */
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      scale = fmax(scale, fabs(dH[0][a][b]));
      crooked = fmax(crooked, fabs(dG[a][b] - dG[b][a]));
      CHECK(alone[a][b] == dG[a][b]);
    }
  for (int b = 0; b < n; b++) {
    differences(c, b, d);
    first = fmax(first, fabs(d[0] - k.G[b]));
    for (int a = 0; a < 2 && c->nmaster > 2 && !c->rest; a++)
      first = fmax(first, fabs(d[1 + a] - k.Xi[a][b]) / (1 + fabs(k.Xi[a][b])));
    for (int a = 0; a < n; a++) {
      second = fmax(second, fabs(d[3 + a] - dG[a][b]) / scale);
      for (int i = 0; i < c->dim - 1; i++)
        second = fmax(second, fabs(d[3 + n * (i + 1) + a] - dH[i][a][b]) / scale);
    }
  }
  CHECK_LESS(first, 1e-9);
  CHECK_LESS(second, 1e-9);
  CHECK_LESS(crooked, 1e-13 * scale);
  worst_first = fmax(worst_first, first);
  worst_second = fmax(worst_second, second);
}

/* H by its meaning: the slave against the material point xi, carried at the height of the slave.
   Both fixed, the master's nodes move: e . (dx_S - d(x_M + g nu)). */
static void check_slip(const Case *c)
{
  const int       n = c->dim * (c->nmaster + 1);
  const PetscReal h = 1e-5;
  CrKinematics    k;

  CHECK(evaluate(c, c->x, &k));
  for (int b = 0; b < n; b++) {
    PetscReal z[2][3];

    for (int s = 0; s < 2; s++) {
      PetscReal x[DOFS], tau[2][3], nu[3];

      memcpy(x, c->x, sizeof x);
      x[b] += s ? h : -h;
      master_point(c->dim, c->nmaster, x, k.xi, z[s], tau, nu);
      for (int i = 0; i < 3; i++) z[s][i] = (i < c->dim ? x[i] : 0) - z[s][i] - k.gap * nu[i];
    }
    for (int i = 0; i < c->dim - 1; i++) {
      const PetscReal to = dot3(z[1], k.e[i]), from = dot3(z[0], k.e[i]);

      CHECK_NEAR((to - from) / (2 * h), k.H[i][b], 1e-9);
    }
  }
}

/* Everything turned together: gap, slip and their derivatives do not notice. */
static void check_indifference(const Case *c)
{
  const int    n = c->nmaster + 1;
  Case         turned = *c;
  PetscReal    u[DOFS], v[DOFS], R[3][3], dG[2][DOFS][DOFS], dH[2][2][DOFS][DOFS];
  CrKinematics k[2];

  for (int a = 0; a < c->dim * n; a++) u[a] = v[a] = uniform(-1, 1);
  rotation(c->dim, R);
  rotate(c->dim, n, R, turned.x);
  rotate(c->dim, n, R, v);
  CHECK(evaluate(c, c->x, &k[0]) && evaluate(&turned, turned.x, &k[1]));
  CHECK_NEAR(k[1].gap, k[0].gap, 5e-15);
  for (int t = 0; t < 2; t++) CrKinematicsGradient(&k[t], t ? turned.x : c->x, dG[t], dH[t]);
  for (int i = 0; i < c->dim - 1; i++) {
    PetscReal slip[2] = {0}, change[2] = {0};

    for (int a = 0; a < c->dim * n; a++) {
      slip[0] += k[0].H[i][a] * u[a];
      slip[1] += k[1].H[i][a] * v[a];
      for (int b = 0; b < c->dim * n; b++) {
        change[0] += u[a] * dH[0][i][a][b] * u[b];
        change[1] += v[a] * dH[1][i][a][b] * v[b];
      }
    }
    CHECK_NEAR(slip[1], slip[0], 2e-14);
    CHECK_NEAR(change[1], change[0], 1e-12 * (1 + fabs(change[0])));
  }
}

static void test_facets(void)
{
  for (int nmaster = 2; nmaster <= 4; nmaster++)
    for (int s = 0; s < 100; s++) {
      /* every other one beyond the edges; the last ones under a third of a facet */
      Case c = random_facet(nmaster, s % 2 ? 0.6 : 0, s < 70 ? 0.1 : 0.6);

      check_place(&c);
      check_identities(&c);
      check_differences(&c);
      check_slip(&c);
      check_indifference(&c);
    }
  printf("facets: first derivatives %.1e, second %.1e\n", worst_first, worst_second);
}

/* The foot is held at a corner, or on an edge, and the slave lies behind the facet, up to 40 degrees from
   its normal; at 0 the operators are those of the facet. */
static Case random_rest(int nmaster, int s, PetscReal tilt)
{
  Case      c = random_facet(nmaster, 0, 0), flat;
  int       a = s % nmaster, b = (a + 1) % nmaster;
  PetscReal along = uniform(0.1, 0.9), side[3], e[3] = {0}, p[3], tau[2][3], nu[3], out[3], xi[2];
  PetscReal corner[4][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 0}};

  if (nmaster == 4)
    for (int k = 0; k < 4; k++) {
      corner[k][0] = k == 1 || k == 2 ? 1 : -1;
      corner[k][1] = k >= 2 ? 1 : -1;
    }
  c.rest = nmaster > 2 && s % 2 ? CR_REST_EDGE(a) : CR_REST_CORNER(a);
  if (c.rest < CR_REST_EDGE(0)) along = 0;
  for (int k = 0; k < 2; k++) c.xi[k] = xi[k] = (1 - along) * corner[a][k] + along * corner[b][k];
  flat = c;
  master_point(c.dim, nmaster, flat.x, xi, p, tau, nu);
  for (int i = 0; i < c.dim; i++) e[i] = c.x[c.dim * (b + 1) + i] - c.x[c.dim * (a + 1) + i];
  for (int i = 0; i < 3; i++) out[i] = uniform(-1, 1);
  if (c.rest >= CR_REST_EDGE(0)) /* perpendicular to the edge */
    cross3(nu, e, out);
  if (c.dim == 2) out[2] = 0;
  for (int i = 0; i < 3; i++) side[i] = out[i] - dot3(out, nu) * nu[i];
  normalise(side);
  c.gap = -uniform(0.1, 0.5);
  for (int i = 0; i < 3; i++) c.nu[i] = cos(tilt) * nu[i] + sin(tilt) * side[i];
  for (int i = 0; i < c.dim; i++) c.x[i] = p[i] + c.gap * c.nu[i];
  return c;
}

static void test_rests(void)
{
  worst_first = worst_second = 0;
  for (int nmaster = 2; nmaster <= 4; nmaster++)
    for (int s = 0; s < 64; s++) {
      PetscReal    tilt = s < 16 ? 0 : uniform(0.05, 0.7);
      Case         c = random_rest(nmaster, s, tilt);
      CrKinematics k, plain;

      CHECK(evaluate(&c, c.x, &k));
      CHECK(k.rest == c.rest && k.nmaster == nmaster && k.dim == c.dim);
      CHECK_NEAR(k.gap, c.gap, 1e-14);
      for (int i = 0; i < 3; i++) CHECK_NEAR(k.nu[i], c.nu[i], 2e-14);
      for (int a = 0; a < c.dim - 1; a++) CHECK_NEAR(k.xi[a], c.xi[a], 1e-14);
      check_identities(&c);
      check_differences(&c);
      if (s >= 16) continue;
      CHECK(CrKinematicsFacet(c.dim, nmaster, c.x, &plain));
      for (int a = 0; a < c.dim * (nmaster + 1); a++) {
        CHECK_NEAR(k.G[a], plain.G[a], 1e-13);
        for (int i = 0; i < c.dim - 1; i++) CHECK_NEAR(k.H[i][a], plain.H[i][a], 1e-12);
      }
    }
  printf("rests: first derivatives %.1e, second %.1e\n", worst_first, worst_second);
}

static void test_obstacles(void)
{
  worst_first = worst_second = 0;
  for (int dim = 2; dim <= 3; dim++)
    for (int kind = 0; kind < 3; kind++)
      for (int s = 0; s < 30; s++) {
        Case         c = random_obstacle(dim, kind);
        CrKinematics k;

        check_place(&c);
        check_differences(&c);
        CHECK(evaluate(&c, c.x, &k));
        for (int i = 0; i < dim; i++) {
          CHECK(k.G[i] == k.nu[i] && k.H[0][i] == k.e[0][i]);
          CHECK(dim == 2 || k.H[1][i] == k.e[1][i]);
        }
        /* an axis that is not the best one is as good a frame */
        c.axis = (c.axis + 1) % 3;
        check_differences(&c);
      }
  printf("obstacles: first derivatives %.1e, second %.1e\n", worst_first, worst_second);
}

/* The plane of a segment is an obstacle with the same gap, normal and tangent. */
static void test_segment_and_plane_agree(void)
{
  for (int s = 0; s < 10; s++) {
    Case         c = random_facet(2, 0.3, 0.5);
    CrKinematics k, p;

    CHECK(evaluate(&c, c.x, &k));
    CrKinematicsPlane(2, c.x + 2, c.nu, c.x, &p);
    CHECK_NEAR(p.gap, k.gap, 2e-15);
    for (int i = 0; i < 2; i++) CHECK_NEAR(p.e[0][i], k.e[0][i], 2e-15);
  }
}

/* Strongly warped quads: the projection is a point of the surface at which x_S - x_M is normal. */
static void test_warped_quads(void)
{
  int found = 0;

  for (int s = 0; s < 300; s++) {
    Case         c = random_facet(4, 0.3, 0.1);
    PetscReal    p[3], tau[2][3], nu[3], r[3];
    CrKinematics k;

    for (int A = 1; A <= 4; A++)
      for (int i = 0; i < 3; i++) c.x[3 * A + i] += (A % 2 ? 0.15 : -0.15) * c.nu[i];
    if (!evaluate(&c, c.x, &k)) continue;
    found++;
    master_point(3, 4, c.x, k.xi, p, tau, nu);
    for (int i = 0; i < 3; i++) r[i] = c.x[i] - p[i];
    CHECK_NEAR(dot3(tau[0], r), 0, 1e-15);
    CHECK_NEAR(dot3(tau[1], r), 0, 1e-15);
    CHECK_NEAR(dot3(nu, r), k.gap, 1e-15);
    check_identities(&c);
  }
  CHECK(found == 300);
}

/* Facets far from the origin and of another size lose only what their coordinates have lost. */
static void test_scale(void)
{
  for (int nmaster = 2; nmaster <= 4; nmaster++) {
    Case         c = random_facet(nmaster, 0, 0.1);
    CrKinematics k, far;

    CHECK(evaluate(&c, c.x, &k));
    for (int a = 0; a < c.dim * (nmaster + 1); a++) c.x[a] = 1e-3 * c.x[a] + 1;
    CHECK(evaluate(&c, c.x, &far));
    CHECK_NEAR(far.gap, 1e-3 * k.gap, 1e-15);
    for (int a = 0; a < c.dim - 1; a++) CHECK_NEAR(far.xi[a], k.xi[a], 2e-12);
  }
}

/* Frame of a trapezoid: sliding across it does not turn e. */
static void test_trapezoid_frame(void)
{
  PetscReal    x[15] = {0.1, 0.8, 0.2, 0, 0, 0, 1, 0, 0, 0.7, 1, 0, 0.2, 1.2, 0}, e[3];
  CrKinematics k;

  CHECK(CrKinematicsFacet(3, 4, x, &k));
  memcpy(e, k.e[0], sizeof e);
  x[0] = 0.7;
  x[1] = 0.1;
  CHECK(CrKinematicsFacet(3, 4, x, &k));
  for (int i = 0; i < 3; i++) CHECK_NEAR(k.e[0][i], e[i], 1e-15);
}

/* No projection: said so, without loops or exceptions. */
static void test_refusals(void)
{
  const PetscReal point[6] = {1, 1, 2, 2, 2, 2};
  const PetscReal line[12] = {0, 1, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2};
  const PetscReal fold[15] = {0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  PetscReal       quad[15] = {50, 40, 3, 0, 0, 0, 1, 0, 0.2, 1, 1, 0, 0, 1, 0.2};
  const PetscReal wedge[15] = {0.05, 2.3, 0.1, -1, -1, 0, 1, -1, 0, 0.3, 1, 0, -0.3, 1, 0};
  CrKinematics    k;

  CHECK(!CrKinematicsFacet(2, 2, point, &k));
  CHECK(!CrKinematicsFacet(3, 3, line, &k));
  CHECK(!CrKinematicsFacet(3, 4, fold, &k));
  CHECK(!CrKinematicsFacet(3, 4, quad, &k));  /* far beyond the edges of a warped quad */
  CHECK(!CrKinematicsFacet(3, 4, wedge, &k)); /* behind the point where its sides meet */
  quad[0] = NAN;
  CHECK(!CrKinematicsFacet(3, 4, quad, &k));
  quad[0] = quad[1] = 0.5;
  quad[2] = 3; /* beyond the centre of curvature of the saddle, about 1.25 above it */
  CHECK(!CrKinematicsFacet(3, 4, quad, &k));
}

static void test_ball_centre(void)
{
  const PetscReal at[3] = {1, 2, 3};
  CrKinematics    k;

  CrKinematicsSphere(3, at, 2, PETSC_FALSE, 0, at, &k);
  CHECK_NEAR(k.gap, -2, 0);
  CHECK_NEAR(dot3(k.nu, k.nu), 1, 0);
  CHECK_NEAR(dot3(k.e[0], k.e[0]), 1, 0); /* although the axis asked for is the normal */
  CrKinematicsSphere(2, at, 2, PETSC_TRUE, 0, at, &k);
  CHECK_NEAR(k.gap, 2, 0);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_facets();
  test_rests();
  test_obstacles();
  test_segment_and_plane_agree();
  test_warped_quads();
  test_scale();
  test_trapezoid_frame();
  test_refusals();
  test_ball_centre();
  return check_end();
}
