/* Starts the program as a child process of itself. */
#define _GNU_SOURCE /* environ, pipe2 */
#include "app/child.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>
#include "base/program.h"

PetscErrorCode AppChildSelf(char path[], size_t size)
{
  ssize_t length = readlink("/proc/self/exe", path, size - 1);

  PetscFunctionBeginUser;
  if (length < 0)
    CrMachineFail("the path of the program itself cannot be found: %s", strerror(errno));
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

/* The same words, but a child that is this program is called as the user calls it, for hints. */
static PetscErrorCode name_program(char *const words[], char ***named)
{
  char     self[PETSC_MAX_PATH_LEN];
  PetscInt n = 0;

  PetscFunctionBeginUser;
  PetscCall(AppChildSelf(self, sizeof self));
  while (words[n]) n++;
  PetscCall(PetscMalloc1(n + 1, named));
  for (PetscInt k = 0; k <= n; k++) (*named)[k] = words[k];
  if (!strcmp(self, words[0])) (*named)[0] = (char *)CrProgram();
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppChildStart(char *const words[], const char log[], int leash, pid_t *child)
{
  posix_spawn_file_actions_t files;
  char                     **environment, **named;
  int                        code;

  PetscFunctionBeginUser;
  PetscCall(clean_environment(&environment));
  PetscCall(name_program(words, &named));
  posix_spawn_file_actions_init(&files);
  if (leash >= 0)
    posix_spawn_file_actions_adddup2(&files, leash, 0);
  else
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  code = posix_spawnp(child, words[0], &files, NULL, named, environment);
  posix_spawn_file_actions_destroy(&files);
  PetscCall(PetscFree(environment));
  PetscCall(PetscFree(named));
  if (code) CrMachineFail("%s cannot be started: %s", words[0], strerror(code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the leash ---------------------------------------------------------------------------- */

/* The end of a pipe whose other end stays open, but closed to children, until the program is gone. The
   kernel's own signal at the death of a parent (PR_SET_PDEATHSIG) goes by the thread that started the
   child, and those of the server end with their request. */
PetscErrorCode AppChildLeash(int *leash)
{
  int ends[2];

  PetscFunctionBeginUser;
  if (pipe2(ends, O_CLOEXEC)) CrMachineFail("no pipe: %s", strerror(errno));
  *leash = ends[0];
  PetscFunctionReturn(PETSC_SUCCESS);
}

static volatile sig_atomic_t held = -1; /* the end that is watched; -1: none */

/* Once: the pipe also speaks when other children leave, and a second SIGTERM would cut the last step. */
static void take_loss(int number)
{
  const int end = held;

  (void)number;
  held = -1;
  if (end >= 0) kill(getpid(), SIGTERM);
}

/* Opened again: who is told goes with an opened file, which all children would share. */
void AppChildHold(void)
{
  const struct sigaction action = {.sa_handler = take_loss, .sa_flags = SA_RESTART};
  struct pollfd          now = {.fd = 0, .events = POLLIN};

  held = open("/proc/self/fd/0", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (held < 0) return;
  sigaction(SIGIO, &action, NULL);
  fcntl(held, F_SETOWN, getpid());
  fcntl(held, F_SETFL, O_ASYNC | O_NONBLOCK);
  if (poll(&now, 1, 0) > 0 && now.revents & POLLHUP) take_loss(SIGIO); /* it was too late */
}
