/* The graph of coupled nodes, and the places of element matrices in the system matrix. The graph has a row per owned
   node; columns are local nodes. Like PETSc, it keeps owned columns (part 0) and ghost columns (part 1) apart, both
   ascending. So the place of an entry in PETSc's values is computed: row i of block (A, B) begins, in the values of its
   part, at dim*dim*start[A] + i*dim*(start[A+1]-start[A]) + dim*(k - start[A]), where k is the position of B. If
   contact adds couplings, the graph is built again. */
#pragma once

#include <petscmat.h>
#include "model/model.h"

struct CrGraph {
  PetscInt  dim, nowned, nghosts;
  PetscInt *start[2];  /* [nowned+1] rows of the two parts, owned */
  PetscInt *column[2]; /* local nodes, ascending, owned */
  /* [nblocks][n][nnodes][nnodes] position of a pair of nodes in the row of its first node, owned columns first;
     -1 if the first node is a ghost; owned */
  PetscInt **slots;
  PetscInt   nblocks;
};

/* Builds the graph from the elements and npairs further pairs of local nodes. Pairs are entered in both
   directions. */
PetscErrorCode CrGraphCreate(const CrModel *model, PetscInt npairs, const PetscInt *pairs,
                             CrGraph **graph);
PetscErrorCode CrGraphDestroy(CrGraph **graph);
/* Returns true if the owned node A and the local node B are coupled. */
PetscBool CrGraphHas(const CrGraph *graph, PetscInt A, PetscInt B);
PetscInt  CrGraphSize(const CrGraph *graph); /* number of node pairs in both parts */
/* Returns the position of a pair, given by row and slot, in arrays with one number per node pair: part 0 first, then
   part 1. */
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

/* Sets rows and columns of the dofs marked in fixed[nlocal*dim] to zero, except for the diagonal entries, which
   stay. */
PetscErrorCode CrMatrixConstrain(const CrModel *model, const char *fixed, Mat A);
