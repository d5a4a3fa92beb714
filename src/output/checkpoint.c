/* Rank 0 writes and reads; nodal vectors stand in natural order, so that the number of ranks does
   not matter. Every data set carries a sum of its bytes: a damaged file is refused, not continued. */
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "output/checkpoint.h"

#define FORMAT 1

/* ---- sums --------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t sum, uint64_t word)
{
  sum ^= word + 0x9e3779b97f4a7c15ULL + (sum << 6) + (sum >> 2);
  return sum * 0xff51afd7ed558ccdULL;
}

static uint64_t sum_of(const void *bytes, size_t nwords)
{
  uint64_t sum = 1, word;

  for (size_t k = 0; k < nwords; k++) {
    memcpy(&word, (const char *)bytes + 8 * k, 8);
    sum = mix(sum, word);
  }
  return sum;
}

/* The mesh in one number, whatever the ranks: a wrapping sum over nodes. */
static PetscErrorCode mesh_sum(const CrModel *model, int64_t *sum)
{
  uint64_t mine = 0, all;

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < model->nowned; A++)
    mine += mix((uint64_t)model->natural[A], sum_of(model->X + model->dim * A, (size_t)model->dim));
  PetscCallMPI(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, model->comm));
  if (model->rigid->n) /* the same on every rank */
    all += mix(sum_of(model->rigid->mass, (size_t)model->rigid->n),
               sum_of(model->rigid->inertia, 3 * (size_t)model->rigid->n));
  memcpy(sum, &all, sizeof *sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- one data set, rank 0 ----------------------------------------------------------------- */

static PetscBool put_number(hid_t where, const char name[], int64_t value)
{
  hid_t     space = H5Screate(H5S_SCALAR);
  hid_t     attr = H5Acreate2(where, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  PetscBool good = attr >= 0 && H5Awrite(attr, H5T_NATIVE_INT64, &value) >= 0;

  if (attr >= 0) H5Aclose(attr);
  H5Sclose(space);
  return good;
}

static PetscBool get_number(hid_t where, const char name[], int64_t *value)
{
  hid_t     attr = H5Aopen(where, name, H5P_DEFAULT);
  PetscBool good = attr >= 0 && H5Aread(attr, H5T_NATIVE_INT64, value) >= 0;

  if (attr >= 0) H5Aclose(attr);
  return good;
}

static PetscBool put(hid_t file, const char name[], hid_t disk, hid_t memory, hsize_t n,
                     const void *data)
{
  hid_t     space = H5Screate_simple(1, &n, NULL);
  hid_t     set = H5Dcreate2(file, name, disk, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  uint64_t  sum = sum_of(data, n);
  int64_t   as_int;
  PetscBool good = set >= 0 && H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;

  memcpy(&as_int, &sum, sizeof sum);
  good = good && put_number(set, "sum", as_int);
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  return good;
}

static PetscBool get(hid_t file, const char name[], hid_t memory, hsize_t n, void *data)
{
  hid_t     set = H5Dopen2(file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  int64_t   stored;
  uint64_t  sum;
  PetscBool good = space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)n &&
                   H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0 &&
                   get_number(set, "sum", &stored);

  if (good) {
    sum = sum_of(data, n);
    good = !memcmp(&sum, &stored, sizeof sum);
  }
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return good;
}

/* ---- writing ------------------------------------------------------------------------------ */

static PetscBool has_reals(const CrEntry *e)
{
  return e->kind == CR_ENTRY_REALS || e->kind == CR_ENTRY_REAL_LIST;
}

static PetscBool put_ints(hid_t file, const CrEntry *e)
{
  int64_t  *values = malloc(sizeof *values * (size_t)PetscMax(1, e->n));
  PetscBool good;

  for (PetscInt k = 0; values && k < e->n; k++) values[k] = e->ints[k];
  good = values && put(file, e->name, H5T_STD_I64LE, H5T_NATIVE_INT64, (hsize_t)e->n, values);
  free(values);
  return good;
}

/* One entry; vectors are gathered, so all ranks come here. *good matters on rank 0. */
static PetscErrorCode write_entry(hid_t file, const CrModel *model, const CrEntry *e,
                                  PetscReal *all, PetscMPIInt rank, PetscBool *good)
{
  const PetscReal *owned;
  hsize_t          n = (hsize_t)(model->nglobal * model->dim);

  PetscFunctionBeginUser;
  if (e->kind == CR_ENTRY_VEC) {
    PetscCall(VecGetArrayRead(e->vec, &owned));
    PetscCall(CrModelGather(model, model->dim, owned, all));
    PetscCall(VecRestoreArrayRead(e->vec, &owned));
  }
  if (rank || !*good) PetscFunctionReturn(PETSC_SUCCESS);
  if (e->kind == CR_ENTRY_VEC)
    *good = put(file, e->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n, all);
  else if (has_reals(e))
    *good = put(file, e->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (hsize_t)e->n, e->reals);
  else
    *good = put_ints(file, e);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bytes must be on the disk before the old file gives way. */
static PetscErrorCode settle(const char temporary[], const char path[])
{
  int       fd = open(temporary, O_RDONLY), error;
  PetscBool synced;

  synced = fd >= 0 && !fsync(fd);
  error = errno;
  if (fd >= 0) close(fd);
  if (synced && !rename(temporary, path)) return PETSC_SUCCESS;
  if (synced) error = errno;
  unlink(temporary);
  return CrMachineError("%s: cannot be written: %s", path, strerror(error));
}

PetscErrorCode CrCheckpointWrite(const char dir[], const CrModel *model, const CrArchive *archive)
{
  char           path[PETSC_MAX_PATH_LEN], temporary[PETSC_MAX_PATH_LEN + 8];
  PetscReal     *all;
  int64_t        mesh;
  hid_t          file = -1;
  PetscBool      good = PETSC_TRUE;
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  snprintf(path, sizeof path, "%s/checkpoint.h5", dir);
  snprintf(temporary, sizeof temporary, "%s.tmp", path);
  PetscCall(PetscMalloc1(rank ? 0 : model->nglobal * model->dim, &all));
  PetscCall(mesh_sum(model, &mesh));
  if (rank == 0) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    errno = 0;
    file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    good = file >= 0 && put_number(file, "format", FORMAT) &&
           put_number(file, "nodes", model->nglobal) && put_number(file, "mesh", mesh);
  }
  for (PetscInt k = 0; k < archive->n; k++)
    PetscCall(write_entry(file, model, &archive->entries[k], all, rank, &good));
  if (rank == 0) {
    if (file >= 0 && H5Fclose(file) < 0) good = PETSC_FALSE;
    if (good)
      code = settle(temporary, path);
    else {
      code = CrMachineError("%s: cannot be written%s%s", path, errno ? ": " : "",
                            errno ? strerror(errno) : "");
      unlink(temporary);
    }
  }
  PetscCall(PetscFree(all));
  PetscFunctionReturn(CrErrorAgree(model->comm, code));
}

/* ---- reading ------------------------------------------------------------------------------ */

static PetscErrorCode check_header(hid_t file, const char path[], const CrModel *model,
                                   int64_t mesh)
{
  int64_t format, nodes, stored;

  PetscFunctionBeginUser;
  if (!get_number(file, "format", &format) || !get_number(file, "nodes", &nodes) ||
      !get_number(file, "mesh", &stored))
    CrInputFail("%s: is no checkpoint of carom", path);
  if (format != FORMAT)
    CrInputFail("%s: format %d is not known, only %d", path, (int)format, FORMAT);
  if (nodes != model->nglobal || stored != mesh)
    CrInputFail("%s: was made with another mesh than run.yaml describes", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool get_ints(hid_t file, const CrEntry *e)
{
  int64_t  *values = malloc(sizeof *values * (size_t)PetscMax(1, e->n));
  PetscBool good;

  good = values && get(file, e->name, H5T_NATIVE_INT64, (hsize_t)e->n, values);
  for (PetscInt k = 0; good && k < e->n; k++) e->ints[k] = (PetscInt)values[k];
  free(values);
  return good;
}

/* Room for a list as long as it is in the file; empty if it is not there. */
static PetscErrorCode make_list(hid_t file, MPI_Comm comm, PetscMPIInt rank, CrEntry *e)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  if (rank == 0) {
    hid_t set = H5Dopen2(file, e->name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);

    if (space >= 0) n = (PetscInt)H5Sget_simple_extent_npoints(space);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    if (n < 0 || n > 1000000000) n = 0;
  }
  PetscCallMPI(MPI_Bcast(&n, 1, MPIU_INT, 0, comm));
  *e->count = e->n = n;
  if (e->kind == CR_ENTRY_REAL_LIST) {
    PetscCall(PetscFree(*e->real_list));
    PetscCall(PetscMalloc1(PetscMax(n, 1), e->real_list));
    e->reals = *e->real_list;
  } else {
    PetscCall(PetscFree(*e->list));
    PetscCall(PetscMalloc1(PetscMax(n, 1), e->list));
    e->ints = *e->list;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rank 0 reads, everybody gets it. */
static PetscErrorCode read_entry(hid_t file, const char path[], const CrModel *model, CrEntry *e,
                                 PetscReal *all, PetscMPIInt rank)
{
  PetscReal     *owned;
  PetscBool      good = PETSC_TRUE;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (rank == 0 && e->kind == CR_ENTRY_VEC)
    good = get(file, e->name, H5T_NATIVE_DOUBLE, (hsize_t)(model->nglobal * model->dim), all);
  if (e->kind == CR_ENTRY_LIST || e->kind == CR_ENTRY_REAL_LIST)
    PetscCall(make_list(file, model->comm, rank, e));
  if (rank == 0 && has_reals(e))
    good = get(file, e->name, H5T_NATIVE_DOUBLE, (hsize_t)e->n, e->reals);
  if (rank == 0 && (e->kind == CR_ENTRY_INTS || e->kind == CR_ENTRY_LIST)) good = get_ints(file, e);
  if (!good) code = CrInputError("%s: \"%s\" is missing or damaged", path, e->name);
  PetscCall(CrErrorAgree(model->comm, code));
  if (e->kind == CR_ENTRY_VEC) {
    PetscCall(VecGetArray(e->vec, &owned));
    PetscCall(CrModelScatter(model, model->dim, all, owned));
    PetscCall(VecRestoreArray(e->vec, &owned));
    PetscCall(CrModelUpdateGhosts(model, e->vec));
  } else if (has_reals(e))
    PetscCallMPI(MPI_Bcast(e->reals, (int)e->n, MPIU_REAL, 0, model->comm));
  else
    PetscCallMPI(MPI_Bcast(e->ints, (int)e->n, MPIU_INT, 0, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode open_file(const char path[], const CrModel *model, int64_t mesh, hid_t *file)
{
  PetscFunctionBeginUser;
  if (access(path, F_OK))
    CrInputFail("%s: there is no checkpoint to go on from; begin anew: carom run DECK.yaml --force",
                path);
  if (access(path, R_OK)) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (*file < 0) CrInputFail("%s: is truncated or no HDF5 file", path);
  PetscCall(check_header(*file, path, model, mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrCheckpointRead(const char dir[], const CrModel *model, CrArchive *archive)
{
  char           path[PETSC_MAX_PATH_LEN];
  PetscReal     *all;
  int64_t        mesh;
  hid_t          file = -1;
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  snprintf(path, sizeof path, "%s/checkpoint.h5", dir);
  PetscCall(mesh_sum(model, &mesh));
  if (rank == 0) code = open_file(path, model, mesh, &file);
  code = CrErrorAgree(model->comm, code);
  PetscCall(PetscMalloc1(rank ? 0 : model->nglobal * model->dim, &all));
  for (PetscInt k = 0; !code && k < archive->n; k++)
    code = read_entry(file, path, model, &archive->entries[k], all, rank);
  PetscCall(PetscFree(all));
  if (file >= 0) H5Fclose(file);
  PetscFunctionReturn(code);
}
