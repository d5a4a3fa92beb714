/* Impulses of pairs and the filter of their forces: the integral of the filtered force is the impulse once the window
   has passed, for any steps; a constant force passes unchanged; a force at one instant becomes a plateau. */
#include <math.h>
#include "check.h"
#include "model/impulses.h"

#define CELL (1 + 2.0 / CR_FILTER_CELLS) /* the window, and the cells that come in and go out */

static unsigned seed = 7;

static PetscReal random_part(void) /* in (0, 1) */
{
  seed = seed * 1664525u + 1013904223u;
  return ((PetscReal)(seed >> 8) + 0.5) / 16777216;
}

/* Takes a step; the force acts in x, a third of it along the normal. */
static void step(CrImpulses *s, PetscReal window, PetscReal *t, PetscReal h, PetscReal force)
{
  const PetscReal impulse[6] = {h * force, 0, 0, h * force / 3, 0, 0};

  CrImpulsesAdd(s, 0, window, *t, h, impulse);
  *t += h;
}

/* Steps of any size, forces that come and go: nothing is lost, and nothing comes out beyond the window. */
static void test_any_steps(PetscReal window, PetscReal longest)
{
  CrImpulses s = {0};
  PetscReal  t = 0.3, in = 0, out = 0, end;

  CHECK_OK(CrImpulsesCreate(1, &s));
  for (int n = 0; n < 400; n++) {
    PetscReal h = longest * random_part(), force = n % 100 < 40 ? random_part() - 0.3 : 0;

    step(&s, window, &t, h, force);
    in += h * force;
    out += h * s.filtered[0];
    CHECK(fabs(s.filtered[0]) <= 1.0);
  }
  for (end = t; t < end + CELL * window; out += 0.01 * window * s.filtered[0])
    step(&s, window, &t, 0.01 * window, 0);
  CHECK_NEAR(s.total[0], in, 1e-13);
  CHECK_NEAR(s.total[3], in / 3, 1e-13);
  CHECK_NEAR(out, in, 1e-11 * window + 1e-12);
  step(&s, window, &t, 0.5 * window, 0);
  CHECK_NEAR(s.filtered[0], 0, 1e-12);
  CHECK_OK(CrImpulsesDestroy(&s));
}

/* A constant force: after the window the filter gives it as it is. */
static void test_constant(PetscReal window, PetscReal h)
{
  CrImpulses s = {0};
  PetscReal  t = 0;

  CHECK_OK(CrImpulsesCreate(1, &s));
  while (t < CELL * window + 2 * h) step(&s, window, &t, h, 2.5);
  CHECK_NEAR(s.filtered[0], 2.5, 1e-11);
  CHECK_OK(CrImpulsesDestroy(&s));
}

/* The force of one short step becomes impulse over window, for the length of the window. */
static void test_blow(void)
{
  CrImpulses s = {0};
  PetscReal  t = 1, window = 0.1, h = 1e-4;

  CHECK_OK(CrImpulsesCreate(1, &s));
  step(&s, window, &t, h, 3 / h);
  for (int n = 1; n < 1100; n++) {
    PetscReal late = (n + 0.5) * h / window; /* since the blow */

    step(&s, window, &t, h, 0);
    if (late > 2.0 / CR_FILTER_CELLS && late < 1) CHECK_NEAR(s.filtered[0], 3 / window, 1e-9);
    if (late > CELL) CHECK_NEAR(s.filtered[0], 0, 1e-9);
  }
  CHECK_OK(CrImpulsesDestroy(&s));
}

/* Steps that are as long as the window, or longer, show their own force; no window at all does too. */
static void test_long_steps(void)
{
  CrImpulses s = {0};
  PetscReal  t = 0, out;

  CHECK_OK(CrImpulsesCreate(1, &s));
  for (int n = 0; n < 5; n++) {
    step(&s, n % 2 ? 0 : 0.1, &t, 0.1, 1 + n);
    CHECK_NEAR(s.filtered[0], 1 + n, 1e-15 * (1 + n));
  }
  step(&s, 0.1, &t, 0.01, 10); /* short: it stays in the window, until a long step takes it along */
  out = 0.01 * s.filtered[0];
  CHECK(out < 0.01);
  step(&s, 0.1, &t, 0.2, 0);
  CHECK_NEAR(out + 0.2 * s.filtered[0], 0.1, 1e-14);
  step(&s, 0.1, &t, 0.01, 0);
  CHECK(s.filtered[0] == 0);
  CHECK_OK(CrImpulsesDestroy(&s));
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_any_steps(1, 0.01);
  test_any_steps(1, 0.3);
  test_any_steps(0.01, 0.05); /* some are longer than the window */
  test_any_steps(1e-9, 1e-10);
  test_constant(1, 0.013);
  test_constant(0.1, 0.07);
  test_blow();
  test_long_steps();
  return check_end();
}
