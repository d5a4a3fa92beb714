/* carom converge: the same deck at several levels of refinement, and how sure its numbers are. */
#include "app/converge.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text.h"
#include "output/file.h"
#include "report/report.h"

/* ---- the folder --------------------------------------------------------------------------- */

/* What the folder is of: a later call with the same words and the same deck goes on with it. */
static PetscErrorCode describe(const Converge *c, char **text)
{
  const AppArguments *a = c->arguments;
  char               *deck;
  size_t              size, used;

  PetscFunctionBeginUser;
  PetscCall(CrTextRead(a->words[0], &deck, &size));
  if (!deck) CrInputFail("%s: cannot be read: %s", a->words[0], strerror(errno));
  size += 8192;
  for (PetscInt i = 0; i < a->nsets; i++) size += strlen(a->sets[i]) + 8;
  PetscCall(PetscMalloc1(size, text));
  used = (size_t)snprintf(*text, size, "# carom converge: of %s, ratio %g\n",
                          a->of ? a->of : "step", (double)c->ratio);
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

static PetscErrorCode write_note(const char dir[], const char text[])
{
  OutputFile file = {0};

  PetscFunctionBeginUser;
  PetscCall(CrFileBegin(&file, dir, "converge.txt"));
  PetscCall(CrFilePrint(&file, "%s", text));
  PetscCall(CrFileEnd(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_folder(const Converge *c, const char text[], PetscBool *same)
{
  char path[PETSC_MAX_PATH_LEN + 16], *old;

  PetscFunctionBeginUser;
  snprintf(path, sizeof path, "%s/converge.txt", c->dir);
  PetscCall(CrTextRead(path, &old, NULL));
  *same = old && !strcmp(old, text) ? PETSC_TRUE : PETSC_FALSE;
  if (!old && !is_empty(c->dir))
    CrInputFail("%s: is not empty and holds no convergence study; use -o for another place",
                c->dir);
  if (old && !*same && !c->arguments->force)
    CrInputFail(
        "%s: holds the study of another deck or of other words; use --force to replace it, or -o "
        "for another place",
        c->dir);
  PetscCall(PetscFree(old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A level that is there is read, one that was interrupted goes on, any other begins. */
static PetscErrorCode look_at_level(AppJob *job, PetscBool same)
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

PetscErrorCode AppConvergeOpen(Converge *c)
{
  char     *text;
  PetscBool same;

  PetscFunctionBeginUser;
  if (mkdir(c->dir, 0777) && errno != EEXIST)
    CrMachineFail("%s: cannot be made: %s", c->dir, strerror(errno));
  PetscCall(describe(c, &text));
  PetscCall(check_folder(c, text, &same));
  if (!same) PetscCall(write_note(c->dir, text));
  for (PetscInt k = 0; k < c->n; k++) PetscCall(look_at_level(&c->jobs[k], same));
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the end ------------------------------------------------------------------------------ */

static PetscErrorCode check_levels(const Converge *c)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->n; k++) {
    if (c->jobs[k].state == JOB_REFUSED)
      CrInputFail("%s (%s)", c->jobs[k].trouble, c->jobs[k].name);
    if (c->jobs[k].state == JOB_FAILED)
      CrLog("%s did not end: %s\n", c->jobs[k].name, c->jobs[k].trouble);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Relative errors of the deck's own level above the limit that it sets. */
static void check_limit(const Converge *c, int *status)
{
  for (PetscInt i = 0; c->limit > 0 && i < c->nvalues; i++) {
    const CrEstimate *e = &c->values[i].estimate;
    PetscReal         base = PetscMax(PetscAbsReal(e->limit), c->values[i].scale);

    if (!(e->errors[0] > c->limit * base)) continue;
    CrWarn("audit: the error of %s is %.3g of its value, above the limit %g", c->values[i].name,
           (double)(e->errors[0] / base), (double)c->limit);
    *status = 1;
  }
}

static PetscErrorCode finish(Converge *c, int *status)
{
  PetscFunctionBeginUser;
  PetscCall(check_levels(c));
  for (PetscInt k = 0; k < c->n; k++)
    if (c->jobs[k].state == JOB_FAILED) {
      *status = 1;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  PetscCall(AppConvergeRead(c));
  PetscCall(AppConvergeWriteTable(c));
  PetscCall(AppConvergeWritePage(c));
  AppConvergePrint(c);
  check_limit(c, status);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode converge(Converge *c, int *status)
{
  AppJob   *jobs[CR_ESTIMATE_MOST];
  PetscBool interrupted = PETSC_FALSE;

  PetscFunctionBeginUser;
  PetscCall(AppConvergeLevels(c));
  PetscCall(AppConvergeOpen(c));
  for (PetscInt k = 0; k < c->n; k++) jobs[k] = &c->jobs[c->n - 1 - k]; /* the longest first */
  PetscCall(AppPoolRun(c->arguments, c->arguments->workers, c->n, jobs, &interrupted));
  if (interrupted) {
    CrLog("interrupted; the same command goes on\n");
    *status = 130;
  } else
    PetscCall(finish(c, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void AppConvergeStart(Converge *c, const AppArguments *a, const char dir[])
{
  c->arguments = a;
  c->n = a->levels ? a->levels : 3;
  c->ratio = a->ratio ? (PetscReal)a->ratio : 2;
  snprintf(c->dir, sizeof c->dir, "%s", dir);
}

PetscErrorCode AppConvergeFree(Converge *c)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->n; k++) PetscCall(AppJobFree(&c->jobs[k]));
  PetscCall(PetscFree(c->values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppConverge(const AppArguments *a, int *status)
{
  char           dir[PETSC_MAX_PATH_LEN];
  Converge      *c;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&c));
  AppDefaultFolder(a->words[0], ".converge.out", dir, sizeof dir);
  AppConvergeStart(c, a, a->output ? a->output : dir);
  code = converge(c, status);
  PetscCall(AppConvergeFree(c));
  PetscCall(PetscFree(c));
  PetscFunctionReturn(code);
}
