/* The folder of a run: checks whether it may be used, and removes files of an older run. It removes only files that a
   run writes. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/text.h"
#include "output/internal.h"

typedef char FolderPath[PETSC_MAX_PATH_LEN + 300]; /* room for a folder and an entry of it */

#define LOCK_TRIES 20 /* tenths of a second */

typedef enum { FOLDER_ABSENT, FOLDER_EMPTY, FOLDER_RUN, FOLDER_FOREIGN } FolderKind;

static PetscBool is_either(const char name[], const char a[], const char b[])
{
  return !strcmp(name, a) || !strcmp(name, b);
}

static PetscErrorCode examine(const char dir[], FolderKind *kind)
{
  struct stat    info;
  struct dirent *entry;
  DIR           *folder;

  PetscFunctionBeginUser;
  *kind = FOLDER_ABSENT;
  if (stat(dir, &info)) {
    if (errno == ENOENT) PetscFunctionReturn(PETSC_SUCCESS);
    if (errno == ENOTDIR) CrInputFail("%s: a part of this path is not a folder", dir);
    CrMachineFail("%s: cannot be opened: %s", dir, strerror(errno));
  }
  if (!S_ISDIR(info.st_mode))
    CrInputFail("%s: is not a folder; use -o to choose another folder", dir);
  folder = opendir(dir);
  if (!folder) CrMachineFail("%s: cannot be opened: %s", dir, strerror(errno));
  *kind = FOLDER_EMPTY;
  while ((entry = readdir(folder))) {
    if (is_either(entry->d_name, ".", "..")) continue;
    if (*kind == FOLDER_EMPTY) *kind = FOLDER_FOREIGN;
    if (is_either(entry->d_name, "run.yaml", "history.csv")) *kind = FOLDER_RUN;
  }
  closedir(folder);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Only the last level: a wrong path should not grow a tree. */
static PetscErrorCode make(const char dir[])
{
  FolderPath  parent;
  struct stat info;
  char       *end;
  int         reason;

  PetscFunctionBeginUser;
  if (!mkdir(dir, 0777)) PetscFunctionReturn(PETSC_SUCCESS);
  reason = errno;
  snprintf(parent, sizeof parent, "%s", dir);
  end = strrchr(parent, '/');
  if (end) *(end == parent ? end + 1 : end) = 0;
  if (end && stat(parent, &info) && errno == ENOENT)
    CrInputFail("%s: cannot be created: there is no folder %s", dir, parent);
  CrMachineFail("%s: cannot be created: %s", dir, strerror(reason));
}

PetscErrorCode CrFolderPrepare(const char dir[], PetscBool force, PetscBool *made)
{
  FolderKind kind;

  PetscFunctionBeginUser;
  *made = PETSC_FALSE;
  PetscCall(examine(dir, &kind));
  if (kind == FOLDER_FOREIGN)
    CrInputFail("%s: this folder is not empty and contains no run; use -o to choose another folder",
                dir);
  if (kind == FOLDER_RUN && !force)
    CrInputFail(
        "%s: this folder contains an older run; use --force to replace it, or -o to choose another folder",
        dir);
  if (kind == FOLDER_ABSENT) {
    PetscCall(make(dir));
    *made = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Held by the system as long as the program lives, however that ends; nothing is left in the folder. One
   that was just killed may need a moment to be gone. Where folders cannot be locked, nothing is. */
PetscErrorCode CrFolderLock(const char dir[], int *lock)
{
  const struct timespec moment = {.tv_nsec = 100000000};

  PetscFunctionBeginUser;
  *lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int tries = 0; *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;) {
    if (++tries < LOCK_TRIES && !nanosleep(&moment, NULL)) continue;
    close(*lock);
    *lock = -1;
    CrInputFail("%s: a run that writes to this folder is still active; stop this run first", dir);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode remove_file(const char dir[], const char name[])
{
  FolderPath path;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  if (unlink(path) && errno != ENOENT)
    CrMachineFail("%s: cannot be removed: %s", path, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* 0012.vtu, 0012.pvtu and its pieces 0012_p3.vtu, ..., also half-written ones of a run that was killed. */
static PetscBool is_frame(const char name[])
{
  size_t digits = strspn(name, "0123456789"), end = digits;

  if (name[end] == '_') end += 1 + strspn(name + end + 1, "0123456789abcdefghijklmnopqrstuvwxyz");
  return digits >= 4 &&
         (is_either(name + end, ".vtu", ".vtu.tmp") || is_either(name + end, ".pvtu", ".pvtu.tmp"));
}

static PetscErrorCode remove_frames(const char fields[])
{
  DIR           *folder = opendir(fields);
  struct dirent *entry;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (!folder) PetscFunctionReturn(PETSC_SUCCESS);
  while (!code && (entry = readdir(folder)))
    if (is_frame(entry->d_name)) code = remove_file(fields, entry->d_name);
  closedir(folder);
  PetscCall(code);
  rmdir(fields); /* stays where something else lies in it */
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFolderClear(const char dir[])
{
  /* the tables and run.yaml are not here: the new ones take their names in one move */
  static const char *const names[] = {"fields.pvd",     "fields.pvd.tmp",  "audit.json",
                                      "audit.json.tmp", "checkpoint.h5",   "checkpoint.h5.tmp",
                                      "report.html",    "report.html.tmp", "log.txt",
                                      "converge.json"};
  FolderPath               fields;

  PetscFunctionBeginUser;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) PetscCall(remove_file(dir, names[i]));
  snprintf(fields, sizeof fields, "%s/fields", dir);
  PetscCall(remove_frames(fields));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFolderMakeFields(const char dir[])
{
  FolderPath  fields;
  struct stat info;
  int         reason;

  PetscFunctionBeginUser;
  snprintf(fields, sizeof fields, "%s/fields", dir);
  if (!mkdir(fields, 0777)) PetscFunctionReturn(PETSC_SUCCESS);
  reason = errno;
  if (stat(fields, &info) || !S_ISDIR(info.st_mode))
    CrMachineFail("%s: cannot be created: %s", fields, strerror(reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFolderOpenLog(const char dir[])
{
  FolderPath path;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/log.txt", dir);
  PetscCall(CrLogOpen(path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunDeckPath(const char dir[], char path[], size_t size)
{
  PetscFunctionBeginUser;
  snprintf(path, size, "%s/run.yaml", dir);
  if (access(path, R_OK))
    CrInputFail("%s: this folder contains no run (the file run.yaml is missing)", dir);
  PetscCall(CrTextCheck(path, PETSC_FALSE));
  PetscFunctionReturn(PETSC_SUCCESS);
}
