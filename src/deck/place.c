/* Places of nodes in the file, dotted paths, and error messages with the place of a node. */
#include <stdarg.h>
#include <string.h>
#include "deck/internal.h"

void CrDeckAppend(char buffer[], size_t size, const char format[], ...)
{
  size_t  used = strlen(buffer);
  va_list args;

  va_start(args, format);
  vsnprintf(buffer + used, size - used, format, args);
  va_end(args);
}

const char *CrDeckClip(const char text[], char clip[DECK_CLIP])
{
  const size_t most = DECK_CLIP - 4;
  size_t       n = strlen(text), keep = n;

  /* never cut a character in the middle */
  if (n > most) {
    keep = most;
    while (keep > 0 && ((unsigned char)text[keep] & 0xc0) == 0x80) keep--;
  }
  for (size_t i = 0; i < keep; i++)
    clip[i] = (unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i];
  strcpy(clip + keep, keep < n ? "..." : "");
  return clip;
}

void CrDeckNodePath(const CrDeckNode *node, char path[DECK_LINE])
{
  char clip[DECK_CLIP];

  if (!node || !node->parent) {
    path[0] = 0;
    return;
  }
  CrDeckNodePath(node->parent, path);
  if (path[0]) CrDeckAppend(path, DECK_LINE, ".");
  if (node->name)
    CrDeckAppend(path, DECK_LINE, "%s", CrDeckClip(node->name, clip));
  else
    CrDeckAppend(path, DECK_LINE, "%" PetscInt_FMT, node->index);
}

PetscErrorCode CrDeckErrorAt(DeckMark mark, const char path[], const char message[])
{
  const char *gap = path[0] ? ": " : "";

  if (!mark.file) return CrInputError("%s%s%s", path, gap, message);
  if (!mark.line) return CrInputError("%s: %s%s%s", mark.file, path, gap, message);
  return CrInputError("%s:%" PetscInt_FMT ":%" PetscInt_FMT ": %s%s%s", mark.file, mark.line,
                      mark.column, path, gap, message);
}

PetscErrorCode CrDeckError(const CrDeckNode *node, const char format[], ...)
{
  char     path[DECK_LINE], message[2 * DECK_LINE];
  DeckMark nowhere = {0};
  va_list  args;

  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  CrDeckNodePath(node, path);
  return CrDeckErrorAt(node ? node->mark : nowhere, path, message);
}

const char *CrDeckPlace(const CrDeckNode *node)
{
  char        line[64];
  char       *room;
  CrDeckNode *keep = (CrDeckNode *)node; /* a cache: what is seen of the node does not change */

  if (!node) return "";
  if (node->place || !node->mark.line) return node->place ? node->place : node->mark.file;
  snprintf(line, sizeof line, ":%" PetscInt_FMT ":%" PetscInt_FMT, node->mark.line,
           node->mark.column);
  if (CrDeckMalloc(node->deck, strlen(node->mark.file) + strlen(line) + 1, &room))
    return node->mark.file;
  strcat(strcpy(room, node->mark.file), line);
  keep->place = room;
  return room;
}
