#include "solve/slaves.h"
#include "solve/blocks.h"

static PetscErrorCode find_rows(CrSlaves *slaves, Mat A)
{
  PetscInt *first, *rows, bs, start, n, count = 0;

  PetscFunctionBeginUser;
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(MatGetLocalSize(A, &n, NULL));
  PetscCall(MatGetOwnershipRange(A, &start, NULL));
  PetscCall(PetscMalloc2(n / bs, &first, n, &rows));
  PetscCall(CrBlocksGetFirst(A, first));
  for (PetscInt k = 0; k < n; k++)
    if (first[k / bs]) rows[count++] = start + k;
  PetscCall(ISCreateGeneral(PetscObjectComm((PetscObject)A), count, rows, PETSC_COPY_VALUES,
                            &slaves->rows));
  PetscCall(PetscFree2(first, rows));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode prepare(CrSlaves *slaves, Mat A)
{
  MPI_Comm comm = PetscObjectComm((PetscObject)A);
  Vec      whole;

  PetscFunctionBeginUser;
  PetscCall(find_rows(slaves, A));
  PetscCall(MatCreateSubMatrix(A, slaves->rows, slaves->rows, MAT_INITIAL_MATRIX, &slaves->part));
  PetscCall(MatCreateVecs(slaves->part, &slaves->z, &slaves->r));
  PetscCall(MatCreateVecs(A, &whole, NULL));
  PetscCall(VecScatterCreate(whole, slaves->rows, slaves->r, NULL, &slaves->scatter));
  PetscCall(VecDestroy(&whole));
  PetscCall(PCCreate(comm, &slaves->lu));
  PetscCall(PCSetType(slaves->lu, PCLU));
  PetscCall(PCFactorSetMatSolverType(slaves->lu, MATSOLVERMUMPS));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSlavesSetUp(CrSlaves *slaves, Mat A, PCFailedReason *reason)
{
  PetscFunctionBeginUser;
  if (!slaves->rows)
    PetscCall(prepare(slaves, A));
  else
    PetscCall(MatCreateSubMatrix(A, slaves->rows, slaves->rows, MAT_REUSE_MATRIX, &slaves->part));
  PetscCall(PCSetOperators(slaves->lu, slaves->part, slaves->part));
  PetscCall(PCSetUp(slaves->lu));
  PetscCall(PCGetFailedReason(slaves->lu, reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSlavesCorrect(CrSlaves *slaves, Vec r, Vec x)
{
  VecScatter scatter = slaves->scatter;

  PetscFunctionBeginUser;
  PetscCall(VecScatterBegin(scatter, r, slaves->r, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(scatter, r, slaves->r, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(PCApply(slaves->lu, slaves->r, slaves->z));
  PetscCall(VecScatterBegin(scatter, slaves->z, x, ADD_VALUES, SCATTER_REVERSE));
  PetscCall(VecScatterEnd(scatter, slaves->z, x, ADD_VALUES, SCATTER_REVERSE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrSlavesDestroy(CrSlaves *slaves)
{
  PetscFunctionBeginUser;
  PetscCall(ISDestroy(&slaves->rows));
  PetscCall(MatDestroy(&slaves->part));
  PetscCall(PCDestroy(&slaves->lu));
  PetscCall(VecDestroy(&slaves->r));
  PetscCall(VecDestroy(&slaves->z));
  PetscCall(VecScatterDestroy(&slaves->scatter));
  PetscFunctionReturn(PETSC_SUCCESS);
}
