/* What every file needs: PETSc, the two kinds of error that are not programming errors, the log. */
#pragma once

#include <petscsys.h>
#include <stdio.h>
#include "base/types.h"

#undef I /* of complex.h, which PETSc brings: here an index */

#ifndef PETSC_SUCCESS
#define PETSC_SUCCESS 0 /* PETSc 3.18 has no name for it yet */
#endif

/* The version of the program, such as "0.1.0": that of project() in CMakeLists.txt. */
const char *CrVersion(void);

/* Error codes beside PETSc's own. A user mistake (deck, mesh, flag) ends the program with code 2, a
   failing machine (disk, permissions, memory) with 3; both with one message and no stack trace. */
#define CR_ERR_INPUT   PETSC_ERR_USER_INPUT
#define CR_ERR_MACHINE PETSC_ERR_FILE_WRITE

/* Records a message and returns CR_ERR_INPUT or CR_ERR_MACHINE. Only the first message is kept. */
PetscErrorCode CrInputError(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
PetscErrorCode CrMachineError(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);

/* Inside a function that began with PetscFunctionBeginUser. */
#define CrInputFail(...)   PetscFunctionReturn(CrInputError(__VA_ARGS__))
#define CrMachineFail(...) PetscFunctionReturn(CrMachineError(__VA_ARGS__))

/* The recorded message, "" if there is none; CrErrorClear forgets it. */
const char *CrErrorMessage(void);
void        CrErrorClear(void);

/* All ranks learn of an error that a few of them met: each gets the code and the message of the
   lowest failing rank. Collective. Usage: PetscCall(CrErrorAgree(comm, work_of_rank_0(...))). */
PetscErrorCode CrErrorAgree(MPI_Comm comm, PetscErrorCode mine);

/* Error handler for PetscPushErrorHandler: silent for the two kinds above, a trace for the rest. */
PetscErrorCode CrErrorHandler(MPI_Comm, int line, const char func[], const char file[],
                              PetscErrorCode, PetscErrorType, const char message[], void *ctx);

/* 0, 2 or 3 as the interface promises; 1 for programming errors. */
int CrExitCode(PetscErrorCode code);

/* Rank 0 speaks: the log on standard output, warnings on standard error ("carom: warning: ..."), notes
   nowhere; all three go into the log file as well. Control characters, as names of files may hold
   them, are spelled out (CrTextShow); only a newline at the end is one. */
void CrLog(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void CrWarn(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void CrNote(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
/* The recorded error in the same manner, "carom: ...". */
void CrErrorPrint(void);
void CrLogSetQuiet(PetscBool quiet); /* for tests */
/* CrLog("%s", "") must not break a progress line that stands on a terminal: whoever draws one says
   so here, and the log ends it first. */
void CrLogSetOpenLine(PetscBool open);
/* The log file, on rank 0: it gets what was said before, and everything from now on, behind what it
   holds already. */
PetscErrorCode CrLogOpen(const char path[]);
void           CrLogClose(void);
/* Warnings so far, one a line, each once, on rank 0. Add: those of a run that is continued. Clear:
   another run begins. */
const char *CrWarnings(void);
void        CrWarningsAdd(const char lines[]);
void        CrWarningsClear(void);

/* Nearest of n names by edit distance, NULL if none is close. */
const char *CrNearestName(const char *word, PetscInt n, const char *const names[]);
/* The end of a message about a word that is none of n names: `; did you mean "..."?` if one is
   close, else what the caller would say instead. */
#define CR_HINT 128
const char *CrNameHint(const char *word, PetscInt n, const char *const names[],
                       const char *otherwise, char hint[CR_HINT]);

/* Checks in hot loops of debug builds only. */
#ifdef CR_DEBUG
#define CrAssert(cond, ...) PetscCheckAbort(cond, PETSC_COMM_SELF, PETSC_ERR_PLIB, __VA_ARGS__)
#else
#define CrAssert(cond, ...) ((void)0)
#endif
