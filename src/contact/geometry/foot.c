/* Closest points on segments, triangles and bilinear quads. */
#include "contact/geometry/foot.h"
#include "base/vector.h"
#include "contact/geometry/kinematics.h"

static void set_weights(CrFoot *foot)
{
  const PetscReal a = foot->xi[0], b = foot->xi[1];

  if (foot->n == 2) {
    foot->N[0] = 1 - a;
    foot->N[1] = a;
  } else if (foot->n == 3) {
    foot->N[0] = 1 - a - b;
    foot->N[1] = a;
    foot->N[2] = b;
  } else {
    foot->N[0] = (1 - a) * (1 - b) / 4;
    foot->N[1] = (1 + a) * (1 - b) / 4;
    foot->N[2] = (1 + a) * (1 + b) / 4;
    foot->N[3] = (1 - a) * (1 + b) / 4;
  }
}

/* The edge beyond which the closest point lies farthest. */
static void set_excess(CrFoot *foot)
{
  const PetscReal  a = foot->xi[0], b = foot->xi[1];
  const PetscReal  segment[] = {-a, a - 1}, triangle[] = {-b, a + b - 1, -a};
  const PetscReal  quad[] = {(-b - 1) / 2, (a - 1) / 2, (b - 1) / 2, (-a - 1) / 2};
  const PetscReal *beyond = foot->n == 2 ? segment : foot->n == 3 ? triangle : quad;

  foot->excess = 0;
  foot->edge = -1;
  for (int k = 0; k < foot->n; k++)
    if (beyond[k] > foot->excess) {
      foot->excess = beyond[k];
      foot->edge = k;
    }
}

static PetscBool segment(const PetscReal *x, CrFoot *foot)
{
  const PetscReal tau[2] = {x[4] - x[2], x[5] - x[3]}, y[2] = {x[0] - x[2], x[1] - x[3]};
  const PetscReal l2 = tau[0] * tau[0] + tau[1] * tau[1], l = PetscSqrtReal(l2);

  if (!(l > 0)) return PETSC_FALSE;
  foot->nu[0] = tau[1] / l;
  foot->nu[1] = -tau[0] / l;
  foot->nu[2] = 0;
  foot->xi[0] = (y[0] * tau[0] + y[1] * tau[1]) / l2;
  foot->xi[1] = 0;
  foot->gap = y[0] * foot->nu[0] + y[1] * foot->nu[1];
  return PETSC_TRUE;
}

static PetscBool normal(PetscReal tau[2][3], PetscReal nu[3])
{
  PetscReal n2;

  v_cross(tau[0], tau[1], nu);
  n2 = v_dot(nu, nu);
  if (!(n2 > 1e-20 * v_dot(tau[0], tau[0]) * v_dot(tau[1], tau[1]))) return PETSC_FALSE;
  n2 = 1 / PetscSqrtReal(n2);
  for (int i = 0; i < 3; i++) nu[i] *= n2;
  return PETSC_TRUE;
}

static PetscBool triangle(const PetscReal *x, CrFoot *foot)
{
  PetscReal tau[2][3], y[3], n[3], c[3], n2;

  for (int i = 0; i < 3; i++) {
    tau[0][i] = x[6 + i] - x[3 + i];
    tau[1][i] = x[9 + i] - x[3 + i];
    y[i] = x[i] - x[3 + i];
  }
  if (!normal(tau, foot->nu)) return PETSC_FALSE;
  v_cross(tau[0], tau[1], n);
  n2 = v_dot(n, n);
  v_cross(y, tau[1], c);
  foot->xi[0] = v_dot(c, n) / n2;
  v_cross(tau[0], y, c);
  foot->xi[1] = v_dot(c, n) / n2;
  foot->gap = v_dot(y, foot->nu);
  return PETSC_TRUE;
}

#define NEWTONS 5

/* Newton from the guess foot->xi. It accepts the result if the step is so small that the next one would be
   round-off. Other cases go to the safe projection of kinematics.c. */
static PetscBool quad(const PetscReal *x, CrFoot *foot)
{
  PetscReal tau[2][3], y[3], a[2][3], twist[3], r[3], *xi = foot->xi, moved = 1;

  for (int i = 0; i < 3; i++) { /* x_M = centre + xi1 a1 + xi2 a2 + xi1 xi2 twist */
    PetscReal d2 = x[6 + i] - x[3 + i], d3 = x[9 + i] - x[3 + i], d4 = x[12 + i] - x[3 + i];

    y[i] = x[i] - x[3 + i] - (d2 + d3 + d4) / 4;
    a[0][i] = (d2 + d3 - d4) / 4;
    a[1][i] = (d3 + d4 - d2) / 4;
    twist[i] = (d3 - d2 - d4) / 4;
  }
  for (int k = 0; k < NEWTONS; k++) {
    PetscReal m11, m22, m12, b1, b2, step[2], det;

    for (int i = 0; i < 3; i++) {
      tau[0][i] = a[0][i] + xi[1] * twist[i];
      tau[1][i] = a[1][i] + xi[0] * twist[i];
      r[i] = y[i] - xi[0] * a[0][i] - xi[1] * tau[1][i];
    }
    if (moved < 1e-8) {
      if (!normal(tau, foot->nu)) return PETSC_FALSE;
      foot->gap = v_dot(r, foot->nu);
      return PETSC_TRUE;
    }
    m11 = v_dot(tau[0], tau[0]);
    m22 = v_dot(tau[1], tau[1]);
    m12 = v_dot(tau[0], tau[1]) - v_dot(r, twist);
    b1 = v_dot(tau[0], r);
    b2 = v_dot(tau[1], r);
    det = m11 * m22 - m12 * m12;
    step[0] = (m22 * b1 - m12 * b2) / det;
    step[1] = (m11 * b2 - m12 * b1) / det;
    moved = PetscMax(PetscAbsReal(step[0]), PetscAbsReal(step[1]));
    if (!(det > 0.01 * m11 * m22) || !(moved < 2)) break;
    xi[0] += step[0];
    xi[1] += step[1];
  }
  if (!CrQuadProject(x, xi, tau, twist, r) || !normal(tau, foot->nu)) return PETSC_FALSE;
  foot->gap = v_dot(r, foot->nu);
  return PETSC_TRUE;
}

PetscBool CrFootNear(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot)
{
  foot->n = n;
  if (!(dim == 2 ? segment(x, foot) : n == 3 ? triangle(x, foot) : quad(x, foot)))
    return PETSC_FALSE;
  set_weights(foot);
  set_excess(foot);
  return PETSC_TRUE;
}

PetscBool CrFootFind(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot)
{
  foot->xi[0] = foot->xi[1] = 0;
  return CrFootNear(dim, n, x, foot);
}

static inline PetscReal between(PetscReal least, PetscReal x, PetscReal most)
{
  return PetscMax(least, PetscMin(x, most));
}

void CrFootClip(PetscInt dim, const PetscReal *x, CrFoot *foot)
{
  PetscReal *xi = foot->xi;

  if (foot->n == 4)
    for (int k = 0; k < 2; k++) xi[k] = between(-1, xi[k], 1);
  else {
    PetscReal sum;

    for (PetscInt k = 0; k < dim - 1; k++) xi[k] = between(0, xi[k], 1);
    sum = xi[0] + xi[1];
    for (PetscInt k = 0; sum > 1 && k < dim - 1; k++) xi[k] /= sum;
  }
  set_weights(foot);
  foot->gap = CrFootGap(dim, x, foot);
}

PetscReal CrFootGap(PetscInt dim, const PetscReal *x, const CrFoot *foot)
{
  PetscReal gap = 0;

  for (PetscInt i = 0; i < dim; i++) {
    PetscReal d = 0;

    /* differences first: coordinates far from the origin cost no digits */
    for (PetscInt a = 0; a < foot->n; a++) d += foot->N[a] * (x[i] - x[dim * (a + 1) + i]);
    gap += foot->nu[i] * d;
  }
  return gap;
}
