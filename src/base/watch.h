/* Measures the time that each part of a run needs. At any time, a watch adds the elapsed time to exactly one part.
   While an inner part runs, the time of the outer part does not grow. So the times of all parts add up to the time of
   the run. */
#pragma once

#include <petsctime.h>
#include "base/base.h"

typedef enum {
  CR_PART_SETUP,    /* creation of model, contact and method, before the first step */
  CR_PART_STEPS,    /* time of steps that no part below contains */
  CR_PART_ELEMENTS, /* forces and tangents of the elements */
  CR_PART_CONTACT,
  CR_PART_SOLVER, /* linear systems, and the vectors of Newton's method */
  CR_PART_AUDIT,  /* ledger, overlap, warnings */
  CR_PART_FILES,  /* tables, frames, checkpoints */
  CR_PART_PAGE,
  CR_PARTS
} CrPart;

typedef struct {
  CrPart         part;  /* the part whose time is counted now */
  PetscLogDouble since; /* time at which counting for `part` began */
  PetscLogDouble seconds[CR_PARTS];
} CrWatch;

/* Adds the elapsed time to the present part, and counts for `part` from now on. Returns the previous part. */
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

/* Makes a call, and adds its time to `part`. */
#define CrTimed(watch, part, call)                                                                 \
  do {                                                                                             \
    const CrPart cr_before = CrWatchTurn((watch), (part));                                         \
                                                                                                   \
    PetscCall(call);                                                                               \
    (void)CrWatchTurn((watch), cr_before);                                                         \
  } while (0)

void CrWatchStart(CrWatch *watch, CrPart part);
/* Computes the seconds of each part up to now, as the mean of the processes. Collective. */
PetscErrorCode CrWatchRead(CrWatch *watch, MPI_Comm comm, double seconds[CR_PARTS]);
/* Describes the times as text, the longest first: "elements 1.2 s, contact 0.4 s". Parts below one hundredth of the
   whole are left out. */
void        CrPartsDescribe(const double seconds[CR_PARTS], char text[], size_t size);
const char *CrPartName(CrPart part);
