/* Files in memory, and rows of comma-separated tables. */
#pragma once

#include "base/base.h"

/* A whole file, ended by 0; NULL if it cannot be read. size (may be NULL): its bytes. The caller
   frees. */
PetscErrorCode CrTextRead(const char path[], char **text, size_t *size);
/* The fields of the next row of a table (RFC 4180), unquoted and ended in place; returns how many
   there are, of which at most `most` are given. The cursor moves on. */
PetscInt CrTextRow(char **cursor, PetscInt most, const char *fields[]);
