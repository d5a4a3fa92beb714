/* The command `carom examples`: lists the shipped examples, or runs one of them. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app/app.h"
#include "app/examples.h"
#include "base/program.h"
#include "base/text.h"

#define MOST_EXAMPLES 256

static PetscBool is_folder(const char *path)
{
  struct stat s;

  return !stat(path, &s) && S_ISDIR(s.st_mode);
}

PetscErrorCode AppExamplesFolder(char path[], size_t size)
{
  static const char *const beside[] = {"../examples", "../share/carom/examples"};
  char                     self[PETSC_MAX_PATH_LEN];
  ssize_t                  n = readlink("/proc/self/exe", self, sizeof self - 1);

  PetscFunctionBeginUser;
  if (n < 0) n = 0;
  self[n] = 0;
  if (strrchr(self, '/')) *strrchr(self, '/') = 0;
  for (int k = 0; k < 2; k++) {
    snprintf(path, size, "%s/%s", self, beside[k]);
    if (is_folder(path)) PetscFunctionReturn(PETSC_SUCCESS);
  }
  snprintf(path, size, "%s/examples", CAROM_DATA_DIR);
  if (!is_folder(path))
    CrInputFail("the examples were found neither beside the program nor in %s", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

PetscErrorCode AppExampleNames(const char folder[], PetscInt *n, char ***names)
{
  DIR           *dir = opendir(folder);
  struct dirent *entry;
  PetscInt       room = MOST_EXAMPLES;

  PetscFunctionBeginUser;
  *n = 0;
  if (!dir) CrInputFail("%s: cannot be read", folder);
  PetscCall(PetscMalloc1(room, names));
  while ((entry = readdir(dir)) && *n < room) {
    char path[PETSC_MAX_PATH_LEN];

    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s/deck.yaml", folder, entry->d_name);
    if (access(path, R_OK)) continue;
    PetscCall(PetscStrallocpy(entry->d_name, &(*names)[(*n)++]));
  }
  closedir(dir);
  qsort(*names, (size_t)*n, sizeof **names, by_name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppFreeNames(PetscInt n, char ***names)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) PetscCall(PetscFree((*names)[k]));
  PetscCall(PetscFree(*names));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One line of the table of README.md: "| 7 | [bar-on-wall](...) | what it shows | ... |". */
static PetscBool take_row(const char line[], char name[64], char shows[256])
{
  const char *text = strchr(line, '(');
  int         number;

  if (sscanf(line, "| %d | [%63[^]]", &number, name) != 2 || !text) return PETSC_FALSE;
  return sscanf(text, "(%*[^)]) | %255[^|]", shows) == 1;
}

PetscBool AppExampleRow(const char **table, char name[64], char shows[256])
{
  while (**table) {
    const size_t n = strcspn(*table, "\n");
    char         line[1024];

    snprintf(line, sizeof line, "%.*s", (int)n, *table);
    *table += n + ((*table)[n] == '\n');
    if (!take_row(line, name, shows)) continue;
    for (size_t k = strlen(shows); k && shows[k - 1] == ' '; k--) shows[k - 1] = 0;
    return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static void print_example(PetscInt number, const char name[], const char shows[])
{
  CrLog("%3" PetscInt_FMT "  %-22s %s\n", number, name, shows);
}

/* The examples from easy to hard, each with what it shows, as README.md of their folder has them. Folders that are
   not in its table come last. */
static PetscErrorCode list(const char folder[], PetscInt n, char **names)
{
  char      path[PETSC_MAX_PATH_LEN], name[64], shows[256], *text;
  PetscInt  number = 0;
  PetscBool listed[MOST_EXAMPLES] = {PETSC_FALSE};

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/README.md", folder);
  PetscCall(CrTextRead(path, &text, NULL));
  for (const char *table = text ? text : ""; AppExampleRow(&table, name, shows);) {
    for (PetscInt k = 0; k < n; k++)
      if (!strcmp(names[k], name)) listed[k] = PETSC_TRUE;
    print_example(++number, name, shows);
  }
  PetscCall(PetscFree(text));
  for (PetscInt k = 0; k < n; k++)
    if (!listed[k]) print_example(++number, names[k], "");
  CrLog("to run an example: %s examples NAME; to copy its deck: %s new DECK.yaml --from NAME\n",
        CrProgram(), CrProgram());
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_example(const char folder[], PetscInt n, char **names, const char name[],
                                   char path[], size_t size)
{
  PetscInt k = 0;
  char     hint[CR_HINT], rest[CR_HINT];

  PetscFunctionBeginUser;
  snprintf(rest, sizeof rest, "; see %s examples", CrProgram());
  while (k < n && strcmp(names[k], name)) k++;
  if (k == n)
    CrInputFail("unknown example \"%s\"%s", name,
                CrNameHint(name, n, (const char *const *)names, rest, hint));
  snprintf(path, size, "%s/%s", folder, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppExampleFind(const char name[], char path[], size_t size)
{
  char           folder[PETSC_MAX_PATH_LEN], **names;
  PetscInt       n;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(AppExamplesFolder(folder, sizeof folder));
  PetscCall(AppExampleNames(folder, &n, &names));
  code = find_example(folder, n, names, name, path, size);
  PetscCall(AppFreeNames(n, &names));
  PetscFunctionReturn(code);
}

static PetscErrorCode list_all(void)
{
  char           folder[PETSC_MAX_PATH_LEN], **names;
  PetscInt       n;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(AppExamplesFolder(folder, sizeof folder));
  PetscCall(AppExampleNames(folder, &n, &names));
  code = list(folder, n, names);
  PetscCall(AppFreeNames(n, &names));
  PetscFunctionReturn(code);
}

PetscErrorCode AppExamples(const AppArguments *a, int *status)
{
  char folder[PETSC_MAX_PATH_LEN], deck[PETSC_MAX_PATH_LEN + 16], dir[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  if (!a->nwords) PetscFunctionReturn(list_all());
  PetscCall(AppExampleFind(a->words[0], folder, sizeof folder));
  snprintf(deck, sizeof deck, "%s/deck.yaml", folder);
  snprintf(dir, sizeof dir, "%s.out", a->words[0]);
  PetscCall(AppRunDeck(deck, a->output ? a->output : dir, a, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}
