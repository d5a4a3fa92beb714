/* Writes and reads data sets of HDF5 files. Every data set has a checksum of its bytes. If several ranks write a file,
   they write it collectively, and each rank writes its own range of rows. Any number of ranks can read the file,
   independently of each other. */
#pragma once

#include <hdf5.h>
#include <stdint.h>
#include "base/base.h"

/* The range of a data set that this rank writes or reads. A data set consists of numbers of eight bytes each. */
typedef struct {
  /* count of numbers on all ranks, on the ranks below this one, and on this rank */
  hsize_t all, begin, n;
} CrH5Range;

typedef struct {
  MPI_Comm comm; /* communicator of the ranks that write; MPI_COMM_SELF: only this rank */
  hid_t    file;
} CrH5;

/* Returns the contribution of one 64-bit word to a checksum. The contributions are added up, in any order and by any
   rank. */
uint64_t CrH5Mix(uint64_t sum, uint64_t word);

/* Creates an HDF5 file. For one rank the file is made in memory; for several ranks it is made on disk under `path`.
   Returns false if it fails. Collective. */
PetscBool CrH5Create(MPI_Comm comm, const char path[], CrH5 *h5);
/* Write and read an integer attribute of the whole file or of a data set. The number is the same on every rank. */
PetscBool CrH5PutNumber(hid_t where, const char name[], int64_t value);
PetscBool CrH5GetNumber(hid_t where, const char name[], int64_t *value);
/* CrH5PutReals and CrH5PutIntegers write a data set; each rank writes its own range. CrH5PutText writes a text of n
   bytes, which only rank 0 has. Collective. */
PetscBool CrH5PutReals(const CrH5 *h5, const char name[], CrH5Range range, const double *values);
PetscBool CrH5PutIntegers(const CrH5 *h5, const char name[], CrH5Range range,
                          const int64_t *values);
PetscBool CrH5PutText(const CrH5 *h5, const char name[], size_t n, const char *text);
/* Read a range of a data set into `values`. Each rank reads independently. *sum is the contribution of this range to
   the checksum. */
PetscBool CrH5GetReals(hid_t file, const char name[], CrH5Range range, double *values,
                       uint64_t *sum);
PetscBool CrH5GetIntegers(hid_t file, const char name[], CrH5Range range, int64_t *values,
                          uint64_t *sum);
/* CrH5Length returns the number of values in a data set, or 0 if the data set does not exist. CrH5Sum reads the
   checksum that is stored with the data set. */
hsize_t   CrH5Length(hid_t file, const char name[]);
PetscBool CrH5Sum(hid_t file, const char name[], uint64_t *sum);
/* Reads the text `name` of a file; the caller frees *text. *there is true if the file has this text. */
PetscErrorCode CrH5GetText(hid_t file, const char name[], PetscBool *there, char **text);
