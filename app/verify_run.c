/* Runs one case of `carom verify` as a child process, in a temporary folder. */
#define _GNU_SOURCE /* nftw */
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "app/child.h"
#include "app/verify.h"

/* ---- the folder ------------------------------------------------------------------------------ */

PetscErrorCode AppVerifyMakeFolder(char path[], size_t size)
{
  const char *base = getenv("TMPDIR");

  PetscFunctionBeginUser;
  if (!base || !*base) base = "/tmp";
  snprintf(path, size, "%s/carom-verify-XXXXXX", base);
  if (!mkdtemp(path)) CrMachineFail("%s: no temporary folder: %s", base, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int remove_entry(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
  (void)s;
  (void)kind;
  (void)walk;
  (void)!remove(path);
  return 0;
}

void AppVerifyRemoveFolder(const char path[])
{
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- interruption ---------------------------------------------------------------------------- */

static const int             watched[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction      before[3];
static volatile sig_atomic_t interrupted;
static volatile pid_t        running; /* 0: no child */

static void take_signal(int number)
{
  interrupted = number;
  if (running) kill(running, SIGTERM);
}

void AppVerifyWatchBegin(void)
{
  struct sigaction action = {.sa_handler = take_signal};

  interrupted = 0;
  sigemptyset(&action.sa_mask);
  for (int k = 0; k < 3; k++) sigaction(watched[k], &action, &before[k]);
}

void AppVerifyWatchEnd(void)
{
  for (int k = 0; k < 3; k++) sigaction(watched[k], &before[k], NULL);
}

PetscBool AppVerifyIsInterrupted(void)
{
  return interrupted != 0;
}

/* ---- the child ------------------------------------------------------------------------------- */

/* Waits for the child; an interruption reaches it through the handler. */
static int wait_for(pid_t child)
{
  int status = 0;

  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  running = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static PetscErrorCode start(char *const words[], const char log[], int *exit_code)
{
  pid_t child;

  PetscFunctionBeginUser;
  PetscCall(AppChildStart(words, log, -1, &child));
  running = child;
  if (interrupted) kill(child, SIGTERM); /* it came before the handler knew the child */
  *exit_code = wait_for(child);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppVerifyRun(const char deck[], const CrDeckNode *one, const char dir[],
                            int *exit_code)
{
  const CrDeckNode *set = CrDeckFind(one, "set");
  PetscInt          ranks = CrDeckInteger(CrDeckFind(one, "ranks")), n = 0;
  char   self[PETSC_MAX_PATH_LEN], out[PETSC_MAX_PATH_LEN], log[PETSC_MAX_PATH_LEN], count[16];
  char **words;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(AppChildSelf(self, sizeof self));
  snprintf(out, sizeof out, "%s/out", dir);
  snprintf(log, sizeof log, "%s/log", dir);
  snprintf(count, sizeof count, "%" PetscInt_FMT, ranks);
  PetscCall(PetscMalloc1(2 * CrDeckCount(set) + 14, &words));
  if (ranks > 1) {
    words[n++] = "mpiexec";
    words[n++] = "-n";
    words[n++] = count;
    words[n++] = "--oversubscribe";
  }
  words[n++] = self;
  words[n++] = "run";
  words[n++] = (char *)deck;
  words[n++] = "-o";
  words[n++] = out;
  words[n++] = "--set";
  words[n++] = "output.frames=0"; /* nobody looks; a case may set it otherwise */
  words[n++] = "--set";
  words[n++] = "output.report=false";
  for (PetscInt k = 0; k < CrDeckCount(set); k++) {
    words[n++] = "--set";
    words[n++] = (char *)CrDeckText(CrDeckItem(set, k));
  }
  words[n] = NULL;
  code = start(words, log, exit_code);
  PetscCall(PetscFree(words));
  PetscFunctionReturn(code);
}
