#include "output/h5.h"
#include <string.h>

uint64_t CrH5Mix(uint64_t sum, uint64_t word)
{
  sum ^= word + 0x9e3779b97f4a7c15ULL + (sum << 6) + (sum >> 2);
  return sum * 0xff51afd7ed558ccdULL;
}

/* Every word is mixed with its place; the results are added, so that ranks can share the work. */
static uint64_t sum_of(CrH5Range range, const void *bytes)
{
  uint64_t sum = 0, word;

  for (hsize_t k = 0; k < range.n; k++) {
    memcpy(&word, (const char *)bytes + 8 * k, 8);
    sum += CrH5Mix(range.begin + k + 1, word);
  }
  return sum;
}

static uint64_t sum_of_text(size_t n, const char text[])
{
  uint64_t sum = 0;

  for (size_t k = 0; k < n; k += 8) {
    uint64_t word = 0;

    memcpy(&word, text + k, PetscMin(8, n - k));
    sum += CrH5Mix(k + 1, word);
  }
  return sum;
}

/* ---- files and numbers -------------------------------------------------------------------- */

/* One rank makes the file in memory: HDF5 cannot close one that the disk has no room for. Nor does it clean up at the
   end of the program, where a file that it still holds open would crash it. */
PetscBool CrH5Create(MPI_Comm comm, const char path[], CrH5 *h5)
{
  hid_t access;
  int   size, good;

  MPI_Comm_size(comm, &size);
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  access = H5Pcreate(H5P_FILE_ACCESS);
  *h5 = (CrH5){comm, -1};
  good = size == 1 ? H5Pset_fapl_core(access, 1 << 20, 0)
                   : H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
  if (good >= 0) h5->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  return h5->file >= 0;
}

PetscBool CrH5PutNumber(hid_t where, const char name[], int64_t value)
{
  hid_t     space = H5Screate(H5S_SCALAR);
  hid_t     attr = H5Acreate2(where, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  PetscBool good = attr >= 0 && H5Awrite(attr, H5T_NATIVE_INT64, &value) >= 0;

  if (attr >= 0) H5Aclose(attr);
  H5Sclose(space);
  return good;
}

PetscBool CrH5GetNumber(hid_t where, const char name[], int64_t *value)
{
  hid_t     attr = H5Aopen(where, name, H5P_DEFAULT);
  PetscBool good = attr >= 0 && H5Aread(attr, H5T_NATIVE_INT64, value) >= 0;

  if (attr >= 0) H5Aclose(attr);
  return good;
}

/* ---- data sets ---------------------------------------------------------------------------- */

static void select_range(hid_t space, CrH5Range range)
{
  if (range.n)
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &range.begin, NULL, &range.n, NULL);
  else
    H5Sselect_none(space);
}

/* The sum of all ranks. */
static int64_t sum_up(const CrH5 *h5, uint64_t sum)
{
  int64_t as_int;

  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, h5->comm);
  memcpy(&as_int, &sum, sizeof sum);
  return as_int;
}

/* All ranks call, and each writes or reads its own range, which is contiguous. To gather ranges on few ranks would only
   take buffers there. */
static void go_together(hid_t transfer)
{
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  H5Pset_dxpl_mpio_collective_opt(transfer, H5FD_MPIO_INDIVIDUAL_IO);
}

/* All ranks do everything, also after an error of one of them: nobody waits for ever. */
static PetscBool put(const CrH5 *h5, const char name[], hid_t disk, hid_t memory, CrH5Range range,
                     const void *values)
{
  hid_t   space = H5Screate_simple(1, &range.all, NULL), here = H5Screate_simple(1, &range.n, NULL);
  hid_t   set = H5Dcreate2(h5->file, name, disk, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t   transfer = H5Pcreate(H5P_DATASET_XFER);
  int64_t sum = sum_up(h5, sum_of(range, values));
  int     size, good = 0;

  MPI_Comm_size(h5->comm, &size);
  if (size > 1) go_together(transfer);
  select_range(space, range);
  if (!range.n) H5Sselect_none(here);
  if (set >= 0) {
    /* an empty data set has no place in the file, where several ranks would write nothing */
    good = !range.all || H5Dwrite(set, memory, here, space, transfer, values) >= 0;
    if (!CrH5PutNumber(set, "sum", sum)) good = 0;
    H5Dclose(set);
  }
  H5Pclose(transfer);
  H5Sclose(here);
  H5Sclose(space);
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, h5->comm);
  return good != 0;
}

PetscBool CrH5PutReals(const CrH5 *h5, const char name[], CrH5Range range, const double *values)
{
  return put(h5, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, range, values);
}

PetscBool CrH5PutIntegers(const CrH5 *h5, const char name[], CrH5Range range, const int64_t *values)
{
  return put(h5, name, H5T_STD_I64LE, H5T_NATIVE_INT64, range, values);
}

PetscBool CrH5PutText(const CrH5 *h5, const char name[], size_t n, const char *text)
{
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), here = H5Screate(H5S_SCALAR),
        set = -1;
  int     rank, good = 0;
  int64_t sum;

  MPI_Comm_rank(h5->comm, &rank);
  sum = sum_up(h5, rank ? 0 : sum_of_text(n, text));
  if (H5Tset_size(type, n) >= 0)
    set = H5Dcreate2(h5->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (rank) {
    H5Sselect_none(here);
    H5Sselect_none(space);
  }
  if (set >= 0) {
    good = H5Dwrite(set, type, here, space, H5P_DEFAULT, text) >= 0;
    if (!CrH5PutNumber(set, "sum", sum)) good = 0;
    H5Dclose(set);
  }
  H5Sclose(here);
  H5Sclose(space);
  H5Tclose(type);
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, h5->comm);
  return good != 0;
}

/* ---- reading ------------------------------------------------------------------------------ */

static PetscBool get(hid_t file, const char name[], hid_t memory, CrH5Range range, void *values,
                     uint64_t *sum)
{
  hid_t     set = H5Dopen2(file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  hid_t     here = H5Screate_simple(1, &range.n, NULL);
  PetscBool good = space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)range.all;

  if (good && range.n) {
    select_range(space, range);
    good = H5Dread(set, memory, here, space, H5P_DEFAULT, values) >= 0;
  }
  *sum = good ? sum_of(range, values) : 0;
  H5Sclose(here);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return good;
}

PetscBool CrH5GetReals(hid_t file, const char name[], CrH5Range range, double *values,
                       uint64_t *sum)
{
  return get(file, name, H5T_NATIVE_DOUBLE, range, values, sum);
}

PetscBool CrH5GetIntegers(hid_t file, const char name[], CrH5Range range, int64_t *values,
                          uint64_t *sum)
{
  return get(file, name, H5T_NATIVE_INT64, range, values, sum);
}

hsize_t CrH5Length(hid_t file, const char name[])
{
  hid_t    set = H5Dopen2(file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  hssize_t n = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);

  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return n < 0 ? 0 : (hsize_t)n;
}

PetscBool CrH5Sum(hid_t file, const char name[], uint64_t *sum)
{
  hid_t     set = H5Dopen2(file, name, H5P_DEFAULT);
  int64_t   stored = 0;
  PetscBool good = set >= 0 && CrH5GetNumber(set, "sum", &stored);

  if (set >= 0) H5Dclose(set);
  memcpy(sum, &stored, sizeof *sum);
  return good;
}

PetscErrorCode CrH5GetText(hid_t file, const char name[], PetscBool *there, char **text)
{
  hid_t     set = H5Dopen2(file, name, H5P_DEFAULT), type = set < 0 ? -1 : H5Dget_type(set);
  size_t    n = type < 0 ? 0 : H5Tget_size(type);
  int64_t   stored = 0;
  uint64_t  sum;
  PetscBool good = n > 0 && n < 1 << 30;

  PetscFunctionBeginUser;
  *there = set >= 0;
  *text = NULL;
  if (good) PetscCall(PetscMalloc1(n, text));
  good = good && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0 &&
         CrH5GetNumber(set, "sum", &stored) && !(*text)[n - 1];
  sum = good ? sum_of_text(n, *text) : 0;
  if (!good || memcmp(&sum, &stored, sizeof sum)) PetscCall(PetscFree(*text));
  if (type >= 0) H5Tclose(type);
  if (set >= 0) H5Dclose(set);
  PetscFunctionReturn(PETSC_SUCCESS);
}
