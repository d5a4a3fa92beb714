/* The program as a child of itself. */
#define _GNU_SOURCE /* environ */
#include "app/child.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

PetscErrorCode AppChildSelf(char path[], size_t size)
{
  ssize_t length = readlink("/proc/self/exe", path, size - 1);

  PetscFunctionBeginUser;
  if (length < 0) CrMachineFail("the program does not find itself: %s", strerror(errno));
  path[length] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a process that has initialised MPI passes on makes an mpiexec below it fail. The permission
   to run as root is the user's own and stays. */
static PetscBool is_inherited(const char *variable)
{
  static const char *const heads[] = {"OMPI_", "PMIX_", "ORTE_"};

  if (!strncmp(variable, "OMPI_ALLOW_RUN_AS_ROOT", strlen("OMPI_ALLOW_RUN_AS_ROOT")))
    return PETSC_FALSE;
  for (int k = 0; k < 3; k++)
    if (!strncmp(variable, heads[k], strlen(heads[k]))) return PETSC_TRUE;
  return PETSC_FALSE;
}

static PetscErrorCode clean_environment(char ***clean)
{
  static char *const root[] = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
  PetscInt           n = 0;

  PetscFunctionBeginUser;
  while (environ[n]) n++;
  PetscCall(PetscMalloc1(n + 3, clean));
  n = 0;
  for (char **e = environ; *e; e++)
    if (!is_inherited(*e)) (*clean)[n++] = *e;
  /* whoever started this program as root wants its children so too */
  for (int k = 0; geteuid() == 0 && k < 2; k++) (*clean)[n++] = root[k];
  (*clean)[n] = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppChildStart(char *const words[], const char log[], pid_t *child)
{
  posix_spawn_file_actions_t files;
  char                     **environment;
  int                        code;

  PetscFunctionBeginUser;
  PetscCall(clean_environment(&environment));
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  code = posix_spawnp(child, words[0], &files, NULL, words, environment);
  posix_spawn_file_actions_destroy(&files);
  PetscCall(PetscFree(environment));
  if (code) CrMachineFail("%s cannot be started: %s", words[0], strerror(code));
  PetscFunctionReturn(PETSC_SUCCESS);
}
