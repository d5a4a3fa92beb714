/* Files in memory, and rows of comma-separated tables. */
#include "base/text.h"

PetscErrorCode CrTextRead(const char path[], char **text, size_t *size)
{
  FILE  *file = fopen(path, "rb");
  size_t room = 1 << 16, used = 0;

  PetscFunctionBeginUser;
  *text = NULL;
  if (!file) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc(room, text));
  for (size_t got = 1; got; used += got) {
    if (used + 1 >= room) PetscCall(PetscRealloc(room *= 2, text));
    got = fread(*text + used, 1, room - used - 1, file);
  }
  (*text)[used] = 0;
  if (size) *size = used;
  fclose(file);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static char *next_field(char **cursor, PetscBool *row_ends)
{
  char     *s = *cursor, *start = s, *out = s;
  PetscBool quoted = *s == '"';

  if (quoted) s++;
  while (*s && (quoted || (*s != ',' && *s != '\n'))) {
    if (quoted && *s == '"' && s[1] != '"') {
      quoted = PETSC_FALSE;
      s++;
      continue;
    }
    if (quoted && *s == '"') s++;
    *out++ = *s++;
  }
  *row_ends = *s != ',';
  *cursor = *s ? s + 1 : s;
  *out = 0;
  return start;
}

PetscInt CrTextRow(char **cursor, PetscInt most, const char *fields[])
{
  PetscInt  n = 0;
  PetscBool row_ends = PETSC_FALSE;

  while (!row_ends) {
    const char *field = next_field(cursor, &row_ends);

    if (n < most) fields[n++] = field;
  }
  return n;
}
