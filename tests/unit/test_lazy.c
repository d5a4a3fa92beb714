/* Arrays of zeros that take memory only where they are written. */
#include "base/lazy.h"
#include "check.h"

#define MANY ((PetscInt)8000000) /* reals: 64 MB */

/* Resident memory of this process in MB. */
static double resident(void)
{
  FILE  *file = fopen("/proc/self/status", "r");
  char   line[200];
  double kilobytes = -1024;

  while (file && fgets(line, sizeof line, file)) sscanf(line, "VmRSS: %lf", &kilobytes);
  if (file) fclose(file);
  return kilobytes / 1024;
}

int main(int argc, char **argv)
{
  PetscReal *array = NULL, sum = 0;
  char      *empty = NULL;
  double     before;

  if (check_start(argc, argv)) return 1;
  CHECK_OK(CrLazyDestroy(&array));
  before = resident();
  CHECK_OK(CrLazyCreate(MANY, &array));
  for (PetscInt k = 0; k < MANY; k += 1000000) array[k] = 1;
  array[MANY - 1] = 1;
  CHECK(resident() < before + 4);
  for (PetscInt k = 0; k < MANY; k++) sum += array[k];
  CHECK(sum == 9);
  CHECK(resident() < before + 4); /* reading does not fill it */
  CHECK_OK(CrLazyDestroy(&array));
  CHECK(!array);
  CHECK_OK(PetscCalloc1(MANY, &array));
  array[0] = array[MANY - 1] = 1;
  CrLazyDrop(array + 1, (size_t)(MANY - 2) * sizeof *array);
  CHECK(resident() < before + 4);
  CHECK(array[0] == 1 && array[MANY - 1] == 1); /* pages of neighbours stay */
  sum = 0;
  for (PetscInt k = 0; k < MANY; k++) sum += array[k];
  CHECK(sum == 2);
  array[MANY / 2] = 1; /* a page comes back when it is written */
  CHECK(array[MANY / 2] == 1 && array[MANY / 2 + 1] == 0);
  CrLazyDrop(array + 1, sizeof *array); /* no whole page */
  CHECK(array[0] == 1 && resident() < before + 4);
  CHECK_OK(PetscFree(array));
  CHECK_OK(CrLazyCreate(0, &empty));
  CHECK(empty);
  CHECK_OK(CrLazyDestroy(&empty));
  return check_end();
}
