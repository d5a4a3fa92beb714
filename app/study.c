#include "app/study.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text.h"
#include "output/file.h"

/* The words and the deck, as they are kept in the folder. */
static PetscErrorCode describe(const char kind[], const AppArguments *a, const char words[],
                               char **text)
{
  char  *deck;
  size_t size, used;

  PetscFunctionBeginUser;
  PetscCall(CrTextRead(a->words[0], &deck, &size));
  if (!deck) CrInputFail("%s: cannot be read: %s", a->words[0], strerror(errno));
  size += strlen(words) + 8192;
  for (PetscInt i = 0; i < a->nsets; i++) size += strlen(a->sets[i]) + 8;
  PetscCall(PetscMalloc1(size, text));
  used = (size_t)snprintf(*text, size, "# carom %s: %s\n", kind, words);
  for (PetscInt i = 0; i < a->nsets; i++)
    used += (size_t)snprintf(*text + used, size - used, "# set %s\n", a->sets[i]);
  snprintf(*text + used, size - used, "%s", deck);
  PetscCall(PetscFree(deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_empty(const char dir[])
{
  DIR           *folder = opendir(dir);
  struct dirent *entry;
  PetscBool      any = PETSC_FALSE;

  if (!folder) return PETSC_TRUE;
  while ((entry = readdir(folder)))
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) any = PETSC_TRUE;
  closedir(folder);
  return !any;
}

static PetscErrorCode write_note(const char dir[], const char name[], const char text[])
{
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, dir, name));
  PetscCall(CrFilePrint(&file, "%s", text));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_folder(const char dir[], const char name[], const char text[],
                                   PetscBool force, PetscBool *same)
{
  char path[PETSC_MAX_PATH_LEN + 32], *old;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  PetscCall(CrTextRead(path, &old, NULL));
  *same = old && !strcmp(old, text) ? PETSC_TRUE : PETSC_FALSE;
  if (!old && !is_empty(dir))
    CrInputFail("%s: this folder is not empty and has no %s; use -o to choose another folder", dir,
                name);
  if (old && !*same && !force)
    CrInputFail(
        "%s: this folder contains runs of another deck or with other options; use --force to replace them, or -o to choose another folder",
        dir);
  PetscCall(PetscFree(old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A run that is there is read, one that was interrupted goes on, any other begins. */
static PetscErrorCode look_at_run(AppJob *job, PetscBool same)
{
  char path[PETSC_MAX_PATH_LEN + 24], *text;

  PetscFunctionBeginUser;
  job->force = PETSC_TRUE;
  if (!same) PetscFunctionReturn(PETSC_SUCCESS);
  snprintf(path, sizeof path, "%s/audit.json", job->dir);
  PetscCall(CrTextRead(path, &text, NULL));
  job->done = text && strstr(text, "\"completed\":\ttrue") ? PETSC_TRUE : PETSC_FALSE;
  PetscCall(PetscFree(text));
  snprintf(path, sizeof path, "%s/checkpoint.h5", job->dir);
  job->resume = !job->done && !access(path, R_OK) ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppStudyOpen(const char kind[], const char dir[], const AppArguments *a,
                            const char words[], PetscInt n, AppJob *const jobs[])
{
  char      name[32], *text;
  PetscBool same;

  PetscFunctionBeginUser;
  snprintf(name, sizeof name, "%s.txt", kind);
  if (mkdir(dir, 0777) && errno != EEXIST)
    CrMachineFail("%s: cannot be created: %s", dir, strerror(errno));
  PetscCall(describe(kind, a, words, &text));
  PetscCall(check_folder(dir, name, text, a->force, &same));
  if (!same) PetscCall(write_note(dir, name, text));
  for (PetscInt k = 0; k < n; k++) PetscCall(look_at_run(jobs[k], same));
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}
