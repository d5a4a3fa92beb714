/* Choice of the linear solver (theory 10.3). Tangents of the conserving stress are unsymmetric: LU,
   or GMRES with the true residual. Small systems are solved directly; large ones go up a ladder:
   ILU(0), while it needs few iterations; multigrid with rigid-body modes; LU again, where nothing
   else converges. Symbolic factorisations are kept by PETSc while the pattern stays. */
#include "solve/linear.h"

#define NATIVE_LIMIT    3000  /* below, PETSc's own LU has the least overhead */
#define DIRECT_LIMIT_2D 50000 /* dofs up to which a direct solver is best */
#define DIRECT_LIMIT_3D 20000
#define ITERATIVE_RTOL  1e-8
#define MANY_ITERATIONS 100 /* of ILU(0): more, and multigrid is faster */
#define MOST_ITERATIONS 500

typedef enum { DIRECT, INCOMPLETE, MULTIGRID, LAST_RESORT } Rung;

struct CrLinear {
  KSP       ksp; /* borrowed from SNES */
  PetscInt  rung, n;
  PetscBool by_option; /* the user's choice is not touched */
  char      text[160];
};

static PetscErrorCode use_direct(CrLinear *linear, PC pc, PetscMPIInt size)
{
  PetscBool native = size == 1 && linear->n <= NATIVE_LIMIT ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBeginUser;
  PetscCall(KSPSetType(linear->ksp, KSPPREONLY));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, native ? MATSOLVERPETSC : MATSOLVERMUMPS));
  PetscCall(PetscSNPrintf(linear->text, sizeof linear->text,
                          "direct, %s LU (%" PetscInt_FMT " unknowns)", native ? "PETSc" : "MUMPS",
                          linear->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode use_gmres(CrLinear *linear)
{
  PetscFunctionBeginUser;
  PetscCall(KSPSetType(linear->ksp, KSPGMRES));
  PetscCall(KSPSetPCSide(linear->ksp, PC_RIGHT)); /* so that the residual tested is the true one */
  PetscCall(
      KSPSetTolerances(linear->ksp, ITERATIVE_RTOL, PETSC_DEFAULT, PETSC_DEFAULT, MOST_ITERATIONS));
  PetscCall(KSPGMRESSetRestart(linear->ksp, 100));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode use_incomplete(CrLinear *linear, PC pc, PetscMPIInt size)
{
  PetscFunctionBeginUser;
  PetscCall(use_gmres(linear));
  PetscCall(PCSetType(pc, size == 1 ? PCILU : PCBJACOBI));
  PetscCall(PetscSNPrintf(linear->text, sizeof linear->text,
                          "GMRES with %s (%" PetscInt_FMT " unknowns)",
                          size == 1 ? "ILU(0)" : "ILU(0) per rank", linear->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The matrix carries its rigid-body modes as near null space. */
static PetscErrorCode use_multigrid(CrLinear *linear, PC pc)
{
  PetscFunctionBeginUser;
  PetscCall(use_gmres(linear));
  PetscCall(KSPSetType(linear->ksp, KSPFGMRES)); /* smoothers may iterate */
  PetscCall(PCSetType(pc, PCGAMG));
  PetscCall(PCGAMGSetReuseInterpolation(pc, PETSC_TRUE));
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

/* Takes options; says so when they replaced the choice. */
static PetscErrorCode take_options(CrLinear *linear)
{
  KSPType   type;
  PCType    pctype;
  PC        pc;
  char      type0[64], pctype0[64];
  PetscBool same_ksp, same_pc;

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
  PetscCall(
      PetscSNPrintf(linear->text, sizeof linear->text, "%s with %s, by option", type, pctype));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLinearCreate(KSP ksp, Mat A, PetscInt dim, CrLinear **out)
{
  CrLinear *linear;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&linear));
  linear->ksp = ksp;
  PetscCall(MatGetSize(A, &linear->n, NULL));
  linear->rung = linear->n <= (dim == 2 ? DIRECT_LIMIT_2D : DIRECT_LIMIT_3D) ? DIRECT : INCOMPLETE;
  PetscCall(use_rung(linear));
  PetscCall(take_options(linear));
  *out = linear;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLinearReview(CrLinear *linear, PetscReal iterations, PetscBool failed,
                              PetscBool *moved)
{
  PetscBool slow =
      linear->rung == INCOMPLETE && iterations > MANY_ITERATIONS ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBeginUser;
  *moved = PETSC_FALSE;
  if (linear->by_option || linear->rung == DIRECT || linear->rung == LAST_RESORT ||
      !(slow || failed))
    PetscFunctionReturn(PETSC_SUCCESS);
  linear->rung++;
  PetscCall(KSPReset(linear->ksp));
  PetscCall(use_rung(linear));
  PetscCall(KSPSetFromOptions(linear->ksp));
  CrLog("linear solver: %s, since the last one %s\n", linear->text,
        failed ? "failed" : "needed many iterations");
  *moved = PETSC_TRUE;
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
