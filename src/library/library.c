/* Starts and ends the library, and reports its messages. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/environment.h"
#include "library/internal.h"

static PetscBool started_here, ended;
static char      last_error[4096]; /* of calls without a simulation */

const char *carom_version(void)
{
  return CrVersion();
}

int carom_api(void)
{
  return CAROM_API;
}

/* ---- messages ----------------------------------------------------------------------------- */

static void note_error(char kept[4096], PetscErrorCode code)
{
  if (!code) return;
  snprintf(kept, 4096, "%s", *CrErrorMessage() ? CrErrorMessage() : "an internal error of carom");
}

PetscBool SimEnter(carom_sim *sim, SimCall *call)
{
  if (!sim || sim->broken) return PETSC_FALSE;
  CrErrorClear();
  call->before = CrLogBookOpen(sim->book);
  return PETSC_TRUE;
}

int SimLeave(carom_sim *sim, SimCall *call, PetscErrorCode code)
{
  const int status = CrExitCode(code);

  CrLogBookOpen(call->before);
  note_error(sim->error, code);
  if (status == CAROM_FAILED) sim->broken = PETSC_TRUE;
  return status;
}

int SimReport(PetscErrorCode code)
{
  note_error(last_error, code);
  return CrExitCode(code);
}

int SimRefuse(carom_sim *sim, const char format[], ...)
{
  va_list args;

  va_start(args, format);
  if (sim && !sim->broken) vsnprintf(sim->error, sizeof sim->error, format, args);
  if (!sim) vsnprintf(last_error, sizeof last_error, format, args);
  va_end(args);
  return sim && sim->broken ? CAROM_FAILED : CAROM_INPUT;
}

const char *carom_error(const carom_sim *sim)
{
  return sim ? sim->error : last_error;
}

const char *carom_warnings(const carom_sim *sim)
{
  CrLogBook  *before;
  const char *lines;

  if (!sim) return "";
  before = CrLogBookOpen(sim->book);
  lines = CrWarnings();
  CrLogBookOpen(before);
  return lines;
}

/* ---- start and end ------------------------------------------------------------------------ */

int carom_start(int *argc, char ***argv)
{
  static char   name[] = "carom", skip[] = "-skip_petscrc", plain[] = "-no_signal_handler";
  static char  *words[] = {name, skip, plain, NULL};
  static char **vector = words;
  static int    count = 3;
  PetscBool     up;

  (void)argc;
  (void)argv;
  if (PetscInitialized(&up)) return SimReport(PETSC_ERR_LIB);
  if (up) return CAROM_OK;
  if (ended) return SimRefuse(NULL, "carom was stopped; MPI cannot be started twice in a process");
  CrEnvironmentForMpi();
  if (PetscInitialize(&count, &vector, NULL, NULL)) {
    SimRefuse(NULL, "PETSc did not start");
    return CAROM_MACHINE;
  }
  started_here = PETSC_TRUE;
  return SimReport(PetscPushErrorHandler(CrErrorHandler, NULL));
}

int carom_stop(void)
{
  if (!started_here || ended) return CAROM_OK;
  ended = PETSC_TRUE;
  return SimReport(PetscFinalize());
}

void carom_free(void *memory)
{
  free(memory);
}
