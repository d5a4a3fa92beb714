#include <petscsys.h>
#include <stdarg.h>
#include "base/base.h"

static PetscBool quiet = PETSC_FALSE;
static PetscBool line_open = PETSC_FALSE;

static PetscBool is_speaker(void)
{
  int up, down = 0, rank = 0;

  MPI_Initialized(&up);
  MPI_Finalized(&down);
  if (up && !down) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

static void end_open_line(void)
{
  if (line_open) fputc('\n', stdout);
  line_open = PETSC_FALSE;
}

void CrLog(const char format[], ...)
{
  va_list args;

  if (quiet || !is_speaker()) return;
  end_open_line();
  va_start(args, format);
  vfprintf(stdout, format, args);
  va_end(args);
  fflush(stdout);
}

void CrWarn(const char format[], ...)
{
  va_list args;

  if (!is_speaker()) return;
  end_open_line();
  fflush(stdout);
  fputs("carom: warning: ", stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
}

void CrLogSetQuiet(PetscBool value)
{
  quiet = value;
}

void CrLogSetOpenLine(PetscBool open)
{
  line_open = open;
}
