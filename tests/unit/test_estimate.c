/* Orders, limits and errors of sequences with known limits. */
#include "base/estimate.h"
#include <math.h>
#include <stdint.h>
#include "check.h"

/* v + c h^p exactly: the order, the limit, and an error that holds. Three levels do not prove an order, so the errors
   of the finer ones are wider: 0.4 of the spread. */
static void test_exact_orders(void)
{
  for (PetscReal p = 0.75; p < 2.1; p += 0.25)
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
          CHECK_LESS(e.errors[k], PetscMax(1.3 * fabs(v[k] - 7), n > 3 ? 0 : 0.41 * 2) + 1e-7);
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

/* A number from -1 to 1 (Knuth's linear congruence), the same on every machine. */
static PetscReal toss(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (PetscReal)(*seed >> 11) / (PetscReal)(1ull << 52) - 1;
}

/* Values converge at a known order, and every one of them is off by chance too: h^p + noise, with the limit 0. Some
   look like a fine order by accident. Stated errors should contain the true ones, and must hardly ever be off by more
   than three times. */
static void test_scatter(PetscInt n, PetscReal noise, PetscReal least)
{
  static const PetscReal orders[] = {0.6, 1, 1.5, 2};
  const PetscInt         tries = 1500;
  PetscInt               held = 0, off = 0;
  uint64_t               seed = 20;

  for (PetscInt i = 0; i < tries; i++) {
    PetscReal  v[6];
    CrEstimate e;

    for (PetscInt k = 0; k < n; k++)
      v[k] = PetscPowReal(2, -orders[i % 4] * k) + noise * toss(&seed);
    CrEstimateMake(n, v, NULL, 2, 0, &e);
    held += fabs(v[n - 1]) <= e.errors[n - 1];
    off += fabs(v[n - 1]) > 3 * e.errors[n - 1];
  }
  printf("%d levels, noise %g: held %d, far off %d of %d\n", (int)n, (double)noise, (int)held,
         (int)off, (int)tries);
  CHECK(held >= least * tries);
  CHECK(off <= 0.035 * tries);
}

/* Differences that fall faster than any method converges show no order, however well the last two values agree. */
static void test_early(void)
{
  const PetscReal fast[] = {2, 1.1, 1}, faster[] = {2, 1.001, 1};
  const PetscReal third[] = {513, 65, 9, 2}; /* 1 + h^3 */
  CrEstimate      e;

  CrEstimateMake(3, fast, NULL, 2, 0, &e);
  CHECK_TEXT(CrEstimateText(e.word), "pre-asymptotic");
  CHECK_NEAR(e.limit, 1, 0); /* no extrapolation */
  CHECK_NEAR(e.errors[0], 1.25 * 1 + 3 * 0.1, 1e-12);
  CHECK_NEAR(e.errors[2], 0.5,
             1e-12); /* half of the spread, above three times the last difference */
  CrEstimateMake(3, faster, NULL, 2, 0, &e);
  CHECK_NEAR(e.errors[1], 0.5, 1e-12);
  CrEstimateMake(4, third, NULL, 2, 0, &e);
  CHECK_NEAR(e.order, 3, 1e-6);
  CHECK_TEXT(CrEstimateText(e.word), "pre-asymptotic");
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

/* A component that is small beside its vector is converged although its differences grow, or fall too slowly: an order
   beside that word would contradict it. Without the vector the same values have their order. */
static void test_no_order_beside_converged(void)
{
  const PetscReal grows[] = {0.01, 0.0101, 0.0108}, slow[] = {0.010, 0.012, 0.0135};
  const PetscReal fine[] = {0.014, 0.012, 0.011}, fast[] = {0.02, 0.011, 0.01};
  CrEstimate      e;

  CrEstimateMake(3, grows, NULL, 2, 10, &e);
  CHECK_TEXT(CrEstimateText(e.word), "converged");
  CHECK(isnan(e.order));
  CrEstimateMake(3, slow, NULL, 2, 10, &e);
  CHECK_TEXT(CrEstimateText(e.word), "converged");
  CHECK(isnan(e.order));
  CrEstimateMake(3, fine, NULL, 2, 10, &e);
  CHECK_NEAR(e.order, 1, 1e-9); /* differences fall: the order says so */
  CrEstimateMake(3, fast, NULL, 2, 10, &e);
  CHECK_NEAR(e.order, log2(9), 1e-9);
  CrEstimateMake(3, grows, NULL, 2, 0, &e);
  CHECK_TEXT(CrEstimateText(e.word), "diverging");
  CHECK_NEAR(e.order, -log2(7), 1e-9);
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
  test_scatter(3, 0.03, 0.8);
  test_scatter(3, 0.1, 0.7);
  test_scatter(4, 0.03, 0.8);
  test_scatter(4, 0.1, 0.8);
  test_scatter(6, 0.1, 0.9);
  test_early();
  test_words();
  test_no_order_beside_converged();
  test_slow();
  test_grains();
  return check_end();
}
