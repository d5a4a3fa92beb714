/* An error that some ranks met: all of them get the code and the message of the lowest. */
#include "check.h"

/* Work that fails on ranks for which fails[rank % 3] is set. */
static PetscErrorCode work(int rank, const int fails[3])
{
  if (!fails[rank % 3]) return PETSC_SUCCESS;
  return rank % 2 ? CrMachineError("rank %d: disk", rank) : CrInputError("rank %d: deck", rank);
}

static void test_pattern(int rank, int size, const int fails[3])
{
  int            first = 0;
  char           message[64];
  PetscErrorCode code;

  CrErrorClear();
  while (first < size && !fails[first % 3]) first++;
  code = CrErrorAgree(PETSC_COMM_WORLD, work(rank, fails));
  if (first == size) {
    CHECK(code == PETSC_SUCCESS);
    CHECK_TEXT(CrErrorMessage(), "");
    return;
  }
  snprintf(message, sizeof message, "rank %d: %s", first, first % 2 ? "disk" : "deck");
  CHECK(code == (first % 2 ? CR_ERR_MACHINE : CR_ERR_INPUT));
  CHECK_TEXT(CrErrorMessage(), message);
}

int main(int argc, char **argv)
{
  int rank, size, failures;

  if (check_start(argc, argv)) return 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  for (int pattern = 0; pattern < 8; pattern++)
    test_pattern(rank, size, (int[3]){pattern & 1, pattern >> 1 & 1, pattern >> 2 & 1});
  CrErrorClear();
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}
