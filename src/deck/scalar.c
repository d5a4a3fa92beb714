/* Interprets the texts of scalars as in YAML 1.2, restricted to the types that a deck needs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "deck/internal.h"

static const char *skip_digits(const char *s)
{
  while (*s >= '0' && *s <= '9') s++;
  return s;
}

/* [-+]?(digits[.[digits]]|.digits)([eE][-+]?digits)? and nothing else: no hexadecimal, no 1_000 */
static PetscBool has_number_form(const char *s)
{
  const char *whole, *point;

  if (*s == '-' || *s == '+') s++;
  whole = skip_digits(s);
  point = *whole == '.' ? skip_digits(whole + 1) : whole;
  if (whole == s && point - whole < 2) return PETSC_FALSE;
  s = point;
  if (*s == 'e' || *s == 'E') {
    s += s[1] == '-' || s[1] == '+' ? 2 : 1;
    if (skip_digits(s) == s) return PETSC_FALSE;
    s = skip_digits(s);
  }
  return !*s;
}

static PetscBool names_infinity(const char *s)
{
  if (*s == '-' || *s == '+') s++;
  if (*s == '.') s++;
  return !strcasecmp(s, "inf") || !strcasecmp(s, "infinity") || !strcasecmp(s, "nan");
}

DeckNumber CrDeckTextNumber(const char text[], PetscReal *value)
{
  *value = 0;
  if (!has_number_form(text)) return names_infinity(text) ? DECK_NOT_FINITE : DECK_NO_NUMBER;
  *value = strtod(text, NULL);
  return isfinite(*value) ? DECK_NUMBER : DECK_NOT_FINITE;
}

PetscBool CrDeckNumberIsInteger(PetscReal value)
{
  return value == floor(value) && fabs(value) <= (PetscReal)PETSC_MAX_INT;
}

PetscBool CrDeckIsNull(const CrDeckNode *node)
{
  if (!node) return PETSC_TRUE;
  if (node->kind != DECK_SCALAR || node->quoted) return PETSC_FALSE;
  return !node->text[0] || !strcmp(node->text, "~") || !strcmp(node->text, "null");
}

/* Text of a scalar that is not null; anything else is a mistake of the caller. */
static const char *text_of(const CrDeckNode *node, const char expected[])
{
  PetscCheckAbort(!CrDeckIsNull(node) && node->kind == DECK_SCALAR, PETSC_COMM_SELF,
                  PETSC_ERR_ARG_WRONG, "%s: asked for %s where there is none", CrDeckPlace(node),
                  expected);
  return node->text;
}

PetscReal CrDeckReal(const CrDeckNode *node)
{
  PetscReal value;

  PetscCheckAbort(CrDeckTextNumber(text_of(node, "a number"), &value) == DECK_NUMBER,
                  PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG, "%s: asked for a number, there is \"%s\"",
                  CrDeckPlace(node), node->text);
  return value;
}

PetscInt CrDeckInteger(const CrDeckNode *node)
{
  PetscReal value = CrDeckReal(node);

  PetscCheckAbort(CrDeckNumberIsInteger(value), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
                  "%s: asked for an integer, there is \"%s\"", CrDeckPlace(node), node->text);
  return (PetscInt)value;
}

PetscBool CrDeckTruth(const CrDeckNode *node)
{
  const char *text = text_of(node, "a truth value");
  PetscBool   truth = !strcmp(text, "true");

  PetscCheckAbort(truth || !strcmp(text, "false"), PETSC_COMM_SELF, PETSC_ERR_ARG_WRONG,
                  "%s: asked for a truth value, there is \"%s\"", CrDeckPlace(node), text);
  return truth;
}

const char *CrDeckText(const CrDeckNode *node)
{
  return text_of(node, "a text");
}

PetscBool CrDeckIsReal(const CrDeckNode *node)
{
  PetscReal value;

  if (!node || node->kind != DECK_SCALAR) return PETSC_FALSE;
  return CrDeckTextNumber(node->text, &value) == DECK_NUMBER;
}

PetscBool CrDeckIsWord(const CrDeckNode *node, const char word[])
{
  if (CrDeckIsNull(node) || node->kind != DECK_SCALAR) return PETSC_FALSE;
  return !strcmp(node->text, word);
}

PetscErrorCode CrDeckVector(const CrDeckNode *map, const char key[], PetscInt n, PetscReal null,
                            PetscReal v[], PetscBool *given)
{
  const CrDeckNode *list = CrDeckFind(map, key);
  const char       *plural = n == 1 ? "" : "s";

  PetscFunctionBeginUser;
  if (given) *given = list != NULL;
  if (!list) PetscFunctionReturn(PETSC_SUCCESS);
  if (n == 1 && CrDeckIsReal(list)) { /* a list of one may go without brackets */
    v[0] = CrDeckReal(list);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!CrDeckIsList(list)) CrDeckFail(list, "expected %" PetscInt_FMT " number%s", n, plural);
  if (list->count != n)
    CrDeckFail(list, "expected %" PetscInt_FMT " number%s, found %" PetscInt_FMT, n, plural,
               list->count);

  /* nothing is written before everything is known to be good */
  for (PetscInt i = 0; i < n; i++)
    if (!CrDeckIsNull(list->items[i]) && !CrDeckIsReal(list->items[i]))
      CrDeckFail(list->items[i], "expected a number");
  for (PetscInt i = 0; i < n; i++)
    v[i] = CrDeckIsNull(list->items[i]) ? null : CrDeckReal(list->items[i]);
  PetscFunctionReturn(PETSC_SUCCESS);
}
