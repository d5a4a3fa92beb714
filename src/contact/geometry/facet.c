/* Projects points on segments, triangles and bilinear quads. */
#include "contact/geometry/facet.h"
#include "base/vector.h"

const PetscReal CrTriangleCorners[3][2] = {{0, 0}, {1, 0}, {0, 1}};
const PetscReal CrQuadCorners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

void CrFacetShape(PetscInt n, const PetscReal xi[2], PetscReal N[4])
{
  const PetscReal a = xi[0], b = xi[1];

  if (n == 2) {
    N[0] = 1 - a;
    N[1] = a;
  } else if (n == 3) {
    N[0] = 1 - a - b;
    N[1] = a;
    N[2] = b;
  } else {
    N[0] = (1 - a) * (1 - b) / 4;
    N[1] = (1 + a) * (1 - b) / 4;
    N[2] = (1 + a) * (1 + b) / 4;
    N[3] = (1 - a) * (1 + b) / 4;
  }
}

static PetscBool segment(const PetscReal *x, CrProjection *p)
{
  PetscReal *tau = p->tau[0], *y = p->way;

  for (int i = 0; i < 2; i++) {
    tau[i] = x[4 + i] - x[2 + i];
    y[i] = x[i] - x[2 + i];
  }
  tau[2] = y[2] = 0;
  p->n[0] = tau[1];
  p->n[1] = -tau[0];
  p->n[2] = 0;
  p->n2 = tau[0] * tau[0] + tau[1] * tau[1];
  p->xi[1] = 0;
  if (!(p->n2 > 0)) return PETSC_FALSE;
  p->xi[0] = (y[0] * tau[0] + y[1] * tau[1]) / p->n2;
  return PETSC_TRUE;
}

/* False where the tangents are parallel. */
static PetscBool set_normal(CrProjection *p)
{
  v_cross(p->tau[0], p->tau[1], p->n);
  p->n2 = v_dot(p->n, p->n);
  return p->n2 > 1e-20 * v_dot(p->tau[0], p->tau[0]) * v_dot(p->tau[1], p->tau[1]);
}

/* Coordinates of the foot on the plane of the tangents. */
static PetscBool plane(CrProjection *p)
{
  PetscReal c[3];

  if (!set_normal(p)) return PETSC_FALSE;
  v_cross(p->way, p->tau[1], c);
  p->xi[0] = v_dot(c, p->n) / p->n2;
  v_cross(p->tau[0], p->way, c);
  p->xi[1] = v_dot(c, p->n) / p->n2;
  return PETSC_TRUE;
}

static PetscBool triangle(const PetscReal *x, CrProjection *p)
{
  v_less(x + 6, x + 3, p->tau[0]);
  v_less(x + 9, x + 3, p->tau[1]);
  v_less(x, x + 3, p->way);
  return plane(p);
}

PetscBool CrProjectEdges(const PetscReal x[12], CrProjection *p)
{
  v_less(x, x + 3, p->tau[0]);
  v_less(x + 9, x + 6, p->tau[1]);
  v_less(x, x + 6, p->way);
  return plane(p);
}

/* ---- quads -------------------------------------------------------------------------------------- */

/* x_M = centre + xi1 a1 + xi2 a2 + xi1 xi2 twist, y from the centre to the point: the differences are taken once,
   so that a facet far from the origin does not disturb the iteration. */
static inline void quad_form(const PetscReal *x, PetscReal y[3], PetscReal a[2][3],
                             PetscReal twist[3])
{
  for (int i = 0; i < 3; i++) {
    PetscReal d2 = x[6 + i] - x[3 + i], d3 = x[9 + i] - x[3 + i], d4 = x[12 + i] - x[3 + i];

    y[i] = x[i] - x[3 + i] - (d2 + d3 + d4) / 4;
    a[0][i] = (d2 + d3 - d4) / 4;
    a[1][i] = (d3 + d4 - d2) / 4;
    twist[i] = (d3 - d2 - d4) / 4;
  }
}

static inline void quad_at_xi(const PetscReal y[3], PetscReal a[2][3], CrProjection *p)
{
  for (int i = 0; i < 3; i++) {
    p->tau[0][i] = a[0][i] + p->xi[1] * p->twist[i];
    p->tau[1][i] = a[1][i] + p->xi[0] * p->twist[i];
    p->way[i] = y[i] - p->xi[0] * a[0][i] - p->xi[1] * p->tau[1][i];
  }
}

/* The Newton step of tau_b . way = 0. False: the determinant is so small, against m11 m22 or, careful, against the one
   without the second-order term, that the distance has no clear minimum. Then a careful step leaves that term out. */
static inline PetscBool quad_newton(const CrProjection *p, PetscBool careful, PetscReal step[2])
{
  const PetscReal m11 = v_dot(p->tau[0], p->tau[0]), m22 = v_dot(p->tau[1], p->tau[1]);
  const PetscReal m12 = v_dot(p->tau[0], p->tau[1]), flat = m11 * m22 - m12 * m12;
  const PetscReal b1 = v_dot(p->tau[0], p->way), b2 = v_dot(p->tau[1], p->way);
  PetscReal       A12 = m12 - v_dot(p->way, p->twist), det = m11 * m22 - A12 * A12;
  const PetscBool clear = careful ? det > 1e-3 * flat : det > 0.01 * m11 * m22;

  if (careful && !clear) {
    A12 = m12;
    det = flat;
  }
  step[0] = (m22 * b1 - A12 * b2) / det;
  step[1] = (m11 * b2 - A12 * b1) / det;
  return clear;
}

/* A step no longer than 0.7 and inside [-3,3]^2. Returns how far xi moved. */
static PetscReal careful_step(CrProjection *p, PetscBool *doubtful)
{
  PetscReal step[2], moved = 0, cut;

  *doubtful = !quad_newton(p, PETSC_TRUE, step);
  cut = 0.7 / PetscMax(0.7, PetscMax(PetscAbsReal(step[0]), PetscAbsReal(step[1])));
  for (int b = 0; b < 2; b++) {
    PetscReal to = PetscMin(3, PetscMax(-3, p->xi[b] + cut * step[b]));

    moved = PetscMax(moved, PetscAbsReal(to - p->xi[b]));
    p->xi[b] = to;
  }
  return moved;
}

/* Projects a point on a quad by Newton's method, until the step is rounding, or small and no longer decreasing. Accepts
   only a minimum of the distance. Its normal must make an acute angle with that at the centre. */
static PetscBool quad(const PetscReal *x, CrProjection *p)
{
  PetscReal y[3], a[2][3], n0[3], moved = 1, last = 1;
  PetscBool doubtful = PETSC_FALSE, done = PETSC_FALSE;

  quad_form(x, y, a, p->twist);
  v_cross(a[0], a[1], n0);
  if (!(v_dot(n0, n0) > 1e-20 * v_dot(a[0], a[0]) * v_dot(a[1], a[1]))) return PETSC_FALSE;
  p->xi[0] = p->xi[1] = 0;
  for (int it = 0; it < 50; it++) {
    quad_at_xi(y, a, p);
    if (done) break;
    moved = careful_step(p, &doubtful);
    if (!(moved <= 6)) return PETSC_FALSE; /* not a number: the tangents have become parallel */
    done = moved < 2e-16 || (moved < 1e-9 && moved > last / 4);
    last = moved;
  }
  if (!done || doubtful || PetscAbsReal(p->xi[0]) >= 3 || PetscAbsReal(p->xi[1]) >= 3)
    return PETSC_FALSE;
  return set_normal(p) && v_dot(p->n, n0) > 0;
}

#define NEWTONS 5

/* Projects a point on a quad, starting from p->xi. After a step below 1e-8, the next step would be rounding. If the
   iteration fails, `quad` projects the point. */
static PetscBool quad_near(const PetscReal *x, CrProjection *p)
{
  PetscReal y[3], a[2][3], moved = 1;

  quad_form(x, y, a, p->twist);
  for (int k = 0; k < NEWTONS; k++) {
    PetscReal step[2];

    quad_at_xi(y, a, p);
    if (moved < 1e-8) return set_normal(p);
    if (!quad_newton(p, PETSC_FALSE, step)) break;
    moved = PetscMax(PetscAbsReal(step[0]), PetscAbsReal(step[1]));
    if (!(moved < 2)) break;
    p->xi[0] += step[0];
    p->xi[1] += step[1];
  }
  return quad(x, p);
}

PetscBool CrProjectCentre(const PetscReal x[15], CrProjection *p)
{
  quad_form(x, p->way, p->tau, p->twist);
  return plane(p);
}

PetscBool CrProject(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p)
{
  return dim == 2 ? segment(x, p) : n == 3 ? triangle(x, p) : quad(x, p);
}

PetscBool CrProjectNear(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p)
{
  return dim == 2 ? segment(x, p) : n == 3 ? triangle(x, p) : quad_near(x, p);
}
