/* Reads the tables of keys: rows, words, ranges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "deck/internal.h"

const CrKey *CrDeckTable(const CrKey *key, PetscInt i)
{
  static const CrKey none[] = {{.name = NULL}};

  if (i == 0) return key->keys ? key->keys : none;
  return key->more ? key->more(i - 1) : NULL;
}

const CrKey *CrDeckRow(const CrKey *table, const char name[])
{
  for (; table->name; table++)
    if (!strcmp(table->name, name)) return table;
  return NULL;
}

PetscInt CrDeckWords(const CrKey *key, char buffer[DECK_LINE], const char *words[DECK_WORDS])
{
  PetscInt    n = 0;
  const char *own = key->words ? key->words : "";
  const char *extra = key->more_words ? key->more_words(0) : NULL;

  PetscCheckAbort(strlen(own) < DECK_LINE, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                  "%s: the words of the table are too long", key->name);
  strcpy(buffer, own);
  for (char *word = buffer; *word && n < DECK_WORDS;) {
    char *end = word + strcspn(word, "|");

    words[n++] = word;
    word = *end ? end + 1 : end;
    *end = 0;
  }
  for (PetscInt i = 0; extra && n < DECK_WORDS; extra = key->more_words(++i)) words[n++] = extra;
  PetscCheckAbort(n < DECK_WORDS, PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s: too many words", key->name);
  return n;
}

DeckRange CrDeckRange(const char range[])
{
  DeckRange r = {-INFINITY, INFINITY, PETSC_FALSE, PETSC_FALSE};
  char     *s;

  if (!range) return r;
  r.low_in = range[0] == '[';
  r.low = strtod(range + 1, &s);
  PetscCheckAbort(*s == ',', PETSC_COMM_SELF, PETSC_ERR_PLIB, "range %s of a table", range);
  r.high = strtod(s + 1, &s);
  r.high_in = *s == ']';
  return r;
}

PetscBool CrDeckRangeHas(const DeckRange *r, PetscReal value)
{
  PetscBool above = r->low_in ? value >= r->low : value > r->low;
  PetscBool below = r->high_in ? value <= r->high : value < r->high;

  return above && below;
}
