/* Impulses of contact pairs since the start of a run, and their forces filtered over a window of time. The filter
   preserves impulses: once the window has passed, the time integral of the filtered force is equal to the impulse. */
#pragma once

#include "base/archive.h"

/* The window is divided into time intervals, called cells. The force is assumed to be constant over a cell. */
#define CR_FILTER_CELLS 32
#define CR_FILTER_SLOTS (CR_FILTER_CELLS + 2) /* including the cell that is being filled */
#define CR_LAST_REALS   9

typedef struct {
  PetscInt npairs;
  /* [6 npairs] impulse since the start, then its part along the contact normals; owned, like all arrays below */
  PetscReal *total;
  /* [CR_LAST_REALS npairs] force, its normal part and moment in the last step */
  PetscReal *last;
  PetscReal *filtered; /* [3 npairs] mean over the last step of the filtered force */
  PetscReal *released; /* [3 npairs] time integral of the filtered force */
  /* [3 CR_FILTER_SLOTS npairs] impulses of the latest cells, as a ring buffer */
  PetscReal *cells;
  /* [2 npairs] numbers of the cell that is being filled and of the last cell with an impulse; -1: the window is
     empty */
  PetscReal *cell;
} CrImpulses;

PetscErrorCode CrImpulsesCreate(PetscInt npairs, CrImpulses *impulses);
PetscErrorCode CrImpulsesDestroy(CrImpulses *impulses);
PetscErrorCode CrImpulsesArchive(CrImpulses *impulses, CrArchive *archive);
/* Adds the impulse of a pair in an accepted step of size h that starts at time t. impulse[] contains the whole impulse,
   then its normal part. `window` is the time over which the filter averages. If the window is at most h, the filtered
   force is the force of the step. */
void CrImpulsesAdd(CrImpulses *impulses, PetscInt pair, PetscReal window, PetscReal t, PetscReal h,
                   const PetscReal impulse[6]);
