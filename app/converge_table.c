/* Writes the results of a convergence study: a table on the screen, converge.csv for other programs, and web pages. */
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "app/converge.h"
#include "output/file.h"
#include "report/json.h"
#include "report/report.h"

/* Room for the longest name. */
static int width_of_names(const Converge *c)
{
  size_t width = 30;

  for (PetscInt i = 0; i < c->nvalues; i++) width = PetscMax(width, strlen(c->values[i].name));
  return (int)width;
}

static void print_value(const Converge *c, const ConvergeValue *v, int width)
{
  const CrEstimate *e = &v->estimate;

  printf("%-*s", width, v->name);
  for (PetscInt k = 0; k < c->n; k++) printf(" %12.5g", (double)v->values[k]);
  if (isnan(e->order))
    printf("     -");
  else
    printf(" %5.1f", (double)e->order);
  printf(" %12.5g %9.2g %6d  %s\n", (double)e->limit, (double)e->errors[0], (int)e->digits,
         CrEstimateText(e->word));
}

/* What the word does not say by itself. */
static void explain_early(const Converge *c)
{
  for (PetscInt i = 0; i < c->nvalues; i++)
    if (c->values[i].estimate.word == CR_ESTIMATE_EARLY) {
      puts(
          "pre-asymptotic: the differences decrease faster than any method converges; the levels are too coarse to show an order, or agree by accident");
      return;
    }
}

/* Energy without explanation, if it is more than rounding. */
static void explain_books(const Converge *c)
{
  PetscReal open = 0;

  for (PetscInt k = 0; k < c->n; k++) open = PetscMax(open, c->open[k]);
  if (open > 1e-6)
    printf(
        "up to %.2g %% of the energy is not accounted for: no stated error is smaller than this part, and smaller differences have no order\n",
        (double)(100 * open));
}

void AppConvergePrint(const Converge *c)
{
  const int width = width_of_names(c);

  printf("\n%-*s", width, "");
  for (PetscInt k = 0; k < c->n; k++) printf(" %12s", c->jobs[k].name);
  printf(" %5s %12s %9s %6s\n", "order", "limit", "error", "digits");
  for (PetscInt i = 0; i < c->nvalues; i++) print_value(c, &c->values[i], width);
  puts("");
  for (PetscInt k = 0; k < c->n; k++)
    printf("%s: %s, %.3g s\n", c->jobs[k].name, c->steps[k],
           AppJobNumber(&c->jobs[k], "wall_seconds"));
  puts(
      "order: rate at which the differences decrease; limit: value to which the results converge; error: error of level-0, the unchanged deck");
  if (c->n == 3)
    puts(
        "with three levels, the true value is within the stated error for about nine quantities in ten; --levels 4 is safer");
  explain_early(c);
  explain_books(c);
  if (*c->partial) printf("left out, because some level does not have them: %s\n", c->partial);
  if (c->apart >= 0)
    printf(
        "from t = %g on, positions of the two finest levels differ by more than 1 %% of the distance moved; later results depend on the step\n",
        (double)c->apart);
  printf("results in %s: converge.html, converge.csv, a folder per level\n", c->dir);
  fflush(stdout);
}

static PetscErrorCode put_value(OutputFile *file, const Converge *c, const ConvergeValue *v)
{
  const CrEstimate *e = &v->estimate;

  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(file, "\""));
  for (const char *s = v->name; *s; s++)
    PetscCall(CrFilePrint(file, "%s%c", *s == '"' ? "\"" : "", *s));
  PetscCall(CrFilePrint(file, "\","));
  if (!isnan(e->order)) PetscCall(CrFilePrint(file, "%.6g", (double)e->order));
  PetscCall(CrFilePrint(file, ","));
  if (!isnan(e->scatter)) PetscCall(CrFilePrint(file, "%.3g", (double)e->scatter));
  PetscCall(
      CrFilePrint(file, ",%.17g,%d,%s", (double)e->limit, (int)e->digits, CrEstimateText(e->word)));
  for (PetscInt k = 0; k < c->n; k++)
    PetscCall(CrFilePrint(file, ",%.17g,%.6g", (double)v->values[k], (double)e->errors[k]));
  PetscCall(CrFilePrint(file, "\n"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConvergeWriteTable(const Converge *c)
{
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, c->dir, "converge.csv"));
  PetscCall(CrFilePrint(&file, "quantity,order,scatter,limit,digits,word"));
  for (PetscInt k = 0; k < c->n; k++)
    PetscCall(CrFilePrint(&file, ",value_%d,error_%d", (int)k, (int)k));
  PetscCall(CrFilePrint(&file, "\n"));
  for (PetscInt i = 0; i < c->nvalues; i++) PetscCall(put_value(&file, c, &c->values[i]));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the page ----------------------------------------------------------------------------- */

/* NaN is null on the page. */
static PetscErrorCode add_real(cJSON *object, const char name[], PetscReal value)
{
  PetscFunctionBeginUser;
  PetscCall(isnan(value) ? CrJsonAdd(object, name, cJSON_CreateNull())
                         : CrJsonAddReal(object, name, value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_levels(const Converge *c, cJSON *list)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->n; k++) {
    cJSON *level = cJSON_CreateObject();

    PetscCall(CrJsonAdd(list, NULL, level));
    PetscCall(CrJsonAddText(level, "name", c->jobs[k].name));
    PetscCall(CrJsonAddText(level, "change", c->steps[k]));
    PetscCall(CrJsonAddReal(level, "seconds", AppJobNumber(&c->jobs[k], "wall_seconds")));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_values(const Converge *c, cJSON *list)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < c->nvalues; i++) {
    const ConvergeValue *v = &c->values[i];
    cJSON               *value = cJSON_CreateObject();

    PetscCall(CrJsonAdd(list, NULL, value));
    PetscCall(CrJsonAddText(value, "name", v->name));
    PetscCall(CrJsonAddReals(value, "values", c->n, v->values));
    PetscCall(CrJsonAddReals(value, "errors", c->n, v->estimate.errors));
    PetscCall(add_real(value, "order", v->estimate.order));
    PetscCall(add_real(value, "limit", v->estimate.limit));
    PetscCall(add_real(value, "size", PetscMax(PetscAbsReal(v->estimate.limit), v->scale)));
    PetscCall(CrJsonAddText(value, "word", CrEstimateText(v->estimate.word)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConvergeDescribe(const Converge *c, cJSON **study)
{
  cJSON *levels = cJSON_CreateArray(), *values = cJSON_CreateArray();

  PetscFunctionBeginUser;
  *study = cJSON_CreateObject();
  PetscCall(CrJsonAdd(*study, "levels", levels));
  PetscCall(CrJsonAdd(*study, "quantities", values));
  PetscCall(describe_levels(c, levels));
  PetscCall(describe_values(c, values));
  PetscCall(add_real(*study, "apart", c->apart < 0 ? NAN : c->apart));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A level's own page says how sure its numbers are. */
static PetscErrorCode tell_level(const Converge *c, PetscInt k)
{
  char       path[PETSC_MAX_PATH_LEN + 16], *text;
  cJSON     *study;
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(AppConvergeDescribe(c, &study));
  PetscCall(CrJsonAdd(study, "level", cJSON_CreateNumber((double)k)));
  text = cJSON_PrintUnformatted(study);
  cJSON_Delete(study);
  PetscCheck(text, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for converge.json");
  PetscCall(CrFileBegin(&file, c->jobs[k].dir, "converge.json"));
  PetscCall(CrFilePrint(&file, "%s\n", text));
  PetscCall(CrFileEnd(&file));
  cJSON_free(text);
  snprintf(path, sizeof path, "%s/report.html", c->jobs[k].dir);
  if (!access(path, R_OK)) PetscCall(CrReportWrite(c->jobs[k].dir, CR_REPORT_SIZE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConvergeWritePage(const Converge *c)
{
  cJSON      *study;
  CrReportRun runs[CR_ESTIMATE_MOST];

  PetscFunctionBeginUser;
  if (!CrReportIsThere()) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < c->n; k++) PetscCall(tell_level(c, k));
  PetscCall(AppConvergeDescribe(c, &study));
  for (PetscInt k = 0; k < c->n; k++)
    runs[k] = (CrReportRun){.label = c->steps[k], .dir = c->jobs[k].dir};
  PetscCall(CrReportConverge(c->dir, c->title, c->n, runs, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}
