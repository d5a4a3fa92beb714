/* Reads back the field files that output/vtu.c writes. */
#pragma once

#include "base/base.h"

typedef struct {
  char     path[PETSC_MAX_PATH_LEN];
  char    *bytes; /* the whole file, owned */
  size_t   size;
  size_t   start; /* of the appended arrays */
  PetscInt npoints, ncells;
} CrVtu;

/* A file that is not as output/vtu.c writes it is a mistake of the user. */
PetscErrorCode CrVtuOpen(const char path[], CrVtu *vtu);
PetscErrorCode CrVtuClose(CrVtu *vtu);
/* Components of an array; 0 if the file has none of that name. */
PetscInt CrVtuWidth(const CrVtu *vtu, const char name[]);
/* An array of n numbers, whichever type the file has them in; n must fit. values[] is filled. */
PetscErrorCode CrVtuReals(const CrVtu *vtu, const char name[], PetscInt n, PetscReal values[]);
PetscErrorCode CrVtuIntegers(const CrVtu *vtu, const char name[], PetscInt n, PetscInt values[]);
/* How many numbers the array holds. */
PetscErrorCode CrVtuLength(const CrVtu *vtu, const char name[], PetscInt *n);
