/* Rank 0 writes and reads; nodal vectors stand in natural order and numbers of cells in that of the
   cells, so that the number of ranks does not matter. Every data set carries a sum of its bytes: a damaged file is refused, not continued. */
#include <errno.h>
#include <hdf5.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/text.h"
#include "output/checkpoint.h"
#include "output/file.h"
#include "model/gather.h"

#define FORMAT 2 /* 1 had no texts */

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

static PetscBool is_nodal(const CrEntry *e)
{
  return e->kind == CR_ENTRY_VEC || e->kind == CR_ENTRY_NODAL;
}

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

/* Where the marks of numbers of cells stand, beside them. */
static void marks_of(const CrEntry *e, CrEntry *marks)
{
  *marks = *e;
  snprintf(marks->name, sizeof marks->name, "%.40s.marks", e->name);
}

static PetscErrorCode write_cells(hid_t file, const CrModel *model, const CrEntry *e,
                                  PetscMPIInt rank, PetscBool *good)
{
  PetscInt   n;
  PetscReal *all;
  CrEntry    marks;

  PetscFunctionBeginUser;
  if (!e->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrModelCountCells(model, e->width, &n));
  PetscCall(PetscMalloc1(rank ? 0 : n, &all));
  PetscCall(CrModelGatherReals(model, e->width, e->blocks, all));
  marks_of(e, &marks);
  if (rank == 0 && *good)
    *good = put(file, e->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (hsize_t)n, all) &&
            put_ints(file, &marks);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A sum of the bytes of a text, padded to whole words. */
static int64_t sum_of_text(const char text[], size_t n)
{
  uint64_t sum = 1;
  int64_t  as_int;

  for (size_t k = 0; k < n; k += 8) {
    uint64_t word = 0;

    memcpy(&word, text + k, PetscMin(8, n - k));
    sum = mix(sum, word);
  }
  memcpy(&as_int, &sum, sizeof sum);
  return as_int;
}

static PetscBool put_text(hid_t file, const CrEntry *e)
{
  const size_t n = strlen(e->text) + 1;
  hid_t        type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), set = -1;
  PetscBool    good;

  if (type >= 0 && H5Tset_size(type, n) >= 0)
    set = H5Dcreate2(file, e->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, e->text) >= 0 &&
         put_number(set, "sum", sum_of_text(e->text, n));
  if (set >= 0) H5Dclose(set);
  if (type >= 0) H5Tclose(type);
  H5Sclose(space);
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
  if (e->kind == CR_ENTRY_NODAL) PetscCall(CrModelGather(model, model->dim, e->reals, all));
  if (e->kind == CR_ENTRY_CELLS) PetscCall(write_cells(file, model, e, rank, good));
  if (rank || !*good || e->kind == CR_ENTRY_CELLS) PetscFunctionReturn(PETSC_SUCCESS);
  if (is_nodal(e))
    *good = put(file, e->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, n, all);
  else if (has_reals(e))
    *good = put(file, e->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (hsize_t)e->n, e->reals);
  else if (e->kind == CR_ENTRY_TEXT)
    *good = put_text(file, e);
  else
    *good = put_ints(file, e);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The file is made in memory: HDF5 cannot close one that the disk has no room for, and a file that it
   holds open crashes the end of the program. */
static hid_t create_in_memory(void)
{
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;

  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (access >= 0 && H5Pset_fapl_core(access, 1 << 20, 0) >= 0)
    file = H5Fcreate("checkpoint.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (access >= 0) H5Pclose(access);
  return file;
}

/* From there to the disk. Its bytes must be on it before the old file gives way. */
static PetscErrorCode save(hid_t file, const char dir[])
{
  OutputFile out = {0};
  void     **image = NULL;
  hssize_t   size;

  PetscFunctionBeginUser;
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 || (size = H5Fget_file_image(file, NULL, 0)) <= 0 ||
      H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&image) < 0 || !image)
    CrMachineFail("%s/checkpoint.h5: cannot be made in memory", dir);
  PetscCall(CrFileBegin(&out, dir, "checkpoint.h5"));
  PetscCall(CrFileWrite(&out, *image, (size_t)size));
  PetscCall(CrFileSync(&out));
  PetscCall(CrFileEnd(&out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrCheckpointWrite(const char dir[], const CrModel *model, const CrArchive *archive)
{
  PetscReal     *all;
  int64_t        mesh;
  hid_t          file = -1;
  PetscBool      good = PETSC_TRUE;
  PetscMPIInt    rank;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCall(PetscMalloc1(rank ? 0 : model->nglobal * model->dim, &all));
  PetscCall(mesh_sum(model, &mesh));
  if (rank == 0) {
    file = create_in_memory();
    good = file >= 0 && put_number(file, "format", FORMAT) &&
           put_number(file, "nodes", model->nglobal) && put_number(file, "mesh", mesh);
  }
  for (PetscInt k = 0; k < archive->n; k++)
    PetscCall(write_entry(file, model, &archive->entries[k], all, rank, &good));
  if (rank == 0) code = good ? save(file, dir) : CrMachineError("out of memory for a checkpoint");
  if (file >= 0) H5Fclose(file);
  PetscCall(PetscFree(all));
  PetscFunctionReturn(CrErrorAgree(model->comm, code));
}

/* ---- reading ------------------------------------------------------------------------------ */

static PetscErrorCode check_format(hid_t file, const char path[])
{
  int64_t format;

  PetscFunctionBeginUser;
  if (!get_number(file, "format", &format)) CrInputFail("%s: is no checkpoint of carom", path);
  if (format != FORMAT)
    CrInputFail("%s: format %d is not known, only %d", path, (int)format, FORMAT);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_header(hid_t file, const char path[], const CrModel *model,
                                   int64_t mesh)
{
  int64_t nodes, stored;

  PetscFunctionBeginUser;
  PetscCall(check_format(file, path));
  if (!get_number(file, "nodes", &nodes) || !get_number(file, "mesh", &stored))
    CrInputFail("%s: is no checkpoint of carom", path);
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

/* Do the numbers of cells belong to the elements and laws of the model? Rank 0. */
static PetscErrorCode check_marks(hid_t file, const char path[], const CrModel *model,
                                  const CrEntry *e)
{
  CrEntry  marks;
  PetscInt k = 0;

  PetscFunctionBeginUser;
  if (!e->n && H5Lexists(file, e->name, H5P_DEFAULT) > 0)
    CrInputFail("%s: holds a state of its materials, which no law of run.yaml has", path);
  if (!e->n) PetscFunctionReturn(PETSC_SUCCESS);
  if (H5Lexists(file, e->name, H5P_DEFAULT) <= 0)
    CrInputFail("%s: holds no state of the materials; another law was used", path);
  marks_of(e, &marks);
  PetscCall(PetscMalloc1(e->n, &marks.ints));
  if (!get_ints(file, &marks)) k = -1;
  while (k >= 0 && k < e->n && marks.ints[k] == e->ints[k]) k++;
  PetscCall(PetscFree(marks.ints));
  if (k < 0) CrInputFail("%s: \"%s\" is missing or damaged", path, marks.name);
  if (k < e->n)
    CrInputFail("%s: body %s had another element type, integration or law than in run.yaml", path,
                model->bodies[k / (e->n / model->nbodies)].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_cells(hid_t file, const char path[], const CrModel *model,
                                 const CrEntry *e, PetscMPIInt rank)
{
  PetscInt       n;
  PetscReal     *all;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (rank == 0) code = check_marks(file, path, model, e);
  PetscCall(CrErrorAgree(model->comm, code));
  if (!e->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrModelCountCells(model, e->width, &n));
  PetscCall(PetscMalloc1(rank ? 0 : n, &all));
  if (rank == 0 && !get(file, e->name, H5T_NATIVE_DOUBLE, (hsize_t)n, all))
    code = CrInputError("%s: \"%s\" is missing or damaged", path, e->name);
  code = CrErrorAgree(model->comm, code);
  if (!code) PetscCall(CrModelScatterReals(model, e->width, all, e->blocks));
  PetscCall(PetscFree(all));
  PetscFunctionReturn(code);
}

/* Rank 0 reads, everybody gets it. */
static PetscErrorCode read_entry(hid_t file, const char path[], const CrModel *model, CrEntry *e,
                                 PetscReal *all, PetscMPIInt rank)
{
  PetscReal     *owned;
  PetscBool      good = PETSC_TRUE;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (e->kind == CR_ENTRY_CELLS) PetscFunctionReturn(read_cells(file, path, model, e, rank));
  if (rank == 0 && is_nodal(e))
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
  } else if (e->kind == CR_ENTRY_NODAL)
    PetscCall(CrModelScatter(model, model->dim, all, e->reals));
  else if (has_reals(e))
    PetscCallMPI(MPI_Bcast(e->reals, (int)e->n, MPIU_REAL, 0, model->comm));
  else
    PetscCallMPI(MPI_Bcast(e->ints, (int)e->n, MPIU_INT, 0, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode open_file(const char path[], hid_t *file)
{
  PetscFunctionBeginUser;
  if (access(path, F_OK))
    CrInputFail("%s: there is no checkpoint to go on from; begin anew: carom run DECK.yaml --force",
                path);
  if (access(path, R_OK)) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
  PetscCall(CrTextCheck(path, PETSC_FALSE));
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (*file < 0) CrInputFail("%s: is truncated or no HDF5 file", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_text(hid_t file, const char path[], const char name[], char **text)
{
  hid_t     set = H5Dopen2(file, name, H5P_DEFAULT), type = set < 0 ? -1 : H5Dget_type(set);
  size_t    n = type < 0 ? 0 : H5Tget_size(type);
  int64_t   sum;
  PetscBool good;

  PetscFunctionBeginUser;
  if (set < 0) CrInputFail("%s: \"%s\" is missing", path, name);
  good = n > 0 && n < 1 << 30;
  if (good) PetscCall(PetscMalloc1(n, text));
  good = good && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0 &&
         get_number(set, "sum", &sum) && sum == sum_of_text(*text, n) && !(*text)[n - 1];
  if (type >= 0) H5Tclose(type);
  H5Dclose(set);
  if (!good) PetscCall(PetscFree(*text));
  if (!good) CrInputFail("%s: \"%s\" is damaged", path, name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrCheckpointReadText(const char dir[], const char name[], char **text)
{
  char           path[PETSC_MAX_PATH_LEN];
  hid_t          file = -1;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *text = NULL;
  snprintf(path, sizeof path, "%s/checkpoint.h5", dir);
  PetscCall(open_file(path, &file));
  code = check_format(file, path);
  if (!code) code = read_text(file, path, name, text);
  H5Fclose(file);
  PetscFunctionReturn(code);
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
  if (rank == 0) code = open_file(path, &file);
  if (rank == 0 && !code) code = check_header(file, path, model, mesh);
  code = CrErrorAgree(model->comm, code);
  PetscCall(PetscMalloc1(rank ? 0 : model->nglobal * model->dim, &all));
  for (PetscInt k = 0; !code && k < archive->n; k++)
    if (archive->entries[k].kind != CR_ENTRY_TEXT)
      code = read_entry(file, path, model, &archive->entries[k], all, rank);
  PetscCall(PetscFree(all));
  if (file >= 0) H5Fclose(file);
  PetscFunctionReturn(code);
}
