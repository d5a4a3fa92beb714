/* Stores the results of a convergence study by name, with one entry for all levels, and selects the results that the
   user has asked for. */
#include <math.h>
#include <string.h>
#include "app/converge.h"
#include "base/grow.h"

/* Is it the first n letters of an item of --quantities, which may end with a star? */
static PetscBool is_named(const char name[], const char item[], size_t n)
{
  if (n && item[n - 1] == '*') return !strncmp(name, item, n - 1) ? PETSC_TRUE : PETSC_FALSE;
  return strlen(name) == n && !strncmp(name, item, n) ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool is_wanted(const Converge *c, const char name[])
{
  const char *list = c->arguments->quantities;

  if (!list) return PETSC_TRUE;
  for (size_t n; *list; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    if (is_named(name, list, n)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscBool is_known(const Converge *c, const char item[], size_t n)
{
  for (PetscInt k = 0; k < c->nvalues; k++)
    if (is_named(c->values[k].name, item, n)) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The item as a word, with the names that it may be meant for. */
static PetscErrorCode describe_unknown(Converge *c, const char item[], size_t n)
{
  const char **names;
  char         word[sizeof c->values->name], hint[CR_HINT];

  PetscFunctionBeginUser;
  snprintf(word, sizeof word, "%.*s", (int)n, item);
  PetscCall(PetscMalloc1(c->nvalues + 1, &names));
  for (PetscInt k = 0; k < c->nvalues; k++) names[k] = c->values[k].name;
  snprintf(c->unknown, sizeof c->unknown, "--quantities: no quantity is called \"%s\"%s", word,
           CrNameHint(word, c->nvalues, names,
                      "; without --quantities the table shows all quantities", hint));
  PetscCall(PetscFree(names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConvergeKeepWanted(Converge *c)
{
  const char *list = c->arguments->quantities ? c->arguments->quantities : "";
  PetscInt    kept = 0;

  PetscFunctionBeginUser;
  for (size_t n; *list && !*c->unknown; list += n + (list[n] == ',')) {
    n = strcspn(list, ",");
    if (n && !is_known(c, list, n)) PetscCall(describe_unknown(c, list, n));
  }
  for (PetscInt k = 0; k < c->nvalues; k++)
    if (is_wanted(c, c->values[k].name)) c->values[kept++] = c->values[k];
  c->nvalues = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The entry of a number, which the first level makes. */
static PetscErrorCode find_entry(Converge *c, const char what[], const char name[],
                                 ConvergeValue **entry)
{
  char     full[sizeof c->values->name];
  PetscInt k = 0;

  PetscFunctionBeginUser;
  snprintf(full, sizeof full, "%s%s%s", what, *what ? "." : "", name);
  while (k < c->nvalues && strcmp(c->values[k].name, full)) k++;
  if (k == c->nvalues) {
    PetscCall(CrGrow(c->nvalues + 1, &c->room, &c->values));
    c->values[c->nvalues] = (ConvergeValue){0};
    snprintf(c->values[c->nvalues].name, sizeof full, "%s", full);
    for (PetscInt i = 0; i < CR_ESTIMATE_MOST; i++) c->values[c->nvalues].values[i] = NAN;
    c->nvalues++;
  }
  *entry = &c->values[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConvergeEnter(Converge *c, PetscInt level, const char what[], const char name[],
                                PetscReal value, PetscReal scale)
{
  ConvergeValue *entry;

  PetscFunctionBeginUser;
  PetscCall(find_entry(c, what, name, &entry));
  entry->values[level] = value;
  entry->scale = PetscMax(entry->scale, scale);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConvergeEnterGrain(Converge *c, PetscInt level, const char what[],
                                     const char name[], PetscReal grain)
{
  ConvergeValue *entry;

  PetscFunctionBeginUser;
  PetscCall(find_entry(c, what, name, &entry));
  entry->grains[level] = PetscMax(entry->grains[level], grain);
  PetscFunctionReturn(PETSC_SUCCESS);
}
