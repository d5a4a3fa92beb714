/* The shipped examples: their folder and their names. */
#pragma once

#include "base/base.h"

/* The folder of the shipped examples: beside the build tree, or under the install prefix. */
PetscErrorCode AppExamplesFolder(char path[], size_t size);
/* The folder of one example. */
PetscErrorCode AppExampleFind(const char name[], char path[], size_t size);
/* Names of the examples in it, sorted; the caller frees with AppFreeNames. */
PetscErrorCode AppExampleNames(const char folder[], PetscInt *n, char ***names);
/* The next example of the table in README.md, from easy to hard, and what it shows. `*table` is the text of README.md, and
   moves on. False after the last one. */
PetscBool AppExampleRow(const char **table, char name[64], char shows[256]);
/* The deck that `carom new` writes. */
const char    *AppNewDeck(void);
PetscErrorCode AppFreeNames(PetscInt n, char ***names);
