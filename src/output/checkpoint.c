/* Writes checkpoint.h5. Nodal vectors are in natural order, and numbers of cells in the order of the cells. So the file
   does not depend on the number of ranks. Every rank writes a range of rows (slab). Every data set has a checksum of
   its bytes, so that a damaged file is rejected. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text.h"
#include "output/checkpoint.h"
#include "output/checkpoint_file.h"
#include "output/file.h"
#include "model/slabs.h"

PetscErrorCode CrCheckpointMesh(const CrModel *model, int64_t *sum)
{
  const CrRigid *rigid = model->rigid;
  uint64_t       mine = 0, all, word;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->dim * model->nowned; k++) {
    uint64_t place = (uint64_t)model->natural[k / model->dim] * 3 + (uint64_t)(k % model->dim);

    memcpy(&word, &model->X[k], sizeof word);
    mine += CrH5Mix(place, word);
  }
  PetscCallMPI(MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, model->comm));
  for (PetscInt k = 0; k < 4 * rigid->n; k++) { /* the same on every rank */
    memcpy(&word, k < rigid->n ? &rigid->mass[k] : &rigid->inertia[k - rigid->n], sizeof word);
    all += CrH5Mix(~(uint64_t)k, word);
  }
  memcpy(sum, &all, sizeof *sum);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrEntryIsNodal(const CrEntry *e)
{
  return e->kind == CR_ENTRY_VEC || e->kind == CR_ENTRY_NODAL;
}

PetscBool CrEntryHasReals(const CrEntry *e)
{
  return e->kind == CR_ENTRY_REALS || e->kind == CR_ENTRY_REAL_LIST;
}

void CrEntryMarks(const CrEntry *e, CrEntry *marks)
{
  *marks = *e;
  snprintf(marks->name, sizeof marks->name, "%.40s.marks", e->name);
}

/* Numbers in a row of an entry in rows. */
PetscInt CrEntryWidth(const CrEntry *e)
{
  return e->rows->all ? e->n / e->rows->all : 0;
}

static CrH5Range range_of(const CrSlab *slab)
{
  return (CrH5Range){(hsize_t)slab->all, (hsize_t)slab->begin, (hsize_t)slab->n};
}

/* All of it on rank 0. */
static CrH5Range range_of_first(PetscMPIInt rank, PetscInt n)
{
  return (CrH5Range){(hsize_t)n, 0, rank ? 0 : (hsize_t)n};
}

/* ---- writing ------------------------------------------------------------------------------ */

static PetscErrorCode put_ints(const CrH5 *h5, PetscMPIInt rank, PetscInt n, const CrEntry *e,
                               PetscBool *good)
{
  int64_t *values;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(n, &values));
  for (PetscInt k = 0; rank == 0 && k < n; k++) values[k] = e->ints[k];
  *good = CrH5PutIntegers(h5, e->name, range_of_first(rank, n), values) && *good;
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode put_slab(const CrH5 *h5, const char name[], CrSlab *slab, PetscBool *good)
{
  PetscFunctionBeginUser;
  *good = CrH5PutReals(h5, name, range_of(slab), slab->values) && *good;
  PetscCall(CrSlabDestroy(slab));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Integers travel as reals, which hold them exactly. */
static PetscErrorCode put_int_slab(const CrH5 *h5, const char name[], CrSlab *slab, PetscBool *good)
{
  int64_t *values;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(slab->n, &values));
  for (PetscInt k = 0; k < slab->n; k++) values[k] = (int64_t)slab->values[k];
  *good = CrH5PutIntegers(h5, name, range_of(slab), values) && *good;
  PetscCall(PetscFree(values));
  PetscCall(CrSlabDestroy(slab));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows that this rank gives, each rank its slab. */
static PetscErrorCode write_rows(const CrH5 *h5, const CrModel *model, const CrEntry *e,
                                 PetscBool *good)
{
  const CrRows  *rows = e->rows;
  const PetscInt width = CrEntryWidth(e);
  PetscReal     *values;
  CrSlab         slab;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(rows->ngiven * width, &values));
  for (PetscInt k = 0; k < rows->ngiven * width; k++) {
    PetscInt at = rows->given[k / width] * width + k % width;

    values[k] = CrEntryHasReals(e) ? e->reals[at] : (PetscReal)e->ints[at];
  }
  PetscCall(
      CrSlabFromRows(model->comm, rows->all, rows->ngiven, rows->given, width, values, &slab));
  PetscCall(PetscFree(values));
  PetscCall(CrEntryHasReals(e) ? put_slab(h5, e->name, &slab, good)
                               : put_int_slab(h5, e->name, &slab, good));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers of nodes and cells, each rank its slab. */
static PetscErrorCode write_slab(const CrH5 *h5, const CrModel *model, const CrEntry *e,
                                 PetscMPIInt rank, PetscBool *good)
{
  const PetscReal *owned;
  CrSlab           slab;
  CrEntry          marks;

  PetscFunctionBeginUser;
  if (e->kind == CR_ENTRY_CELLS) {
    if (!e->n) PetscFunctionReturn(PETSC_SUCCESS);
    PetscCall(CrSlabFromCells(model, e->width, e->blocks, &slab));
    PetscCall(put_slab(h5, e->name, &slab, good));
    CrEntryMarks(e, &marks);
    PetscCall(put_ints(h5, rank, e->n, &marks, good));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (e->kind == CR_ENTRY_VEC) PetscCall(VecGetArrayRead(e->vec, &owned));
  PetscCall(CrSlabFromNodes(model, model->dim, e->kind == CR_ENTRY_VEC ? owned : e->reals, &slab));
  if (e->kind == CR_ENTRY_VEC) PetscCall(VecRestoreArrayRead(e->vec, &owned));
  PetscCall(put_slab(h5, e->name, &slab, good));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One entry. All ranks come here; rank 0 knows what is the same on all. */
static PetscErrorCode write_entry(const CrH5 *h5, const CrModel *model, const CrEntry *e,
                                  PetscMPIInt rank, PetscBool *good)
{
  PetscInt n = e->kind == CR_ENTRY_TEXT && rank == 0 ? (PetscInt)strlen(e->text) + 1 : e->n;

  PetscFunctionBeginUser;
  if (CrEntryIsNodal(e) || e->kind == CR_ENTRY_CELLS)
    PetscFunctionReturn(write_slab(h5, model, e, rank, good));
  if (e->rows) PetscFunctionReturn(write_rows(h5, model, e, good));
  PetscCallMPI(MPI_Bcast(&n, 1, MPIU_INT, 0, model->comm));
  if (e->kind == CR_ENTRY_TEXT)
    *good = CrH5PutText(h5, e->name, (size_t)n, e->text) && *good;
  else if (CrEntryHasReals(e))
    *good = CrH5PutReals(h5, e->name, range_of_first(rank, n), e->reals) && *good;
  else
    PetscCall(put_ints(h5, rank, n, e, good));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_all(const CrH5 *h5, const CrModel *model, const CrArchive *archive,
                                PetscBool *good)
{
  int64_t     mesh;
  PetscMPIInt rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCall(CrCheckpointMesh(model, &mesh));
  *good = CrH5PutNumber(h5->file, "format", CR_CHECKPOINT_FORMAT) &&
          CrH5PutNumber(h5->file, "nodes", model->nglobal) && CrH5PutNumber(h5->file, "mesh", mesh);
  for (PetscInt k = 0; k < archive->n; k++)
    PetscCall(write_entry(h5, model, &archive->entries[k], rank, good));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- one rank: from memory to the disk ---------------------------------------------------- */

/* Its bytes must be on the disk before the old file gives way. */
static PetscErrorCode save(hid_t file, const char dir[])
{
  OutputFile out = {0};
  void     **image = NULL;
  hssize_t   size;

  PetscFunctionBeginUser;
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || (size = H5Fget_file_image(file, NULL, 0)) <= 0 ||
      H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&image) < 0 || !image)
    CrMachineFail("%s/checkpoint.h5: cannot be created in memory", dir);
  PetscCall(CrFileBegin(&out, dir, "checkpoint.h5"));
  PetscCall(CrFileWrite(&out, *image, (size_t)size));
  PetscCall(CrFileSync(&out));
  PetscCall(CrFileEnd(&out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_alone(const char dir[], const CrModel *model, const CrArchive *archive)
{
  CrH5           h5;
  PetscBool      good;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  if (!CrH5Create(model->comm, "checkpoint.h5", &h5))
    CrMachineFail("out of memory for a checkpoint");
  PetscCall(write_all(&h5, model, archive, &good));
  code = good ? save(h5.file, dir) : CrMachineError("out of memory for a checkpoint");
  H5Fclose(h5.file);
  PetscFunctionReturn(code);
}

/* ---- several ranks: together to the disk -------------------------------------------------- */

typedef char Path[PETSC_MAX_PATH_LEN + 32];

#define ENTRY_BYTES 2048 /* what HDF5 itself needs for a data set, amply */

/* An upper bound for the size of the file. */
static PetscErrorCode count_bytes(const CrModel *model, const CrArchive *archive, off_t *bytes)
{
  PetscInt64 n = 0, common = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < archive->n; k++) {
    const CrEntry *e = &archive->entries[k];

    n += CrEntryIsNodal(e) ? model->nowned * model->dim : 0;
    for (PetscInt b = 0; e->kind == CR_ENTRY_CELLS && e->n && b < model->nblocks; b++)
      n += model->blocks[b].nowned * e->width[b];
    common += 8 * e->n + ENTRY_BYTES;
    if (e->kind == CR_ENTRY_TEXT && e->text) common += (PetscInt64)strlen(e->text) + 1;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPIU_INT64, MPI_SUM, model->comm));
  *bytes = (off_t)(8 * n + common + 65536);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is there room? HDF5 cannot close a file that the disk has no room for. What lies under the temporary name gives way: nothing is
   written into a FIFO or through a link. Rank 0. */
static PetscErrorCode reserve(const char path[], const Path tmp, off_t bytes)
{
  int fd, reason;

  PetscFunctionBeginUser;
  if (unlink(tmp) && errno != ENOENT)
    CrMachineFail("%s: cannot be written: %s", path, strerror(errno));
  fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) CrMachineFail("%s: cannot be created: %s", path, strerror(errno));
  reason = posix_fallocate(fd, 0, bytes);
  close(fd);
  if (reason == ENOSPC || reason == EFBIG || reason == EDQUOT) {
    unlink(tmp);
    CrMachineFail("%s: cannot be written: %s", path, strerror(reason));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bytes must be on the disk before the old file gives way. Rank 0. */
static PetscErrorCode replace(const char path[], const Path tmp)
{
  int fd = open(tmp, O_RDWR | O_CLOEXEC), bad = fd < 0 || (fsync(fd) && errno != EINVAL);

  PetscFunctionBeginUser;
  if (fd >= 0 && close(fd)) bad = 1;
  if (bad || rename(tmp, path)) {
    int reason = errno ? errno : EIO;

    unlink(tmp);
    CrMachineFail("%s: cannot be written: %s", path, strerror(reason));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_together(const char dir[], const CrModel *model,
                                     const CrArchive *archive)
{
  Path           path, tmp;
  CrH5           h5;
  off_t          bytes;
  PetscMPIInt    rank;
  PetscBool      good = PETSC_FALSE;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  snprintf(path, sizeof path - 4, "%s/checkpoint.h5", dir);
  snprintf(tmp, sizeof tmp, "%s/checkpoint.h5.tmp", dir);
  PetscCall(count_bytes(model, archive, &bytes));
  if (rank == 0) code = reserve(path, tmp, bytes);
  PetscCall(CrErrorAgree(model->comm, code));
  if (CrH5Create(model->comm, tmp, &h5)) {
    PetscCall(write_all(&h5, model, archive, &good));
    if (H5Fclose(h5.file) < 0) good = PETSC_FALSE;
  }
  code = good ? PETSC_SUCCESS : CrMachineError("%s: cannot be written", path);
  code = CrErrorAgree(model->comm, code);
  if (rank == 0) {
    if (code)
      unlink(tmp);
    else
      code = replace(path, tmp);
  }
  PetscFunctionReturn(CrErrorAgree(model->comm, code));
}

PetscErrorCode CrCheckpointWrite(const char dir[], const CrModel *model, const CrArchive *archive)
{
  PetscMPIInt size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  PetscFunctionReturn(size == 1 ? write_alone(dir, model, archive)
                                : write_together(dir, model, archive));
}
