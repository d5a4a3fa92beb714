/* A friction problem (cone.h) while it is read from a file. The matrices of the problem are stored as triplets (row,
   column, value), whatever the format of the file. */
#pragma once

#include "cone/internal.h"

typedef struct {
  PetscInt  rows, cols, n;
  ConeInts  i, j;
  ConeReals x; /* values; entries that occur twice are added */
} ConeTriplets;

typedef struct {
  PetscInt dim, contacts;
  /* true: the problem is M v = H r + f, z = H^T v + q with velocities v; false: it is z = W r + q */
  PetscBool    global;
  ConeTriplets W, H; /* local problem: W is its matrix; global problem: W contains M */
  ConeReals    f, q, mu;
} ConeStored;

PetscErrorCode ConeTripletsAdd(ConeTriplets *t, PetscInt i, PetscInt j, PetscReal x);
PetscErrorCode ConeStoredFree(ConeStored *stored);
/* Reads a problem from a zero-terminated text. Error messages contain the path and the line. */
PetscErrorCode ConeReadText(const char path[], const char text[], ConeStored *stored);
PetscErrorCode ConeReadHdf5(const char path[], ConeStored *stored);
/* Turns a global problem into a local one: W = H^T M^-1 H, and q + H^T M^-1 f in place of q. */
PetscErrorCode ConeCondense(const char path[], ConeStored *stored);
