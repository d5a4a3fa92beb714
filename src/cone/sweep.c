/* Gauss-Seidel sweeps, products with W, the two error measures, and a solver that uses only sweeps. The loops over
   blocks are compiled twice, with and without AVX2. */
#include <string.h>
#include "base/isa.h"
#include "cone/internal.h"
#include "cone/local.h"

typedef PetscReal Four __attribute__((vector_size(32), aligned(8))); /* loads need no alignment */
typedef PetscReal Two __attribute__((vector_size(16), aligned(8)));

/* ---- rows ---------------------------------------------------------------------------------- */

/* b = q_i + sum_j W_ij r_j. Three accumulators in 3D: the additions do not wait for one another. */
CONE_INLINE void row_3d(const ConeSystem *s, PetscInt i, const PetscReal r[], PetscReal b[])
{
  Four b0 = *(const Four *)(s->q + 4 * i), b1 = {0}, b2 = {0};

  for (PetscInt k = s->row[i]; k < s->row[i + 1]; k++) {
    const PetscReal *W = s->block + 12 * k, *x = r + 4 * s->col[k];

    b0 += *(const Four *)W * x[0];
    b1 += *(const Four *)(W + 4) * x[1];
    b2 += *(const Four *)(W + 8) * x[2];
  }
  *(Four *)b = b0 + (b1 + b2);
}

CONE_INLINE void row_2d(const ConeSystem *s, PetscInt i, const PetscReal r[], PetscReal b[])
{
  Two b0 = *(const Two *)(s->q + 2 * i), b1 = {0};

  for (PetscInt k = s->row[i]; k < s->row[i + 1]; k++) {
    const PetscReal *W = s->block + 4 * k, *x = r + 2 * s->col[k];

    b0 += *(const Two *)W * x[0];
    b1 += *(const Two *)(W + 2) * x[1];
  }
  *(Two *)b = b0 + b1;
}

CONE_INLINE void row_any(const ConeSystem *s, PetscInt i, const PetscReal r[], PetscReal b[])
{
  if (s->dim == 3)
    row_3d(s, i, r, b);
  else
    row_2d(s, i, r, b);
}

void ConeRowRest(const ConeSystem *s, PetscInt i, PetscReal r[], PetscReal b[])
{
  PetscReal old[4], *ri = r + i * s->stride, all[4];

  for (PetscInt a = 0; a < s->dim; a++) old[a] = ri[a], ri[a] = 0;
  row_any(s, i, r, all);
  for (PetscInt a = 0; a < s->dim; a++) ri[a] = old[a], b[a] = all[a];
}

/* ---- sweeps -------------------------------------------------------------------------------- */

/* r_i = 0 while its row is summed: then no test for the diagonal block is needed, and the shift,
   which lives in the diagonal, needs no care either. */
CONE_INLINE void sweep_3d(const ConeSystem *s, PetscReal r[])
{
  for (PetscInt i = 0; i < s->n; i++) {
    PetscReal *ri = r + 4 * i, b[4], x[3] = {ri[0], ri[1], ri[2]};

    ri[0] = ri[1] = ri[2] = 0;
    row_3d(s, i, r, b);
    cone_local(3, s->diagonal + 9 * i, s->inverse + 9 * i, s->mu[i], s->rho[i], b, x);
    ri[0] = x[0], ri[1] = x[1], ri[2] = x[2];
  }
}

CONE_INLINE void sweep_2d(const ConeSystem *s, PetscReal r[])
{
  for (PetscInt i = 0; i < s->n; i++) {
    PetscReal *ri = r + 2 * i, b[2], x[2] = {ri[0], ri[1]};

    ri[0] = ri[1] = 0;
    row_2d(s, i, r, b);
    cone_local(2, s->diagonal + 4 * i, s->inverse + 4 * i, s->mu[i], s->rho[i], b, x);
    ri[0] = x[0], ri[1] = x[1];
  }
}

static CR_TARGET_WIDE void sweep_wide(const ConeSystem *s, PetscReal r[])
{
  if (s->dim == 3)
    sweep_3d(s, r);
  else
    sweep_2d(s, r);
}

static void sweep_baseline(const ConeSystem *s, PetscReal r[])
{
  if (s->dim == 3)
    sweep_3d(s, r);
  else
    sweep_2d(s, r);
}

void ConeSweep(const ConeSystem *s, PetscReal r[])
{
  if (CrIsaGet() == CR_ISA_BASELINE)
    sweep_baseline(s, r);
  else
    sweep_wide(s, r);
}

/* ---- products ------------------------------------------------------------------------------ */

CONE_INLINE void product_blocks(const ConeSystem *s, const PetscReal r[], PetscReal z[])
{
  if (s->dim == 3)
    for (PetscInt i = 0; i < s->n; i++) row_3d(s, i, r, z + 4 * i);
  else
    for (PetscInt i = 0; i < s->n; i++) row_2d(s, i, r, z + 2 * i);
}

static CR_TARGET_WIDE void product_wide(const ConeSystem *s, const PetscReal r[], PetscReal z[])
{
  product_blocks(s, r, z);
}

void ConeProduct(const ConeSystem *s, const PetscReal r[], PetscReal z[])
{
  if (CrIsaGet() == CR_ISA_BASELINE)
    product_blocks(s, r, z);
  else
    product_wide(s, r, z);
  if (s->shift)
    for (PetscInt i = 0; i < s->n; i++)
      for (PetscInt a = 0, k = i * s->stride; a < s->dim; a++) z[k + a] += s->shift[i] * r[k + a];
}

/* ---- measures ------------------------------------------------------------------------------ */

typedef struct {
  PetscReal q, r, z, rhoq, eps, eta; /* squares of norms */
} Sums;

CONE_INLINE void add_contact(const PetscInt dim, const ConeSystem *s, PetscInt i,
                             const PetscReal r[], const PetscReal z[], Sums *sum, PetscReal *part)
{
  const PetscReal *q = s->q + i * s->stride, rho = s->rho[i], mu = s->mu[i];
  PetscReal        tau[3], p[3], old = sum->eta;

  cone_predict(dim, mu, 1, r, z, tau);
  cone_project(dim, mu, tau, p);
  for (PetscInt a = 0; a < dim; a++) {
    sum->eps += (r[a] - p[a]) * (r[a] - p[a]);
    sum->q += q[a] * q[a], sum->r += r[a] * r[a], sum->z += z[a] * z[a];
    sum->rhoq += rho * rho * q[a] * q[a];
  }
  cone_predict(dim, mu, rho, r, z, tau);
  cone_project(dim, mu, tau, p);
  for (PetscInt a = 0; a < dim; a++) sum->eta += (r[a] - p[a]) * (r[a] - p[a]);
  *part = sum->eta - old;
}

/* Quantities that are all round-off of zero are judged as they are. */
static PetscReal quotient(PetscReal square, PetscReal scale)
{
  return scale > PETSC_MACHINE_EPSILON ? sqrt(square) / scale : sqrt(square);
}

ConeError ConeMeasure(const ConeSystem *s, const CrConeOptions *o, const PetscReal r[],
                      PetscReal z[], PetscInt *worst)
{
  Sums      sum = {0};
  ConeError e;
  PetscReal part, most = -1;

  ConeProduct(s, r, z);
  for (PetscInt i = 0; i < s->n; i++) {
    if (s->dim == 3)
      add_contact(3, s, i, r + i * s->stride, z + i * s->stride, &sum, &part);
    else
      add_contact(2, s, i, r + i * s->stride, z + i * s->stride, &sum, &part);
    if (worst && part > most) most = part, *worst = i;
  }
  e.eps = quotient(sum.eps, PetscMax(s->floor, sqrt(PetscMax(sum.q, PetscMax(sum.r, sum.z)))));
  e.eta = sum.eta > 0 ? sqrt(sum.eta / (sum.r > 0 ? sum.r : sum.rhoq)) : 0;
  if (sum.r == 0 && sum.rhoq == 0) e.eta = sqrt(sum.eta);
  e.judged = e.eps;
  if (o->tolerance_scaled > 0)
    e.judged = PetscMax(e.judged, e.eta * o->tolerance / o->tolerance_scaled);
  if (!(e.judged < PETSC_MAX_REAL)) e.judged = PETSC_MAX_REAL; /* not a number: worse than any */
  return e;
}

void ConeProjectAll(const ConeSystem *s, PetscReal r[])
{
  for (PetscInt i = 0; i < s->n; i++)
    CrConeProject(s->dim, s->mu[i], r + i * s->stride, r + i * s->stride);
}

/* ---- the solver that only sweeps ----------------------------------------------------------- */

static PetscErrorCode solve(const ConeSystem *s, const CrConeOptions *o, ConeWork *w, PetscReal r[],
                            ConeOutcome *out)
{
  PetscFunctionBeginUser;
  out->error = ConeMeasure(s, o, r, w->z.data, NULL);
  while (out->error.judged > o->tolerance && out->sweeps < o->max_sweeps) {
    ConeSweep(s, r);
    out->sweeps++;
    out->error = ConeMeasure(s, o, r, w->z.data, NULL);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const ConeSolver ConeGaussSeidel = {
    "gauss-seidel",
    "Gauss-Seidel sweeps, which solve one contact after the other exactly; very slow for stacks of bodies",
    PETSC_FALSE, solve};
