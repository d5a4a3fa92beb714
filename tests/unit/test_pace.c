/* The time that is left: steps with contact cost more than steps without, and both are weighed by how often they come. */
#include "check.h"
#include "run/run.h"

/* Ten steps of a hundredth of the run each. */
static double go(CrPace *pace, double cost, PetscBool contact)
{
  for (int k = 0; k < 10; k++) CrPaceStep(pace, pace->time + cost, pace->done + 0.01, contact);
  return CrPaceLeft(pace);
}

int main(int argc, char **argv)
{
  CrPace pace;

  if (check_start(argc, argv)) return 1;
  CrPaceStart(&pace, 100, 0);
  CHECK_NEAR(CrPaceLeft(&pace), 0, 0); /* nothing is known yet */
  CHECK_NEAR(go(&pace, 1, PETSC_FALSE), 90, 1e-9);
  CHECK(!pace.met);
  CHECK_NEAR(go(&pace, 9, PETSC_TRUE), 80 * 9, 1e-9); /* contact ever since it began */
  CHECK(pace.met);
  CHECK_NEAR(go(&pace, 1, PETSC_FALSE), 70 * (0.5 * 9 + 0.5 * 1), 1e-9); /* half of the time */
  CHECK_NEAR(go(&pace, 1, PETSC_FALSE), 60 * (9 + 2 * 1) / 3., 1e-9);
  CrPaceStart(&pace, 0, 0.5); /* a run that is resumed */
  CHECK_NEAR(go(&pace, 2, PETSC_FALSE), 80, 1e-9);
  return check_end();
}
