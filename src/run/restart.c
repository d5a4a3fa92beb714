/* Stops and continues runs: signals, periodic checkpoints, and creation of a run from a checkpoint. */
#include <petsctime.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "model/reactions.h"
#include "output/checkpoint.h"
#include "run/internal.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
  interrupted = number;
}

/* A second signal of the same kind ends the program as usual. A terminal that is closed interrupts, but
   for nohup; a reader of the messages who leaves (| head, or | tee when both are interrupted) does not:
   results are in files. */
void CrSignalsCatch(void)
{
  struct sigaction action;

  signal(SIGPIPE, SIG_IGN);
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = (int)SA_RESETHAND;
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  if (signal(SIGHUP, SIG_IGN) != SIG_IGN) sigaction(SIGHUP, &action, NULL);
}

PetscErrorCode CrRunPause(CrRun *run, PetscBool *checkpoint, PetscBool *stop)
{
  PetscLogDouble now;
  int            flags[2];

  PetscFunctionBeginUser;
  PetscCall(PetscTime(&now));
  flags[0] = interrupted || (run->stop_after && run->state->n - run->first_step >= run->stop_after);
  flags[1] = run->checkpoint_steps ? run->state->n % run->checkpoint_steps == 0
                                   : now - run->saved > run->checkpoint_seconds;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, flags, 2, MPI_INT, MPI_MAX, run->model->comm));
  *stop = flags[0] != 0;
  *checkpoint = flags[0] || flags[1];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunCollect(CrRun *run, const char deck[], CrArchive *archive)
{
  CrSchedule *s = &run->schedule;

  PetscFunctionBeginUser;
  archive->n = 0;
  PetscCall(CrArchiveAddInts(archive, "state.n", 1, &run->state->n));
  PetscCall(CrArchiveAddReals(archive, "state.t", 1, &run->state->t));
  PetscCall(CrArchiveAddVec(archive, "state.u", run->state->u));
  PetscCall(CrArchiveAddVec(archive, "state.v", run->state->v));
  if (run->state->rigid->n) PetscCall(CrRigidStateArchive(run->state->rigid, archive));
  PetscCall(CrPointsArchive(&run->state->points, archive));
  PetscCall(CrBulkArchive(&run->state->bulk, archive));
  /* the whole schedule, not only the place in it: its end may be another than the deck's */
  PetscCall(CrArchiveAddInts(archive, "schedule.nsegments", 1, &s->nsegments));
  PetscCall(CrArchiveAddReals(archive, "schedule.h", s->room, s->h));
  PetscCall(CrArchiveAddReals(archive, "schedule.start", s->room, s->start));
  PetscCall(CrArchiveAddReals(archive, "schedule.end", s->room, s->end));
  PetscCall(CrArchiveAddInts(archive, "schedule.count", s->room, s->count));
  PetscCall(CrArchiveAddReals(archive, "schedule.t_end", 1, &s->t_end));
  PetscCall(CrArchiveAddInts(archive, "schedule.total", 1, &s->total));
  PetscCall(CrArchiveAddInts(archive, "schedule.segment", 1, &s->segment));
  PetscCall(CrArchiveAddInts(archive, "schedule.done", 1, &s->done));
  PetscCall(CrArchiveAddInts(archive, "schedule.nhalves", 1, &s->nhalves));
  PetscCall(CrArchiveAddReals(archive, "schedule.halves", 2 * CR_MAX_HALVINGS, &s->halves[0].t));
  if (run->overlaps) PetscCall(CrOverlapsArchive(run->overlaps, archive));
  if (run->resolution) PetscCall(CrResolutionArchive(run->resolution, archive));
  if (run->space) PetscCall(CrSharedSpaceArchive(run->space, archive));
  if (run->locking) PetscCall(CrLockingArchive(run->locking, archive));
  if (run->hourglass) PetscCall(CrHourglassArchive(run->hourglass, archive));
  PetscCall(CrArchiveAddReals(archive, "run.seconds", 1, &run->seconds_before));
  PetscCall(CrArchiveAddInts(archive, "run.warned_stretch", 1, &run->warned_stretch));
  PetscCall(CrArchiveAddInts(archive, "run.warned_inverted", 1, &run->warned_inverted));
  PetscCall(CrArchiveAddInts(archive, "run.warned_back", 1, &run->warned_back));
  PetscCall(CrArchiveAddText(archive, "deck", deck));
  PetscCall(CrArchiveAddText(archive, "warnings", CrWarnings()));
  PetscCall(CrAuditArchive(run->audit, archive));
  PetscCall(CrOutputArchive(run->output, archive));
  if (run->contact) PetscCall(CrContactCollect(run->contact, run->state->contact));
  if (run->state->contact) PetscCall(CrHistoryArchive(run->state->contact, archive));
  PetscCall(CrReactionsArchive(run->state->reactions, archive));
  if (run->contact) PetscCall(CrContactArchive(run->contact, archive));
  PetscCall(CrIntegratorArchive(run->integrator, archive));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunWriteCheckpoint(CrRun *run)
{
  CrArchive     *archive;
  char          *deck = NULL;
  PetscReal      before = run->seconds_before;
  PetscLogDouble now;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(PetscTime(&now));
  run->saved = now;
  run->seconds_before = before + (now - run->started);
  PetscCall(PetscNew(&archive));
  code = CrRunDeckText(run, &deck);
  if (!code) code = CrRunCollect(run, deck, archive);
  if (!code) code = CrCheckpointWrite(run->dir, run->model, archive);
  free(deck);
  run->seconds_before = before;
  PetscCall(PetscFree(archive));
  PetscFunctionReturn(code);
}

/* The run had the warnings of its deck before the checkpoint: those of reading it again do not count. */
static PetscErrorCode restore_warnings(const char dir[])
{
  char *lines;

  PetscFunctionBeginUser;
  PetscCall(CrCheckpointReadText(dir, "warnings", &lines));
  CrWarningsClear();
  CrWarningsAdd(lines);
  PetscCall(PetscFree(lines));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRunReadCheckpoint(CrRun *run, const char dir[])
{
  CrArchive     *archive;
  PetscMPIInt    rank;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrRunCheckDeck(run, dir));
  PetscCall(PetscNew(&archive));
  code = CrRunCollect(run, NULL, archive);
  if (!code) code = CrCheckpointRead(dir, run->model, archive);
  PetscCall(PetscFree(archive));
  if (code) PetscFunctionReturn(code);
  PetscCallMPI(MPI_Comm_rank(run->model->comm, &rank));
  if (rank == 0) code = restore_warnings(dir);
  PetscCall(CrErrorAgree(run->model->comm, code));
  run->first_step = run->state->n;
  PetscCall(CrIntegratorResume(run->integrator, run->model, run->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}
