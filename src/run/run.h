/* A run: the problem from the deck, the time loop, step cutting, progress. */
#pragma once

#include "base/base.h"
#include "deck/deck.h"
#include "integrate/integrator.h"
#include "model/audit.h"
#include "model/model.h"
#include "output/output.h"

/* ---- problem ------------------------------------------------------------------------------ */

/* The whole table of deck keys. */
const CrKey *CrProblemKeys(void);
/* Reads and checks a deck: tables, `methods:` of the running method over `time:`, its options.
 * Collective. */
PetscErrorCode CrProblemRead(MPI_Comm comm, const char path[], PetscInt nsets,
                             const char *const sets[], CrDeck **deck);
/* The same from memory; name stands in messages. */
PetscErrorCode CrProblemParse(const char name[], const char text[], PetscInt nsets,
                              const char *const sets[], CrDeck **deck);

/* ---- schedule ----------------------------------------------------------------------------- */

#define CR_MAX_HALVINGS 60

typedef struct {
  PetscReal t, h; /* end and size of a step */
} CrGoal;

/* The deck's steps, and the halves of those that failed. */
typedef struct {
  PetscInt   nsegments, segment, done; /* steps done in the segment */
  PetscReal *h, *start, *end;          /* per segment, owned */
  PetscInt  *count;
  PetscInt   room, ndeck; /* of the arrays of segments; sizes in the deck: */
  PetscReal *deck_h;
  PetscInt  *deck_count;
  PetscInt   nhalves; /* goals on the stack, the next one on top */
  CrGoal     halves[CR_MAX_HALVINGS];
  PetscReal  t_end, min_step;
  PetscBool  adaptive;
  PetscInt   total; /* steps to the end */
} CrSchedule;

/* automatic: size of step: auto, lowered so that equal steps meet the end. */
PetscErrorCode CrScheduleCreate(const CrDeckNode *time, PetscReal automatic, CrSchedule *schedule);
PetscErrorCode CrScheduleDestroy(CrSchedule *schedule);
PetscBool      CrScheduleIsDone(const CrSchedule *schedule);
CrGoal         CrScheduleGoal(const CrSchedule *schedule);
void           CrScheduleAdvance(CrSchedule *schedule); /* the goal was reached */
/* Makes the end another, not before t, where the run is: the deck's own steps as far as they go, then
   further ones of the last size; what is left of a step that another end cut short comes first. */
PetscErrorCode CrScheduleSetEnd(CrSchedule *schedule, PetscReal t, PetscReal end);
/* The goal is replaced by two halves, if it may be. */
PetscBool CrScheduleCut(CrSchedule *schedule, PetscReal t);
PetscBool CrScheduleCanCut(const CrSchedule *schedule);

/* ---- run ---------------------------------------------------------------------------------- */

struct CrRun {
  CrDeck       *deck; /* owned, as all below */
  CrModel      *model;
  CrContact    *contact; /* NULL: no pairs; owned */
  CrState      *state;
  CrIntegrator *integrator;
  CrOutput     *output;
  CrAudit      *audit;
  CrSchedule    schedule;
  PetscBool     failed;       /* gave up at the smallest step, or a limit was broken */
  char          failure[200]; /* why it gave up */
  double        started;      /* wall clock */
  double        spoken;       /* when progress was last shown */
  PetscInt      percent;      /* last one shown */
  PetscInt      warned_stretch, warned_inverted; /* once a run */
  PetscBool     terminal;
  char          dir[PETSC_MAX_PATH_LEN]; /* of the results */
  PetscInt      stop_after;              /* steps after which to stop with a checkpoint; 0: never */
  PetscInt      first_step;              /* state->n when this program began */
  PetscInt      checkpoint_steps;        /* between checkpoints; 0: by seconds */
  PetscReal     checkpoint_seconds;
  PetscReal     seconds_before; /* wall clock of the runs that this one continues */
  double        saved;          /* when the last checkpoint was written */
  PetscBool     stopped;        /* interrupted, after a checkpoint */
  PetscReal     critical_step;  /* element bound of explicit methods, else 0 */
};

/* Everything that a run needs, checked; nothing is written. Collective. */
PetscErrorCode CrRunCreate(MPI_Comm comm, const char path[], PetscInt nsets,
                           const char *const sets[], CrRun **run);
/* Opens the outputs, runs to the end, writes the audit. Collective. */
PetscErrorCode CrRunGo(CrRun *run, const char dir[], PetscBool force, PetscInt nnotes,
                       const char *const notes[]);
/* Instead: goes on from the checkpoint in dir, whose run.yaml the run was made from, to the end or
   to `until` (0: as the deck says). Collective. */
PetscErrorCode CrRunResume(CrRun *run, const char dir[], PetscReal until);
PetscErrorCode CrRunDestroy(CrRun **run);

/* ---- what the user sees (progress.c) ------------------------------------------------------ */

void CrProgressStart(CrRun *run);
void CrProgressStep(CrRun *run);
void CrAuditPrint(const CrRun *run, const CrEnding *ending, const char dir[]);
