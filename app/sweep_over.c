/* Reads the values of the option --over: the values that a key of the deck gets in a sweep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "app/sweep.h"

static PetscErrorCode add(SweepKey *key, const char text[], size_t n)
{
  char *copy;

  PetscFunctionBeginUser;
  if (key->n == SWEEP_MOST)
    CrInputFail("--over %s: the list has more than %d values for this key", key->key, SWEEP_MOST);
  PetscCall(PetscMalloc1(n + 1, &copy));
  snprintf(copy, n + 1, "%.*s", (int)n, text);
  key->values[key->n++] = copy;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The length of a value: up to a comma outside of brackets, braces and quotes. */
static size_t value_length(const char text[])
{
  int    depth = 0;
  char   quote = 0;
  size_t n = 0;

  for (; text[n] && (text[n] != ',' || depth || quote); n++) {
    if (quote)
      quote = text[n] == quote ? 0 : quote;
    else if (text[n] == '"' || text[n] == '\'')
      quote = text[n];
    else if (strchr("[{", text[n]))
      depth++;
    else if (strchr("]}", text[n]))
      depth--;
  }
  return n;
}

/* start:stop:count, evenly spaced with both ends. Is the text one? */
static PetscBool is_range(const char text[], double *start, double *stop, long *count)
{
  char *end;

  *start = strtod(text, &end);
  if (end == text || *end != ':') return PETSC_FALSE;
  text = end + 1;
  *stop = strtod(text, &end);
  if (end == text || *end != ':') return PETSC_FALSE;
  text = end + 1;
  *count = strtol(text, &end, 10);
  return end != text && !*end ? PETSC_TRUE : PETSC_FALSE;
}

/* A number and a colon: a range that is not written in full. No key of a deck has such a value. */
static PetscBool is_part_of_range(const char text[])
{
  char *end;

  (void)strtod(text, &end);
  return end != text && *end == ':' ? PETSC_TRUE : PETSC_FALSE;
}

static PetscErrorCode add_range(SweepKey *key, double start, double stop, long count)
{
  PetscFunctionBeginUser;
  if (count < 1 || count > SWEEP_MOST || !isfinite(start) || !isfinite(stop))
    CrInputFail(
        "--over %s: in start:stop:count, start and stop must be finite numbers and count must be from 1 to %d",
        key->key, SWEEP_MOST);
  for (long k = 0; k < count; k++) {
    double value = count == 1 ? start : start + (stop - start) * (double)k / (double)(count - 1);
    char   text[40];

    snprintf(text, sizeof text, "%.15g", k == count - 1 && count > 1 ? stop : value);
    PetscCall(add(key, text, strlen(text)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppSweepOver(const char word[], SweepKey *key)
{
  const char *text = strchr(word, '=');
  double      start, stop;
  long        count;

  PetscFunctionBeginUser;
  if (!text || text == word || !text[1] || (size_t)(text - word) >= sizeof key->key)
    CrInputFail("--over needs key=a,b,c or key=start:stop:count, not \"%s\"", word);
  snprintf(key->key, sizeof key->key, "%.*s", (int)(text - word), word);
  PetscCall(PetscCalloc1(SWEEP_MOST, &key->values));
  text++;
  if (is_range(text, &start, &stop, &count))
    PetscFunctionReturn(add_range(key, start, stop, count));
  if (is_part_of_range(text))
    CrInputFail("--over %s: \"%s\" is not a range start:stop:count, such as 0:1:11", key->key,
                text);
  while (*text) {
    size_t n = value_length(text);

    if (!n) CrInputFail("--over %s: a value is empty", key->key);
    PetscCall(add(key, text, n));
    text += n;
    if (*text && !*++text) CrInputFail("--over %s: a value is empty", key->key);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
