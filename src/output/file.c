/* Files that get their final name only when they are complete. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include "base/text.h"
#include "output/file.h"

/* Rows are flushed by us, never by a buffer that runs over in the middle of one. */
#define BUFFER_BYTES 65536
#define FLUSH_BYTES  32768
#define FLUSH_AFTER  1.0 /* seconds */

typedef char TemporaryPath[PETSC_MAX_PATH_LEN + 8];

static const char *temporary(const OutputFile *file, TemporaryPath path)
{
  snprintf(path, sizeof(TemporaryPath), "%s.tmp", file->path);
  return path;
}

/* A row that was cut goes with the error: fclose may write parts of what is pending, so it comes
   before the cut. */
void CrFileDrop(OutputFile *file)
{
  TemporaryPath path;

  if (!file->stream) return;
  fclose(file->stream);
  file->stream = NULL;
  if (file->hidden)
    unlink(temporary(file, path));
  else if (truncate(file->path, (off_t)file->good))
    return; /* nothing more can be done */
}

static PetscErrorCode fail(OutputFile *file, int reason)
{
  CrFileDrop(file);
  return CrMachineError("%s: cannot be written: %s", file->path, strerror(reason ? reason : EIO));
}

/* What lies under the temporary name, left by a killed run or put there by others, gives way: nothing
   is written into a FIFO or through a link. */
static FILE *open_new(const char path[])
{
  FILE *stream;
  int   fd;

  if (unlink(path) && errno != ENOENT) return NULL;
  fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  stream = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!stream && fd >= 0) close(fd);
  return stream;
}

PetscErrorCode CrFileBegin(OutputFile *file, const char dir[], const char name[])
{
  int           length = snprintf(file->path, sizeof file->path, "%s/%s", dir, name);
  TemporaryPath path;

  PetscFunctionBeginUser;
  if (length < 0 || (size_t)length >= sizeof file->path)
    CrInputFail("%s: the path is too long", dir);
  file->pending = file->good = 0;
  file->hidden = PETSC_TRUE;
  file->flushed = MPI_Wtime();
  errno = 0;
  file->stream = open_new(temporary(file, path));
  if (!file->stream) CrMachineFail("%s: cannot be created: %s", file->path, strerror(errno));
  setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFileReopen(OutputFile *file, const char dir[], const char name[], size_t size)
{
  FILE *stream;
  long  there;

  PetscFunctionBeginUser;
  snprintf(file->path, sizeof file->path, "%s/%s", dir, name);
  PetscCall(CrTextCheck(file->path, PETSC_FALSE));
  stream = fopen(file->path, "r+b");
  if (!stream && errno == ENOENT)
    CrInputFail("%s: this file is missing, so the run cannot be resumed", file->path);
  if (!stream)
    CrMachineFail("%s: cannot be opened to continue the run: %s", file->path, strerror(errno));
  there = fseek(stream, 0, SEEK_END) ? -1 : ftell(stream);
  if (there < 0 || (size_t)there < size) {
    fclose(stream);
    CrInputFail("%s: this file is shorter than it was when the checkpoint was written", file->path);
  }
  if (ftruncate(fileno(stream), (off_t)size) || fseek(stream, 0, SEEK_END)) {
    fclose(stream);
    CrMachineFail("%s: cannot be shortened to its length at the checkpoint: %s", file->path,
                  strerror(errno));
  }
  setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES);
  file->stream = stream;
  file->pending = 0;
  file->good = size;
  file->hidden = PETSC_FALSE;
  file->flushed = MPI_Wtime();
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFileWrite(OutputFile *file, const void *bytes, size_t n)
{
  PetscFunctionBeginUser;
  errno = 0;
  if (n && fwrite(bytes, 1, n, file->stream) != n) PetscFunctionReturn(fail(file, errno));
  file->pending += n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFilePrint(OutputFile *file, const char format[], ...)
{
  va_list args;
  int     length;

  PetscFunctionBeginUser;
  errno = 0;
  va_start(args, format);
  length = vfprintf(file->stream, format, args);
  va_end(args);
  if (length < 0) PetscFunctionReturn(fail(file, errno));
  file->pending += (size_t)length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFileFlush(OutputFile *file)
{
  PetscFunctionBeginUser;
  errno = 0;
  if (fflush(file->stream) || ferror(file->stream)) PetscFunctionReturn(fail(file, errno));
  file->good += file->pending;
  file->pending = 0;
  file->flushed = MPI_Wtime();
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFileSync(OutputFile *file)
{
  PetscFunctionBeginUser;
  PetscCall(CrFileFlush(file));
  errno = 0;
  if (fsync(fileno(file->stream)) && errno != EINVAL) PetscFunctionReturn(fail(file, errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFileEndRow(OutputFile *file)
{
  PetscFunctionBeginUser;
  if (file->pending > FLUSH_BYTES || MPI_Wtime() - file->flushed > FLUSH_AFTER)
    PetscCall(CrFileFlush(file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrFileShow(OutputFile *file)
{
  TemporaryPath path;

  PetscFunctionBeginUser;
  PetscCall(CrFileFlush(file));
  errno = 0;
  if (file->hidden && rename(temporary(file, path), file->path))
    PetscFunctionReturn(fail(file, errno));
  file->hidden = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Some file systems find out at the close that there is no room: before the file is shown. */
PetscErrorCode CrFileEnd(OutputFile *file)
{
  FILE         *stream = file->stream;
  TemporaryPath path;

  PetscFunctionBeginUser;
  if (!stream) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrFileFlush(file));
  file->stream = NULL;
  errno = 0;
  if (fclose(stream) || (file->hidden && rename(temporary(file, path), file->path))) {
    int reason = errno ? errno : EIO;

    if (file->hidden) unlink(temporary(file, path));
    CrMachineFail("%s: cannot be written: %s", file->path, strerror(reason));
  }
  file->hidden = PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}
