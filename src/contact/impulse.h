/* The coupled impulse equations of the velocity update (theory 16.2): for every pressed point l
     j_l ( sum_k A_lk j_k + b_l ) + c_l = 0,   j_l >= 0,
   with A symmetric positive semi-definite and c <= 0. If all c < 0 there is exactly one solution with
   all j > 0: the minimum of the convex 1/2 j.Aj + b.j - sum |c| ln j. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt         n;
  const PetscInt  *start, *column; /* compressed rows, both triangles, diagonal present */
  const PetscReal *value, *b, *c;
} CrImpulseSystem;

typedef struct {
  PetscInt  clusters, largest;
  PetscInt  iterations; /* most of a cluster */
  PetscReal residual;   /* greatest |j (A j + b) + c| over the greatest |c| of its cluster */
  PetscBool converged;
} CrImpulseReport;

/* Solves each connected cluster by itself. */
PetscErrorCode CrImpulseSolve(const CrImpulseSystem *system, PetscReal *j, CrImpulseReport *report);

/* Makes c <= 0: surplus (c > 0, from an unconverged augmentation) is taken from the other points in
   proportion; what they cannot cover is kept in the bank, and what the bank holds is taken from them
   likewise. The energy of the step is wrong by sum(c given) - sum(c left) = the change of the bank. */
void CrImpulseSettle(PetscInt n, PetscReal *c, PetscReal *bank);
