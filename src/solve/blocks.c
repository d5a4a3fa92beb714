#include "solve/blocks.h"
#include "base/isa.h"

CR_ISA_TABLE(const CrBlockKernels, CrBlockKernels);

const CrBlockKernels *CrBlockKernelsGet(void)
{
  return CR_ISA_OWN(CrBlockKernels);
}

PetscErrorCode CrBlocksFit(Mat A, PetscBool *fit)
{
  PetscInt  bs;
  PetscBool aij;

  PetscFunctionBeginUser;
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(PetscObjectTypeCompareAny((PetscObject)A, &aij, MATSEQAIJ, MATMPIAIJ, ""));
  *fit = aij && (bs == 2 || bs == 3);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBlocksCheck(PetscInt bs, PetscInt rows, const PetscInt *ia, const PetscInt *ja)
{
  PetscBool whole = rows % bs == 0;

  PetscFunctionBeginUser;
  for (PetscInt r = 0; whole && r < rows; r += bs) {
    PetscInt n = ia[r + 1] - ia[r], stray = n % bs;

    for (PetscInt i = 1; i < bs; i++) stray |= ia[r + i + 1] - ia[r + i] - n;
    for (PetscInt i = 0; stray == 0 && i < bs; i++)
      for (PetscInt k = 0; k < n; k += bs) {
        PetscInt first = ja[ia[r] + k];

        stray |= first % bs;
        for (PetscInt j = 0; j < bs; j++) stray |= ja[ia[r + i] + k + j] - first - j;
      }
    if (stray) whole = PETSC_FALSE;
  }
  PetscCheck(whole, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the matrix does not consist of blocks");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- order ---------------------------------------------------------------------------------- */

#define FIRST "CrBlocksFirst"

PetscErrorCode CrBlocksSetFirst(Mat A, PetscInt n, const PetscInt *nodes)
{
  IS is;

  PetscFunctionBeginUser;
  PetscCall(ISCreateGeneral(PETSC_COMM_SELF, n, nodes, PETSC_COPY_VALUES, &is));
  PetscCall(PetscObjectCompose((PetscObject)A, FIRST, (PetscObject)is));
  PetscCall(ISDestroy(&is));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBlocksHaveFirst(Mat A, PetscBool *have)
{
  PetscInt n = 0;
  IS       is;

  PetscFunctionBeginUser;
  PetscCall(PetscObjectQuery((PetscObject)A, FIRST, (PetscObject *)&is));
  if (is) PetscCall(ISGetLocalSize(is, &n));
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPIU_INT, MPI_MAX, PetscObjectComm((PetscObject)A)));
  *have = n > 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBlocksGetFirst(Mat A, PetscInt *first)
{
  const PetscInt *nodes;
  PetscInt        n, bs, rows;
  IS              is;

  PetscFunctionBeginUser;
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(MatGetLocalSize(A, &rows, NULL));
  PetscCall(PetscArrayzero(first, rows / bs));
  PetscCall(PetscObjectQuery((PetscObject)A, FIRST, (PetscObject *)&is));
  if (!is) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ISGetLocalSize(is, &n));
  PetscCall(ISGetIndices(is, &nodes));
  for (PetscInt k = 0; k < n; k++) first[nodes[k]] = 1;
  PetscCall(ISRestoreIndices(is, &nodes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- products ------------------------------------------------------------------------------- */

/* The columns of the blocks lie with the matrix: PETSc's own list is nine or four times as long. */
#define COLUMNS "CrBlockColumns"

static PetscErrorCode free_columns(void *columns)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode keep_columns(Mat A, PetscInt bs, PetscInt n, const PetscInt *ia,
                                   const PetscInt *ja)
{
  PetscInt      *columns, m = 0;
  PetscContainer container;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(ia[n] / (bs * bs) + 1, &columns));
  for (PetscInt r = 0; r < n; r += bs)
    for (PetscInt k = ia[r]; k < ia[r + 1]; k += bs) columns[m++] = ja[k] / bs;
  PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
  PetscCall(PetscContainerSetPointer(container, columns));
  PetscCall(PetscContainerSetUserDestroy(container, free_columns));
  PetscCall(PetscObjectCompose((PetscObject)A, COLUMNS, (PetscObject)container));
  PetscCall(PetscContainerDestroy(&container));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode multiply(Mat A, Vec from, Vec to)
{
  const PetscInt  *ia, *ja;
  const PetscReal *value, *x;
  PetscReal       *y;
  PetscContainer   container;
  void            *columns;
  PetscInt         n, bs;
  PetscBool        done;

  PetscFunctionBeginUser;
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(PetscObjectQuery((PetscObject)A, COLUMNS, (PetscObject *)&container));
  PetscCall(PetscContainerGetPointer(container, &columns));
  PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &ia, &ja, &done));
  PetscCall(MatSeqAIJGetArrayRead(A, &value));
  PetscCall(VecGetArrayRead(from, &x));
  PetscCall(VecGetArrayWrite(to, &y));
  CrBlockKernelsGet()->multiply(bs, n / bs, ia, columns, value, x, y);
  PetscCall(PetscLogFlops(2.0 * ia[n]));
  PetscCall(VecRestoreArrayWrite(to, &y));
  PetscCall(VecRestoreArrayRead(from, &x));
  PetscCall(MatSeqAIJRestoreArrayRead(A, &value));
  PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &ia, &ja, &done));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBlocksMultiply(Mat A)
{
  const PetscInt *ia, *ja;
  Mat             own = A;
  PetscInt        n, bs;
  PetscBool       fit, distributed, done;

  PetscFunctionBeginUser;
  PetscCall(CrBlocksFit(A, &fit));
  if (!fit) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  if (distributed) PetscCall(MatMPIAIJGetSeqAIJ(A, &own, NULL, NULL));
  PetscCall(MatGetBlockSize(own, &bs));
  PetscCall(MatGetRowIJ(own, 0, PETSC_FALSE, PETSC_FALSE, &n, &ia, &ja, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_PLIB, "rows of the matrix are not at hand");
  PetscCall(CrBlocksCheck(bs, n, ia, ja));
  PetscCall(keep_columns(own, bs, n, ia, ja));
  PetscCall(MatRestoreRowIJ(own, 0, PETSC_FALSE, PETSC_FALSE, &n, &ia, &ja, &done));
  PetscCall(MatSetOperation(own, MATOP_MULT, (void (*)(void))multiply));
  PetscFunctionReturn(PETSC_SUCCESS);
}
