/* Reads tables of a run as columns of numbers. The first column is the time, and rows with the same time are
   consecutive. */
#include "report/table.h"
#include <stdlib.h>
#include <string.h>
#include "base/text.h"

#define MOST_COLUMNS 64

/* A body may be called 1: what holds words is known by name. */
static PetscBool holds_words(const char name[])
{
  static const char *const names[] = {"body", "pair", "probe", "field", "state", "name"};

  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
    if (!strcmp(name, names[k])) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Does the row at s begin with the time of the row at t? */
static PetscBool same_time(const char *s, const char *t)
{
  size_t n = strcspn(t, ",\n");

  return strcspn(s, ",\n") == n && !strncmp(s, t, n);
}

/* A row that a killed run left without its end does not count. */
static const char *next_row(const char *s)
{
  const char *end = strchr(s, '\n');

  return end ? end + 1 : NULL;
}

static void count(const char *s, PetscInt *nrows, PetscInt *ntimes)
{
  const char *before = NULL;

  *nrows = *ntimes = 0;
  for (const char *next; *s && (next = next_row(s)); s = next) {
    (*nrows)++;
    if (!before || !same_time(s, before)) (*ntimes)++;
    before = s;
  }
}

static PetscErrorCode find_word(CrColumn *column, const char word[], PetscInt guess, PetscReal *at)
{
  PetscFunctionBeginUser;
  /* rows come in the same order at every time */
  if (guess < column->nwords && !strcmp(column->words[guess], word)) {
    *at = guess;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  for (PetscInt k = 0; k < column->nwords; k++)
    if (!strcmp(column->words[k], word)) {
      *at = k;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  if ((column->nwords & (column->nwords - 1)) == 0) /* full at powers of two */
    PetscCall(PetscRealloc(sizeof *column->words * (size_t)PetscMax(1, 2 * column->nwords),
                           &column->words));
  *at = column->nwords;
  column->words[column->nwords++] = word;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_row(CrTable *table, const char *const fields[])
{
  const PetscInt row = table->nrows;

  PetscFunctionBeginUser;
  for (PetscInt c = 0; c < table->ncolumns; c++) {
    CrColumn *column = &table->columns[c];
    PetscInt  guess = 0;

    if (!holds_words(column->name)) {
      column->values[row] = strtod(fields[c], NULL);
      continue;
    }
    if (row) guess = (PetscInt)column->values[row - 1] + 1;
    if (guess >= column->nwords) guess = 0;
    PetscCall(find_word(column, fields[c], guess, &column->values[row]));
  }
  table->nrows++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* s: the rows; every times-th time is taken, and the last. */
static PetscErrorCode fill(CrTable *table, char *s, PetscInt ntimes)
{
  const char *fields[MOST_COLUMNS], *before = NULL;
  PetscInt    time = -1;

  PetscFunctionBeginUser;
  while (*s && next_row(s)) {
    char *start = s;

    /* fields are ended in place, the time before by 0 where it was taken */
    if (!before || strncmp(start, before, strcspn(before, ",\n")) ||
        start[strcspn(before, ",\n")] != ',')
      time++;
    before = start;
    if (time % table->every && time != ntimes - 1) {
      s = (char *)next_row(s);
      continue;
    }
    if (CrTextRow(&s, MOST_COLUMNS, fields) == table->ncolumns) PetscCall(add_row(table, fields));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_text(CrTable *table, PetscReal most)
{
  const char *names[MOST_COLUMNS];
  char       *cursor = table->text;
  PetscInt    nrows, ntimes;

  PetscFunctionBeginUser;
  table->ncolumns = CrTextRow(&cursor, MOST_COLUMNS, names);
  count(cursor, &nrows, &ntimes);
  table->every = PetscMax(1, (PetscInt)PetscCeilReal((PetscReal)nrows * table->ncolumns / most));
  PetscCall(PetscCalloc1(table->ncolumns, &table->columns));
  for (PetscInt c = 0; c < table->ncolumns; c++) {
    table->columns[c].name = names[c];
    PetscCall(PetscMalloc1(nrows, &table->columns[c].values));
  }
  PetscCall(fill(table, cursor, ntimes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTableRead(const char path[], PetscReal most, CrTable **table)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(table));
  PetscCall(CrTextRead(path, &(*table)->text, NULL));
  if ((*table)->text) code = read_text(*table, most);
  if (code || !(*table)->nrows) PetscCall(CrTableDestroy(table));
  PetscFunctionReturn(code);
}

PetscErrorCode CrTableDestroy(CrTable **table)
{
  PetscFunctionBeginUser;
  if (!*table) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt c = 0; (*table)->columns && c < (*table)->ncolumns; c++) {
    PetscCall(PetscFree((*table)->columns[c].values));
    PetscCall(PetscFree((*table)->columns[c].words));
  }
  PetscCall(PetscFree((*table)->columns));
  PetscCall(PetscFree((*table)->text));
  PetscCall(PetscFree(*table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const CrColumn *CrTableFind(const CrTable *table, const char name[])
{
  for (PetscInt c = 0; table && c < table->ncolumns; c++)
    if (!strcmp(table->columns[c].name, name)) return &table->columns[c];
  return NULL;
}
