/* Six-node triangle: corners, then the middles of 0-1, 1-2, 2-0. */
#include "element/kernel.h"

static const PetscReal nodes_xi[6][3] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  const PetscReal L[3] = {1 - xi[0] - xi[1], xi[0], xi[1]};
  const PetscReal dL[3][2] = {{-1, -1}, {1, 0}, {0, 1}};

  for (int a = 0; a < 3; a++) {
    int b = (a + 1) % 3;

    N[a] = L[a] * (2 * L[a] - 1);
    N[a + 3] = 4 * L[a] * L[b];
    for (int i = 0; i < 2; i++) {
      dN[a][i] = (4 * L[a] - 1) * dL[a][i];
      dN[a + 3][i] = 4 * (dL[a][i] * L[b] + L[a] * dL[b][i]);
    }
  }
}

CR_ELEMENT_KERNELS(t6, CR_T6, 2, 6, 6, PETSC_TRUE, CrQuadTri6, CrQuadTri6)
