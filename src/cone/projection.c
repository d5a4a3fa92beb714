/* The projection Gauss-Seidel method of the bi-potential papers: predictor tau = r - rho (z + mu |z_t| n), corrector r
   = P_K(tau), a few times per contact and sweep. The printed value of rho, 1 over the smallest stiffness, does not
   converge for blocks that are not a multiple of I. Here rho begins at 1/lambda_max and depends on the measured
   Lipschitz quotient rho |F(r') - F(r)| / |r' - r|, with F(r) = z + mu |z_t| n. If the quotient is above 0.9, the
   projection is repeated with a smaller rho. If it is below 0.3, rho grows. Each contact has its own rho. */
#include <string.h>
#include "cone/internal.h"
#include "cone/local.h"

#define VISITS 20 /* projections per contact and sweep */

static PetscReal distance(PetscInt dim, const PetscReal x[], const PetscReal y[])
{
  PetscReal sum = 0;

  for (PetscInt a = 0; a < dim; a++) sum += (x[a] - y[a]) * (x[a] - y[a]);
  return sqrt(sum);
}

/* F(r) = z + mu |z_t| n, z = B r + b */
static void field(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                  const PetscReal r[], PetscReal F[])
{
  cone_affine(dim, B, r, b, F);
  F[0] += mu * (dim == 3 ? sqrt(F[1] * F[1] + F[2] * F[2]) : fabs(F[1]));
}

/* One accepted projection; returns how far r moved. */
static PetscReal project_once(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                              PetscReal *rho, PetscReal r[])
{
  PetscReal F[3], F1[3], tau[3], r1[3], moved = 0, ratio;

  field(dim, B, mu, b, r, F);
  for (int k = 0; k < 30; k++) {
    for (PetscInt a = 0; a < dim; a++) tau[a] = r[a] - *rho * F[a];
    cone_project(dim, mu, tau, r1);
    moved = distance(dim, r1, r);
    if (moved == 0) break;
    field(dim, B, mu, b, r1, F1);
    ratio = *rho * distance(dim, F1, F) / moved;
    if (ratio <= 0.9) {
      if (ratio < 0.3) *rho *= 1.5;
      break;
    }
    *rho *= 2. / 3 * PetscMin(1, 1 / ratio);
  }
  for (PetscInt a = 0; a < dim; a++) r[a] = r1[a];
  return moved;
}

static void visit(const ConeSystem *s, PetscInt i, PetscReal *rho, PetscReal r[])
{
  PetscReal b[3], zero[3] = {0}, *ri = r + i * s->stride;

  if (!(s->diagonal[i * s->dim * s->dim] > 0)) { /* nothing moves: no reaction helps */
    for (PetscInt a = 0; a < s->dim; a++) ri[a] = 0;
    return;
  }
  ConeRowRest(s, i, r, b);
  for (int k = 0; k < VISITS; k++) {
    PetscReal moved = project_once(s->dim, s->diagonal + i * s->dim * s->dim, s->mu[i], b, rho, ri);

    if (moved <= 1e-14 * distance(s->dim, ri, zero)) break;
  }
}

static PetscErrorCode solve(const ConeSystem *s, const CrConeOptions *o, ConeWork *w, PetscReal r[],
                            ConeOutcome *out)
{
  PetscFunctionBeginUser;
  memcpy(w->rho.data, s->rho, (size_t)s->n * sizeof(PetscReal));
  out->error = ConeMeasure(s, o, r, w->z.data, NULL);
  while (out->error.judged > o->tolerance && out->sweeps < o->max_sweeps) {
    for (PetscInt i = 0; i < s->n; i++) visit(s, i, &w->rho.data[i], r);
    out->sweeps++;
    out->error = ConeMeasure(s, o, r, w->z.data, NULL);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

const ConeSolver ConeProjection = {
    "projection",
    "Gauss-Seidel sweeps that project contact forces on the friction cone, with a parameter adapted to each contact (the bi-potential method)",
    PETSC_FALSE, solve};
