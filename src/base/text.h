/* Files in memory, and rows of comma-separated tables. */
#pragma once

#include "base/base.h"

/* Refuses, as a mistake of the user, what is there but is no regular file: a FIFO or a device could
   make its reader wait for ever. streams: a device or the pipe of a shell will do, a FIFO will not. */
PetscErrorCode CrTextCheck(const char path[], PetscBool streams);
/* Opens such a file to read it; *file is NULL, and errno says why, if it cannot be opened. */
PetscErrorCode CrTextOpen(const char path[], PetscBool streams, FILE **file);
/* A whole regular file, ended by 0; NULL if it cannot be opened. size (may be NULL): its bytes. The
   caller frees. */
PetscErrorCode CrTextRead(const char path[], char **text, size_t *size);
/* The fields of the next row of a table (RFC 4180), unquoted and ended in place; returns how many
   there are, of which at most `most` are given. The cursor moves on. */
PetscInt CrTextRow(char **cursor, PetscInt most, const char *fields[]);
/* A text for the eyes: control characters and bytes that are no UTF-8 as \n, \t, \x1b; cut to what
   `to` has room for (size: with the final 0). */
void CrTextShow(const char from[], char to[], size_t size);
