/* Evaluates a formula over the columns of a table, such as "jz - x*py + y*px". A formula contains numbers, columns, + -
   * /, parentheses, sqrt() and abs(). It is parsed again for each row, because tables are small. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "app/verify.h"

typedef struct {
  const char        *at; /* what is still to be read */
  PetscInt           n;  /* columns; -1: every name is taken, for a check of syntax */
  const char *const *names, *const *fields;
  char  *trouble; /* NULL as long as there is none */
  size_t size;
} Reader;

static PetscReal sum(Reader *r);

/* The first trouble is the cause; reading ends there. */
static PetscReal fail(Reader *r, const char what[], const char found[], int length)
{
  if (!*r->trouble) snprintf(r->trouble, r->size, "%s \"%.*s\"", what, length, found);
  r->at = "";
  return NAN;
}

static PetscBool take(Reader *r, char wanted)
{
  while (isspace((unsigned char)*r->at)) r->at++;
  if (*r->at != wanted) return PETSC_FALSE;
  r->at++;
  return PETSC_TRUE;
}

static PetscReal parentheses(Reader *r)
{
  PetscReal value = sum(r);

  if (!take(r, ')')) return fail(r, "a \")\" is missing before", r->at, 32);
  return value;
}

static PetscReal column(Reader *r, const char name[], int length)
{
  const char *near;
  char        unknown[64];

  if (r->n < 0) return 1;
  for (PetscInt k = 0; k < r->n; k++)
    if (!strncmp(r->names[k], name, (size_t)length) && !r->names[k][length])
      return r->fields ? strtod(r->fields[k], NULL) : 1;
  snprintf(unknown, sizeof unknown, "%.*s", length, name);
  near = CrNearestName(unknown, r->n, r->names);
  if (near && !*r->trouble)
    snprintf(r->trouble, r->size, "unknown column \"%s\"; did you mean \"%s\"?", unknown, near);
  return fail(r, "unknown column", name, length);
}

/* A column, or a function of what stands in parentheses. */
static PetscReal name(Reader *r)
{
  const char *start = r->at;
  int         length;

  while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
  length = (int)(r->at - start);
  if (!take(r, '(')) return column(r, start, length);
  if (length == 4 && !strncmp(start, "sqrt", 4)) return PetscSqrtReal(parentheses(r));
  if (length == 3 && !strncmp(start, "abs", 3)) return PetscAbsReal(parentheses(r));
  return fail(r, "unknown function", start, length);
}

static PetscReal factor(Reader *r)
{
  char     *end;
  PetscReal value;

  if (take(r, '-')) return -factor(r);
  if (take(r, '(')) return parentheses(r);
  if (isalpha((unsigned char)*r->at)) return name(r);
  if (!isdigit((unsigned char)*r->at) && *r->at != '.')
    return fail(r, "expected a column or a number before", r->at, 32);
  value = strtod(r->at, &end);
  if (end == r->at) return fail(r, "expected a number instead of", r->at, 32);
  r->at = end;
  return value;
}

static PetscReal product(Reader *r)
{
  PetscReal value = factor(r);

  for (;;)
    if (take(r, '*'))
      value *= factor(r);
    else if (take(r, '/'))
      value /= factor(r);
    else
      return value;
}

static PetscReal sum(Reader *r)
{
  PetscReal value = product(r);

  for (;;)
    if (take(r, '+'))
      value += product(r);
    else if (take(r, '-'))
      value -= product(r);
    else
      return value;
}

PetscReal AppFormulaValue(const char text[], PetscInt n, const char *const names[],
                          const char *const fields[], char trouble[], size_t size)
{
  Reader r = {
      .at = text, .n = n, .names = names, .fields = fields, .trouble = trouble, .size = size};
  PetscReal value;

  trouble[0] = 0;
  value = sum(&r);
  take(&r, ' ');
  if (*r.at) return fail(&r, "nothing is expected after the formula, found", r.at, 32);
  return value;
}
