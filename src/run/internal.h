/* Declares the types and functions that the source files of src/run share. */
#pragma once

#include "run/run.h"

/* Installs signal handlers, so that a signal interrupts the run after the present step (restart.c). */
void CrSignalsCatch(void);
/* Decides after a step whether to write a checkpoint, and whether to stop the run. All ranks get the same answer.
   Collective. */
PetscErrorCode CrRunPause(CrRun *run, PetscBool *checkpoint, PetscBool *stop);
/* Adds to the archive all data of a run that a restart needs, and the text of its deck. Collective. */
PetscErrorCode CrRunCollect(CrRun *run, const char deck[], CrArchive *archive);
PetscErrorCode CrRunWriteCheckpoint(CrRun *run);
PetscErrorCode CrRunReadCheckpoint(CrRun *run, const char dir[]);

/* Makes *text, the text of the deck that a checkpoint stores, on rank 0 (changed.c). The caller frees it with
   free(). */
PetscErrorCode CrRunDeckText(const CrRun *run, char **text);
/* Reports a user error if the deck of the run differs from the deck stored in the checkpoint in the folder `dir`.
   Collective. */
PetscErrorCode CrRunCheckDeck(const CrRun *run, const char dir[]);

/* Number of first steps in which energies are not compared. A body that starts at rest has too little energy then. */
#define CR_FIRST_STEPS 100

/* Check the energy that contact without penetration (exact contact) has wrongly created (created.c). CrRunCheckCreated
   is called after a step, and ends the run if this energy is a large part of the total energy. CrRunWarnOfCreated is
   called at the end of the run, and warns of a smaller part. */
void CrRunCheckCreated(CrRun *run);
void CrRunWarnOfCreated(const CrRun *run);

/* Warns at the end of a run if contact springs stored much energy compared with the bodies (soft.c). Such contact
   springs are too soft. */
void CrRunWarnOfSoft(const CrRun *run);

/* Warns, once per run, if the back strain of kinematic hardening is above 1 (theory 5.12, back_strain.c).
   Collective. */
PetscErrorCode CrRunWarnOfBack(CrRun *run);

/* Reports a user error if a limit under `audit:` is for a number that has no value in runs of this deck (limits.c). */
PetscErrorCode CrLimitsCheckDeck(const CrRun *run);
/* Returns true if the deck sets a limit under `audit:` for this number. */
PetscBool CrLimitsHave(const CrRun *run, const char name[]);
/* Prints, at the end of the run, the limits that are exceeded, and marks the run as failed. */
void CrLimitsCheckRun(CrRun *run, const CrEnding *ending);
