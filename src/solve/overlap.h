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
  /* Rows of ghosts, by scalar rows of whole blocks. Columns of blocks: ghosts below, own nodes, ghosts above. */
  PetscInt    *start;       /* [nghosts+1] first block of each row */
  PetscInt    *column;      /* [start[nghosts]] ascending in a row */
  PetscReal   *value;       /* [bs bs start[nghosts]] */
  PetscReal   *row;         /* scratch: the blocks of the longest row */
  PetscSF      nodes;       /* sends vectors from own nodes to ghosts */
  PetscSF      entries;     /* sends `gift` to `value` */
  MPI_Datatype unit, block; /* the dofs of a node; a block */
  /* Blocks of own rows that others need: node, and number of the block among own columns; -1 - number: among the
     columns of ghosts. */
  PetscInt   ngifts, *gifts; /* [2 ngifts] */
  PetscReal *gift;           /* [bs bs ngifts] */
} CrOverlap;

/* Makes the plan for a matrix with blocks of bs dofs. The plan keeps no reference to A. Collective. */
PetscErrorCode CrOverlapCreate(Mat A, PetscInt bs, CrOverlap *overlap);
/* Fetches the present values of the ghosts' rows. Not to be called on one rank. Collective. */
PetscErrorCode CrOverlapUpdate(CrOverlap *overlap, Mat A);
PetscErrorCode CrOverlapDestroy(CrOverlap *overlap);
