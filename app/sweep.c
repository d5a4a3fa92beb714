/* The command `carom sweep`: runs the same deck for all combinations of some values of its keys. */
#include "app/sweep.h"
#include <string.h>
#include "app/study.h"
#include "run/run.h"

const char *AppSweepValue(const Sweep *s, PetscInt k, PetscInt i)
{
  for (PetscInt j = s->nkeys - 1; j > i; j--) k /= s->keys[j].n;
  return s->keys[i].values[k % s->keys[i].n];
}

static PetscErrorCode read_keys(Sweep *s)
{
  const AppArguments *a = s->arguments;

  PetscFunctionBeginUser;
  if (!a->novers)
    CrInputFail("sweep needs the option --over key=a,b,c or --over key=start:stop:count");
  if (a->novers > SWEEP_KEYS) CrInputFail("--over: more than %d keys are given", SWEEP_KEYS);
  s->n = 1;
  for (PetscInt i = 0; i < a->novers; i++) {
    s->nkeys = i + 1;
    PetscCall(AppSweepOver(a->overs[i], &s->keys[i]));
    for (PetscInt j = 0; j < i; j++)
      if (!strcmp(s->keys[j].key, s->keys[i].key))
        CrInputFail("--over: the key \"%s\" is given twice", s->keys[i].key);
    s->n *= s->keys[i].n;
    if (s->n > SWEEP_MOST) CrInputFail("--over: the values give more than %d runs", SWEEP_MOST);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_jobs(Sweep *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(s->n, &s->jobs));
  PetscCall(PetscCalloc1(s->n, &s->names));
  for (PetscInt k = 0; k < s->n; k++) {
    AppJob *job = &s->jobs[k];

    snprintf(s->names[k], sizeof s->names[k], "%04" PetscInt_FMT, k);
    job->name = s->names[k];
    snprintf(job->dir, sizeof job->dir, "%.4000s/%s", s->dir, job->name);
    snprintf(job->log, sizeof job->log, "%.4000s/%s.log", s->dir, job->name);
    for (PetscInt i = 0; i < s->nkeys; i++)
      PetscCall(AppJobSet(job, "%s=%s", s->keys[i].key, AppSweepValue(s, k, i)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Reads the deck at every value of a key and at the first values of the others, so that mistakes are found before
   anything runs. */
static PetscErrorCode check_deck(Sweep *s)
{
  const AppArguments *a = s->arguments;
  const char         *sets[APP_MOST + SWEEP_KEYS];
  const CrDeckNode   *title;
  CrDeck             *deck;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < a->nsets; i++) sets[i] = a->sets[i];
  for (PetscInt i = 0, stride = s->n; i < s->nkeys; i++) {
    stride /= s->keys[i].n;
    for (PetscInt v = 0; v < s->keys[i].n; v++) {
      for (PetscInt j = 0; j < s->nkeys; j++) sets[a->nsets + j] = s->jobs[v * stride].sets[j];
      PetscCall(CrProblemRead(PETSC_COMM_SELF, a->words[0], a->nsets + s->nkeys, sets, &deck));
      title = CrDeckFind(CrDeckRoot(deck), "title");
      snprintf(s->title, sizeof s->title, "%s", title ? CrDeckText(title) : "");
      PetscCall(CrDeckDestroy(&deck));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The words that a later call must have in common. */
static PetscErrorCode open_folder(Sweep *s)
{
  const AppArguments *a = s->arguments;
  char                words[8192] = "over";
  AppJob            **jobs;
  PetscErrorCode      code;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < a->novers; i++)
    snprintf(words + strlen(words), sizeof words - strlen(words), " %.900s", a->overs[i]);
  PetscCall(PetscMalloc1(s->n, &jobs));
  for (PetscInt k = 0; k < s->n; k++) jobs[k] = &s->jobs[k];
  code = AppStudyOpen("sweep", s->dir, a, words, s->n, jobs);
  PetscCall(PetscFree(jobs));
  PetscFunctionReturn(code);
}

static PetscErrorCode run_all(Sweep *s, PetscBool *interrupted)
{
  AppJob       **jobs;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(s->n, &jobs));
  for (PetscInt k = 0; k < s->n; k++) jobs[k] = &s->jobs[k];
  code = AppPoolRun(s->arguments, s->arguments->workers, s->n, jobs, interrupted);
  PetscCall(PetscFree(jobs));
  PetscFunctionReturn(code);
}

static PetscErrorCode sweep(Sweep *s, int *status)
{
  PetscBool interrupted = PETSC_FALSE;

  PetscFunctionBeginUser;
  PetscCall(read_keys(s));
  PetscCall(make_jobs(s));
  PetscCall(check_deck(s));
  PetscCall(open_folder(s));
  PetscCall(run_all(s, &interrupted));
  if (interrupted) {
    CrLog("interrupted; to continue, give the same command again\n");
    *status = 130;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(AppSweepWriteTable(s));
  PetscCall(AppSweepWritePage(s));
  AppSweepPrint(s);
  for (PetscInt k = 0; k < s->n; k++)
    if (s->jobs[k].state != JOB_COMPLETED) *status = 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(Sweep **s)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; (*s)->jobs && k < (*s)->n; k++) PetscCall(AppJobFree(&(*s)->jobs[k]));
  for (PetscInt i = 0; i < (*s)->nkeys; i++) {
    for (PetscInt v = 0; v < (*s)->keys[i].n; v++) PetscCall(PetscFree((*s)->keys[i].values[v]));
    PetscCall(PetscFree((*s)->keys[i].values));
  }
  PetscCall(PetscFree((*s)->jobs));
  PetscCall(PetscFree((*s)->names));
  PetscCall(PetscFree(*s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppSweep(const AppArguments *a, int *status)
{
  Sweep         *s;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&s));
  s->arguments = a;
  AppDefaultFolder(a->words[0], ".sweep.out", s->dir, sizeof s->dir);
  if (a->output) snprintf(s->dir, sizeof s->dir, "%s", a->output);
  code = sweep(s, status);
  PetscCall(destroy(&s));
  PetscFunctionReturn(code);
}
