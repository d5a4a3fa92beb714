/* Three-node triangle. Reference: (0,0), (1,0), (0,1). */
#include "element/kernel.h"

static const PetscReal nodes_xi[3][3] = {{0, 0}, {1, 0}, {0, 1}};

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  const PetscReal slopes[3][2] = {{-1, -1}, {1, 0}, {0, 1}};

  N[0] = 1 - xi[0] - xi[1];
  N[1] = xi[0];
  N[2] = xi[1];
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 2; i++) dN[a][i] = slopes[a][i];
}

CR_ELEMENT_KERNELS(t3, CR_T3, 2, 3, 1, PETSC_FALSE, CrQuadTri1, CrQuadTri3)
