/* Anderson mixing accelerates an iteration in which each step adds a correction d to the iterate u. The method uses the
   differences of the last few iterates and corrections. */
#pragma once

#include <petscvec.h>
#include "base/base.h"

#define CR_MIXED 4 /* number of differences that are kept */

typedef struct {
  Vec du[CR_MIXED], dd[CR_MIXED]; /* differences of iterates and of corrections; owned */
  Vec u, d;                       /* the last iterate and correction; owned */
  /* number of differences since CrMixingForget, of which the last CR_MIXED are stored; -1: u and d are not set
     either */
  PetscInt n;
} CrMixing;

PetscErrorCode CrMixingCreate(Vec prototype, CrMixing *mixing);
PetscErrorCode CrMixingDestroy(CrMixing *mixing);
/* Deletes all stored differences. Call it when the iteration itself changes, for instance after a new matrix. */
void CrMixingForget(CrMixing *mixing);
/* Replaces the correction d of the iterate u by the accelerated correction. Collective. */
PetscErrorCode CrMixingApply(CrMixing *mixing, Vec u, Vec d);
