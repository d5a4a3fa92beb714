/* What the files of this folder share. */
#pragma once

#include "run/run.h"

/* Interruption and checkpoints (restart.c). */
void CrSignalsCatch(void);
/* After a step: is it time for a checkpoint, shall the run stop. All ranks agree. Collective. */
PetscErrorCode CrRunPause(CrRun *run, PetscBool *checkpoint, PetscBool *stop);
PetscErrorCode CrRunWriteCheckpoint(CrRun *run);
PetscErrorCode CrRunReadCheckpoint(CrRun *run, const char dir[]);

/* The deck as a checkpoint remembers it (changed.c), on rank 0; the caller frees with free(). */
PetscErrorCode CrRunDeckText(const CrRun *run, char **text);
/* Refuses a deck that is another than that of the checkpoint in dir. Collective. */
PetscErrorCode CrRunCheckDeck(const CrRun *run, const char dir[]);

/* Limits under `audit:` (limits.c): refuses those on what has no value in runs of this deck. */
PetscErrorCode CrLimitsCheckDeck(const CrRun *run);
/* At the end: a broken limit is said and makes the run a failed one. */
void CrLimitsCheckRun(CrRun *run, const CrEnding *ending);
