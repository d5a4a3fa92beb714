/* Four-node tetrahedron. Reference: the origin and the three unit points. */
#include "element/kernel.h"

static const PetscReal nodes_xi[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  N[0] = 1 - xi[0] - xi[1] - xi[2];
  for (int i = 0; i < 3; i++) {
    N[i + 1] = xi[i];
    dN[0][i] = -1;
    for (int a = 0; a < 3; a++) dN[a + 1][i] = a == i;
  }
}

CR_ELEMENT_KERNELS(t4, CR_T4, 3, 4, 1, PETSC_FALSE, CrQuadTet1, CrQuadTet4)
