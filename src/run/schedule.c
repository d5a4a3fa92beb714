/* The schedule of steps. A failed step is replaced by two halves, each of which may be halved again. So the run reaches
   the times of the deck, and continues with the full step size afterwards. */
#include "run/run.h"

/* Room for the segments of n of the deck: an end that is no multiple, or another one, adds one. */
static PetscErrorCode allocate(CrSchedule *s, PetscInt n)
{
  PetscFunctionBeginUser;
  s->room = n + 1;
  PetscCall(PetscCalloc4(s->room, &s->h, s->room, &s->start, s->room, &s->end, s->room, &s->count));
  PetscCall(PetscCalloc2(n, &s->deck_h, n, &s->deck_count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_segment(CrSchedule *s, PetscReal h, PetscInt count, PetscReal end)
{
  PetscInt k = s->nsegments++;

  s->h[k] = h;
  s->count[k] = count;
  s->start[k] = k ? s->end[k - 1] : 0;
  s->end[k] = end;
  s->t_end = end;
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
  if (!step) CrDeckFail(time, "the keys \"step\" and \"end\", or the key \"steps\", are needed");
  if (!end) CrDeckFail(time, "the key \"end\" is missing; \"step\" needs it");
  t = CrDeckReal(end);
  h = CrDeckIsReal(step) ? CrDeckReal(step) : automatic;
  if (!CrDeckIsReal(step) && t > 0) h = t / PetscCeilReal(t / h * (1 - 1e-12));
  if (t > 0 && h > t * (1 + 1e-12))
    CrWarn("%s: time.step: %g is longer than the run, which ends at %g: the run has one step",
           CrDeckPlace(step), (double)h, (double)t);
  n = t / h;
  if (!(n < 1e9)) CrDeckFail(step, "the run would have %g steps, which are too many", (double)n);
  whole = (PetscInt)PetscFloorReal(n * (1 + 1e-12) + 1e-9);
  PetscCall(allocate(s, 1));
  s->ndeck = 1;
  s->deck_h[0] = h;
  if (whole)
    PetscCall(add_segment(s, h, whole, n - (PetscReal)whole < 1e-9 ? t : h * (PetscReal)whole));
  if (t - s->t_end > 1e-9 * h || (t > 0 && !whole)) PetscCall(add_segment(s, t - s->t_end, 1, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_list(const CrDeckNode *time, const CrDeckNode *steps, CrSchedule *s)
{
  PetscInt  n = CrDeckCount(steps);
  PetscReal end = 0;

  PetscFunctionBeginUser;
  for (int i = 0; i < 2; i++)
    if (CrDeckFind(time, i ? "end" : "step"))
      CrDeckFail(CrDeckFind(time, i ? "end" : "step"),
                 "this key and \"steps\" cannot be given together");
  if (!n) CrDeckFail(steps, "expected at least one pair [size, count]");
  PetscCall(allocate(s, n));
  for (PetscInt k = 0; k < n; k++) {
    const CrDeckNode *row = CrDeckItem(steps, k);
    PetscReal         h, count;

    if (CrDeckCount(row) != 2) CrDeckFail(row, "expected a pair [size, count]");
    h = CrDeckReal(CrDeckItem(row, 0));
    count = CrDeckReal(CrDeckItem(row, 1));
    if (!(h > 0))
      CrDeckFail(CrDeckItem(row, 0), "a step must be greater than 0, but is %g", (double)h);
    if (!(count >= 1 && count < 1e9) || count != PetscFloorReal(count))
      CrDeckFail(CrDeckItem(row, 1), "expected a whole number of steps, at least 1, found %g",
                 (double)count);
    if (s->total + count >= 1e9) CrDeckFail(steps, "more than 1e9 steps are too many");
    end += h * count;
    s->deck_h[k] = h;
    s->deck_count[k] = (PetscInt)count;
    s->ndeck = k + 1;
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
    CrDeckFail(min, "this number must not exceed the step %g", (double)least);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrScheduleDestroy(CrSchedule *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree4(s->h, s->start, s->end, s->count));
  PetscCall(PetscFree2(s->deck_h, s->deck_count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrScheduleIsDone(const CrSchedule *s)
{
  return s->nhalves == 0 && s->segment == s->nsegments;
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
         s->nhalves + 2 <= CR_MAX_HALVINGS;
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

/* What two times may differ by that are meant to be one, when steps are of size h. */
static PetscReal slack(PetscReal t, PetscReal h)
{
  return 1e-9 * h + 4 * PETSC_MACHINE_EPSILON * PetscAbsReal(t);
}

/* The deck's steps as far as `end`: its last size goes on, and a shorter step meets the end. */
static PetscErrorCode lay_out(CrSchedule *s, PetscReal end)
{
  PetscReal h, whole;
  PetscInt  k = 0;

  PetscFunctionBeginUser;
  s->nsegments = s->total = 0;
  s->t_end = 0;
  for (; k + 1 < s->ndeck; k++) {
    PetscReal full = s->t_end + s->deck_h[k] * (PetscReal)s->deck_count[k];

    if (full > end + slack(end, s->deck_h[k])) break;
    PetscCall(add_segment(s, s->deck_h[k], s->deck_count[k], full));
  }
  h = s->deck_h[k];
  whole = PetscFloorReal((end - s->t_end + slack(end, h)) / h);
  if (!((PetscReal)s->total + whole < 1e9))
    CrInputFail("--until %g: %g steps would be needed, which are too many", (double)end,
                (double)((PetscReal)s->total + whole));
  if (whole >= 1) {
    PetscReal full = s->t_end + h * whole;

    PetscCall(
        add_segment(s, h, (PetscInt)whole, PetscAbsReal(end - full) <= slack(end, h) ? end : full));
  }
  if (end - s->t_end > slack(end, h)) PetscCall(add_segment(s, end - s->t_end, 1, end));
  s->t_end = end;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Whether t is one of the times of the schedule; it goes on from there, or from the last one before. */
static PetscBool go_to(CrSchedule *s, PetscReal t)
{
  for (s->segment = 0; s->segment < s->nsegments; s->segment++) {
    const PetscInt  k = s->segment;
    const PetscReal h = s->h[k];

    if (s->end[k] <= t + slack(t, h)) continue;
    s->done = (PetscInt)((t - s->start[k] + slack(t, h)) / h);
    return t - (s->start[k] + h * (PetscReal)s->done) <= slack(t, h);
  }
  s->done = 0;
  return PETSC_TRUE;
}

PetscErrorCode CrScheduleSetEnd(CrSchedule *s, PetscReal t, PetscReal end)
{
  PetscFunctionBeginUser;
  if (end < t) CrInputFail("--until %g: the run is already at t = %g", (double)end, (double)t);
  PetscCall(lay_out(s, end));
  if (s->nhalves && s->halves[0].t <= end + slack(end, s->halves[0].h) && go_to(s, s->halves[0].t))
    PetscFunctionReturn(PETSC_SUCCESS); /* the halves at hand lead to one of its times */
  s->nhalves = 0;
  if (!go_to(s, t)) { /* an earlier end was none of the deck's times: a shorter step to the next */
    CrGoal goal = CrScheduleGoal(s);

    next_step(s);
    s->halves[s->nhalves++] = (CrGoal){goal.t, goal.t - t};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
