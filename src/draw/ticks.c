/* Finds round numbers for the ticks of axes. */
#include <math.h>
#include "draw/internal.h"

/* The smallest of 1, 2, 5 times a power of ten that is not below x. */
static PetscReal round_up(PetscReal x)
{
  PetscReal power = pow(10, floor(log10(x)));

  for (int k = 0; k < 3; k++) {
    PetscReal s = power * (k == 0 ? 1 : k == 1 ? 2 : 5);

    if (s >= x * (1 - 1e-9)) return s;
  }
  return 10 * power;
}

/* Labels keep to a few digits: beyond these bounds a common power of ten is taken out. */
static PetscInt exponent_of(PetscReal greatest)
{
  PetscInt e = greatest > 0 ? (PetscInt)floor(log10(greatest) + 1e-9) : 0;

  return e > 4 || e < -3 ? e : 0;
}

CrTicks CrTicksMake(PetscReal least, PetscReal greatest, PetscInt most, PetscBool widen)
{
  CrTicks   ticks = {0};
  PetscReal step, size;

  if (!isfinite(least) || !isfinite(greatest)) least = 0, greatest = 1;
  size = PetscMax(fabs(least), fabs(greatest));
  /* a constant gets a little room, and zero some */
  if (!(greatest - least > 1e-12 * size) || greatest - least < 1e-300) {
    PetscReal room = size > 1e-290 ? 0.1 * size : 1;

    least -= room;
    greatest += room;
  }
  most = PetscMin(most, CR_MAX_TICKS);
  step = round_up((greatest - least) / (PetscReal)PetscMax(1, most - 1));
  if (widen) {
    least = step * floor(least / step + 1e-9);
    greatest = step * ceil(greatest / step - 1e-9);
    while ((greatest - least) / step > (PetscReal)CR_MAX_TICKS - 0.5) step = round_up(1.1 * step);
  }
  ticks.least = least;
  ticks.greatest = greatest;
  ticks.exponent = exponent_of(PetscMax(fabs(least), fabs(greatest)));
  ticks.decimals = PetscMax(0, (PetscInt)-floor(log10(step) - (PetscReal)ticks.exponent + 1e-9));
  for (PetscReal k = ceil(least / step - 1e-9); k * step <= greatest + 1e-9 * step; k++)
    if (ticks.n < CR_MAX_TICKS) ticks.values[ticks.n++] = k == 0 ? 0 : k * step;
  return ticks;
}

void CrTickLabel(const CrTicks *ticks, PetscInt k, char label[32])
{
  snprintf(label, 32, "%.*f", (int)PetscMin(ticks->decimals, 12),
           (double)(ticks->values[k] / pow(10, (PetscReal)ticks->exponent)));
}
