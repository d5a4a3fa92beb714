/* The command `carom plot`: chooses the curves of each plot. Columns that a table lacks, and columns that are always
   zero, are left out. A plot without curves is not written. */
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
  CrUnit      unit;
  PetscInt    kind;
  PetscInt    heavy; /* index of a curve drawn thick; -1 */
  Choice      choices[CR_MOST_CURVES];
} Recipe;

static const Recipe recipes[] = {
    {"energy.svg",
     "Energies",
     "energy",
     CR_UNIT_ENERGY,
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
     CR_UNIT_ENERGY,
     DRIFT,
     0,
     {{"balance", "balance"}, {"contact_work", "contact work"}, {"defect", "defect"}}},
    {"momentum.svg",
     "Linear momentum",
     "momentum",
     CR_UNIT_IMPULSE,
     STATES,
     -1,
     {{"momentum_x", "x"}, {"momentum_y", "y"}, {"momentum_z", "z"}}},
    {"angular.svg",
     "Angular momentum about the origin",
     "angular momentum",
     CR_UNIT_ANGULAR,
     STATES,
     -1,
     {{"angular_x", "x"}, {"angular_y", "y"}, {"angular_z", "z"}}},
    {"drift.svg",
     "Momenta, change since the start",
     "change",
     CR_UNIT_NONE,
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
     CR_UNIT_NONE,
     STEPS,
     -1,
     {{"contacts", "pressed"}, {"sticking", "sticking"}}},
    {"penetration.svg",
     "Greatest penetration",
     "length",
     CR_UNIT_LENGTH,
     STATES,
     -1,
     {{"max_penetration", "penetration"}}},
    {"iterations.svg",
     "Iterations of a step",
     "iterations",
     CR_UNIT_NONE,
     STEPS,
     -1,
     {{"iterations", "iterations"}}},
    {"step.svg", "Step size", "h", CR_UNIT_TIME, STEPS, -1, {{"h", "h"}}},
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
  CrUnitsCaption(&head->units, recipe->unit, recipe->axis, sizeof plot.axis, plot.axis);
  CrUnitsCaption(&head->units, CR_UNIT_TIME, "time", sizeof plot.time, plot.time);
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
    CrInputFail("%s: this folder has no file history.csv with a column `time`", dir);
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

/* ---- forces of pairs and of conditions ------------------------------------------------------ */

#define MOST_ROWS 6 /* columns of a table that one plot shows */

/* Rows that belong to one word of a column, in the order of time. */
typedef struct {
  PetscInt   n;
  PetscReal *t, *y[MOST_ROWS];
} Rows;

/* names: columns of the table, NULL after the last; a column that is not there is zero. */
static PetscErrorCode gather(const CrTable *table, const char column[], PetscInt word,
                             const char *const names[], Rows *rows)
{
  const CrColumn *which = CrTableFind(table, column), *time = CrTableFind(table, "time");

  PetscFunctionBeginUser;
  rows->n = 0;
  PetscCall(PetscMalloc1(table->nrows, &rows->t));
  for (int i = 0; i < MOST_ROWS; i++) rows->y[i] = NULL;
  for (int i = 0; names[i]; i++) PetscCall(PetscMalloc1(table->nrows, &rows->y[i]));
  for (PetscInt k = 0; k < table->nrows; k++) {
    if (which->values[k] != (PetscReal)word) continue;
    rows->t[rows->n] = time->values[k];
    for (int i = 0; names[i]; i++) {
      const CrColumn *from = CrTableFind(table, names[i]);

      rows->y[i][rows->n] = from && !from->nwords ? from->values[k] : 0;
    }
    rows->n++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode free_rows(Rows *rows)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(rows->t));
  for (int i = 0; i < MOST_ROWS; i++) PetscCall(PetscFree(rows->y[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a curve, unless it is zero all the time. */
static void add_curve(CrPlot *plot, const PetscReal *y, const char label[], PetscInt style,
                      PetscBool pale)
{
  CrCurve  *curve = &plot->curves[plot->ncurves];
  PetscReal greatest = 0;

  for (PetscInt k = 0; k < plot->n; k++) greatest = PetscMax(greatest, fabs(y[k]));
  if (greatest == 0) return;
  *curve = (CrCurve){.y = y, .style = style, .pale = pale};
  snprintf(curve->label, sizeof curve->label, "%s", label);
  plot->ncurves++;
}

static PetscErrorCode write_rows(CrPlot *plot, const Rows *rows, const CrRunHead *head,
                                 const char to[], const char name[], PetscInt *n)
{
  PetscFunctionBeginUser;
  snprintf(plot->subtitle, sizeof plot->subtitle, "%s", head->title);
  CrUnitsCaption(&head->units, CR_UNIT_TIME, "time", sizeof plot->time, plot->time);
  plot->x = rows->t;
  if (!plot->ncurves || !plot->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPlotWrite(plot, to, name));
  (*n)++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The filtered force in front, that of the steps pale behind it. Tables of older runs have no filtered one. */
static PetscErrorCode plot_force(const CrTable *table, PetscInt pair, const CrRunHead *head,
                                 const char to[], PetscInt *n)
{
  static const char *const names[] = {"fx",         "fy",         "fz", "filtered_x",
                                      "filtered_y", "filtered_z", NULL};
  static const char *const axes[] = {"x", "y", "z"};
  const PetscBool          filtered = CrTableFind(table, "filtered_x") != NULL;
  CrPlot                   plot = {.zero = PETSC_TRUE, .steps = PETSC_TRUE};
  Rows                     rows;
  char                     name[40], label[32];

  PetscFunctionBeginUser;
  PetscCall(gather(table, "pair", pair, names, &rows));
  snprintf(plot.title, sizeof plot.title, "Contact force on the first body, %.120s",
           CrTableFind(table, "pair")->words[pair]);
  CrUnitsCaption(&head->units, CR_UNIT_FORCE, filtered ? "force" : "force (mean of a step)",
                 sizeof plot.axis, plot.axis);
  plot.n = rows.n;
  for (int i = 0; i < 3; i++) {
    snprintf(label, sizeof label, filtered ? "%s, each step" : "%s", axes[i]);
    add_curve(&plot, rows.y[i], label, i, filtered);
  }
  for (int i = 0; i < 3; i++) {
    snprintf(label, sizeof label, "%s, filtered", axes[i]);
    add_curve(&plot, rows.y[3 + i], label, i, PETSC_FALSE);
  }
  snprintf(name, sizeof name, "force-%" PetscInt_FMT ".svg", pair);
  PetscCall(write_rows(&plot, &rows, head, to, name, n));
  PetscCall(free_rows(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode plot_reaction(const CrTable *table, PetscInt row, const CrRunHead *head,
                                    const char to[], PetscInt *n)
{
  static const char *const names[] = {"fx", "fy", "fz", NULL}, *const axes[] = {"x", "y", "z"};
  CrPlot plot = {.zero = PETSC_TRUE, .steps = PETSC_TRUE};
  Rows   rows;
  char   name[40];

  PetscFunctionBeginUser;
  PetscCall(gather(table, "name", row, names, &rows));
  snprintf(plot.title, sizeof plot.title, "Reaction, %.140s",
           CrTableFind(table, "name")->words[row]);
  CrUnitsCaption(&head->units, CR_UNIT_FORCE, "force", sizeof plot.axis, plot.axis);
  plot.n = rows.n;
  for (int i = 0; i < 3; i++) add_curve(&plot, rows.y[i], axes[i], i, PETSC_FALSE);
  snprintf(name, sizeof name, "reaction-%" PetscInt_FMT ".svg", row);
  PetscCall(write_rows(&plot, &rows, head, to, name, n));
  PetscCall(free_rows(&rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define MOST_PAIRS 12 /* a heap of bodies has hundreds: nobody looks at all of them */

/* *table is NULL where nothing touches, or nothing holds. */
static PetscErrorCode read_table(const char dir[], const char name[], CrTable **table)
{
  char path[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/%s", dir, name);
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

static PetscErrorCode plot_reactions(const CrTable *table, const CrRunHead *head, const char to[],
                                     PetscInt *n)
{
  const CrColumn *names = CrTableFind(table, "name");

  PetscFunctionBeginUser;
  if (names && CrTableFind(table, "time"))
    for (PetscInt k = 0; k < PetscMin(names->nwords, MOST_PAIRS); k++)
      PetscCall(plot_reaction(table, k, head, to, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything has been read before anything is made. */
PetscErrorCode CrPlotsWrite(const char dir[], const char to[], PetscInt *n)
{
  CrRunHead head;
  CrTable  *history, *contacts, *reactions;

  PetscFunctionBeginUser;
  *n = 0;
  PetscCall(CrRunHeadRead(dir, &head));
  PetscCall(read_history(dir, &history));
  PetscCall(read_table(dir, "contacts.csv", &contacts));
  PetscCall(read_table(dir, "reactions.csv", &reactions));
  if (mkdir(to, 0777) && errno != EEXIST)
    CrMachineFail("%s: cannot be created: %s", to, strerror(errno));
  PetscCall(plot_history(history, &head, to, n));
  PetscCall(plot_forces(contacts, &head, to, n));
  PetscCall(plot_reactions(reactions, &head, to, n));
  PetscCall(CrTableDestroy(&history));
  PetscCall(CrTableDestroy(&contacts));
  PetscCall(CrTableDestroy(&reactions));
  PetscFunctionReturn(PETSC_SUCCESS);
}
