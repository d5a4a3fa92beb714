/* Eight-node (serendipity) quadrilateral: corners, then mid-sides. */
#include "element/kernel.h"

static const PetscReal nodes_xi[8][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1},
                                         {0, -1},  {1, 0},  {0, 1}, {-1, 0}};

static void corner(const PetscReal *s, const PetscReal *xi, PetscReal *N, PetscReal *dN)
{
  PetscReal r = s[0] * xi[0], t = s[1] * xi[1];

  *N = (1 + r) * (1 + t) * (r + t - 1) / 4;
  dN[0] = s[0] * (1 + t) * (2 * r + t) / 4;
  dN[1] = s[1] * (1 + r) * (r + 2 * t) / 4;
}

/* along: the direction in which the side runs */
static void middle(int along, const PetscReal *s, const PetscReal *xi, PetscReal *N, PetscReal *dN)
{
  int       across = 1 - along;
  PetscReal bubble = 1 - xi[along] * xi[along], t = 1 + s[across] * xi[across];

  *N = bubble * t / 2;
  dN[along] = -xi[along] * t;
  dN[across] = bubble * s[across] / 2;
}

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  for (int a = 0; a < 4; a++) corner(nodes_xi[a], xi, &N[a], dN[a]);
  for (int a = 4; a < 8; a++) middle((a - 4) % 2, nodes_xi[a], xi, &N[a], dN[a]);
}

CR_ELEMENT_KERNELS(q8, CR_Q8, 2, 8, 9, PETSC_TRUE, CrQuadQuad9, CrQuadQuad9)
