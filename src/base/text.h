/* Files in memory, and rows of comma-separated tables. */
#pragma once

#include "base/base.h"

/* Refuses a path that exists but is no regular file, as a user error: reading from a FIFO or a device could
   wait for ever. If `streams`, devices and pipes of a shell are allowed, FIFOs are not. */
PetscErrorCode CrTextCheck(const char path[], PetscBool streams);
/* Checks and opens a file for reading. If it cannot be opened, *file is NULL and errno says why. */
PetscErrorCode CrTextOpen(const char path[], PetscBool streams, FILE **file);
/* Reads a whole regular file; *text ends with 0, and is NULL if the file cannot be opened. *size is its number
   of bytes; size may be NULL. The caller frees the text. */
PetscErrorCode CrTextRead(const char path[], char **text, size_t *size);
/* Splits the next row of a table (RFC 4180) into fields, without quotes, and moves the cursor to the next row. The
   function changes the text. Returns the number of fields; at most `most` are stored. */
PetscInt CrTextRow(char **cursor, PetscInt most, const char *fields[]);
/* Copies a text in printable form: control characters and invalid UTF-8 become \n, \t, \x1b. The copy is cut to
   `size` bytes, with the final 0. */
void CrTextShow(const char from[], char to[], size_t size);
