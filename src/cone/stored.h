/* A stored problem on its way from a file: matrices as triplets, whatever their storage was. */
#pragma once

#include "cone/internal.h"

typedef struct {
  PetscInt  rows, cols, n;
  ConeInts  i, j;
  ConeReals x; /* doubles add */
} ConeTriplets;

typedef struct {
  PetscInt     dim, contacts;
  PetscBool    global; /* M v = H r + f, z = H^T v + q; else z = W r + q */
  ConeTriplets W, H;   /* W, or M and H */
  ConeReals    f, q, mu;
} ConeStored;

PetscErrorCode ConeTripletsAdd(ConeTriplets *t, PetscInt i, PetscInt j, PetscReal x);
PetscErrorCode ConeStoredFree(ConeStored *stored);
/* Text; `text` ends with a zero. Errors name path and line. */
PetscErrorCode ConeReadText(const char path[], const char text[], ConeStored *stored);
PetscErrorCode ConeReadHdf5(const char path[], ConeStored *stored);
/* W = H^T M^-1 H and q + H^T M^-1 f in the place of M, H, f, q. */
PetscErrorCode ConeCondense(const char path[], ConeStored *stored);
