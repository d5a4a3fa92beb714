/* The name of the program and paths, in the form in which the user can type them. */
#include "base/program.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char program[80] = "carom"; /* a longer path makes no hint (CR_HINT) */

void CrProgramStart(const char typed[])
{
  if (typed && strchr(typed, '/') && strlen(typed) < sizeof program)
    snprintf(program, sizeof program, "%s", typed);
}

const char *CrProgram(void)
{
  return program;
}

/* Letters that both paths have in common, up to the end of a folder's name. */
static size_t common(const char path[], const char folder[])
{
  size_t last = 0, k = 0;

  for (; path[k] && path[k] == folder[k]; k++)
    if (path[k] == '/') last = k;
  return !folder[k] && path[k] == '/' ? k : last;
}

const char *CrPathHere(const char path[], char here[PETSC_MAX_PATH_LEN])
{
  char   folder[PETSC_MAX_PATH_LEN];
  size_t shared, used = 0;

  snprintf(here, PETSC_MAX_PATH_LEN, "%s", path);
  if (path[0] != '/' || !getcwd(folder, sizeof folder)) return here;
  shared = common(path, folder);
  for (const char *rest = folder + shared; *rest; rest++)
    used += *rest == '/' && rest[1] ? 3 : 0; /* "../" */
  if (used + strlen(path + shared + 1) >= strlen(path)) return here;
  for (size_t k = 0; k < used; k += 3) memcpy(here + k, "../", 3);
  snprintf(here + used, PETSC_MAX_PATH_LEN - used, "%s", path + shared + 1);
  return here;
}
