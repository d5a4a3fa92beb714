/* Anderson's mixing: a linear iteration that sums n modes is over after n + 1 mixed corrections,
   where the plain one would take hundreds. */
#include "check.h"
#include "solve/mixing.h"

/* d = diag(rate - 1) (u - answer) for the first three unknowns; answer k + 1. */
static PetscErrorCode correct(Vec u, Vec d)
{
  const PetscReal  rate[3] = {0.9, -0.8, 0.6};
  const PetscReal *x;
  PetscReal       *y;

  PetscFunctionBeginUser;
  PetscCall(VecGetArrayRead(u, &x));
  PetscCall(VecGetArray(d, &y));
  for (int k = 0; k < 3; k++) y[k] = (rate[k] - 1) * (x[k] - (k + 1));
  PetscCall(VecRestoreArray(d, &y));
  PetscCall(VecRestoreArrayRead(u, &x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void run(PetscBool mixed, PetscReal left[])
{
  CrMixing m;
  Vec      u, d;

  CHECK_OK(VecCreateSeq(PETSC_COMM_SELF, 3, &u));
  CHECK_OK(VecDuplicate(u, &d));
  CHECK_OK(CrMixingCreate(u, &m));
  for (int k = 0; k < 6; k++) {
    CHECK_OK(correct(u, d));
    CHECK_OK(VecNorm(d, NORM_2, &left[k]));
    if (mixed) CHECK_OK(CrMixingApply(&m, u, d));
    CHECK_OK(VecAXPY(u, 1, d));
  }
  CHECK_OK(CrMixingDestroy(&m));
  CHECK_OK(VecDestroy(&u));
  CHECK_OK(VecDestroy(&d));
}

int main(int argc, char **argv)
{
  PetscReal plain[6], mixed[6];

  if (check_start(argc, argv)) return 1;
  run(PETSC_FALSE, plain);
  run(PETSC_TRUE, mixed);
  CHECK_NEAR(mixed[0], plain[0], 0);
  CHECK_LESS(1e-2, plain[4]);
  CHECK_LESS(mixed[4],
             1e-6 * plain[0]); /* three modes, three differences; damping of 1e-12 times the
                                             condition of their products, 1e5 */
  return check_end();
}
