/* The default solver on changed copies of the stored friction problems: it must not live on the numbers of a file. */
#include <dirent.h>
#include "check.h"
#include "friction_variants.h"

enum { COPIES = 3 };

/* From zero, with the default options; the error is looked at from outside. */
static PetscErrorCode solve_copy(const char path[], PetscInt kind, PetscInt k)
{
  CrConeOptions o = CrConeDefaults();
  CrConeReport  report;
  CrCone       *cone;
  PetscReal    *r, eps, eta;

  PetscFunctionBeginUser;
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
    for (PetscInt k = 0; k < COPIES; k++) PetscCall(solve_copy(path, kind, k));
  PetscFunctionReturn(PETSC_SUCCESS);
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
  if (folder) closedir(folder);
  return check_end();
}
