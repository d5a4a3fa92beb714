/* Includes PETSc, and declares errors of the user, errors of the machine, and the message log. Every source file
   includes this header. */
#pragma once

#include <petscsys.h>
#include <stdio.h>
#include "base/types.h"

#undef I /* PETSc includes complex.h, which defines I; in this program I is an index */

#ifndef PETSC_SUCCESS
#define PETSC_SUCCESS 0 /* PETSc 3.18 does not define this constant */
#endif

/* Returns the version of the program, such as "0.1.0", which project() in CMakeLists.txt sets. */
const char *CrVersion(void);

/* Error codes of this program, in addition to the codes of PETSc. A user error (in the deck, the mesh or an option)
   ends the program with exit code 2. A machine failure (disk, permissions, memory) ends it with exit code 3. Errors of
   both kinds print one message and no stack trace. */
#define CR_ERR_INPUT   PETSC_ERR_USER_INPUT
#define CR_ERR_MACHINE PETSC_ERR_FILE_WRITE

/* Record an error message, formatted as by printf, unless an error is recorded already. CrInputError returns
   CR_ERR_INPUT, and CrMachineError returns CR_ERR_MACHINE. */
PetscErrorCode CrInputError(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
PetscErrorCode CrMachineError(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);

/* Call CrInputError or CrMachineError, and then return the error code from the function that uses the macro. The
   function that uses the macro must begin with PetscFunctionBeginUser. */
#define CrInputFail(...)   PetscFunctionReturn(CrInputError(__VA_ARGS__))
#define CrMachineFail(...) PetscFunctionReturn(CrMachineError(__VA_ARGS__))

/* CrErrorMessage returns the recorded error message, or "" if no error is recorded. CrErrorClear deletes the
   message. */
const char *CrErrorMessage(void);
void        CrErrorClear(void);

/* Makes an error on some ranks known to all ranks. `mine` is the error code of this rank. The function returns the code
   of the lowest rank that failed, or 0 if no rank failed. CrErrorAgree also records the message of the failed rank on
   every rank. Collective. Usage: PetscCall(CrErrorAgree(comm, work_of_rank_0(...))). */
PetscErrorCode CrErrorAgree(MPI_Comm comm, PetscErrorCode mine);

/* Is an error handler for PetscPushErrorHandler. The handler prints nothing for CR_ERR_INPUT and CR_ERR_MACHINE, and
   prints a stack trace for all other error codes. */
PetscErrorCode CrErrorHandler(MPI_Comm, int line, const char func[], const char file[],
                              PetscErrorCode, PetscErrorType, const char message[], void *ctx);

/* Returns the exit code of the program for a PETSc error code: 0 without error, 2 for CR_ERR_INPUT, 3 for
   CR_ERR_MACHINE, 1 for other errors. */
int CrExitCode(PetscErrorCode code);

/* Write a message on rank 0 to the log file. CrLog also prints it on standard output. CrWarn also prints it on standard
   error, as "carom: warning: ...". CrNote prints nothing. Control characters, for instance in file names, are shown as
   escapes (CrTextShow), except a newline at the end. */
void CrLog(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void CrWarn(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void CrNote(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
/* Prints the recorded error message on standard error, as "carom: ...". */
void CrErrorPrint(void);
/* CrLogSetQuiet(true) makes CrLog write to the log file only. CrLogIsQuiet returns this setting. */
void      CrLogSetQuiet(PetscBool quiet);
PetscBool CrLogIsQuiet(void);
/* CrLogIn does the same as CrLog, but prints in the colour that `tone` selects. Colours are used only if standard
   output is a terminal that shows colours and the variable NO_COLOR is not set. */
typedef enum { CR_TONE_GOOD, CR_TONE_BAD, CR_TONE_STRONG } CrTone;
void CrLogIn(CrTone tone, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
/* Records whether the last line on the terminal is a progress line without a newline. If it is, the next message begins
   with a newline. */
void CrLogSetOpenLine(PetscBool open);
/* Opens the log file on rank 0. Earlier messages of this run and all later messages are appended to this file. */
PetscErrorCode CrLogOpen(const char path[]);
void           CrLogClose(void);
/* CrWarnings returns all warnings so far on rank 0, one per line; a repeated warning is listed once. CrWarningsAdd adds
   earlier warnings, when a run is resumed. CrWarningsClear deletes all warnings before a new run. */
const char *CrWarnings(void);
void        CrWarningsAdd(const char lines[]);
void        CrWarningsClear(void);

/* A log book is the message log of one simulation, for a process that has several simulations. A log book has a log
   file and a list of warnings. Messages to a log book that CrLogBookCreate made are not printed on the terminal.
   CrLogBookOpen directs all later messages to `book`, and returns the log book that received messages before. NULL
   denotes the log book of the command line, which receives messages at the start. */
typedef struct CrLogBook CrLogBook;
CrLogBook               *CrLogBookCreate(void); /* returns NULL if memory runs out */
CrLogBook               *CrLogBookOpen(CrLogBook *book);
void                     CrLogBookDestroy(CrLogBook **book);

/* Returns that one of n names which is most similar to `word` by edit distance, or NULL if no name is similar. */
const char *CrNearestName(const char *word, PetscInt n, const char *const names[]);
/* Returns a text with which a message about the unknown word `word` can end. If one of the n names is similar, the text
   is `; did you mean "..."?`, written to `hint`. Otherwise the function returns `otherwise`. */
#define CR_HINT 128
const char *CrNameHint(const char *word, PetscInt n, const char *const names[],
                       const char *otherwise, char hint[CR_HINT]);

/* Checks a condition in time-critical loops, and aborts if it is false. Only debug builds check it. */
#ifdef CR_DEBUG
#define CrAssert(cond, ...) PetscCheckAbort(cond, PETSC_COMM_SELF, PETSC_ERR_PLIB, __VA_ARGS__)
#else
#define CrAssert(cond, ...) ((void)0)
#endif
