/* Makes texts for messages that suggest a command: the name of the program as the user typed it, and paths relative to
   the current folder. */
#pragma once

#include "base/base.h"

/* Stores argv[0], the name by which the user started the program. If the name has no slash, the shell found the program
   on its search path, and messages then use `carom`. */
void CrProgramStart(const char typed[]);
/* Returns the name of the program for messages: `carom`, or the path that the user typed. */
const char *CrProgram(void);
/* Converts a path so that it is valid in the current folder, and stores the result in `here`. An absolute path is made
   relative if the relative path is shorter. Returns `here`. */
const char *CrPathHere(const char path[], char here[PETSC_MAX_PATH_LEN]);
