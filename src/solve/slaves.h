/* Exact solution for the unknowns of slave nodes while all other unknowns are fixed (theory 10.3). Multigrid uses this
   correction for stiff contact springs. For a symmetric positive definite matrix, the correction is a projection in the
   energy norm, so it cannot increase the error. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

typedef struct {
  /* unknowns of slaves that this rank owns, ascending; NULL before the first CrSlavesSetUp, like all below */
  IS         rows;
  Mat        part;    /* the part of the matrix with the rows and columns of slaves */
  PC         lu;      /* factors of `part` */
  Vec        r, z;    /* work vectors: right-hand side and solution for slaves */
  VecScatter scatter; /* from a vector of the whole system to r */
} CrSlaves;

/* Factors the part of A that belongs to slaves, which are the nodes of CrBlocksSetFirst. In later calls, A must have
   the same pattern as in the first call. Before the first call, the caller sets all members of `slaves` to zero.
   *reason tells whether the factorisation failed. Collective. */
PetscErrorCode CrSlavesSetUp(CrSlaves *slaves, Mat A, PCFailedReason *reason);
/* Adds to x the correction z, which solves the equations of the slaves with the right-hand side r and is zero
   elsewhere. Collective. */
PetscErrorCode CrSlavesCorrect(CrSlaves *slaves, Vec r, Vec x);
PetscErrorCode CrSlavesDestroy(CrSlaves *slaves);
