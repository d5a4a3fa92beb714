/* Every source file includes this header: PETSc, errors of the user and of the machine, the log. */
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

/* Error codes beside those of PETSc. A user error (deck, mesh, flag) ends the program with exit code 2, a
   machine failure (disk, permissions, memory) with 3. Errors of both kinds print one message and no stack trace. */
#define CR_ERR_INPUT   PETSC_ERR_USER_INPUT
#define CR_ERR_MACHINE PETSC_ERR_FILE_WRITE

/* Records a message and returns CR_ERR_INPUT or CR_ERR_MACHINE. Only the first message is kept. */
PetscErrorCode CrInputError(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
PetscErrorCode CrMachineError(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);

/* The same, and returns from a function that began with PetscFunctionBeginUser. */
#define CrInputFail(...)   PetscFunctionReturn(CrInputError(__VA_ARGS__))
#define CrMachineFail(...) PetscFunctionReturn(CrMachineError(__VA_ARGS__))

/* Returns the recorded message; "" if there is none. CrErrorClear deletes this message. */
const char *CrErrorMessage(void);
void        CrErrorClear(void);

/* Tells all ranks of an error on some of them: each gets code and message of the lowest failing rank. Collective.
   Usage: PetscCall(CrErrorAgree(comm, work_of_rank_0(...))). */
PetscErrorCode CrErrorAgree(MPI_Comm comm, PetscErrorCode mine);

/* Error handler for PetscPushErrorHandler: it prints nothing for the two kinds of errors above, and a stack trace for
   all other errors. */
PetscErrorCode CrErrorHandler(MPI_Comm, int line, const char func[], const char file[],
                              PetscErrorCode, PetscErrorType, const char message[], void *ctx);

/* The exit code of the program: 0, 2 or 3 as described above; 1 for programming errors. */
int CrExitCode(PetscErrorCode code);

/* Messages of rank 0. CrLog prints on standard output, CrWarn on standard error ("carom: warning: ..."), CrNote
   nowhere. All three also write to the log file. Control characters, for instance in file names, are shown as
   escapes (CrTextShow), except a newline at the end. */
void CrLog(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void CrWarn(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
void CrNote(const char format[], ...) PETSC_ATTRIBUTE_FORMAT(1, 2);
/* Prints the recorded error on standard error, "carom: ...". */
void CrErrorPrint(void);
/* Quiet: CrLog writes to the log file alone. */
void      CrLogSetQuiet(PetscBool quiet);
PetscBool CrLogIsQuiet(void);
/* CrLog in a colour, if standard output is a terminal that shows colours (and NO_COLOR is not set). */
typedef enum { CR_TONE_GOOD, CR_TONE_BAD, CR_TONE_STRONG } CrTone;
void CrLogIn(CrTone tone, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
/* Says that an unfinished progress line is on the terminal. The next message then ends that line first. */
void CrLogSetOpenLine(PetscBool open);
/* Opens the log file, on rank 0. Earlier messages of this run and all later ones are appended to it. */
PetscErrorCode CrLogOpen(const char path[]);
void           CrLogClose(void);
/* All warnings so far on rank 0, one per line, each once. Add adds those of a run that is continued. Clear
   forgets all, for a new run. */
const char *CrWarnings(void);
void        CrWarningsAdd(const char lines[]);
void        CrWarningsClear(void);

/* A book is the message log of one simulation, in a process that has several simulations: its log file and its
   warnings. Messages to a new book go neither to standard output nor to standard error. Open returns the book that was
   open before; NULL is the book of the command line, which is open at the start. */
typedef struct CrLogBook CrLogBook;
CrLogBook               *CrLogBookCreate(void); /* NULL: out of memory */
CrLogBook               *CrLogBookOpen(CrLogBook *book);
void                     CrLogBookDestroy(CrLogBook **book);

/* The most similar of n names by edit distance; NULL if none is close. */
const char *CrNearestName(const char *word, PetscInt n, const char *const names[]);
/* The end of a message about a word that is none of n names: `; did you mean "..."?` if one is close, else
   `otherwise`. */
#define CR_HINT 128
const char *CrNameHint(const char *word, PetscInt n, const char *const names[],
                       const char *otherwise, char hint[CR_HINT]);

/* An assertion for time-critical loops; only debug builds check it. */
#ifdef CR_DEBUG
#define CrAssert(cond, ...) PetscCheckAbort(cond, PETSC_COMM_SELF, PETSC_ERR_PLIB, __VA_ARGS__)
#else
#define CrAssert(cond, ...) ((void)0)
#endif
