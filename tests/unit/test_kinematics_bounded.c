/* Facets with edges: nearness and piercing, against sampled surfaces and sampled paths. */
#include "check.h"
#include "contact/geometry/kinematics.h"

#define DOFS CR_CONTACT_DOFS

static double uniform(double lo, double hi)
{
  static unsigned long long seed = 17;

  seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return lo + (hi - lo) * ((seed >> 11) * (1.0 / 9007199254740992.0));
}

static PetscReal dot3(const PetscReal *a, const PetscReal *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const PetscReal *a, const PetscReal *b, PetscReal *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static int dimension(int nmaster)
{
  return nmaster == 2 ? 2 : 3;
}

/* A facet of about unit size and a slave within `reach` of its middle. */
static void random_facet(int nmaster, PetscReal crooked, PetscReal reach, PetscReal *x)
{
  static const PetscReal start[5][8] = {{0},
                                        {0},
                                        {-0.5, 0, 0.5, 0},
                                        {-0.3, -0.3, 0.7, -0.3, -0.3, 0.7},
                                        {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5}};
  const int              dim = dimension(nmaster);

  for (int i = 0; i < dim; i++) x[i] = uniform(-reach, reach);
  for (int k = 0; k < nmaster; k++)
    for (int i = 0; i < dim; i++)
      x[dim * (k + 1) + i] = (i < 2 ? start[nmaster][2 * k + i] : 0) + uniform(-crooked, crooked);
}

/* Point of the bounded facet for s, t in [0,1]; on a triangle what is beyond the long side is drawn
   back to it. */
static void facet_point(int nmaster, const PetscReal *x, PetscReal s, PetscReal t, PetscReal *p)
{
  const int       dim = dimension(nmaster);
  const PetscReal over = nmaster == 3 ? fmax(1, s + t) : 1, u = s / over, v = t / over;
  const PetscReal N[3][4] = {{1 - s, s, 0, 0},
                             {1 - u - v, u, v, 0},
                             {(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t}};

  for (int i = 0; i < 3; i++) {
    p[i] = 0;
    for (int k = 0; k < nmaster && i < dim; k++) p[i] += N[nmaster - 2][k] * x[dim * (1 + k) + i];
  }
}

/* Distance by sampling, again and again around the best sample. */
static PetscReal sampled_distance(int nmaster, const PetscReal *x)
{
  PetscReal s0 = 0.5, t0 = 0.5, width = 0.5, best = 1e30;

  for (int zoom = 0; zoom < 12; zoom++, width *= 0.3) {
    PetscReal s1 = s0, t1 = t0;

    for (int i = -20; i <= 20; i++)
      for (int j = -20; j <= 20; j++) {
        PetscReal s = fmin(1, fmax(0, s0 + width * i / 20)), d[3], d2 = 0;
        PetscReal t = fmin(1, fmax(0, t0 + width * j / 20));

        facet_point(nmaster, x, s, t, d);
        for (int a = 0; a < dimension(nmaster); a++) d2 += (d[a] - x[a]) * (d[a] - x[a]);
        if (d2 < best) best = d2, s1 = s, t1 = t;
      }
    s0 = s1;
    t0 = t1;
  }
  return sqrt(best);
}

/* The foot of the slave is beyond the edge that is named, by the distance that is named. */
static void check_edge(int nmaster, const PetscReal *x, const CrProximity *near)
{
  const int dim = dimension(nmaster), from = near->edge;
  const int to = dim == 2 ? 1 - from : (from + 1) % nmaster;
  PetscReal e[3] = {0}, y[3] = {0}, out[3];

  for (int i = 0; i < dim; i++) {
    e[i] = x[dim * (to + 1) + i] - x[dim * (from + 1) + i];
    y[i] = x[i] - near->gap * near->nu[i] - x[dim * (from + 1) + i];
  }
  if (dim == 2) { /* from the end it is beyond, e leads back */
    CHECK(dot3(y, e) < 0);
    CHECK_NEAR(near->outside, sqrt(dot3(y, y) / dot3(e, e)), 1e-12);
    return;
  }
  cross3(e, near->nu, out);
  CHECK(dot3(out, y) > -1e-12);
}

static void test_proximity(void)
{
  int on = 0, beyond = 0;

  for (int nmaster = 2; nmaster <= 4; nmaster++)
    for (int s = 0; s < 150; s++) {
      PetscReal    x[DOFS];
      CrProximity  near;
      CrKinematics k;

      random_facet(nmaster, 0.1, 0.8, x);
      CrFacetProximity(dimension(nmaster), nmaster, x, &near);
      CHECK_NEAR(near.distance, sampled_distance(nmaster, x), 1e-6);
      CHECK(near.distance >= fabs(near.gap) * (1 - 1e-12));
      CHECK((near.edge < 0) == (near.outside == 0));
      if (near.edge < 0)
        on++;
      else {
        check_edge(nmaster, x, &near);
        beyond++;
      }
      if (!CrKinematicsFacet(dimension(nmaster), nmaster, x, &k)) continue;
      CHECK_NEAR(near.gap, k.gap, 1e-14);
      for (int i = 0; i < 3; i++) CHECK_NEAR(near.nu[i], k.nu[i], 1e-14);
    }
  CHECK(on > 100 && beyond > 100);
}

/* Numbers that can be checked by hand. */
static void test_proximity_by_hand(void)
{
  const PetscReal segment[6] = {3, -0.3, 0, 0, 2, 0}; /* material above: the free side is below */
  PetscReal       triangle[12] = {-0.5, -0.5, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0};       /* area 1 */
  PetscReal       quad[15] = {0.5, 3, -1, -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0}; /* area 4 */
  CrProximity     near;

  CrFacetProximity(2, 2, segment, &near);
  CHECK_NEAR(near.gap, 0.3, 1e-15);
  CHECK_NEAR(near.outside, 0.5, 1e-15);
  CHECK_NEAR(near.distance, sqrt(1.09), 1e-15);
  CHECK(near.edge == 1);
  CrFacetProximity(3, 3, triangle, &near);
  CHECK_NEAR(near.gap, 2, 1e-15);
  CHECK_NEAR(near.outside, sqrt(0.5), 1e-15); /* beyond a corner: to the corner */
  CHECK_NEAR(near.distance, sqrt(4.5), 1e-15);
  CHECK(near.edge == 0 || near.edge == 2);
  triangle[0] = -0.1; /* the line of the edge along x is further away */
  CrFacetProximity(3, 3, triangle, &near);
  CHECK(near.edge == 0);
  CrFacetProximity(3, 4, quad, &near);
  CHECK_NEAR(near.gap, -1, 1e-15);
  CHECK_NEAR(near.outside, 1, 1e-15);
  CHECK_NEAR(near.distance, sqrt(5), 1e-15);
  CHECK(near.edge == 2);
}

/* Facets without size have a distance, but nobody will take them. */
static void test_proximity_degenerate(void)
{
  const PetscReal point[6] = {3, 4, 0, 0, 0, 0};
  const PetscReal line[15] = {0, 5, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  CrProximity     near;

  CrFacetProximity(2, 2, point, &near);
  CHECK_NEAR(near.distance, 5, 0);
  CHECK(near.outside > 1e9);
  for (int nmaster = 3; nmaster <= 4; nmaster++) {
    CrFacetProximity(3, nmaster, line, &near);
    CHECK_NEAR(near.distance, 5, 0);
    CHECK(near.outside > 1e9 && near.edge >= 0);
  }
}

static void at_instant(int n, const PetscReal *x0, const PetscReal *x1, PetscReal s, PetscReal *x)
{
  for (int a = 0; a < n; a++) x[a] = (1 - s) * x0[a] + s * x1[a];
}

/* Gap and overshoot at an instant: determinants for segments and triangles; for quads the unbounded
   projection. False where there is none. */
static PetscBool state(int nmaster, const PetscReal *x0, const PetscReal *x1, PetscReal s,
                       PetscReal *gap, PetscReal *outside)
{
  PetscReal    x[DOFS];
  CrKinematics k;
  CrProximity  near;

  at_instant(dimension(nmaster) * (nmaster + 1), x0, x1, s, x);
  CrFacetProximity(dimension(nmaster), nmaster, x, &near); /* tested above */
  *outside = near.outside;
  if (nmaster == 2) {
    *gap = (x[0] - x[2]) * (x[5] - x[3]) - (x[1] - x[3]) * (x[4] - x[2]);
    return PETSC_TRUE;
  }
  if (nmaster == 3) {
    PetscReal a[3], b[3], y[3], n[3];

    for (int i = 0; i < 3; i++) {
      a[i] = x[6 + i] - x[3 + i];
      b[i] = x[9 + i] - x[3 + i];
      y[i] = x[i] - x[3 + i];
    }
    cross3(a, b, n);
    *gap = dot3(y, n);
    return PETSC_TRUE;
  }
  if (!CrKinematicsFacet(3, 4, x, &k)) return PETSC_FALSE;
  *gap = k.gap;
  return PETSC_TRUE;
}

/* Walks along a sampled path. 1: pierced between *before and *before + 1/n; 0: not; -1: too close to
   the edge of the margin to say. */
static int sampled_crossing(int nmaster, const PetscReal *x0, const PetscReal *x1, PetscReal margin,
                            int n, PetscReal *before)
{
  PetscReal last = 0, last_outside = 0, gap, outside;
  PetscBool known = PETSC_FALSE;

  for (int i = 0; i <= n; i++) {
    const PetscBool good = state(nmaster, x0, x1, (PetscReal)i / n, &gap, &outside);

    if (good && known && last >= 0 && gap < 0) {
      const PetscBool in = fmax(outside, last_outside) < margin - 0.01;

      *before = (i - 1.0) / n;
      if (in || (margin == 0 && fmax(outside, last_outside) == 0)) return 1;
      if (fmin(outside, last_outside) < margin + 0.01) return -1;
    }
    known = good;
    last = gap;
    last_outside = outside;
  }
  return 0;
}

/* What is reported is a crossing. */
static void check_crossing(int nmaster, const PetscReal *x0, const PetscReal *x1, PetscReal margin,
                           PetscReal when)
{
  PetscReal gap, outside;

  CHECK(when >= 0 && when <= 1);
  CHECK(state(nmaster, x0, x1, when, &gap, &outside));
  CHECK_NEAR(gap, 0, 1e-13);
  CHECK(outside <= margin + 1e-8);
  if (when > 1e-6) {
    CHECK(state(nmaster, x0, x1, when - 1e-6, &gap, &outside));
    CHECK(gap > 0);
  }
  if (when < 1 - 1e-6) {
    CHECK(state(nmaster, x0, x1, when + 1e-6, &gap, &outside));
    CHECK(gap < 0);
  }
}

static void test_random_paths(void)
{
  for (int nmaster = 2; nmaster <= 4; nmaster++) {
    int count[3] = {0};

    for (int s = 0; s < 3000; s++) {
      /* from gentle steps to motions that turn facets over (not quads: those would tear) */
      const PetscReal crooked = nmaster == 4 ? 0.1 : s % 3 ? 0.1 : 0.5;
      const PetscReal margin = s % 2 ? 0.05 : 0;
      PetscReal       x0[DOFS], x1[DOFS], when = -1, before = -1;
      PetscBool       found;
      int             expected;

      random_facet(nmaster, crooked, 0.7, x0);
      random_facet(nmaster, crooked, 0.7, x1);
      found = CrFacetCrossing(dimension(nmaster), nmaster, x0, x1, margin, &when);
      expected = sampled_crossing(nmaster, x0, x1, margin, 500, &before);
      count[1 + expected]++;
      if (found) check_crossing(nmaster, x0, x1, margin, when);
      if (expected == 1) CHECK(found && when <= before + 1.0 / 500 + 1e-12);
      /* a visit between two samples may have been overlooked, but not often */
      if (expected == 0 && found) count[0]++;
    }
    CHECK(count[1] > 1000 && count[2] > 300 && count[0] < 50);
    printf("%d nodes: %d pierced, %d not, %d in doubt\n", nmaster, count[2], count[1], count[0]);
  }
}

/* Slave put on the facet (to round-off) at xi, offset by `height`. */
static void put(int nmaster, PetscReal height, PetscReal *x)
{
  const int    dim = dimension(nmaster);
  PetscReal    p[3];
  CrKinematics k;

  facet_point(nmaster, x, uniform(0.2, 0.8), uniform(0.2, 0.8), p);
  for (int i = 0; i < dim; i++) x[i] = p[i];
  CHECK(CrKinematicsFacet(dim, nmaster, x, &k));
  for (int i = 0; i < dim; i++) x[i] += (height - k.gap) * k.nu[i];
}

/* Everything moves by `all`, the slave also by `normal` along the normal and a little sideways. */
static void move(int nmaster, const PetscReal *x0, PetscReal normal, PetscReal side, PetscReal all,
                 PetscReal *x1)
{
  const int    dim = dimension(nmaster);
  CrKinematics k;

  CHECK(CrKinematicsFacet(dim, nmaster, x0, &k));
  for (int a = 0; a < dim * (nmaster + 1); a++) x1[a] = x0[a] + all * (1 + a % dim);
  for (int i = 0; i < dim; i++) x1[i] += normal * k.nu[i] + side * k.e[0][i];
}

/* Starts on the facet, above and below it. */
static void test_starts(void)
{
  for (int nmaster = 2; nmaster <= 4; nmaster++)
    for (int s = 0; s < 200; s++) {
      const int dim = dimension(nmaster);
      PetscReal x0[DOFS], x1[DOFS], when = -1;

      random_facet(nmaster, 0.1, 0, x0);
      put(nmaster, 0, x0);
      move(nmaster, x0, -0.1, 0.02, 0.3, x1);
      CHECK(CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
      CHECK_NEAR(when, 0, 1e-13);
      move(nmaster, x0, 0.1, 0.02, 0.3, x1); /* outward */
      CHECK(!CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
      CHECK(!CrFacetCrossing(dim, nmaster, x0, x0, 0, &when)); /* at rest */
      put(nmaster, -1e-6, x0);
      move(nmaster, x0, -0.1, 0.02, 0.3, x1); /* from inside further inside */
      CHECK(!CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
      move(nmaster, x0, 0.1, 0.02, 0.3, x1); /* from inside to outside */
      CHECK(!CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
      put(nmaster, 1e-6, x0);
      move(nmaster, x0, -0.1, 0, 0.3, x1);
      CHECK(CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
      CHECK_NEAR(when, 1e-5, 1e-13);
      move(nmaster, x0, -0.99e-6, 0, 0.3, x1); /* stops short of it */
      CHECK(!CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
    }
}

/* In the plane of the facet, and parallel to it above: no piercing. */
static void test_parallel_paths(void)
{
  for (int nmaster = 2; nmaster <= 4; nmaster++)
    for (int height = 0; height < 2; height++) {
      const int dim = dimension(nmaster);
      PetscReal x0[DOFS], x1[DOFS], when;

      random_facet(nmaster, 0, 0, x0);
      x0[0] = -2;
      x0[1] = dim == 2 ? -0.25 * height : 0.1;
      x0[dim - 1] = dim == 2 ? x0[1] : 0.25 * height;
      memcpy(x1, x0, sizeof x1);
      x1[0] = 2;
      CHECK(!CrFacetCrossing(dim, nmaster, x0, x1, 0.05, &when));
    }
}

/* A fast slave, 1000 facets in a step; a facet that comes to a slave at rest. */
static void test_fast(void)
{
  for (int nmaster = 2; nmaster <= 4; nmaster++)
    for (int s = 0; s < 50; s++) {
      const int dim = dimension(nmaster);
      PetscReal x0[DOFS], x1[DOFS], when = -1;

      random_facet(nmaster, 0.1, 0, x0);
      put(nmaster, 0, x0); /* far above a warped quad there is no projection */
      move(nmaster, x0, -400, 0, 0, x1);
      for (int i = 0; i < dim; i++) x0[i] -= 1.5 * (x1[i] - x0[i]);
      CHECK(CrFacetCrossing(dim, nmaster, x0, x1, 1e-9, &when));
      CHECK_NEAR(when, 0.6, 1e-12);
      put(nmaster, 0.3, x0);
      move(nmaster, x0, -0.5, 0, 0, x1);
      for (int a = dim; a < dim * (nmaster + 1); a++) x1[a] = x0[a] - (x1[a % dim] - x0[a % dim]);
      for (int i = 0; i < dim; i++) x1[i] = x0[i];
      CHECK(CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
      CHECK_NEAR(when, 0.6, 1e-12);
    }
}

/* The margin decides about paths beside the facet. */
static void test_margin(void)
{
  for (int nmaster = 2; nmaster <= 4; nmaster++) {
    const int dim = dimension(nmaster);
    PetscReal x0[DOFS], x1[DOFS], when;

    random_facet(nmaster, 0, 0, x0);
    x0[0] = (nmaster == 3 ? -0.3 : -0.5) - 0.03 * (nmaster == 3 ? sqrt(0.5) : 1);
    x0[dim - 1] = dim == 2 ? -0.5 : 0.5;
    memcpy(x1, x0, sizeof x1);
    x1[dim - 1] *= -1;
    CHECK(!CrFacetCrossing(dim, nmaster, x0, x1, 0, &when));
    CHECK(!CrFacetCrossing(dim, nmaster, x0, x1, 0.029, &when));
    CHECK(CrFacetCrossing(dim, nmaster, x0, x1, 0.031, &when));
    CHECK_NEAR(when, 0.5, 1e-12);
  }
}

/* A path through the common edge of two triangles does not slip through. */
static void test_common_edge(void)
{
  for (int s = 0; s < 200; s++) {
    PetscReal x[2][15], left[12], right[12], to_left[12], to_right[12], when;
    PetscReal u = uniform(0.1, 0.9);

    for (int t = 0; t < 2; t++) {
      random_facet(4, 0.1, 0, x[t]);
      for (int i = 0; i < 3; i++)
        x[t][i] = (1 - u) * x[t][3 + i] + u * x[t][9 + i] + (i == 2 ? (t ? -0.3 : 0.4) : 0);
    }
    for (int i = 0; i < 12; i++) {
      const int other = i < 6 ? i : i + 3;

      left[i] = x[0][i];
      to_left[i] = x[1][i];
      right[i] = x[0][other];
      to_right[i] = x[1][other];
    }
    CHECK(CrFacetCrossing(3, 3, left, to_left, 0, &when) ||
          CrFacetCrossing(3, 3, right, to_right, 0, &when));
  }
}

/* A segment that swings: the slave at rest is inside, then outside, then inside again. */
static void test_swing(void)
{
  const PetscReal x0[6] = {0, -0.05, -1, -0.2, 1, -0.2}, x1[6] = {0, -0.05, -1, -0.2, 1, 0.3};
  PetscReal       y0[6], y1[6], when;

  CHECK(!CrFacetCrossing(2, 2, x0, x1, 0, &when)); /* the material is above: from inside out */
  CHECK(CrFacetCrossing(2, 2, x1, x0, 0, &when));
  CHECK_NEAR(when, 0.4, 1e-14); /* when its middle is at -0.05 */
  /* gap * length = (s - 1/4) (3/4 - s) */
  memcpy(y0, (PetscReal[6]){0.25, 0, 0, 0, 1, -0.75}, sizeof y0);
  memcpy(y1, (PetscReal[6]){-0.75, 0, 0, 0, 1, 0.25}, sizeof y1);
  CHECK(!CrFacetCrossing(2, 2, y0, y1, 0, &when));  /* the second time is beyond the end ... */
  CHECK(CrFacetCrossing(2, 2, y0, y1, 0.9, &when)); /* ... but not beyond the margin */
  CHECK_NEAR(when, 0.75, 1e-14);
}

/* Gap * 2 area = (0.1 - s) ((s - 0.7)^2 + 0.01): passes through zero while the slave is beside the
   triangle, nearly comes back while it is behind it, and falls again. That is no piercing. */
static void test_behind(void)
{
  const PetscReal at = 0.6915; /* where the polynomial has its second extremum */
  PetscReal       x[2][12], when;

  for (int t = 0; t < 2; t++) {
    const PetscReal p = t - 0.7, y[2] = {3 + t * (-0.037 - 3) / at, 3 + t * (0.03 - 3) / at};
    const PetscReal now[12] = {y[0], y[1], 0.1 - t, 0, 0, 0, p, 0.1, 0, -0.1, p, 0};

    memcpy(x[t], now, sizeof now);
  }
  CHECK(!CrFacetCrossing(3, 3, x[0], x[1], 0, &when));
  CHECK(CrFacetCrossing(3, 3, x[0], x[1], 100, &when));
  CHECK_NEAR(when, 0.1, 1e-14);
}

/* A warped quad that tumbles: the slave is inside for less than a sixteenth of the way, from 0.451 (its
   gap on a fine grid of instants), 0.03 deep, and comes out beside it. */
static void test_quad_short_visit(void)
{
  const PetscReal x0[15] = {-0.1712, 0.5019, 0.9586, -0.1197, -0.2404, -0.2800, 0.2614, -0.7323,
                            -0.3640, 0.5912, 0.8566, 0.2573,  -0.0538, 0.6691,  -0.3173};
  const PetscReal x1[15] = {-0.0414, -0.5864, -0.3377, -0.9162, -0.5356, 0.5893,  -1.3707, -0.0092,
                            0.4994,  0.3884,  -0.0849, 1.1652,  -0.2169, -0.7165, 1.2740};
  PetscReal       when = 0;

  CHECK(CrFacetCrossing(3, 4, x0, x1, 0, &when));
  CHECK_NEAR(when, 0.4507, 1e-3);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_proximity();
  test_proximity_by_hand();
  test_proximity_degenerate();
  test_random_paths();
  test_starts();
  test_parallel_paths();
  test_fast();
  test_margin();
  test_common_edge();
  test_swing();
  test_behind();
  test_quad_short_visit();
  return check_end();
}
