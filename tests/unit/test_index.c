/* The index: every key is found again, no other one is, and the first number stays. */
#include "base/index.h"
#include "check.h"

static void test_names(void)
{
  CrIndex *index;
  PetscInt old;

  CHECK_OK(CrIndexCreate(&index));
  CHECK(CrIndexFindName(index, "left") == -1);
  CHECK_OK(CrIndexAddName(index, "left", 7, &old));
  CHECK(old == -1);
  CHECK_OK(CrIndexAddName(index, "left", 8, &old));
  CHECK(old == 7 && CrIndexFindName(index, "left") == 7);
  CHECK(CrIndexFindName(index, "lef") == -1 && CrIndexFindName(index, "left.") == -1);
  CHECK(CrIndexFind(index, "left.top", 4) == 7); /* a part of a text is a key, too */
  CHECK_OK(CrIndexAddName(index, "", 0, &old));
  CHECK(old == -1 && CrIndexFindName(index, "") == 0);
  CHECK_OK(CrIndexDestroy(&index));
  CHECK(!index && CrIndexFindName(index, "left") == -1);
}

/* Tuples of a grid, which differ in few bits. */
static void test_many_tuples(void)
{
  enum { SIDE = 300 };
  CrIndex *index;
  PetscInt wrong = 0, old;

  CHECK_OK(CrIndexCreate(&index));
  for (PetscInt i = 0; i < SIDE * SIDE; i++) {
    const PetscInt key[3] = {-1, i / SIDE, i % SIDE};

    CHECK_OK(CrIndexAdd(index, key, sizeof key, i, &old));
    wrong += old != -1;
  }
  for (PetscInt i = 0; i < SIDE * SIDE; i++) {
    const PetscInt key[3] = {-1, i / SIDE, i % SIDE}, other[3] = {0, i / SIDE, i % SIDE};

    wrong += CrIndexFind(index, key, sizeof key) != i;
    wrong += CrIndexFind(index, other, sizeof other) != -1;
  }
  CHECK(wrong == 0);
  CHECK_OK(CrIndexDestroy(&index));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_names();
  test_many_tuples();
  return check_end();
}
