/* Measures the computing time of each part of a run. At any moment, a watch adds the elapsed time to exactly one part.
   While an inner part runs, the time of the outer part does not grow. So the times of all parts add up to the time of
   the run. */
#pragma once

#include <petsctime.h>
#include "base/base.h"

typedef enum {
  CR_PART_SETUP,    /* creation of the model, of contact and of the method, before the first step */
  CR_PART_STEPS,    /* time of steps that belongs to none of the parts below */
  CR_PART_ELEMENTS, /* forces and tangents of the elements */
  CR_PART_CONTACT,
  CR_PART_SOLVER, /* linear systems, and vector operations of Newton's method */
  CR_PART_AUDIT,  /* energy ledger, measurement of overlap, warnings */
  CR_PART_FILES,  /* writing of tables, frames and checkpoints */
  CR_PART_PAGE,
  CR_PARTS
} CrPart;

typedef struct {
  CrPart         part;  /* part to which the elapsed time is added now */
  PetscLogDouble since; /* wall-clock time at which counting for `part` began */
  PetscLogDouble seconds[CR_PARTS];
} CrWatch;

/* Adds the elapsed time to the present part, and makes `part` the present part. Returns the previous part. */
static inline CrPart CrWatchTurn(CrWatch *watch, CrPart part)
{
  const CrPart   before = watch->part;
  PetscLogDouble now = watch->since;

  if (part != before && !PetscTime(&now)) {
    watch->seconds[before] += now - watch->since;
    watch->since = now;
    watch->part = part;
  }
  return before;
}

/* Makes a call, and adds the time of this call to `part`. */
#define CrTimed(watch, part, call)                                                                 \
  do {                                                                                             \
    const CrPart cr_before = CrWatchTurn((watch), (part));                                         \
                                                                                                   \
    PetscCall(call);                                                                               \
    (void)CrWatchTurn((watch), cr_before);                                                         \
  } while (0)

void CrWatchStart(CrWatch *watch, CrPart part);
/* Computes the seconds of each part up to now, as the mean over the processes. Collective. */
PetscErrorCode CrWatchRead(CrWatch *watch, MPI_Comm comm, double seconds[CR_PARTS]);
/* Stores in `text` a description of the times, the longest first, such as "elements 1.2 s, contact 0.4 s". Parts below
   one hundredth of the total time are left out. */
void        CrPartsDescribe(const double seconds[CR_PARTS], char text[], size_t size);
const char *CrPartName(CrPart part);
