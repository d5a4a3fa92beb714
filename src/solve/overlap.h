/* What a rank needs of the others to factor its own rows and those of the nodes next to them (overlap one): the plan
   is made once per pattern, then values and vectors go by it. */
#pragma once

#include <petscmat.h>
#include <petscsf.h>
#include "base/base.h"

/* On one rank all but nowned is empty. Owned, all of it. */
typedef struct {
  PetscInt     nowned, nghosts, nbelow; /* nodes; nbelow: ghosts before the first own node */
  IS           rows, columns;           /* of ghosts; own and ghosts */
  Mat         *ghost;   /* the ghosts' rows, an array of one; columns: ghosts below, own, above */
  PetscSF      nodes;   /* own nodes to the places of ghosts */
  MPI_Datatype unit;    /* the dofs of a node */
  PetscSF      entries; /* gifts to the values of the ghosts' matrix */
  PetscInt     ngifts, *gifts; /* own values that others need: places, off part last */
  PetscReal   *gift;           /* [ngifts] */
} CrOverlap;

/* For a matrix with blocks of bs dofs; it is not kept. Collective. */
PetscErrorCode CrOverlapCreate(Mat A, PetscInt bs, CrOverlap *overlap);
/* The values of the ghosts' rows, as they are now; not on one rank. Collective. */
PetscErrorCode CrOverlapUpdate(CrOverlap *overlap, Mat A);
PetscErrorCode CrOverlapDestroy(CrOverlap *overlap);
