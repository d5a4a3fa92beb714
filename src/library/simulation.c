/* Opens a simulation from a deck, computes its steps, and closes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "library/internal.h"

/* ---- opening ------------------------------------------------------------------------------ */

/* A number that differs if the deck or the sets of two processes differ (FNV-1a). */
static unsigned long words_mark(const carom_sim *sim)
{
  unsigned long mark = 2166136261u;

  for (const char *at = sim->deck; *at; at++)
    mark = ((mark ^ (unsigned char)*at) * 16777619u) & 0xffffffffu;
  for (PetscInt k = 0; k < sim->nsets; k++)
    for (const char *at = sim->sets[k]; *at; at++)
      mark = ((mark ^ (unsigned char)*at) * 16777619u + 1) & 0xffffffffu;
  return mark;
}

/* Every process brings its own words. If they differ, no process may go on: the others would wait for it for ever. */
static PetscErrorCode check_same_words(const carom_sim *sim)
{
  unsigned long range[2] = {words_mark(sim), ~words_mark(sim)};

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_UNSIGNED_LONG, MPI_MAX, sim->comm));
  if (range[0] != ~range[1]) CrInputFail("the processes of this simulation opened different decks");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All processes read the deck, or all of them get the error of the first that could not. */
static PetscErrorCode read_deck(const carom_sim *sim, CrDeck **deck)
{
  const char *const *sets = (const char *const *)sim->sets;
  const PetscBool    is_text = strchr(sim->deck, '\n') ? PETSC_TRUE : PETSC_FALSE;
  PetscErrorCode     code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  *deck = NULL;
  if (is_text) code = CrProblemParse("deck", sim->deck, sim->nsets, sets, deck);
  code = CrErrorAgree(sim->comm, code);
  if (!code) code = check_same_words(sim);
  if (!code && !is_text)
    code = CrErrorAgree(sim->comm, CrProblemRead(sim->comm, sim->deck, sim->nsets, sets, deck));
  if (code) PetscCall(CrDeckDestroy(deck));
  PetscFunctionReturn(code);
}

static PetscErrorCode destroy_run(SimRun *of)
{
  PetscFunctionBeginUser;
  PetscCall(SimBuffersDestroy(of));
  PetscCall(CrRunDestroy(&of->run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Makes the run, with a load for each force of the caller. */
static PetscErrorCode make_run(carom_sim *sim)
{
  const char *forced[SIM_FORCES];
  CrDeck     *deck;

  PetscFunctionBeginUser;
  if (sim->lent) sim->older[sim->nolder++] = sim->now; /* somebody may still look at its arrays */
  if (!sim->lent) PetscCall(destroy_run(&sim->now));
  sim->now = (SimRun){0};
  sim->lent = PETSC_FALSE;
  CrWarningsClear();
  for (PetscInt k = 0; k < sim->nforces; k++) forced[k] = sim->forces[k].body;
  PetscCall(read_deck(sim, &deck));
  PetscCall(CrRunCreateFrom(sim->comm, deck, sim->nforces, forced, &sim->now.run));
  PetscCall(SimBuffersCreate(&sim->now));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode keep_words(carom_sim *sim, const char deck[], int nsets,
                                 const char *const *sets)
{
  PetscFunctionBeginUser;
  PetscCall(PetscStrallocpy(deck, &sim->deck));
  PetscCall(PetscCalloc1(PetscMax(nsets, 1), &sim->sets));
  for (; sim->nsets < nsets; sim->nsets++)
    PetscCall(PetscStrallocpy(sets[sim->nsets], &sim->sets[sim->nsets]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(carom_sim *sim)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < sim->nolder; k++) PetscCall(destroy_run(&sim->older[k]));
  PetscCall(destroy_run(&sim->now));
  for (PetscInt k = 0; k < sim->nsets; k++) PetscCall(PetscFree(sim->sets[k]));
  PetscCall(PetscFree(sim->sets));
  PetscCall(PetscFree(sim->deck));
  if (sim->comm != MPI_COMM_NULL) PetscCallMPI(MPI_Comm_free(&sim->comm));
  CrLogBookDestroy(&sim->book);
  PetscCall(PetscFree(sim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(const void *comm, const char deck[], int nsets,
                             const char *const *sets, carom_sim **sim)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(sim));
  (*sim)->comm = MPI_COMM_NULL;
  (*sim)->book = CrLogBookCreate();
  if (!(*sim)->book) CrMachineFail("out of memory");
  PetscCallMPI(MPI_Comm_dup(comm ? *(const MPI_Comm *)comm : PETSC_COMM_WORLD, &(*sim)->comm));
  PetscCall(keep_words(*sim, deck, nsets, sets));
  CrLogBookOpen((*sim)->book);
  PetscCall(make_run(*sim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int carom_open(const void *comm, const char *deck, int nsets, const char *const *sets,
               carom_sim **sim)
{
  PetscErrorCode code;
  PetscBool      up;
  int            status;

  if (!sim || !deck || nsets < 0 || (nsets && !sets))
    return SimRefuse(NULL, "carom_open needs a deck and a pointer to the simulation");
  *sim = NULL;
  if (PetscInitialized(&up) || !up) return SimRefuse(NULL, "call carom_start first");
  CrErrorClear();
  code = create(comm, deck, nsets, sets, sim);
  CrLogBookOpen(NULL);
  status = SimReport(code);
  if (!code) return status;
  if (*sim && destroy(*sim)) status = CAROM_FAILED;
  *sim = NULL;
  return status;
}

int carom_close(carom_sim **sim)
{
  PetscErrorCode code;

  if (!sim || !*sim) return CAROM_OK;
  if ((*sim)->asking) return SimRefuse(*sim, "a force function cannot close its simulation");
  CrErrorClear();
  code = destroy(*sim);
  *sim = NULL;
  return SimReport(code);
}

/* ---- steps -------------------------------------------------------------------------------- */

/* The audit of the start comes before the first step, or before the first question about the ledger. */
static PetscErrorCode begin(carom_sim *sim)
{
  PetscFunctionBeginUser;
  if (sim->begun) PetscFunctionReturn(PETSC_SUCCESS);
  sim->begun = PETSC_TRUE;
  PetscCall(CrRunBegin(sim->now.run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode step(carom_sim *sim, carom_outcome *outcome, PetscBool *stop)
{
  CrRun *run = sim->now.run;

  PetscFunctionBeginUser;
  *stop = PETSC_FALSE;
  *outcome = CAROM_END;
  PetscCall(begin(sim));
  if (run->failed) *outcome = CAROM_GAVE_UP;
  if (run->failed || CrScheduleIsDone(&run->schedule)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SimForces(sim, stop));
  if (*stop) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrRunStep(run));
  *outcome = run->failed ? CAROM_GAVE_UP : CAROM_STEPPED;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Steps until the time t; `once`: one step, whatever the time is. */
static int advance(carom_sim *sim, PetscBool once, double t, carom_outcome *outcome)
{
  SimCall        call;
  PetscErrorCode code = PETSC_SUCCESS;
  PetscBool      stop = PETSC_FALSE;
  carom_outcome  found = CAROM_STEPPED;
  int            status;

  if (sim && sim->asking) return SimRefuse(sim, "a force function cannot step its simulation");
  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  if (isnan(t)) code = CrInputError("carom_advance needs a time, not %g", t);
  if (once) code = step(sim, &found, &stop);
  while (!code && !once && !stop && found == CAROM_STEPPED && sim->now.run->state->t < t)
    code = step(sim, &found, &stop);
  status = SimLeave(sim, &call, code);
  if (outcome) *outcome = found;
  if (status) return status;
  if (found == CAROM_GAVE_UP) snprintf(sim->error, sizeof sim->error, "%s", sim->now.run->failure);
  if (stop) snprintf(sim->error, sizeof sim->error, "a force function asked to stop");
  return stop ? CAROM_STOPPED : CAROM_OK;
}

int carom_advance(carom_sim *sim, double t, carom_outcome *outcome)
{
  return advance(sim, PETSC_FALSE, t, outcome);
}

int carom_step(carom_sim *sim, carom_outcome *outcome)
{
  return advance(sim, PETSC_TRUE, 0, outcome);
}

double carom_time(const carom_sim *sim)
{
  return sim && !sim->broken ? (double)sim->now.run->state->t : -1;
}

long carom_steps(const carom_sim *sim)
{
  return sim && !sim->broken ? (long)sim->now.run->state->n : -1;
}

int carom_ledger(const carom_sim *sim, const char *name, double *value)
{
  carom_sim     *own = (carom_sim *)sim; /* the start is audited when it is first asked for */
  PetscInt       i = name ? CrAuditColumnFind(name) : -1;
  SimCall        call;
  PetscErrorCode code;

  if (!value) return SimRefuse(own, "carom_ledger needs a pointer to the value");
  if (!SimEnter(own, &call)) return SimRefuse(own, "there is no simulation");
  code = i < 0 ? CrInputError("history.csv has no column \"%s\"", name ? name : "") : begin(own);
  if (!code) *value = (double)CrAuditColumn(sim->now.run->audit, i);
  return SimLeave(own, &call, code);
}

/* ---- forces of the caller ----------------------------------------------------------------- */

static PetscErrorCode add_force(carom_sim *sim, const char body[], carom_force function,
                                void *context)
{
  SimForce *force = NULL;

  PetscFunctionBeginUser;
  if (SimEntry(sim, body) < 0) CrInputFail("there is no body \"%s\"", body);
  for (PetscInt k = 0; k < sim->nforces; k++)
    if (!strcmp(sim->forces[k].body, body)) force = &sim->forces[k];
  if (!force && !function) PetscFunctionReturn(PETSC_SUCCESS);
  if (!force && sim->begun)
    CrInputFail(
        "body \"%s\" has no force yet: the first call for a body must be made before the first step",
        body);
  if (!force && sim->nforces == SIM_FORCES)
    CrInputFail("at most %d bodies may have forces from user functions", SIM_FORCES);
  if (force) {
    force->function = function;
    force->context = context;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  force = &sim->forces[sim->nforces++];
  *force = (SimForce){.function = function, .context = context};
  PetscCall(PetscStrncpy(force->body, body, sizeof force->body));
  PetscCall(make_run(sim)); /* methods prepare for loads when they are created */
  PetscFunctionReturn(PETSC_SUCCESS);
}

int carom_on_force(carom_sim *sim, const char *body, carom_force function, void *context)
{
  SimCall call;

  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  return SimLeave(sim, &call, add_force(sim, body ? body : "", function, context));
}

/* ---- the state in memory ------------------------------------------------------------------ */

static PetscErrorCode save(carom_sim *sim, carom_saved **saved)
{
  PetscFunctionBeginUser;
  PetscCall(begin(sim));
  PetscCall(PetscNew(saved));
  PetscCall(CrSavedCreate(sim->now.run, &(*saved)->saved));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int carom_save(carom_sim *sim, carom_saved **saved)
{
  SimCall call;

  if (!saved) return SimRefuse(sim, "carom_save needs a pointer to the state");
  *saved = NULL;
  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  return SimLeave(sim, &call, save(sim, saved));
}

int carom_restore(carom_sim *sim, const carom_saved *saved)
{
  SimCall call;

  if (!saved) return SimRefuse(sim, "there is no saved state");
  if (sim && sim->asking) return SimRefuse(sim, "a force function cannot restore its simulation");
  if (!SimEnter(sim, &call)) return SimRefuse(sim, "there is no simulation");
  return SimLeave(sim, &call, CrSavedRestore(saved->saved, sim->now.run));
}

int carom_forget(carom_saved **saved)
{
  PetscErrorCode code = PETSC_SUCCESS;

  if (!saved || !*saved) return CAROM_OK;
  code = CrSavedDestroy(&(*saved)->saved);
  if (!code) code = PetscFree(*saved);
  return SimReport(code);
}
