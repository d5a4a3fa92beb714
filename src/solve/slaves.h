/* Exact solution for the unknowns of slaves while all other unknowns are fixed (theory 10.3). Multigrid uses this
   correction for stiff contact springs. For a symmetric positive definite matrix it is a projection in the norm of
   energy, so it cannot increase an error. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

typedef struct {
  IS         rows; /* unknowns of slaves that this rank owns, ascending; NULL before the first set-up, as all below */
  Mat        part;    /* rows and columns of slaves */
  PC         lu;      /* factors of `part` */
  Vec        r, z;    /* scratch: right-hand side and solution for slaves */
  VecScatter scatter; /* from a vector of the whole system to r */
} CrSlaves;

/* Factors the part of A that belongs to slaves (CrBlocksSetFirst). The pattern of A must be that of the first call.
   Zero `slaves` before the first call. Collective. */
PetscErrorCode CrSlavesSetUp(CrSlaves *slaves, Mat A, PCFailedReason *reason);
/* x = x + z, where z solves for the slaves alone with the right-hand side r. Collective. */
PetscErrorCode CrSlavesCorrect(CrSlaves *slaves, Vec r, Vec x);
PetscErrorCode CrSlavesDestroy(CrSlaves *slaves);
