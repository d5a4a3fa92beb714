/* Exchange of matrix rows between ranks, for incomplete factors with overlap one. Each rank needs the rows of its own
   nodes and of the neighbouring nodes of other ranks (ghosts). The plan of the exchange is made once per matrix
   pattern. The plan is used to exchange matrix values and vectors. */
#pragma once

#include <petscmat.h>
#include <petscsf.h>
#include "base/base.h"

/* The plan of the exchange. With one rank, all members except nowned are empty. All members are owned. */
typedef struct {
  /* bs: dofs per node; nbelow: number of ghosts with global numbers below those of this rank's nodes */
  PetscInt bs, nowned, nghosts, nbelow;
  /* Matrix rows of ghost nodes, stored by scalar rows of whole blocks. Block columns are numbered in this order: ghosts
     before the first own node, own nodes, ghosts after the last own node. */
  PetscInt    *start;       /* [nghosts+1] first block of each row */
  PetscInt    *column;      /* [start[nghosts]] block columns, ascending in each row */
  PetscReal   *value;       /* [bs*bs*start[nghosts]] matrix entries */
  PetscReal   *row;         /* work array for the blocks of the longest row */
  PetscSF      nodes;       /* sends vectors from own nodes to ghosts */
  PetscSF      entries;     /* sends the blocks `gift` to `value` of other ranks */
  MPI_Datatype unit, block; /* MPI types for the bs dofs of a node, and for a block */
  /* Blocks of this rank's rows that other ranks need. Each of the ngifts entries of `gifts` consists of the node and
     the number k of the block in its row. k counts blocks in columns of own nodes; -1 - k means block k in columns of
     ghosts. */
  PetscInt   ngifts, *gifts; /* [2 ngifts] */
  PetscReal *gift;           /* [bs*bs*ngifts] matrix entries of these blocks */
} CrOverlap;

/* Makes the plan for a matrix with blocks of bs dofs. The plan keeps no reference to A. Collective. */
PetscErrorCode CrOverlapCreate(Mat A, PetscInt bs, CrOverlap *overlap);
/* Copies the present values of the matrix rows of ghosts from their owners to overlap->value. The function must not be
   called with one rank. Collective. */
PetscErrorCode CrOverlapUpdate(CrOverlap *overlap, Mat A);
PetscErrorCode CrOverlapDestroy(CrOverlap *overlap);
