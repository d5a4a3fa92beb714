/* Choice of the linear solver (theory 10.3). Tangents of the conserving stress are unsymmetric: LU,
   or GMRES with the true residual. Symbolic factorisations are kept by PETSc while the pattern
   stays.
 */
#include "solve/linear.h"

#define NATIVE_LIMIT    3000  /* below, PETSc's own LU has the least overhead */
#define DIRECT_LIMIT_2D 50000 /* dofs up to which a direct solver is best */
#define DIRECT_LIMIT_3D 20000
#define ITERATIVE_RTOL  1e-8

struct CrLinear {
  char text[160];
};

static PetscErrorCode choose_direct(KSP ksp, PC pc, PetscInt n, PetscMPIInt size, CrLinear *linear)
{
  PetscBool native = size == 1 && n <= NATIVE_LIMIT ? PETSC_TRUE : PETSC_FALSE;

  PetscFunctionBeginUser;
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, native ? MATSOLVERPETSC : MATSOLVERMUMPS));
  PetscCall(PetscSNPrintf(linear->text, sizeof linear->text,
                          "direct, %s LU (%" PetscInt_FMT " unknowns)", native ? "PETSc" : "MUMPS",
                          n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode choose_iterative(KSP ksp, PC pc, PetscInt n, PetscMPIInt size,
                                       CrLinear *linear)
{
  PetscFunctionBeginUser;
  PetscCall(KSPSetType(ksp, KSPGMRES));
  PetscCall(KSPSetPCSide(ksp, PC_RIGHT)); /* so that the residual tested is the true one */
  PetscCall(KSPSetTolerances(ksp, ITERATIVE_RTOL, PETSC_DEFAULT, PETSC_DEFAULT, 500));
  PetscCall(KSPGMRESSetRestart(ksp, 100));
  PetscCall(PCSetType(pc, size == 1 ? PCILU : PCBJACOBI));
  PetscCall(PetscSNPrintf(linear->text, sizeof linear->text,
                          "GMRES with %s (%" PetscInt_FMT " unknowns)",
                          size == 1 ? "ILU(0)" : "ILU(0) per rank", n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Says so when options replaced the choice. */
static PetscErrorCode describe_override(KSP ksp, PC pc, const char *ksp0, const char *pc0,
                                        CrLinear *linear)
{
  KSPType   type;
  PCType    pctype;
  PetscBool same_ksp, same_pc;

  PetscFunctionBeginUser;
  PetscCall(KSPGetType(ksp, &type));
  PetscCall(PCGetType(pc, &pctype));
  PetscCall(PetscStrcmp(type, ksp0, &same_ksp));
  PetscCall(PetscStrcmp(pctype, pc0, &same_pc));
  if (!same_ksp || !same_pc)
    PetscCall(
        PetscSNPrintf(linear->text, sizeof linear->text, "%s with %s, by option", type, pctype));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrLinearCreate(KSP ksp, Mat A, PetscInt dim, CrLinear **out)
{
  PC          pc;
  PetscInt    n;
  PetscMPIInt size;
  KSPType     type;
  PCType      pctype;
  char        type0[64], pctype0[64];

  PetscFunctionBeginUser;
  PetscCall(PetscNew(out));
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)A), &size));
  PetscCall(MatGetSize(A, &n, NULL));
  PetscCall(KSPGetPC(ksp, &pc));
  if (n <= (dim == 2 ? DIRECT_LIMIT_2D : DIRECT_LIMIT_3D))
    PetscCall(choose_direct(ksp, pc, n, size, *out));
  else
    PetscCall(choose_iterative(ksp, pc, n, size, *out));
  PetscCall(KSPGetType(ksp, &type));
  PetscCall(PCGetType(pc, &pctype));
  PetscCall(PetscStrncpy(type0, type, sizeof type0));
  PetscCall(PetscStrncpy(pctype0, pctype, sizeof pctype0));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(describe_override(ksp, pc, type0, pctype0, *out));
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
