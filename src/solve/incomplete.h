/* ILU(0) of a matrix whose dofs come in blocks, one per node (theory 10.4): without fill between nodes,
   blocks dense. On several ranks each factors its own rows and those of the nodes next to them (overlap
   one), and keeps of the solution what it owns: restricted additive Schwarz. */
#pragma once

#include <petscksp.h>
#include "base/base.h"

/* Can a matrix be treated so? Blocks of 2 or 3, AIJ. */
PetscErrorCode CrIncompleteFits(Mat A, PetscBool *fits);
/* Makes it the preconditioner of pc, which owns it. */
PetscErrorCode CrIncompleteUse(PC pc);
/* Lets go of factors and pattern, if pc is one of these. */
PetscErrorCode CrIncompleteDrop(PC pc);

/* ---- what the kernels see (incomplete_kernels.c, compiled once per instruction set) ---- */

/* Factors of the rows of this rank, `n` nodes in the order of their global numbers, ghosts among them.
   A = (I + L)(D + U). Stored in single precision: they are read for every iteration, and an incomplete
   factorisation is no better for more digits; all arithmetic is in double precision. Vector loads run up
   to CR_FACTOR_PAD numbers beyond the last block. */
#define CR_FACTOR_PAD 4

typedef struct {
  PetscInt  bs, n;
  PetscInt *start[2];  /* [n+1] blocks of L (0) and U (1) by row */
  PetscInt *column[2]; /* ascending */
  float    *value[2];  /* L: blocks by columns; U: by rows */
  double   *diagonal;  /* D^-1, by columns */
} CrFactors;

/* Where a row of the matrix comes from: scalar rows of three parts, one behind the other. */
typedef struct {
  const double *value[3]; /* first scalar row of a part */
  PetscInt      blocks[3], stride[3];
} CrFactorRow;

typedef struct {
  /* Eliminates row i; `place` maps columns to places in the row, all -1 before and after; `work`: room for
     the longest row. False: its diagonal block is singular. */
  PetscBool (*eliminate)(CrFactors *f, PetscInt i, const CrFactorRow *row, PetscInt *place,
                         double *work);
  /* x = (LU)^-1 b; y: scratch; b and y are n*bs + CR_FACTOR_PAD long, x has four numbers per node. */
  void (*solve)(const CrFactors *f, const double *b, double *y, double *x);
} CrFactorKernels;
