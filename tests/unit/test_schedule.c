/* The deck's steps, and the halves of those that fail. */
#include <float.h>
#include "model_from_text.h"

static PetscErrorCode open(const char *time, CrDeck **deck, CrSchedule *s)
{
  char           text[1024];
  PetscErrorCode code;

  PetscFunctionBeginUser;
  snprintf(text, sizeof text,
           "{carom: 1, dimension: 2, materials: [{name: m, density: 1, lambda: 1, shear: 1}],"
           " bodies: [{name: b, material: m, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1,"
           " 1]}}}], time: {method: midpoint, %s}}",
           time);
  PetscCall(CrProblemParse("test", text, 0, NULL, deck));
  code = CrScheduleCreate(CrDeckFind(CrDeckRoot(*deck), "time"), 0, s);
  if (code) {
    PetscCall(CrScheduleDestroy(s));
    PetscCall(CrDeckDestroy(deck));
  }
  PetscFunctionReturn(code);
}

static void close_schedule(CrDeck **deck, CrSchedule *s)
{
  CHECK_OK(CrScheduleDestroy(s));
  CHECK_OK(CrDeckDestroy(deck));
}

/* Walks through without failures: n goals, each one step after the last, the last at the end. */
static void walk(CrSchedule *s, PetscInt n, PetscReal end)
{
  PetscReal t = 0;
  PetscInt  count = 0;

  CHECK(s->total == n);
  CHECK(s->t_end == end);
  while (!CrScheduleIsDone(s)) {
    CrGoal goal = CrScheduleGoal(s);

    CHECK_NEAR(goal.t - t, goal.h, 4 * DBL_EPSILON * end);
    t = goal.t;
    count++;
    CrScheduleAdvance(s);
  }
  CHECK(count == n);
  CHECK(t == end); /* the deck's time to the last digit */
}

static void test_uniform(void)
{
  static const struct {
    const char *text;
    PetscInt    n;
    PetscReal   end;
  } rows[] = {
      {"step: 0.25, end: 1", 4, 1},
      {"step: 0.1, end: 1", 10, 1}, /* 10 sums of 0.1 are not 1 */
      {"step: 0.01, end: 3.5", 350, 3.5},
      {"step: 1e-3, end: 0.7", 700, 0.7},
      {"step: 0.3, end: 1", 4, 1},       /* three steps and a remainder of 0.1 */
      {"step: 2, end: 0.5", 1, 0.5},     /* no step is longer than to the end */
      {"step: 0.5, end: 0", 0, 0},       /* nothing to do */
      {"step: 0.1, end: 0.35", 4, 0.35}, /* remainder 0.05 */
  };
  CrDeck    *deck;
  CrSchedule s;

  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    int before = check_failures;

    CHECK_OK(open(rows[k].text, &deck, &s));
    walk(&s, rows[k].n, rows[k].end);
    close_schedule(&deck, &s);
    if (check_failures > before) printf("  %s\n", rows[k].text);
  }
  CHECK_OK(open("step: 0.3, end: 1", &deck, &s));
  for (int k = 0; k < 3; k++) {
    CHECK(CrScheduleGoal(&s).h == 0.3);
    CrScheduleAdvance(&s);
  }
  CHECK_NEAR(CrScheduleGoal(&s).h, 0.1, 1e-15);
  close_schedule(&deck, &s);
}

static void test_lists(void)
{
  CrDeck    *deck;
  CrSchedule s;

  CHECK_OK(open("steps: [[1.0, 1], [0.01, 250]]", &deck, &s));
  walk(&s, 251, 3.5);
  close_schedule(&deck, &s);
  CHECK_OK(open("steps: [[0.5, 2], [0.1, 3], [2, 1]]", &deck, &s));
  for (int k = 0; k < 2; k++) CrScheduleAdvance(&s);
  CHECK(CrScheduleGoal(&s).h == 0.1);
  CHECK_NEAR(CrScheduleGoal(&s).t, 1.1, 1e-15);
  close_schedule(&deck, &s);
}

static void test_refusals(void)
{
  CrDeck    *deck;
  CrSchedule s;

  CHECK_REFUSED(open("step: 0.1", &deck, &s), "end");
  CHECK_REFUSED(open("end: 1", &deck, &s), "step");
  CHECK_REFUSED(open("step: 0.1, steps: [[1, 1]]", &deck, &s), "cannot be given together");
  CHECK_REFUSED(open("end: 1, steps: [[1, 1]]", &deck, &s), "cannot be given together");
  CHECK_REFUSED(open("steps: [[1, 1], [0.5]]", &deck, &s), "pair");
  CHECK_REFUSED(open("steps: [[0, 1]]", &deck, &s), "greater than 0");
  CHECK_REFUSED(open("steps: [[1, 1.5]]", &deck, &s), "whole number");
  CHECK_REFUSED(open("steps: [[1, 0]]", &deck, &s), "at least 1");
  CHECK_REFUSED(open("steps: []", &deck, &s), "at least one");
  CHECK_REFUSED(open("step: 1e-12, end: 1", &deck, &s), "too many");
  CHECK_REFUSED(open("step: 0.1, end: 1, min_step: 0.2", &deck, &s), "not exceed");
}

/* A run whose steps fail while longer than `limit`: every deck time is met to the last digit, no
   step is longer than asked, and the full size comes back. */
static void test_halving(PetscReal limit)
{
  CrDeck    *deck;
  CrSchedule s;
  PetscReal  t = 0, met = 0;
  PetscInt   steps = 0, deck_times = 0;

  CHECK_OK(open("step: 0.1, end: 1", &deck, &s));
  while (!CrScheduleIsDone(&s) && steps < 100000) {
    CrGoal goal = CrScheduleGoal(&s);

    if (t > 0.25 && t < 0.55 && goal.h > limit) {
      CHECK(CrScheduleCut(&s, t));
      continue;
    }
    CHECK_NEAR(goal.t - t, goal.h, 1e-15);
    CHECK(goal.h <= 0.1);
    CrScheduleAdvance(&s);
    t = goal.t;
    steps++;
    if (goal.t == 0.1 * (PetscReal)(deck_times + 1) || (deck_times == 9 && goal.t == 1)) {
      deck_times++;
      met = t;
    }
  }
  CHECK(deck_times == 10 && met == 1 && t == 1);
  CHECK(steps > 10);
  close_schedule(&deck, &s);
}

/* Halves down to min_step and no further; not at all unless adaptive. */
static void test_smallest_step(void)
{
  CrDeck    *deck;
  CrSchedule s;
  int        cuts = 0;

  CHECK_OK(open("step: 0.1, end: 1", &deck, &s)); /* min_step: step/1024 */
  while (CrScheduleCut(&s, 0)) cuts++;
  CHECK(cuts == 10);
  CHECK_NEAR(CrScheduleGoal(&s).h, 0.1 / 1024, 1e-18);
  close_schedule(&deck, &s);

  CHECK_OK(open("step: 0.1, end: 1, min_step: 0.02", &deck, &s));
  for (cuts = 0; CrScheduleCut(&s, 0);) cuts++;
  CHECK(cuts == 2); /* 0.1, 0.05, 0.025 */
  close_schedule(&deck, &s);

  CHECK_OK(open("step: 0.1, end: 1, min_step: 1e-300", &deck, &s)); /* the stack has an end */
  for (cuts = 0; cuts < 1000 && CrScheduleCut(&s, 0);) cuts++;
  CHECK(cuts < CR_MAX_HALVINGS);
  close_schedule(&deck, &s);

  CHECK_OK(open("step: 0.1, end: 1, adaptive: false", &deck, &s));
  CHECK(!CrScheduleCut(&s, 0));
  close_schedule(&deck, &s);
}

/* Steps on, n of them or all. */
static PetscReal go_on(CrSchedule *s, PetscInt n)
{
  PetscReal t = 0;

  for (; n-- && !CrScheduleIsDone(s); CrScheduleAdvance(s)) t = CrScheduleGoal(s).t;
  return t;
}

/* Another end is met by the deck's own steps as far as they go, then by steps of its last size: from t,
   after `done` steps of the deck, by `first` at first, n in all. */
static void test_other_end(void)
{
  static const struct {
    const char *text;
    PetscInt    done;
    PetscReal   end, first;
    PetscInt    n;
  } rows[] = {
      {"step: 0.1, end: 1", 3, 1, 0.1, 7},     /* its own end: nothing changes */
      {"step: 0.1, end: 1", 3, 0.55, 0.1, 3},  /* 0.4, 0.5, 0.55 */
      {"step: 0.1, end: 1", 10, 1.25, 0.1, 3}, /* 1.1, 1.2, 1.25 */
      {"step: 0.1, end: 1", 10, 1, 0, 0},
      {"step: 0.1, end: 0.35", 4, 1, 0.05, 7}, /* not by the remainder of 0.05: 0.4, 0.5, ... */
      {"step: 2, end: 0.5", 1, 8, 1.5, 4},     /* 2, 4, 6, 8 */
      {"step: 0.5, end: 0", 0, 2, 0.5, 4},
      {"steps: [[0.01, 10], [0.5, 4]]", 3, 2.1, 0.01,
       11}, /* small ones first, as the deck has it */
      {"steps: [[0.5, 4], [0.01, 10]]", 1, 2.1, 0.5, 13},
      {"steps: [[0.5, 4], [0.01, 10]]", 1, 1.25, 0.5, 2}, /* 1, 1.25 */
      {"steps: [[0.5, 4], [0.01, 10]]", 14, 2.2, 0.01, 10},
      {"steps: [[1e6, 1], [1e-3, 3]]", 1, 1000000.003, 1e-3, 3},
  };
  CrDeck    *deck;
  CrSchedule s;

  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
    int       before = check_failures;
    PetscReal t, last = 0, longest = 0;
    PetscInt  n = 0;

    CHECK_OK(open(rows[k].text, &deck, &s));
    for (PetscInt i = 0; i < s.ndeck; i++) longest = PetscMax(longest, s.deck_h[i]);
    last = t = go_on(&s, rows[k].done);
    CHECK_OK(CrScheduleSetEnd(&s, t, rows[k].end));
    CHECK(s.t_end == rows[k].end);
    for (; !CrScheduleIsDone(&s) && n < 100; CrScheduleAdvance(&s), n++) {
      CrGoal goal = CrScheduleGoal(&s);

      if (!n) CHECK_NEAR(goal.h, rows[k].first, 1e-12);
      CHECK_NEAR(goal.t - last, goal.h, 1e-9); /* time runs on, by what is stepped */
      CHECK(goal.h > 0 && goal.h <= longest);
      last = goal.t;
    }
    CHECK(n == rows[k].n && (!n || last == rows[k].end));
    close_schedule(&deck, &s);
    if (check_failures > before)
      printf("  %s until %g: %d steps\n", rows[k].text, rows[k].end, (int)n);
  }

  CHECK_OK(open("step: 0.1, end: 1", &deck, &s));
  CHECK_REFUSED(CrScheduleSetEnd(&s, 0.5, 0.4), "already at");
  CHECK_REFUSED(CrScheduleSetEnd(&s, 0.5, 1e300), "too many");
  CHECK_REFUSED(CrScheduleSetEnd(&s, 0.5, 2e8), "too many");
  close_schedule(&deck, &s);
}

/* An end between the deck's times, and then a later one: back to the deck's times. With halves at hand too. */
static void test_other_end_twice(void)
{
  CrDeck    *deck;
  CrSchedule s;
  PetscReal  t;

  CHECK_OK(open("step: 0.1, end: 1", &deck, &s));
  CHECK_OK(CrScheduleSetEnd(&s, go_on(&s, 2), 0.45));
  t = go_on(&s, -1);
  CHECK(t == 0.45);
  CHECK_OK(CrScheduleSetEnd(&s, t, 1));
  CHECK(CrScheduleGoal(&s).t == 0.5);
  CHECK_NEAR(CrScheduleGoal(&s).h, 0.05, 1e-15);
  CHECK(go_on(&s, 2) == 0.1 * 6 && CrScheduleGoal(&s).h == 0.1);
  close_schedule(&deck, &s);

  CHECK_OK(open("step: 0.1, end: 1", &deck, &s));
  t = go_on(&s, 2);
  CHECK(CrScheduleCut(&s, t) && CrScheduleCut(&s, t)); /* 0.225, 0.25, 0.3 */
  CHECK_OK(CrScheduleSetEnd(&s, t, 0.5));
  CHECK_NEAR(go_on(&s, 1), 0.225, 1e-15);
  CHECK_NEAR(go_on(&s, 1), 0.25, 1e-15);
  CHECK_OK(CrScheduleSetEnd(&s, 0.25, 0.27)); /* short of the last half */
  CHECK_NEAR(CrScheduleGoal(&s).h, 0.02, 1e-15);
  CHECK(go_on(&s, -1) == 0.27);
  close_schedule(&deck, &s);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_uniform();
  test_lists();
  test_refusals();
  test_halving(0.06);
  test_halving(0.001);
  test_smallest_step();
  test_other_end();
  test_other_end_twice();
  return check_end();
}
