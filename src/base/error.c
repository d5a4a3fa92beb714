/* Errors of the user and of the machine. Each error has one message, which is stored in addition to PETSc's error
   code. */
#include <petscsys.h>
#include <stdarg.h>
#include <string.h>
#include "base/base.h"
#include "base/text.h"

static char recorded[4096];

static void record(const char format[], va_list args)
{
  char text[sizeof recorded];

  if (recorded[0]) return; /* the first message is the cause, later ones are its echo */
  vsnprintf(text, sizeof text, format, args);
  CrTextShow(text, recorded, sizeof recorded);
}

PetscErrorCode CrInputError(const char format[], ...)
{
  va_list args;

  va_start(args, format);
  record(format, args);
  va_end(args);
  return CR_ERR_INPUT;
}

PetscErrorCode CrMachineError(const char format[], ...)
{
  va_list args;

  va_start(args, format);
  record(format, args);
  va_end(args);
  return CR_ERR_MACHINE;
}

const char *CrErrorMessage(void)
{
  return recorded;
}

void CrErrorClear(void)
{
  recorded[0] = 0;
}

PetscErrorCode CrErrorAgree(MPI_Comm comm, PetscErrorCode mine)
{
  PetscMPIInt rank, size, first;
  int         code = (int)mine;

  if (MPI_Comm_size(comm, &size) || MPI_Comm_rank(comm, &rank)) return PETSC_ERR_MPI;
  if (size == 1) return mine;
  first = code ? rank : size;
  if (MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm)) return PETSC_ERR_MPI;
  if (first == size) return PETSC_SUCCESS;
  if (MPI_Bcast(&code, 1, MPI_INT, first, comm)) return PETSC_ERR_MPI;
  if (MPI_Bcast(recorded, (int)sizeof recorded, MPI_CHAR, first, comm)) return PETSC_ERR_MPI;
  return (PetscErrorCode)code;
}

/* PETSc 3.18 says with the line of the caller for a code that there is no memory. */
static PetscBool is_out_of_memory(PetscErrorCode code, PetscErrorType type, const char func[])
{
  if (code == PETSC_ERR_MEM) return PETSC_TRUE;
  return type == PETSC_ERROR_INITIAL && func &&
         (!strcmp(func, "PetscMallocAlign") || !strcmp(func, "PetscReallocAlign"));
}

PetscErrorCode CrErrorHandler(MPI_Comm comm, int line, const char func[], const char file[],
                              PetscErrorCode code, PetscErrorType type, const char message[],
                              void *ctx)
{
  if (code == CR_ERR_INPUT) return code;
  if (code == CR_ERR_MACHINE && recorded[0]) return code;
  if (is_out_of_memory(code, type, func)) {
    CrMachineError("out of memory");
    return PETSC_ERR_MEM;
  }
  if (code == PETSC_ERR_ARG_UNKNOWN_TYPE) /* of a solver, asked for behind -- */
    return CrInputError("PETSc: %s", message ? message : "unknown type");
  return PetscTraceBackErrorHandler(comm, line, func, file, code, type, message, ctx);
}

int CrExitCode(PetscErrorCode code)
{
  if (code == PETSC_SUCCESS) return 0;
  if (code == CR_ERR_INPUT) return 2;
  if (code == CR_ERR_MACHINE || code == PETSC_ERR_MEM) return 3;
  return 1;
}
