/* Estimates the error of a result from its values on successively refined levels: the order of convergence, the limit,
   and the error on each level. The error is Richardson's with the grid convergence index (R94). With four levels or
   more it is by the least squares of EH14. */
#pragma once

#include "base/base.h"

#define CR_ESTIMATE_MOST 12 /* levels */

typedef enum {
  CR_ESTIMATE_CONVERGED,  /* the error of the first level is at most one per cent */
  CR_ESTIMATE_CONVERGING, /* values approach a limit at an order that can be believed */
  CR_ESTIMATE_EARLY,      /* differences fall faster than methods converge: levels are too coarse,
                             or the last two agree by accident */
  CR_ESTIMATE_NOISY, /* differences between levels do not decrease regularly; their spread is the error */
  CR_ESTIMATE_DIVERGING /* differences grow */
} CrEstimateWord;

typedef struct {
  PetscReal      order;   /* NaN: no value, or none that belongs to the verdict CONVERGED */
  PetscReal      scatter; /* computed from the values if there are at least four levels; else NaN */
  PetscReal      limit;   /* extrapolated value, or the finest one */
  PetscReal      errors[CR_ESTIMATE_MOST]; /* estimated error of every level */
  PetscInt       digits;                   /* number of reliable digits of the first level */
  CrEstimateWord word;
} CrEstimate;

/* values[0] is of the deck's own level, each following one of a finer one by `ratio`. Differences are judged
   against the limit or `scale`, whichever is greater: a component is small beside its vector, not beside itself.
   The smallest difference that a value of level k can have is grains[k]: for a time that is counted in steps it is the
   step. No error is stated below it, and differences below it have no order. NULL: none. */
void CrEstimateMake(PetscInt n, const PetscReal values[], const PetscReal grains[], PetscReal ratio,
                    PetscReal scale, CrEstimate *estimate);
const char *CrEstimateText(CrEstimateWord word);
