/* Splits the help text of options into its lines and fields (lines.h). */
#include <stdlib.h>
#include <string.h>
#include "app/lines.h"

#define TERM 2 /* where options stand on a line; help stands far behind */

PetscErrorCode AppLinesOpen(const AppCommand *c, char **text)
{
  size_t size;
  FILE  *memory = open_memstream(text, &size);

  PetscFunctionBeginUser;
  PetscCheck(memory, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the help of %s", c->name);
  AppPrintOptions(memory, c->options);
  PetscCheck(!fclose(memory), PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the help of %s",
             c->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* "--set key.path=value   change one value": a name, perhaps a value, two blanks or more, the help. */
static void split_option(char *text, AppLine *line)
{
  char *help = strstr(text, "  "), *value;

  if (help) *help++ = 0;
  value = strrchr(text, ' ');
  if (value) *value++ = 0;
  snprintf(line->name, sizeof line->name, "%s", text);
  snprintf(line->value, sizeof line->value, "%s", value ? value : "");
  snprintf(line->help, sizeof line->help, "%s", help ? help + strspn(help, " ") : "");
}

PetscBool AppLinesNext(const char **at, AppLine *line)
{
  size_t n = strcspn(*at, "\n");
  char   text[512];

  if (!n) return PETSC_FALSE;
  memset(line, 0, sizeof *line);
  snprintf(text, sizeof text, "%.*s", (int)n, *at);
  line->indent = (int)strspn(text, " ");
  if (line->indent == TERM)
    split_option(text + TERM, line);
  else
    snprintf(line->help, sizeof line->help, "%s", text + line->indent);
  *at += n + ((*at)[n] == '\n');
  return PETSC_TRUE;
}

PetscBool AppLinesNextOption(const char **at, AppLine *line)
{
  char last[sizeof line->name];

  snprintf(last, sizeof last, "%s", line->name);
  do
    if (!AppLinesNext(at, line)) return PETSC_FALSE;
  while (!line->name[0] || !strcmp(line->name, last));
  return PETSC_TRUE;
}

void AppFirstWord(const AppCommand *c, char word[], size_t size)
{
  const char *start = c->usage + (c->usage[0] == '[');
  size_t      n = strcspn(start, " ]");

  if (n > 3 && !strncmp(start + n - 3, "...", 3)) n -= 3;
  snprintf(word, size, "%.*s", (int)n, start);
}
