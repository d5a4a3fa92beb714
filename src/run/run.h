/* Runs a deck: reads the deck, makes the list of time steps, computes the time loop and shows the progress. */
#pragma once

#include "base/base.h"
#include "contact/overlap/overlap.h"
#include "contact/overlap/shared_space.h"
#include "deck/deck.h"
#include "integrate/integrator.h"
#include "model/audit.h"
#include "model/model.h"
#include "output/output.h"
#include "run/hourglass.h"
#include "run/locking.h"
#include "run/resolution.h"

/* The name of the limit under `audit:` that only the command `carom converge` checks; a single run does not check
   it. */
#define CR_RESOLUTION_LIMIT "resolution_error"

/* ---- problem ------------------------------------------------------------------------------ */

/* Returns the table of all keys of a deck. */
const CrKey *CrProblemKeys(void);
/* Reads and checks the deck in the file `path`. `sets` has nsets texts "key.path=value" that replace values of the
   deck. Values under `methods:` for the chosen method replace values under `time:`. Collective. */
PetscErrorCode CrProblemRead(MPI_Comm comm, const char path[], PetscInt nsets,
                             const char *const sets[], CrDeck **deck);
/* Does the same as CrProblemRead for a deck whose text is in memory. Messages show `name` instead of a file name. */
PetscErrorCode CrProblemParse(const char name[], const char text[], PetscInt nsets,
                              const char *const sets[], CrDeck **deck);

/* ---- schedule ----------------------------------------------------------------------------- */

#define CR_MAX_HALVINGS 60

typedef struct {
  PetscReal t, h; /* simulated time at the end of a step, and size of the step */
} CrGoal;

/* The list of time steps: the steps that the deck gives, and halves of steps that failed. A segment is a sequence of
   steps of equal size. */
typedef struct {
  /* number of segments, index of the present segment, number of steps done in it */
  PetscInt nsegments, segment, done;
  /* [nsegments] step size, start time and end time of each segment; owned */
  PetscReal *h, *start, *end;
  PetscInt  *count;       /* [nsegments] number of steps of each segment */
  PetscInt   room, ndeck; /* allocated number of segments; number of step sizes in the deck */
  PetscReal *deck_h;      /* [ndeck] step sizes of the deck */
  PetscInt  *deck_count;  /* [ndeck] number of steps of each of these sizes */
  PetscInt   nhalves;     /* number of entries of the stack `halves`; the next step is on top */
  CrGoal     halves[CR_MAX_HALVINGS];
  PetscReal  t_end, min_step;
  PetscBool  adaptive;
  PetscInt   total; /* number of steps from the start to the end of the run */
} CrSchedule;

/* Creates the schedule from the section `time:` of the deck. `automatic` is the step size for `step: auto`. This size
   is reduced so that a whole number of equal steps reaches the end time. */
PetscErrorCode CrScheduleCreate(const CrDeckNode *time, PetscReal automatic, CrSchedule *schedule);
PetscErrorCode CrScheduleDestroy(CrSchedule *schedule);
PetscBool      CrScheduleIsDone(const CrSchedule *schedule);
CrGoal         CrScheduleGoal(const CrSchedule *schedule);
void CrScheduleAdvance(CrSchedule *schedule); /* call this function after an accepted step */
/* Changes the end time of the run to `end`. The new end must not lie before t, the present time. The schedule keeps the
   steps of the deck, and adds steps of the last size after them. If the old end time has shortened a step, the rest of
   this step comes first. */
PetscErrorCode CrScheduleSetEnd(CrSchedule *schedule, PetscReal t, PetscReal end);
/* Replaces the present step, which begins at time t, by two half steps. Returns false if the step must not become
   smaller. */
PetscBool CrScheduleCut(CrSchedule *schedule, PetscReal t);
PetscBool CrScheduleCanCut(const CrSchedule *schedule);

/* ---- run ---------------------------------------------------------------------------------- */

/* Computing time of a run, from which the remaining time is estimated. Index 0 counts steps without contact, and index
   1 steps with contact. A fraction of the run is a fraction of its simulated time. */
typedef struct {
  /* computing time so far in seconds, and fraction of the run that was done in this time */
  double    seconds[2], share[2];
  double    since[2];   /* fraction of the run done since the first contact */
  double    time, done; /* wall-clock time, and fraction of the run done, at the last step */
  PetscBool met;        /* true: there was a contact */
} CrPace;

void CrPaceStart(CrPace *pace, double time, double done);
void CrPaceStep(CrPace *pace, double time, double done, PetscBool contact);
/* Returns the estimated seconds of computing time to the end of the run. The estimate assumes that contact stays as
   frequent as it was since the first contact. */
double CrPaceLeft(const CrPace *pace);

struct CrRun {
  CrDeck        *deck; /* owned, like all members below */
  CrModel       *model;
  CrContact     *contact; /* NULL: the model has no contact */
  CrState       *state;
  CrIntegrator  *integrator;
  CrOutput      *output;
  CrOverlaps    *overlaps;   /* NULL: the model has no contact */
  CrResolution  *resolution; /* NULL: the model has no contact, or contacts have no duration */
  CrSharedSpace *space;      /* NULL: no contact, no deformable body, or only one body */
  CrLocking     *locking;    /* NULL: no body has elements that may lock */
  CrHourglass   *hourglass;  /* NULL: no body has elements with one integration point */
  CrAudit       *audit;
  CrSchedule     schedule;
  PetscBool      failed; /* true: a step failed at its smallest size, or a limit was exceeded */
  char           failure[800]; /* message why the run failed */
  double         started;      /* wall-clock time at the start */
  CrPace         pace;         /* data from which the remaining time is estimated */
  double         spoken;       /* wall-clock time at which progress was last shown */
  PetscInt       percent;      /* percentage of progress that was last shown */
  /* not 0: the run has already given this warning, which is given once */
  PetscInt  warned_stretch, warned_inverted, warned_back;
  PetscBool terminal;                /* true: progress is shown on a terminal */
  char      dir[PETSC_MAX_PATH_LEN]; /* folder of the results; empty: the run writes no files */
  PetscInt
      stop_after; /* number of steps after which the run stops with a checkpoint; 0: it does not stop */
  PetscInt first_step; /* number of accepted steps when this process started */
  /* number of steps between checkpoints; 0: checkpoint_seconds is used */
  PetscInt  checkpoint_steps;
  PetscReal checkpoint_seconds; /* wall-clock seconds between checkpoints */
  /* wall-clock seconds of the earlier processes that this run continues */
  PetscReal seconds_before;
  double    saved;   /* wall-clock time at which the last checkpoint was written */
  PetscBool stopped; /* true: the run was interrupted, and a checkpoint was written */
  /* critical step of explicit methods by the element bound; 0 for other methods */
  PetscReal critical_step;
};

/* Creates and checks everything that a run of the deck in the file `path` needs. The function writes no file.
   Collective. */
PetscErrorCode CrRunCreate(MPI_Comm comm, const char path[], PetscInt nsets,
                           const char *const sets[], CrRun **run);
/* Does the same as CrRunCreate for a deck that has been read (CrProblemRead, CrProblemParse). The run owns the deck,
   even if this function fails. Each of the nforced bodies named in `forced` gets a load that the caller sets
   (CrConditionsAddForce). These loads are the last nforced conditions of the model. */
PetscErrorCode CrRunCreateFrom(MPI_Comm comm, CrDeck *deck, PetscInt nforced,
                               const char *const forced[], CrRun **run);
/* These functions run a deck step by step, without files. CrRunBegin computes the energies of the initial state. Each
   call of CrRunStep computes one accepted step, with as many attempts as necessary. CrRunStep does nothing when the run
   has failed, or has reached its end. Collective. */
PetscErrorCode          CrRunBegin(CrRun *run);
PetscErrorCode          CrRunStep(CrRun *run);
static inline PetscBool CrRunHasFiles(const CrRun *run)
{
  return run->dir[0] ? PETSC_TRUE : PETSC_FALSE;
}
/* Opens the files in the folder `dir`, computes all steps to the end, and writes the audit. With `force`, an older run
   in the folder is replaced. The nnotes lines `notes` are written to run.yaml. Collective. */
PetscErrorCode CrRunGo(CrRun *run, const char dir[], PetscBool force, PetscInt nnotes,
                       const char *const notes[]);
/* Continues a run from the checkpoint in the folder `dir`; it is called instead of CrRunGo. The run must have been
   created from run.yaml in this folder. The run continues until the simulated time `until`, or until the end time of
   the deck if `until` is 0. Collective. */
PetscErrorCode CrRunResume(CrRun *run, const char dir[], PetscReal until);
PetscErrorCode CrRunDestroy(CrRun **run);

/* ---- what the user sees (progress.c) ------------------------------------------------------ */

void CrProgressStart(CrRun *run);
void CrProgressStep(CrRun *run);
void CrAuditPrint(const CrRun *run, const CrEnding *ending, const char dir[]);
