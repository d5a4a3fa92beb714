/* The methods of a comparison as children of this program. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app/child.h"
#include "app/compare.h"
#include "base/text.h"

/* ---- interruption ------------------------------------------------------------------------- */

static const int             watched[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t interrupted;
static volatile pid_t        running[COMPARE_MOST]; /* 0: none */

static void take_signal(int number)
{
  interrupted = number;
  for (int k = 0; k < COMPARE_MOST; k++)
    if (running[k]) kill(running[k], SIGTERM);
}

/* ---- a child ------------------------------------------------------------------------------ */

static PetscErrorCode start(const Compare *compare, PetscInt k)
{
  const AppArguments  *a = compare->arguments;
  const CompareMethod *m = &compare->methods[k];
  char                 self[PETSC_MAX_PATH_LEN], **words;
  PetscInt             n = 0;
  pid_t                child;
  PetscErrorCode       code;

  PetscFunctionBeginUser;
  PetscCall(AppChildSelf(self, sizeof self));
  PetscCall(PetscMalloc1(2 * (a->nsets + m->nsets) + 9, &words));
  words[n++] = self;
  words[n++] = "run";
  words[n++] = (char *)a->words[0];
  words[n++] = "-o";
  words[n++] = (char *)m->dir;
  words[n++] = "--leash";
  if (a->force) words[n++] = "--force";
  for (PetscInt i = 0; i < a->nsets + m->nsets; i++) {
    words[n++] = "--set";
    words[n++] = (char *)(i < a->nsets ? a->sets[i] : m->sets[i - a->nsets]);
  }
  words[n] = NULL;
  unlink(m->log);
  code = AppChildStart(words, m->log, compare->leash, &child);
  PetscCall(PetscFree(words));
  if (!code) running[k] = child;
  PetscFunctionReturn(code);
}

/* The last line of the log that tells why: an error, or the warning of a run that gave up. */
static PetscErrorCode read_trouble(CompareMethod *m)
{
  char *text;

  PetscFunctionBeginUser;
  PetscCall(CrTextRead(m->log, &text, NULL));
  snprintf(m->trouble, sizeof m->trouble, "ended without a word; see %s.log", m->ops->name);
  for (char *line = text, *end; line && *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = 0;
    if (strncmp(line, "carom: ", 7)) continue;
    line += 7;
    if (!strncmp(line, "warning: ", 9)) line += 9;
    if (!strncmp(line, "--set ", 6) && strstr(line, ": ")) line = strstr(line, ": ") + 2; /* ours */
    snprintf(m->trouble, sizeof m->trouble, "%s", line);
  }
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode judge(CompareMethod *m, int exit_code)
{
  char   path[PETSC_MAX_PATH_LEN + 16], *text;
  cJSON *completed;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/audit.json", m->dir);
  if (exit_code != 2) {
    PetscCall(CrTextRead(path, &text, NULL));
    if (text) m->audit = cJSON_Parse(text);
    PetscCall(PetscFree(text));
  }
  completed = cJSON_GetObjectItemCaseSensitive(m->audit, "completed");
  m->state = exit_code == 2             ? COMPARE_REFUSED
             : !cJSON_IsTrue(completed) ? COMPARE_FAILED
             : exit_code                ? COMPARE_BROKE_LIMIT
                                        : COMPARE_COMPLETED;
  if (m->state != COMPARE_COMPLETED) PetscCall(read_trouble(m));
  if (m->state == COMPARE_FAILED && !m->audit) m->state = COMPARE_REFUSED; /* nothing to show */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Waits for one child to end. */
static PetscErrorCode wait_for_one(Compare *compare)
{
  int      status = 0, code;
  pid_t    child;
  PetscInt k = 0;

  PetscFunctionBeginUser;
  while ((child = waitpid(-1, &status, 0)) < 0 && errno == EINTR) continue;
  while (k < compare->n && running[k] != child) k++;
  if (k == compare->n) PetscFunctionReturn(PETSC_SUCCESS); /* none of ours */
  running[k] = 0;
  if (interrupted) PetscFunctionReturn(PETSC_SUCCESS);
  code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  PetscCall(judge(&compare->methods[k], code));
  if (compare->methods[k].state == COMPARE_COMPLETED)
    CrLog("%s: done\n", compare->methods[k].ops->name);
  else
    CrLog("%s: %s\n", compare->methods[k].ops->name, compare->methods[k].trouble);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------- */

static PetscErrorCode run_all(Compare *compare)
{
  const PetscInt most = PetscMax(1, (PetscInt)sysconf(_SC_NPROCESSORS_ONLN));
  PetscInt       active = 0, next = 0;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  while (active || (next < compare->n && !interrupted && !code)) {
    if (next < compare->n && active < most && !interrupted && !code) {
      code = start(compare, next++);
      if (!code) active++;
      continue;
    }
    PetscCall(wait_for_one(compare));
    active--;
  }
  PetscFunctionReturn(code);
}

PetscErrorCode AppCompareRun(Compare *compare, PetscBool *was_interrupted)
{
  struct sigaction action = {.sa_handler = take_signal}, before[3];
  PetscErrorCode   code;

  PetscFunctionBeginUser;
  PetscCall(AppChildLeash(&compare->leash));
  interrupted = 0;
  sigemptyset(&action.sa_mask);
  for (int k = 0; k < 3; k++) sigaction(watched[k], &action, &before[k]);
  code = run_all(compare);
  for (int k = 0; k < 3; k++) sigaction(watched[k], &before[k], NULL);
  *was_interrupted = interrupted != 0;
  PetscFunctionReturn(code);
}
