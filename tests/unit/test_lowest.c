/* The lowest point of an edge over a warped quad: over z = a x y it has a closed form in the plane of symmetry y = -x.
   There the surface is the parabola z = -a w^2/2, and the tangent at the closest point is parallel to the edge. */
#include "check.h"
#include "contact/geometry/lowest.h"

#define HALF 1.2 /* half of the length of the edge, along w */

/* Slave and corners of the quad z = a x y over [-1, 1]^2. */
static void make_quad(PetscReal a, PetscReal x[15])
{
  const PetscReal at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

  for (int k = 0; k < 4; k++) {
    x[3 * (k + 1)] = at[k][0];
    x[3 * (k + 1) + 1] = at[k][1];
    x[3 * (k + 1) + 2] = a * at[k][0] * at[k][1];
  }
}

/* The edge z = h + slope w over the diagonal y = side x. */
static PetscBool find(PetscReal a, PetscReal h, PetscReal slope, int side, PetscReal above,
                      CrLowest *lowest)
{
  const PetscReal c = HALF / PetscSqrtReal(2);
  PetscReal       p[3] = {-c, -side * c, h - slope * HALF}, q[3] = {c, side * c, h + slope * HALF};
  PetscReal       x[15];

  make_quad(a, x);
  return CrEdgeLowest(p, q, x, above, lowest);
}

static void test_parabola(void)
{
  for (int k = 0; k < 60; k++) {
    PetscReal a = 0.01 + 0.004 * k, slope = a * 0.1 * (k % 11 - 5), h = 0.02 * (k % 7 - 3);
    PetscReal w = -slope / a, root = PetscSqrtReal(1 + slope * slope);
    PetscReal gap = (h - slope * slope / (2 * a)) / root;
    CrLowest  lowest;

    CHECK(find(a, h, slope, -1, 1, &lowest));
    CHECK(PetscAbsReal(lowest.gap - gap) < 1e-12);
    CHECK(PetscAbsReal(lowest.share - ((w - gap * slope / root) / HALF + 1) / 2) < 1e-7);
    CHECK(PetscAbsReal(lowest.nu[2] - 1 / root) < 1e-7);
  }
}

/* The gap is least at an end, everywhere, or far above. */
static void test_none(void)
{
  CrLowest lowest;

  CHECK(!find(0.1, -0.01, 0.01, 1, 1, &lowest));
  CHECK(!find(0, -0.01, 0.01, -1, 1, &lowest));
  CHECK(!find(0.1, -0.01, 0.5, -1, 1, &lowest));
  CHECK(!find(0.1, 0.5, 0, -1, 0.01, &lowest));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_parabola();
  test_none();
  return check_end();
}
