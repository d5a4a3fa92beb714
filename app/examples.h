/* The shipped examples: their folder and their names. */
#pragma once

#include "base/base.h"

/* Finds the folder of the shipped examples. It is beside the build tree, or under the install prefix. */
PetscErrorCode AppExamplesFolder(char path[], size_t size);
/* Finds the folder of one example. */
PetscErrorCode AppExampleFind(const char name[], char path[], size_t size);
/* Lists the names of the examples in a folder, sorted. The caller frees the list with AppFreeNames. */
PetscErrorCode AppExampleNames(const char folder[], PetscInt *n, char ***names);
/* Reads the next example of the table in README.md, which is sorted from easy to hard: its name and its subject.
   `*table` points into the text of README.md, and moves past the row. Returns false after the last row. */
PetscBool AppExampleRow(const char **table, char name[64], char shows[256]);
/* Returns the text of the deck that `carom new` writes. */
const char    *AppNewDeck(void);
PetscErrorCode AppFreeNames(PetscInt n, char ***names);
