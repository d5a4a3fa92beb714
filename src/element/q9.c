/* Nine-node quadrilateral: corners, mid-sides, centre; products of quadratic polynomials. */
#include "element/kernel.h"

static const PetscReal nodes_xi[9][3] = {{-1, -1}, {1, -1}, {1, 1},  {-1, 1}, {0, -1},
                                         {1, 0},   {0, 1},  {-1, 0}, {0, 0}};

/* The quadratic polynomial on {-1, 0, 1} that is 1 at s, and its slope. */
static PetscReal quadratic(PetscReal s, PetscReal x, PetscReal *slope)
{
  *slope = s == 0 ? -2 * x : x + s / 2;
  return s == 0 ? 1 - x * x : x * (x + s) / 2;
}

static void shape(const PetscReal xi[3], PetscReal N[], PetscReal dN[][3])
{
  for (int a = 0; a < 9; a++) {
    PetscReal dr, ds;
    PetscReal r = quadratic(nodes_xi[a][0], xi[0], &dr), s = quadratic(nodes_xi[a][1], xi[1], &ds);

    N[a] = r * s;
    dN[a][0] = dr * s;
    dN[a][1] = r * ds;
  }
}

CR_ELEMENT_KERNELS(q9, CR_Q9, 2, 9, 9, PETSC_TRUE, CrQuadQuad9, CrQuadQuad9)
