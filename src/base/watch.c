#include "base/watch.h"

#define LEAST 0.01 /* of the whole: parts that are mentioned */

static const char *const names[CR_PARTS] = {
    [CR_PART_SETUP] = "set-up",    [CR_PART_STEPS] = "steps",   [CR_PART_ELEMENTS] = "elements",
    [CR_PART_CONTACT] = "contact", [CR_PART_SOLVER] = "solver", [CR_PART_AUDIT] = "audit",
    [CR_PART_FILES] = "files",     [CR_PART_PAGE] = "page"};

const char *CrPartName(CrPart part)
{
  return names[part];
}

void CrWatchStart(CrWatch *watch, CrPart part)
{
  *watch = (CrWatch){.part = part};
  (void)PetscTime(&watch->since);
}

PetscErrorCode CrWatchRead(CrWatch *watch, MPI_Comm comm, double seconds[CR_PARTS])
{
  const CrPart part = watch->part;
  PetscMPIInt  size;

  PetscFunctionBeginUser;
  (void)CrWatchTurn(watch, part ? CR_PART_SETUP : CR_PART_STEPS); /* and back: it adds up to now */
  (void)CrWatchTurn(watch, part);
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Allreduce(watch->seconds, seconds, CR_PARTS, MPI_DOUBLE, MPI_SUM, comm));
  for (PetscInt k = 0; k < CR_PARTS; k++) seconds[k] /= size;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The part that follows `after` from the longest to the shortest; CR_PARTS before the first one, and after the last. */
static PetscInt next_part(const double seconds[CR_PARTS], PetscInt after)
{
  PetscInt best = CR_PARTS;

  for (PetscInt k = 0; k < CR_PARTS; k++) {
    if (after < CR_PARTS &&
        !(seconds[k] < seconds[after] || (seconds[k] == seconds[after] && k > after)))
      continue;
    if (best == CR_PARTS || seconds[k] > seconds[best]) best = k;
  }
  return best;
}

void CrPartsDescribe(const double seconds[CR_PARTS], char text[], size_t size)
{
  double whole = 0;
  size_t used = 0;

  for (PetscInt k = 0; k < CR_PARTS; k++) whole += seconds[k];
  text[0] = 0;
  for (PetscInt k = next_part(seconds, CR_PARTS); k < CR_PARTS && used < size;
       k = next_part(seconds, k)) {
    if (!(seconds[k] > LEAST * whole)) break;
    used += (size_t)snprintf(text + used, size - used, "%s%s %.2g s", used ? ", " : "", names[k],
                             seconds[k]);
  }
}
