/* What we do with blocks beside PETSc: products; ILU(0) with an overlap of one between ranks, which is
   restricted additive Schwarz with point ILU(0) inside. Without exchange of rows the two have the same
   factors, block by block. */
#include <petscksp.h>
#include "check.h"
#include "solve/blocks.h"
#include "solve/incomplete.h"

#define SIDE 6 /* nodes of a grid in each direction */

static PetscInt at(PetscInt i, PetscInt j)
{
  return i < 0 || j < 0 || i >= SIDE || j >= SIDE ? -1 : SIDE * j + i;
}

/* Numbers that have no pattern, the same on every rank. */
static PetscReal noise(PetscInt row, PetscInt column, PetscInt seed)
{
  PetscReal x =
      sin(12.9898 * (double)row + 78.233 * (double)column + 37.7 * (double)seed) * 43758.5453;

  return x - floor(x) - 0.5;
}

/* Neighbours of a node: a grid with diagonals, and with `far` also the node opposite, as contact has it. */
static PetscInt neighbours(PetscInt node, PetscBool far, PetscInt list[10])
{
  PetscInt n = 0;

  for (PetscInt j = -1; j <= 1; j++)
    for (PetscInt i = -1; i <= 1; i++)
      if (at(node % SIDE + i, node / SIDE + j) >= 0)
        list[n++] = at(node % SIDE + i, node / SIDE + j);
  for (PetscInt k = 0; far && k < n; k++)
    if (list[k] == SIDE * SIDE - 1 - node) far = PETSC_FALSE;
  if (far) list[n++] = SIDE * SIDE - 1 - node;
  return n;
}

static PetscErrorCode fill(Mat A, PetscBool far, PetscInt seed)
{
  PetscInt first, end, bs, list[10];

  PetscFunctionBeginUser;
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(MatGetOwnershipRange(A, &first, &end));
  for (PetscInt r = first; r < end; r++)
    for (PetscInt n = neighbours(r / bs, far, list), k = 0; k < n; k++)
      for (PetscInt c = bs * list[k]; c < bs * (list[k] + 1); c++)
        PetscCall(MatSetValue(A, r, c, noise(r, c, seed) + (r == c ? 6 : 0), INSERT_VALUES));
  PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode create(PetscInt bs, PetscBool far, Mat *A)
{
  PetscInt mine = PETSC_DECIDE, all = SIDE * SIDE;

  PetscFunctionBeginUser;
  PetscCall(PetscSplitOwnership(PETSC_COMM_WORLD, &mine, &all));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, bs * mine, bs * mine, bs * all, bs * all, 10 * bs, NULL,
                         10 * bs, NULL, A));
  PetscCall(MatSetBlockSize(*A, bs));
  PetscCall(fill(*A, far, 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Largest difference of the two answers to one right-hand side, over the largest answer. */
static PetscErrorCode difference(PC ours, Mat A, PetscBool exact, PetscReal *most)
{
  Vec         b, x, y;
  PC          theirs;
  PetscInt    first, end;
  PetscReal   scale;
  PetscMPIInt size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(MatCreateVecs(A, &b, &x));
  PetscCall(VecDuplicate(b, &y));
  PetscCall(VecGetOwnershipRange(b, &first, &end));
  for (PetscInt r = first; r < end; r++)
    PetscCall(VecSetValue(b, r, noise(r, 1000, 1), INSERT_VALUES));
  PetscCall(VecAssemblyBegin(b));
  PetscCall(VecAssemblyEnd(b));
  PetscCall(PCCreate(PETSC_COMM_WORLD, &theirs));
  PetscCall(PCSetOperators(theirs, A, A));
  /* ASM: overlap one, restricted, ILU(0) inside, or exact factors */
  PetscCall(PCSetType(theirs, size > 1 ? PCASM : exact ? PCLU : PCILU));
  PetscCall(PCSetOptionsPrefix(theirs, exact ? "exact_" : NULL));
  PetscCall(PetscOptionsSetValue(NULL, "-exact_sub_pc_type", PCLU));
  PetscCall(PCSetFromOptions(theirs));
  PetscCall(PCSetUp(theirs));
  PetscCall(PCApply(theirs, b, y));
  PetscCall(PCSetUp(ours));
  PetscCall(PCApply(ours, b, x));
  PetscCall(VecNorm(y, NORM_INFINITY, &scale));
  PetscCall(VecAXPY(x, -1, y));
  PetscCall(VecNorm(x, NORM_INFINITY, most));
  *most /= scale;
  PetscCall(PCDestroy(&theirs));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Factors are rounded to single precision, 6e-8, a few of them in a row; the matrix is far from singular. */
#define CLOSE 1e-6

/* As created, with other values, with another pattern, and again after everything was let go. */
static void test_same_as_petsc(PetscInt bs)
{
  Mat       A, B;
  PC        pc;
  PetscBool fits;
  PetscReal off = 1;

  CHECK_OK(create(bs, PETSC_FALSE, &A));
  CHECK_OK(CrBlocksFit(A, &fits));
  CHECK(fits);
  CHECK_OK(PCCreate(PETSC_COMM_WORLD, &pc));
  CHECK_OK(PCSetOperators(pc, A, A));
  CHECK_OK(CrIncompleteUse(pc));
  CHECK_OK(difference(pc, A, PETSC_FALSE, &off));
  CHECK_LESS(off, CLOSE);
  CHECK_OK(fill(A, PETSC_FALSE, 2));
  CHECK_OK(difference(pc, A, PETSC_FALSE, &off));
  CHECK_LESS(off, CLOSE);
  CHECK_OK(create(bs, PETSC_TRUE, &B));
  CHECK_OK(PCSetOperators(pc, B, B));
  CHECK_OK(difference(pc, B, PETSC_FALSE, &off));
  CHECK_LESS(off, CLOSE);
  CHECK_OK(PCReset(pc));
  CHECK_OK(CrIncompleteDrop(pc));
  CHECK_OK(PCSetOperators(pc, B, B));
  CHECK_OK(difference(pc, B, PETSC_FALSE, &off));
  CHECK_LESS(off, CLOSE);
  CHECK_OK(PCDestroy(&pc));
  CHECK_OK(MatDestroy(&A));
  CHECK_OK(MatDestroy(&B));
}

/* A block that cannot be inverted, on the last rank alone: all ranks hear of it, and a good matrix after it
   is good again. */
static void test_singular(void)
{
  PCFailedReason     reason;
  KSPConvergedReason solved;
  KSP                ksp;
  Vec                b;
  PetscReal          off = 1;
  PetscInt           last = 3 * SIDE * SIDE - 1, end, n, list[10];
  Mat                A;
  PC                 pc;

  CHECK_OK(create(3, PETSC_FALSE, &A));
  CHECK_OK(MatGetOwnershipRange(A, NULL, &end));
  n = end == last + 1 ? neighbours(last / 3, PETSC_FALSE, list) : 0;
  for (PetscInt k = 0; k < 3 * n; k++) /* a row of zeros */
    CHECK_OK(MatSetValue(A, last, 3 * list[k / 3] + k % 3, 0, INSERT_VALUES));
  CHECK_OK(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  CHECK_OK(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  CHECK_OK(KSPCreate(PETSC_COMM_WORLD, &ksp));
  CHECK_OK(KSPSetOperators(ksp, A, A));
  CHECK_OK(KSPGetPC(ksp, &pc));
  CHECK_OK(CrIncompleteUse(pc));
  CHECK_OK(MatCreateVecs(A, &b, NULL));
  CHECK_OK(VecSet(b, 1));
  CHECK_OK(KSPSolve(ksp, b, b)); /* what the ladder of linear solvers looks at */
  CHECK_OK(KSPGetConvergedReason(ksp, &solved));
  CHECK(solved == KSP_DIVERGED_PC_FAILED);
  CHECK_OK(PCGetFailedReason(pc, &reason));
  CHECK(reason == PC_FACTOR_NUMERIC_ZEROPIVOT);
  CHECK_OK(fill(A, PETSC_FALSE, 1));
  CHECK_OK(difference(pc, A, PETSC_FALSE, &off));
  CHECK_LESS(off, CLOSE);
  CHECK_OK(PCGetFailedReason(pc, &reason));
  CHECK(reason == PC_NOERROR);
  CHECK_OK(KSPDestroy(&ksp));
  CHECK_OK(VecDestroy(&b));
  CHECK_OK(MatDestroy(&A));
}

/* Node 0 couples with all others, these with nothing else. Eliminated first it couples them all, which
   ILU(0) forgets; eliminated last it leaves nothing to forget. */
static void test_order(void)
{
  PetscInt  first, end, n = 0, nodes[SIDE * SIDE];
  PetscReal off = 0;
  Mat       A;
  PC        pc;

  CHECK_OK(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, SIDE * SIDE, SIDE * SIDE,
                        SIDE * SIDE, NULL, SIDE * SIDE, NULL, &A));
  CHECK_OK(MatGetOwnershipRange(A, &first, &end)); /* in nodes */
  CHECK_OK(MatDestroy(&A));
  CHECK_OK(MatCreateAIJ(PETSC_COMM_WORLD, 2 * (end - first), 2 * (end - first), 2 * SIDE * SIDE,
                        2 * SIDE * SIDE, 2 * SIDE * SIDE, NULL, 2 * SIDE * SIDE, NULL, &A));
  CHECK_OK(MatSetBlockSize(A, 2));
  for (PetscInt r = 2 * first; r < 2 * end; r++)
    for (PetscInt c = 0; c < 2 * SIDE * SIDE; c++)
      if (r / 2 == c / 2 || r / 2 == 0 || c / 2 == 0)
        CHECK_OK(MatSetValue(A, r, c, noise(r, c, 3) + (r == c ? 4 : 0), INSERT_VALUES));
  CHECK_OK(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  CHECK_OK(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  CHECK_OK(PCCreate(PETSC_COMM_WORLD, &pc));
  CHECK_OK(PCSetOperators(pc, A, A));
  CHECK_OK(CrIncompleteUse(pc));
  CHECK_OK(difference(pc, A, PETSC_TRUE, &off));
  CHECK_LESS(1e-3, off);
  for (PetscInt node = PetscMax(first, 1); node < end; node++) nodes[n++] = node - first;
  CHECK_OK(CrBlocksSetFirst(A, n, nodes));
  CHECK_OK(PCReset(pc));
  CHECK_OK(CrIncompleteDrop(pc));
  CHECK_OK(PCSetOperators(pc, A, A));
  CHECK_OK(difference(pc, A, PETSC_TRUE, &off));
  CHECK_LESS(off, CLOSE);
  CHECK_OK(PCDestroy(&pc));
  CHECK_OK(MatDestroy(&A));
}

/* The product by blocks beside PETSc's. */
static void test_product(PetscInt bs)
{
  Mat       A, plain;
  Vec       x, y, z;
  PetscInt  first, end;
  PetscReal scale, off = 1;

  CHECK_OK(create(bs, PETSC_TRUE, &plain));
  CHECK_OK(create(bs, PETSC_TRUE, &A));
  CHECK_OK(CrBlocksMultiply(A));
  CHECK_OK(MatCreateVecs(A, &x, &y));
  CHECK_OK(VecDuplicate(y, &z));
  CHECK_OK(VecGetOwnershipRange(x, &first, &end));
  for (PetscInt r = first; r < end; r++)
    CHECK_OK(VecSetValue(x, r, noise(r, 2000, 1), INSERT_VALUES));
  CHECK_OK(VecAssemblyBegin(x));
  CHECK_OK(VecAssemblyEnd(x));
  CHECK_OK(MatMult(A, x, y));
  CHECK_OK(MatMult(plain, x, z));
  CHECK_OK(VecNorm(z, NORM_INFINITY, &scale));
  CHECK_OK(VecAXPY(y, -1, z));
  CHECK_OK(VecNorm(y, NORM_INFINITY, &off));
  CHECK_LESS(off, 1e-14 * scale); /* thirty terms, in another order */
  CHECK_OK(VecDestroy(&x));
  CHECK_OK(VecDestroy(&y));
  CHECK_OK(VecDestroy(&z));
  CHECK_OK(MatDestroy(&A));
  CHECK_OK(MatDestroy(&plain));
}

int main(int argc, char **argv)
{
  int failures;

  if (check_start(argc, argv)) return 1;
  test_same_as_petsc(2);
  test_same_as_petsc(3);
  test_singular();
  test_order();
  test_product(2);
  test_product(3);
  MPI_Allreduce(&check_failures, &failures, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  check_failures = failures;
  return check_end();
}
