/* Eight-node brick on [-1,1]^3, in the order of VTK's hexahedron. */
#include "element/kernel.h"

static const PetscReal nodes_xi[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  for (int a = 0; a < 8; a++) {
    PetscReal f[3];

    for (int i = 0; i < 3; i++) f[i] = 1 + nodes_xi[a][i] * xi[i];
    N[a] = f[0] * f[1] * f[2] / 8;
    for (int i = 0; i < 3; i++) dN[a][i] = nodes_xi[a][i] * f[(i + 1) % 3] * f[(i + 2) % 3] / 8;
  }
}

CR_ELEMENT_KERNELS(h8, CR_H8, 3, 8, 8, PETSC_FALSE, CrQuadHex8, CrQuadHex8)
