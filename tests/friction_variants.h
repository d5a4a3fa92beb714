/* Changed copies of a stored friction problem, for the race and for the tests: similar to the stored problem, but no
   solver setting can have been fitted to these copies. A problem has a matrix W, a vector q and friction coefficients
   mu. If noise is added to q or W alone, a stack of bodies with a rank-deficient W has no state of rest any more. Such
   problems are hard. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include "cone/internal.h"

typedef unsigned long long VariantSeed;

static PetscReal uniform(VariantSeed *seed) /* in (-1, 1) */
{
  *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (PetscReal)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Multiplies every q_k by 1 plus noise of size 1e-3. */
static void change_q(const ConeSystem *s, VariantSeed *seed)
{
  for (PetscInt k = 0; k < s->n * s->stride; k++) s->q[k] *= 1 + 1e-3 * uniform(seed);
}

/* Multiplies all mu by one factor, 10 to 30 % up or down. */
static void change_mu(const ConeSystem *s, VariantSeed *seed)
{
  PetscReal x = uniform(seed), by = x > 0 ? 1.1 + 0.2 * x : 0.9 + 0.2 * x;

  for (PetscInt i = 0; i < s->n; i++) s->mu[i] *= by;
}

/* Multiplies every mu by its own factor. */
static void change_each_mu(const ConeSystem *s, VariantSeed *seed)
{
  for (PetscInt i = 0; i < s->n; i++) s->mu[i] *= 1 + 0.3 * uniform(seed);
}

/* Changes the units: multiplies W by a power of ten between 0.1 and 10. */
static void scale_w(const ConeSystem *s, VariantSeed *seed)
{
  PetscReal by = pow(10, uniform(seed));

  for (PetscInt k = 0; k < s->row[s->n] * s->dim * s->stride; k++) s->block[k] *= by;
  for (PetscInt k = 0; k < s->n * s->dim * s->dim; k++) s->diagonal[k] *= by;
}

/* Row blocks of W by 1 + 1e-3 of noise: unsymmetric. `both`: rows and columns, as another mass would. */
static void scale_rows(const ConeSystem *s, VariantSeed *seed, PetscBool both)
{
  const PetscInt size = s->dim * s->stride, d2 = s->dim * s->dim;
  PetscReal     *by = malloc((size_t)s->n * sizeof *by);

  for (PetscInt i = 0; i < s->n; i++) by[i] = 1 + (both ? 0.1 : 1e-3) * uniform(seed);
  for (PetscInt i = 0; i < s->n; i++) {
    for (PetscInt k = s->row[i]; k < s->row[i + 1]; k++)
      for (PetscInt a = 0; a < size; a++)
        s->block[k * size + a] *= by[i] * (both ? by[s->col[k]] : 1);
    for (PetscInt a = 0; a < d2; a++) s->diagonal[i * d2 + a] *= by[i] * (both ? by[i] : 1);
  }
  free(by);
}

static void change_rows(const ConeSystem *s, VariantSeed *seed)
{
  scale_rows(s, seed, PETSC_FALSE);
}

static void change_rows_and_columns(const ConeSystem *s, VariantSeed *seed)
{
  scale_rows(s, seed, PETSC_TRUE);
}

/* q by 5 % of its norm in the range of W: a rank-deficient stack stays one that can be at rest. */
static void change_q_through_w(const ConeSystem *s, VariantSeed *seed)
{
  const size_t size = (size_t)(s->n * s->stride);
  PetscReal   *x = calloc(size, sizeof *x), *z = calloc(size, sizeof *z);
  PetscReal    qq = 0, zz = 0;

  for (PetscInt i = 0; i < s->n; i++)
    for (PetscInt a = 0; a < s->dim; a++) x[i * s->stride + a] = uniform(seed);
  ConeProduct(s, x, z);
  for (PetscInt k = 0; k < s->n * s->stride; k++)
    z[k] -= s->q[k], qq += s->q[k] * s->q[k], zz += z[k] * z[k];
  if (zz > 0)
    for (PetscInt k = 0; k < s->n * s->stride; k++) s->q[k] += 0.05 * sqrt(qq / zz) * z[k];
  free(x);
  free(z);
}

static const struct {
  const char *name;
  void (*change)(const ConeSystem *, VariantSeed *);
} variant_kinds[] = {{"q by 1e-3", change_q},
                     {"q by 5 % through W", change_q_through_w},
                     {"mu by 10 to 30 %", change_mu},
                     {"each mu by up to 30 %", change_each_mu},
                     {"W by 0.1 to 10", scale_w},
                     {"rows of W by 1e-3", change_rows},
                     {"rows and columns of W by 10 %", change_rows_and_columns}};

enum { VARIANT_KINDS = sizeof variant_kinds / sizeof *variant_kinds };

/* Copy k of a kind: the same numbers on every machine. */
static void variant_change(const ConeSystem *s, PetscInt kind, PetscInt k)
{
  VariantSeed seed = 7919ULL * (VariantSeed)(kind + 1) + 104729ULL * (VariantSeed)(k + 1);

  for (int warm = 0; warm < 20; warm++) uniform(&seed);
  variant_kinds[kind].change(s, &seed);
}
