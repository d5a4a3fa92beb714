/* Matrices with a block of dofs per node. Products and incomplete factors are programmed here instead of PETSc,
   because a block fits the vector registers of the processor, which PETSc does not use. */
#pragma once

#include <petscmat.h>
#include "base/base.h"

/* Sets *fit to true if A has the type AIJ, with blocks of size 2 or 3. */
PetscErrorCode CrBlocksFit(Mat A, PetscBool *fit);
/* Checks that all rows of a block have the same columns, and that columns come in whole blocks; else it is an error.
   ia and ja are results of MatGetRowIJ. */
PetscErrorCode CrBlocksCheck(PetscInt bs, PetscInt rows, const PetscInt *ia, const PetscInt *ja);
/* Sets own nodes that incomplete factors of A eliminate before all others (theory 10.3). Nodes may occur twice.
   Collective, once per matrix. */
PetscErrorCode CrBlocksSetFirst(Mat A, PetscInt n, const PetscInt *nodes);
/* Sets *have to true if CrBlocksSetFirst has named a node on any rank. Collective. */
PetscErrorCode CrBlocksHaveFirst(Mat A, PetscBool *have);
/* Marks the nodes of CrBlocksSetFirst in first[], which has one entry for each node that this rank owns. */
PetscErrorCode CrBlocksGetFirst(Mat A, PetscInt *first);
/* Makes MatMult of a fitting matrix work block by block; with several ranks only for own columns. */
PetscErrorCode CrBlocksMultiply(Mat A);

/* ---- what the kernels see (block_kernels.c, compiled once per instruction set) ---- */

/* Factors A = (I + L)(D + U) of the rows of this rank: n nodes with ghosts, in the order of global numbers. L
   and U are stored in single precision, since they are read in every iteration, and more digits do not make
   incomplete factors better. All arithmetic is in double precision. Vector loads read up to CR_FACTOR_PAD
   numbers beyond the last block. */
#define CR_FACTOR_PAD 4

typedef struct {
  PetscInt  bs, n;
  PetscInt *start[2];  /* [n+1] first block of each row in L (0) and U (1) */
  PetscInt *column[2]; /* columns of the blocks, ascending in a row */
  float    *value[2];  /* blocks of L, stored by columns, and of U, stored by rows */
  double   *diagonal;  /* blocks of D^-1, stored by columns */
  PetscInt *slot;      /* place of each block of the matrix among L, D, U of its row */
} CrFactors;

/* A block row of the matrix. A block row consists of up to three parts, one after the other, each with its scalar rows.
   */
typedef struct {
  const double *value[3];        /* first scalar row of each part */
  PetscInt blocks[3], stride[3]; /* number of blocks, and distance of scalar rows, of each part */
} CrFactorRow;

typedef struct {
  /* Eliminates row i. `place` maps columns to places in the row; all its entries are -1 before and after the call.
     `work` has room for the longest row. Returns false if the diagonal block is singular. */
  PetscBool (*eliminate)(CrFactors *f, PetscInt i, const CrFactorRow *row, PetscInt *place,
                         double *work);
  /* Computes x = (LU)^-1 b. y is a work array. b and y have n*bs + CR_FACTOR_PAD numbers, x has four numbers per
     node. */
  void (*solve)(const CrFactors *f, const double *b, double *y, double *x);
  /* Computes y = A x for a square matrix of n block rows. ia contains the starts of the scalar rows, and columns the
     block columns. */
  void (*multiply)(PetscInt bs, PetscInt n, const PetscInt *ia, const PetscInt *columns,
                   const double *value, const double *x, double *y);
} CrBlockKernels;

const CrBlockKernels *CrBlockKernelsGet(void);
