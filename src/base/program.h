/* Words for hints that the user can type: the program as it was started, and paths from the current folder. */
#pragma once

#include "base/base.h"

/* argv[0]. A name without a slash was found on the search path, and is typed as `carom`. */
void CrProgramStart(const char typed[]);
/* `carom`, or the path that the user typed. */
const char *CrProgram(void);
/* The path as it can be typed in the current folder: an absolute one is made relative where that is shorter. Returns `here`. */
const char *CrPathHere(const char path[], char here[PETSC_MAX_PATH_LEN]);
