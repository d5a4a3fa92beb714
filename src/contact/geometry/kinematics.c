/* Projection of a point on a master, the operators of gap and slip, and their derivatives.

   P_A = (1, -N_k) are the coefficients of the nodes in x_S - x_M(xi), P_b,A and P_12,A their
   derivatives with respect to xi. With nu, e_i, g and c_i^b = e_i . tau^b,

     G_A = P_A nu,   H_i,A = P_A e_i - g c_i^b P_b,A nu,   Xi^a_A = A^ab (P_A tau_b - g P_b,A nu).

   H_i is the tangential velocity of the slave relative to the master point that is carried along
   the normal to the slave's height g. G and H annihilate rigid motions because x_S - x_M is parallel
   to nu: therefore xi is never clamped, and the projection on a quad goes to round-off. */
#include "contact/geometry/kinematics.h"
#include "base/vector.h"
#include "contact/geometry/facet.h"

void CrSegmentOperators(const PetscReal n[3], CrKinematics *k)
{
  for (int A = 0; A < 3; A++) {
    const PetscReal P = A ? -k->shape[A - 1] : 1, D = (A == 1) - (A == 2);

    for (int i = 0; i < 2; i++) {
      k->G[2 * A + i] = P * k->nu[i];
      k->H[0][2 * A + i] = P * k->e[0][i] - k->gap / k->length * D * n[i];
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

/* Coefficients of the nodes of a contact. alpha are the coefficients of the frame direction a. It is constant
   on the facet, so that sliding on a trapezoid does not turn the frame. */
typedef struct {
  PetscReal P[CR_CONTACT_NODES], Pb[2][CR_CONTACT_NODES], P12[CR_CONTACT_NODES];
  PetscReal alpha[CR_CONTACT_NODES];
} Coefficients;

static void coefficients(PetscInt nmaster, const PetscReal xi[2], Coefficients *c)
{
  PetscReal N[4];

  *c = (Coefficients){0};
  c->P[0] = 1;
  CrFacetShape(nmaster, xi, N);
  for (int k = 0; k < nmaster; k++) c->P[k + 1] = -N[k];
  if (nmaster == 3) {
    c->Pb[0][1] = c->Pb[1][1] = 1;
    c->Pb[0][2] = c->Pb[1][3] = -1;
    c->alpha[1] = -1;
    c->alpha[2] = 1;
    return;
  }
  for (int k = 0; k < 4; k++) {
    const PetscReal *at = CrQuadCorners[k], N0 = 1 + at[0] * xi[0], N1 = 1 + at[1] * xi[1];

    c->Pb[0][k + 1] = -at[0] * N1 / 4;
    c->Pb[1][k + 1] = -at[1] * N0 / 4;
    c->P12[k + 1] = -at[0] * at[1] / 4;
    c->alpha[k + 1] = at[0] / 4;
  }
}

void CrFacetTangents(PetscInt nmaster, const PetscReal *x, const PetscReal xi[2],
                     PetscReal tau[2][3], PetscReal dN[2][4])
{
  Coefficients co;

  coefficients(nmaster, xi, &co);
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

static void facet_operators(const Coefficients *co, PetscReal tau[2][3], CrKinematics *k)
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

PetscBool CrKinematicsFacet(PetscInt dim, PetscInt nmaster, const PetscReal *x, CrKinematics *k)
{
  CrProjection p;
  Coefficients co;

  k->dim = dim;
  k->nmaster = nmaster;
  k->rest = CR_REST_NONE;
  if (!CrProject(dim, nmaster, x, &p)) return PETSC_FALSE;
  if (dim == 2) {
    segment(&p, k);
    return PETSC_TRUE;
  }
  for (int i = 0; i < 3; i++) {
    if (nmaster == 3) p.way[i] -= p.xi[0] * p.tau[0][i] + p.xi[1] * p.tau[1][i];
    k->twist[i] = nmaster == 3 ? 0 : p.twist[i];
    k->frame[i] = p.tau[0][i] - p.xi[1] * k->twist[i]; /* a1, the tangent on the line xi2 = 0 */
    k->nu[i] = p.n[i] / PetscSqrtReal(p.n2);
  }
  k->gap = v_dot(k->nu, p.way);
  k->xi[0] = p.xi[0];
  k->xi[1] = p.xi[1];
  CrDualTangents(p.tau, p.n, p.n2, k);
  coefficients(nmaster, k->xi, &co);
  for (int A = 0; A < nmaster; A++) k->shape[A] = -co.P[A + 1];
  if (!CrTangents(k)) return PETSC_FALSE;
  facet_operators(&co, p.tau, k);
  return PETSC_TRUE;
}

PetscInt CrSphereAxis(const PetscReal nu[3])
{
  const PetscReal s[3] = {PetscAbsReal(nu[0]), PetscAbsReal(nu[1]), PetscAbsReal(nu[2])};

  if (s[0] <= s[1] && s[0] <= s[2]) return 0;
  return s[1] <= s[2] ? 1 : 2;
}

void CrKinematicsAlone(CrKinematics *k)
{
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

static void segment_gradient(const CrKinematics *k, PetscReal dG[][CR_CONTACT_DOFS],
                             PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  const PetscReal il = 1 / k->length, r = k->gap * il, *nu = k->nu, *t = k->e[0];
  const PetscReal D[6] = {0, 0, nu[0], nu[1], -nu[0], -nu[1]};
  const PetscReal Q[6] = {0, 0, t[0], t[1], -t[0], -t[1]}; /* -dl */
  PetscReal       T[6], G[6], H[6];

  for (int a = 0; a < 6; a++) {
    G[a] = k->G[a];
    H[a] = k->H[0][a];
    T[a] = H[a] + r * D[a];
  }
  for (int a = 0; a < 6; a++) {
    const PetscReal u = il * (T[a] - r * D[a]), v = il * D[a];

    for (int b = 0; b < 6; b++) dG[a][b] = u * D[b] + v * T[b];
  }
  for (int a = 0; a < 6 && dH; a++) {
    const PetscReal u = il * (T[a] - 2 * r * D[a] - H[a]), v = il * (G[a] + 2 * r * Q[a]);
    const PetscReal w = il * Q[a], z = il * D[a];

    for (int b = 0; b < 6; b++) dH[0][a][b] = u * Q[b] - v * D[b] + w * T[b] - z * G[b];
  }
}

/* dG = d nu, dH_i = d e_i. On a circle e turns with nu. On a sphere e_1 also turns about nu, since the axis
   that defines it is fixed in space. */
static void obstacle_gradient(const CrKinematics *k, PetscReal dG[][CR_CONTACT_DOFS],
                              PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  const PetscReal c = k->curvature, *e1 = k->e[0], *e2 = k->e[1];
  const PetscReal turn =
      k->dim == 3 ? -c * v_dot(k->frame, k->nu) / k->length : 0; /* w = turn e2 */

  for (int i = 0; i < k->dim; i++)
    for (int j = 0; j < k->dim; j++) {
      dG[i][j] = c * ((i == j) - k->nu[i] * k->nu[j]);
      if (!dH) continue;
      dH[0][i][j] = -c * k->nu[i] * e1[j];
      if (k->dim == 2) continue;
      dH[0][i][j] += turn * e2[i] * e2[j];
      dH[1][i][j] = -c * k->nu[i] * e2[j] - turn * e1[i] * e2[j];
    }
}

/* Derivatives with respect to all dofs of a facet contact. */
typedef struct {
  PetscReal c[2][2];                /* c_i^b = e_i . tau^b */
  PetscReal nT[2][CR_CONTACT_DOFS]; /* nu . d tau_b; d nu = - tau^b (x) nT_b */
  PetscReal eV[2][CR_CONTACT_DOFS]; /* e_i . d nu */
  PetscReal w[CR_CONTACT_DOFS];     /* e_2 . d e_1 */
  PetscReal dc[2][2][CR_CONTACT_DOFS];
} Rows;

/* The functions from here to facet_gradient are inlined with a constant number of nodes. */
static inline void normal_rows(const CrKinematics *k, const Coefficients *co, int nmaster,
                               Rows *rows)
{
  const PetscReal bend = v_dot(k->nu, k->twist);

  for (int b = 0; b < 2; b++)
    for (int B = 0; B <= nmaster; B++)
      for (int j = 0; j < 3; j++)
        rows->nT[b][3 * B + j] = bend * k->Xi[1 - b][3 * B + j] - co->Pb[b][B] * k->nu[j];
}

/* d c_i^b = - c_i^a tau^b . d tau_a, and what the turning of the frame about nu adds. */
static inline void slip_rows(const CrKinematics *k, const Coefficients *co, int nmaster, Rows *rows)
{
  const PetscReal an = v_dot(k->frame, k->nu), il = 1 / k->length;
  const PetscReal kb[2] = {v_dot(k->dual[0], k->twist), v_dot(k->dual[1], k->twist)};

  for (int i = 0; i < 2; i++)
    for (int b = 0; b < 2; b++) rows->c[i][b] = v_dot(k->e[i], k->dual[b]);
  for (int q = 0; q < 3 * (nmaster + 1); q++)
    for (int i = 0; i < 2; i++)
      rows->eV[i][q] = -rows->c[i][0] * rows->nT[0][q] - rows->c[i][1] * rows->nT[1][q];
  for (int B = 0; B <= nmaster; B++)
    for (int j = 0; j < 3; j++) {
      const int       q = 3 * B + j;
      const PetscReal w = il * (co->alpha[B] * k->e[1][j] - an * rows->eV[1][q]);

      rows->w[q] = w;
      for (int b = 0; b < 2; b++) {
        const PetscReal t0 = kb[b] * k->Xi[1][q] - co->Pb[0][B] * k->dual[b][j];
        const PetscReal t1 = kb[b] * k->Xi[0][q] - co->Pb[1][B] * k->dual[b][j];

        rows->dc[0][b][q] = w * rows->c[1][b] - rows->c[0][0] * t0 - rows->c[0][1] * t1;
        rows->dc[1][b][q] = -w * rows->c[0][b] - rows->c[1][0] * t0 - rows->c[1][1] * t1;
      }
    }
}

/* dG_A = P_A d nu + nu (x) dP_A */
static inline void gap_gradient(const CrKinematics *k, const Coefficients *co, const Rows *rows,
                                int nmaster, PetscReal dG[][CR_CONTACT_DOFS])
{
  for (int A = 0; A <= nmaster; A++)
    for (int i = 0; i < 3; i++) {
      const PetscReal p0 = -co->P[A] * k->dual[0][i], p1 = -co->P[A] * k->dual[1][i];
      const PetscReal z0 = k->nu[i] * co->Pb[0][A], z1 = k->nu[i] * co->Pb[1][A];

      for (int q = 0; q < 3 * (nmaster + 1); q++)
        dG[3 * A + i][q] =
            p0 * rows->nT[0][q] + p1 * rows->nT[1][q] + z0 * k->Xi[0][q] + z1 * k->Xi[1][q];
    }
}

/* dH_i,A = P_A d e_i + e_i (x) dP_A - nu (x) d(g s_A) - g s_A d nu, with s_A = c_i^b P_b,A. */
static inline void slip_gradient(const CrKinematics *k, const Coefficients *co, const Rows *rows,
                                 int nmaster, int i, PetscReal dH[][CR_CONTACT_DOFS])
{
  const PetscReal g = k->gap, *c = rows->c[i], *e = k->e[i], *other = k->e[1 - i];

  for (int A = 0; A <= nmaster; A++) {
    const PetscReal P = co->P[A], P1 = co->Pb[0][A], P2 = co->Pb[1][A], P12 = co->P12[A];
    const PetscReal s = c[0] * P1 + c[1] * P2, turn = i == 0 ? P : -P, z = g * s;
    PetscReal dP[CR_CONTACT_DOFS], along[CR_CONTACT_DOFS]; /* coefficients of e_i and of -nu */

    for (int q = 0; q < 3 * (nmaster + 1); q++) {
      const PetscReal ds = P1 * rows->dc[i][0][q] + P2 * rows->dc[i][1][q] +
                           P12 * (c[0] * k->Xi[1][q] + c[1] * k->Xi[0][q]);

      dP[q] = P1 * k->Xi[0][q] + P2 * k->Xi[1][q];
      along[q] = P * rows->eV[i][q] + s * k->G[q] + g * ds;
    }
    for (int j = 0; j < 3; j++) {
      const PetscReal w = turn * other[j], z0 = z * k->dual[0][j], z1 = z * k->dual[1][j];

      for (int q = 0; q < 3 * (nmaster + 1); q++)
        dH[3 * A + j][q] = w * rows->w[q] + e[j] * dP[q] - k->nu[j] * along[q] +
                           z0 * rows->nT[0][q] + z1 * rows->nT[1][q];
    }
  }
}

static inline void facet_gradient(const CrKinematics *kept, int nmaster,
                                  PetscReal dG[][CR_CONTACT_DOFS],
                                  PetscReal dH[][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  const CrKinematics k = *kept; /* a copy that dG and dH cannot overlap */
  Coefficients       co;
  Rows               rows;

  coefficients(nmaster, k.xi, &co);
  normal_rows(&k, &co, nmaster, &rows);
  gap_gradient(&k, &co, &rows, nmaster, dG);
  if (!dH) return;
  slip_rows(&k, &co, nmaster, &rows);
  for (int i = 0; i < 2; i++) slip_gradient(&k, &co, &rows, nmaster, i, dH[i]);
}

void CrKinematicsGradient(const CrKinematics *k, const PetscReal *x,
                          PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                          PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  /* without a rest, k contains everything that the derivatives need */
  if (k->rest)
    CrRestGradient(k, x, dG, dH);
  else if (k->nmaster == 0)
    obstacle_gradient(k, dG, dH);
  else if (k->dim == 2)
    segment_gradient(k, dG, dH);
  else if (k->nmaster == 3)
    facet_gradient(k, 3, dG, dH);
  else
    facet_gradient(k, 4, dG, dH);
}

/* ---- a ball around the slave ------------------------------------------------------------------ */

void CrKinematicsRoll(CrKinematics *k)
{
  for (PetscInt A = 0; A <= k->nmaster; A++)
    for (PetscInt a = 0; a < k->dim - 1; a++)
      for (PetscInt i = 0; i < k->dim; i++)
        k->H[a][k->dim * A + i] = (A ? -k->shape[A - 1] : 1) * k->e[a][i];
}

/* d(P_A t) = t (x) dP_A - P_A nu (x) D/l, with d xi = (T - (g/l) D)/l. */
static void segment_roll_gradient(const CrKinematics *k, PetscReal dG[][CR_CONTACT_DOFS],
                                  PetscReal dH[][CR_CONTACT_DOFS])
{
  const PetscReal il = 1 / k->length, *nu = k->nu, *t = k->e[0];
  const PetscReal D[6] = {0, 0, nu[0], nu[1], -nu[0], -nu[1]}, *T = k->H[0];
  PetscReal       xi[6];

  for (int b = 0; b < 6; b++) xi[b] = il * (T[b] - k->gap * il * D[b]);
  for (int A = 0; A < 3; A++)
    for (int i = 0; i < 2; i++)
      for (int b = 0; b < 6; b++) {
        PetscReal P = A ? -k->shape[A - 1] : 1, dP = ((A == 1) - (A == 2)) * xi[b];

        dG[2 * A + i][b] = il * P * t[i] * D[b] + nu[i] * dP;
        dH[2 * A + i][b] = t[i] * dP - il * P * nu[i] * D[b];
      }
}

void CrKinematicsRollGradient(const CrKinematics *k, PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                              PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  CrKinematics flat = *k;
  Coefficients co;

  if (k->dim == 2) {
    segment_roll_gradient(k, dG, dH[0]);
    return;
  }
  flat.gap = 0; /* leaves P_A d e_i + e_i (x) dP_A - s_A nu (x) G */
  CrKinematicsGradient(&flat, NULL, dG, dH);
  coefficients(k->nmaster, k->xi, &co);
  for (int i = 0; i < 2; i++) {
    const PetscReal c[2] = {v_dot(k->e[i], k->dual[0]), v_dot(k->e[i], k->dual[1])};

    for (int A = 0; A <= k->nmaster; A++)
      for (int j = 0; j < 3; j++)
        for (int q = 0; q < 3 * (k->nmaster + 1); q++)
          dH[i][3 * A + j][q] += (c[0] * co.Pb[0][A] + c[1] * co.Pb[1][A]) * k->nu[j] * k->G[q];
  }
}
