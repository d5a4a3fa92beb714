/* Finds the examples that are shipped with the program: their folder, their names and their descriptions. */
#pragma once

#include "base/base.h"

/* Stores in `path` the folder of all shipped examples. This folder is beside the build tree, or under the install
   prefix. */
PetscErrorCode AppExamplesFolder(char path[], size_t size);
/* Stores in `path` the folder of the example `name`. */
PetscErrorCode AppExampleFind(const char name[], char path[], size_t size);
/* Makes a sorted list of the names of the examples in a folder. The caller frees the list with AppFreeNames. */
PetscErrorCode AppExampleNames(const char folder[], PetscInt *n, char ***names);
/* Reads the next row of the table of examples in README.md, which is sorted from easy to hard. `name` becomes the name
   of the example, and `shows` its subject. `*table` points into the text of README.md, and moves past the row. Returns
   false after the last row. */
PetscBool AppExampleRow(const char **table, char name[64], char shows[256]);
/* Returns the text of the deck that the command `carom new` writes. */
const char    *AppNewDeck(void);
PetscErrorCode AppFreeNames(PetscInt n, char ***names);
