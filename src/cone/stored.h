/* A stored problem while it is read from a file. The matrices of a stored problem are triplets, whatever the format of
   the file. */
#pragma once

#include "cone/internal.h"

typedef struct {
  PetscInt  rows, cols, n;
  ConeInts  i, j;
  ConeReals x; /* entries that occur twice are added */
} ConeTriplets;

typedef struct {
  PetscInt     dim, contacts;
  PetscBool    global; /* M v = H r + f, z = H^T v + q; else z = W r + q */
  ConeTriplets W, H;   /* local: W. global: M (in W) and H */
  ConeReals    f, q, mu;
} ConeStored;

PetscErrorCode ConeTripletsAdd(ConeTriplets *t, PetscInt i, PetscInt j, PetscReal x);
PetscErrorCode ConeStoredFree(ConeStored *stored);
/* Reads a problem from a text that ends with a zero. Error messages contain path and line. */
PetscErrorCode ConeReadText(const char path[], const char text[], ConeStored *stored);
PetscErrorCode ConeReadHdf5(const char path[], ConeStored *stored);
/* Turns a global problem into a local one: W = H^T M^-1 H, and q + H^T M^-1 f in place of q. */
PetscErrorCode ConeCondense(const char path[], ConeStored *stored);
