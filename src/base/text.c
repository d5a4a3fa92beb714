/* Reads files into memory, splits rows of comma-separated tables, and makes texts printable. */
#include "base/text.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#define PIPES 0x50495045 /* the file system of pipes without a name (PIPEFS_MAGIC) */

static PetscBool is_stream(const char path[], mode_t mode)
{
  struct statfs system;

  if (S_ISCHR(mode)) return PETSC_TRUE;
  return S_ISFIFO(mode) && !statfs(path, &system) && (long)system.f_type == PIPES;
}

PetscErrorCode CrTextCheck(const char path[], PetscBool streams)
{
  struct stat s;

  PetscFunctionBeginUser;
  if (stat(path, &s) || S_ISREG(s.st_mode)) PetscFunctionReturn(PETSC_SUCCESS);
  if (streams && is_stream(path, s.st_mode)) PetscFunctionReturn(PETSC_SUCCESS);
  if (S_ISDIR(s.st_mode)) CrInputFail("%s: cannot be read: %s", path, strerror(EISDIR));
  CrInputFail("%s: cannot be read: is a %s, not a file", path,
              S_ISFIFO(s.st_mode) ? "FIFO" : "device");
}

PetscErrorCode CrTextOpen(const char path[], PetscBool streams, FILE **file)
{
  PetscFunctionBeginUser;
  *file = NULL;
  PetscCall(CrTextCheck(path, streams));
  *file = fopen(path, "rb");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrTextRead(const char path[], char **text, size_t *size)
{
  FILE  *file;
  size_t room = 1 << 16, used = 0;

  PetscFunctionBeginUser;
  *text = NULL;
  PetscCall(CrTextOpen(path, PETSC_FALSE, &file));
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

/* ---- for the eyes ------------------------------------------------------------------------- */

static PetscBool follows(unsigned char c)
{
  return (c & 0xc0) == 0x80;
}

/* Bytes of the character at s if it can be shown as it is, else 0. */
static size_t plain_length(const unsigned char *s)
{
  if (s[0] >= 0x20 && s[0] < 0x7f) return 1;
  if (s[0] < 0xc2 || s[0] > 0xf4 || !follows(s[1])) return 0;
  if (s[0] == 0xc2 && s[1] < 0xa0) return 0; /* control characters too */
  if (s[0] < 0xe0) return 2;
  if (!follows(s[2]) || (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
  if (s[0] < 0xf0) return 3;
  return follows(s[3]) && (s[0] != 0xf0 || s[1] > 0x8f) && (s[0] != 0xf4 || s[1] < 0x90) ? 4 : 0;
}

void CrTextShow(const char from[], char to[], size_t size)
{
  size_t used = 0;

  for (const unsigned char *s = (const unsigned char *)from; *s;) {
    size_t plain = plain_length(s);
    char   spelled[8];

    if (!plain && strchr("\n\t\r", *s))
      snprintf(spelled, sizeof spelled, "\\%c", *s == '\n' ? 'n' : *s == '\t' ? 't' : 'r');
    else if (!plain)
      snprintf(spelled, sizeof spelled, "\\x%02x", *s);
    else
      snprintf(spelled, sizeof spelled, "%.*s", (int)plain, (const char *)s);
    if (used + strlen(spelled) + 1 > size) break;
    strcpy(to + used, spelled);
    used += strlen(spelled);
    s += plain ? plain : 1;
  }
  to[used] = 0;
}
