/* Derivatives of the operators G and H (theory 13.2), in closed form. */
#include "contact/geometry/kinematics.h"
#include "base/vector.h"
#include "contact/geometry/coefficients.h"

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
static inline void normal_rows(const CrKinematics *k, const CrCoefficients *co, int nmaster,
                               Rows *rows)
{
  const PetscReal bend = v_dot(k->nu, k->twist);

  for (int b = 0; b < 2; b++)
    for (int B = 0; B <= nmaster; B++)
      for (int j = 0; j < 3; j++)
        rows->nT[b][3 * B + j] = bend * k->Xi[1 - b][3 * B + j] - co->Pb[b][B] * k->nu[j];
}

/* d c_i^b = - c_i^a tau^b . d tau_a, plus the effect of the rotation of the tangents about nu. */
static inline void slip_rows(const CrKinematics *k, const CrCoefficients *co, int nmaster,
                             Rows *rows)
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
static inline void gap_gradient(const CrKinematics *k, const CrCoefficients *co, const Rows *rows,
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
static inline void slip_gradient(const CrKinematics *k, const CrCoefficients *co, const Rows *rows,
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
  CrCoefficients     co;
  Rows               rows;

  CrCoefficientsAt(k.form, k.xi, &co);
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
  else if (k->form == CR_FORM_ALONE)
    obstacle_gradient(k, dG, dH);
  else if (k->form == CR_FORM_SEGMENT)
    segment_gradient(k, dG, dH);
  else if (k->nmaster == 3)
    facet_gradient(k, 3, dG, dH);
  else
    facet_gradient(k, 4, dG, dH);
}

/* ---- a ball around the slave ------------------------------------------------------------------ */

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

void CrKinematicsRollGradient(const CrKinematics *k, const PetscReal *x,
                              PetscReal dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                              PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  CrKinematics   flat = *k;
  CrCoefficients co;

  if (k->rest) {
    CrAroundGradient(k, x, dG, dH);
    return;
  }
  if (k->dim == 2) {
    segment_roll_gradient(k, dG, dH[0]);
    return;
  }
  flat.gap = 0; /* leaves P_A d e_i + e_i (x) dP_A - s_A nu (x) G */
  CrKinematicsGradient(&flat, NULL, dG, dH);
  CrCoefficientsAt(k->form, k->xi, &co);
  for (int i = 0; i < 2; i++) {
    const PetscReal c[2] = {v_dot(k->e[i], k->dual[0]), v_dot(k->e[i], k->dual[1])};

    for (int A = 0; A <= k->nmaster; A++)
      for (int j = 0; j < 3; j++)
        for (int q = 0; q < 3 * (k->nmaster + 1); q++)
          dH[i][3 * A + j][q] += (c[0] * co.Pb[0][A] + c[1] * co.Pb[1][A]) * k->nu[j] * k->G[q];
  }
}
