/* Finds the name that is most similar to a misspelt word, for hints such as "did you mean". */
#include <string.h>
#include "base/base.h"

#define LONGEST 64

/* Edit distance with insertions, deletions, substitutions and swaps of neighbours. */
static PetscInt distance(const char *a, const char *b)
{
  PetscInt d[3][LONGEST + 1];
  size_t   la = strlen(a), lb = strlen(b);

  if (la > LONGEST || lb > LONGEST) return LONGEST;
  for (size_t j = 0; j <= lb; j++) d[0][j] = (PetscInt)j;
  for (size_t i = 1; i <= la; i++) {
    PetscInt *now = d[i % 3], *last = d[(i - 1) % 3], *before = d[(i + 1) % 3];

    now[0] = (PetscInt)i;
    for (size_t j = 1; j <= lb; j++) {
      PetscInt best = last[j - 1] + (a[i - 1] != b[j - 1]);

      best = PetscMin(best, last[j] + 1);
      best = PetscMin(best, now[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = PetscMin(best, before[j - 2] + 1);
      now[j] = best;
    }
  }
  return d[la % 3][lb];
}

const char *CrNearestName(const char *word, PetscInt n, const char *const names[])
{
  const char *best = NULL;
  PetscInt    least = PETSC_MAX_INT;

  for (PetscInt i = 0; i < n; i++) {
    PetscInt d = distance(word, names[i]);

    if (d < least) {
      least = d;
      best = names[i];
    }
  }
  /* close: a third of the letters, at least two, may be wrong */
  return best && least <= PetscMax(2, (PetscInt)strlen(best) / 3) && least < (PetscInt)strlen(best)
             ? best
             : NULL;
}

const char *CrNameHint(const char *word, PetscInt n, const char *const names[],
                       const char *otherwise, char hint[CR_HINT])
{
  const char *near = CrNearestName(word, n, names);

  if (!near) return otherwise;
  snprintf(hint, CR_HINT, "; did you mean \"%s\"?", near);
  return hint;
}
