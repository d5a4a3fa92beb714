/* Texts for messages that suggest a command: the name of the program as the user typed it, and paths relative to the
   current folder. */
#pragma once

#include "base/base.h"

/* Stores argv[0], the name by which the program was started. A name without a slash was found on the search path;
   hints then use `carom`. */
void CrProgramStart(const char typed[]);
/* Returns `carom`, or the path that the user typed. */
const char *CrProgram(void);
/* Converts a path for use in the current folder: an absolute path is made relative if that is shorter. Returns
   `here`. */
const char *CrPathHere(const char path[], char here[PETSC_MAX_PATH_LEN]);
