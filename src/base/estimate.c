/* Estimates orders of convergence, limits and errors from the values on successive levels. */
#include "base/estimate.h"
#include <math.h>

#define SAFETY   1.25 /* where the order can be believed (R94) */
#define CARE     3.   /* where it cannot */
#define LEAST    0.5  /* orders that can be believed: no method here is of a higher order than 2 */
#define GREATEST 2.25
#define FLOOR    0.4 /* of the spread: an order that is not proved gives no smaller error */
#define EARLY    0.5 /* the same where the order is too high */
#define CALM     0.1 /* of the mean difference: scatter about the fit that proves an order */
#define ROUNDING 1e-11
#define FEW      0.01 /* of the value: converged */
#define GROWS    1.2

/* value = limit + part * ratio^(-order * level), and how well it fits. */
typedef struct {
  PetscReal order, limit, part;
  PetscReal scatter; /* of the values about the fit; 0 with three levels, which always fit */
} Fit;

/* ---- fits --------------------------------------------------------------------------------- */

static PetscReal weight(PetscReal ratio, PetscReal order, PetscInt level)
{
  return PetscPowReal(ratio, -order * (PetscReal)level);
}

/* Least squares of limit and part at a given order; returns the sum of squares that is left. */
static PetscReal fit_at(PetscInt n, const PetscReal values[], PetscReal ratio, Fit *fit)
{
  PetscReal x = 0, y = 0, xx = 0, xy = 0, rest = 0;

  for (PetscInt k = 0; k < n; k++) {
    x += weight(ratio, fit->order, k) / n;
    y += (values[k] - values[n - 1]) / n;
  }
  for (PetscInt k = 0; k < n; k++) {
    PetscReal d = weight(ratio, fit->order, k) - x;

    xx += d * d;
    xy += d * (values[k] - values[n - 1] - y);
  }
  fit->part = xy / xx;
  fit->limit = values[n - 1] + y - fit->part * x;
  for (PetscInt k = 0; k < n; k++) {
    PetscReal d = values[k] - fit->limit - fit->part * weight(ratio, fit->order, k);

    rest += d * d;
  }
  return rest;
}

/* Golden section of the order, between two that enclose the best one. */
static PetscReal narrow(PetscInt n, const PetscReal values[], PetscReal ratio, PetscReal low,
                        PetscReal high)
{
  const PetscReal golden = (PetscSqrtReal(5) - 1) / 2;

  for (int i = 0; i < 45; i++) {
    Fit a = {.order = high - golden * (high - low)}, b = {.order = low + golden * (high - low)};

    if (fit_at(n, values, ratio, &a) < fit_at(n, values, ratio, &b))
      high = b.order;
    else
      low = a.order;
  }
  return (low + high) / 2;
}

/* Four levels or more: the order that fits best (EH14), from 0.1 to 6; below it there is none. */
static void fit_many(PetscInt n, const PetscReal values[], PetscReal ratio, Fit *fit)
{
  PetscReal best = PETSC_MAX_REAL, order = 0;

  for (fit->order = 0.1; fit->order < 6.05; fit->order += 0.1) {
    PetscReal rest = fit_at(n, values, ratio, fit);

    if (rest >= best) continue;
    best = rest;
    order = fit->order;
  }
  fit->order = narrow(n, values, ratio, PetscMax(order - 0.1, 0.05), order + 0.1);
  fit->scatter = PetscSqrtReal(fit_at(n, values, ratio, fit) / (n - 3));
  if (fit->order < 0.1) fit->order = NAN;
}

/* Three levels: the order of the two differences (Richardson). It may be negative. */
static void fit_three(const PetscReal values[], PetscReal ratio, Fit *fit)
{
  PetscReal first = values[1] - values[0], last = values[2] - values[1];

  fit->order = PetscLogReal(first / last) / PetscLogReal(ratio);
  fit->limit = values[2] + last / (first / last - 1);
  fit->part = values[0] - fit->limit;
}

/* ---- what sequences look like ------------------------------------------------------------- */

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

/* CONVERGING, NOISY or EARLY; the others follow from errors. Finds the fit, if there is an order at all. */
static CrEstimateWord judge(PetscInt n, const PetscReal values[], const PetscReal grains[],
                            PetscReal ratio, Fit *fit)
{
  if (n < 3 || !is_monotonic(n, values) || !is_fine(n, values, grains)) return CR_ESTIMATE_NOISY;
  if (n == 3)
    fit_three(values, ratio, fit);
  else
    fit_many(n, values, ratio, fit);
  if (fit->order > GREATEST) return CR_ESTIMATE_EARLY;
  if (!(fit->order >= LEAST) || fit->scatter >= spread(n, values, 0) / (n - 1))
    return CR_ESTIMATE_NOISY;
  return CR_ESTIMATE_CONVERGING;
}

/* ---- errors ------------------------------------------------------------------------------- */

/* Distance from the limit with a safety, scatter, and distance from the fit. Three levels always fit, and more of them
   may fit by accident: only a calm fit of four may say less than a part of the spread. */
static PetscReal error_of_fit(PetscInt n, const PetscReal values[], PetscReal ratio, const Fit *fit,
                              PetscInt k)
{
  PetscReal trend = fit->part * weight(ratio, fit->order, k), all = spread(n, values, 0);
  PetscReal error =
      SAFETY * PetscAbsReal(trend) + fit->scatter + PetscAbsReal(values[k] - fit->limit - trend);

  if (n > 3 && fit->scatter <= CALM * all / (n - 1)) return error;
  return PetscMax(error, FLOOR * all);
}

static PetscReal find_error(PetscInt n, const PetscReal values[], PetscReal ratio, const Fit *fit,
                            CrEstimateWord word, PetscInt k)
{
  const PetscReal all = spread(n, values, 0), finest = values[n - 1];

  if (word == CR_ESTIMATE_CONVERGING) return error_of_fit(n, values, ratio, fit, k);
  if (word == CR_ESTIMATE_EARLY)
    return PetscMax(SAFETY * PetscAbsReal(values[k] - finest) +
                        CARE * PetscAbsReal(finest - values[n - 2]),
                    EARLY * all);
  return PetscMax(CARE * spread(n, values, k), all);
}

static CrEstimateWord find_word(PetscInt n, const PetscReal values[], PetscReal base,
                                const CrEstimate *e)
{
  PetscReal first = n > 2 ? PetscAbsReal(values[1] - values[0]) : 0;
  PetscReal last = n > 2 ? PetscAbsReal(values[n - 1] - values[n - 2]) : 0;

  if (e->errors[0] <= FEW * base) return CR_ESTIMATE_CONVERGED;
  if (e->word != CR_ESTIMATE_NOISY) return e->word;
  return last > GROWS * first ? CR_ESTIMATE_DIVERGING : CR_ESTIMATE_NOISY;
}

void CrEstimateMake(PetscInt n, const PetscReal values[], const PetscReal grains[], PetscReal ratio,
                    PetscReal scale, CrEstimate *e)
{
  const PetscReal size = PetscMax(PetscAbsReal(values[n - 1]), scale);
  Fit             fit = {.order = NAN, .limit = values[n - 1]};
  PetscReal       base;
  PetscBool       falls; /* differences, at an order that can be seen */

  *e = (CrEstimate){.order = NAN, .limit = values[n - 1], .word = CR_ESTIMATE_NOISY};
  if (spread(n, values, 0) > ROUNDING * size) e->word = judge(n, values, grains, ratio, &fit);
  e->order = fit.order;
  falls = e->word == CR_ESTIMATE_NOISY ? PETSC_FALSE : PETSC_TRUE;
  if (e->word == CR_ESTIMATE_CONVERGING) e->limit = fit.limit;
  e->scatter = n > 3 && !isnan(fit.order) ? fit.scatter : NAN;
  for (PetscInt k = 0; k < n; k++) {
    e->errors[k] = find_error(n, values, ratio, &fit, e->word, k);
    if (grains) e->errors[k] = PetscMax(e->errors[k], grains[k]);
  }
  base = PetscMax(PetscAbsReal(e->limit), scale);
  e->word = find_word(n, values, base, e);
  if (e->word == CR_ESTIMATE_CONVERGED && !falls) e->order = NAN;
  e->digits = base == 0 || e->errors[0] <= ROUNDING * base
                  ? 12
                  : (PetscInt)PetscMax(0, PetscMin(12, -log10(e->errors[0] / base)));
}

const char *CrEstimateText(CrEstimateWord word)
{
  static const char *const words[] = {"converged", "converging", "pre-asymptotic", "noisy",
                                      "diverging"};

  return words[word];
}
