/* Continues the files of a run: finds their length at the checkpoint, and removes later contents. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text.h"
#include "output/internal.h"

PetscErrorCode CrOutputArchive(CrOutput *output, CrArchive *archive)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  for (PetscInt i = 0; output->rank == 0 && output->is_open && i < NTABLES && !code; i++) {
    code = CrFileShow(&output->tables[i]); /* flushes */
    if (!output->kept) output->sizes[i] = (PetscReal)output->tables[i].good;
  }
  if (output->rank == 0 && output->is_open && output->frames.asked && !code)
    code = CrPvdWrite(output->dir, output->frames.n, output->frames.times,
                      (PetscBool)output->frames.pieces);
  PetscCall(CrErrorAgree(output->comm, code));
  PetscCall(CrArchiveAddReals(archive, "output.sizes", NTABLES, output->sizes));
  PetscCall(CrArchiveAddInts(archive, "output.frames", 1, &output->frames.n));
  PetscCall(CrArchiveAddInts(archive, "output.pieces", 1, &output->frames.pieces));
  PetscCall(CrArchiveAddInts(archive, "output.next_frame", 1, &output->frames.next));
  PetscCall(CrArchiveAddInts(archive, "output.last_frame", 1, &output->frames.step));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Times of the frames that count, from the list that was written with the checkpoint or after it. */
static PetscErrorCode read_times(const char dir[], OutputFrames *frames)
{
  char     path[PETSC_MAX_PATH_LEN + 16], line[512];
  PetscInt n = 0;
  FILE    *list;

  PetscFunctionBeginUser;
  frames->capacity = PetscMax(128, frames->n);
  PetscCall(PetscMalloc1(frames->capacity, &frames->times));
  if (!frames->n) PetscFunctionReturn(PETSC_SUCCESS);
  snprintf(path, sizeof path, "%s/fields.pvd", dir);
  PetscCall(CrTextOpen(path, PETSC_FALSE, &list));
  if (!list) CrInputFail("%s: cannot be read: %s", path, strerror(errno));
  while (n < frames->n && fgets(line, sizeof line, list)) {
    const char *at = strstr(line, "timestep=\"");
    double      t;

    if (at && sscanf(at + 10, "%lf", &t) == 1) frames->times[n++] = t;
  }
  fclose(list);
  if (n < frames->n)
    CrInputFail("%s: this file lists fewer frames than the run had written before the checkpoint",
                path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Removes a frame with all its pieces; says whether it was there. */
static PetscBool remove_frame(const char dir[], PetscInt k, PetscBool pieces)
{
  char      path[PETSC_MAX_PATH_LEN + 48], name[32];
  PetscBool there;

  CrFrameName(k, pieces, name);
  snprintf(path, sizeof path, "%s/%s", dir, name);
  there = !unlink(path);
  if (!pieces) return there;
  CrPieceRigidName(k, name);
  snprintf(path, sizeof path, "%s/%s", dir, name);
  unlink(path);
  CrSurfaceName(k, name);
  snprintf(path, sizeof path, "%s/%s", dir, name);
  if (!unlink(path)) there = PETSC_TRUE;
  for (PetscMPIInt p = 0;; p++, there = PETSC_TRUE) {
    CrPieceName(k, p, name);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (unlink(path)) return there;
  }
}

/* Frames later than the checkpoint; audit and page of an end that was not the end. */
static void remove_later(const char dir[], PetscInt first, PetscBool pieces)
{
  char path[PETSC_MAX_PATH_LEN + 48];

  snprintf(path, sizeof path, "%s/audit.json", dir);
  unlink(path);
  snprintf(path, sizeof path, "%s/report.html", dir);
  unlink(path);
  while (remove_frame(dir, first, pieces)) first++;
}

/* Was the run closed, so that its tables hold the last state? audit.json comes last. */
static PetscBool was_closed(const char dir[])
{
  char path[PETSC_MAX_PATH_LEN + 16];

  snprintf(path, sizeof path, "%s/audit.json", dir);
  return !access(path, F_OK);
}

/* How many bytes of a table count. */
static size_t size_of(const CrOutput *output, PetscInt table)
{
  char        path[PETSC_MAX_PATH_LEN + 32];
  struct stat there;
  size_t      size = (size_t)output->sizes[table];

  snprintf(path, sizeof path, "%s/%s", output->dir, CrTablesName(table));
  if (!output->kept || stat(path, &there)) return size;
  return PetscMax(size, (size_t)there.st_size);
}

static PetscErrorCode reopen(CrOutput *output)
{
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  PetscCall(CrFolderLock(output->dir, &output->lock));
  if (output->frames.asked) PetscCall(CrFolderMakeFields(output->dir));
  for (PetscInt i = 0; i < NTABLES && !code; i++)
    code = CrFileReopen(&output->tables[i], output->dir, CrTablesName(i), size_of(output, i));
  if (!code) code = read_times(output->dir, &output->frames);
  if (!code) code = CrFolderOpenLog(output->dir);
  if (!code) remove_later(output->dir, output->frames.n, (PetscBool)output->frames.pieces);
  PetscFunctionReturn(code);
}

PetscErrorCode CrOutputReopen(CrOutput *output, const char dir[], PetscBool goes_on)
{
  OutputFrames  *frames = &output->frames;
  size_t         length = strlen(dir);
  PetscErrorCode code = PETSC_SUCCESS;

  PetscFunctionBeginUser;
  if (length + 32 > sizeof output->dir) CrInputFail("%s: the path is too long", dir);
  strcpy(output->dir, dir);
  while (length > 1 && output->dir[length - 1] == '/') output->dir[--length] = 0;
  if (output->rank == 0) output->kept = !goes_on && was_closed(output->dir);
  PetscCallMPI(MPI_Bcast(&output->kept, 1, MPIU_BOOL, 0, output->comm));
  if (output->rank == 0) code = reopen(output);
  PetscCall(CrErrorAgree(output->comm, code));
  if (output->rank) {
    frames->capacity = PetscMax(128, frames->n);
    PetscCall(PetscMalloc1(frames->capacity, &frames->times));
  }
  PetscCallMPI(MPI_Bcast(frames->times, (int)frames->n, MPIU_REAL, 0, output->comm));
  output->is_open = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
