/* The shipped examples: their folder and their names. */
#pragma once

#include "base/base.h"

/* The folder of the shipped examples: beside the build tree, or under the install prefix. */
PetscErrorCode AppExamplesFolder(char path[], size_t size);
/* The folder of one example. */
PetscErrorCode AppExampleFind(const char name[], char path[], size_t size);
/* Names of the examples in it, sorted; the caller frees with AppFreeNames. */
PetscErrorCode AppExampleNames(const char folder[], PetscInt *n, char ***names);
PetscErrorCode AppFreeNames(PetscInt n, char ***names);
