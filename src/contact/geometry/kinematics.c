/* Projects a point on a master, and computes the operators G and H of gap and slip. gradient.c has the derivatives of
   the operators.

   P_A are the coefficients of the nodes in x_S - x_M(xi), P_b,A and P_12,A their derivatives with respect to xi
   (coefficients.h). With nu, e_i, g and c_i^b = e_i . tau^b,

     G_A = P_A nu,   H_i,A = P_A e_i - g c_i^b P_b,A nu,   Xi^a_A = A^ab (P_A tau_b - g P_b,A nu).

   H_i is the tangential velocity of the slave relative to the master point that is carried along the normal to the
   slave's height g. G and H are zero for rigid motions, because x_S - x_M is parallel to nu. Therefore xi is never
   restricted to the facet, and the projection on a quad is computed to round-off. */
#include "contact/geometry/kinematics.h"
#include "base/vector.h"
#include "contact/geometry/coefficients.h"
#include "contact/geometry/facet.h"

void CrSegmentOperators(const PetscReal n[3], CrKinematics *k)
{
  const PetscReal *P1 = CrConstantCoefficients[CR_FORM_SEGMENT].Pb[0];

  for (int A = 0; A < 3; A++) {
    const PetscReal P = A ? -k->shape[A - 1] : 1;

    for (int i = 0; i < 2; i++) {
      k->G[2 * A + i] = P * k->nu[i];
      k->H[0][2 * A + i] = P * k->e[0][i] - k->gap / k->length * P1[A] * n[i];
    }
  }
}

/* Segment, point to a line in the plane. */
static void segment(const CrProjection *p, CrKinematics *k)
{
  const PetscReal l = PetscSqrtReal(p->n2);

  for (int i = 0; i < 3; i++) {
    k->e[0][i] = p->tau[0][i] / l;
    k->nu[i] = p->n[i] / l;
  }
  k->length = l;
  k->gap = v_dot(p->way, k->nu);
  k->xi[0] = v_dot(p->way, k->e[0]) / l;
  k->xi[1] = 0;
  CrFacetShape(2, k->xi, k->shape);
  CrSegmentOperators(k->nu, k);
}

void CrFacetTangents(PetscInt nmaster, const PetscReal *x, const PetscReal xi[2],
                     PetscReal tau[2][3], PetscReal dN[2][4])
{
  CrCoefficients co;

  CrCoefficientsAt(CrFormOfFacet(nmaster), xi, &co);
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 3; i++) {
      tau[b][i] = 0;
      for (int a = 0; a < nmaster; a++) {
        dN[b][a] = -co.Pb[b][a + 1];
        tau[b][i] += dN[b][a] * x[3 * (a + 1) + i];
      }
    }
}

PetscBool CrTangents(CrKinematics *k)
{
  if (k->dim == 2) {
    k->e[0][0] = -k->nu[1]; /* as on a segment: nu = (e_y, -e_x) */
    k->e[0][1] = k->nu[0];
    k->e[0][2] = 0;
    return PETSC_TRUE;
  }
  v_copy(k->frame, k->e[0]);
  v_add(k->e[0], -v_dot(k->frame, k->nu), k->nu);
  k->length = v_unit(k->e[0]);
  v_cross(k->nu, k->e[0], k->e[1]);
  return k->length > 1e-8 * v_length(k->frame);
}

void CrDualTangents(PetscReal tau[2][3], const PetscReal n[3], PetscReal n2, CrKinematics *k)
{
  v_cross(tau[1], n, k->dual[0]);
  v_cross(n, tau[0], k->dual[1]);
  for (int i = 0; i < 3; i++) {
    k->dual[0][i] /= n2;
    k->dual[1][i] /= n2;
  }
}

/* A^ab, the inverse of m_ab - g nu . x_M,ab. */
static void inverse_A(const CrKinematics *k, PetscReal tau[2][3], PetscReal Ai[2][2])
{
  const PetscReal m11 = v_dot(tau[0], tau[0]), m22 = v_dot(tau[1], tau[1]);
  const PetscReal A12 = v_dot(tau[0], tau[1]) - k->gap * v_dot(k->nu, k->twist);
  const PetscReal det = m11 * m22 - A12 * A12;

  Ai[0][0] = m22 / det;
  Ai[1][1] = m11 / det;
  Ai[0][1] = Ai[1][0] = -A12 / det;
}

static void facet_operators(const CrCoefficients *co, PetscReal tau[2][3], CrKinematics *k)
{
  const PetscReal g = k->gap;
  PetscReal       Ai[2][2], up[2][3], c[2][2];

  inverse_A(k, tau, Ai);
  for (int a = 0; a < 2; a++)
    for (int i = 0; i < 3; i++) up[a][i] = Ai[a][0] * tau[0][i] + Ai[a][1] * tau[1][i];
  for (int i = 0; i < 2; i++)
    for (int b = 0; b < 2; b++) c[i][b] = v_dot(k->e[i], k->dual[b]);
  for (int A = 0; A <= k->nmaster; A++) {
    const PetscReal P = co->P[A], P1 = co->Pb[0][A], P2 = co->Pb[1][A];

    for (int j = 0; j < 3; j++) k->G[3 * A + j] = P * k->nu[j];
    for (int i = 0; i < 2; i++) {
      const PetscReal s = g * (c[i][0] * P1 + c[i][1] * P2);
      const PetscReal z = g * (Ai[i][0] * P1 + Ai[i][1] * P2);

      for (int j = 0; j < 3; j++) {
        k->H[i][3 * A + j] = P * k->e[i][j] - s * k->nu[j];
        k->Xi[i][3 * A + j] = P * up[i][j] - z * k->nu[j];
      }
    }
  }
}

/* Gap, directions and operators of a master in space, from its projection. */
static PetscBool finish(const CrProjection *p, CrKinematics *k)
{
  PetscReal      tau[2][3];
  CrCoefficients co;

  for (int i = 0; i < 3; i++) {
    for (int b = 0; b < 2; b++) tau[b][i] = p->tau[b][i];
    k->frame[i] = tau[0][i] - p->xi[1] * k->twist[i]; /* the tangent on the line xi2 = 0 */
    k->nu[i] = p->n[i] / PetscSqrtReal(p->n2);
  }
  k->gap = v_dot(k->nu, p->way);
  k->xi[0] = p->xi[0];
  k->xi[1] = p->xi[1];
  CrDualTangents(tau, p->n, p->n2, k);
  CrCoefficientsAt(k->form, k->xi, &co);
  for (int A = 0; A < k->nmaster; A++) k->shape[A] = -co.P[A + 1];
  if (!CrTangents(k)) return PETSC_FALSE;
  facet_operators(&co, tau, k);
  return PETSC_TRUE;
}

/* On a plane master: the way from the foot. */
static void flatten(CrProjection *p, CrKinematics *k)
{
  for (int i = 0; i < 3; i++) {
    p->way[i] -= p->xi[0] * p->tau[0][i] + p->xi[1] * p->tau[1][i];
    k->twist[i] = 0;
  }
}

PetscBool CrKinematicsFacet(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrKinematics *k)
{
  CrProjection p;

  k->form = CrFormOfFacet(nmaster);
  k->dim = dim;
  k->nmaster = nmaster;
  k->rest = CR_REST_NONE;
  if (!CrProject(dim, nmaster, x, &p)) return PETSC_FALSE;
  if (dim == 2) {
    segment(&p, k);
    return PETSC_TRUE;
  }
  if (nmaster == 3)
    flatten(&p, k);
  else
    v_copy(p.twist, k->twist);
  return finish(&p, k);
}

PetscBool CrKinematicsEdges(const PetscReal x[12], CrKinematics *k)
{
  CrProjection p;

  k->form = CR_FORM_EDGES;
  k->dim = k->nmaster = 3;
  k->rest = CR_REST_NONE;
  if (!CrProjectEdges(x, &p)) return PETSC_FALSE;
  flatten(&p, k);
  return finish(&p, k);
}

PetscInt CrSphereAxis(const PetscReal nu[3])
{
  const PetscReal s[3] = {PetscAbsReal(nu[0]), PetscAbsReal(nu[1]), PetscAbsReal(nu[2])};

  if (s[0] <= s[1] && s[0] <= s[2]) return 0;
  return s[1] <= s[2] ? 1 : 2;
}

void CrKinematicsAlone(CrKinematics *k)
{
  k->form = CR_FORM_ALONE;
  k->nmaster = 0;
  k->rest = CR_REST_NONE;
  k->xi[0] = k->xi[1] = 0;
  for (int i = 0; i < k->dim; i++) {
    k->G[i] = k->nu[i];
    for (int a = 0; a < k->dim - 1; a++) k->H[a][i] = k->e[a][i];
  }
}

void CrKinematicsAxis(PetscInt dim, PetscInt axis, CrKinematics *k)
{
  k->dim = dim;
  for (int i = 0; i < 3; i++) k->frame[i] = i == axis;
  if (!CrTangents(k)) { /* the axis was kept too long: another is better than no direction */
    axis = CrSphereAxis(k->nu);
    for (int i = 0; i < 3; i++) k->frame[i] = i == axis;
    (void)CrTangents(k);
  }
  CrKinematicsAlone(k);
}

void CrKinematicsPlane(PetscInt dim, const PetscReal point[3], const PetscReal normal[3],
                       const PetscReal *x, CrKinematics *k)
{
  const PetscReal length = PetscSqrtReal(v_dot_n(dim, normal, normal));

  k->nu[2] = k->gap = k->curvature = 0;
  for (int i = 0; i < dim; i++) {
    k->nu[i] = normal[i] / length;
    k->gap += k->nu[i] * (x[i] - point[i]);
  }
  CrKinematicsAxis(dim, CrSphereAxis(k->nu), k);
}

void CrKinematicsSphere(PetscInt dim, const PetscReal center[3], PetscReal radius, PetscBool inside,
                        PetscInt axis, const PetscReal *x, CrKinematics *k)
{
  const PetscReal side = inside ? -1 : 1;
  PetscReal       y[3] = {0}, d;

  for (int i = 0; i < dim; i++) y[i] = x[i] - center[i];
  d = PetscSqrtReal(v_dot(y, y));
  k->gap = side * (d - radius);
  k->curvature = d > 0 ? side / d : 0;
  for (int i = 0; i < 3; i++) k->nu[i] = d > 0 ? side * y[i] / d : side * (i == 0);
  CrKinematicsAxis(dim, axis, k);
}

/* ---- a ball around the slave ------------------------------------------------------------------ */

void CrKinematicsRoll(CrKinematics *k)
{
  for (PetscInt A = 0; A <= k->nmaster; A++)
    for (PetscInt a = 0; a < k->dim - 1; a++)
      for (PetscInt i = 0; i < k->dim; i++)
        k->H[a][k->dim * A + i] = (A ? -k->shape[A - 1] : 1) * k->e[a][i];
}
