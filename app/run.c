/* The commands `carom run` and `carom resume`. */
#include <string.h>
#include "app/app.h"
#include "base/text.h"
#include "run/run.h"
#include "solve/newton.h"

void AppDefaultFolder(const char deck[], const char ending[], char dir[], size_t size)
{
  const char *slash = strrchr(deck, '/'), *name = slash ? slash + 1 : deck,
             *dot = strrchr(name, '.');
  int n = dot && dot != name ? (int)(dot - name) : (int)strlen(name);

  snprintf(dir, size, "%.*s%s", n, name, ending);
}

static int status_of(const CrRun *run)
{
  return run->stopped ? 130 : run->failed ? 1 : 0;
}

/* --json: the audit of the run on standard output. */
static PetscErrorCode print_audit(const char dir[])
{
  char        path[PETSC_MAX_PATH_LEN], *text = NULL;
  PetscMPIInt rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  if (rank) PetscFunctionReturn(PETSC_SUCCESS);
  snprintf(path, sizeof path, "%s/audit.json", dir);
  PetscCall(CrTextRead(path, &text, NULL));
  if (text) fputs(text, stdout);
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppRunDeck(const char deck[], const char dir[], const AppArguments *a, int *status)
{
  CrRun         *run;
  PetscErrorCode code;
  char           options[1024] = "PETSc options:", solver[256];
  const char    *notes[2];
  PetscInt       nnotes = 0;

  PetscFunctionBeginUser;
  CrLogSetQuiet(a->quiet || a->json);
  PetscCall(CrRunCreate(PETSC_COMM_WORLD, deck, a->nsets, a->sets, &run));
  if (run->integrator->newton) {
    snprintf(solver, sizeof solver, "linear solver: %s",
             CrNewtonSolverText(run->integrator->newton));
    notes[nnotes++] = solver;
  }
  for (PetscInt k = 0; k < a->npetsc; k++)
    snprintf(options + strlen(options), sizeof options - strlen(options), " %s", a->petsc[k]);
  if (a->npetsc) notes[nnotes++] = options;
  run->stop_after = a->stop_after;
  code = CrRunGo(run, dir, a->force, nnotes, notes);
  if (!code) *status = status_of(run);
  PetscCall(CrRunDestroy(&run));
  if (!code && a->json) PetscCall(print_audit(dir));
  PetscFunctionReturn(code);
}

PetscErrorCode AppRun(const AppArguments *a, int *status)
{
  char dir[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  AppDefaultFolder(a->words[0], ".out", dir, sizeof dir);
  PetscCall(AppRunDeck(a->words[0], a->output ? a->output : dir, a, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AppResume(const AppArguments *a, int *status)
{
  char           deck[PETSC_MAX_PATH_LEN];
  CrRun         *run;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  CrLogSetQuiet(a->quiet || a->json);
  PetscCall(CrRunDeckPath(a->words[0], deck, sizeof deck));
  PetscCall(CrRunCreate(PETSC_COMM_WORLD, deck, 0, NULL, &run));
  run->stop_after = a->stop_after;
  code = CrRunResume(run, a->words[0], a->until);
  if (!code) *status = status_of(run);
  PetscCall(CrRunDestroy(&run));
  if (!code && a->json) PetscCall(print_audit(a->words[0]));
  PetscFunctionReturn(code);
}
