/* The command `carom compare`: runs the same deck with several time integration methods and compares the results. */
#include "app/compare.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/program.h"
#include "report/report.h"
#include "run/run.h"

/* ---- the methods -------------------------------------------------------------------------- */

static PetscErrorCode unknown_method(const char name[])
{
  const char *names[COMPARE_MOST];
  char        hint[CR_HINT], rest[CR_HINT];
  PetscInt    n = 0;

  snprintf(rest, sizeof rest, "; see %s methods", CrProgram());
  for (; n < COMPARE_MOST && CrIntegratorNameAt(n); n++) names[n] = CrIntegratorNameAt(n);
  return CrInputError("--methods: unknown \"%s\"%s", name, CrNameHint(name, n, names, rest, hint));
}

static PetscErrorCode read_methods(const char list[], Compare *compare)
{
  char name[64];

  PetscFunctionBeginUser;
  while (*list) {
    size_t                 n = strcspn(list, ",");
    const CrIntegratorOps *ops;

    snprintf(name, sizeof name, "%.*s", (int)n, list);
    list += n + (list[n] == ',');
    ops = CrIntegratorFind(name);
    if (!ops) PetscFunctionReturn(unknown_method(name));
    for (PetscInt k = 0; k < compare->n; k++)
      if (compare->methods[k].ops == ops)
        CrInputFail("--methods: the list names \"%s\" twice", name);
    if (compare->n == COMPARE_MOST)
      CrInputFail("--methods: the list has more than %d methods", COMPARE_MOST);
    compare->methods[compare->n++].ops = ops;
  }
  if (!compare->n) CrInputFail("--methods: the list names no method");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- what each does differently ----------------------------------------------------------- */

static void add_note(CompareMethod *m, const char text[])
{
  size_t used = strlen(m->note);

  snprintf(m->note + used, sizeof m->note - used, "%s%s", used ? ", " : "", text);
}

/* Explicit methods take their own step unless the deck gives them one. */
static PetscErrorCode choose_step(const CrDeckNode *root, CompareMethod *m)
{
  const CrDeckNode *own = CrDeckFind(root, "methods"), *steps = CrDeckFind(root, "time.steps");
  PetscReal         end = 0;

  PetscFunctionBeginUser;
  if (own) own = CrDeckFind(own, m->ops->name);
  if (!(m->ops->accepts & CR_AUTO_STEP)) PetscFunctionReturn(PETSC_SUCCESS);
  if (own && (CrDeckFind(own, "step") || CrDeckFind(own, "steps")))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AppJobSet(&m->job, "time.step=auto"));
  add_note(m, "own step");
  if (!steps) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < CrDeckCount(steps); k++)
    end += CrDeckReal(CrDeckItem(CrDeckItem(steps, k), 0)) *
           CrDeckReal(CrDeckItem(CrDeckItem(steps, k), 1));
  PetscCall(AppJobSet(&m->job, "time.steps=~"));
  PetscCall(AppJobSet(&m->job, "time.end=%.17g", (double)end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Methods without consistent mass get a lumped one: better seen than refused. */
static PetscErrorCode choose_mass(const CrDeckNode *root, CompareMethod *m)
{
  const CrDeckNode *bodies = CrDeckFind(root, "bodies");
  PetscBool         any = PETSC_FALSE;

  PetscFunctionBeginUser;
  if (m->ops->accepts & CR_CONSISTENT_MASS) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt b = 0; b < CrDeckCount(bodies); b++) {
    const CrDeckNode *mass = CrDeckFind(CrDeckItem(bodies, b), "mass");

    if (!mass || !CrDeckIsWord(mass, "consistent")) continue;
    PetscCall(AppJobSet(&m->job, "bodies.%" PetscInt_FMT ".mass=lumped", b));
    any = PETSC_TRUE;
  }
  if (any) add_note(m, "lumped mass");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Reads the deck once, so that its mistakes are told once. */
static PetscErrorCode prepare(Compare *compare)
{
  const AppArguments *a = compare->arguments;
  const CrDeckNode   *title, *root;
  CrDeck             *deck;
  PetscErrorCode      code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(CrProblemRead(PETSC_COMM_SELF, a->words[0], a->nsets, a->sets, &deck));
  PetscCall(CrDeckDestroy(&deck));
  /* as it is written: `methods:` has not been laid over `time:` yet */
  PetscCall(CrDeckRead(PETSC_COMM_SELF, a->words[0], a->nsets, a->sets, &deck));
  root = CrDeckRoot(deck);
  title = CrDeckFind(root, "title");
  snprintf(compare->title, sizeof compare->title, "%s", title ? CrDeckText(title) : "");
  for (PetscInt k = 0; k < compare->n && !code; k++) {
    CompareMethod *m = &compare->methods[k];

    m->job.name = m->ops->name;
    m->job.force = a->force;
    snprintf(m->job.dir, sizeof m->job.dir, "%s/%s", compare->dir, m->ops->name);
    snprintf(m->job.log, sizeof m->job.log, "%s/%s.log", compare->dir, m->ops->name);
    code = AppJobSet(&m->job, "time.method=%s", m->ops->name);
    if (!code) code = choose_step(root, m);
    if (!code) code = choose_mass(root, m);
  }
  PetscCall(CrDeckDestroy(&deck));
  PetscFunctionReturn(code);
}

/* ---- the folder --------------------------------------------------------------------------- */

/* A name that a comparison gives; one that was interrupted has no table yet. */
static PetscBool is_ours(const char name[])
{
  char   method[64];
  size_t n = strlen(name);

  if (!strncmp(name, "compare.csv", 11) || !strncmp(name, "compare.html", 12)) return PETSC_TRUE;
  if (n > 4 && !strcmp(name + n - 4, ".log")) n -= 4;
  snprintf(method, sizeof method, "%.*s", (int)PetscMin(n, sizeof method - 1), name);
  return CrIntegratorFind(method) != NULL;
}

static PetscErrorCode open_folder(const char dir[], PetscBool force)
{
  DIR           *folder;
  struct dirent *entry;
  PetscBool      any = PETSC_FALSE, foreign = PETSC_FALSE, table = PETSC_FALSE;

  PetscFunctionBeginUser;
  if (!mkdir(dir, 0777)) PetscFunctionReturn(PETSC_SUCCESS);
  if (errno == ENOENT || errno == ENOTDIR)
    CrInputFail("%s: cannot be created, because its parent folder does not exist", dir);
  if (errno != EEXIST) CrMachineFail("%s: cannot be created: %s", dir, strerror(errno));
  folder = opendir(dir);
  if (!folder) CrInputFail("%s: is not a folder; use -o to choose another folder", dir);
  while ((entry = readdir(folder))) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    any = PETSC_TRUE;
    if (!is_ours(entry->d_name)) foreign = PETSC_TRUE;
    if (!strcmp(entry->d_name, "compare.csv")) table = PETSC_TRUE;
  }
  closedir(folder);
  if (foreign && !table)
    CrInputFail(
        "%s: this folder is not empty and contains no comparison; use -o to choose another folder",
        dir);
  if (any && !force)
    CrInputFail(
        "%s: this folder contains an older comparison; use --force to replace it, or -o to choose another folder",
        dir);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_page(const Compare *compare)
{
  CrReportRun runs[COMPARE_MOST];
  char        labels[COMPARE_MOST][160];

  PetscFunctionBeginUser;
  if (!CrReportIsThere()) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < compare->n; k++) {
    const CompareMethod *m = &compare->methods[k];

    snprintf(labels[k], sizeof labels[k], m->note[0] ? "%s (%s)" : "%s", m->ops->name, m->note);
    runs[k] = (CrReportRun){.label = labels[k],
                            .dir = m->job.state == JOB_REFUSED ? NULL : m->job.dir,
                            .trouble = m->job.trouble[0] ? m->job.trouble : NULL};
  }
  PetscCall(CrReportCompare(compare->dir, compare->title, compare->n, runs, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode finish(const Compare *compare, int *status)
{
  PetscBool any = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < compare->n; k++)
    if (compare->methods[k].job.state <= JOB_BROKE_LIMIT) any = PETSC_TRUE;
  PetscCall(AppCompareWriteTable(compare));
  PetscCall(write_page(compare));
  AppComparePrint(compare);
  *status = any ? 0 : 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode compare_all(Compare *compare, int *status)
{
  const AppArguments *a = compare->arguments;
  AppJob             *jobs[COMPARE_MOST];
  PetscBool           interrupted = PETSC_FALSE;

  PetscFunctionBeginUser;
  if (!a->methods)
    CrInputFail(
        "compare needs the option --methods a,b,c; the command %s methods lists the methods",
        CrProgram());
  PetscCall(read_methods(a->methods, compare));
  PetscCall(prepare(compare));
  if (a->converge) {
    PetscCall(AppCompareConverge(compare, status));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(open_folder(compare->dir, a->force));
  for (PetscInt k = 0; k < compare->n; k++) jobs[k] = &compare->methods[k].job;
  PetscCall(AppPoolRun(a, 0, compare->n, jobs, &interrupted));
  if (interrupted)
    *status = 130;
  else
    PetscCall(finish(compare, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppCompare(const AppArguments *a, int *status)
{
  Compare       *compare;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&compare));
  compare->arguments = a;
  AppDefaultFolder(a->words[0], ".compare.out", compare->dir, sizeof compare->dir);
  if (a->output) snprintf(compare->dir, sizeof compare->dir, "%s", a->output);
  code = compare_all(compare, status);
  for (PetscInt k = 0; k < compare->n; k++) PetscCall(AppJobFree(&compare->methods[k].job));
  PetscCall(PetscFree(compare));
  PetscFunctionReturn(code);
}
