/* Exchange of matrix rows between ranks, for incomplete factors with overlap one: each rank needs its own rows
   and those of the neighbouring nodes. The plan of the exchange is made once per pattern, and used for values
   and vectors. */
#pragma once

#include <petscmat.h>
#include <petscsf.h>
#include "base/base.h"

/* The plan. On one rank everything but nowned is empty. All members are owned. */
typedef struct {
  PetscInt nowned, nghosts, nbelow; /* numbers of nodes; nbelow: ghosts before the first own node */
  IS       rows, columns;           /* rows of ghosts; columns of own nodes and ghosts */
  Mat *
      ghost; /* array of one matrix: rows of ghosts; columns: ghosts below, own nodes, ghosts above */
  PetscSF      nodes;   /* sends vectors from own nodes to ghosts */
  MPI_Datatype unit;    /* the dofs of a node */
  PetscSF      entries; /* sends `gift` to the values of the ghosts' matrix */
  PetscInt     ngifts,
      *gifts;      /* places of own matrix values that others need, the off-diagonal part last */
  PetscReal *gift; /* [ngifts] */
} CrOverlap;

/* Makes the plan for a matrix with blocks of bs dofs. It keeps no reference to A. Collective. */
PetscErrorCode CrOverlapCreate(Mat A, PetscInt bs, CrOverlap *overlap);
/* Fetches the present values of the ghosts' rows. Not to be called on one rank. Collective. */
PetscErrorCode CrOverlapUpdate(CrOverlap *overlap, Mat A);
PetscErrorCode CrOverlapDestroy(CrOverlap *overlap);
