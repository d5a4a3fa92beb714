/* Files that are whole under their final name, or not there. Of rank 0 alone. */
#pragma once

#include "base/base.h"

typedef struct {
  FILE     *stream;                   /* NULL: closed */
  char      path[PETSC_MAX_PATH_LEN]; /* final name */
  PetscBool hidden;                   /* still under path.tmp */
  size_t    pending, good;            /* bytes since the last flush; bytes that are in the file */
  double    flushed;                  /* when, in seconds */
} OutputFile;

/* Opens dir/name.tmp. After an error of any of these the file is closed and nothing half-written is
   left of it. */
PetscErrorCode CrFileBegin(OutputFile *file, const char dir[], const char name[]);
PetscErrorCode CrFileWrite(OutputFile *file, const void *bytes, size_t n);
PetscErrorCode CrFilePrint(OutputFile *file, const char format[], ...) PETSC_ATTRIBUTE_FORMAT(2, 3);
/* The end of a row: flushed now and then, so that a killed run leaves whole rows. */
PetscErrorCode CrFileEndRow(OutputFile *file);
/* Opens dir/name again to go on after its first `size` bytes; what follows them is dropped. */
PetscErrorCode CrFileReopen(OutputFile *file, const char dir[], const char name[], size_t size);
/* Gives the file its final name; it stays open. */
PetscErrorCode CrFileShow(OutputFile *file);
/* Hands what was written so far to the file system, which then says whether there is room. */
PetscErrorCode CrFileFlush(OutputFile *file);
/* The same, down to the disk. */
PetscErrorCode CrFileSync(OutputFile *file);
/* Shows and closes. */
PetscErrorCode CrFileEnd(OutputFile *file);
/* Closes and removes what is not shown yet; harmless on closed files. */
void CrFileDrop(OutputFile *file);
