/* The command `carom converge`: runs the same deck at several levels of refinement, and estimates the errors of its
   results. */
#include "app/converge.h"
#include "app/study.h"

/* ---- the folder --------------------------------------------------------------------------- */

PetscErrorCode AppConvergeOpen(Converge *c)
{
  const AppArguments *a = c->arguments;
  char                words[64];
  AppJob             *jobs[CR_ESTIMATE_MOST];

  PetscFunctionBeginUser;
  snprintf(words, sizeof words, "of %s, ratio %g", a->of ? a->of : "step", (double)c->ratio);
  for (PetscInt k = 0; k < c->n; k++) jobs[k] = &c->jobs[k];
  PetscCall(AppStudyOpen("converge", c->dir, a, words, c->n, jobs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* A level that exceeded a limit of the deck stays in the table, as its results are complete. */
static PetscErrorCode check_levels(const Converge *c, int *status)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->n; k++) {
    if (c->jobs[k].state == JOB_REFUSED)
      CrInputFail("%s (%s)", c->jobs[k].trouble, c->jobs[k].name);
    if (c->jobs[k].state == JOB_FAILED)
      CrLog("%s was not completed: %s\n", c->jobs[k].name, c->jobs[k].trouble);
    if (c->jobs[k].state == JOB_BROKE_LIMIT) *status = 1;
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
    CrWarn("audit: the relative error of %s is %.3g, above the limit %g", c->values[i].name,
           (double)(e->errors[0] / base), (double)c->limit);
    *status = 1;
  }
}

static PetscErrorCode finish(Converge *c, int *status)
{
  PetscFunctionBeginUser;
  PetscCall(check_levels(c, status));
  for (PetscInt k = 0; k < c->n; k++)
    if (c->jobs[k].state == JOB_FAILED) {
      *status = 1;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  PetscCall(AppConvergeRead(c));
  if (*c->unknown) CrInputFail("%s", c->unknown);
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
    CrLog("interrupted; to continue, give the same command again\n");
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
