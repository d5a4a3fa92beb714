/* Four-node quadrilateral on [-1,1]^2, counter-clockwise. */
#include "element/kernel.h"

static const PetscReal nodes_xi[4][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  for (int a = 0; a < 4; a++) {
    const PetscReal *s = nodes_xi[a], r = 1 + s[0] * xi[0], t = 1 + s[1] * xi[1];

    N[a] = r * t / 4;
    dN[a][0] = s[0] * t / 4;
    dN[a][1] = r * s[1] / 4;
  }
}

CR_ELEMENT_KERNELS(q4, CR_Q4, 2, 4, 4, PETSC_FALSE, CrQuadQuad4, CrQuadQuad4)
