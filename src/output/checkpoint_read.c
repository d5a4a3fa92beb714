/* Reads checkpoint.h5. Every rank opens the file and reads its range of rows. Rank 0 reads data that are the same on
   all ranks. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/program.h"
#include "base/text.h"
#include "output/checkpoint.h"
#include "output/checkpoint_file.h"
#include "model/slabs.h"

#define ROUNDS 20 /* attempts of all ranks to open the same file */

static PetscErrorCode check_format(hid_t file, const char path[])
{
  int64_t format;

  PetscFunctionBeginUser;
  if (!CrH5GetNumber(file, "format", &format))
    CrInputFail("%s: is not a checkpoint of carom", path);
  if (format != CR_CHECKPOINT_FORMAT)
    CrInputFail("%s: this checkpoint has format %d, but the program reads only format %d", path,
                (int)format, CR_CHECKPOINT_FORMAT);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode check_header(hid_t file, const char path[], const CrModel *model,
                                   int64_t mesh)
{
  int64_t nodes, stored;

  PetscFunctionBeginUser;
  PetscCall(check_format(file, path));
  if (!CrH5GetNumber(file, "nodes", &nodes) || !CrH5GetNumber(file, "mesh", &stored))
    CrInputFail("%s: is not a checkpoint of carom", path);
  if (nodes != model->nglobal || stored != mesh)
    CrInputFail("%s: this checkpoint belongs to another mesh than the one in run.yaml", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_sum(hid_t file, const char name[], uint64_t sum)
{
  uint64_t stored;

  return CrH5Sum(file, name, &stored) && stored == sum;
}

/* ---- what is the same on all ranks -------------------------------------------------------- */

/* Rank 0. */
static PetscErrorCode get_ints(hid_t file, const CrEntry *e, PetscBool *good)
{
  const CrH5Range range = {(hsize_t)e->n, 0, (hsize_t)e->n};
  int64_t        *values;
  uint64_t        sum;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(e->n, &values));
  *good = CrH5GetIntegers(file, e->name, range, values, &sum) && is_sum(file, e->name, sum);
  for (PetscInt k = 0; *good && k < e->n; k++) e->ints[k] = (PetscInt)values[k];
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool get_reals(hid_t file, const CrEntry *e)
{
  const CrH5Range range = {(hsize_t)e->n, 0, (hsize_t)e->n};
  uint64_t        sum;

  return CrH5GetReals(file, e->name, range, e->reals, &sum) && is_sum(file, e->name, sum);
}

/* Room for a list as long as it is in the file; empty if it is not there. */
static PetscErrorCode make_list(hid_t file, CrEntry *e)
{
  hsize_t  length = CrH5Length(file, e->name);
  PetscInt n = length > 1000000000 ? 0 : (PetscInt)length;

  PetscFunctionBeginUser;
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
static PetscErrorCode read_common(hid_t file, const char path[], const CrModel *model, CrEntry *e,
                                  PetscMPIInt rank)
{
  PetscBool      good = PETSC_TRUE;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (e->kind == CR_ENTRY_LIST || e->kind == CR_ENTRY_REAL_LIST) PetscCall(make_list(file, e));
  if (rank == 0) {
    if (CrEntryHasReals(e))
      good = get_reals(file, e);
    else
      PetscCall(get_ints(file, e, &good));
  }
  if (!good) code = CrInputError("%s: \"%s\" is missing or damaged", path, e->name);
  PetscCall(CrErrorAgree(model->comm, code));
  if (CrEntryHasReals(e))
    PetscCallMPI(MPI_Bcast(e->reals, (int)e->n, MPIU_REAL, 0, model->comm));
  else
    PetscCallMPI(MPI_Bcast(e->ints, (int)e->n, MPIU_INT, 0, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- slabs -------------------------------------------------------------------------------- */

/* Do the numbers of cells belong to the elements and laws of the model? Rank 0. */
static PetscErrorCode check_marks(hid_t file, const char path[], const CrModel *model,
                                  const CrEntry *e)
{
  CrEntry   marks;
  PetscInt  k = 0;
  PetscBool good;

  PetscFunctionBeginUser;
  if (!e->n && H5Lexists(file, e->name, H5P_DEFAULT) > 0)
    CrInputFail(
        "%s: this checkpoint contains internal variables of materials, but no material in run.yaml has internal variables",
        path);
  if (!e->n) PetscFunctionReturn(PETSC_SUCCESS);
  if (H5Lexists(file, e->name, H5P_DEFAULT) <= 0)
    CrInputFail(
        "%s: this checkpoint contains no internal variables, so it was written with other materials",
        path);
  CrEntryMarks(e, &marks);
  PetscCall(PetscMalloc1(e->n, &marks.ints));
  PetscCall(get_ints(file, &marks, &good));
  if (!good) k = -1;
  while (k >= 0 && k < e->n && marks.ints[k] == e->ints[k]) k++;
  PetscCall(PetscFree(marks.ints));
  if (k < 0) CrInputFail("%s: \"%s\" is missing or damaged", path, marks.name);
  if (k < e->n)
    CrInputFail(
        "%s: in this checkpoint, body %s has another element type, integration or material than in run.yaml",
        path, model->bodies[k / (e->n / model->nbodies)].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Integers become reals, which hold them exactly. */
static PetscErrorCode get_int_slab(hid_t file, const char name[], CrH5Range range, PetscReal *reals,
                                   uint64_t *sum, PetscBool *good)
{
  int64_t *values;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1((PetscInt)range.n, &values));
  *good = CrH5GetIntegers(file, name, range, values, sum);
  for (hsize_t k = 0; *good && k < range.n; k++) reals[k] = (PetscReal)values[k];
  PetscCall(PetscFree(values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_slab(hid_t file, const char path[], MPI_Comm comm, const char name[],
                               PetscBool ints, CrSlab *slab)
{
  const CrH5Range range = {(hsize_t)slab->all, (hsize_t)slab->begin, (hsize_t)slab->n};
  uint64_t        sum = 0;
  PetscBool       good;

  PetscFunctionBeginUser;
  if (ints)
    PetscCall(get_int_slab(file, name, range, slab->values, &sum, &good));
  else
    good = CrH5GetReals(file, name, range, slab->values, &sum);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, comm));
  PetscFunctionReturn(
      CrErrorAgree(comm, good && is_sum(file, name, sum)
                             ? PETSC_SUCCESS
                             : CrInputError("%s: \"%s\" is missing or damaged", path, name)));
}

static PetscErrorCode read_cells(hid_t file, const char path[], const CrModel *model,
                                 const CrEntry *e, PetscMPIInt rank)
{
  CrSlab         slab;
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (rank == 0) code = check_marks(file, path, model, e);
  PetscCall(CrErrorAgree(model->comm, code));
  if (!e->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrSlabMakeCells(model, e->width, &slab));
  code = get_slab(file, path, model->comm, e->name, PETSC_FALSE, &slab);
  if (!code) PetscCall(CrSlabToCells(model, e->width, &slab, e->blocks));
  PetscCall(CrSlabDestroy(&slab));
  PetscFunctionReturn(code);
}

static PetscErrorCode read_nodes(hid_t file, const char path[], const CrModel *model,
                                 const CrEntry *e)
{
  PetscReal     *owned = e->reals;
  CrSlab         slab;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrSlabMakeNodes(model, model->dim, &slab));
  code = get_slab(file, path, model->comm, e->name, PETSC_FALSE, &slab);
  if (!code) {
    if (e->kind == CR_ENTRY_VEC) PetscCall(VecGetArray(e->vec, &owned));
    PetscCall(CrSlabToNodes(model, model->dim, &slab, owned));
    if (e->kind == CR_ENTRY_VEC) PetscCall(VecRestoreArray(e->vec, &owned));
    if (e->kind == CR_ENTRY_VEC) PetscCall(CrModelUpdateAllGhosts(model, e->vec));
  }
  PetscCall(CrSlabDestroy(&slab));
  PetscFunctionReturn(code);
}

/* Rows that this rank needs. */
static PetscErrorCode read_rows(hid_t file, const char path[], const CrModel *model,
                                const CrEntry *e)
{
  const CrRows  *rows = e->rows;
  const PetscInt width = CrEntryWidth(e);
  PetscReal     *values;
  CrSlab         slab;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCall(CrSlabMakeRows(model->comm, rows->all, width, &slab));
  PetscCall(PetscMalloc1(rows->nneeded * width, &values));
  code = get_slab(file, path, model->comm, e->name, !CrEntryHasReals(e), &slab);
  if (!code)
    PetscCall(
        CrSlabToRows(model->comm, rows->all, rows->nneeded, rows->needed, width, &slab, values));
  for (PetscInt k = 0; !code && k < rows->nneeded * width; k++) {
    PetscInt at = rows->needed[k / width] * width + k % width;

    if (CrEntryHasReals(e))
      e->reals[at] = values[k];
    else
      e->ints[at] = (PetscInt)values[k];
  }
  PetscCall(PetscFree(values));
  PetscCall(CrSlabDestroy(&slab));
  PetscFunctionReturn(code);
}

/* ---- all ---------------------------------------------------------------------------------- */

static PetscErrorCode open_file(const char path[], hid_t *file)
{
  PetscFunctionBeginUser;
  if (access(path, F_OK))
    CrInputFail("%s: there is no checkpoint to resume from; start again: %s run DECK.yaml "
                "--force",
                path, CrProgram());
  if (access(path, R_OK)) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
  PetscCall(CrTextCheck(path, PETSC_FALSE));
  H5dont_atexit(); /* as CrH5Create */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (*file < 0) CrInputFail("%s: is truncated, or is not an HDF5 file", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which file is open: its number on the disk, 0 for none. */
static int64_t number_of(hid_t file)
{
  int        *fd = NULL;
  struct stat about;

  if (file < 0 || H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&fd) < 0 || !fd) return 0;
  return fstat(*fd, &about) ? 0 : (int64_t)about.st_ino;
}

/* Opens the same file on all ranks. A killed run may still replace its checkpoint while this one is opened, and some
   ranks would get the older file. All of them then open the file again. Collective. */
static PetscErrorCode open_together(const char path[], MPI_Comm comm, hid_t *file)
{
  PetscErrorCode code = PETSC_SUCCESS;
  PetscBool      same = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt round = 0; !same && round < ROUNDS; round++) {
    int64_t range[2];

    if (*file >= 0) H5Fclose(*file);
    *file = -1;
    code = CrErrorAgree(comm, open_file(path, file));
    if (code) break;
    range[0] = number_of(*file);
    range[1] = -range[0];
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT64_T, MPI_MAX, comm));
    same = range[0] == -range[1];
  }
  if (!code && !same)
    code = CrInputError("%s: another run replaces this checkpoint again and again; end that run",
                        path);
  PetscFunctionReturn(code);
}

PetscErrorCode CrCheckpointReadText(const char dir[], const char name[], char **text)
{
  char           path[PETSC_MAX_PATH_LEN];
  hid_t          file = -1;
  PetscBool      there = PETSC_TRUE;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  *text = NULL;
  snprintf(path, sizeof path, "%s/checkpoint.h5", dir);
  PetscCall(open_file(path, &file));
  code = check_format(file, path);
  if (!code) PetscCall(CrH5GetText(file, name, &there, text));
  if (!code && !*text)
    code = CrInputError("%s: \"%s\" is %s", path, name, there ? "damaged" : "missing");
  H5Fclose(file);
  PetscFunctionReturn(code);
}

PetscErrorCode CrCheckpointRead(const char dir[], const CrModel *model, CrArchive *archive)
{
  char           path[PETSC_MAX_PATH_LEN];
  int64_t        mesh;
  hid_t          file = -1;
  PetscMPIInt    rank;
  PetscErrorCode code;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  snprintf(path, sizeof path, "%s/checkpoint.h5", dir);
  PetscCall(CrCheckpointMesh(model, &mesh));
  code = open_together(path, model->comm, &file);
  if (!code) code = CrErrorAgree(model->comm, check_header(file, path, model, mesh));
  for (PetscInt k = 0; !code && k < archive->n; k++) {
    CrEntry *e = &archive->entries[k];

    if (e->kind == CR_ENTRY_CELLS)
      code = read_cells(file, path, model, e, rank);
    else if (CrEntryIsNodal(e))
      code = read_nodes(file, path, model, e);
    else if (e->rows)
      code = read_rows(file, path, model, e);
    else if (e->kind != CR_ENTRY_TEXT)
      code = read_common(file, path, model, e, rank);
  }
  if (file >= 0) H5Fclose(file);
  PetscFunctionReturn(code);
}
