/* Impulses of contact pairs since the start of a run, and their forces filtered over a window of time. The filter is
   exact in impulse: the time integral of the filtered force is the impulse, once the window has passed. */
#pragma once

#include "base/archive.h"

/* The window is divided into cells of time; the impulse of a cell is assumed to be constant over the cell. */
#define CR_FILTER_CELLS 32
#define CR_FILTER_SLOTS (CR_FILTER_CELLS + 2) /* including the cell that is being filled */
#define CR_LAST_REALS   9

typedef struct {
  PetscInt npairs;
  PetscReal *
      total; /* [6 npairs] impulse, then its part along the normals; owned, like all arrays below */
  PetscReal *last;     /* [CR_LAST_REALS npairs] in the last step: force, its normal part, moment */
  PetscReal *filtered; /* [3 npairs] mean over the last step of the filtered force */
  PetscReal *released; /* [3 npairs] time integral of the filtered force */
  PetscReal *cells;    /* [3 CR_FILTER_SLOTS npairs] impulses of the latest cells, as a ring */
  PetscReal *cell; /* [2 npairs] the cell that is being filled, and the last one with an impulse;
                          -1: the window is empty */
} CrImpulses;

PetscErrorCode CrImpulsesCreate(PetscInt npairs, CrImpulses *impulses);
PetscErrorCode CrImpulsesDestroy(CrImpulses *impulses);
PetscErrorCode CrImpulsesArchive(CrImpulses *impulses, CrArchive *archive);
/* Adds the impulse of a pair in an accepted step of size h that starts at t: the whole impulse, then its normal part.
   `window` is the time over which the filter averages; if it is at most h, the filtered force is the force of the
   step. */
void CrImpulsesAdd(CrImpulses *impulses, PetscInt pair, PetscReal window, PetscReal t, PetscReal h,
                   const PetscReal impulse[6]);
