/* Matrices whose dofs come in blocks, one per node: what we do ourselves with them, because vectors of the
   processor fit a block and PETSc knows neither of both: products, incomplete factors. */
#pragma once

#include <petscmat.h>
#include "base/base.h"

/* Blocks of 2 or 3, AIJ? */
PetscErrorCode CrBlocksFit(Mat A, PetscBool *fit);
/* All rows of a block have the same columns, and these come in whole blocks, or it is an error. Rows as of
   MatGetRowIJ. */
PetscErrorCode CrBlocksCheck(PetscInt bs, PetscInt rows, const PetscInt *ia, const PetscInt *ja);
/* Nodes (own ones; twice does no harm) that incomplete factors of A should eliminate before all others: theory
   10.3. Collective, once per matrix. */
PetscErrorCode CrBlocksSetFirst(Mat A, PetscInt n, const PetscInt *nodes);
/* Marks them in first[], one per own node. */
PetscErrorCode CrBlocksGetFirst(Mat A, PetscInt *first);
/* Lets MatMult of a matrix that fits go block by block; on several ranks for the own columns. */
PetscErrorCode CrBlocksMultiply(Mat A);

/* ---- what the kernels see (block_kernels.c, compiled once per instruction set) ---- */

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
  PetscInt
      *slot; /* per block of the matrix, row by row as it comes: place among L, D, U of its row */
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
  /* y = A x, square, of n block rows; ia: scalar rows; columns: of the blocks, row after row. */
  void (*multiply)(PetscInt bs, PetscInt n, const PetscInt *ia, const PetscInt *columns,
                   const double *value, const double *x, double *y);
} CrBlockKernels;

const CrBlockKernels *CrBlockKernelsGet(void);
