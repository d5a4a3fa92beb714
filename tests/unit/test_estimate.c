/* Orders, limits and errors of sequences with known limits. */
#include "base/estimate.h"
#include <math.h>
#include "check.h"

/* v + c h^p exactly: the order, the limit, and an error that holds. */
static void test_exact_orders(void)
{
  for (PetscReal p = 0.75; p < 3; p += 0.5)
    for (PetscInt n = 3; n <= 6; n++)
      for (int sign = -1; sign <= 1; sign += 2) {
        PetscReal  v[6];
        CrEstimate e;

        for (PetscInt k = 0; k < n; k++) v[k] = 7 + sign * 2 * PetscPowReal(3, -p * k);
        CrEstimateMake(n, v, NULL, 3, 0, &e);
        CHECK_NEAR(e.order, p, 1e-6);
        CHECK_NEAR(e.limit, 7, 1e-6);
        for (PetscInt k = 0; k < n; k++) {
          CHECK(e.errors[k] >= fabs(v[k] - 7) * (1 - 1e-9));
          CHECK_LESS(e.errors[k], 1.3 * fabs(v[k] - 7) + 1e-9);
        }
        CHECK_TEXT(CrEstimateText(e.word), "converging");
      }
}

/* A higher order beside the leading one: the stated error still holds the true one. */
static void test_mixed_orders(void)
{
  for (int k = 0; k < 20; k++) {
    PetscReal  v[3], c = 0.3 * (k % 5) - 0.6;
    CrEstimate e;

    for (int i = 0; i < 3; i++) {
      PetscReal h = PetscPowReal(0.5, i + 2 + k / 5);

      v[i] = 1 + h + c * h * h;
    }
    CrEstimateMake(3, v, NULL, 2, 0, &e);
    for (int i = 0; i < 3; i++) CHECK(e.errors[i] >= fabs(v[i] - 1));
  }
}

static void test_words(void)
{
  const PetscReal noisy[] = {3, 2, 3.1, 2.4}, wild[] = {1, 1.1, 1.4, 2.3}, same[] = {5, 5, 5};
  const PetscReal fine[] = {1.004, 1.002, 1.001}, two[] = {1, 2}, small[] = {1e-9, -2e-9, 3e-9};
  CrEstimate      e;

  CrEstimateMake(4, noisy, NULL, 2, 0, &e);
  CHECK_TEXT(CrEstimateText(e.word), "noisy");
  CHECK(isnan(e.order));
  CHECK_NEAR(e.errors[0], 3 * 1.1, 1e-12); /* three times the spread */
  CrEstimateMake(4, wild, NULL, 2, 0, &e);
  CHECK_TEXT(CrEstimateText(e.word), "diverging");
  CrEstimateMake(3, same, NULL, 2, 0, &e);
  CHECK_TEXT(CrEstimateText(e.word), "converged");
  CHECK(e.digits == 12 && e.limit == 5);
  CrEstimateMake(3, fine, NULL, 2, 0, &e);
  CHECK_TEXT(CrEstimateText(e.word), "converged");
  CHECK(e.digits == 2);
  CrEstimateMake(2, two, NULL, 2, 0, &e);
  CHECK_TEXT(CrEstimateText(e.word), "noisy");
  CHECK(isnan(e.order) && e.errors[1] == 3);
  CrEstimateMake(3, small, NULL, 2, 1, &e);
  CHECK_TEXT(CrEstimateText(e.word), "converged"); /* small beside its vector */
}

/* Where differences do not fall, a finer level is not known to be better: its error spans the level before it. */
static void test_slow(void)
{
  const PetscReal slow[] = {0.75, 0.81, 0.87}, luck[] = {1.2, 1, 1.001}; /* slow goes on to 1 */
  CrEstimate      e;

  CrEstimateMake(3, slow, NULL, 2, 0, &e);
  CHECK_NEAR(e.errors[0], 3 * 0.12, 1e-12);
  CHECK_NEAR(e.errors[1], 3 * 0.12, 1e-12);
  CHECK_NEAR(e.errors[2], 3 * 0.06, 1e-12);
  for (int k = 0; k < 3; k++) CHECK_LESS(1 - slow[k], e.errors[k]);
  CrEstimateMake(3, luck, NULL, 2, 0, &e); /* the last two agree by accident */
  CHECK_NEAR(e.errors[2], 0.2, 1e-12);
}

/* Times counted in steps of 0.3, 0.15, 0.075 fall as if they had an order, by accident. */
static void test_grains(void)
{
  const PetscReal counted[] = {3.6, 3.3, 3.225}, grains[] = {0.6, 0.3, 0.15};
  const PetscReal still[] = {3, 3, 3}, clear[] = {8, 5, 3.5};
  CrEstimate      e;

  CrEstimateMake(3, counted, grains, 2, 0, &e);
  CHECK(isnan(e.order));
  for (int k = 0; k < 3; k++) CHECK_LESS(counted[k] - 3.14159, e.errors[k]);
  CrEstimateMake(3, still, grains, 2, 0, &e);
  for (int k = 0; k < 3; k++) CHECK_NEAR(e.errors[k], grains[k], 1e-12);
  CHECK(e.digits == 0); /* an error of a fifth leaves no digit, though the values agree */
  CrEstimateMake(3, clear, grains, 2, 0, &e);
  CHECK_NEAR(e.order, 1, 1e-9);
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_exact_orders();
  test_mixed_orders();
  test_words();
  test_slow();
  test_grains();
  return check_end();
}
