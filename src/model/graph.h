/* Which nodes couple, and where the entries of element matrices go. One row per owned node; columns
   are local nodes. Owned columns ("diagonal part") and ghost columns ("off-diagonal part") are kept
   apart as PETSc keeps them, both ascending, so that the values of a PETSc matrix are addressed by
   arithmetic: block (A, B) of row node A starts, in the values of its part, at dim*dim*start[A] +
   i*dim*(start[A+1]-start[A]) + dim*(k - start[A])     for its scalar row i with k the position of
   B. Contact adds node pairs to the rows and builds the graph anew. */
#pragma once

#include <petscmat.h>
#include "model/model.h"

struct CrGraph {
  PetscInt   dim, nowned, nghosts;
  PetscInt  *start[2];  /* [nowned+1] rows of the two parts, owned */
  PetscInt  *column[2]; /* local nodes, ascending, owned */
  PetscInt **slots;     /* [nblocks][n][nnodes][nnodes]: position of a pair in the row of its first
                           node,     owned columns first; -1 where that row is a ghost's; owned */
  PetscInt   nblocks;
};

/* From the elements, and npairs further pairs of local nodes (both directions are entered). */
PetscErrorCode CrGraphCreate(const CrModel *model, PetscInt npairs, const PetscInt *pairs,
                             CrGraph **graph);
PetscErrorCode CrGraphDestroy(CrGraph **graph);
PetscBool      CrGraphHas(const CrGraph *graph, PetscInt A, PetscInt B); /* owned A, local B */
PetscInt       CrGraphSize(const CrGraph *graph); /* node pairs of both parts */
/* Position of (row, column) in the arrays "one number per node pair": part 0 first, then part 1. */
PetscInt CrGraphPosition(const CrGraph *graph, PetscInt row, PetscInt slot);

/* The value arrays of the two parts of such a matrix. */
typedef struct {
  Mat        A, part[2];
  PetscReal *value[2];
} CrMatrixValues;

/* Address of one entry: row dof i of owned node A, column dof j of local node B, which must couple. */
PetscReal     *CrMatrixEntry(const CrGraph *graph, CrMatrixValues *values, PetscInt A, PetscInt i,
                             PetscInt B, PetscInt j);
PetscErrorCode CrMatrixGetValues(Mat A, CrMatrixValues *values);
PetscErrorCode CrMatrixRestoreValues(CrMatrixValues *values);

/* Turns rows and columns of the dofs marked in fixed[nlocal*dim] into those of the identity, up to
   a factor: the diagonal entry stays. */
PetscErrorCode CrMatrixConstrain(const CrModel *model, const char *fixed, Mat A);
