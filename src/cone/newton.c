/* Semi-smooth Newton method for the active contacts (note (3) of cone.h). This file has the function F and its
   generalised derivative for three equivalent equations, the linear system with a block LU factorisation, and a
   non-monotone line search. */
#include <math.h>
#include <string.h>
#include "cone/internal.h"
#include "cone/local.h"

#define MEMORY 5 /* norms that the line search looks back on */

/* ---- the equations ------------------------------------------------------------------------- */

/* Rows of one contact, dim x dim, column by column. */
static void identity(PetscInt d, PetscReal C[], PetscReal E[])
{
  memset(C, 0, (size_t)(d * d) * sizeof *C);
  memset(E, 0, (size_t)(d * d) * sizeof *E);
  for (PetscInt a = 0; a < d; a++) C[a * d + a] = 1;
}

/* P'(tau) by cases; false where it is zero. */
static PetscBool projection_slope(PetscInt d, PetscReal mu, const PetscReal tau[], PetscReal P[])
{
  PetscReal t = d == 3 ? hypot(tau[1], tau[2]) : fabs(tau[1]), e[3] = {1, 0, 0}, rn, turn;

  if (mu * t <= -tau[0]) return PETSC_FALSE;
  memset(P, 0, (size_t)(d * d) * sizeof *P);
  if (t <= mu * tau[0] || (t == 0 && mu > 0)) {
    for (PetscInt a = 0; a < d; a++) P[a * d + a] = 1;
    return PETSC_TRUE;
  }
  rn = (tau[0] + mu * t) / (1 + mu * mu);
  turn = t > 0 ? mu * rn / t : 0;
  for (PetscInt a = 1; a < d; a++) e[a] = t > 0 ? mu * tau[a] / t : 0; /* (n + mu e) (n + mu e)^T */
  for (PetscInt a = 0; a < d; a++)
    for (PetscInt c = 0; c < d; c++) {
      P[c * d + a] = e[a] * e[c] / (1 + mu * mu);
      if (a > 0 && c > 0 && t > 0)
        P[c * d + a] += turn * ((a == c ? 1 : 0) - tau[a] * tau[c] / (t * t));
    }
  return PETSC_TRUE;
}

/* F = r - P_K(tau); C = I - P', E = rho P' G */
static void natural(PetscInt d, PetscReal mu, PetscReal rho, const PetscReal r[],
                    const PetscReal z[], PetscReal F[], PetscReal C[], PetscReal E[])
{
  PetscReal tau[3], p[3], P[9], zt = d == 3 ? hypot(z[1], z[2]) : fabs(z[1]);

  cone_predict(d, mu, rho, r, z, tau);
  cone_project(d, mu, tau, p);
  for (PetscInt a = 0; a < d; a++) F[a] = r[a] - p[a];
  if (!C) return;
  identity(d, C, E);
  if (!projection_slope(d, mu, tau, P)) return;
  for (PetscInt a = 0; a < d; a++)
    for (PetscInt c = 0; c < d; c++) {
      C[c * d + a] -= P[c * d + a];
      E[c * d + a] = rho * P[c * d + a];
      if (c > 0 && zt > 0) E[c * d + a] += rho * P[a] * mu * z[c] / zt;
    }
}

/* Tangential rows of Alart-Curnier under slip: r_t - R tau_t/|tau_t|. */
static void alart_slip(PetscInt d, PetscReal mu, PetscReal rho, PetscReal radius, PetscBool moves,
                       PetscBool fresh, const PetscReal tau[], PetscReal t, PetscReal C[],
                       PetscReal E[])
{
  PetscReal s = radius / t;

  for (PetscInt a = 1; a < d; a++) {
    for (PetscInt c = 1; c < d; c++) {
      PetscReal across = s * ((a == c ? 1 : 0) - tau[a] * tau[c] / (t * t));

      C[c * d + a] -= across;
      E[c * d + a] = rho * across;
    }
    if (moves) C[a] -= mu * tau[a] / t;
    if (moves && fresh) E[a] = rho * mu * tau[a] / t;
  }
}

/* F_n = r_n - max(r_n - rho z_n, 0), F_t = r_t - the ball of radius R nearest to r_t - rho z_t; F = r where
   the contact is open, which has the same zeros. */
static void alart(PetscInt d, PetscBool fresh, PetscReal mu, PetscReal rho, const PetscReal r[],
                  const PetscReal z[], PetscReal F[], PetscReal C[], PetscReal E[])
{
  PetscReal tau[3], t, radius;

  for (PetscInt a = 0; a < d; a++) tau[a] = r[a] - rho * z[a], F[a] = r[a];
  if (C) identity(d, C, E);
  if (tau[0] <= 0) return;
  radius = mu * (fresh ? tau[0] : PetscMax(r[0], 0));
  t = d == 3 ? hypot(tau[1], tau[2]) : fabs(tau[1]);
  F[0] = rho * z[0];
  for (PetscInt a = 1; a < d; a++) F[a] -= t <= radius ? tau[a] : radius * tau[a] / t;
  if (!C) return;
  C[0] = 0, E[0] = rho;
  if (t > radius) {
    alart_slip(d, mu, rho, radius, fresh || r[0] > 0, fresh, tau, t, C, E);
    return;
  }
  for (PetscInt a = 1; a < d; a++) C[a * d + a] = 0, E[a * d + a] = rho;
}

PetscReal ConeMapResidual(const ConeSystem *s, ConeMap map, const PetscReal r[],
                          const PetscReal z[], PetscReal F[], PetscReal C[], PetscReal E[])
{
  const PetscInt d = s->dim, d2 = d * d;
  PetscReal      sum = 0;

  for (PetscInt i = 0; i < s->n; i++) {
    const PetscReal *ri = r + i * s->stride, *zi = z + i * s->stride;
    PetscReal       *Fi = F + i * d, *Ci = C ? C + i * d2 : NULL, *Ei = E ? E + i * d2 : NULL;

    if (!(s->diagonal[i * d2] > 0)) { /* nothing moves: r = 0, as in the sweeps */
      for (PetscInt a = 0; a < d; a++) Fi[a] = ri[a];
      if (C) identity(d, Ci, Ei);
    } else if (map == CONE_NATURAL)
      natural(d, s->mu[i], s->rho[i], ri, zi, Fi, Ci, Ei);
    else
      alart(d, map == CONE_ALART_NEW, s->mu[i], s->rho[i], ri, zi, Fi, Ci, Ei);
    for (PetscInt a = 0; a < d; a++) sum += Fi[a] * Fi[a];
  }
  return sqrt(sum);
}

/* ---- the linear system --------------------------------------------------------------------- */

/* Open contacts have E = 0: their step is -F, known. */
static PetscInt find_active(const ConeSystem *s, ConeNewtonWork *w)
{
  const PetscInt d2 = s->dim * s->dim;
  PetscInt       n = 0;

  for (PetscInt i = 0; i < s->n; i++) {
    PetscBool open = PETSC_TRUE;

    for (PetscInt a = 0; a < d2; a++)
      if (w->E.data[i * d2 + a] != 0) open = PETSC_FALSE;
    w->number.data[i] = open ? -1 : n;
    if (!open) w->active.data[n++] = i;
  }
  return n;
}

/* A = E W, dim x dim; W's column c begins at c * stride */
CONE_INLINE void multiply(const PetscInt d, const PetscInt stride, const PetscReal E[],
                          const PetscReal W[], PetscReal A[])
{
  for (PetscInt c = 0; c < d; c++)
    for (PetscInt a = 0; a < d; a++) {
      PetscReal sum = 0;

      for (PetscInt m = 0; m < d; m++) sum += E[m * d + a] * W[c * stride + m];
      A[c * d + a] = sum;
    }
}

/* A_ii += C_i + E_i (shift + regularisation / rho_i) */
static void add_diagonal(const ConeSystem *s, const ConeNewtonWork *w, PetscInt i,
                         PetscReal regularisation, PetscReal A[])
{
  const PetscInt d2 = s->dim * s->dim;
  PetscReal      more = regularisation / s->rho[i] + (s->shift ? s->shift[i] : 0);

  for (PetscInt a = 0; a < d2; a++) A[a] += w->C.data[i * d2 + a] + more * w->E.data[i * d2 + a];
}

/* Row of contact i, number k: blocks of active columns; the others, with their known steps, go to the right. */
static PetscInt assemble_row(const ConeSystem *s, ConeNewtonWork *w, PetscInt i, PetscInt at,
                             PetscReal regularisation, PetscReal rhs[])
{
  const PetscInt d = s->dim, d2 = d * d;
  PetscReal     *E = w->E.data + i * d2;

  for (PetscInt k = s->row[i]; k < s->row[i + 1]; k++) {
    PetscInt  j = s->col[k], number = w->number.data[j];
    PetscReal known[9], *A = number < 0 ? known : w->A.data + d2 * at;

    if (d == 3)
      multiply(3, 4, E, s->block + 12 * k, A);
    else
      multiply(2, 2, E, s->block + 4 * k, A);
    if (number < 0) {
      for (PetscInt c = 0; c < d; c++)
        for (PetscInt a = 0; a < d; a++) rhs[a] += A[c * d + a] * w->F.data[j * d + c];
      continue;
    }
    if (j == i) add_diagonal(s, w, i, regularisation, A);
    w->col.data[at++] = number;
  }
  return at;
}

static void assemble(const ConeSystem *s, ConeNewtonWork *w, PetscInt n, PetscReal regularisation)
{
  PetscInt at = 0;

  for (PetscInt k = 0; k < n; k++) {
    PetscReal *rhs = w->rhs.data + k * s->dim;
    PetscInt   i = w->active.data[k];

    for (PetscInt a = 0; a < s->dim; a++) rhs[a] = -w->F.data[i * s->dim + a];
    w->row.data[k] = at;
    at = assemble_row(s, w, i, at, regularisation, rhs);
  }
  w->row.data[n] = at;
}

/* residual = rhs - A x */
static void residual(const ConeNewtonWork *w, PetscInt d, PetscInt n, const PetscReal x[])
{
  for (PetscInt k = 0; k < n; k++) {
    PetscReal *y = w->residual.data + k * d;

    for (PetscInt a = 0; a < d; a++) y[a] = w->rhs.data[k * d + a];
    for (PetscInt m = w->row.data[k]; m < w->row.data[k + 1]; m++)
      for (PetscInt c = 0; c < d; c++)
        for (PetscInt a = 0; a < d; a++)
          y[a] -= w->A.data[m * d * d + c * d + a] * x[w->col.data[m] * d + c];
  }
}

/* The order depends on the active set alone, which soon stops changing. */
static PetscErrorCode order(ConeNewtonWork *w, PetscInt n)
{
  size_t bytes = (size_t)n * sizeof(PetscInt);

  PetscFunctionBeginUser;
  if (w->nprevious == n && !memcmp(w->previous.data, w->active.data, bytes))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ConeLUOrder(&w->lu, n, w->row.data, w->col.data));
  memcpy(w->previous.data, w->active.data, bytes);
  w->nprevious = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* step (dim reals per contact) from F, C, E; *solved is false if the matrix would be too large. */
static PetscErrorCode newton_step(const ConeSystem *s, ConeNewtonWork *w, PetscReal regularisation,
                                  PetscBool *solved)
{
  const PetscInt d = s->dim, n = find_active(s, w);
  PetscReal     *x = w->trial.data; /* free until the line search */

  PetscFunctionBeginUser;
  *solved = n <= CONE_MOST_ACTIVE;
  for (PetscInt k = 0; k < s->n * d; k++) w->step.data[k] = -w->F.data[k];
  if (!*solved || n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  assemble(s, w, n, regularisation);
  PetscCall(order(w, n));
  PetscCall(ConeLUFactor(&w->lu, d, w->row.data, w->col.data, w->A.data));
  ConeLUSolve(&w->lu, w->rhs.data, x);
  residual(w, d, n, x); /* one step of refinement */
  ConeLUSolve(&w->lu, w->residual.data, w->residual.data);
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt a = 0; a < d; a++)
      w->step.data[w->active.data[k] * d + a] = x[k * d + a] + w->residual.data[k * d + a];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the iteration ------------------------------------------------------------------------- */

static void move(const ConeSystem *s, const ConeNewtonWork *w, PetscReal length,
                 const PetscReal r[], PetscReal to[])
{
  for (PetscInt i = 0; i < s->n; i++)
    for (PetscInt a = 0; a < s->dim; a++)
      to[i * s->stride + a] = r[i * s->stride + a] + length * w->step.data[i * s->dim + a];
}

/* Step 1, 1/2, ... until |F| is below the greatest of the last few; the last trial is taken even if it is
   not, since that escapes cycles and the best iterate is kept elsewhere. */
static PetscReal line_search(const ConeSystem *s, ConeNewtonWork *w, const ConePlan *plan,
                             PetscReal limit, PetscReal r[])
{
  PetscReal length = 1, norm = 0;

  for (PetscInt k = 0; k <= plan->halvings; k++, length *= 0.5) {
    move(s, w, length, r, w->trial.data);
    ConeProduct(s, w->trial.data, w->z.data);
    norm = ConeMapResidual(s, plan->map, w->trial.data, w->z.data, w->F.data, NULL, NULL);
    if (norm <= (1 - 1e-4 * length) * limit) break;
  }
  memcpy(r, w->trial.data, (size_t)(s->n * s->stride) * sizeof *r);
  return norm;
}

static PetscErrorCode fit(const ConeSystem *s, ConeNewtonWork *w)
{
  const PetscInt n = s->n, d = s->dim, size = n * s->stride, nb = s->row[n];

  PetscFunctionBeginUser;
  PetscCall(ConeRealsFit(&w->F, n * d));
  PetscCall(ConeRealsFit(&w->C, n * d * d));
  PetscCall(ConeRealsFit(&w->E, n * d * d));
  PetscCall(ConeRealsFit(&w->step, n * d));
  PetscCall(ConeRealsFit(&w->rhs, n * d));
  PetscCall(ConeRealsFit(&w->residual, n * d));
  PetscCall(ConeRealsFit(&w->trial, size));
  PetscCall(ConeRealsFit(&w->z, size));
  PetscCall(ConeRealsFit(&w->best, size));
  PetscCall(ConeRealsFit(&w->A, nb * d * d));
  PetscCall(ConeIntsFit(&w->active, n));
  PetscCall(ConeIntsFit(&w->previous, n));
  PetscCall(ConeIntsFit(&w->number, n));
  PetscCall(ConeIntsFit(&w->row, n + 1));
  PetscCall(ConeIntsFit(&w->col, nb));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal greatest(PetscInt n, const PetscReal x[])
{
  PetscReal most = 0;

  for (PetscInt k = 0; k < n; k++) most = PetscMax(most, x[k]);
  return most;
}

PetscErrorCode ConeNewton(const ConeSystem *s, const CrConeOptions *o, ConeNewtonWork *w,
                          const ConePlan *plan, PetscReal goal, PetscReal r[], ConeError *error,
                          PetscInt *iterations)
{
  const size_t bytes = (size_t)(s->n * s->stride) * sizeof *r;
  PetscReal    norms[MEMORY] = {0};
  PetscBool    solved;

  PetscFunctionBeginUser;
  PetscCall(fit(s, w));
  memset(w->trial.data, 0, bytes); /* paddings stay zero */
  *error = ConeMeasure(s, o, r, w->z.data, NULL);
  memcpy(w->best.data, r, bytes);
  for (PetscInt k = 0; k < plan->most && error->judged > goal; k++) {
    ConeError now;

    norms[k % MEMORY] =
        ConeMapResidual(s, plan->map, r, w->z.data, w->F.data, w->C.data, w->E.data);
    PetscCall(newton_step(s, w, plan->regularisation, &solved));
    if (!solved) break;
    ++*iterations;
    memset(w->trial.data, 0, bytes);
    line_search(s, w, plan, greatest(PetscMin(k + 1, MEMORY), norms), r);
    now = ConeMeasure(s, o, r, w->z.data, NULL);
    if (now.judged == PETSC_MAX_REAL) break;
    if (now.judged < error->judged) *error = now, memcpy(w->best.data, r, bytes);
  }
  memcpy(r, w->best.data, bytes);
  PetscFunctionReturn(PETSC_SUCCESS);
}
