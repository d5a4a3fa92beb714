/* Reads text files, splits rows of comma-separated tables, and makes texts printable. */
#pragma once

#include "base/base.h"

/* Reports a user error if the path exists but is no regular file, because reading from a FIFO or a device could wait
   for ever. If `streams` is true, devices and pipes of a shell are accepted, but FIFOs are refused. */
PetscErrorCode CrTextCheck(const char path[], PetscBool streams);
/* Checks a path with CrTextCheck, and opens the file for reading. If the file cannot be opened, *file is NULL and errno
   has the reason. */
PetscErrorCode CrTextOpen(const char path[], PetscBool streams, FILE **file);
/* Reads a whole regular file into *text, which ends with a zero byte. *text is NULL if the file cannot be opened. *size
   is the number of bytes without the zero byte; `size` may be NULL. The caller frees *text. */
PetscErrorCode CrTextRead(const char path[], char **text, size_t *size);
/* Splits the row at *cursor of a comma-separated table (RFC 4180) into fields without quotes. *cursor then points to
   the next row. The function changes the text. Returns the number of fields; at most `most` fields are stored. */
PetscInt CrTextRow(char **cursor, PetscInt most, const char *fields[]);
/* Copies a text in printable form: control characters and invalid UTF-8 become escapes such as \x1b. The copy `to` has
   at most `size` bytes, including the final zero. */
void CrTextShow(const char from[], char to[], size_t size);
