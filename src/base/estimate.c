/* Orders, limits and errors of sequences. */
#include "base/estimate.h"
#include <math.h>

#define SAFETY   1.25 /* where the order can be believed (Roache) */
#define CARE     3.   /* where it cannot */
#define LEAST    0.5  /* orders that can be believed */
#define GREATEST 3.
#define ROUNDING 1e-11
#define FEW      0.01 /* of the value: converged */
#define GROWS    1.2

/* Least squares of log|difference| over the level; the scatter is the standard error of the slope. */
static void find_order(PetscInt n, const PetscReal values[], PetscReal ratio, CrEstimate *e)
{
  const PetscInt m = n - 1; /* differences */
  PetscReal      x = (m - 1) / 2., y = 0, xx = 0, xy = 0, rest = 0;

  for (PetscInt k = 0; k < m; k++) y += PetscLogReal(PetscAbsReal(values[k + 1] - values[k])) / m;
  for (PetscInt k = 0; k < m; k++) {
    PetscReal d = PetscLogReal(PetscAbsReal(values[k + 1] - values[k])) - y;

    xx += (k - x) * (k - x);
    xy += (k - x) * d;
  }
  e->order = -xy / xx / PetscLogReal(ratio);
  if (m < 3) return;
  for (PetscInt k = 0; k < m; k++) {
    PetscReal d = PetscLogReal(PetscAbsReal(values[k + 1] - values[k])) - y - xy / xx * (k - x);

    rest += d * d;
  }
  e->scatter = PetscSqrtReal(rest / (m - 2) / xx) / PetscLogReal(ratio);
}

static PetscBool is_monotonic(PetscInt n, const PetscReal values[])
{
  for (PetscInt k = 2; k < n; k++)
    if (!((values[k] - values[k - 1]) * (values[k - 1] - values[k - 2]) > 0)) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Greatest distance among the values from the level before k on. Where differences do not fall, a level is not known
   to be better than the one before it, and two levels may agree by accident: no error is below the spread of all. */
static PetscReal spread(PetscInt n, const PetscReal values[], PetscInt k)
{
  PetscReal low = values[n - 1], high = low;

  for (k = PetscMax(k - 1, 0); k < n; k++) {
    low = PetscMin(low, values[k]);
    high = PetscMax(high, values[k]);
  }
  return high - low;
}

/* Do differences stand out from the grains of their values? */
static PetscBool is_fine(PetscInt n, const PetscReal values[], const PetscReal grains[])
{
  for (PetscInt k = 1; grains && k < n; k++)
    if (PetscAbsReal(values[k] - values[k - 1]) < grains[k - 1] + grains[k]) return PETSC_FALSE;
  return PETSC_TRUE;
}

static CrEstimateWord find_word(PetscInt n, const PetscReal values[], PetscReal base,
                                PetscBool good, const CrEstimate *e)
{
  PetscReal first = n > 2 ? PetscAbsReal(values[1] - values[0]) : 0;
  PetscReal last = n > 2 ? PetscAbsReal(values[n - 1] - values[n - 2]) : 0;

  if (e->errors[0] <= FEW * base) return CR_ESTIMATE_CONVERGED;
  if (good) return CR_ESTIMATE_CONVERGING;
  return last > GROWS * first ? CR_ESTIMATE_DIVERGING : CR_ESTIMATE_NOISY;
}

void CrEstimateMake(PetscInt n, const PetscReal values[], const PetscReal grains[], PetscReal ratio,
                    PetscReal scale, CrEstimate *e)
{
  PetscReal base, all = spread(n, values, 0);
  PetscBool good = PETSC_FALSE, round;

  *e = (CrEstimate){.order = NAN, .scatter = NAN, .limit = values[n - 1]};
  round = all <= ROUNDING * PetscMax(PetscAbsReal(e->limit), scale) ? PETSC_TRUE : PETSC_FALSE;
  if (n > 2 && !round && is_monotonic(n, values) && is_fine(n, values, grains)) {
    find_order(n, values, ratio, e);
    good = e->order >= LEAST && e->order <= GREATEST ? PETSC_TRUE : PETSC_FALSE;
  }
  if (good) e->limit += (values[n - 1] - values[n - 2]) / (PetscPowReal(ratio, e->order) - 1);
  for (PetscInt k = 0; k < n; k++)
    e->errors[k] = good ? SAFETY * PetscAbsReal(values[k] - e->limit)
                        : PetscMax(CARE * spread(n, values, k), all);
  for (PetscInt k = 0; grains && k < n; k++) e->errors[k] = PetscMax(e->errors[k], grains[k]);
  base = PetscMax(PetscAbsReal(e->limit), scale);
  e->word = find_word(n, values, base, good, e);
  e->digits = base == 0 || e->errors[0] <= ROUNDING * base
                  ? 12
                  : (PetscInt)PetscMax(0, PetscMin(12, -log10(e->errors[0] / base)));
}

const char *CrEstimateText(CrEstimateWord word)
{
  static const char *const words[] = {"converged", "converging", "noisy", "diverging"};

  return words[word];
}
