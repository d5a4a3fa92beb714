/* carom plot: which curves make a plot. Columns that a table lacks, and those that are zero all the
   time, are left out; a plot without curves is not written. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include "draw/plot.h"
#include "draw/scene.h"
#include "report/table.h"

#define MOST_NUMBERS 1e8 /* of a table; more are thinned by whole rows */

enum {
  STATES, /* values at the times */
  STEPS,  /* values of the steps between */
  DRIFT   /* differences from the start, on an asinh axis */
};

typedef struct {
  const char *column, *label;
} Choice;

typedef struct {
  const char *name, *title, *axis;
  PetscInt    kind;
  PetscInt    heavy; /* index of a curve drawn thick; -1 */
  Choice      choices[CR_MOST_CURVES];
} Recipe;

static const Recipe recipes[] = {
    {"energy.svg",
     "Energies",
     "energy",
     STATES,
     7,
     {{"kinetic", "kinetic"},
      {"strain", "strain"},
      {"potential", "potential"},
      {"penalty", "contact springs"},
      {"friction_loss", "friction loss"},
      {"plastic", "plastic loss"},
      {"viscous", "viscous loss"},
      {"energy", "energy"},
      {"external_work", "external work"}}},
    {"balance.svg",
     "Energy balance",
     "created (+) or lost",
     DRIFT,
     0,
     {{"balance", "balance"}, {"contact_work", "contact work"}, {"defect", "defect"}}},
    {"momentum.svg",
     "Linear momentum",
     "momentum",
     STATES,
     -1,
     {{"momentum_x", "x"}, {"momentum_y", "y"}, {"momentum_z", "z"}}},
    {"angular.svg",
     "Angular momentum about the origin",
     "angular momentum",
     STATES,
     -1,
     {{"angular_x", "x"}, {"angular_y", "y"}, {"angular_z", "z"}}},
    {"drift.svg",
     "Momenta, change since the start",
     "change",
     DRIFT,
     -1,
     {{"momentum_x", "linear x"},
      {"momentum_y", "linear y"},
      {"momentum_z", "linear z"},
      {"angular_x", "angular x"},
      {"angular_y", "angular y"},
      {"angular_z", "angular z"}}},
    {"contacts.svg",
     "Contact points",
     "points",
     STEPS,
     -1,
     {{"contacts", "pressed"}, {"sticking", "sticking"}}},
    {"penetration.svg",
     "Greatest penetration",
     "length",
     STATES,
     -1,
     {{"max_penetration", "penetration"}}},
    {"iterations.svg",
     "Iterations of a step",
     "iterations",
     STEPS,
     -1,
     {{"iterations", "iterations"}}},
    {"step.svg", "Step size", "h", STEPS, -1, {{"h", "h"}}},
};

static PetscReal greatest_of(const CrColumn *column, PetscInt n, PetscReal less)
{
  PetscReal greatest = 0;

  for (PetscInt k = 0; k < n; k++)
    if (isfinite(column->values[k])) greatest = PetscMax(greatest, fabs(column->values[k] - less));
  return greatest;
}

#define ROUNDING 1e-14

/* Where the asinh axis ceases to be linear: what the solver leaves of the greatest energy. Momenta
   are kept better than the solver's tolerance: there it is the rounding of the greatest value. */
static PetscReal linear_part(const CrTable *table, const Recipe *recipe, PetscReal tolerance)
{
  static const char *const energies[] = {"kinetic", "strain", "penalty"};
  PetscReal                greatest = 0;

  for (int k = 0; k < CR_MOST_CURVES && recipe->choices[k].column; k++) {
    const CrColumn *column = CrTableFind(table, recipe->choices[k].column);

    if (column) greatest = PetscMax(greatest, greatest_of(column, table->nrows, 0));
  }
  if (greatest == 0) greatest = 1;
  if (strcmp(recipe->name, "balance.svg")) return ROUNDING * greatest;
  for (int k = 0; k < 3; k++)
    if (CrTableFind(table, energies[k]))
      greatest = PetscMax(greatest, greatest_of(CrTableFind(table, energies[k]), table->nrows, 0));
  return PetscMax(tolerance, ROUNDING) * greatest;
}

static PetscErrorCode cook(const CrTable *table, const Recipe *recipe, const CrRunHead *head,
                           const char to[], PetscInt *n)
{
  const CrColumn *time = CrTableFind(table, "time");
  CrPlot          plot = {.n = table->nrows, .x = time->values};

  PetscFunctionBeginUser;
  snprintf(plot.title, sizeof plot.title, "%s", recipe->title);
  snprintf(plot.subtitle, sizeof plot.subtitle, "%s", head->title);
  snprintf(plot.axis, sizeof plot.axis, "%s", recipe->axis);
  plot.zero = PETSC_TRUE;
  plot.steps = recipe->kind == STEPS;
  for (int k = 0; k < CR_MOST_CURVES && recipe->choices[k].column; k++) {
    const CrColumn *column = CrTableFind(table, recipe->choices[k].column);
    CrCurve        *curve = &plot.curves[plot.ncurves];

    /* what is always zero says nothing; the balance itself is shown all the same */
    if (!column || column->nwords) continue;
    if (greatest_of(column, table->nrows, 0) == 0 && recipe->heavy != k) continue;
    snprintf(curve->label, sizeof curve->label, "%s", recipe->choices[k].label);
    curve->y = column->values;
    curve->less = recipe->kind == DRIFT ? column->values[0] : 0;
    curve->style = k;
    curve->heavy = recipe->heavy == k;
    plot.ncurves++;
  }
  if (!plot.ncurves) PetscFunctionReturn(PETSC_SUCCESS);
  if (recipe->kind == DRIFT) plot.linear = linear_part(table, recipe, head->tolerance);
  PetscCall(CrPlotWrite(&plot, to, recipe->name));
  (*n)++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_history(const char dir[], CrTable **table)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/history.csv", dir);
  PetscCall(CrTableRead(path, MOST_NUMBERS, table));
  if (!*table || !CrTableFind(*table, "time")) {
    PetscCall(CrTableDestroy(table));
    CrInputFail("%s: has no history (history.csv with a column time)", dir);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode plot_history(const CrTable *table, const CrRunHead *head, const char to[],
                                   PetscInt *n)
{
  PetscFunctionBeginUser;
  for (size_t k = 0; k < sizeof recipes / sizeof recipes[0]; k++)
    PetscCall(cook(table, &recipes[k], head, to, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- forces of the pairs -------------------------------------------------------------------- */

/* Rows of one pair, in the order of time. */
typedef struct {
  PetscInt   n;
  PetscReal *t, *f[3];
} Force;

static PetscErrorCode gather(const CrTable *table, PetscInt pair, Force *force)
{
  static const char *const names[3] = {"fx", "fy", "fz"};
  const CrColumn *which = CrTableFind(table, "pair"), *time = CrTableFind(table, "time"), *f[3];

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc4(table->nrows, &force->t, table->nrows, &force->f[0], table->nrows,
                         &force->f[1], table->nrows, &force->f[2]));
  force->n = 0;
  for (int i = 0; i < 3; i++) f[i] = CrTableFind(table, names[i]);
  for (PetscInt k = 0; k < table->nrows; k++) {
    if (which->values[k] != (PetscReal)pair) continue;
    force->t[force->n] = time->values[k];
    for (int i = 0; i < 3; i++) force->f[i][force->n] = f[i] ? f[i]->values[k] : 0;
    force->n++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode plot_force(const CrTable *table, PetscInt pair, const CrRunHead *head,
                                 const char to[], PetscInt *n)
{
  CrPlot plot = {.zero = PETSC_TRUE, .steps = PETSC_TRUE, .axis = "force (mean of a step)"};
  Force  force;
  char   name[40];

  PetscFunctionBeginUser;
  PetscCall(gather(table, pair, &force));
  snprintf(plot.title, sizeof plot.title, "Contact force on the slave, %.120s",
           CrTableFind(table, "pair")->words[pair]);
  snprintf(plot.subtitle, sizeof plot.subtitle, "%s", head->title);
  plot.n = force.n;
  plot.x = force.t;
  for (int i = 0; i < 3; i++) {
    PetscReal greatest = 0;

    for (PetscInt k = 0; k < force.n; k++) greatest = PetscMax(greatest, fabs(force.f[i][k]));
    if (greatest == 0) continue;
    snprintf(plot.curves[plot.ncurves].label, sizeof plot.curves[0].label, "%c", 'x' + i);
    plot.curves[plot.ncurves].y = force.f[i];
    plot.curves[plot.ncurves].style = i;
    plot.ncurves++;
  }
  snprintf(name, sizeof name, "force-%" PetscInt_FMT ".svg", pair);
  if (plot.ncurves && plot.n) {
    PetscCall(CrPlotWrite(&plot, to, name));
    (*n)++;
  }
  PetscCall(PetscFree4(force.t, force.f[0], force.f[1], force.f[2]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define MOST_PAIRS 12 /* a heap of bodies has hundreds: nobody looks at all of them */

/* *table is NULL where nothing touches. */
static PetscErrorCode read_contacts(const char dir[], CrTable **table)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/contacts.csv", dir);
  PetscCall(CrTableRead(path, MOST_NUMBERS, table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode plot_forces(const CrTable *table, const CrRunHead *head, const char to[],
                                  PetscInt *n)
{
  const CrColumn *pairs = CrTableFind(table, "pair");

  PetscFunctionBeginUser;
  if (pairs && CrTableFind(table, "time"))
    for (PetscInt k = 0; k < PetscMin(pairs->nwords, MOST_PAIRS); k++)
      PetscCall(plot_force(table, k, head, to, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything has been read before anything is made. */
PetscErrorCode CrPlotsWrite(const char dir[], const char to[], PetscInt *n)
{
  CrRunHead head;
  CrTable  *history, *contacts;

  PetscFunctionBeginUser;
  *n = 0;
  PetscCall(CrRunHeadRead(dir, &head));
  PetscCall(read_history(dir, &history));
  PetscCall(read_contacts(dir, &contacts));
  if (mkdir(to, 0777) && errno != EEXIST)
    CrMachineFail("%s: cannot be made: %s", to, strerror(errno));
  PetscCall(plot_history(history, &head, to, n));
  PetscCall(plot_forces(contacts, &head, to, n));
  PetscCall(CrTableDestroy(&history));
  PetscCall(CrTableDestroy(&contacts));
  PetscFunctionReturn(PETSC_SUCCESS);
}
