/* Newton's method for impulses with friction (impulse.h), for systems in which the impulses of many points depend on
   each other, as on a rigid body. Gauss-Seidel then needs thousands of sweeps. The equations of a point are

       r_n + q u_n - sqrt(r_n^2 + (q u_n)^2 + 2 q |c|) = 0            (r_n u_n = |c|, both positive)
       r_t - P(r_t - q u_t) = 0,   P: projection on the disc of radius mu r_n

   with u = A r + b and q about 1/A_ll. They are semi-smooth, and A may be singular: several impulses then have the same
   effect. A small multiple of the identity is added to the matrix, but not to the equations. With it Newton's method
   finds the nearest of these impulses. Far from the solution the multiple is larger, so that corrections are
   shorter. */
#include "cone/rubbing.h"

#define MOST_STEPS 60
#define MEMORY     5     /* norms that the line search looks back on */
#define HALVINGS   12    /* of a step */
#define SMALL      1e-12 /* least multiple of the identity; all rows are of order 1 */
#define DONE       1e-15 /* of the greatest impulse */

typedef struct {
  const CrRubbingSystem *s;
  PetscInt               rows;
  PetscReal *u, *F, *q; /* [rows] velocities, equations, factors; owned, as all that follow */
  PetscReal *C, *E;     /* [rows][dim] the derivative is C + E A, blocks of points */
  PetscReal *trial, *step;
  PetscReal *M; /* [rows][rows] */
} Newton;

static PetscReal entry(const CrRubbingSystem *s, PetscInt row, PetscInt column)
{
  for (PetscInt e = s->start[row]; e < s->start[row + 1]; e++)
    if (s->column[e] == column) return s->value[e];
  return 0;
}

/* q of all rows: 1 over the diagonal, the same for both tangents. Any number will do for what nothing moves. */
static void set_factors(const Newton *w)
{
  const PetscInt d = w->s->dim;

  for (PetscInt l = 0; l < w->s->n; l++) {
    PetscReal normal = entry(w->s, d * l, d * l), along = 0;

    for (PetscInt a = 1; a < d; a++)
      along += entry(w->s, d * l + a, d * l + a) / (PetscReal)(d - 1);
    w->q[d * l] = normal > 0 ? 1 / normal : 1;
    for (PetscInt a = 1; a < d; a++) w->q[d * l + a] = along > 0 ? 1 / along : 1;
  }
}

/* ---- the equations of one point; rows of C and E are those of its block ------------------------ */

static void normal_row(PetscReal q, PetscReal c, PetscReal r, PetscReal u, PetscReal *F,
                       PetscReal *C, PetscReal *E)
{
  PetscReal root = PetscSqrtReal(r * r + PetscSqr(q * u) + 2 * q * PetscAbsReal(c));

  *F = r + q * u - root;
  *C = root > 0 ? 1 - r / root : 1;
  *E = root > 0 ? q * (1 - q * u / root) : 0;
}

static void tangent_rows(PetscInt d, PetscReal mu, PetscReal q, const PetscReal *r,
                         const PetscReal *u, PetscReal *F, PetscReal *C, PetscReal *E)
{
  PetscReal tau[2] = {0}, limit = mu * PetscMax(r[0], 0), size;

  for (PetscInt a = 1; a < d; a++) tau[a - 1] = r[a] - q * u[a];
  size = PetscHypotReal(tau[0], tau[1]);
  for (PetscInt a = 1; a < d; a++) {
    PetscReal part = size > limit ? limit / size : 1;

    F[a] = r[a] - part * tau[a - 1];
    for (PetscInt b = 1; b < d; b++) {
      PetscReal slope = part * (a == b);

      if (size > limit) slope -= part * tau[a - 1] * tau[b - 1] / (size * size);
      C[d * a + b] = (a == b) - slope;
      E[d * a + b] = q * slope;
    }
    C[d * a] = size > limit && r[0] > 0 ? -mu * tau[a - 1] / size : 0;
  }
}

/* F, C and E at r. Returns the norm of F. */
static PetscReal evaluate(const Newton *w, const PetscReal *r)
{
  const CrRubbingSystem *s = w->s;
  const PetscInt         d = s->dim;
  PetscReal              sum = 0;

  for (PetscInt k = 0; k < w->rows; k++) {
    w->u[k] = s->b[k];
    for (PetscInt e = s->start[k]; e < s->start[k + 1]; e++)
      w->u[k] += s->value[e] * r[s->column[e]];
  }
  for (PetscInt l = 0; l < s->n; l++) {
    PetscInt   k = d * l;
    PetscReal *C = w->C + d * k, *E = w->E + d * k;

    for (PetscInt e = 0; e < d * d; e++) C[e] = E[e] = 0;
    normal_row(w->q[k], s->c[l], r[k], w->u[k], &w->F[k], C, E);
    tangent_rows(d, s->mu[l], w->q[k + 1], r + k, w->u + k, w->F + k, C, E);
  }
  for (PetscInt k = 0; k < w->rows; k++) sum += PetscSqr(w->F[k]);
  return PetscSqrtReal(sum);
}

/* ---- the linear system ------------------------------------------------------------------------- */

static void fill_matrix(const Newton *w, PetscReal small)
{
  const CrRubbingSystem *s = w->s;
  const PetscInt         d = s->dim, n = w->rows;

  for (PetscInt e = 0; e < n * n; e++) w->M[e] = 0;
  for (PetscInt k = 0; k < n; k++) {
    PetscReal *row = w->M + n * k;
    PetscInt   first = k - k % d;

    row[k] = small;
    for (PetscInt a = 0; a < d; a++) {
      PetscReal E = w->E[d * k + a];

      row[first + a] += w->C[d * k + a];
      for (PetscInt e = s->start[first + a]; E != 0 && e < s->start[first + a + 1]; e++)
        row[s->column[e]] += E * s->value[e];
    }
  }
}

static void exchange_rows(PetscInt n, PetscReal *a, PetscReal *b)
{
  for (PetscInt j = 0; j < n; j++) {
    PetscReal x = a[j];

    a[j] = b[j];
    b[j] = x;
  }
}

/* step = -M \ F by elimination with row exchange. */
static void find_step(const Newton *w)
{
  const PetscInt n = w->rows;
  PetscReal     *x = w->step;

  for (PetscInt k = 0; k < n; k++) x[k] = -w->F[k];
  for (PetscInt k = 0; k < n; k++) {
    PetscInt best = k;

    for (PetscInt i = k + 1; i < n; i++)
      if (PetscAbsReal(w->M[n * i + k]) > PetscAbsReal(w->M[n * best + k])) best = i;
    exchange_rows(n - k, w->M + n * k + k, w->M + n * best + k);
    exchange_rows(1, x + k, x + best);
    for (PetscInt i = k + 1; i < n; i++) {
      PetscReal t = w->M[n * i + k] / w->M[n * k + k];

      if (t == 0) continue;
      for (PetscInt j = k + 1; j < n; j++) w->M[n * i + j] -= t * w->M[n * k + j];
      x[i] -= t * x[k];
    }
  }
  for (PetscInt k = n - 1; k >= 0; k--) {
    for (PetscInt j = k + 1; j < n; j++) x[k] -= w->M[n * k + j] * x[j];
    x[k] /= w->M[n * k + k];
  }
}

/* ---- the iteration ----------------------------------------------------------------------------- */

/* Goes along the step, halved until the norm is below that of the last ones. Returns the norm there. */
static PetscReal advance(const Newton *w, PetscReal allowed, PetscReal *r)
{
  PetscReal norm = PETSC_MAX_REAL, part = 1;

  for (PetscInt h = 0; h < HALVINGS && !(norm < allowed); h++, part /= 2) {
    for (PetscInt k = 0; k < w->rows; k++) w->trial[k] = r[k] + part * w->step[k];
    norm = evaluate(w, w->trial);
  }
  for (PetscInt k = 0; k < w->rows; k++) r[k] = w->trial[k];
  return norm;
}

static PetscReal greatest(PetscInt n, const PetscReal *x)
{
  PetscReal most = 0;

  for (PetscInt k = 0; k < n; k++) most = PetscMax(most, PetscAbsReal(x[k]));
  return most;
}

static PetscBool iterate(const Newton *w, PetscReal damping, PetscReal *r)
{
  PetscReal norm = evaluate(w, r), last[MEMORY] = {norm};

  for (PetscInt k = 0; k < MOST_STEPS; k++) {
    PetscReal before = norm;

    if (!(norm < PETSC_MAX_REAL)) return PETSC_FALSE;
    if (norm <= DONE * greatest(w->rows, r)) return PETSC_TRUE;
    fill_matrix(w, PetscMax(SMALL, damping * PetscMin(1, norm / greatest(w->rows, r))));
    find_step(w);
    norm = advance(w, greatest(MEMORY, last), r);
    last[(k + 1) % MEMORY] = norm;
    if (norm <= 1e-12 * greatest(w->rows, r) && norm > before / 2) return PETSC_TRUE; /* rounding */
  }
  return PETSC_FALSE;
}

PetscErrorCode RubbingNewton(const CrRubbingSystem *s, PetscReal *r, PetscBool *good)
{
  static const PetscReal dampings[] = {1e-3, 1e-2, 0.1};
  Newton                 w = {.s = s, .rows = s->dim * s->n};
  PetscInt               n = w.rows;
  PetscReal             *start;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc3(n, &w.u, n, &w.F, n, &w.q));
  PetscCall(PetscMalloc4(n * s->dim, &w.C, n * s->dim, &w.E, n, &w.trial, n, &w.step));
  PetscCall(PetscMalloc2(n * n, &w.M, n, &start));
  set_factors(&w);
  PetscCall(PetscArraycpy(start, r, n));
  *good = PETSC_FALSE;
  for (int k = 0; k < 3 && !*good; k++) {
    PetscCall(PetscArraycpy(r, start, n));
    *good = iterate(&w, dampings[k], r);
  }
  PetscCall(PetscFree3(w.u, w.F, w.q));
  PetscCall(PetscFree4(w.C, w.E, w.trial, w.step));
  PetscCall(PetscFree2(w.M, start));
  PetscFunctionReturn(PETSC_SUCCESS);
}
