/* Declarations that the files of this folder share. */
#pragma once

#include "run/run.h"

/* Interruption and checkpoints (restart.c). */
void CrSignalsCatch(void);
/* After a step: decides whether to write a checkpoint, and whether to stop. All ranks get the same answer.
   Collective. */
PetscErrorCode CrRunPause(CrRun *run, PetscBool *checkpoint, PetscBool *stop);
/* Lists everything that a run remembers, and the text of its deck. Collective. */
PetscErrorCode CrRunCollect(CrRun *run, const char deck[], CrArchive *archive);
PetscErrorCode CrRunWriteCheckpoint(CrRun *run);
PetscErrorCode CrRunReadCheckpoint(CrRun *run, const char dir[]);

/* The text of the deck that is stored in a checkpoint (changed.c), on rank 0. The caller frees it with free(). */
PetscErrorCode CrRunDeckText(const CrRun *run, char **text);
/* Refuses a deck that differs from the one stored in the checkpoint in dir. Collective. */
PetscErrorCode CrRunCheckDeck(const CrRun *run, const char dir[]);

#define CR_FIRST_STEPS                                                                             \
  100 /* number of first steps, in which a body at rest has too little energy for a comparison */

/* Energy that exact contact created (created.c): after a step, a great part of the energy ends the run; at the end, the
   user is told of less. */
void CrRunCheckCreated(CrRun *run);
void CrRunWarnOfCreated(const CrRun *run);

/* Warns, once per run, of a back strain above 1 (back_strain.c). Collective. */
PetscErrorCode CrRunWarnOfBack(CrRun *run);

/* Limits under `audit:` (limits.c): refuses limits on numbers that have no value in runs of this deck. */
PetscErrorCode CrLimitsCheckDeck(const CrRun *run);
/* Does the deck limit this number? */
PetscBool CrLimitsHave(const CrRun *run, const char name[]);
/* At the end: prints limits that are broken, and marks the run as failed. */
void CrLimitsCheckRun(CrRun *run, const CrEnding *ending);
