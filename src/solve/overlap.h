/* Exchange of matrix rows between ranks, for incomplete factors with overlap one: each rank needs its own rows
   and those of the neighbouring nodes. The plan of the exchange is made once per pattern, block by block, and used for
   values and vectors. */
#pragma once

#include <petscmat.h>
#include <petscsf.h>
#include "base/base.h"

/* The plan. On one rank everything but nowned is empty. All members are owned. */
typedef struct {
  PetscInt bs, nowned, nghosts,
      nbelow; /* numbers of nodes; nbelow: ghosts before the first own node */
  /* Matrix rows of ghost nodes, stored by scalar rows of whole blocks. Block columns are numbered in this order: ghosts
     before the first own node, own nodes, ghosts after the last own node. */
  PetscInt    *start;       /* [nghosts+1] first block of each row */
  PetscInt    *column;      /* [start[nghosts]] ascending in a row */
  PetscReal   *value;       /* [bs bs start[nghosts]] */
  PetscReal   *row;         /* scratch: the blocks of the longest row */
  PetscSF      nodes;       /* sends vectors from own nodes to ghosts */
  PetscSF      entries;     /* sends the blocks `gift` to `value` of other ranks */
  MPI_Datatype unit, block; /* the dofs of a node; a block */
  /* Blocks of own rows that other ranks need. Each entry has the node and the number k of the block among own columns,
     or -1 - k for a number k among the columns of ghosts. */
  PetscInt   ngifts, *gifts; /* [2 ngifts] */
  PetscReal *gift;           /* [bs bs ngifts] */
} CrOverlap;

/* Makes the plan for a matrix with blocks of bs dofs. The plan keeps no reference to A. Collective. */
PetscErrorCode CrOverlapCreate(Mat A, PetscInt bs, CrOverlap *overlap);
/* Fetches the present values of the ghosts' rows. Not to be called on one rank. Collective. */
PetscErrorCode CrOverlapUpdate(CrOverlap *overlap, Mat A);
PetscErrorCode CrOverlapDestroy(CrOverlap *overlap);
