/* Greatest eigenvalues of element matrices, a batch at a time: power iteration on M^-1/2 K M^-1/2. */
#include "base/lanes.h"
#include "element/element.h"

#define ITERATIONS 100

static void iterate(PetscInt nd, const PetscReal *K, const PetscReal *scale, PetscReal *value)
{
  CrLanes x[CR_MAX_DOFS], y[CR_MAX_DOFS], s[CR_MAX_DOFS], norm = lanes_set(0);

  for (PetscInt r = 0; r < nd; r++) {
    s[r] = lanes_load(scale + r * CR_BATCH);
    x[r] = lanes_set(1 + 0.37 * (double)((r * 7919) % 13)); /* in no symmetry's eigenspace */
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
    if (it > 5 && lanes_all((norm - last < 1e-4 * norm) & (last - norm < 1e-4 * norm))) break;
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
