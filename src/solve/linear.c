/* Chooses the linear solver (theory 10.3). Tangents of the conserving stress are unsymmetric, so the solvers are LU and
   GMRES. Small systems are solved by LU. Larger systems are solved by GMRES with ILU(0), as long as it needs few
   iterations, which is usual with inertia. A large system without inertia begins with multigrid. If ILU(0) is too slow,
   the next solver is LU, or for large systems multigrid with rigid-body modes, and LU if nothing else converges. PETSc
   keeps symbolic factorisations while the pattern does not change. */
#include "solve/linear.h"
#include "solve/incomplete.h"
#include "solve/multigrid.h"

/* dofs, [0] in 2D, [1] in 3D */
static const PetscInt native_limit[2] = {3000, 600};    /* below, PETSc's own LU is best */
static const PetscInt direct_limit[2] = {50000, 20000}; /* below, LU is better than multigrid */

static const PetscInt multigrid_limit =
    200000; /* above, without inertia, multigrid from the start */

#define ITERATIVE_RTOL    1e-8
#define MANY_ITERATIONS   80  /* of ILU(0): more, and the others are faster */
#define ENOUGH_ITERATIONS 100 /* then two digits will do: Newton corrects the rest */
#define MOST_ITERATIONS   200 /* then anything that goes the right way */
#define SLOW_SOLVES       2   /* slow Newton solves in a row that make it look for another solver */

typedef enum { DIRECT, INCOMPLETE, MULTIGRID, LAST_RESORT } Rung;

struct CrLinear {
  KSP       ksp; /* borrowed from SNES */
  PetscInt  rung, n;
  PetscInt  space;     /* 0 in 2D, 1 in 3D */
  PetscInt  slow;      /* Newton solves in a row that needed many iterations */
  PetscReal start;     /* residual of the solve in hand */
  PetscBool by_option; /* the user's choice is not touched */
  char      text[160];
};

static PetscErrorCode use_direct(CrLinear *linear, PC pc, PetscMPIInt size)
{
  PetscBool native = size == 1 && linear->n <= native_limit[linear->space];

  PetscFunctionBeginUser;
  PetscCall(KSPSetType(linear->ksp, KSPPREONLY));
  PetscCall(KSPSetConvergenceTest(linear->ksp, KSPConvergedSkip, NULL, NULL));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, native ? MATSOLVERPETSC : MATSOLVERMUMPS));
  PetscCall(PetscSNPrintf(linear->text, sizeof linear->text,
                          "direct, %s LU (%" PetscInt_FMT " unknowns)", native ? "PETSc" : "MUMPS",
                          linear->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* As tight as asked; but a matrix far from the solution may be indefinite, and a rough direction is
   better than none there. */
static PetscErrorCode test_convergence(KSP ksp, PetscInt it, PetscReal norm,
                                       KSPConvergedReason *reason, void *ctx)
{
  CrLinear *linear = ctx;
  PetscReal rtol, share;

  PetscFunctionBeginUser;
  PetscCall(KSPGetTolerances(ksp, &rtol, NULL, NULL, NULL));
  if (it == 0) linear->start = norm;
  share = linear->start > 0 ? norm / linear->start : 0;
  *reason = KSP_CONVERGED_ITERATING;
  if (PetscIsInfOrNanReal(norm))
    *reason = KSP_DIVERGED_NANORINF;
  else if (share <= rtol)
    *reason = KSP_CONVERGED_RTOL;
  else if ((it >= ENOUGH_ITERATIONS && share < 1e-2) || (it >= MOST_ITERATIONS && share < 0.5))
    *reason = KSP_CONVERGED_ITS;
  else if (it >= MOST_ITERATIONS)
    *reason = KSP_DIVERGED_ITS;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode use_tolerance(CrLinear *linear)
{
  PetscFunctionBeginUser;
  PetscCall(KSPSetTolerances(linear->ksp, ITERATIVE_RTOL, PETSC_DEFAULT, PETSC_DEFAULT,
                             2 * MOST_ITERATIONS));
  PetscCall(KSPSetConvergenceTest(linear->ksp, test_convergence, linear, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode use_gmres(CrLinear *linear)
{
  PetscFunctionBeginUser;
  PetscCall(KSPSetType(linear->ksp, KSPGMRES));
  PetscCall(KSPSetPCSide(linear->ksp, PC_RIGHT)); /* so that the residual tested is the true one */
  PetscCall(use_tolerance(linear));
  PetscCall(KSPGMRESSetRestart(linear->ksp, 100));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode use_incomplete(CrLinear *linear, PC pc, PetscMPIInt size)
{
  PetscFunctionBeginUser;
  PetscCall(use_gmres(linear));
  PetscCall(CrIncompleteUse(pc));
  PetscCall(PetscSNPrintf(linear->text, sizeof linear->text,
                          "GMRES with %s (%" PetscInt_FMT " unknowns)",
                          size == 1 ? "ILU(0)" : "ILU(0) per rank, overlapping", linear->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode use_multigrid(CrLinear *linear, PC pc)
{
  PetscFunctionBeginUser;
  PetscCall(use_gmres(linear));
  PetscCall(KSPSetType(linear->ksp, KSPFGMRES)); /* smoothers may iterate */
  PetscCall(CrMultigridUse(pc));
  PetscCall(PetscSNPrintf(linear->text, sizeof linear->text,
                          "FGMRES with GAMG and rigid-body modes (%" PetscInt_FMT " unknowns)",
                          linear->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode use_rung(CrLinear *linear)
{
  PC          pc;
  PetscMPIInt size;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)linear->ksp), &size));
  PetscCall(KSPGetPC(linear->ksp, &pc));
  if (linear->rung == INCOMPLETE)
    PetscCall(use_incomplete(linear, pc, size));
  else if (linear->rung == MULTIGRID)
    PetscCall(use_multigrid(linear, pc));
  else
    PetscCall(use_direct(linear, pc, size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The option -linear_solver chooses one of the program's solvers, which is then kept. */
static PetscErrorCode take_name(CrLinear *linear)
{
  static const char *const name[] = {"direct", "ilu", "multigrid"};
  PetscInt                 rung = linear->rung;

  PetscFunctionBeginUser;
  PetscCall(PetscOptionsGetEList(NULL, NULL, "-linear_solver", name,
                                 PETSC_STATIC_ARRAY_LENGTH(name), &rung, &linear->by_option));
  linear->rung = rung;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Takes options; says so when they replaced the choice. */
static PetscErrorCode take_options(CrLinear *linear)
{
  KSPType   type;
  PCType    pctype;
  PC        pc;
  char      type0[64], pctype0[64];
  PetscBool same_ksp, same_pc, direct;

  PetscFunctionBeginUser;
  PetscCall(KSPGetPC(linear->ksp, &pc));
  PetscCall(KSPGetType(linear->ksp, &type));
  PetscCall(PCGetType(pc, &pctype));
  PetscCall(PetscStrncpy(type0, type, sizeof type0));
  PetscCall(PetscStrncpy(pctype0, pctype, sizeof pctype0));
  PetscCall(KSPSetFromOptions(linear->ksp));
  PetscCall(KSPGetType(linear->ksp, &type));
  PetscCall(PCGetType(pc, &pctype));
  PetscCall(PetscStrcmp(type, type0, &same_ksp));
  PetscCall(PetscStrcmp(pctype, pctype0, &same_pc));
  if (same_ksp && same_pc) PetscFunctionReturn(PETSC_SUCCESS);
  linear->by_option = PETSC_TRUE;
  PetscCall(PetscStrcmp(type, KSPPREONLY, &direct));
  if (linear->rung == DIRECT && !direct) { /* one that iterates must be told when to end */
    PetscCall(use_tolerance(linear));
    PetscCall(KSPSetFromOptions(linear->ksp));
  }
  PetscCall(
      PetscSNPrintf(linear->text, sizeof linear->text, "%s with %s, by option", type, pctype));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLinearCreate(KSP ksp, Mat A, PetscInt dim, PetscBool has_mass, CrLinear **out)
{
  CrLinear *linear;
  PetscInt  space = dim - 2, limit = has_mass ? native_limit[space] : direct_limit[space];

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&linear));
  linear->ksp = ksp;
  linear->space = space;
  PetscCall(MatGetSize(A, &linear->n, NULL));
  linear->rung = linear->n <= limit                         ? DIRECT
                 : !has_mass && linear->n > multigrid_limit ? MULTIGRID
                                                            : INCOMPLETE;
  PetscCall(take_name(linear));
  PetscCall(use_rung(linear));
  PetscCall(take_options(linear));
  *out = linear;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLinearReview(CrLinear *linear, PetscReal iterations, PetscBool failed,
                              PetscBool *moved)
{
  PetscBool slow = linear->rung == INCOMPLETE && iterations > MANY_ITERATIONS;

  PetscFunctionBeginUser;
  *moved = PETSC_FALSE;
  linear->slow = slow ? linear->slow + 1 : 0;
  if (linear->slow < SLOW_SOLVES) slow = PETSC_FALSE;
  if (linear->by_option || linear->rung == DIRECT || linear->rung == LAST_RESORT ||
      !(slow || failed))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (linear->n <= direct_limit[linear->space])
    linear->rung = DIRECT;
  else
    linear->rung++;
  PetscCall(KSPReset(linear->ksp));
  PetscCall(use_rung(linear));
  PetscCall(KSPSetFromOptions(linear->ksp));
  CrLog("linear solver: %s, because the previous solver %s\n", linear->text,
        failed ? "failed" : "needed many iterations");
  *moved = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The user may have chosen GAMG. Its solvers on coarse levels remember their sizes even when GAMG is reset (PETSc
   3.18), and refuse those of another matrix. GAMG is made anew. */
static PetscErrorCode drop_multigrid(PC pc)
{
  PetscBool multigrid;

  PetscFunctionBeginUser;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCGAMG, &multigrid));
  if (!multigrid) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(PCSetType(pc, PCGAMG));
  PetscCall(PCGAMGSetReuseInterpolation(pc, PETSC_TRUE));
  PetscCall(PCSetFromOptions(pc));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLinearDrop(CrLinear *linear)
{
  PC pc;

  PetscFunctionBeginUser;
  PetscCall(KSPGetPC(linear->ksp, &pc));
  PetscCall(CrIncompleteDrop(pc));
  PetscCall(CrMultigridDrop(pc));
  PetscCall(drop_multigrid(pc));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt *CrLinearRung(CrLinear *linear)
{
  return &linear->rung;
}

PetscErrorCode CrLinearRestore(CrLinear *linear)
{
  PetscFunctionBeginUser;
  if (!linear->by_option) PetscCall(use_rung(linear));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLinearDestroy(CrLinear **linear)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(*linear));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *CrLinearText(const CrLinear *linear)
{
  return linear->text;
}
