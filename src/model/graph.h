/* The graph of coupled nodes, and the positions of element matrices in the system matrix. The graph has a row per owned
   node, and its columns are local nodes. Like PETSc, it stores owned columns (part 0) and ghost columns (part 1) in two
   separate parts, both ascending. Therefore the position of a matrix entry in PETSc's array of values can be computed.
   Row i of the block of nodes (A, B) begins at dim*dim*start[A] + i*dim*(start[A+1]-start[A]) + dim*(k - start[A]) in
   the values of its part. Here k is the position of B in the array column[]. If contact adds couplings, the graph is
   built again. */
#pragma once

#include <petscmat.h>
#include "model/model.h"

struct CrGraph {
  PetscInt  dim, nowned, nghosts;
  PetscInt *start[2];  /* [nowned+1] first column of each row, in the two parts; owned */
  PetscInt *column[2]; /* columns of the two parts: local nodes, ascending in each row; owned */
  /* [nblocks][n][nnodes][nnodes] position (slot) of each pair of nodes of an element in the row of the first node.
     Owned columns count first. -1: the first node is a ghost. Owned. */
  PetscInt **slots;
  PetscInt   nblocks;
};

/* Builds the graph from the elements and npairs further pairs of local nodes. Each pair couples both nodes to each
   other. */
PetscErrorCode CrGraphCreate(const CrModel *model, PetscInt npairs, const PetscInt *pairs,
                             CrGraph **graph);
PetscErrorCode CrGraphDestroy(CrGraph **graph);
/* Returns true if the owned node A and the local node B are coupled. */
PetscBool CrGraphHas(const CrGraph *graph, PetscInt A, PetscInt B);
PetscInt  CrGraphSize(const CrGraph *graph); /* number of node pairs in both parts */
/* Returns the position of a node pair, given by row and slot, in arrays with one number per node pair. Such arrays have
   the pairs of part 0 first, then those of part 1. */
PetscInt CrGraphPosition(const CrGraph *graph, PetscInt row, PetscInt slot);

/* The value arrays of the two parts of a matrix with this graph. */
typedef struct {
  Mat        A, part[2];
  PetscReal *value[2];
} CrMatrixValues;

/* Returns the address of the matrix entry in the row of dof i of owned node A and in the column of dof j of local node
   B. The two nodes must be coupled. */
PetscReal     *CrMatrixEntry(const CrGraph *graph, CrMatrixValues *values, PetscInt A, PetscInt i,
                             PetscInt B, PetscInt j);
PetscErrorCode CrMatrixGetValues(Mat A, CrMatrixValues *values);
PetscErrorCode CrMatrixRestoreValues(CrMatrixValues *values);

/* Sets to zero the rows and columns of the dofs that are marked in fixed[nlocal*dim]. The diagonal entries do not
   change. */
PetscErrorCode CrMatrixConstrain(const CrModel *model, const char *fixed, Mat A);
