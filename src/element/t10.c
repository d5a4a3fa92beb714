/* The tetrahedron of ten nodes: corners, then the middles of 0-1, 1-2, 2-0, 0-3, 1-3, 2-3. The stress is computed at
   four points. The consistent mass needs a rule of degree 4, because four points would give a matrix of rank 4. */
#include "element/kernel.h"

static const PetscReal nodes_xi[10][3] = {{0, 0, 0},     {1, 0, 0},     {0, 1, 0},   {0, 0, 1},
                                          {0.5, 0, 0},   {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5},
                                          {0.5, 0, 0.5}, {0, 0.5, 0.5}};

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  const PetscReal  L[4] = {1 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
  const PetscReal  dL[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  for (int a = 0; a < 4; a++) {
    N[a] = L[a] * (2 * L[a] - 1);
    for (int i = 0; i < 3; i++) dN[a][i] = (4 * L[a] - 1) * dL[a][i];
  }
  for (int e = 0; e < 6; e++) {
    int a = edge[e][0], b = edge[e][1];

    N[e + 4] = 4 * L[a] * L[b];
    for (int i = 0; i < 3; i++) dN[e + 4][i] = 4 * (dL[a][i] * L[b] + L[a] * dL[b][i]);
  }
}

CR_ELEMENT_KERNELS(t10, CR_T10, 3, 10, 4, PETSC_TRUE, CrQuadTet4, CrQuadTet14)
