/* Data sets of an HDF5 file. Every data set has a checksum of its bytes. If several ranks write a file, they write it
   collectively, and each rank writes its own range of rows (slab). Any number of ranks can read the file, independently
   of each other. */
#pragma once

#include <hdf5.h>
#include <stdint.h>
#include "base/base.h"

/* Numbers of a data set, eight bytes each. */
typedef struct {
  hsize_t all, begin, n; /* number on all ranks, on lower ranks, on this rank */
} CrH5Range;

typedef struct {
  MPI_Comm comm; /* the ranks that write; MPI_COMM_SELF: one */
  hid_t    file;
} CrH5;

/* Computes the term of one word in a checksum. The terms are added up, in any order and by any rank. */
uint64_t CrH5Mix(uint64_t sum, uint64_t word);

/* Creates a file: in memory for one rank, on disk under `path` for several. Collective. */
PetscBool CrH5Create(MPI_Comm comm, const char path[], CrH5 *h5);
/* Write and read a number of the whole file or of a data set. The number is the same on every rank. */
PetscBool CrH5PutNumber(hid_t where, const char name[], int64_t value);
PetscBool CrH5GetNumber(hid_t where, const char name[], int64_t *value);
/* Write a data set of reals or of 64-bit integers, and a text of n bytes, which rank 0 has. Collective. */
PetscBool CrH5PutReals(const CrH5 *h5, const char name[], CrH5Range range, const double *values);
PetscBool CrH5PutIntegers(const CrH5 *h5, const char name[], CrH5Range range,
                          const int64_t *values);
PetscBool CrH5PutText(const CrH5 *h5, const char name[], size_t n, const char *text);
/* Read a range of a data set, each rank by itself. *sum is the part of the checksum for this range. */
PetscBool CrH5GetReals(hid_t file, const char name[], CrH5Range range, double *values,
                       uint64_t *sum);
PetscBool CrH5GetIntegers(hid_t file, const char name[], CrH5Range range, int64_t *values,
                          uint64_t *sum);
/* CrH5Length returns the number of values of a data set; 0: the data set does not exist. CrH5Sum reads its checksum. */
hsize_t   CrH5Length(hid_t file, const char name[]);
PetscBool CrH5Sum(hid_t file, const char name[], uint64_t *sum);
/* Reads a text; the caller frees it. *there is true if the file has this text. */
PetscErrorCode CrH5GetText(hid_t file, const char name[], PetscBool *there, char **text);
