#include "deck/units.h"
#include <math.h>
#include <string.h>

/* The base units, which a deck may give, in SI. */
typedef struct {
  CrUnit      unit;
  const char *name;
  PetscReal   size;
} Known;

static const Known known[] = {
    {CR_UNIT_LENGTH, "m", 1},
    {CR_UNIT_LENGTH, "mm", 1e-3},
    {CR_UNIT_LENGTH, "cm", 1e-2},
    {CR_UNIT_LENGTH, "um", 1e-6},
    {CR_UNIT_LENGTH, "nm", 1e-9},
    {CR_UNIT_LENGTH, "km", 1e3},
    {CR_UNIT_LENGTH, "in", 0.0254},
    {CR_UNIT_LENGTH, "ft", 0.3048},
    {CR_UNIT_MASS, "kg", 1},
    {CR_UNIT_MASS, "g", 1e-3},
    {CR_UNIT_MASS, "mg", 1e-6},
    {CR_UNIT_MASS, "t", 1e3},
    {CR_UNIT_MASS, "kt", 1e6},
    {CR_UNIT_MASS, "lb", 0.45359237},
    {CR_UNIT_MASS, "slug", 14.593902937206},
    {CR_UNIT_MASS, "slinch", 175.12683524648},
    {CR_UNIT_TIME, "s", 1},
    {CR_UNIT_TIME, "ms", 1e-3},
    {CR_UNIT_TIME, "us", 1e-6},
    {CR_UNIT_TIME, "ns", 1e-9},
    {CR_UNIT_TIME, "min", 60},
    {CR_UNIT_TIME, "h", 3600},
    {CR_UNIT_FORCE, "N", 1},
    {CR_UNIT_FORCE, "kN", 1e3},
    {CR_UNIT_FORCE, "MN", 1e6},
    {CR_UNIT_FORCE, "GN", 1e9},
    {CR_UNIT_FORCE, "mN", 1e-3},
    {CR_UNIT_FORCE, "uN", 1e-6},
    {CR_UNIT_FORCE, "lbf", 4.4482216152605},
    {CR_UNIT_ENERGY, "J", 1},
    {CR_UNIT_ENERGY, "kJ", 1e3},
    {CR_UNIT_ENERGY, "MJ", 1e6},
    {CR_UNIT_ENERGY, "GJ", 1e9},
    {CR_UNIT_ENERGY, "mJ", 1e-3},
    {CR_UNIT_ENERGY, "uJ", 1e-6},
    {CR_UNIT_ENERGY, "nJ", 1e-9},
    {CR_UNIT_STRESS, "Pa", 1},
    {CR_UNIT_STRESS, "kPa", 1e3},
    {CR_UNIT_STRESS, "MPa", 1e6},
    {CR_UNIT_STRESS, "GPa", 1e9},
    {CR_UNIT_STRESS, "TPa", 1e12},
    {CR_UNIT_STRESS, "psi", 6894.757293168},
};

/* clang-format off */
static const CrKey keys[] = {
    {"length", CR_WORD, .words = "m|mm|cm|um|nm|km|in|ft", .help = "unit of lengths"},
    {"mass", CR_WORD, .words = "kg|g|mg|t|kt|lb|slug|slinch", .help = "unit of masses"},
    {"time", CR_WORD, .words = "s|ms|us|ns|min|h", .help = "unit of times"},
    {"force", CR_WORD, .words = "N|kN|MN|GN|mN|uN|lbf", .help = "mass length / time^2"},
    {"energy", CR_WORD, .words = "J|kJ|MJ|GJ|mJ|uJ|nJ", .help = "force times length"},
    {"stress", CR_WORD, .words = "Pa|kPa|MPa|GPa|TPa|psi", .help = "force per length^2"},
    {.name = NULL}};
/* clang-format on */

const CrKey CrUnitKeys[] = {{"units", CR_MAP, .keys = keys,
                             .help = "unit labels in reports, plots, pictures and terminal output"},
                            {.name = NULL}};

static const char *const words[CR_UNITS] = {
    [CR_UNIT_LENGTH] = "length",     [CR_UNIT_MASS] = "mass",       [CR_UNIT_TIME] = "time",
    [CR_UNIT_FORCE] = "force",       [CR_UNIT_ENERGY] = "energy",   [CR_UNIT_STRESS] = "stress",
    [CR_UNIT_VELOCITY] = "velocity", [CR_UNIT_IMPULSE] = "impulse", [CR_UNIT_MOMENT] = "moment",
    [CR_UNIT_ANGULAR] = "angular",   [CR_UNIT_SPIN] = "spin"};

const char *CrUnitWord(CrUnit unit)
{
  return words[unit];
}

/* ---- sizes -------------------------------------------------------------------------------- */

#define BASES (CR_UNIT_STRESS + 1)
#define NEAR  1e-6 /* that two sizes may differ by and still be the same unit */

static PetscReal size_of(CrUnit unit, const char name[])
{
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    if (known[k].unit == unit && !strcmp(known[k].name, name)) return known[k].size;
  return 0;
}

/* The size that the others give a unit; 0: they do not. */
static PetscReal implied(CrUnit unit, const PetscReal size[BASES])
{
  const PetscReal L = size[CR_UNIT_LENGTH], M = size[CR_UNIT_MASS], T = size[CR_UNIT_TIME];
  const PetscReal F = size[CR_UNIT_FORCE];

  if (unit == CR_UNIT_FORCE && L > 0 && M > 0 && T > 0) return M * L / (T * T);
  if (unit == CR_UNIT_FORCE && L > 0 && size[CR_UNIT_ENERGY] > 0) return size[CR_UNIT_ENERGY] / L;
  if (unit == CR_UNIT_FORCE && L > 0) return size[CR_UNIT_STRESS] * L * L;
  if (unit == CR_UNIT_MASS && L > 0 && T > 0) return F * T * T / L;
  if (unit == CR_UNIT_ENERGY) return F * L;
  if (unit == CR_UNIT_STRESS && L > 0) return F / (L * L);
  return 0;
}

/* ---- labels ------------------------------------------------------------------------------- */

/* The words of a unit that has no name of its own; empty where a part is not known. */
static void compose(const CrUnits *u, CrUnit unit, char text[64])
{
  const char *L = u->label[CR_UNIT_LENGTH], *M = u->label[CR_UNIT_MASS];
  const char *T = u->label[CR_UNIT_TIME], *F = u->label[CR_UNIT_FORCE];
  const char *E = u->label[CR_UNIT_ENERGY];

  *text = 0;
  if (unit == CR_UNIT_FORCE && *M && *L && *T) snprintf(text, 64, "%.10s %.10s/%.10s^2", M, L, T);
  if (unit == CR_UNIT_ENERGY && *F && *L) snprintf(text, 64, "%.30s %.10s", F, L);
  if (unit == CR_UNIT_STRESS && *F && *L) snprintf(text, 64, "%.30s/%.10s^2", F, L);
  if (unit == CR_UNIT_VELOCITY && *L && *T) snprintf(text, 64, "%.10s/%.10s", L, T);
  if (unit == CR_UNIT_IMPULSE && *F && *T) snprintf(text, 64, "%.30s %.10s", F, T);
  if (unit == CR_UNIT_MOMENT && *F && *L) snprintf(text, 64, "%.30s %.10s", F, L);
  if (unit == CR_UNIT_ANGULAR && *E && *T) snprintf(text, 64, "%.40s %.10s", E, T);
  if (unit == CR_UNIT_SPIN && *T) snprintf(text, 64, "rad/%.10s", T);
}

/* The known name of a size, or what it is made of. */
static void name_unit(CrUnits *u, CrUnit unit, PetscReal size)
{
  char text[64];

  compose(u, unit, text);
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    if (known[k].unit == unit && size > 0 && fabs(known[k].size / size - 1) < NEAR) {
      snprintf(text, sizeof text, "%s", known[k].name);
      break;
    }
  if (!*u->label[unit]) memcpy(u->label[unit], text, sizeof text);
}

/* ---- the deck ----------------------------------------------------------------------------- */

/* "2 N" or "kN" for a message. */
static void describe(CrUnit unit, PetscReal size, char text[64])
{
  CrUnits u = {{{0}}};

  name_unit(&u, unit, size);
  if (*u.label[unit])
    snprintf(text, 64, "%s", u.label[unit]);
  else
    snprintf(text, 64, "%.4g %s", (double)size,
             unit == CR_UNIT_FORCE    ? "N"
             : unit == CR_UNIT_ENERGY ? "J"
             : unit == CR_UNIT_STRESS ? "Pa"
                                      : "kg");
}

static PetscErrorCode check(const CrDeckNode *section, const PetscReal size[BASES])
{
  static const char *const from[] = {[CR_UNIT_FORCE] = "mass length/time^2",
                                     [CR_UNIT_ENERGY] = "force times length",
                                     [CR_UNIT_STRESS] = "force/length^2"};

  PetscFunctionBeginUser;
  for (CrUnit unit = CR_UNIT_FORCE; unit <= CR_UNIT_STRESS; unit++) {
    PetscReal size_there = implied(unit, size);
    PetscBool alone = !(size[CR_UNIT_MASS] > 0 && size[CR_UNIT_TIME] > 0);
    char      text[64];

    if (unit == CR_UNIT_FORCE && alone) continue; /* energy and stress are asked below */

    if (!(size[unit] > 0) || !(size_there > 0) || fabs(size[unit] / size_there - 1) < NEAR)
      continue;
    describe(unit, size_there, text);
    CrDeckFail(CrDeckFind(section, words[unit]),
               "the unit %s does not agree with the other units: %s is %s",
               CrDeckText(CrDeckFind(section, words[unit])), from[unit], text);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrUnitsRead(const CrDeckNode *root, CrUnits *u)
{
  const CrDeckNode *section = CrDeckFind(root, "units");
  PetscReal         size[BASES] = {0};

  PetscFunctionBeginUser;
  *u = (CrUnits){{{0}}};
  if (!CrDeckIsMap(section)) PetscFunctionReturn(PETSC_SUCCESS);
  for (CrUnit unit = 0; unit < BASES; unit++) {
    const CrDeckNode *node = CrDeckFind(section, words[unit]);

    if (!node || CrDeckIsMap(node) || CrDeckIsList(node)) continue;
    size[unit] = size_of(unit, CrDeckText(node));
    if (size[unit] > 0) snprintf(u->label[unit], 64, "%s", CrDeckText(node));
  }
  for (int pass = 0; pass < 2; pass++) /* what follows from what followed */
    for (CrUnit unit = 0; unit < BASES; unit++)
      if (!(size[unit] > 0)) size[unit] = implied(unit, size);
  PetscCall(check(section, size));
  for (CrUnit unit = CR_UNIT_MASS; unit < CR_UNITS; unit++)
    name_unit(u, unit, unit < BASES ? size[unit] : 0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrUnitsCaption(const CrUnits *u, CrUnit unit, const char text_there[], size_t size,
                    char text[])
{
  if (*u->label[unit])
    snprintf(text, size, "%s (%s)", text_there, u->label[unit]);
  else
    snprintf(text, size, "%s", text_there);
}
