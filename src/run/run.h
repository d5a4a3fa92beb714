/* A run of a deck: it reads the deck, makes the schedule of steps, computes the time loop and shows the progress. */
#pragma once

#include "base/base.h"
#include "contact/overlap/overlap.h"
#include "deck/deck.h"
#include "integrate/integrator.h"
#include "model/audit.h"
#include "model/model.h"
#include "output/output.h"
#include "run/hourglass.h"
#include "run/locking.h"
#include "run/resolution.h"

/* The name of the limit under `audit:` that only `carom converge` checks, and not a single run. */
#define CR_RESOLUTION_LIMIT "resolution_error"

/* ---- problem ------------------------------------------------------------------------------ */

/* Returns the table of all keys of a deck. */
const CrKey *CrProblemKeys(void);
/* Reads and checks a deck. Values under `methods:` for the chosen method replace those under `time:`.
   Collective. */
PetscErrorCode CrProblemRead(MPI_Comm comm, const char path[], PetscInt nsets,
                             const char *const sets[], CrDeck **deck);
/* Does the same for a text in memory. `name` is used in messages in place of a file name. */
PetscErrorCode CrProblemParse(const char name[], const char text[], PetscInt nsets,
                              const char *const sets[], CrDeck **deck);

/* ---- schedule ----------------------------------------------------------------------------- */

#define CR_MAX_HALVINGS 60

typedef struct {
  PetscReal t, h; /* time at the end of a step, and size of the step */
} CrGoal;

/* The steps of the deck, and halves of steps that failed. Segments are sequences of steps of equal size. */
typedef struct {
  PetscInt   nsegments, segment, done; /* number of segments, present segment, steps done in it */
  PetscReal *h, *start, *end;          /* step size, start and end of each segment; owned */
  PetscInt  *count;                    /* number of steps of each segment */
  PetscInt   room, ndeck;              /* room for segments; number of step sizes in the deck */
  PetscReal *deck_h;                   /* [ndeck] step sizes */
  PetscInt  *deck_count;               /* [ndeck] how many steps have that size */
  PetscInt   nhalves; /* number of goals on the stack `halves`; the next one is on top */
  CrGoal     halves[CR_MAX_HALVINGS];
  PetscReal  t_end, min_step;
  PetscBool  adaptive;
  PetscInt   total; /* number of steps to the end */
} CrSchedule;

/* Creates the schedule from the section `time:` of the deck. `automatic` is the step size for `step: auto`. This size
   is reduced so that equal steps end at the end of the run. */
PetscErrorCode CrScheduleCreate(const CrDeckNode *time, PetscReal automatic, CrSchedule *schedule);
PetscErrorCode CrScheduleDestroy(CrSchedule *schedule);
PetscBool      CrScheduleIsDone(const CrSchedule *schedule);
CrGoal         CrScheduleGoal(const CrSchedule *schedule);
void           CrScheduleAdvance(CrSchedule *schedule); /* call it at the end of an accepted step */
/* Changes the end of the run. The new end must not lie before t, the present time. The schedule keeps the steps of the
   deck, and adds steps of the last size after them. If the old end cut a step short, the rest of that step
   comes first. */
PetscErrorCode CrScheduleSetEnd(CrSchedule *schedule, PetscReal t, PetscReal end);
/* Replaces the present step by two half steps. Returns false if the step must not become smaller. */
PetscBool CrScheduleCut(CrSchedule *schedule, PetscReal t);
PetscBool CrScheduleCanCut(const CrSchedule *schedule);

/* ---- run ---------------------------------------------------------------------------------- */

/* Speed of a run without contact [0] and with contact [1], from which the remaining time is estimated. */
typedef struct {
  double seconds[2],
      share[2];         /* seconds so far, and the share of the run that was done in this time */
  double    since[2];   /* share of the run, counted from the first contact */
  double    time, done; /* time of the wall clock, and share of the run, at the last step */
  PetscBool met;        /* there was a contact */
} CrPace;

void CrPaceStart(CrPace *pace, double time, double done);
void CrPaceStep(CrPace *pace, double time, double done, PetscBool contact);
/* Returns the estimated seconds to the end of the run, if contact stays as frequent as it was since the first contact.
   */
double CrPaceLeft(const CrPace *pace);

struct CrRun {
  CrDeck       *deck; /* owned, like all members below */
  CrModel      *model;
  CrContact    *contact; /* NULL: the model has no contact */
  CrState      *state;
  CrIntegrator *integrator;
  CrOutput     *output;
  CrOverlaps   *overlaps;   /* NULL: the model has no contact */
  CrResolution *resolution; /* NULL: the model has no contact, or contacts have no duration */
  CrLocking    *locking;    /* NULL: no body has elements that may lock */
  CrHourglass  *hourglass;  /* NULL: no body has one-point elements */
  CrAudit      *audit;
  CrSchedule    schedule;
  PetscBool     failed;       /* the run failed at the smallest step, or exceeded a limit */
  char          failure[800]; /* why it gave up */
  double        started;      /* time of the wall clock at the start */
  CrPace        pace;         /* data from which the remaining time is estimated */
  double        spoken;       /* time at which progress was last shown */
  PetscInt      percent;      /* the last percentage shown */
  /* these warnings are given once per run */
  PetscInt  warned_stretch, warned_inverted, warned_back;
  PetscBool terminal;                /* progress is shown on a terminal */
  char      dir[PETSC_MAX_PATH_LEN]; /* folder of the results */
  PetscInt
      stop_after; /* number of steps after which the run stops with a checkpoint; 0: it does not stop */
  PetscInt  first_step;         /* state->n at the start of this process */
  PetscInt  checkpoint_steps;   /* steps between checkpoints; 0: checkpoint_seconds is used */
  PetscReal checkpoint_seconds; /* seconds between checkpoints */
  PetscReal seconds_before;     /* wall-clock seconds of the runs that this one continues */
  double    saved;              /* time at which the last checkpoint was written */
  PetscBool stopped;            /* the run was interrupted, and a checkpoint was written */
  PetscReal critical_step;      /* critical step of explicit methods by the element bound, else 0 */
};

/* Creates and checks everything that a run needs. The function writes no file. Collective. */
PetscErrorCode CrRunCreate(MPI_Comm comm, const char path[], PetscInt nsets,
                           const char *const sets[], CrRun **run);
/* Does the same for a deck that has been read (CrProblemRead, CrProblemParse). The run owns the deck, even if this
   function fails. The bodies named in `forced` get loads that the caller sets (CrConditionsAddForce): the last nforced
   conditions of the model. */
PetscErrorCode CrRunCreateFrom(MPI_Comm comm, CrDeck *deck, PetscInt nforced,
                               const char *const forced[], CrRun **run);
/* Step by step, without files: Begin audits the initial state; each call of Step computes one accepted step, with as
   many attempts as necessary. Step does nothing when the run has failed, or has reached its end. Collective. */
PetscErrorCode          CrRunBegin(CrRun *run);
PetscErrorCode          CrRunStep(CrRun *run);
static inline PetscBool CrRunHasFiles(const CrRun *run)
{
  return run->dir[0] ? PETSC_TRUE : PETSC_FALSE;
}
/* Opens the files, runs to the end, and writes the audit. Collective. */
PetscErrorCode CrRunGo(CrRun *run, const char dir[], PetscBool force, PetscInt nnotes,
                       const char *const notes[]);
/* Continues from the checkpoint in dir, instead of CrRunGo. The run must have been created from run.yaml in
   dir. The run continues until the time `until`; 0: until the end time of the deck. Collective. */
PetscErrorCode CrRunResume(CrRun *run, const char dir[], PetscReal until);
PetscErrorCode CrRunDestroy(CrRun **run);

/* ---- what the user sees (progress.c) ------------------------------------------------------ */

void CrProgressStart(CrRun *run);
void CrProgressStep(CrRun *run);
void CrAuditPrint(const CrRun *run, const CrEnding *ending, const char dir[]);
