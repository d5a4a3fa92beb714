/* Rotation of rigid bodies in time (theory 18.1): one implicit step with Cayley's map that conserves the energy of
   rotation and the angular momentum exactly, and its symmetric composition of order 6 for free flight. */
#include "base/vector.h"
#include "rigid/rigid.h"
#include "rigid/rotation.h"

#define MOST_TURN 1.0 /* h |Om| of one step; beyond about 3 the equation loses its solution */

void CrQuaternionTimes(const PetscReal a[4], const PetscReal b[4], PetscReal c[4])
{
  PetscReal w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  PetscReal x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  PetscReal y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];

  c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  c[0] = w, c[1] = x, c[2] = y;
}

void CrQuaternionMatrix(const PetscReal q[4], PetscReal R[9])
{
  PetscReal w = q[0], x = q[1], y = q[2], z = q[3];

  R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - w * z), R[2] = 2 * (x * z + w * y);
  R[3] = 2 * (x * y + w * z), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - w * x);
  R[6] = 2 * (x * z - w * y), R[7] = 2 * (y * z + w * x), R[8] = 1 - 2 * (x * x + y * y);
}

static void normalise(PetscReal q[4])
{
  PetscReal s = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

  for (int i = 0; i < 4; i++) q[i] *= s;
}

void CrQuaternionTurn(const PetscReal rotation[3], PetscReal q[4])
{
  PetscReal angle = v_length(rotation), s = angle > 1e-8 ? sin(angle / 2) / angle : 0.5;

  q[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++) q[1 + i] = s * rotation[i];
  normalise(q);
}

void CrCayleyTurn(const PetscReal delta[3], PetscReal v[3])
{
  PetscReal q[4] = {1, delta[0] / 2, delta[1] / 2, delta[2] / 2}, R[9];

  normalise(q);
  CrQuaternionMatrix(q, R);
  m_times(R, v, v);
}

/* ---- one step --------------------------------------------------------------------------------- */

/* I Om - Pi + (h/2) Om x (I Om) - (m - (h/2) Om x m)/2 in body axes, and its derivative. */
static void residual(const PetscReal I[3], const PetscReal Pi[3], const PetscReal m[3], PetscReal h,
                     const PetscReal Om[3], PetscReal r[3], PetscReal K[9])
{
  PetscReal L[3] = {I[0] * Om[0], I[1] * Om[1], I[2] * Om[2]}, a[3], b[3], c[3];

  v_cross(Om, L, a);
  v_cross(Om, m, b);
  for (int i = 0; i < 3; i++) r[i] = L[i] - Pi[i] + h / 2 * a[i] - (m[i] - h / 2 * b[i]) / 2;
  for (int i = 0; i < 3; i++) c[i] = L[i] + m[i] / 2; /* -[I Om]x - [m]x/2 */
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;

    K[3 * i + i] = I[i];
    K[3 * i + j] = h / 2 * (-Om[k] * I[j] + c[k]);
    K[3 * i + k] = h / 2 * (Om[j] * I[k] - c[j]);
  }
}

static PetscBool solve(const PetscReal I[3], const PetscReal Pi[3], const PetscReal m[3],
                       PetscReal h, PetscReal Om[3])
{
  PetscReal r[3], K[9], d[3], size = v_length(Pi) + v_length(m), last = PETSC_MAX_REAL;

  if (!(size > 0)) {
    Om[0] = Om[1] = Om[2] = 0;
    return PETSC_TRUE;
  }
  for (int i = 0; i < 3; i++) Om[i] = (Pi[i] + m[i] / 2) / I[i];
  for (int k = 0; k < 30; k++) {
    PetscReal now;

    residual(I, Pi, m, h, Om, r, K);
    now = v_length(r);
    if (now <= 1e-16 * size || (k > 3 && now < 1e-14 * size && now >= last)) return PETSC_TRUE;
    last = now;
    if (!m_solve(K, r, d)) return PETSC_FALSE;
    v_add(Om, -1, d);
  }
  return last < 1e-12 * size;
}

static PetscBool is_isotropic(const PetscReal I[3])
{
  return I[0] == I[1] && I[1] == I[2];
}

static void turn_exactly(const CrRigid *rigid, PetscInt body, CrRigidState *state,
                         const PetscReal rotation[3])
{
  PetscReal turn[4], *q = state->q + 4 * body;

  if (rigid->dim == 2) {
    state->angle[body] += rotation[2];
    return;
  }
  CrQuaternionTurn(rotation, turn);
  CrQuaternionTimes(turn, q, q);
  normalise(q);
}

PetscBool CrRotationStep(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                         const PetscReal m[3], PetscReal om[3])
{
  const PetscReal *I = rigid->inertia + 3 * body, *inverse = rigid->inverse + 3 * body;
  PetscReal       *q = state->q + 4 * body, *pi = state->pi + 3 * body;
  PetscReal        R[9], Pi[3], mb[3], Om[3], turn[4], rotation[3];

  if (rigid->dim == 2 || !(inverse[0] > 0) || is_isotropic(I)) { /* the axis stays: exact */
    for (int i = 0; i < 3; i++) om[i] = inverse[i] * (pi[i] + m[i] / 2);
    for (int i = 0; i < 3; i++) rotation[i] = h * om[i];
    v_add(pi, 1, m);
    if (inverse[2] > 0) turn_exactly(rigid, body, state, rotation);
    return PETSC_TRUE;
  }
  CrQuaternionMatrix(q, R);
  m_back(R, pi, Pi);
  m_back(R, m, mb);
  if (!solve(I, Pi, mb, h, Om)) return PETSC_FALSE;
  turn[0] = 1;
  for (int i = 0; i < 3; i++) turn[1 + i] = h * Om[i] / 2;
  m_times(R, Om, om);
  CrQuaternionTimes(q, turn, q);
  normalise(q);
  v_add(pi, 1, m);
  return PETSC_TRUE;
}

/* ---- free flight -------------------------------------------------------------------------------- */

/* Kahan and Li's nine stages of order 6. */
static const PetscReal stages[9] = {0.39216144400731413928,  0.33259913678935943860,
                                    -0.70624617255763935981, 0.082213596293550800230,
                                    0.79854399093482996340,  0.082213596293550800230,
                                    -0.70624617255763935981, 0.33259913678935943860,
                                    0.39216144400731413928};

static void turn_free(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h)
{
  static const PetscReal nothing[3] = {0, 0, 0};
  const PetscReal       *I = rigid->inertia + 3 * body;
  PetscReal              om[3], spin[3];
  PetscInt               n;

  CrRigidSpin(rigid, state, body, spin);
  if (rigid->dim == 2 || !(rigid->inverse[3 * body] > 0) || is_isotropic(I)) {
    (void)CrRotationStep(rigid, body, state, h, nothing, om);
    return;
  }
  n = (PetscInt)PetscMin(1e6, PetscMax(1, ceil(h * v_length(spin) / MOST_TURN)));
  for (PetscInt k = 0; k < n; k++)
    for (int s = 0; s < 9; s++)
      (void)CrRotationStep(rigid, body, state, stages[s] * h / (PetscReal)n, nothing, om);
}

void CrRigidFlight(const CrRigid *rigid, PetscInt body, CrRigidState *state, PetscReal h,
                   const PetscReal g[3])
{
  PetscReal *x = state->x + 3 * body, *v = state->v + 3 * body;

  for (int i = 0; i < 3; i++) {
    x[i] += h * (v[i] + h * g[i] / 2);
    v[i] += h * g[i];
  }
  turn_free(rigid, body, state, h);
}
