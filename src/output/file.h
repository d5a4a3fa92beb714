/* Files that appear under their final name only when they are valid. Only rank 0 uses them. */
#pragma once

#include "base/base.h"

typedef struct {
  FILE     *stream;                   /* NULL: closed */
  char      path[PETSC_MAX_PATH_LEN]; /* final name */
  PetscBool hidden;                   /* the file still has the name path.tmp */
  size_t    pending, good;            /* bytes since the last flush; bytes that are in the file */
  double    flushed;                  /* time of the last flush, in seconds */
} OutputFile;

/* Opens dir/name.tmp. If any of these functions fails, the file is closed and no half-written file remains. */
PetscErrorCode CrFileBegin(OutputFile *file, const char dir[], const char name[]);
PetscErrorCode CrFileWrite(OutputFile *file, const void *bytes, size_t n);
PetscErrorCode CrFilePrint(OutputFile *file, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
/* Ends a row of a table, and flushes the file at intervals. So a run that is killed leaves complete rows. */
PetscErrorCode CrFileEndRow(OutputFile *file);
/* Opens dir/name again, and continues after its first `size` bytes. Later bytes are dropped. */
PetscErrorCode CrFileReopen(OutputFile *file, const char dir[], const char name[], size_t size);
/* Gives the file its final name. The file stays open. */
PetscErrorCode CrFileShow(OutputFile *file);
/* Passes everything written so far to the file system, which reports an error if the disk is full. */
PetscErrorCode CrFileFlush(OutputFile *file);
/* Does the same as CrFileFlush, and waits until the data are on the disk. */
PetscErrorCode CrFileSync(OutputFile *file);
/* Gives the file its final name and closes it. */
PetscErrorCode CrFileEnd(OutputFile *file);
/* Closes the file, and removes it if it has no final name yet. The function does nothing to closed files. */
void CrFileDrop(OutputFile *file);
