/* Computes the greatest eigenvalues of element matrices, for a batch of elements at a time, by power iteration on
   M^-1/2 K M^-1/2. */
#include "base/lanes.h"
#include "element/element.h"

#define ITERATIONS 100

static void iterate(PetscInt nd, const PetscReal *K, const PetscReal *scale, PetscReal *value)
{
  CrLanes x[CR_MAX_DOFS], y[CR_MAX_DOFS], s[CR_MAX_DOFS], norm = lanes_set(0);

  for (PetscInt r = 0; r < nd; r++) {
    s[r] = lanes_load(scale + r * CR_BATCH);
    /* at least 0.08 of it along every mode that the symmetries of a rectangle or a cuboid allow: with
       none, the iteration would end below the greatest (as it did for bars along x) */
    x[r] = lanes_set((double)((((20 * r + 51) * r + 7) * r + 3) % 113) / 113 - 0.5);
  }
  for (int it = 0; it < ITERATIONS; it++) {
    CrLanes last = norm, over;

    norm = lanes_set(0);
    for (PetscInt r = 0; r < nd; r++) {
      CrLanes sum = lanes_set(0);

      for (PetscInt c = 0; c < nd; c++)
        sum += lanes_load(K + (r * nd + c) * CR_BATCH) * (s[c] * x[c]);
      y[r] = sum * s[r];
      norm += y[r] * y[r];
    }
    norm = lanes_sqrt(norm);
    over = 1 / norm;
    for (PetscInt r = 0; r < nd; r++) x[r] = y[r] * over;
    if (it > 11 && lanes_all((norm - last < 3e-5 * norm) & (last - norm < 3e-5 * norm))) break;
  }
  lanes_store(value, norm);
}

/* scale: M^-1/2 by dof. The iteration ends from below: the margin covers what is left. */
void CR_VARIANT(CrGreatestEigenvalues)(PetscInt nd, const PetscReal *K, const PetscReal *scale,
                                       PetscReal *values);
void CR_VARIANT(CrGreatestEigenvalues)(PetscInt nd, const PetscReal *K, const PetscReal *scale,
                                       PetscReal *values)
{
  for (int l = 0; l < CR_BATCH; l += CR_WIDTH) iterate(nd, K + l, scale + l, values + l);
  for (int l = 0; l < CR_BATCH; l++) values[l] *= 1.01;
}
