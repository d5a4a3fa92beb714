/* Estimates the remaining time of a run. A step with contact may take many times as long as a step without contact, so
   that both are counted separately. Before the first contact the estimate is a lower bound. */
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
