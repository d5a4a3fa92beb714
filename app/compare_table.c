/* Writes the results of a comparison: a table on the screen, and compare.csv for other programs. */
#include <math.h>
#include <string.h>
#include "app/compare.h"
#include "output/file.h"
#include "output/output.h"

/* ---- for people --------------------------------------------------------------------------- */

static const struct {
  const char *title, *key, *format;
} columns[] = {
    {"energy drift", "balance_relative", "%.1e"},
    {"contact work", "contact_work", "%.4g"},
    {"friction loss", "friction_loss", "%.5g"},
    {"momentum", "momentum_drift", "%.1e"},
    {"angular mom.", "angular_drift", "%.1e"},
    {"overlap", "max_penetration", "%.2e"},
    {"steps", "steps", "%.0f"},
    {"iterations", "iterations", "%.0f"},
    {"time [s]", "wall_seconds", "%.2f"},
};

#define NCOLUMNS (sizeof columns / sizeof columns[0])

static void print_row(const CompareMethod *m)
{
  char text[32];

  printf("%-16s", m->ops->name);
  for (size_t c = 0; m->job.state != JOB_REFUSED && c < NCOLUMNS; c++) {
    double v = AppJobNumber(&m->job, columns[c].key);

    snprintf(text, sizeof text, columns[c].format, v);
    printf(" %13s", isnan(v) ? "-" : text);
  }
  if (m->job.state != JOB_COMPLETED)
    printf("  %s: %s", AppJobStateName(m->job.state), m->job.trouble);
  if (m->note[0] && m->job.state != JOB_REFUSED) printf("  (%s)", m->note);
  puts("");
}

void AppComparePrint(const Compare *compare)
{
  printf("\n%-16s", "method");
  for (size_t c = 0; c < NCOLUMNS; c++) printf(" %13s", columns[c].title);
  puts("");
  for (PetscInt k = 0; k < compare->n; k++) print_row(&compare->methods[k]);
  printf(
      "\n" ENERGY_DRIFT
      ";\ncontact work: the part of this error that the method reports as work of contact;\nmomentum, angular mom.: greatest change (-: supports or loads act); overlap: "
      "deepest penetration\nresults in %s: compare.html, compare.csv, a folder per method\n",
      compare->dir);
  fflush(stdout);
}

/* ---- for programs ------------------------------------------------------------------------- */

static PetscErrorCode put_text(OutputFile *file, const char text[])
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(file, ",\""));
  for (const char *s = text; *s; s++)
    PetscCall(CrFilePrint(file, "%s%c", *s == '"' ? "\"" : "", *s));
  PetscCall(CrFilePrint(file, "\""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_row(OutputFile *file, const CompareMethod *m)
{
  PetscFunctionBeginUser;
  PetscCall(CrFilePrint(file, "%s,%s", m->ops->name, AppJobStateName(m->job.state)));
  for (PetscInt i = 0; CrAuditNameAt(i); i++) {
    double v = AppJobNumber(&m->job, CrAuditNameAt(i));

    if (isnan(v))
      PetscCall(CrFilePrint(file, ","));
    else
      PetscCall(CrFilePrint(file, ",%.17g", v));
  }
  PetscCall(put_text(file, m->note));
  PetscCall(put_text(file, m->job.trouble));
  PetscCall(CrFilePrint(file, "\n"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppCompareWriteTable(const Compare *compare)
{
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, compare->dir, "compare.csv"));
  PetscCall(CrFilePrint(&file, "method,state"));
  for (PetscInt i = 0; CrAuditNameAt(i); i++)
    PetscCall(CrFilePrint(&file, ",%s", CrAuditNameAt(i)));
  PetscCall(CrFilePrint(&file, ",note,reason\n"));
  for (PetscInt k = 0; k < compare->n; k++) PetscCall(put_row(&file, &compare->methods[k]));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}
