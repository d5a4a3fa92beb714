/* Solves one contact: the functions of local.h that are rarely needed. */
#include "cone/internal.h"
#include "cone/local.h"

void ConeLocalProjections(PetscInt dim, const PetscReal B[], PetscReal mu, PetscReal rho,
                          const PetscReal b[], PetscReal r[])
{
  for (int k = 0; k < 100; k++) {
    PetscReal z[3], tau[3], change = 0, size = 0, old[3];

    for (PetscInt a = 0; a < dim; a++) old[a] = r[a];
    cone_affine(dim, B, r, b, z);
    cone_predict(dim, mu, rho, r, z, tau);
    cone_project(dim, mu, tau, r);
    for (PetscInt a = 0; a < dim; a++)
      change = PetscMax(change, fabs(r[a] - old[a])), size = PetscMax(size, fabs(r[a]));
    if (change <= 1e-15 * size) return;
  }
}

static PetscBool falls(const PetscReal B[], PetscReal mu, const PetscReal b[], const PetscReal e[2])
{
  PetscReal f, slope, dot;

  cone_slip(B, mu, b, e, &f, &slope, &dot);
  return f < 0;
}

/* An upward change of sign of f between two angles, halved; is it a root that opposes w? */
static PetscBool bisect(const PetscReal B[], PetscReal mu, const PetscReal b[], PetscReal low,
                        PetscReal high, PetscReal e[2])
{
  PetscReal f, slope, dot, D;

  for (int k = 0; k < 12; k++) {
    PetscReal middle = 0.5 * (low + high);

    e[0] = cos(middle), e[1] = sin(middle);
    if (falls(B, mu, b, e))
      low = middle;
    else
      high = middle;
  }
  D = cone_slip(B, mu, b, e, &f, &slope, &dot);
  return dot <= 0 && D > 0;
}

PetscBool ConeScanDirection(const PetscReal B[], PetscReal mu, const PetscReal b[], PetscReal e[2])
{
  const int       n = 24;
  const PetscReal step = 2 * PETSC_PI / n;
  PetscBool       was, is;

  e[0] = 1, e[1] = 0;
  was = falls(B, mu, b, e);
  for (int k = 1; k <= n; k++) {
    e[0] = cos(k * step), e[1] = sin(k * step);
    is = falls(B, mu, b, e);
    if (was && !is && bisect(B, mu, b, (k - 1) * step, k * step, e)) return PETSC_TRUE;
    was = is;
  }
  return PETSC_FALSE;
}

/* Greatest eigenvalue of the symmetric part, in closed form: Smith's trigonometric one in 3D. */
static PetscReal greatest_eigenvalue(PetscInt dim, const PetscReal B[])
{
  PetscReal a, b, c, x, y, z, mean, p, det;

  if (dim == 2) {
    mean = 0.5 * (B[0] + B[3]), a = 0.5 * (B[0] - B[3]), b = 0.5 * (B[1] + B[2]);
    return mean + sqrt(a * a + b * b);
  }
  mean = (B[0] + B[4] + B[8]) / 3;
  a = B[0] - mean, b = B[4] - mean, c = B[8] - mean;
  x = 0.5 * (B[1] + B[3]), y = 0.5 * (B[2] + B[6]), z = 0.5 * (B[5] + B[7]);
  p = sqrt((a * a + b * b + c * c + 2 * (x * x + y * y + z * z)) / 6);
  if (!(p > 0)) return mean;
  det = (a * (b * c - z * z) - x * (x * c - z * y) + y * (x * z - b * y)) / (2 * p * p * p);
  return mean + 2 * p * cos(acos(PetscMax(-1, PetscMin(1, det))) / 3);
}

PetscReal CrConeRho(PetscInt dim, const PetscReal B[])
{
  PetscReal lambda = greatest_eigenvalue(dim, B);

  return lambda > 0 && lambda < PETSC_MAX_REAL ? 1 / lambda : 1;
}

static void invert_2d(const PetscReal B[], PetscReal X[])
{
  PetscReal det = B[0] * B[3] - B[1] * B[2];

  if (!(fabs(det) > 1e-13 * fabs(B[0] * B[3]))) return;
  X[0] = B[3] / det, X[1] = -B[1] / det, X[2] = -B[2] / det, X[3] = B[0] / det;
}

static void invert_3d(const PetscReal B[], PetscReal X[])
{
  PetscReal a = B[4] * B[8] - B[5] * B[7], b = B[5] * B[6] - B[3] * B[8];
  PetscReal c = B[3] * B[7] - B[4] * B[6], det = B[0] * a + B[1] * b + B[2] * c;

  if (!(fabs(det) > 1e-13 * fabs(B[0] * B[4] * B[8]))) return;
  X[0] = a / det, X[3] = b / det, X[6] = c / det;
  X[1] = (B[2] * B[7] - B[1] * B[8]) / det, X[4] = (B[0] * B[8] - B[2] * B[6]) / det;
  X[7] = (B[1] * B[6] - B[0] * B[7]) / det, X[2] = (B[1] * B[5] - B[2] * B[4]) / det;
  X[5] = (B[2] * B[3] - B[0] * B[5]) / det, X[8] = (B[0] * B[4] - B[1] * B[3]) / det;
}

/* Zeros where the block is singular: then stick is not tried. */
static void invert_block(PetscInt dim, const PetscReal B[], PetscReal X[])
{
  for (PetscInt k = 0; k < dim * dim; k++) X[k] = 0;
  if (dim == 2)
    invert_2d(B, X);
  else
    invert_3d(B, X);
}

void ConeInvertDiagonal(ConeSystem *s)
{
  const PetscInt d2 = s->dim * s->dim;

  for (PetscInt i = 0; i < s->n; i++) {
    invert_block(s->dim, s->diagonal + i * d2, s->inverse + i * d2);
    s->rho[i] = CrConeRho(s->dim, s->diagonal + i * d2);
  }
}

void CrConeProject(PetscInt dim, PetscReal mu, const PetscReal tau[], PetscReal r[])
{
  cone_project(dim, mu, tau, r);
}

void CrConeLocalSolve(PetscInt dim, const PetscReal B[], PetscReal mu, const PetscReal b[],
                      PetscReal r[])
{
  PetscReal inverse[9];

  invert_block(dim, B, inverse);
  if (dim == 2)
    cone_local(2, B, inverse, mu, CrConeRho(2, B), b, r);
  else
    cone_local(3, B, inverse, mu, CrConeRho(3, B), b, r);
}
