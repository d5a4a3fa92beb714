/* Writes the results of a sweep: a table on the screen, sweep.csv for other programs, and the web page sweep.html. */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>
#include "app/sweep.h"
#include "output/file.h"
#include "report/json.h"
#include "report/report.h"

/* Numbers of audit.json that the table has, in this order. */
static const char *const numbers[] = {"friction_loss",   "energy_initial",
                                      "energy_final",    "balance_relative",
                                      "max_penetration", "max_contacts",
                                      "steps",           "rejected_steps",
                                      "wall_seconds"};

#define NNUMBERS ((PetscInt)(sizeof numbers / sizeof *numbers))

static PetscErrorCode put_text(OutputFile *file, const char text[])
{
  PetscFunctionBeginUser;
  if (!strpbrk(text, ",\"\r\n")) {
    PetscCall(CrFilePrint(file, "%s,", text));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrFilePrint(file, "\""));
  for (const char *c = text; *c; c++) PetscCall(CrFilePrint(file, *c == '"' ? "\"\"" : "%c", *c));
  PetscCall(CrFilePrint(file, "\","));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppSweepWriteTable(const Sweep *s)
{
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, s->dir, "sweep.csv"));
  PetscCall(CrFilePrint(&file, "run,"));
  for (PetscInt i = 0; i < s->nkeys; i++) PetscCall(put_text(&file, s->keys[i].key));
  PetscCall(CrFilePrint(&file, "status"));
  for (PetscInt j = 0; j < NNUMBERS; j++) PetscCall(CrFilePrint(&file, ",%s", numbers[j]));
  for (PetscInt k = 0; k < s->n; k++) {
    PetscCall(CrFilePrint(&file, "\n%s,", s->jobs[k].name));
    for (PetscInt i = 0; i < s->nkeys; i++) PetscCall(put_text(&file, AppSweepValue(s, k, i)));
    PetscCall(CrFilePrint(&file, "%s", AppJobStateName(s->jobs[k].state)));
    for (PetscInt j = 0; j < NNUMBERS; j++) {
      double value = AppJobNumber(&s->jobs[k], numbers[j]);

      PetscCall(isnan(value) ? CrFilePrint(&file, ",") : CrFilePrint(&file, ",%.17g", value));
    }
  }
  PetscCall(CrFilePrint(&file, "\n"));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void AppSweepPrint(const Sweep *s)
{
  PetscInt failed = 0;

  for (PetscInt i = 0; i < s->nkeys; i++) printf("%20.20s", s->keys[i].key);
  printf("%16s%16s%14s  %s\n", "friction_loss", "energy_final", "energy drift", "status");
  for (PetscInt k = 0; k < s->n; k++) {
    const AppJob *job = &s->jobs[k];

    for (PetscInt i = 0; i < s->nkeys; i++) printf("%20.20s", AppSweepValue(s, k, i));
    printf("%16.6g%16.6g%14.1e  %s%s%s\n", AppJobNumber(job, "friction_loss"),
           AppJobNumber(job, "energy_final"), AppJobNumber(job, "balance_relative"),
           AppJobStateName(job->state), job->trouble[0] ? ": " : "", job->trouble);
    failed += job->state != JOB_COMPLETED;
  }
  printf("\n" ENERGY_DRIFT
         "\n%d runs, %d of them not completed; results in %s: sweep.csv, sweep.html, "
         "a folder per run\n",
         (int)s->n, (int)failed, s->dir);
}

/* ---- the page ----------------------------------------------------------------------------- */

static PetscErrorCode describe_keys(const Sweep *s, cJSON *list)
{
  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < s->nkeys; i++) {
    cJSON *key = cJSON_CreateObject(), *values = cJSON_CreateArray();

    PetscCall(CrJsonAdd(list, NULL, key));
    PetscCall(CrJsonAddText(key, "name", s->keys[i].key));
    PetscCall(CrJsonAdd(key, "values", values));
    for (PetscInt v = 0; v < s->keys[i].n; v++)
      PetscCall(CrJsonAdd(values, NULL, cJSON_CreateString(s->keys[i].values[v])));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_runs(const Sweep *s, cJSON *list)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < s->n; k++) {
    const AppJob *job = &s->jobs[k];
    cJSON        *run = cJSON_CreateObject(), *found = cJSON_CreateObject();

    PetscCall(CrJsonAdd(list, NULL, run));
    PetscCall(CrJsonAddText(run, "name", job->name));
    PetscCall(CrJsonAddText(run, "status", AppJobStateName(job->state)));
    PetscCall(CrJsonAddText(run, "trouble", job->trouble));
    PetscCall(CrJsonAdd(run, "found", found));
    for (PetscInt j = 0; j < NNUMBERS; j++)
      if (!isnan(AppJobNumber(job, numbers[j])))
        PetscCall(CrJsonAddReal(found, numbers[j], AppJobNumber(job, numbers[j])));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppSweepWritePage(const Sweep *s)
{
  cJSON *study = cJSON_CreateObject(), *keys = cJSON_CreateArray(), *runs = cJSON_CreateArray(),
        *names = cJSON_CreateArray();

  PetscFunctionBeginUser;
  if (!CrReportIsThere()) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrJsonAdd(study, "keys", keys));
  PetscCall(CrJsonAdd(study, "runs", runs));
  PetscCall(CrJsonAdd(study, "numbers", names));
  for (PetscInt j = 0; j < NNUMBERS; j++)
    PetscCall(CrJsonAdd(names, NULL, cJSON_CreateString(numbers[j])));
  PetscCall(describe_keys(s, keys));
  PetscCall(describe_runs(s, runs));
  PetscCall(CrReportSweep(s->dir, s->title, study));
  PetscFunctionReturn(PETSC_SUCCESS);
}
