/* Factors of time: values, slopes from the right, curvature; and the decks they come from. */
#include "model_from_text.h"

/* Reads the condition of a small deck into *factor; the caller frees its table. */
static PetscErrorCode read(const char *text, CrFactor *factor)
{
  char           deck_text[512];
  CrDeck        *deck;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(factor, sizeof *factor));
  snprintf(deck_text, sizeof deck_text, "conditions: [{gravity: [0, 1]%s}]", text);
  PetscCall(CrDeckParse("factor", deck_text, strlen(deck_text), 0, NULL, &deck));
  PetscCall(CrDeckValidate(deck, CrConditionKeys));
  code = CrFactorRead(CrDeckFind(CrDeckRoot(deck), "conditions.0"), factor);
  if (code) PetscCall(PetscFree(factor->table));
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(code);
}

/* Slope and curvature against differences to the right of t, inside a smooth stretch. */
static void test_slopes(const CrFactor *f, PetscReal t)
{
  const PetscReal d = 1e-4, a = CrFactorAt(f, t), b = CrFactorAt(f, t + d),
                  c = CrFactorAt(f, t + 2 * d), scale = f->omega * f->omega * f->omega + 1;

  CHECK_NEAR(CrFactorSlope(f, t), (4 * b - c - 3 * a) / (2 * d), d * d * scale + 1e-11);
  CHECK_NEAR(CrFactorCurvature(f, t), (c - 2 * b + a) / (d * d), 2 * d * scale + 1e-7);
}

static void test_constant(void)
{
  CrFactor f;

  CHECK_OK(read("", &f));
  CHECK(CrFactorAt(&f, -5) == 1 && CrFactorAt(&f, 1e9) == 1);
  CHECK(CrFactorSlope(&f, 0) == 0 && CrFactorCurvature(&f, 0) == 0);
}

static void test_ramp(void)
{
  CrFactor f;

  CHECK_OK(read(", ramp: [1, 3]", &f));
  CHECK(CrFactorAt(&f, 0) == 0 && CrFactorAt(&f, 1) == 0);
  CHECK(CrFactorAt(&f, 2) == 0.5 && CrFactorAt(&f, 3) == 1 && CrFactorAt(&f, 4) == 1);
  CHECK(CrFactorSlope(&f, 0.9) == 0);
  CHECK(CrFactorSlope(&f, 1) == 0.5); /* from the right: it has begun to move */
  CHECK(CrFactorSlope(&f, 2.9) == 0.5);
  CHECK(CrFactorSlope(&f, 3) == 0); /* and has stopped */
  test_slopes(&f, 1);
  test_slopes(&f, 2);
  test_slopes(&f, 3);
  CHECK_REFUSED(read(", ramp: [3, 1]", &f), "ascending");
  CHECK_REFUSED(read(", ramp: [1, 1]", &f), "ascending");
}

static void test_wave(void)
{
  CrFactor f;

  CHECK_OK(read(", wave: {omega: 3}", &f)); /* mean 0, amplitude 1, phase 0 */
  CHECK_NEAR(CrFactorAt(&f, 0.7), sin(2.1), 1e-15);
  test_slopes(&f, 0.7);
  CHECK_OK(read(", wave: {omega: 5, phase: 90, mean: 1, amplitude: -1}", &f));
  CHECK_NEAR(CrFactorAt(&f, 0.3), 1 - cos(1.5), 1e-15); /* the phase is in degrees */
  CHECK_NEAR(CrFactorSlope(&f, 0.3), 5 * sin(1.5), 1e-14);
  CHECK_NEAR(CrFactorCurvature(&f, 0.3), 25 * cos(1.5), 1e-13);
  test_slopes(&f, 0);
  test_slopes(&f, 1.3);
}

static void test_table(void)
{
  CrFactor f;

  CHECK_OK(read(", table: [[0, 1], [1, 3], [4, 0]]", &f));
  CHECK(CrFactorAt(&f, -1) == 1 && CrFactorAt(&f, 0) == 1); /* constant outside */
  CHECK(CrFactorAt(&f, 0.5) == 2 && CrFactorAt(&f, 1) == 3);
  CHECK_NEAR(CrFactorAt(&f, 2), 2, 1e-15);
  CHECK(CrFactorAt(&f, 4) == 0 && CrFactorAt(&f, 9) == 0);
  CHECK(CrFactorSlope(&f, -1) == 0 && CrFactorSlope(&f, 0) == 2 && CrFactorSlope(&f, 1) == -1);
  CHECK(CrFactorSlope(&f, 4) == 0);
  test_slopes(&f, 0.2);
  test_slopes(&f, 1);
  CHECK_OK(PetscFree(f.table));
  CHECK_OK(read(", table: [[2, 5]]", &f)); /* a single point: constant */
  CHECK(CrFactorAt(&f, 0) == 5 && CrFactorAt(&f, 2) == 5 && CrFactorAt(&f, 3) == 5);
  CHECK(CrFactorSlope(&f, 2) == 0);
  CHECK_OK(PetscFree(f.table));
  CHECK_REFUSED(read(", table: [[1, 0], [1, 2]]", &f), "ascend");
  CHECK_REFUSED(read(", table: [[1, 0, 2]]", &f), "pair");
  CHECK_REFUSED(read(", table: []", &f), "at least one");
}

int main(int argc, char **argv)
{
  CrFactor f;

  if (check_start(argc, argv)) return 1;
  test_constant();
  test_ramp();
  test_wave();
  test_table();
  CHECK_REFUSED(read(", ramp: [0, 1], wave: {omega: 1}", &f), "one of");
  return check_end();
}
