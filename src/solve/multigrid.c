#include "solve/multigrid.h"
#include "solve/blocks.h"
#include "solve/incomplete.h"
#include "solve/slaves.h"

#define NAME "multigrid"

/* Coarse levels represent the smooth part of an error. Errors around stiff contact springs are rough, and the
   polynomials of Jacobi's method, with which GAMG smoothes, damp these errors slowly. Therefore ILU(0) is applied
   before and after a cycle of GAMG. If slaves lie between the nodes of the other surface, ILU(0) drops stiff terms and
   increases some errors around the springs. The exact solution for slaves removes these errors. */
typedef struct {
  PC       grid;   /* GAMG; NULL before the first set-up, as all below */
  PC       ilu;    /* ILU(0); NULL without contact */
  CrSlaves slaves; /* empty without contact */
  Vec      r, z;   /* scratch: residual and correction */
} Multigrid;

static PetscErrorCode release(Multigrid *mg)
{
  PetscFunctionBeginUser;
  PetscCall(PCDestroy(&mg->grid));
  PetscCall(PCDestroy(&mg->ilu));
  PetscCall(CrSlavesDestroy(&mg->slaves));
  PetscCall(VecDestroy(&mg->r));
  PetscCall(VecDestroy(&mg->z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first coarse level of GAMG has about a sixtieth of the nodes by default. Aggregates of this size represent two
   surfaces in contact badly, and the number of iterations grows with the number of unknowns. Aggregates of neighbours
   alone do not have this fault. PCSetFromOptions of PETSc 3.18 changes the number of aggressive levels, so this
   function is called after it. An option of the user has priority. */
static PetscErrorCode coarsen_slowly(PC grid)
{
  static const char *const names[] = {"-pc_gamg_aggressive_coarsening", "-pc_gamg_square_graph"};
  const char              *prefix;
  PetscBool                given;

  PetscFunctionBeginUser;
  PetscCall(PCGetOptionsPrefix(grid, &prefix));
  for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(names); k++) {
    PetscCall(PetscOptionsHasName(NULL, prefix, names[k], &given));
    if (given) PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PCGAMGSetAggressiveLevels(grid, 0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* GAMG's interpolation is kept while the pattern of the matrix stays. */
static PetscErrorCode prepare(Multigrid *mg, Mat A)
{
  MPI_Comm  comm = PetscObjectComm((PetscObject)A);
  PetscBool contact;

  PetscFunctionBeginUser;
  PetscCall(PCCreate(comm, &mg->grid));
  PetscCall(PCSetType(mg->grid, PCGAMG));
  PetscCall(PCGAMGSetReuseInterpolation(mg->grid, PETSC_TRUE));
  PetscCall(PCSetOptionsPrefix(mg->grid, "multigrid_"));
  PetscCall(CrBlocksHaveFirst(A, &contact));
  PetscCall(PCSetFromOptions(mg->grid));
  if (contact) PetscCall(coarsen_slowly(mg->grid));
  if (!contact) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCCreate(comm, &mg->ilu));
  PetscCall(CrIncompleteUse(mg->ilu));
  PetscCall(MatCreateVecs(A, &mg->r, &mg->z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode setup(PC pc)
{
  Multigrid     *mg;
  Mat            A;
  PCFailedReason reason, slaves_reason;

  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &mg));
  PetscCall(PCGetOperators(pc, NULL, &A));
  if (!mg->grid) PetscCall(prepare(mg, A));
  PetscCall(PCSetOperators(mg->grid, A, A));
  PetscCall(PCSetUp(mg->grid));
  PetscCall(PCGetFailedReason(mg->grid, &reason));
  if (mg->ilu) {
    PetscCall(PCSetOperators(mg->ilu, A, A));
    PetscCall(PCSetUp(mg->ilu));
    if (reason == PC_NOERROR) PetscCall(PCGetFailedReason(mg->ilu, &reason));
    PetscCall(CrSlavesSetUp(&mg->slaves, A, &slaves_reason));
    if (reason == PC_NOERROR) reason = slaves_reason;
  }
  PetscCall(PCSetFailedReason(pc, reason));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* r = b - A x. */
static PetscErrorCode residual(Multigrid *mg, Vec b, Vec x)
{
  Mat A;

  PetscFunctionBeginUser;
  PetscCall(PCGetOperators(mg->grid, &A, NULL));
  PetscCall(MatMult(A, x, mg->r));
  PetscCall(VecAYPX(mg->r, -1, b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* x = x + M^-1 (b - A x) for a preconditioner M. */
static PetscErrorCode correct(Multigrid *mg, PC M, Vec b, Vec x)
{
  PetscFunctionBeginUser;
  PetscCall(residual(mg, b, x));
  PetscCall(PCApply(M, mg->r, mg->z));
  PetscCall(VecAXPY(x, 1, mg->z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The same for slaves alone. */
static PetscErrorCode correct_slaves(Multigrid *mg, Vec b, Vec x)
{
  PetscFunctionBeginUser;
  PetscCall(residual(mg, b, x));
  PetscCall(CrSlavesCorrect(&mg->slaves, mg->r, x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode apply(PC pc, Vec b, Vec x)
{
  Multigrid *mg;

  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &mg));
  if (!mg->ilu)
    PetscCall(PCApply(mg->grid, b, x));
  else {
    PetscCall(PCApply(mg->ilu, b, x));
    PetscCall(correct_slaves(mg, b, x));
    PetscCall(correct(mg, mg->grid, b, x));
    PetscCall(correct_slaves(mg, b, x));
    PetscCall(correct(mg, mg->ilu, b, x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(PC pc)
{
  Multigrid *mg;

  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &mg));
  PetscCall(release(mg));
  PetscCall(PetscFree(mg));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultigridUse(PC pc)
{
  Multigrid *mg;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&mg));
  PetscCall(PCSetType(pc, PCNONE)); /* another one may be there already */
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, mg));
  PetscCall(PCShellSetName(pc, NAME));
  PetscCall(PCShellSetSetUp(pc, setup));
  PetscCall(PCShellSetApply(pc, apply));
  PetscCall(PCShellSetDestroy(pc, destroy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMultigridDrop(PC pc)
{
  Multigrid *mg;
  PetscBool  named;

  PetscFunctionBeginUser;
  PetscCall(CrShellNamed(pc, NAME, &named));
  if (!named) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCShellGetContext(pc, &mg));
  PetscCall(release(mg));
  PetscFunctionReturn(PETSC_SUCCESS);
}
