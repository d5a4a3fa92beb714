/* The option --converge of `carom compare`: runs every method at several levels of refinement, and compares the error
   of each result with the computing time. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include "app/compare.h"
#include "app/converge.h"
#include "output/file.h"
#include "report/json.h"
#include "report/report.h"

typedef struct {
  Compare      *compare;
  AppArguments *arguments; /* [n] those of each method */
  Converge     *studies;   /* [n] */
  PetscBool    *good;      /* [n] all levels ended */
} Studies;

/* ---- set up ------------------------------------------------------------------------------- */

/* The words of the command line, with those that make the deck one of this method. */
static PetscErrorCode prepare(Studies *s, PetscInt k)
{
  const CompareMethod *m = &s->compare->methods[k];
  AppArguments        *a = &s->arguments[k];
  Converge            *c = &s->studies[k];

  PetscFunctionBeginUser;
  *a = *s->compare->arguments;
  if (a->nsets + m->job.nsets > APP_MOST)
    CrInputFail("there are more than %d options --set", APP_MOST);
  for (PetscInt i = 0; i < m->job.nsets; i++) a->sets[a->nsets++] = m->job.sets[i];
  AppConvergeStart(c, a, m->job.dir);
  c->label = m->ops->name;
  for (PetscInt l = 0; l < c->n; l++)
    for (PetscInt i = 0; i < m->job.nsets; i++)
      PetscCall(AppJobSet(&c->jobs[l], "%s", m->job.sets[i]));
  PetscCall(AppConvergeLevels(c));
  PetscCall(AppConvergeOpen(c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode run_all(Studies *s, PetscBool *interrupted)
{
  const AppArguments *a = s->compare->arguments;
  PetscInt            n = s->compare->n, levels = s->studies[0].n, count = 0;
  AppJob            **jobs;
  PetscErrorCode      code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n * levels, &jobs));
  for (PetscInt l = levels - 1; l >= 0; l--) /* the longest first */
    for (PetscInt k = 0; k < n; k++) jobs[count++] = &s->studies[k].jobs[l];
  code = AppPoolRun(a, a->workers, count, jobs, interrupted);
  PetscCall(PetscFree(jobs));
  PetscFunctionReturn(code);
}

/* ---- what it says ------------------------------------------------------------------------- */

static const ConvergeValue *find_value(const Converge *c, const char name[])
{
  for (PetscInt i = 0; i < c->nvalues; i++)
    if (!strcmp(c->values[i].name, name)) return &c->values[i];
  return NULL;
}

/* The time that one per cent would take, from the order at which the error falls and the time of the finest level;
   NaN: there is no order, so nobody knows. */
static double cost_of_percent(const Converge *c, const ConvergeValue *v)
{
  const CrEstimate *e = &v->estimate;
  double            base = PetscMax(PetscAbsReal(e->limit), v->scale), finest, growth;

  if (e->errors[0] <= 0.01 * base) return AppJobNumber(&c->jobs[0], "wall_seconds");
  if (isnan(e->order) || e->word != CR_ESTIMATE_CONVERGING) return NAN;
  finest = AppJobNumber(&c->jobs[c->n - 1], "wall_seconds");
  growth = log(finest / AppJobNumber(&c->jobs[0], "wall_seconds")) / (c->n - 1);
  /* levels beyond the finest until the error is one per cent; time grows by the same factor at each */
  return finest *
         exp(growth * log(e->errors[c->n - 1] / (0.01 * base)) / (e->order * log(c->ratio)));
}

static void print_row(const Studies *s, PetscInt k, const char name[])
{
  const Converge      *c = &s->studies[k];
  const ConvergeValue *v = s->good[k] ? find_value(c, name) : NULL;
  char                 cost[24] = "not known", order[16] = "-";
  double               seconds;

  printf("  %-16s", s->compare->methods[k].ops->name);
  if (!v) {
    puts(s->good[k] ? " -" : " not completed at every level");
    return;
  }
  seconds = cost_of_percent(c, v);
  if (!isnan(seconds)) snprintf(cost, sizeof cost, "%.3g s", seconds);
  if (!isnan(v->estimate.order)) snprintf(order, sizeof order, "%.1f", (double)v->estimate.order);
  printf(" %12.5g +- %-9.2g %12.5g +- %-9.2g %5s %9.3g %9.3g  %-14s %s\n", (double)v->values[0],
         (double)v->estimate.errors[0], (double)v->values[c->n - 1],
         (double)v->estimate.errors[c->n - 1], order, AppJobNumber(&c->jobs[0], "wall_seconds"),
         AppJobNumber(&c->jobs[c->n - 1], "wall_seconds"), CrEstimateText(v->estimate.word), cost);
}

/* Is it the first method that has the number? */
static PetscBool is_first(const Studies *s, PetscInt k, const char name[])
{
  for (PetscInt j = 0; j < k; j++)
    if (s->good[j] && find_value(&s->studies[j], name)) return PETSC_FALSE;
  return PETSC_TRUE;
}

static void print_all(const Studies *s)
{
  const PetscInt n = s->compare->n;

  printf("\n%-18s %12s    %-9s %12s    %-9s %5s %9s %9s  %-14s %s\n", "", "deck", "error", "finest",
         "error", "order", "time [s]", "time [s]", "", "time for 1 %");
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt i = 0; s->good[k] && i < s->studies[k].nvalues; i++) {
      const char *name = s->studies[k].values[i].name;

      if (!is_first(s, k, name)) continue;
      if (!s->compare->arguments->quantities && strcmp(name, "friction_loss") &&
          strcmp(name, "energy"))
        continue;
      puts(name);
      for (PetscInt j = 0; j < n; j++) print_row(s, j, name);
    }
  printf(
      "results in %s: converge.csv, compare.html, a folder per method with its own converge.html\n",
      s->compare->dir);
  fflush(stdout);
}

static PetscErrorCode write_table(const Studies *s)
{
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, s->compare->dir, "converge.csv"));
  PetscCall(CrFilePrint(&file, "method,quantity,level,value,error,seconds,order,limit,word\n"));
  for (PetscInt k = 0; k < s->compare->n; k++) {
    const Converge *c = &s->studies[k];

    for (PetscInt i = 0; s->good[k] && i < c->nvalues; i++)
      for (PetscInt l = 0; l < c->n; l++)
        PetscCall(
            CrFilePrint(&file, "%s,\"%s\",%d,%.17g,%.6g,%.6g,%.6g,%.17g,%s\n",
                        s->compare->methods[k].ops->name, c->values[i].name, (int)l,
                        (double)c->values[i].values[l], (double)c->values[i].estimate.errors[l],
                        AppJobNumber(&c->jobs[l], "wall_seconds"),
                        (double)c->values[i].estimate.order, (double)c->values[i].estimate.limit,
                        CrEstimateText(c->values[i].estimate.word)));
  }
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_page(const Studies *s)
{
  const Compare *compare = s->compare;
  CrReportRun    runs[COMPARE_MOST];
  cJSON         *list = cJSON_CreateArray();

  PetscFunctionBeginUser;
  if (!CrReportIsThere()) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < compare->n; k++) {
    const AppJob *first = &s->studies[k].jobs[0];
    cJSON        *study = cJSON_CreateNull();

    if (s->good[k]) {
      cJSON_Delete(study);
      PetscCall(AppConvergeDescribe(&s->studies[k], &study));
    }
    PetscCall(CrJsonAdd(list, NULL, study));
    runs[k] = (CrReportRun){.label = compare->methods[k].ops->name,
                            .dir = first->state == JOB_REFUSED ? NULL : first->dir,
                            .trouble = first->trouble[0] ? first->trouble : NULL};
  }
  PetscCall(CrReportCompare(compare->dir, compare->title, compare->n, runs, list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A number that no method has is a mistake; one that a method lacks is not. */
static PetscErrorCode check_quantities(const Studies *s)
{
  const char *message = NULL;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->compare->n; k++) {
    if (!s->good[k]) continue;
    if (!*s->studies[k].unknown) PetscFunctionReturn(PETSC_SUCCESS);
    message = s->studies[k].unknown;
  }
  if (message) CrInputFail("%s", message);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode finish(Studies *s, int *status)
{
  PetscBool any = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->compare->n; k++) {
    Converge *c = &s->studies[k];

    s->good[k] = PETSC_TRUE;
    for (PetscInt l = 0; l < c->n; l++)
      if (c->jobs[l].state > JOB_BROKE_LIMIT) s->good[k] = PETSC_FALSE;
    if (!s->good[k]) continue;
    any = PETSC_TRUE;
    PetscCall(AppConvergeRead(c));
    PetscCall(AppConvergeWriteTable(c));
    PetscCall(AppConvergeWritePage(c));
  }
  PetscCall(check_quantities(s));
  PetscCall(write_table(s));
  PetscCall(write_page(s));
  print_all(s);
  *status = any ? 0 : 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode study(Studies *s, int *status)
{
  PetscBool interrupted = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->compare->n; k++) PetscCall(prepare(s, k));
  PetscCall(run_all(s, &interrupted));
  if (interrupted) {
    CrLog("interrupted; to continue, give the same command again\n");
    *status = 130;
  } else
    PetscCall(finish(s, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppCompareConverge(Compare *compare, int *status)
{
  Studies        s = {.compare = compare};
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (mkdir(compare->dir, 0777) && errno != EEXIST)
    CrMachineFail("%s: cannot be created: %s", compare->dir, strerror(errno));
  PetscCall(PetscCalloc3(compare->n, &s.arguments, compare->n, &s.studies, compare->n, &s.good));
  code = study(&s, status);
  for (PetscInt k = 0; k < compare->n; k++) PetscCall(AppConvergeFree(&s.studies[k]));
  PetscCall(PetscFree3(s.arguments, s.studies, s.good));
  PetscFunctionReturn(code);
}
