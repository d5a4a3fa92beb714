/* The time that is left. A step with contact may cost many times as much as a step of free flight, so the two are counted
   apart. Before the first contact nobody knows when it comes: the answer is a lower bound then. */
#include "run/run.h"

void CrPaceStart(CrPace *pace, double time, double done)
{
  *pace = (CrPace){.time = time, .done = done};
}

void CrPaceStep(CrPace *pace, double time, double done, PetscBool contact)
{
  const double share = done - pace->done;

  if (contact) pace->met = PETSC_TRUE;
  pace->seconds[contact] += time - pace->time;
  pace->share[contact] += share;
  if (pace->met) pace->since[contact] += share;
  pace->time = time;
  pace->done = done;
}

static double cost(const CrPace *pace, PetscInt kind)
{
  return pace->share[kind] > 0 ? pace->seconds[kind] / pace->share[kind] : 0;
}

double CrPaceLeft(const CrPace *pace)
{
  const double counted = pace->since[0] + pace->since[1];
  const double often = counted > 0 ? pace->since[1] / counted : 0;

  return (1 - pace->done) * (often * cost(pace, 1) + (1 - often) * cost(pace, 0));
}
