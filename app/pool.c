/* Runs the program several times at once, in child processes. */
#include "app/pool.h"
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app/child.h"
#include "base/text.h"

/* ---- a run -------------------------------------------------------------------------------- */

PetscErrorCode AppJobSet(AppJob *job, const char format[], ...)
{
  char    text[256];
  va_list args;

  PetscFunctionBeginUser;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (job->nsets == POOL_SETS)
    CrInputFail("%s: there are more than %d options --set", job->name, POOL_SETS);
  PetscCall(PetscStrallocpy(text, &job->sets[job->nsets++]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppJobFree(AppJob *job)
{
  PetscFunctionBeginUser;
  cJSON_Delete(job->audit);
  job->audit = NULL;
  for (PetscInt k = 0; k < job->nsets; k++) PetscCall(PetscFree(job->sets[k]));
  job->nsets = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *AppJobStateName(JobState state)
{
  static const char *const names[] = {"completed", "limit broken", "failed", "refused"};

  return names[state];
}

static double number_in(const cJSON *object, const char name[])
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

  return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

double AppJobNumber(const AppJob *job, const char name[])
{
  return number_in(job->audit, name);
}

double AppJobResolution(const AppJob *job, const char name[])
{
  return number_in(cJSON_GetObjectItemCaseSensitive(job->audit, "resolution"), name);
}

/* ---- interruption ------------------------------------------------------------------------- */

#define MOST 64 /* children at a time */

typedef struct {
  const AppArguments *arguments;
  PetscInt            n, active;
  AppJob *const      *jobs;
  PetscInt            of[MOST]; /* which run a child is */
  int                 leash;
} Pool;

static const int             watched[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t interrupted;
static volatile pid_t        running[MOST]; /* 0: none */

static void take_signal(int number)
{
  interrupted = number;
  for (int k = 0; k < MOST; k++)
    if (running[k]) kill(running[k], SIGTERM);
}

/* ---- a child ------------------------------------------------------------------------------ */

static PetscInt say(const Pool *pool, const AppJob *job, char *words[])
{
  const AppArguments *a = pool->arguments;
  PetscInt            n = 1;

  words[n++] = job->resume ? "resume" : "run";
  words[n++] = (char *)(job->resume ? job->dir : a->words[0]);
  words[n++] = "--leash";
  if (job->resume) return n;
  words[n++] = "-o";
  words[n++] = (char *)job->dir;
  if (job->force) words[n++] = "--force";
  for (PetscInt i = 0; i < a->nsets + job->nsets; i++) {
    words[n++] = "--set";
    words[n++] = (char *)(i < a->nsets ? a->sets[i] : job->sets[i - a->nsets]);
  }
  return n;
}

static PetscErrorCode start(Pool *pool, PetscInt k)
{
  const AppJob  *job = pool->jobs[k];
  char           self[PETSC_MAX_PATH_LEN], **words;
  PetscInt       slot = 0;
  pid_t          child;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(AppChildSelf(self, sizeof self));
  PetscCall(PetscMalloc1(2 * (pool->arguments->nsets + job->nsets) + 9, &words));
  words[0] = self;
  words[say(pool, job, words)] = NULL;
  if (!job->resume) unlink(job->log);
  code = AppChildStart(words, job->log, pool->leash, &child);
  PetscCall(PetscFree(words));
  if (code) PetscFunctionReturn(code);
  while (running[slot]) slot++;
  pool->of[slot] = k;
  running[slot] = child;
  pool->active++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Why the run did not end well: the failure in its audit, its first limit that was exceeded, or the last message. A run
   may print warnings of other things after the reason. */
static PetscErrorCode read_trouble(AppJob *job)
{
  const cJSON *failure = cJSON_GetObjectItemCaseSensitive(job->audit, "failure");
  char        *text;

  PetscFunctionBeginUser;
  if (job->state == JOB_FAILED && cJSON_IsString(failure)) {
    snprintf(job->trouble, sizeof job->trouble, "%s", failure->valuestring);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CrTextRead(job->log, &text, NULL));
  snprintf(job->trouble, sizeof job->trouble, "ended without a message; see %s.log", job->name);
  for (char *line = text, *end; line && *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = 0;
    if (strncmp(line, "carom: ", 7)) continue;
    line += 7;
    if (!strncmp(line, "warning: ", 9)) line += 9;
    if (!strncmp(line, "--set ", 6) && strstr(line, ": ")) line = strstr(line, ": ") + 2; /* ours */
    snprintf(job->trouble, sizeof job->trouble, "%s", line);
    if (job->state == JOB_BROKE_LIMIT && !strncmp(line, "audit: ", 7)) break;
  }
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode judge(AppJob *job, int exit_code)
{
  char   path[PETSC_MAX_PATH_LEN + 16], *text;
  cJSON *completed;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/audit.json", job->dir);
  if (exit_code != 2) {
    PetscCall(CrTextRead(path, &text, NULL));
    if (text) job->audit = cJSON_Parse(text);
    PetscCall(PetscFree(text));
  }
  completed = cJSON_GetObjectItemCaseSensitive(job->audit, "completed");
  job->state = exit_code == 2             ? JOB_REFUSED
               : !cJSON_IsTrue(completed) ? JOB_FAILED
               : exit_code                ? JOB_BROKE_LIMIT
                                          : JOB_COMPLETED;
  if (job->state != JOB_COMPLETED) PetscCall(read_trouble(job));
  if (job->state == JOB_FAILED && !job->audit) job->state = JOB_REFUSED; /* nothing to show */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Waits for one child to end. */
static PetscErrorCode wait_for_one(Pool *pool)
{
  int     status = 0, slot = 0;
  pid_t   child;
  AppJob *job;

  PetscFunctionBeginUser;
  while ((child = waitpid(-1, &status, 0)) < 0 && errno == EINTR) continue;
  while (slot < MOST && running[slot] != child) slot++;
  if (slot == MOST) PetscFunctionReturn(PETSC_SUCCESS); /* none of ours */
  running[slot] = 0;
  pool->active--;
  if (interrupted) PetscFunctionReturn(PETSC_SUCCESS);
  job = pool->jobs[pool->of[slot]];
  PetscCall(judge(job, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)));
  CrLog("%s: %s\n", job->name, job->state == JOB_COMPLETED ? "done" : job->trouble);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- all ---------------------------------------------------------------------------------- */

static PetscErrorCode run_all(Pool *pool, PetscInt workers)
{
  PetscInt       next = 0;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  while (pool->active || (next < pool->n && !interrupted && !code)) {
    if (next == pool->n || pool->active == workers || interrupted || code)
      PetscCall(wait_for_one(pool));
    else if (pool->jobs[next]->done)
      PetscCall(judge(pool->jobs[next++], 0));
    else
      code = start(pool, next++);
  }
  PetscFunctionReturn(code);
}

PetscErrorCode AppPoolRun(const AppArguments *arguments, PetscInt workers, PetscInt n,
                          AppJob *const jobs[], PetscBool *was_interrupted)
{
  Pool             pool = {.arguments = arguments, .n = n, .jobs = jobs};
  struct sigaction action = {.sa_handler = take_signal}, before[3];
  PetscErrorCode   code;

  PetscFunctionBeginUser;
  if (!workers) workers = PetscMax(1, (PetscInt)sysconf(_SC_NPROCESSORS_ONLN));
  PetscCall(AppChildLeash(&pool.leash));
  interrupted = 0;
  sigemptyset(&action.sa_mask);
  for (int k = 0; k < 3; k++) sigaction(watched[k], &action, &before[k]);
  code = run_all(&pool, PetscMin(workers, MOST));
  for (int k = 0; k < 3; k++) sigaction(watched[k], &before[k], NULL);
  *was_interrupted = interrupted != 0;
  PetscFunctionReturn(code);
}
