/* Anderson mixing of sweeps (note (2) of cone.h). A ring buffer stores the last iterates and changes with their Gram
   matrix. Each sweep computes one new row of this matrix. All sums have a fixed order. */
#include <math.h>
#include <string.h>
#include "base/cholesky.h"
#include "cone/internal.h"

PetscErrorCode ConeMixStart(ConeMix *mix, PetscInt size)
{
  PetscFunctionBeginUser;
  mix->size = size;
  PetscCall(ConeRealsFit(&mix->G, CONE_WINDOW * size));
  PetscCall(ConeRealsFit(&mix->H, CONE_WINDOW * size));
  ConeMixForget(mix);
  mix->last = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void ConeMixForget(ConeMix *mix)
{
  mix->count = mix->next = 0;
}

/* Four partial sums: the additions do not wait for one another. Sizes are multiples of 2. */
static PetscReal dot(PetscInt n, const PetscReal x[], const PetscReal y[])
{
  PetscReal s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  PetscInt  k = 0;

  for (; k + 3 < n; k += 4)
    s0 += x[k] * y[k], s1 += x[k + 1] * y[k + 1], s2 += x[k + 2] * y[k + 2],
        s3 += x[k + 3] * y[k + 3];
  for (; k < n; k++) s0 += x[k] * y[k];
  return (s0 + s1) + (s2 + s3);
}

static void add_gram_row(ConeMix *mix, PetscInt at)
{
  for (PetscInt j = 0; j < mix->count; j++)
    mix->gram[at][j] = mix->gram[j][at] =
        dot(mix->size, mix->H.data + at * mix->size, mix->H.data + j * mix->size);
}

PetscReal ConeMixAdd(ConeMix *mix, const PetscReal from[], const PetscReal to[], PetscBool keep)
{
  PetscInt   at = mix->next;
  PetscReal *H = mix->H.data + at * mix->size, norm;

  for (PetscInt k = 0; k < mix->size; k++) H[k] = to[k] - from[k];
  norm = sqrt(dot(mix->size, H, H));
  if (keep && mix->count && norm > 2 * mix->last) { /* another regime: the past misleads */
    memmove(mix->H.data, H, (size_t)mix->size * sizeof *H);
    ConeMixForget(mix);
    at = 0;
  }
  mix->last = norm;
  if (!keep) return norm;
  memcpy(mix->G.data + at * mix->size, to, (size_t)mix->size * sizeof *to);
  mix->count = PetscMin(mix->count + 1, CONE_WINDOW);
  mix->next = (at + 1) % CONE_WINDOW;
  add_gram_row(mix, at);
  return norm;
}

/* Those that sum to 1 and make |sum b_j H_j| least: of the regularised Gram matrix, A \ 1. */
static PetscBool weights(const ConeMix *mix, PetscReal b[])
{
  PetscReal A[CONE_WINDOW][CONE_WINDOW], trace = 0, sum = 0;
  PetscInt  m = mix->count;

  for (PetscInt j = 0; j < m; j++) trace += mix->gram[j][j];
  if (!(trace > 0 && trace < PETSC_MAX_REAL)) return PETSC_FALSE;
  for (PetscInt i = 0; i < m; i++)
    for (PetscInt j = 0; j < m; j++) A[i][j] = mix->gram[i][j] / trace + (i == j ? 1e-12 : 0);
  for (PetscInt j = 0; j < m; j++) b[j] = 1;
  if (!CrCholeskySolve(m, CONE_WINDOW, A[0], b)) return PETSC_FALSE;
  for (PetscInt j = 0; j < m; j++) sum += b[j];
  if (!(fabs(sum) > 0 && fabs(sum) < PETSC_MAX_REAL)) return PETSC_FALSE;
  for (PetscInt j = 0; j < m; j++) b[j] /= sum;
  return PETSC_TRUE;
}

PetscBool ConeMixApply(ConeMix *mix, PetscReal r[])
{
  PetscReal b[CONE_WINDOW];

  if (mix->count < 2 || !weights(mix, b)) return PETSC_FALSE;
  for (PetscInt k = 0; k < mix->size; k++) {
    PetscReal sum = 0;

    for (PetscInt j = 0; j < mix->count; j++) sum += b[j] * mix->G.data[j * mix->size + k];
    r[k] = sum;
  }
  return PETSC_TRUE;
}
