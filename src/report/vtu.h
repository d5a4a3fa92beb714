/* Reads the field files that output/vtu.c writes. */
#pragma once

#include "base/base.h"

typedef struct {
  char     path[PETSC_MAX_PATH_LEN];
  char    *bytes; /* contents of the whole file; owned */
  size_t   size;
  size_t   start; /* position in the file, in bytes, at which the appended binary arrays begin */
  PetscInt npoints, ncells;
} CrVtu;

/* Opens a field file. A file whose form differs from the files of output/vtu.c is a user error. */
PetscErrorCode CrVtuOpen(const char path[], CrVtu *vtu);
PetscErrorCode CrVtuClose(CrVtu *vtu);
/* Returns the number of components of the array `name`, or 0 if the file has no array of this name. */
PetscInt CrVtuWidth(const CrVtu *vtu, const char name[]);
/* Read the array `name` into values[], converted from its type in the file. The array must have exactly n numbers. */
PetscErrorCode CrVtuReals(const CrVtu *vtu, const char name[], PetscInt n, PetscReal values[]);
PetscErrorCode CrVtuIntegers(const CrVtu *vtu, const char name[], PetscInt n, PetscInt values[]);
/* Sets *n to the number of values in the array `name`. */
PetscErrorCode CrVtuLength(const CrVtu *vtu, const char name[], PetscInt *n);
