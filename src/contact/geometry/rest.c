/* Kinematics with a closest point that is held at a corner or an edge of a facet. In a valley, this is the point of the
   surface that is closest to a slave behind the surface (theory 13.10).

   The vector r points from the closest point to the slave, nu = +-r/|r|, and G_A = P_A nu as on a facet. The slip is
   measured relative to the facet, which is treated as a rigid body with the angular velocity om:

     Ds_i = e_i . (P_A Du_A) - g (nu x e_i) . om,   om = w - n (n.w)/2,   w = sum_b tau^b x d tau_b,

   Here n is the normal of the facet. The formula for om is exact for rigid motions, so that H is zero for them. With nu
   = n the result is the operator H of kinematics.c. */
#include "contact/geometry/kinematics.h"
#include "base/vector.h"
#include "contact/geometry/coefficients.h"
#include "contact/geometry/facet.h"

/* The two nodes of the edge that holds the closest point, numbered from 1; equal numbers mean a corner. */
static void rest_nodes(PetscInt nmaster, PetscInt rest, PetscInt ends[2])
{
  if (rest < CR_REST_EDGE(0)) {
    ends[0] = ends[1] = rest;
    return;
  }
  ends[0] = rest - CR_REST_EDGE(0) + 1;
  ends[1] = ends[0] % nmaster + 1;
}

/* Computes the shape functions at the closest point, and the vector r from there to the slave. On an edge, r is
   perpendicular to the edge. */
static void find_foot(PetscInt dim, PetscInt rest, PetscInt nmaster, const PetscReal *x,
                      PetscReal shape[4], PetscReal r[3])
{
  PetscInt  ends[2];
  PetscReal e2 = 0, s = 0;

  rest_nodes(nmaster, rest, ends);
  for (PetscInt i = 0; i < dim; i++) {
    PetscReal e = x[dim * ends[1] + i] - x[dim * ends[0] + i];

    r[i] = x[i] - x[dim * ends[0] + i];
    e2 += e * e;
    s += r[i] * e;
  }
  s = e2 > 0 ? s / e2 : 0;
  for (PetscInt i = 0; i < dim; i++) r[i] -= s * (x[dim * ends[1] + i] - x[dim * ends[0] + i]);
  for (PetscInt a = 0; a < nmaster; a++) shape[a] = 0;
  shape[ends[0] - 1] += 1 - s;
  shape[ends[1] - 1] += s;
}

/* The coordinates xi of the closest point, which are linear in the shape functions of the corner or edge. */
static void coordinates(PetscInt nmaster, const PetscReal shape[4], PetscReal xi[2])
{
  const PetscReal(*corner)[2] = nmaster == 3 ? CrTriangleCorners : CrQuadCorners;

  xi[0] = nmaster == 2 ? shape[1] : 0;
  xi[1] = 0;
  for (PetscInt a = 0; nmaster > 2 && a < nmaster; a++)
    for (int b = 0; b < 2; b++) xi[b] += shape[a] * corner[a][b];
}

/* Computes the operators G (gap) and H (slip) of a triangle or quad, at a closest point that is held. n is the normal
   of the facet, dN are the derivatives of its shape functions by xi. */
static void facet_operators(const PetscReal n[3], PetscReal dN[2][4], CrKinematics *k)
{
  for (int A = 0; A <= k->nmaster; A++)
    for (int j = 0; j < 3; j++) k->G[3 * A + j] = (A ? -k->shape[A - 1] : 1) * k->nu[j];
  for (int i = 0; i < 2; i++) {
    PetscReal q[3], m[2][3], lift;

    v_cross(k->nu, k->e[i], q);
    lift = v_dot(q, n) / 2;
    for (int j = 0; j < 3; j++) q[j] = k->gap * (q[j] - lift * n[j]);
    for (int b = 0; b < 2; b++) v_cross(q, k->dual[b], m[b]);
    for (int A = 0; A <= k->nmaster; A++)
      for (int j = 0; j < 3; j++)
        k->H[i][3 * A + j] =
            A ? -k->shape[A - 1] * k->e[i][j] - dN[0][A - 1] * m[0][j] - dN[1][A - 1] * m[1][j]
              : k->e[i][j];
  }
}

/* The normal of the facet at the closest point, and the quantities that slip needs. */
static PetscBool facet_frame(PetscInt dim, PetscInt nmaster, const PetscReal *x, PetscReal n[3],
                             PetscReal dN[2][4], CrKinematics *k)
{
  PetscReal    tau[2][3], n2;
  CrProjection p;

  if (dim == 2) {
    if (!CrProject(2, 2, x, &p)) return PETSC_FALSE;
    k->length = PetscSqrtReal(p.n2);
    for (int i = 0; i < 3; i++) n[i] = p.n[i] / k->length;
    return PETSC_TRUE;
  }
  CrFacetTangents(nmaster, x, k->xi, tau, dN);
  v_cross(tau[0], tau[1], n);
  n2 = v_dot(n, n);
  if (!(n2 > 1e-20 * v_dot(tau[0], tau[0]) * v_dot(tau[1], tau[1]))) return PETSC_FALSE;
  CrDualTangents(tau, n, n2, k);
  for (int i = 0; i < 3; i++) {
    n[i] /= PetscSqrtReal(n2);
    k->frame[i] = nmaster == 3 ? tau[0][i] : (x[6 + i] - x[3 + i] + x[9 + i] - x[12 + i]) / 4;
  }
  return PETSC_TRUE;
}

/* e_i = t_i - (t_i.nu)/(1 + n.nu) (n + nu), for the tangents t_i of the facet with the normal n. In 2D there is one
   choice. Returns false if nu is opposite to n. */
static PetscBool rotate_tangents(const PetscReal n[3], CrKinematics *k)
{
  PetscReal nu[3], along = v_dot(n, k->nu);

  if (k->dim == 2) return CrTangents(k);
  v_copy(k->nu, nu);
  v_copy(n, k->nu);
  if (!CrTangents(k)) return PETSC_FALSE;
  v_copy(nu, k->nu);
  if (!(1 + along > 1e-8)) return PETSC_FALSE;
  for (int i = 0; i < 2; i++) {
    PetscReal part = v_dot(k->e[i], nu) / (1 + along);

    for (int j = 0; j < 3; j++) k->e[i][j] -= part * (n[j] + nu[j]);
  }
  return PETSC_TRUE;
}

/* `around`: the slave is in front, whatever the normal of the facet. */
static PetscBool held(PetscInt dim, PetscInt nmaster, PetscInt rest, PetscBool around,
                      const PetscReal *x, CrKinematics *k)
{
  PetscReal r[3] = {0}, n[3], dN[2][4], d, size = 0;

  if (!rest) return CrKinematicsFacet(dim, nmaster, x, k);
  find_foot(dim, rest, nmaster, x, k->shape, r);
  for (PetscInt i = 0; i < dim; i++) size += PetscAbsReal(x[2 * dim + i] - x[dim + i]);
  d = PetscSqrtReal(v_dot(r, r));
  if (!(d > 1e-13 * size)) return CrKinematicsFacet(dim, nmaster, x, k);
  coordinates(nmaster, k->shape, k->xi);
  if (!facet_frame(dim, nmaster, x, n, dN, k)) return PETSC_FALSE;
  k->form = CrFormOfFacet(nmaster);
  k->dim = dim;
  k->nmaster = nmaster;
  k->rest = rest;
  k->gap = v_dot(r, n) < 0 && !around ? -d : d;
  for (int i = 0; i < 3; i++) k->nu[i] = r[i] / k->gap;
  if (!(around ? rotate_tangents(n, k) : CrTangents(k))) return PETSC_FALSE;
  if (dim == 3)
    facet_operators(n, dN, k);
  else
    CrSegmentOperators(n, k);
  return PETSC_TRUE;
}

PetscBool CrKinematicsRest(PetscInt dim, PetscInt nmaster, PetscInt rest, const PetscReal *x,
                           CrKinematics *k)
{
  return held(dim, nmaster, rest, PETSC_FALSE, x, k);
}

PetscBool CrKinematicsAround(PetscInt dim, PetscInt nmaster, PetscInt rest, const PetscReal *x,
                             CrKinematics *k)
{
  return held(dim, nmaster, rest, PETSC_TRUE, x, k);
}

/* d nu = (1 - nu nu)/g (P_A dx_A - e ds) with the edge e and its coordinate s; dG_A = P_A d nu + nu dP_A. */
static void gap_gradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS])
{
  const PetscInt dim = k->dim;
  PetscInt       ends[2];
  PetscReal      e[3] = {0}, e2;

  rest_nodes(k->nmaster, k->rest, ends);
  for (PetscInt i = 0; i < dim; i++) e[i] = x[dim * ends[1] + i] - x[dim * ends[0] + i];
  e2 = v_dot(e, e);
  for (PetscInt B = 0; B <= k->nmaster; B++)
    for (PetscInt j = 0; j < dim; j++) {
      PetscReal P = B ? -k->shape[B - 1] : 1, along = (B == ends[1]) - (B == ends[0]);
      PetscReal ds = e2 > 0 ? (P * e[j] + along * k->gap * k->nu[j]) / e2 : 0;

      for (PetscInt i = 0; i < dim; i++) {
        PetscReal dnu = (P * ((i == j) - k->nu[i] * k->nu[j]) - e[i] * ds) / k->gap;

        for (PetscInt A = 0; A <= k->nmaster; A++)
          dG[dim * A + i][dim * B + j] =
              (A ? -k->shape[A - 1] : 1) * dnu + k->nu[i] * ds * ((A == ends[0]) - (A == ends[1]));
      }
    }
}

/* Computes dH by differences of fourth order. Their step is a part of the gap, because this is the length over which the
   directions change. `around`: the slave is a ball. */
static void slip_gradient(const CrKinematics *k, PetscBool around, const PetscReal *x,
                          PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  static const PetscReal place[4] = {-2, -1, 1, 2},
                         weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  const PetscInt  n = k->dim * (k->nmaster + 1);
  const PetscReal step = 1e-3 * PetscAbsReal(k->gap);
  PetscReal       y[CR_CONTACT_DOFS];
  CrKinematics    near;

  for (PetscInt a = 0; a < n; a++) y[a] = x[a];
  for (PetscInt b = 0; b < n; b++) {
    for (PetscInt i = 0; i < k->dim - 1; i++)
      for (PetscInt a = 0; a < n; a++) dH[i][a][b] = 0;
    for (int s = 0; s < 4; s++) {
      y[b] = x[b] + place[s] * step;
      if (!held(k->dim, k->nmaster, k->rest, around, y, &near)) continue;
      if (around) CrKinematicsRoll(&near);
      for (PetscInt i = 0; i < k->dim - 1; i++)
        for (PetscInt a = 0; a < n; a++) dH[i][a][b] += weight[s] / step * near.H[i][a];
    }
    y[b] = x[b];
  }
}

void CrRestGradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS],
                    PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  gap_gradient(k, x, dG);
  if (dH) slip_gradient(k, PETSC_FALSE, x, dH);
}

void CrAroundGradient(const CrKinematics *k, const PetscReal *x, PetscReal dG[][CR_CONTACT_DOFS],
                      PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  gap_gradient(k, x, dG);
  slip_gradient(k, PETSC_TRUE, x, dH);
}
