/* Joins the tables of keys of all parts of a deck, and does the checks that need several sections. */
#include <string.h>
#include "contact/contact.h"
#include "deck/units.h"
#include "model/conditions.h"
#include "run/run.h"

static const CrKey time_keys[] = {
    {"method", CR_WORD | CR_MUST, .more_words = CrIntegratorNameAt,
     .help = "time integration method"},
    {"analysis", CR_WORD, "dynamic", "dynamic|quasi-static",
     .help = "dynamic: with inertia; quasi-static: without inertia"},
    {"step", CR_REAL | CR_WORD, .words = "auto", .range = "(0,inf)",
     .help = "time step; auto (explicit only): `safety` times the critical step of the elements"},
    {"end", CR_REAL, .range = "[0,inf)", .help = "end time"},
    {"steps", CR_MATRIX, .help = "[[step size, number of steps], ...] instead of step and end"},
    {"adaptive", CR_TRUTH, "true",
     .help = "whether a failed step is repeated as two half steps, which may be halved again"},
    {"min_step", CR_REAL, .range = "(0,inf)",
     .help = "smallest step after repeated halving (adaptive); default step/1024"},
    {"tolerance", CR_REAL, "1.0e-11", .range = "(0,0.1]",
     .help = "Newton iterations end when the residual is below this fraction of the largest force"},
    {.name = NULL}};

static const CrKey head_keys[] = {{"carom", CR_INTEGER | CR_MUST, .range = "[1,1]",
                                   .help = "deck version: 1"},
                                  {"title", CR_TEXT, "\"\"",
                                   .help = "title of the run, in one line"},
                                  {.name = NULL}};

static const CrKey tail_keys[] = {
    {"time", CR_MAP | CR_MUST, .keys = time_keys, .more = CrIntegratorOptionsAt,
     .help = "time integration: the method, its options, and the time steps"},
    {"methods", CR_NAMED, .more_words = CrIntegratorNameAt, .keys = time_keys,
     .more = CrIntegratorOptionsAt,
     .help =
         "for each method: settings that replace those of `time` when the deck runs under this method"},
    {.name = NULL}};

#define MOST_KEYS 40

/* Limits on the numbers of the audit. */
static const CrKey *audit_keys(void)
{
  static CrKey keys[MOST_KEYS];
  PetscInt     n = 0;

  for (; CrAuditNameAt(n) && n < MOST_KEYS - 2; n++)
    keys[n] = (CrKey){CrAuditNameAt(n), CR_REAL,
                      .help = strncmp(CrAuditNameAt(n), "min_", 4)
                                  ? "greatest value allowed at the end of the run"
                                  : "least value allowed at the end of the run"};
  keys[n] = (CrKey){CR_RESOLUTION_LIMIT, CR_REAL, .range = "(0,inf)",
                    .help = "`carom converge`: greatest allowed relative error of a result"};
  return keys;
}

static void append(CrKey *all, PetscInt *n, const CrKey *table)
{
  for (; table->name; table++) all[(*n)++] = *table;
}

const CrKey *CrProblemKeys(void)
{
  static CrKey all[MOST_KEYS];
  PetscInt     n = 0;

  if (all[0].name) return all;
  append(all, &n, head_keys);
  append(all, &n, CrUnitKeys);
  append(all, &n, CrModelKeys);
  append(all, &n, CrMaterialKeys);
  append(all, &n, CrObstacleKeys);
  append(all, &n, CrContactKeys);
  append(all, &n, CrConditionKeys);
  append(all, &n, tail_keys);
  all[n++] = (CrKey){
      "audit", CR_MAP, .keys = audit_keys(),
      .help = "limits on numbers of audit.json; if a number exceeds its limit, the exit code is 1"};
  append(all, &n, CrOutputKeys);
  return all;
}

/* The overrides of the running method, then its options with their defaults. */
static PetscErrorCode apply_method(CrDeck *deck)
{
  const CrDeckNode *root = CrDeckRoot(deck), *time = CrDeckFind(root, "time");
  const char       *name = CrDeckText(CrDeckFind(time, "method"));
  const CrDeckNode *all = CrDeckFind(root, "methods"), *over = all ? CrDeckFind(all, name) : NULL;
  const CrIntegratorOps *ops = CrIntegratorFind(name);

  PetscFunctionBeginUser;
  if (over && CrDeckFind(over, "method"))
    CrDeckFail(CrDeckFind(over, "method"),
               "the method is set in `time`; the settings for one method cannot change it");
  if (over) PetscCall(CrDeckMerge(deck, time, over));
  if (over) PetscCall(CrDeckValidate(deck, CrProblemKeys()));
  if (ops->options) PetscCall(CrDeckFill(deck, CrDeckFind(CrDeckRoot(deck), "time"), ops->options));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check(CrDeck **deck)
{
  CrUnits        units;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  code = CrDeckValidate(*deck, CrProblemKeys());
  if (!code) code = CrUnitsRead(CrDeckRoot(*deck), &units); /* do they fit together? */
  if (!code) code = apply_method(*deck);
  if (code) PetscCall(CrDeckDestroy(deck));
  PetscFunctionReturn(code);
}

PetscErrorCode CrProblemRead(MPI_Comm comm, const char path[], PetscInt nsets,
                             const char *const sets[], CrDeck **deck)
{
  PetscFunctionBeginUser;
  PetscCall(CrDeckRead(comm, path, nsets, sets, deck));
  PetscCall(check(deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrProblemParse(const char name[], const char text[], PetscInt nsets,
                              const char *const sets[], CrDeck **deck)
{
  PetscFunctionBeginUser;
  PetscCall(CrDeckParse(name, text, strlen(text), nsets, sets, deck));
  PetscCall(check(deck));
  PetscFunctionReturn(PETSC_SUCCESS);
}
