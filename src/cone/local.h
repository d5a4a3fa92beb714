/* Exact solution of the friction problem for one contact, z = B r + b, and the projection on the friction cone. The
   functions are inline, because Gauss-Seidel sweeps spend most of their computing time here. Note (1) in cone.h
   explains the cases open, stick and slip. */
#pragma once

#include <math.h>
#include "cone/cone.h"

#define CONE_INLINE static inline __attribute__((always_inline))

/* Computes r = P_K(tau), the projection of tau on the friction cone K, with dim = 2 or 3 components. */
CONE_INLINE void cone_project(const PetscInt dim, PetscReal mu, const PetscReal tau[],
                              PetscReal r[])
{
  PetscReal t1 = tau[1], t2 = dim == 3 ? tau[2] : 0, tn = tau[0];
  PetscReal t = dim == 3 ? sqrt(t1 * t1 + t2 * t2) : fabs(t1), scale;

  if (mu * t <=
      -tn) { /* open; tested first: for mu = 0 the test for stick would accept the apex of the cone */
    r[0] = r[1] = 0;
    if (dim == 3) r[2] = 0;
  } else if (t <= mu * tn) { /* stick */
    r[0] = tn, r[1] = t1;
    if (dim == 3) r[2] = t2;
  } else { /* slip; t > 0, or mu = 0 and tn > 0 */
    r[0] = (tn + mu * t) / (1 + mu * mu);
    scale = t > 0 ? mu * r[0] / t : 0;
    r[1] = scale * t1;
    if (dim == 3) r[2] = scale * t2;
  }
}

/* Computes the vector tau = r - rho (z + mu |z_t| n), whose projection on the cone is the next iterate. */
CONE_INLINE void cone_predict(const PetscInt dim, PetscReal mu, PetscReal rho, const PetscReal r[],
                              const PetscReal z[], PetscReal tau[])
{
  PetscReal zt = dim == 3 ? sqrt(z[1] * z[1] + z[2] * z[2]) : fabs(z[1]);

  tau[0] = r[0] - rho * (z[0] + mu * zt);
  tau[1] = r[1] - rho * z[1];
  if (dim == 3) tau[2] = r[2] - rho * z[2];
}

/* Computes y = b + B x. */
CONE_INLINE void cone_affine(const PetscInt dim, const PetscReal B[], const PetscReal x[],
                             const PetscReal b[], PetscReal y[])
{
  for (PetscInt a = 0; a < dim; a++) {
    PetscReal sum = b[a];

    for (PetscInt c = 0; c < dim; c++) sum += B[c * dim + a] * x[c];
    y[a] = sum;
  }
}

/* Solves one contact by an iteration with projections on the cone. This iteration is used if the exact formulas have no
   solution, neither for an open nor a sticking nor a slipping contact. The formulas have no solution if coupling is
   strong and friction is high. */
void ConeLocalProjections(PetscInt dim, const PetscReal B[], PetscReal mu, PetscReal rho,
                          const PetscReal b[], PetscReal r[]);
/* Finds the direction e of 3D slip by testing angles around the full circle. Returns false if no angle satisfies the
   conditions of slip. */
PetscBool ConeScanDirection(const PetscReal B[], PetscReal mu, const PetscReal b[], PetscReal e[2]);

/* Computes *f = e x w, its derivative *slope with respect to the angle of e, and *dot = e.w. Returns D(e). */
CONE_INLINE PetscReal cone_slip(const PetscReal B[], PetscReal mu, const PetscReal b[],
                                const PetscReal e[2], PetscReal *f, PetscReal *slope,
                                PetscReal *dot)
{
  PetscReal c = e[0], s = e[1], bn = b[0];
  PetscReal D = B[0] + mu * (B[3] * c + B[6] * s), Dp = mu * (B[6] * c - B[3] * s);
  PetscReal w1 = D * b[1] - bn * (B[1] + mu * (B[4] * c + B[7] * s));
  PetscReal w2 = D * b[2] - bn * (B[2] + mu * (B[5] * c + B[8] * s));
  PetscReal p1 = Dp * b[1] - bn * mu * (B[7] * c - B[4] * s);
  PetscReal p2 = Dp * b[2] - bn * mu * (B[8] * c - B[5] * s);

  *f = c * w2 - s * w1;
  *dot = c * w1 + s * w2;
  *slope = c * p2 - s * p1 - *dot;
  return D;
}

/* Finds the direction e of slip by Newton's method for its angle, and *D = D(e). Returns false if the method fails.
   Each step rotates e by the angle whose tangent is the Newton step, so that no trigonometric function is called. */
CONE_INLINE PetscBool cone_turn(const PetscReal B[], PetscReal mu, const PetscReal b[],
                                PetscReal e[2], PetscReal *D)
{
  for (int k = 0; k < 12; k++) {
    PetscReal f, slope, dot, step, c, s, scale;

    *D = cone_slip(B, mu, b, e, &f, &slope, &dot);
    if (!(slope > 0)) return PETSC_FALSE;
    step = -f / slope;
    if (fabs(step) <
        1e-7) { /* convergence is quadratic: after this step the error is a rounding error */
      c = e[0] - step * e[1], s = e[1] + step * e[0];
      e[0] = c, e[1] = s;
      *D = B[0] + mu * (B[3] * c + B[6] * s);
      return dot <= 0 && *D > 0;
    }
    step = step > 1 ? 1 : step < -1 ? -1 : step;
    c = e[0] - step * e[1];
    s = e[1] + step * e[0];
    scale = 1 / sqrt(c * c + s * s);
    e[0] = c * scale, e[1] = s * scale;
  }
  return PETSC_FALSE;
}

CONE_INLINE PetscBool cone_direction(PetscReal x, PetscReal y, PetscReal e[2])
{
  PetscReal length = sqrt(x * x + y * y);

  if (!(length > 0)) return PETSC_FALSE;
  e[0] = x / length, e[1] = y / length;
  return PETSC_TRUE;
}

CONE_INLINE void cone_slip_3d(const PetscReal B[], PetscReal mu, PetscReal rho, const PetscReal b[],
                              const PetscReal stick[], PetscReal r[])
{
  PetscReal e[2], D;

  if (!cone_direction(r[1], r[2], e) && !cone_direction(stick[1], stick[2], e) &&
      !cone_direction(-b[1], -b[2], e))
    e[0] = 1, e[1] = 0;
  if (cone_turn(B, mu, b, e, &D) ||
      (ConeScanDirection(B, mu, b, e) && cone_turn(B, mu, b, e, &D))) {
    r[0] = -b[0] / D;
    r[1] = mu * r[0] * e[0];
    r[2] = mu * r[0] * e[1];
  } else
    ConeLocalProjections(3, B, mu, rho, b, r);
}

CONE_INLINE void cone_slip_2d(const PetscReal B[], PetscReal mu, PetscReal rho, const PetscReal b[],
                              PetscReal r[])
{
  PetscReal small = 1e-14 * (fabs(b[0]) + fabs(b[1]));

  for (PetscReal s = -1; s < 2; s += 2) {
    PetscReal D = B[0] + s * mu * B[2], rn = -b[0] / D;

    if (D > 0 && s * (b[1] + (B[1] + s * mu * B[3]) * rn) <= small) {
      r[0] = rn, r[1] = s * mu * rn;
      return;
    }
  }
  ConeLocalProjections(2, B, mu, rho, b, r);
}

CONE_INLINE void cone_local(const PetscInt dim, const PetscReal B[], const PetscReal inverse[],
                            PetscReal mu, PetscReal rho, const PetscReal b[], PetscReal r[])
{
  PetscReal stick[3], limit;

  if (b[0] >= 0 || !(B[0] > 0)) { /* no force: the contact is open, or both bodies are fixed */
    for (PetscInt a = 0; a < dim; a++) r[a] = 0;
    return;
  }
  if (mu == 0) {
    r[0] = -b[0] / B[0], r[1] = 0;
    if (dim == 3) r[2] = 0;
    return;
  }
  for (PetscInt a = 0; a < dim; a++) {
    stick[a] = 0;
    for (PetscInt c = 0; c < dim; c++) stick[a] -= inverse[c * dim + a] * b[c];
  }
  limit = mu * stick[0];
  if (limit > 0 && stick[1] * stick[1] + (dim == 3 ? stick[2] * stick[2] : 0) <= limit * limit)
    for (PetscInt a = 0; a < dim; a++) r[a] = stick[a];
  else if (dim == 3)
    cone_slip_3d(B, mu, rho, b, stick, r);
  else
    cone_slip_2d(B, mu, rho, b, r);
}
