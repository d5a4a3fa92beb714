/* Writes files that appear under their final name only when they are valid. Until then a file has the name path.tmp.
   Only rank 0 uses these functions. */
#pragma once

#include "base/base.h"

typedef struct {
  FILE     *stream;                   /* open stream; NULL: the file is closed */
  char      path[PETSC_MAX_PATH_LEN]; /* final path of the file */
  PetscBool hidden;                   /* true: the file still has the name path.tmp */
  /* number of bytes written since the last flush; number of bytes that are in the file */
  size_t pending, good;
  double flushed; /* wall-clock time of the last flush, in seconds */
} OutputFile;

/* Opens dir/name.tmp for writing. If this function or one of the functions below fails, it closes the file, and removes
   the file if it is incomplete. */
PetscErrorCode CrFileBegin(OutputFile *file, const char dir[], const char name[]);
PetscErrorCode CrFileWrite(OutputFile *file, const void *bytes, size_t n);
PetscErrorCode CrFilePrint(OutputFile *file, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
/* Ends a row of a table, and flushes the file from time to time. So the file has complete rows even if the run is
   killed. */
PetscErrorCode CrFileEndRow(OutputFile *file);
/* Opens the existing file dir/name to continue it after its first `size` bytes. Later bytes are dropped. */
PetscErrorCode CrFileReopen(OutputFile *file, const char dir[], const char name[], size_t size);
/* Gives the file its final name. The file stays open. */
PetscErrorCode CrFileShow(OutputFile *file);
/* Passes everything written so far to the operating system. The function fails if the disk is full. */
PetscErrorCode CrFileFlush(OutputFile *file);
/* Does the same as CrFileFlush, and then waits until the data are on the disk. */
PetscErrorCode CrFileSync(OutputFile *file);
/* Gives the file its final name and closes it. */
PetscErrorCode CrFileEnd(OutputFile *file);
/* Closes the file, and removes it if it has no final name yet. If the file is closed already, the function does
   nothing. */
void CrFileDrop(OutputFile *file);
