/* Reads the field files that output/vtu.c writes. */
#pragma once

#include "base/base.h"

typedef struct {
  char     path[PETSC_MAX_PATH_LEN];
  char    *bytes; /* the whole file, owned */
  size_t   size;
  size_t   start; /* offset of the appended arrays in the file */
  PetscInt npoints, ncells;
} CrVtu;

/* Opens a field file. A file in another form than output/vtu.c writes is a user error. */
PetscErrorCode CrVtuOpen(const char path[], CrVtu *vtu);
PetscErrorCode CrVtuClose(CrVtu *vtu);
/* Returns the number of components of an array; 0 if the file has no array of that name. */
PetscInt CrVtuWidth(const CrVtu *vtu, const char name[]);
/* Reads an array of n numbers into values[], whatever their type in the file. The array must have exactly n
   numbers. */
PetscErrorCode CrVtuReals(const CrVtu *vtu, const char name[], PetscInt n, PetscReal values[]);
PetscErrorCode CrVtuIntegers(const CrVtu *vtu, const char name[], PetscInt n, PetscInt values[]);
/* Finds the number of values in an array. */
PetscErrorCode CrVtuLength(const CrVtu *vtu, const char name[], PetscInt *n);
