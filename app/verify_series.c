/* Reads one column of a table of a run as a function of time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "app/verify.h"
#include "base/grow.h"
#include "base/text.h"

#define MOST_COLUMNS 64

/* Which columns a row of expected.yaml is about. */
typedef struct {
  PetscInt    n, time, nselectors;
  PetscInt    selector[2]; /* column */
  const char *wanted[2];
  const char *formula, *names[MOST_COLUMNS];
  const char *over; /* "" where one row per time is selected */
} Columns;

static PetscErrorCode find_columns(const CrDeckNode *row, PetscInt n, const char *const names[],
                                   Columns *c)
{
  static const char *const selectors[] = {"body", "pair", "probe", "field", "name"};
  const CrDeckNode        *column = CrDeckFind(row, "column"), *over = CrDeckFind(row, "over");
  char                     trouble[256];

  PetscFunctionBeginUser;
  *c = (Columns){.n = n, .time = -1, .formula = CrDeckText(column)};
  c->over = over ? CrDeckText(over) : "";
  for (PetscInt k = 0; k < n; k++) {
    c->names[k] = names[k];
    if (!strcmp(names[k], "time")) c->time = k;
    for (int i = 0; i < 5; i++)
      if (!strcmp(names[k], selectors[i]) && CrDeckFind(row, selectors[i])) {
        c->wanted[c->nselectors] = CrDeckText(CrDeckFind(row, selectors[i]));
        c->selector[c->nselectors++] = k;
      }
  }
  AppFormulaValue(c->formula, n, names, NULL, trouble, sizeof trouble);
  if (*trouble) CrDeckFail(column, "%s", trouble);
  PetscCheck(c->time >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a table without the column time");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "foot.*" is every name that begins with "foot." */
static PetscBool is_named(const char name[], const char wanted[])
{
  size_t length = strlen(wanted);

  if (length && wanted[length - 1] == '*') return !strncmp(name, wanted, length - 1);
  return !strcmp(name, wanted);
}

static PetscBool is_selected(const Columns *c, const char *const fields[])
{
  for (PetscInt i = 0; i < c->nselectors; i++)
    if (!is_named(fields[c->selector[i]], c->wanted[i])) return PETSC_FALSE;
  return PETSC_TRUE;
}

static PetscErrorCode append(AppSeries *s, PetscReal t, PetscReal y)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrowTwo(s->n + 1, &s->room, &s->t, &s->y));
  s->t[s->n] = t;
  s->y[s->n++] = y;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The value y joins `before` others of the same time. NaN must not hide behind a comparison. */
static PetscReal combine(const char over[], PetscReal all, PetscInt before, PetscReal y)
{
  if (isnan(all) || isnan(y)) return NAN;
  if (!strcmp(over, "max")) return PetscMax(all, y);
  if (!strcmp(over, "min")) return PetscMin(all, y);
  if (!strcmp(over, "sum")) return all + y;
  return (all * before + y) / (before + 1);
}

/* Rows of one time stand together in every table. */
static PetscErrorCode add_row(const Columns *c, const char *const fields[], PetscInt *same,
                              AppSeries *s)
{
  char      trouble[256];
  PetscReal t = strtod(fields[c->time], NULL);
  PetscReal y = AppFormulaValue(c->formula, c->n, c->names, fields, trouble, sizeof trouble);

  PetscFunctionBeginUser;
  if (*c->over && s->n && s->t[s->n - 1] == t) {
    s->y[s->n - 1] = combine(c->over, s->y[s->n - 1], *same, y);
    (*same)++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  *same = 1;
  PetscCall(append(s, t, y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill(char *cursor, const CrDeckNode *row, AppSeries *series)
{
  const char *fields[MOST_COLUMNS];
  Columns     columns;
  PetscInt    n = CrTextRow(&cursor, MOST_COLUMNS, fields), same = 0;

  PetscFunctionBeginUser;
  PetscCall(find_columns(row, n, fields, &columns));
  while (*cursor) {
    n = CrTextRow(&cursor, MOST_COLUMNS, fields);
    if (n == columns.n && is_selected(&columns, fields))
      PetscCall(add_row(&columns, fields, &same, series));
  }
  if (columns.nselectors && !series->n)
    CrDeckFail(row, "%s has no rows of \"%s\"%s%s", CrDeckText(CrDeckFind(row, "file")),
               columns.wanted[0], columns.nselectors > 1 ? ", " : "",
               columns.nselectors > 1 ? columns.wanted[1] : "");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppSeriesRead(const char dir[], const CrDeckNode *row, PetscBool *found,
                             AppSeries *series)
{
  char           path[PETSC_MAX_PATH_LEN], *text;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  *series = (AppSeries){0};
  snprintf(path, sizeof path, "%s/%s.csv", dir, CrDeckText(CrDeckFind(row, "file")));
  PetscCall(CrTextRead(path, &text, NULL));
  *found = text != NULL;
  if (text) code = fill(text, row, series);
  PetscCall(PetscFree(text));
  if (code) PetscCall(AppSeriesDestroy(series));
  PetscFunctionReturn(code);
}

PetscErrorCode AppSeriesDestroy(AppSeries *series)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(series->t));
  PetscCall(PetscFree(series->y));
  series->n = series->room = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
