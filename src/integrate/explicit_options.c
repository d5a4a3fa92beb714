#include "integrate/explicit_options.h"

#define RIGID_ITERATIONS 20

const CrKey CrExplicitKeys[] = {
    {"safety", CR_REAL, "0.8", .range = "(0,1]",
     .help = "explicit: `step: auto` is this number times the critical step of the elements"},
    {"bulk_linear", CR_REAL, "0", .range = "[0,inf)",
     .help = "explicit: bulk viscosity that damps pressure waves, 0.06 is usual; 0: none"},
    {"bulk_quadratic", CR_REAL, "0", .range = "[0,inf)",
     .help = "explicit: bulk viscosity of compression that spreads shocks, 1.5 is usual; 0: none"},
    {"algorithm", CR_WORD, "3", "3|legacy|1|2|sym",
     .help =
         "explicit: contact algorithm: at which positions the program searches for contact, and how the iteration for the contact forces starts (theory, section 19.2)"},
    {"constraint", CR_WORD, "offset", "offset|gap|rate",
     .help =
         "explicit: what is zero at an active contact; gap: the gap; offset: the gap, except that an overlap found at first touch stays; rate: the rate of the gap"},
    {"inner", CR_WORD, "jacobi", "jacobi|nesterov|gauss-seidel",
     .help =
         "explicit: iteration that computes the contact forces of a step; the default is nesterov if the deck has rigid bodies"},
    {"iterations", CR_INTEGER, "4", .range = "[1,100000]",
     .help =
         "explicit: number of iterations for the contact forces per contact search; the default is 20 if the deck has rigid bodies"},
    {"outer", CR_INTEGER, "2", .range = "[1,100]",
     .help =
         "explicit: with `algorithm: 2`, number of contact searches per step; with `algorithm: sym`, number of gap checks per step; other algorithms do not use it"},
    {"overhang", CR_REAL, "0.2", .range = "[0,0.5]",
     .help =
         "explicit: how far a node may lie beyond the edge of the other surface and still touch it, as a fraction of the facet size"},
    {"inner_tolerance", CR_REAL, "0", .range = "[0,inf)",
     .help =
         "explicit: the iteration for the contact forces ends when no velocity changes by more than this value"},
    {"impact_energy", CR_WORD, "lost", "lost|returned",
     .help =
         "explicit: kinetic energy that nodes lose at impact is dissipated, or returned at separation"},
    {"closing", CR_WORD, "no", "no|yes",
     .help = "explicit: whether penetration at the end of a step is removed in the same step"},
    {.name = NULL}};

/* The order of the words is that of the enumerations. */
static const char *const algorithms[] = {"3", "legacy", "1", "2", "sym", NULL};
static const char *const constraints[] = {"offset", "gap", "rate", NULL};
static const char *const inners[] = {"jacobi", "nesterov", "gauss-seidel", NULL};

static int choice(const CrDeckNode *time, const char key[], const char *const words[])
{
  int k = 0;

  while (words[k] && !CrDeckIsWord(CrDeckFind(time, key), words[k])) k++;
  return words[k] ? k : 0;
}

void CrExplicitOptionsRead(const CrDeckNode *time, CrExplicitOptions *o)
{
  o->safety = CrDeckReal(CrDeckFind(time, "safety"));
  o->automatic = CrDeckIsWord(CrDeckFind(time, "step"), "auto");
  o->contact.algorithm = (CrAlgorithm)choice(time, "algorithm", algorithms);
  o->contact.constraint = (CrConstraint)choice(time, "constraint", constraints);
  o->contact.inner = (CrInner)choice(time, "inner", inners);
  o->contact.iterations = CrDeckInteger(CrDeckFind(time, "iterations"));
  o->contact.outer = CrDeckInteger(CrDeckFind(time, "outer"));
  o->contact.overhang = CrDeckReal(CrDeckFind(time, "overhang"));
  o->contact.tolerance = CrDeckReal(CrDeckFind(time, "inner_tolerance"));
  o->inner_given = CrDeckIsGiven(CrDeckFind(time, "inner"));
  o->iterations_given = CrDeckIsGiven(CrDeckFind(time, "iterations"));
  o->contact.returns = CrDeckIsWord(CrDeckFind(time, "impact_energy"), "returned");
}

/* A rigid body ties all its pairs together, and the bound of the diagonal is far from sharp then: four
   plain iterations would leave it wobbling. */
void CrExplicitPreferAccelerated(CrExplicitOptions *o)
{
  if (!o->inner_given) o->contact.inner = CR_INNER_NESTEROV;
  if (!o->iterations_given) o->contact.iterations = RIGID_ITERATIONS;
}
