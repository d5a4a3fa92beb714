/* Anderson's mixing for iterations u <- u + d that converge at a steady rate: the last few corrections
   betray it. */
#pragma once

#include <petscvec.h>
#include "base/base.h"

#define CR_MIXED 4 /* differences that are kept */

typedef struct {
  Vec      du[CR_MIXED], dd[CR_MIXED]; /* differences of iterates and of corrections; owned */
  Vec      u, d;                       /* the last; owned */
  PetscInt n;                          /* differences so far; -1: not even a last one */
} CrMixing;

PetscErrorCode CrMixingCreate(Vec prototype, CrMixing *mixing);
PetscErrorCode CrMixingDestroy(CrMixing *mixing);
/* The map has changed: begins anew. */
void CrMixingForget(CrMixing *mixing);
/* d: the correction at u, and then the mixed one. Collective. */
PetscErrorCode CrMixingApply(CrMixing *mixing, Vec u, Vec d);
