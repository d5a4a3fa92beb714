/* The default solver on changed copies of the stored friction problems: it must not live on the numbers of a file. */
#include <dirent.h>
#include "check.h"
#include "friction_variants.h"

enum { COPIES = 3 };

/* From zero, with the default options but for `most` Newton iterations (0: the default); the error is looked at from
   outside. */
static PetscErrorCode solve_copy(const char path[], PetscInt kind, PetscInt k, PetscInt most)
{
  CrConeOptions o = CrConeDefaults();
  CrConeReport  report;
  CrCone       *cone;
  PetscReal    *r, eps, eta;

  PetscFunctionBeginUser;
  if (most) o.max_newton = most;
  PetscCall(CrConeRead(path, &cone));
  variant_change(&cone->system, kind, k);
  PetscCall(PetscCalloc1(cone->n * cone->dim, &r));
  PetscCall(CrConeSolve(cone, &o, r, &report));
  PetscCall(CrConeErrors(cone, r, &eps, &eta));
  if (eps > o.tolerance)
    printf("%s: %s, copy %" PetscInt_FMT "\n", path, variant_kinds[kind].name, k);
  CHECK(report.converged);
  CHECK_LESS(eps, o.tolerance);
  PetscCall(PetscFree(r));
  PetscCall(CrConeDestroy(&cone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve_copies(const char path[])
{
  PetscFunctionBeginUser;
  for (PetscInt kind = 0; kind < VARIANT_KINDS; kind++)
    for (PetscInt k = 0; k < COPIES; k++) PetscCall(solve_copy(path, kind, k, 0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of 5600 copies of the two stacks that need proximal steps most none takes 1000 Newton iterations. These two took 4000
   and more than 40000 as long as a proximal step that had failed was built upon: it undid what others had reached. */
static void test_failed_proximal_steps(void)
{
  const char path[] = CR_TEST_DATA "/friction/Capsules-i100-889.dat";

  CHECK_OK(solve_copy(path, 0, 38, 2000));
  CHECK_OK(solve_copy(path, 6, 86, 2000));
}

int main(int argc, char **argv)
{
  DIR           *folder;
  struct dirent *entry;
  char           path[PETSC_MAX_PATH_LEN];
  int            files = 0;

  if (check_start(argc, argv)) return 1;
  folder = opendir(CR_TEST_DATA "/friction");
  CHECK(folder);
  while (folder && (entry = readdir(folder))) {
    if (!strstr(entry->d_name, ".dat") && !strstr(entry->d_name, ".hdf5")) continue;
    snprintf(path, sizeof path, "%s/friction/%s", CR_TEST_DATA, entry->d_name);
    CHECK_OK(solve_copies(path));
    files++;
  }
  CHECK(files == 12);
  test_failed_proximal_steps();
  if (folder) closedir(folder);
  return check_end();
}
