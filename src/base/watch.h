/* Where the time of a run goes. A watch always counts for one part; a part that begins inside another one stops the
   outer part until it ends, so that the parts add up to the whole. */
#pragma once

#include <petsctime.h>
#include "base/base.h"

typedef enum {
  CR_PART_SETUP,    /* model, contact, method, before the first step */
  CR_PART_STEPS,    /* time of the method that is not in the parts below */
  CR_PART_ELEMENTS, /* forces and tangents of the elements */
  CR_PART_CONTACT,
  CR_PART_SOLVER, /* linear systems, and the vectors of Newton's method */
  CR_PART_AUDIT,  /* ledger, overlap, warnings */
  CR_PART_FILES,  /* tables, frames, checkpoints */
  CR_PART_PAGE,
  CR_PARTS
} CrPart;

typedef struct {
  CrPart         part;  /* counts now */
  PetscLogDouble since; /* time at which counting began */
  PetscLogDouble seconds[CR_PARTS];
} CrWatch;

/* Another part counts from now on. Returns the part that counted before. */
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

/* A call whose time counts for `part`. */
#define CrTimed(watch, part, call)                                                                 \
  do {                                                                                             \
    const CrPart cr_before = CrWatchTurn((watch), (part));                                         \
                                                                                                   \
    PetscCall(call);                                                                               \
    (void)CrWatchTurn((watch), cr_before);                                                         \
  } while (0)

void CrWatchStart(CrWatch *watch, CrPart part);
/* The seconds of each part up to now, as the mean of the processes. Collective. */
PetscErrorCode CrWatchRead(CrWatch *watch, MPI_Comm comm, double seconds[CR_PARTS]);
/* "elements 1.2 s, contact 0.4 s": the longest first. Parts below one hundredth of the whole are left out. */
void        CrPartsDescribe(const double seconds[CR_PARTS], char text[], size_t size);
const char *CrPartName(CrPart part);
