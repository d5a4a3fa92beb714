/* See way.h. */
#include "contact/geometry/way.h"
#include "base/vector.h"

PetscReal CrRelativeWay(PetscInt na, const PetscInt *a, PetscInt nb, const PetscInt *b,
                        const PetscReal *u0, const PetscReal *u1)
{
  PetscReal greatest = 0;

  for (PetscInt k = 0; k < na; k++)
    for (PetscInt l = 0; l < nb; l++) {
      PetscReal way[3];

      for (int d = 0; d < 3; d++)
        way[d] = u1[3 * a[k] + d] - u0[3 * a[k] + d] - u1[3 * b[l] + d] + u0[3 * b[l] + d];
      greatest = PetscMax(greatest, v_length(way));
    }
  return greatest;
}
