/* Local numbers by natural numbers, for numbers that lie close together and for numbers far apart. */
#include "check.h"
#include "model/share.h"

enum { N = 500 };

/* Natural numbers first, first + gap, ...; every number between them, and beside them, has no local number. */
static void test_gap(PetscInt first, PetscInt gap, PetscBool table)
{
  PetscInt  natural[N], wrong = 0;
  CrNodeMap map;

  for (PetscInt k = 0; k < N; k++) natural[k] = first + gap * ((7 * k + 3) % N);
  CHECK_OK(CrNodeMapCreate(N, natural, &map));
  CHECK((map.table != NULL) == table);
  for (PetscInt k = 0; k < N; k++) wrong += CrNodeMapFind(&map, natural[k]) != k;
  CHECK(wrong == 0);
  for (PetscInt A = first - 2; A < first + gap * N + 2; A++) {
    PetscBool there = A >= first && A < first + gap * N && (A - first) % gap == 0;

    wrong += (CrNodeMapFind(&map, A) >= 0) != there;
  }
  CHECK(wrong == 0);
  CHECK_OK(CrNodeMapDestroy(&map));
}

static void test_empty(void)
{
  CrNodeMap map;

  CHECK_OK(CrNodeMapCreate(0, NULL, &map));
  CHECK(CrNodeMapFind(&map, 0) == -1);
  CHECK_OK(CrNodeMapDestroy(&map));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_empty();
  test_gap(0, 1, PETSC_TRUE);
  test_gap(5, 3, PETSC_TRUE);
  test_gap(0, 9, PETSC_FALSE);
  test_gap(1000, 64, PETSC_FALSE);
  test_gap(7, 1024, PETSC_FALSE);
  return check_end();
}
