/* Estimates the error of a result from its values on successively refined levels. The estimate consists of the order of
   convergence, the limit, and the error on each level. With fewer than four levels the error is estimated by Richardson
   extrapolation with the grid convergence index (reference R94). With four levels or more it is estimated by the
   least-squares fit of reference EH14. The first level is the coarsest one: the unchanged deck. */
#pragma once

#include "base/base.h"

#define CR_ESTIMATE_MOST 12 /* greatest number of levels of refinement */

typedef enum {
  CR_ESTIMATE_CONVERGED,  /* the estimated error of the first level is at most one per cent */
  CR_ESTIMATE_CONVERGING, /* the values approach a limit with a plausible order of convergence */
  /* differences between levels decrease faster than any method converges; levels are too coarse, or the last two values
     agree by accident */
  CR_ESTIMATE_EARLY,
  /* differences between levels do not decrease regularly; their spread is used as the error */
  CR_ESTIMATE_NOISY,
  CR_ESTIMATE_DIVERGING /* differences between successive levels grow */
} CrEstimateWord;

typedef struct {
  /* order of convergence; NaN: it cannot be computed, or the values have converged without regularly decreasing
     differences */
  PetscReal order;
  PetscReal
      scatter; /* scatter of the values about the fitted curve; NaN for fewer than four levels */
  /* value extrapolated to infinite refinement, or the value of the finest level */
  PetscReal      limit;
  PetscReal      errors[CR_ESTIMATE_MOST]; /* estimated error on each level */
  PetscInt       digits; /* number of reliable digits of the value on the first level */
  CrEstimateWord word;
} CrEstimate;

/* Computes the estimate from n values. values[0] belongs to the unchanged deck, and each further value to a level that
   is finer by the factor `ratio`. Differences are divided by the magnitude of the limit or by `scale`, whichever is
   greater. For a component of a vector, `scale` is the length of the vector. The resolution of values[k] is grains[k].
   For a time that is counted in steps, the resolution is the step size. Estimated errors are at least as great as the
   resolution. Differences below the resolution are not used for the order of convergence. `grains` may be NULL if all
   digits are significant. */
void CrEstimateMake(PetscInt n, const PetscReal values[], const PetscReal grains[], PetscReal ratio,
                    PetscReal scale, CrEstimate *estimate);
/* Returns the word, such as "converging", by which a report describes how a result converges. */
const char *CrEstimateText(CrEstimateWord word);
