/* Rigid bodies: mass properties against closed formulas, rotation against its invariants and its order, gaps
   against a search over all directions. */
#include "base/vector.h"
#include "model_from_text.h"
#include "rigid/rigid.h"
#include "rigid/collide.h"
#include "rigid/rotation.h"
#include "rigid/picture.h"

#define HEAD "carom: 1\ndimension: %d\nbodies:\n"
#define TAIL "time: {method: efda, step: 1, end: 1}\n"
#define CUBE                                                                                       \
  "hull: {points: [[3, 1, 1], [4, 1, 1], [3, 3, 1], [4, 3, 1], [3, 1, 4], [4, 1, 4], [3, 3, 4], "  \
  "[4, 3, 4], [3.5, 2, 2]]}"

/* ---- mass -------------------------------------------------------------------------------------- */

static void test_mass(int dim, const char *shape, PetscReal volume, PetscReal i0, PetscReal i1,
                      PetscReal i2)
{
  const PetscReal inertia[3] = {i0, i1, i2};
  Problem         p;

  CHECK_OK(problem_open(&p, HEAD "  - {name: b, rigid: {%s, density: 2}}\n" TAIL, dim, shape));
  CHECK_NEAR(p.model->rigid->mass[0], 2 * volume, 1e-14 * volume);
  for (int i = dim == 2 ? 2 : 0; i < 3; i++)
    CHECK_NEAR(p.model->rigid->inertia[i], 2 * inertia[i], 1e-13 * inertia[i]);
  CHECK_OK(problem_close(&p));
}

static void test_masses(void)
{
  const PetscReal pi = PETSC_PI;

  test_mass(2, "disk: {radius: 3}", 9 * pi, 0, 0, 81 * pi / 2);
  test_mass(2, "ellipse: {semi_axes: [3, 2]}", 6 * pi, 0, 0, 6 * pi * 13 / 4);
  test_mass(2, "box: {size: [3, 2]}", 6, 0, 0, 6 * 13 / 12.);
  /* right triangle with legs 3 and 6: b h (b^2 + h^2)/36 about its centroid */
  test_mass(2, "polygon: {points: [[5, 5], [8, 5], [5, 11]]}", 9, 0, 0, 18 * 45 / 36.);
  test_mass(3, "sphere: {radius: 2}", 32 * pi / 3, 32 * pi / 3 * 1.6, 32 * pi / 3 * 1.6,
            32 * pi / 3 * 1.6);
  test_mass(3, "ellipsoid: {semi_axes: [1, 2, 3]}", 8 * pi, 8 * pi * 13 / 5, 8 * pi * 2, 8 * pi);
  test_mass(3, "box: {size: [1, 2, 3]}", 6, 6 * 13 / 12., 6 * 10 / 12., 6 * 5 / 12.);
  test_mass(3, CUBE, 6, 6 * 13 / 12., 6 * 10 / 12., 6 * 5 / 12.);
  /* cylinder and ball of radius 1, length 2: m_c (l^2/12 + r^2/4) + m_b (2/5 r^2 + l^2/4 + 3/8 l r) */
  test_mass(3, "capsule: {radius: 1, length: 2}", 2 * pi + 4 * pi / 3,
            2 * pi * (1 / 3. + 0.25) + 4 * pi / 3 * (0.4 + 1 + 0.75),
            2 * pi * (1 / 3. + 0.25) + 4 * pi / 3 * (0.4 + 1 + 0.75),
            2 * pi * 0.5 + 4 * pi / 3 * 0.4);
}

/* A turned prism of twelve sides with points halfway up its edges, as a list of few digits has it: points
   that lie in planes and on edges but for the last of them. Volume, Euler's formula, and no corner
   above a face. */
static void test_rounded_hull(int digits)
{
  const PetscReal R[9] = {2. / 3,  -1. / 3, 2. / 3, 2. / 3, 2. / 3,
                          -1. / 3, -1. / 3, 2. / 3, 2. / 3};
  PetscReal       x[3 * 36], unit = pow(10, -digits);
  CrShape         s = {.dim = 3};

  for (int k = 0; k < 36; k++) {
    PetscReal y[3] = {cos(PETSC_PI / 6 * (k / 3)), sin(PETSC_PI / 6 * (k / 3)), k % 3 - 1};

    m_times(R, y, x + 3 * k);
    for (int i = 0; i < 3; i++) x[3 * k + i] = unit * round(x[3 * k + i] / unit);
  }
  CHECK_OK(CrShapeHull(&s, NULL, 36, x, PETSC_FALSE));
  CHECK_NEAR(s.volume, 6, 20 * unit + 1e-6);
  CHECK(s.nvertices - s.nedges + s.nfaces == 2);
  CHECK(digits < 9 || s.nfaces == 14);
  for (PetscInt f = 0; f < s.nfaces; f++)
    for (PetscInt k = 0; k < s.nvertices; k++)
      CHECK(v_dot(s.normals + 3 * f, s.vertices + 3 * k) <= s.offsets[f] + 1e-6);
  CHECK_OK(CrShapeDestroy(&s));
}

/* A hull whose axes are not its principal ones: corners stay where they are, inertia R I R^T is that of the
   box it is. */
static void test_principal_axes(void)
{
  PetscReal R[9], I[9] = {0}, c = cos(0.7), s = sin(0.7), size[3] = {1, 2, 3};
  char      points[1024] = "";
  Problem   p;
  CrPose    pose;

  for (int k = 0; k < 8; k++) {
    PetscReal x[3];

    for (int i = 0; i < 3; i++) x[i] = (k >> i & 1 ? 0.5 : -0.5) * size[i];
    snprintf(points + strlen(points), sizeof points - strlen(points), "%s[%.17g, %.17g, %.17g]",
             k ? ", " : "", c * x[0] - s * x[1], s * x[0] + c * x[1], x[2]);
  }
  CHECK_OK(problem_open(&p, HEAD "  - {name: b, rigid: {hull: {points: [%s]}, mass: 12}}\n" TAIL, 3,
                        points));
  CrPoseGet(p.model->rigid, p.state->rigid, 0, &pose);
  memcpy(R, pose.R, sizeof R);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        I[3 * i + j] += R[3 * i + k] * p.model->rigid->inertia[k] * R[3 * j + k];
  CHECK_NEAR(I[0], c * c * 13 + s * s * 10, 1e-12);
  CHECK_NEAR(I[4], s * s * 13 + c * c * 10, 1e-12);
  CHECK_NEAR(I[1], c * s * (13 - 10), 1e-12);
  CHECK_NEAR(I[8], 5, 1e-12);
  for (int k = 0; k < 8; k++) { /* the corner that was entered is there */
    PetscReal X[3], x[3], y[3];

    m_times(R, p.model->rigid->shapes[0].vertices + 3 * k, x);
    for (int i = 0; i < 3; i++) X[i] = (k >> i & 1 ? 0.5 : -0.5) * size[i];
    y[0] = c * X[0] - s * X[1], y[1] = s * X[0] + c * X[1], y[2] = X[2];
    for (int i = 0; i < 3; i++) CHECK_NEAR(x[i], y[i], 1e-13);
  }
  CHECK_OK(problem_close(&p));
}

/* ---- rotation ------------------------------------------------------------------------------------ */

static void open_top(Problem *p)
{
  CHECK_OK(problem_open(p,
                        HEAD
                        "  - {name: b, rigid: {sphere: {radius: 1}, mass: 1, inertia: [1, 2, 3]}, "
                        "spin: [0.5, 2, 0.3]}\n" TAIL,
                        3));
}

/* R(5) of the top with I = 1, 2, 3 near its unstable axis, by an independent program of order 8. */
static PetscReal error_at_5(const CrRigidState *s)
{
  static const PetscReal known[9] = {-0.84828016, 0.35869975, -0.38955778, -0.46414898, -0.14949837,
                                     0.87304981,  0.25492449, 0.92140367,  0.29330662};
  PetscReal              R[9], sum = 0;

  CrQuaternionMatrix(s->q, R);
  for (int i = 0; i < 9; i++) sum += PetscSqr(R[i] - known[i]);
  return sqrt(sum);
}

static void test_rotation_order(void)
{
  const PetscReal none[3] = {0, 0, 0};
  PetscReal       error[3];
  Problem         p;

  for (int k = 0; k < 3; k++) {
    PetscInt  n = 50 << k;
    PetscReal om[3];

    open_top(&p);
    for (PetscInt i = 0; i < n; i++)
      CHECK(CrRotationStep(p.model->rigid, 0, p.state->rigid, 5. / n, none, om));
    error[k] = error_at_5(p.state->rigid);
    CHECK_OK(problem_close(&p));
    open_top(&p);
    for (PetscInt i = 0; i < n; i++) CrRigidFlight(p.model->rigid, 0, p.state->rigid, 5. / n, none);
    /* order 6: the independent program was off by 9.2e-8 in its norm; then the digits that are known */
    CHECK_LESS(error_at_5(p.state->rigid), k == 0 ? 2e-7 : 2e-8);
    CHECK_OK(problem_close(&p));
  }
  CHECK_NEAR(error[0] / error[1], 4, 0.05);
  CHECK_NEAR(error[1] / error[2], 4, 0.05);
  CHECK_LESS(error[2], 4e-3); /* 2.46e-3 there */
}

/* 1e5 steps: energy to 1e-12, pi bit by bit. */
static void test_rotation_invariants(void)
{
  const PetscReal none[3] = {0, 0, 0};
  PetscReal       T, most = 0, pi[3];
  Problem         p;

  open_top(&p);
  T = CrRigidKinetic(p.model->rigid, p.state->rigid, 0);
  v_copy(p.state->rigid->pi, pi);
  for (PetscInt i = 0; i < 100000; i++) {
    PetscReal om[3];

    CHECK(CrRotationStep(p.model->rigid, 0, p.state->rigid, 0.01, none, om));
    most = fmax(most, fabs(CrRigidKinetic(p.model->rigid, p.state->rigid, 0) / T - 1));
  }
  CHECK_LESS(most, 1e-12);
  for (int i = 0; i < 3; i++) CHECK(p.state->rigid->pi[i] == pi[i]);
  for (PetscInt i = 0; i < 1000; i++) CrRigidFlight(p.model->rigid, 0, p.state->rigid, 0.1, none);
  CHECK_NEAR(CrRigidKinetic(p.model->rigid, p.state->rigid, 0) / T, 1, 1e-12);
  CHECK_OK(problem_close(&p));
}

/* The energy changes by m.om, whatever the torque. */
static void test_rotation_work(void)
{
  unsigned seed = 7;
  Problem  p;

  open_top(&p);
  for (int k = 0; k < 1000; k++) {
    PetscReal m[3], om[3], T = CrRigidKinetic(p.model->rigid, p.state->rigid, 0);

    for (int i = 0; i < 3; i++) m[i] = 0.3 * random_number(&seed);
    CHECK(CrRotationStep(p.model->rigid, 0, p.state->rigid, 0.05, m, om));
    CHECK_NEAR(CrRigidKinetic(p.model->rigid, p.state->rigid, 0) - T, v_dot(m, om),
               1e-14 * (T + 1));
  }
  CHECK_OK(problem_close(&p));
}

/* ---- gaps ---------------------------------------------------------------------------------------- */

static PetscReal separation(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                            const PetscReal n[3])
{
  PetscReal l[3] = {-n[0], -n[1], -n[2]}, d[3], X[3], sum;

  v_less(pa->x, pb->x, d);
  sum = v_dot(n, d);
  m_back(pa->R, l, l);
  sum -= CrShapeSupport(a, l, X);
  m_back(pb->R, n, l);
  return sum - CrShapeSupport(b, l, X);
}

/* A rough search for the greatest separation: to find bodies that are apart, and never above the truth. */
static PetscReal search(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                        unsigned *seed)
{
  PetscReal best = PETSC_MIN_REAL, try[3];

  for (int k = 0; k < 4000; k++) {
    for (int i = 0; i < 3; i++) try[i] = i < a->dim ? random_number(seed) : 0;
    v_unit(try);
    best = fmax(best, separation(a, pa, b, pb, try));
  }
  return best;
}

/* How far a point in space lies outside of a body, as a part of its size: by the body's own definition. */
static PetscReal outside(const CrShape *s, const CrPose *p, const PetscReal x[3])
{
  PetscReal d[3], X[3], most = -1;

  v_less(x, p->x, d);
  m_back(p->R, d, X);
  if (s->kind == CR_SHAPE_POLYTOPE) {
    for (PetscInt f = 0; f < s->nfaces; f++)
      most = fmax(most, v_dot(s->normals + 3 * f, X) - s->offsets[f]);
    return most;
  }
  if (s->kind == CR_SHAPE_ELLIPSOID) {
    PetscReal sum = 0;

    for (PetscInt i = 0; i < s->dim; i++) sum += PetscSqr(X[i] / s->axes[i]);
    return sqrt(sum) - 1;
  }
  if (s->kind == CR_SHAPE_CAPSULE) X[2] -= fmax(-s->half, fmin(s->half, X[2]));
  return v_length(X) - s->radius;
}

static void random_pose(PetscInt dim, PetscReal size, unsigned *seed, CrPose *p)
{
  PetscReal turn[3], q[4];

  for (int i = 0; i < 3; i++) {
    p->x[i] = i < dim ? size * random_number(seed) : 0;
    turn[i] = i >= dim || dim == 3 || i == 2 ? 3 * random_number(seed) : 0;
  }
  if (dim == 2) turn[0] = turn[1] = 0;
  CrQuaternionTurn(turn, q);
  CrQuaternionMatrix(q, p->R);
}

/* Least gap over the features of a pair. */
static PetscReal gap_of(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                        CrMeeting *best)
{
  CrFeature f[CR_MOST_FEATURES];
  PetscInt  n = CrShapesFeatures(a, pa, b, pb, 100, -100, f);

  CHECK(n > 0);
  best->gap = PETSC_MAX_REAL;
  for (PetscInt k = 0; k < n; k++) {
    CrMeeting m;

    CrShapesMeeting(a, pa, b, pb, &f[k], &m);
    if (m.gap < best->gap) *best = m;
  }
  return best->gap;
}

static void test_pair(int dim, const char *first, const char *second)
{
  unsigned seed = 11;
  Problem  p;

  CHECK_OK(problem_open(
      &p, HEAD "  - {name: a, rigid: {%s, mass: 1}}\n  - {name: b, rigid: {%s, mass: 1}}\n" TAIL,
      dim, first, second));
  for (int k = 0; k < 12; k++) {
    const CrShape *a = &p.model->rigid->shapes[0], *b = &p.model->rigid->shapes[1];
    PetscReal      known, gap;
    CrPose         pa, pb, moved;
    CrMeeting      m, swapped;

    do {
      random_pose(dim, 3, &seed, &pa);
      random_pose(dim, 3, &seed, &pb);
      known = search(a, &pa, b, &pb, &seed);
    } while (known < 0.05);
    gap = gap_of(a, &pa, b, &pb, &m);
    if (a->kind == CR_SHAPE_POLYTOPE &&
        b->kind == CR_SHAPE_POLYTOPE) { /* their axes only separate */
      CHECK(gap >
            0); /* an axis was found; of nearly equal ones the earlier is taken as the normal */
      CHECK_NEAR(separation(a, &pa, b, &pb, m.normal), gap, 1e-6 * (a->reach + b->reach));
      continue;
    }
    /* two points of the bodies are so far apart, and a direction separates the bodies by as much: that is the distance */
    CHECK_LESS(known - gap, 1e-12);
    CHECK_NEAR(separation(a, &pa, b, &pb, m.normal), gap, 1e-12);
    for (int side = 0; side < 2; side++) {
      PetscReal x[3];

      v_copy(m.point, x);
      v_add(x, (side ? -0.5 : 0.5) * gap, m.normal);
      CHECK_LESS(outside(side ? b : a, side ? &pb : &pa, x), 1e-12);
    }
    CHECK_NEAR(v_length(m.normal), 1, 1e-14);
    CHECK_NEAR(gap_of(b, &pb, a, &pa, &swapped), gap, 1e-12);
    for (int i = 0; i < dim; i++) CHECK_NEAR(swapped.normal[i], -m.normal[i], 1e-7);
    moved = pa; /* going back along the normal closes the gap: to just touching */
    v_add(moved.x, -gap, m.normal);
    CHECK_NEAR(gap_of(a, &moved, b, &pb, &swapped), 0, 1e-7);
    for (int i = 0; i < dim; i++) { /* the normal is the derivative */
      moved = pa;
      moved.x[i] += 1e-6;
      CHECK_NEAR((gap_of(a, &moved, b, &pb, &swapped) - gap) / 1e-6, m.normal[i], 2e-5);
    }
  }
  CHECK_OK(problem_close(&p));
}

/* Two bars on edge, one across the other: the edges that face each other meet, where they cross. */
static void test_crossed_bars(void)
{
  const PetscReal half = 0.1 * sqrt(2), along[2][3] = {{1, 0, 0}, {0, 1, 0}};
  CrFeature       f[CR_MOST_FEATURES];
  Problem         p;

  CHECK_OK(problem_open(&p,
                        HEAD "  - {name: a, rigid: {box: {size: [2, 0.2, 0.2]}, mass: 1}}\n"
                             "  - {name: b, rigid: {box: {size: [0.2, 1.6, 0.2]}, mass: 1}}\n" TAIL,
                        3));
  for (int k = 0; k < 8; k++) {
    PetscReal gap = k & 1 ? 1e-3 : -1e-3, up = k & 2 ? 1 : -1, turn[3], q[4];
    CrPose    pose[2];
    CrMeeting m;

    for (int b = 0; b < 2; b++) { /* an eighth of a turn, either way */
      for (int i = 0; i < 3; i++) turn[i] = (k & 4 ? 1 : -1) * PETSC_PI / 4 * along[b][i];
      CrQuaternionTurn(turn, q);
      CrQuaternionMatrix(q, pose[b].R);
    }
    for (int i = 0; i < 3; i++) pose[0].x[i] = pose[1].x[i] = 0;
    pose[0].x[0] = 0.3, pose[1].x[1] = -0.2, pose[1].x[2] = up * (2 * half + gap);
    CHECK(CrShapesFeatures(&p.model->rigid->shapes[0], &pose[0], &p.model->rigid->shapes[1],
                           &pose[1], 1e-2, 1e-2, f) == 1);
    CHECK(f[0].kind == CR_MEET_EDGES);
    CrShapesMeeting(&p.model->rigid->shapes[0], &pose[0], &p.model->rigid->shapes[1], &pose[1],
                    &f[0], &m);
    CHECK_NEAR(m.gap, gap, 1e-14);
    CHECK_NEAR(m.normal[2], -up, 1e-14);
    CHECK_NEAR(m.point[0], 0, 1e-14);
    CHECK_NEAR(m.point[1], 0, 1e-14);
    CHECK_NEAR(m.point[2], up * (half + gap / 2), 1e-14);
  }
  CHECK_OK(problem_close(&p));
}

/* Every two of n shapes. The last is the point, and two points do not meet. */
static void test_every_pair(int dim, int n, const char *const *shapes)
{
  for (int i = 0; i < n - 1; i++)
    for (int j = i; j < n; j++) test_pair(dim, shapes[i], shapes[j]);
}

static void test_pairs(void)
{
  const char *plane[] = {"disk: {radius: 0.7}", "ellipse: {semi_axes: [0.9, 0.3]}",
                         "polygon: {points: [[0, 0], [1.5, 0], [0.3, 1]]}", "point: {}"};
  const char *space[] = {
      "sphere: {radius: 0.6}",
      "ellipsoid: {semi_axes: [0.9, 0.5, 0.3]}",
      "box: {size: [1, 0.6, 1.4]}",
      "capsule: {radius: 0.3, length: 1.2}",
      "hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5], [1, 1, 1]]}",
      "point: {}"};

  test_every_pair(2, sizeof plane / sizeof plane[0], plane);
  test_every_pair(3, sizeof space / sizeof space[0], space);
}

/* Walls: the deepest point over the surface, by support points or, inside a sphere, by looking everywhere. */
static void test_walls(int dim, const char *shape)
{
  unsigned seed = 5;
  Problem  p;

  CHECK_OK(problem_open(&p, HEAD "  - {name: a, rigid: {%s, mass: 1}}\n" TAIL, dim, shape));
  for (int k = 0; k < 10; k++) {
    const CrShape *s = &p.model->rigid->shapes[0];
    CrWall         wall = {.radius = 4};
    CrPose         pose;
    CrFeature      f[CR_MOST_FEATURES];
    PetscReal      least, known = PETSC_MAX_REAL;

    random_pose(dim, 1, &seed, &pose);
    for (int kind = 0; kind < 2; kind++) {
      PetscInt n;

      wall.is_plane = kind != 0;
      for (int i = 0; i < dim; i++) wall.normal[i] = random_number(&seed);
      v_unit(wall.normal);
      n = CrWallFeatures(s, &pose, &wall, 100, f);
      least = known = PETSC_MAX_REAL;
      for (PetscInt j = 0; j < n; j++) {
        CrMeeting m;

        CrWallMeeting(s, &pose, &wall, &f[j], &m);
        least = fmin(least, m.gap);
      }
      for (int j = 0; j < 40000; j++) { /* points of the surface */
        PetscReal l[3] = {0}, X[3], x[3];

        for (int i = 0; i < dim; i++) l[i] = random_number(&seed);
        CrShapeSupport(s, l, X);
        m_times(pose.R, X, x);
        v_add(x, 1, pose.x);
        known = fmin(known, kind ? v_dot(x, wall.normal) : 4 - v_length(x));
      }
      CHECK_NEAR(least, known, 1e-2);
      CHECK_LESS(least - known, 1e-12);
    }
  }
  CHECK_OK(problem_close(&p));
}

/* A shape as a master: the distance of points outside and just inside. */
static void test_master(int dim, const char *shape)
{
  unsigned seed = 3;
  Problem  p;

  CHECK_OK(problem_open(&p, HEAD "  - {name: a, rigid: {%s, mass: 1}}\n" TAIL, dim, shape));
  for (int k = 0; k < 50; k++) {
    CrPose    pose;
    PetscReal x[3], y[3], l[3] = {0}, X[3];
    CrMeeting m;

    random_pose(dim, 1, &seed, &pose);
    for (int i = 0; i < dim; i++) l[i] = random_number(&seed);
    v_unit(l);
    CrShapeSupport(&p.model->rigid->shapes[0], l, X);
    m_times(pose.R, X,
            y); /* a surface point, and its outward direction (one of them, at a corner) */
    v_add(y, 1, pose.x);
    m_times(pose.R, l, l);
    v_copy(y, x);
    v_add(x, 0.1, l);
    CrShapeMeetPoint(&p.model->rigid->shapes[0], &pose, x, &m);
    CHECK_NEAR(m.gap, 0.1, 1e-12);
    for (int i = 0; i < dim; i++) CHECK_NEAR(m.normal[i], l[i], 1e-7);
    for (int i = 0; i < dim; i++) CHECK_NEAR(m.point[i], y[i], 1e-7);
  }
  CHECK_OK(problem_close(&p));
}

/* Pictures: closed surfaces, outward, with (nearly) the body's volume. */
static void test_picture(int dim, const char *shape, PetscReal loss)
{
  PetscReal      volume = 0;
  PetscInt       start = 0;
  CrShapeSurface s;
  Problem        p;

  CHECK_OK(problem_open(&p, HEAD "  - {name: a, rigid: {%s, mass: 1}}\n" TAIL, dim, shape));
  CHECK_OK(CrShapeSurfaceCreate(&p.model->rigid->shapes[0], 32, &s));
  for (PetscInt f = 0; f < s.nfaces; start = s.ends[f++])
    for (PetscInt k = start + 1; k + 1 < s.ends[f]; k++) {
      PetscReal  c[3], *a = s.points + 3 * s.nodes[start], *b = s.points + 3 * s.nodes[k];
      PetscReal *d = s.points + 3 * s.nodes[k + 1], u[3], w[3];

      v_less(b, a, u);
      v_less(d, a, w);
      v_cross(u, w, c);
      volume += dim == 2 ? c[2] / 2 : v_dot(c, a) / 6;
    }
  CHECK_LESS(volume / p.model->rigid->shapes[0].volume, 1 + 1e-12);
  CHECK_LESS(1 - volume / p.model->rigid->shapes[0].volume, loss);
  CHECK_OK(CrShapeSurfaceDestroy(&s));
  CHECK_OK(problem_close(&p));
}

/* ---- the deck -------------------------------------------------------------------------------------- */

static void test_repeat(void)
{
  Problem     p, q;
  char        name[96];
  const char *deck =
      HEAD "  - {name: a, rigid: {disk: {radius: 1}, mass: 1}, position: [1, 2], repeat: "
           "{counts: [3, 2], spacing: [10, 20], jitter: 0.1, seed: %d}}\n" TAIL;

  CHECK_OK(problem_open(&p, deck, 2, 1));
  CHECK(p.model->rigid->n == 6);
  for (PetscInt k = 0; k < 6; k++) {
    CHECK_NEAR(p.state->rigid->x[3 * k], 1 + 10 * (k % 3), 0.1);
    CHECK_NEAR(p.state->rigid->x[3 * k + 1], 2 + 20 * (k / 3), 0.1);
  }
  CrRigidName(p.model->rigid, 4, name);
  CHECK_TEXT(name, "a.4");
  CHECK_OK(problem_open(&q, deck, 2, 2));
  CHECK(p.state->rigid->x[0] != q.state->rigid->x[0]);
  CHECK_OK(problem_close(&q));
  CHECK_OK(problem_open(&q, deck, 2, 1));
  CHECK(p.state->rigid->x[9] == q.state->rigid->x[9]);
  CHECK_OK(problem_close(&q));
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  CrLogSetQuiet(PETSC_TRUE);
  test_masses();
  for (int digits = 2; digits < 16; digits++) test_rounded_hull(digits);
  test_principal_axes();
  test_rotation_order();
  test_rotation_invariants();
  test_rotation_work();
  test_pairs();
  test_crossed_bars();
  test_walls(2, "disk: {radius: 0.7}");
  test_walls(2, "ellipse: {semi_axes: [0.9, 0.3]}");
  test_walls(2, "polygon: {points: [[0, 0], [1.5, 0], [0.3, 1]]}");
  test_walls(3, "ellipsoid: {semi_axes: [0.9, 0.5, 0.3]}");
  test_walls(3, "capsule: {radius: 0.3, length: 1.2}");
  test_walls(3, "box: {size: [1, 0.6, 1.4]}");
  test_master(2, "ellipse: {semi_axes: [0.9, 0.3]}");
  test_master(2, "polygon: {points: [[0, 0], [1.5, 0], [0.3, 1]]}");
  test_master(3, "ellipsoid: {semi_axes: [0.9, 0.5, 0.3]}");
  test_master(3, "capsule: {radius: 0.3, length: 1.2}");
  test_master(3, "box: {size: [1, 0.6, 1.4]}");
  test_picture(2, "ellipse: {semi_axes: [0.9, 0.3]}", 0.01);
  test_picture(2, "polygon: {points: [[0, 0], [1.5, 0], [0.3, 1]]}", 1e-12);
  test_picture(3, "ellipsoid: {semi_axes: [0.9, 0.5, 0.3]}", 0.02);
  test_picture(3, "capsule: {radius: 0.3, length: 1.2}", 0.02);
  test_picture(3, "hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5], [1, 1, 1]]}",
               1e-12);
  test_repeat();
  return check_end();
}
