/* Corners, edges and faces of polytopes as features of contact: angles and sizes against closed formulas, cones of
   normals against the support function, which finds the farthest corner along a direction. */
#include "base/vector.h"
#include "model_from_text.h"
#include "rigid/corners.h"
#include "rigid/rigid.h"
#include "rigid/rotation.h"

#define HEAD "carom: 1\ndimension: %d\nbodies:\n"
#define TAIL "time: {method: efda, step: 1, end: 1}\n"
#define GEM                                                                                        \
  "hull: {points: [[0, 0, -4], [4, 0, 0], [-4, 0, 0], [0, 4, 0], [0, -4, 0], [3, 3, 3], [-3, 3, "  \
  "3], [3, -3, 3], [-3, -3, 3]]}"
#define HOUSE "polygon: {points: [[0, 0], [3, 0], [3, 2], [1.5, 2.4], [0, 2]]}"

static PetscErrorCode open_shape(Problem *p, int dim, const char *shape)
{
  return problem_open(p, HEAD "  - {name: b, rigid: {%s, density: 2}}\n" TAIL, dim, shape);
}

static PetscReal noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return 2 * (PetscReal)(*seed >> 8) / (1u << 24) - 1;
}

static void random_unit(int dim, unsigned *seed, PetscReal n[3])
{
  do
    for (int i = 0; i < 3; i++) n[i] = i < dim ? noise(seed) : 0;
  while (v_length(n) > 1 || v_length(n) < 0.1);
  v_unit(n);
}

static void random_turn(int dim, unsigned *seed, PetscReal R[9])
{
  PetscReal q[4], size = 0;

  for (int i = 0; i < 4; i++) q[i] = dim == 2 && (i == 1 || i == 2) ? 0 : noise(seed);
  for (int i = 0; i < 4; i++) size += q[i] * q[i];
  for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
  CrQuaternionMatrix(q, R);
}

/* ---- angles and sizes ------------------------------------------------------------------------- */

static void test_box(void)
{
  Problem        p;
  const CrShape *s;
  PetscReal      sum = 0, most = 0;

  CHECK_OK(open_shape(&p, 3, "box: {size: [1, 2, 3]}"));
  s = &p.model->rigid->shapes[0];
  CHECK(s->nedges == 12);
  for (PetscInt e = 0; e < s->nedges; e++) {
    CHECK_NEAR(CrEdgeTurn(s, e), PETSC_PI / 2, 1e-12);
    sum += CrEdgeLength(s, e);
    most = PetscMax(most, CrEdgeArea(s, e));
  }
  CHECK_NEAR(sum, 4 * (1 + 2 + 3), 1e-12);
  CHECK_NEAR(most, (6 + 3) / 3., 1e-12); /* between the faces 2 x 3 and 1 x 3 */
  for (PetscInt i = 0; i < 8; i++) {
    CHECK_NEAR(CrCornerTurn(s, i), PETSC_PI / 2, 1e-12);
    CHECK_NEAR(CrCornerSize(s, i), (sqrt(2) + sqrt(3) + sqrt(6)) / 3, 1e-12);
  }
  for (PetscInt f = 0; f < 6; f++) CHECK(CrFaceSlack(s, f) == 0);
  CHECK(CrShapeIsSharp(s, 1.5) && !CrShapeIsSharp(s, 1.6));
  CHECK_OK(problem_close(&p));
}

/* A regular polygon of 12 sides turns by 30 degrees at each corner: it stands for a circle. */
static void test_polygon(void)
{
  char           text[1024] = "polygon: {points: [";
  Problem        p;
  const CrShape *s;

  for (int k = 0; k < 12; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "[%.17g, %.17g]%s",
             cos(k * PETSC_PI / 6), sin(k * PETSC_PI / 6), k < 11 ? ", " : "]}");
  CHECK_OK(open_shape(&p, 2, text));
  s = &p.model->rigid->shapes[0];
  for (PetscInt f = 0; f < 12; f++) {
    CHECK_NEAR(CrFaceSlack(s, f), PETSC_PI / 12, 1e-9);
    CHECK_NEAR(CrFaceSize(s, f), 2 * sin(PETSC_PI / 12), 1e-9);
    CHECK_NEAR(CrCornerTurn(s, f), PETSC_PI / 6, 1e-9);
    CHECK_NEAR(CrCornerSize(s, f), 2 * sin(PETSC_PI / 12), 1e-9);
  }
  CHECK(CrShapeIsSharp(s, 0.5) && !CrShapeIsSharp(s, 0.53));
  CHECK_OK(problem_close(&p));
}

static void test_round(void)
{
  Problem p;

  CHECK_OK(open_shape(&p, 3, "capsule: {radius: 1, length: 2}"));
  CHECK(!CrShapeIsSharp(&p.model->rigid->shapes[0], 0));
  CHECK_OK(problem_close(&p));
}

/* ---- cones ------------------------------------------------------------------------------------ */

/* Without a tolerance, a corner admits nu just if it is the farthest one along -nu. */
static void test_corner_cones(int dim, const char *shape)
{
  unsigned       seed = 7;
  Problem        p;
  const CrShape *s;

  CHECK_OK(open_shape(&p, dim, shape));
  s = &p.model->rigid->shapes[0];
  for (int k = 0; k < 300; k++) {
    PetscReal R[9], nu[3], l[3], far[3], x[3];

    random_turn(dim, &seed, R);
    random_unit(dim, &seed, nu);
    m_back(R, nu, l);
    for (int i = 0; i < 3; i++) l[i] = -l[i];
    CrShapeSupport(s, l, far);
    for (PetscInt i = 0; i < s->nvertices; i++) {
      v_less(s->vertices + 3 * i, far, x);
      CHECK(CrCornerIsAdmitted(s, i, R, nu, 0) == (v_length(x) < 1e-9));
    }
  }
  CHECK_OK(problem_close(&p));
}

/* The cone of a square's corner is a right angle; the tolerance widens it on both sides. Into a flat corner no way
   leads, whatever the tolerance. */
static void test_tolerance(void)
{
  const PetscReal one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, tol = 15 * PETSC_PI / 180;
  Problem         p;
  const CrShape  *s;

  CHECK_OK(open_shape(&p, 2, "box: {size: [2, 2]}"));
  s = &p.model->rigid->shapes[0];
  for (PetscInt i = 0; i < 4; i++)
    for (int k = 0; k < 72; k++) { /* off by k 5 + 2 degrees from the diagonal outward */
      PetscReal off = (5 * k + 2) * PETSC_PI / 180, nu[3] = {0, 0, 0};

      nu[0] = -(cos(off) * s->vertices[3 * i] - sin(off) * s->vertices[3 * i + 1]) / sqrt(2);
      nu[1] = -(sin(off) * s->vertices[3 * i] + cos(off) * s->vertices[3 * i + 1]) / sqrt(2);
      if (off > PETSC_PI) off = 2 * PETSC_PI - off;
      CHECK(CrCornerIsAdmitted(s, i, one, nu, tol) == (off < PETSC_PI / 4 + tol));
    }
  CHECK_OK(problem_close(&p));
  CHECK_OK(open_shape(&p, 2, "polygon: {points: [[-1, 0], [1, 0], [1, 1], [0, 1.01], [-1, 1]]}"));
  s = &p.model->rigid->shapes[0];
  for (PetscInt i = 0; i < 5; i++)
    if (CrCornerTurn(s, i) < 0.1) {
      CHECK(CrCornerIsAdmitted(s, i, one, (PetscReal[3]){0, -1, 0}, tol));
      CHECK(!CrCornerIsAdmitted(s, i, one, (PetscReal[3]){0, 1, 0}, tol));
    }
  CHECK_OK(problem_close(&p));
}

/* A direction across an edge is one of its normals just if both ends are farthest along it. */
static void test_edge_cones(const char *shape)
{
  unsigned       seed = 3;
  Problem        p;
  const CrShape *s;
  int            normals = 0;

  CHECK_OK(open_shape(&p, 3, shape));
  s = &p.model->rigid->shapes[0];
  for (PetscInt e = 0; e < s->nedges; e++)
    for (int k = 0; k < 40; k++) {
      PetscReal R[9], l[3], n[3], along[3], in[2][3], far[3];
      PetscBool is_normal, is_far;

      random_turn(3, &seed, R);
      random_unit(3, &seed, l);
      v_less(s->vertices + 3 * s->edges[2 * e], s->vertices + 3 * s->edges[2 * e + 1], along);
      v_unit(along);
      v_add(l, -v_dot(l, along), along);
      v_unit(l);
      m_times(R, l, n);
      CrEdgeWaysIn(s, e, R, in);
      is_normal = v_dot(n, in[0]) <= 0 && v_dot(n, in[1]) <= 0;
      is_far = v_dot(l, s->vertices + 3 * s->edges[2 * e]) > CrShapeSupport(s, l, far) - 1e-9;
      CHECK(is_normal == is_far);
      for (int j = 0; j < 2; j++) CHECK_NEAR(v_length(in[j]), 1, 1e-12);
      normals += is_normal;
    }
  CHECK(normals > s->nedges);
  CHECK_OK(problem_close(&p));
}

/* Lines through a cube: parallel to an edge; across an edge, where the smaller way out counts; past it; half way in. */
static void test_line(void)
{
  Problem        p;
  const CrShape *s;
  PetscReal      at[3];

  CHECK_OK(open_shape(&p, 3, "box: {size: [2, 2, 2]}"));
  s = &p.model->rigid->shapes[0];
  CHECK_NEAR(CrLineDepth(s, (PetscReal[3]){-3, 0.2, 0.1}, (PetscReal[3]){4, 0.2, 0.1}, at), 2,
             1e-12);
  CHECK_NEAR(at[0], 0, 1e-12);
  /* enters through x = 1 at y = 0.9, leaves through y = 1 at x = 0.8 */
  CHECK_NEAR(CrLineDepth(s, (PetscReal[3]){1.2, 0.8, 0}, (PetscReal[3]){0.4, 1.2, 0}, at), 0.1,
             1e-12);
  CHECK_NEAR(at[1], 0.95, 1e-12);
  CHECK(CrLineDepth(s, (PetscReal[3]){1.2, 0.9, 0}, (PetscReal[3]){0.8, 1.3, 0}, at) == 0);
  CHECK(CrLineDepth(s, (PetscReal[3]){0, 0, 0}, (PetscReal[3]){0, 0, 3}, at) == 0);
  CHECK(CrLineDepth(s, (PetscReal[3]){3, 0, 0}, (PetscReal[3]){2, 0, 0}, at) == 0);
  CHECK_OK(problem_close(&p));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_box();
  test_polygon();
  test_round();
  test_corner_cones(2, "box: {size: [3, 2]}");
  test_corner_cones(2, HOUSE);
  test_corner_cones(3, "box: {size: [1, 2, 3]}");
  test_corner_cones(3, GEM);
  test_tolerance();
  test_line();
  test_edge_cones("box: {size: [1, 2, 3]}");
  test_edge_cones(GEM);
  return check_end();
}
