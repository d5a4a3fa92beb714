/* Gauss's elimination: random systems, a matrix that needs exchanges, the sign of the determinant, singular matrices. */
#include "check.h"
#include "base/gauss.h"

#define N 7
#define M 3

static PetscReal noise(PetscInt k)
{
  PetscReal x = 12.9898 * (PetscReal)(k + 1);

  return PetscSinReal(78.233 * x * x);
}

static void random_system(void)
{
  PetscReal A[N * N], F[N * N], x[N * M], b[N * M];
  PetscInt  rows[N];

  for (PetscInt k = 0; k < N * N; k++) F[k] = A[k] = noise(k);
  for (PetscInt k = 0; k < N * M; k++) x[k] = noise(1000 + k);
  for (PetscInt i = 0; i < N; i++)
    for (PetscInt j = 0; j < M; j++) {
      b[i * M + j] = 0;
      for (PetscInt k = 0; k < N; k++) b[i * M + j] += A[i * N + k] * x[k * M + j];
    }
  CHECK(CrGaussFactor(N, F, rows) != 0);
  CrGaussSolve(N, F, rows, M, b);
  for (PetscInt k = 0; k < N * M; k++) CHECK_NEAR(b[k], x[k], 1e-12);
}

static void signs(void)
{
  PetscReal swap[9] = {0, 1, 0, 1, 0, 0, 0, 0, 1}, turn[4] = {0, -1, 1, 0}, b[3] = {2, 3, 5};
  PetscReal flat[4] = {1, 2, 2, 4}, mixed[4] = {3, 0, 0, -2};
  PetscInt  rows[3];

  CHECK(CrGaussFactor(3, swap, rows) == -1);
  CrGaussSolve(3, swap, rows, 1, b);
  CHECK_NEAR(b[0], 3, 1e-15);
  CHECK_NEAR(b[1], 2, 1e-15);
  CHECK_NEAR(b[2], 5, 1e-15);
  CHECK(CrGaussFactor(2, turn, rows) == 1);
  CHECK(CrGaussFactor(2, mixed, rows) == -1);
  CHECK(CrGaussFactor(2, flat, rows) == 0);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  random_system();
  signs();
  return check_end();
}
