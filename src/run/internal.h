/* Declarations that the source files of src/run share. */
#pragma once

#include "run/run.h"

/* Makes signals interrupt the run after a step (restart.c). */
void CrSignalsCatch(void);
/* After a step: decides whether to write a checkpoint, and whether to stop. All ranks get the same answer.
   Collective. */
PetscErrorCode CrRunPause(CrRun *run, PetscBool *checkpoint, PetscBool *stop);
/* Adds all data of a run that a restart needs, and the text of its deck, to the archive. Collective. */
PetscErrorCode CrRunCollect(CrRun *run, const char deck[], CrArchive *archive);
PetscErrorCode CrRunWriteCheckpoint(CrRun *run);
PetscErrorCode CrRunReadCheckpoint(CrRun *run, const char dir[]);

/* Makes the text of the deck that is stored in a checkpoint (changed.c), on rank 0. The caller frees it with free(). */
PetscErrorCode CrRunDeckText(const CrRun *run, char **text);
/* Refuses a deck that differs from the one stored in the checkpoint in dir. Collective. */
PetscErrorCode CrRunCheckDeck(const CrRun *run, const char dir[]);

/* Number of steps at the start in which a body at rest has too little energy for a comparison. */
#define CR_FIRST_STEPS 100

/* Check the energy that exact contact has created (created.c). After a step, the run ends if this energy is a large
   part of the total energy. At the end of the run, a smaller part causes a warning. */
void CrRunCheckCreated(CrRun *run);
void CrRunWarnOfCreated(const CrRun *run);

/* Warns at the end of a quasi-static run if contact springs stored much energy beside the bodies (soft.c). */
void CrRunWarnOfSoft(const CrRun *run);

/* Warns, once per run, of a back strain above 1 (back_strain.c). Collective. */
PetscErrorCode CrRunWarnOfBack(CrRun *run);

/* Limits under `audit:` (limits.c): refuses limits on numbers that have no value in runs of this deck. */
PetscErrorCode CrLimitsCheckDeck(const CrRun *run);
/* Returns true if the deck sets a limit for this number. */
PetscBool CrLimitsHave(const CrRun *run, const char name[]);
/* At the end of the run: prints the limits that are exceeded, and marks the run as failed. */
void CrLimitsCheckRun(CrRun *run, const CrEnding *ending);
