/* Units of a deck: labels that follow from others, and sets that do not fit together. */
#include <string.h>
#include "check.h"
#include "deck/units.h"

/* Labels of a section, "length mm, force kN, ..." with `want` for one of them; NULL: the section is refused. */
static void expect(const char section[], CrUnit unit, const char want[])
{
  CrDeck        *deck;
  CrUnits        units;
  char           text[256];
  PetscErrorCode code;

  snprintf(text, sizeof text, "units: {%s}\n", section);
  CHECK_OK(CrDeckParse("test", text, strlen(text), 0, NULL, &deck));
  code = CrUnitsRead(CrDeckRoot(deck), &units);
  CHECK((code == PETSC_SUCCESS) == (want != NULL));
  if (!code && want && strcmp(units.label[unit], want)) {
    printf("{%s}: \"%s\", expected \"%s\"\n", section, units.label[unit], want);
    CHECK(0);
  }
  CHECK_OK(CrDeckDestroy(&deck));
}

static void test_labels(void)
{
  const char *si = "length: m, mass: kg, time: s", *ls = "length: mm, mass: kg, time: ms";
  const char *mm = "length: mm, mass: t, time: s", *us = "length: in, mass: slinch, time: s";

  expect(si, CR_UNIT_FORCE, "N");
  expect(si, CR_UNIT_ENERGY, "J");
  expect(si, CR_UNIT_STRESS, "Pa");
  expect(ls, CR_UNIT_FORCE, "kN"); /* kg mm/ms^2 = 1e3 N */
  expect(ls, CR_UNIT_ENERGY, "J");
  expect(ls, CR_UNIT_STRESS, "GPa");
  expect(ls, CR_UNIT_VELOCITY, "mm/ms");
  expect(ls, CR_UNIT_IMPULSE, "kN ms");
  expect(ls, CR_UNIT_MOMENT, "kN mm");
  expect(ls, CR_UNIT_ANGULAR, "J ms");
  expect(ls, CR_UNIT_SPIN, "rad/ms");
  expect(mm, CR_UNIT_FORCE, "N");
  expect(mm, CR_UNIT_ENERGY, "mJ");
  expect(mm, CR_UNIT_STRESS, "MPa");
  expect(us, CR_UNIT_FORCE, "lbf");
  expect(us, CR_UNIT_STRESS, "psi");
  expect(us, CR_UNIT_ENERGY, "lbf in");
  expect("length: cm, mass: g, time: us", CR_UNIT_FORCE, "g cm/us^2"); /* 1e7 N has no name */
  expect("length: mm, force: N", CR_UNIT_STRESS, "MPa");
  expect("length: mm, force: N, time: s", CR_UNIT_MASS, "t");
  expect("length: mm, stress: MPa", CR_UNIT_FORCE, "N");
  expect("length: m, energy: kJ", CR_UNIT_FORCE, "kN");
  expect("length: m, time: s", CR_UNIT_VELOCITY, "m/s");
  expect("length: m, time: s", CR_UNIT_FORCE, "");
  expect("time: s", CR_UNIT_LENGTH, "");
}

static void test_misfits(void)
{
  expect("length: mm, mass: kg, time: ms, force: kN", CR_UNIT_FORCE, "kN");
  expect("length: mm, mass: kg, time: ms, force: N", CR_UNIT_FORCE, NULL);
  expect("length: mm, mass: kg, time: ms, energy: kJ", CR_UNIT_FORCE, NULL);
  expect("length: mm, mass: kg, time: ms, stress: MPa", CR_UNIT_FORCE, NULL);
  expect("length: mm, mass: t, time: s, force: N, energy: mJ, stress: MPa", CR_UNIT_FORCE, "N");
  expect("length: mm, energy: J, stress: MPa", CR_UNIT_FORCE, NULL); /* J / mm^3 is GPa */
}

int main(int argc, char **argv)
{
  if (check_start(argc, argv)) return 1;
  test_labels();
  test_misfits();
  return check_end();
}
