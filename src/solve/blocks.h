/* Matrices with a block of 2 x 2 or 3 x 3 numbers per pair of nodes. This module replaces PETSc's matrix products and
   incomplete factors by its own functions, which use the vector registers of the processor for a block. */
#pragma once

#include <petscmat.h>
#include "base/base.h"

/* Sets *fit to true if A has the type AIJ, with blocks of size 2 or 3. */
PetscErrorCode CrBlocksFit(Mat A, PetscBool *fit);
/* Checks that all rows of a node have the same columns, and that columns come in whole blocks of bs. A matrix without
   these properties is an error. ia and ja are results of MatGetRowIJ. */
PetscErrorCode CrBlocksCheck(PetscInt bs, PetscInt rows, const PetscInt *ia, const PetscInt *ja);
/* Sets a list of n nodes of this rank, which incomplete factors of A eliminate before all other nodes (theory 10.3).
   Nodes may occur twice in the list. The function may be called once per matrix. Collective. */
PetscErrorCode CrBlocksSetFirst(Mat A, PetscInt n, const PetscInt *nodes);
/* Sets *have to true if the list of CrBlocksSetFirst is not empty on some rank. Collective. */
PetscErrorCode CrBlocksHaveFirst(Mat A, PetscBool *have);
/* Sets first[] to 1 for the nodes of CrBlocksSetFirst, and to 0 for others. first[] has one entry for each node that
   this rank owns. */
PetscErrorCode CrBlocksGetFirst(Mat A, PetscInt *first);
/* Makes PETSc's MatMult use the kernels of this file for the matrix A (CrBlocksFit). With several ranks, the kernels
   multiply the columns of nodes that this rank owns, and PETSc the others. */
PetscErrorCode CrBlocksMultiply(Mat A);

/* ---- interface of the kernels (block_kernels.c, compiled once per instruction set) ---- */

/* Incomplete factors A = (I + L)(D + U) of the rows of n nodes, including ghosts, in the order of global numbers. L and
   U are stored in single precision, which reduces memory traffic. More digits would not make incomplete factors better.
   All arithmetic is in double precision. Vector loads read up to CR_FACTOR_PAD numbers beyond the last block. */
#define CR_FACTOR_PAD 4

typedef struct {
  PetscInt  bs, n;
  PetscInt *start[2];  /* [n+1] first block of each row in L (0) and U (1) */
  PetscInt *column[2]; /* block columns of the blocks, ascending in each row */
  float    *value[2];  /* blocks of L (each stored by columns), and of U (each stored by rows) */
  double   *diagonal;  /* blocks of D^-1, each stored by columns */
  /* position of each block of the matrix among the blocks of L, D and U in its row */
  PetscInt *slot;
} CrFactors;

/* The matrix entries of one block row (the rows of one node). The entries are stored in up to three separate parts,
   each with its own scalar rows. */
typedef struct {
  const double *value[3]; /* first entry of the first scalar row, of each part */
  /* number of blocks of each part, and distance between its scalar rows in `value` */
  PetscInt blocks[3], stride[3];
} CrFactorRow;

typedef struct {
  /* Computes block row i of the factors by elimination. `place` is a work array that maps columns to positions in the
     row. All its entries are -1 before and after the call. `work` has room for the longest row. Returns false if the
     diagonal block is singular. */
  PetscBool (*eliminate)(CrFactors *f, PetscInt i, const CrFactorRow *row, PetscInt *place,
                         double *work);
  /* Computes x = ((I + L)(D + U))^-1 b. y is a work array. b and y have n*bs + CR_FACTOR_PAD numbers, x has four
     numbers per node. */
  void (*solve)(const CrFactors *f, const double *b, double *y, double *x);
  /* Computes y = A x for a square matrix of n block rows. ia[] contains the start of each scalar row in value[], and
     columns[] the block columns. */
  void (*multiply)(PetscInt bs, PetscInt n, const PetscInt *ia, const PetscInt *columns,
                   const double *value, const double *x, double *y);
} CrBlockKernels;

const CrBlockKernels *CrBlockKernelsGet(void);
