/* Small positive definite systems: Hilbert's matrix, whose inverse is known in whole numbers, in rows wider
   than it; and what is not positive definite is refused. */
#include "base/cholesky.h"
#include "check.h"

#define WIDTH 6

static void test_hilbert(void)
{
  /* columns of the inverse of H_ij = 1/(i + j + 1), n = 4 */
  const PetscReal inverse[4][4] = {{16, -120, 240, -140},
                                   {-120, 1200, -2700, 1680},
                                   {240, -2700, 6480, -4200},
                                   {-140, 1680, -4200, 2800}};

  for (int column = 0; column < 4; column++) {
    PetscReal A[4][WIDTH], b[WIDTH] = {0};

    for (int i = 0; i < 4; i++)
      for (int j = 0; j < WIDTH; j++) A[i][j] = j < 4 ? 1. / (i + j + 1) : NAN; /* not looked at */
    b[column] = 1;
    CHECK(CrCholeskySolve(4, WIDTH, A[0], b));
    /* the condition of H, 1.6e4, times a few roundings of the greatest entry */
    for (int i = 0; i < 4; i++)
      CHECK_NEAR(b[i], inverse[i][column], 8 * 1.6e4 * PETSC_MACHINE_EPSILON * 6480);
    CHECK(b[4] == 0);
  }
}

static void test_refuses(void)
{
  PetscReal indefinite[] = {1, 2, 2, 1}, singular[] = {1, 1, 1, 1}, none[] = {NAN, 0, 0, 1}, b[2];

  b[0] = b[1] = 1;
  CHECK(!CrCholeskySolve(2, 2, indefinite, b));
  CHECK(!CrCholeskySolve(2, 2, singular, b));
  CHECK(!CrCholeskySolve(2, 2, none, b));
  CHECK(CrCholeskySolve(0, 2, NULL, b));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_hilbert();
  test_refuses();
  return check_end();
}
