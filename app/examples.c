/* carom examples: the list, or one of them run. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "app/app.h"
#include "deck/deck.h"

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
  if (!is_folder(path)) CrInputFail("the examples are neither beside the program nor in %s", path);
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
  PetscInt       room = 256;

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

static PetscErrorCode list(const char folder[], PetscInt n, char **names)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    char              path[PETSC_MAX_PATH_LEN];
    CrDeck           *deck;
    const CrDeckNode *title;

    snprintf(path, sizeof path, "%s/%s/deck.yaml", folder, names[k]);
    PetscCall(CrDeckRead(PETSC_COMM_WORLD, path, 0, NULL, &deck));
    title = CrDeckFind(CrDeckRoot(deck), "title");
    CrLog("  %-22s %s\n", names[k], title ? CrDeckText(title) : "");
    PetscCall(CrDeckDestroy(&deck));
  }
  CrLog("run one: carom examples NAME; where they are: examples/README.md\n");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode run_example(const char folder[], PetscInt n, char **names,
                                  const AppArguments *a, int *status)
{
  const char *name = a->words[0];
  char        deck[PETSC_MAX_PATH_LEN], dir[PETSC_MAX_PATH_LEN], hint[CR_HINT];
  PetscInt    k = 0;

  PetscFunctionBeginUser;
  while (k < n && strcmp(names[k], name)) k++;
  if (k == n)
    CrInputFail("unknown example \"%s\"%s", name,
                CrNameHint(name, n, (const char *const *)names, "; see carom examples", hint));
  snprintf(deck, sizeof deck, "%s/%s/deck.yaml", folder, name);
  snprintf(dir, sizeof dir, "%s.out", name);
  PetscCall(AppRunDeck(deck, a->output ? a->output : dir, a, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppExamples(const AppArguments *a, int *status)
{
  char           folder[PETSC_MAX_PATH_LEN], **names;
  PetscInt       n;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(AppExamplesFolder(folder, sizeof folder));
  PetscCall(AppExampleNames(folder, &n, &names));
  code = a->nwords ? run_example(folder, n, names, a, status) : list(folder, n, names);
  PetscCall(AppFreeNames(n, &names));
  PetscFunctionReturn(code);
}
