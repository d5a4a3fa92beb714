/* The deck's steps. A step that failed is done as two halves, each of which may be halved again, so
   that the deck's times are met and the full size comes back by itself. */
#include "run/run.h"

static PetscErrorCode add_segment(CrSchedule *s, PetscReal h, PetscInt count, PetscReal end)
{
  PetscInt k = s->nsegments++;

  s->h[k]     = h;
  s->count[k] = count;
  s->start[k] = k ? s->end[k - 1] : 0;
  s->end[k]   = end;
  s->t_end    = end;
  s->total += count;
  return PETSC_SUCCESS;
}

/* step and end: equal steps, and a shorter last one if end is no multiple. */
static PetscErrorCode read_uniform(const CrDeckNode *time, PetscReal automatic, CrSchedule *s)
{
  const CrDeckNode *step = CrDeckFind(time, "step"), *end = CrDeckFind(time, "end");
  PetscReal         h, t, n;
  PetscInt          whole;

  PetscFunctionBeginUser;
  if (!step) CrDeckFail(time, "needs \"step\" and \"end\", or \"steps\"");
  if (!end) CrDeckFail(time, "needs \"end\" beside \"step\"");
  t = CrDeckReal(end);
  h = CrDeckIsReal(step) ? CrDeckReal(step) : automatic;
  if (!CrDeckIsReal(step) && t > 0) h = t / PetscCeilReal(t / h * (1 - 1e-12));
  if (t > 0 && h > t * (1 + 1e-12))
    CrWarn("%s: time.step: %g is longer than the run, which ends at %g: it is done in one step",
           CrDeckPlace(step), (double)h, (double)t);
  n = t / h;
  if (!(n < 1e9)) CrDeckFail(step, "%g steps to the end are too many", (double)n);
  whole = (PetscInt)PetscFloorReal(n * (1 + 1e-12) + 1e-9);
  PetscCall(PetscMalloc4(2, &s->h, 2, &s->start, 2, &s->end, 2, &s->count));
  if (whole)
    PetscCall(add_segment(s, h, whole, n - (PetscReal)whole < 1e-9 ? t : h * (PetscReal)whole));
  if (t - s->t_end > 1e-9 * h || (t > 0 && !whole)) PetscCall(add_segment(s, t - s->t_end, 1, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_list(const CrDeckNode *time, const CrDeckNode *steps, CrSchedule *s)
{
  PetscInt  n   = CrDeckCount(steps);
  PetscReal end = 0;

  PetscFunctionBeginUser;
  for (int i = 0; i < 2; i++)
    if (CrDeckFind(time, i ? "end" : "step"))
      CrDeckFail(CrDeckFind(time, i ? "end" : "step"),
                 "stands beside \"steps\", which replaces it");
  if (!n) CrDeckFail(steps, "expected at least one pair [size, count]");
  PetscCall(PetscMalloc4(n, &s->h, n, &s->start, n, &s->end, n, &s->count));
  for (PetscInt k = 0; k < n; k++) {
    const CrDeckNode *row = CrDeckItem(steps, k);
    PetscReal         h, count;

    if (CrDeckCount(row) != 2) CrDeckFail(row, "expected a pair [size, count]");
    h     = CrDeckReal(CrDeckItem(row, 0));
    count = CrDeckReal(CrDeckItem(row, 1));
    if (!(h > 0)) CrDeckFail(CrDeckItem(row, 0), "a step must be greater than 0, is %g", (double)h);
    if (!(count >= 1 && count < 1e9) || count != PetscFloorReal(count))
      CrDeckFail(CrDeckItem(row, 1), "expected a whole number of steps, at least 1, found %g",
                 (double)count);
    if (s->total + count >= 1e9) CrDeckFail(steps, "more than 1e9 steps are too many");
    end += h * count;
    PetscCall(add_segment(s, h, (PetscInt)count, end));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScheduleCreate(const CrDeckNode *time, PetscReal automatic, CrSchedule *s)
{
  const CrDeckNode *steps = CrDeckFind(time, "steps"), *min = CrDeckFind(time, "min_step");
  PetscReal         least = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(s, sizeof *s));
  if (steps)
    PetscCall(read_list(time, steps, s));
  else
    PetscCall(read_uniform(time, automatic, s));
  for (PetscInt k = 0; k < s->nsegments; k++) least = PetscMin(least, s->h[k]);
  s->adaptive = CrDeckTruth(CrDeckFind(time, "adaptive"));
  s->min_step = min ? CrDeckReal(min) : least / 1024;
  if (min && s->nsegments && s->min_step > least)
    CrDeckFail(min, "must not exceed the step, %g", (double)least);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScheduleDestroy(CrSchedule *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree4(s->h, s->start, s->end, s->count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrScheduleIsDone(const CrSchedule *s)
{
  return s->nhalves == 0 && s->segment == s->nsegments ? PETSC_TRUE : PETSC_FALSE;
}

CrGoal CrScheduleGoal(const CrSchedule *s)
{
  PetscInt k = s->segment;

  if (s->nhalves) return s->halves[s->nhalves - 1];
  if (s->done + 1 == s->count[k]) return (CrGoal){s->end[k], s->h[k]};
  return (CrGoal){s->start[k] + s->h[k] * (PetscReal)(s->done + 1), s->h[k]};
}

/* One deck step is through. */
static void next_step(CrSchedule *s)
{
  s->done++;
  if (s->done < s->count[s->segment]) return;
  s->done = 0;
  s->segment++;
}

void CrScheduleAdvance(CrSchedule *s)
{
  if (s->nhalves == 0)
    next_step(s);
  else
    s->nhalves--;
}

PetscBool CrScheduleCanCut(const CrSchedule *s)
{
  return s->adaptive && CrScheduleGoal(s).h / 2 >= s->min_step * (1 - 1e-12) &&
                 s->nhalves + 2 <= CR_MAX_HALVINGS
             ? PETSC_TRUE
             : PETSC_FALSE;
}

PetscBool CrScheduleCut(CrSchedule *s, PetscReal t)
{
  CrGoal goal = CrScheduleGoal(s);

  if (!CrScheduleCanCut(s)) return PETSC_FALSE;
  if (s->nhalves == 0)
    next_step(s); /* its halves stand for it from now on */
  else
    s->nhalves--;
  s->halves[s->nhalves++] = (CrGoal){goal.t, goal.h / 2};
  s->halves[s->nhalves++] = (CrGoal){t + goal.h / 2, goal.h / 2};
  return PETSC_TRUE;
}

PetscErrorCode CrScheduleSetEnd(CrSchedule *s, PetscReal t, PetscReal end)
{
  PetscInt  n = PetscMax(1, s->nsegments);
  PetscReal h = s->nsegments ? s->h[s->nsegments - 1] : end, count;

  PetscFunctionBeginUser;
  if (end < t) CrInputFail("--until %g: the run is already at t = %g", (double)end, (double)t);
  /* what is left is laid out anew from here: steps of the last size, and a shorter last one */
  PetscCall(CrScheduleDestroy(s));
  PetscCall(PetscMalloc4(n + 1, &s->h, n + 1, &s->start, n + 1, &s->end, n + 1, &s->count));
  s->nsegments = s->segment = s->done = s->nhalves = s->total = 0;
  count    = PetscFloorReal((end - t) / h * (1 + 1e-12) + 1e-9);
  s->t_end = t;
  if (count >= 1) {
    PetscCall(add_segment(s, h, (PetscInt)count, t + h * count));
    s->start[0] = t;
    if (end - s->t_end < 1e-9 * h) s->end[0] = s->t_end = end;
  }
  if (end - s->t_end > 1e-9 * h) {
    PetscCall(add_segment(s, end - s->t_end, 1, end));
    s->start[s->nsegments - 1] = end - s->h[s->nsegments - 1];
  }
  s->t_end = end;
  PetscFunctionReturn(PETSC_SUCCESS);
}
