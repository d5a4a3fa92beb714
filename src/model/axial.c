/* Axial symmetry (theory 2.5): checks of the deck and of the mesh, and the support of nodes on the axis. */
#include "model/internal.h"

/* Nodes this close to the axis, relative to the size of the model, are on it. */
#define ON_AXIS 1e-10

PetscErrorCode CrAxialRead(CrModel *model, const CrDeckNode *root)
{
  const CrDeckNode *symmetry = CrDeckFind(root, "symmetry");
  const CrDeckNode *plane = CrDeckFind(root, "plane"), *thickness = CrDeckFind(root, "thickness");

  PetscFunctionBeginUser;
  model->axial = CrDeckIsWord(symmetry, "axial");
  if (!model->axial) PetscFunctionReturn(PETSC_SUCCESS);
  if (model->dim == 3) CrDeckFail(symmetry, "`symmetry: axial` needs dimension 2");
  if (CrDeckIsGiven(plane))
    CrDeckFail(
        plane,
        "this key cannot be used with `symmetry: axial`, because the strain in the circumferential direction is not zero");
  if (CrDeckIsGiven(thickness))
    CrDeckFail(
        thickness,
        "this key cannot be used with `symmetry: axial`, where all forces, masses and energies are those of the full circle");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAxialCheckBody(const CrDeckNode *body)
{
  static const char *const foreign[] = {"rigid", "spin", "deformation"};

  PetscFunctionBeginUser;
  for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
    if (CrDeckIsGiven(CrDeckFind(body, foreign[k])))
      CrDeckFail(CrDeckFind(body, foreign[k]), "this key cannot be used with `symmetry: axial`");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAxialCheckMesh(const CrDeckNode *where, const CrMesh *mesh)
{
  PetscReal least = PETSC_MAX_REAL, greatest = PETSC_MIN_REAL;

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < mesh->nnodes; A++) {
    least = PetscMin(least, mesh->X[2 * A]);
    greatest = PetscMax(greatest, mesh->X[2 * A]);
  }
  if (!(least >= -ON_AXIS * PetscAbsReal(greatest)))
    CrDeckFail(
        where,
        "with `symmetry: axial` x is a radius and must not be negative, but the least x is %g",
        (double)least);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrAxialSupport(CrModel *model, const CrDeckNode *where, CrCondition *c)
{
  PetscInt n = 0, any;

  PetscFunctionBeginUser;
  for (PetscInt A = 0; A < model->nlocal; A++) n += model->X[2 * A] <= ON_AXIS * model->size;
  PetscCallMPI(MPI_Allreduce(&n, &any, 1, MPIU_INT, MPI_MAX, model->comm));
  if (!any) PetscFunctionReturn(PETSC_SUCCESS);
  model->nconditions++;
  c->kind = CR_FIX;
  c->where = where;
  c->from = PETSC_MIN_REAL;
  c->until = PETSC_MAX_REAL;
  c->rigid = -1;
  c->held[0] = PETSC_TRUE;
  PetscCall(PetscMalloc1(n, &c->nodes));
  PetscCall(PetscCalloc1(2 * n, &c->start));
  for (PetscInt A = 0; A < model->nlocal; A++)
    if (model->X[2 * A] <= ON_AXIS * model->size) c->nodes[c->nnodes++] = A;
  PetscFunctionReturn(PETSC_SUCCESS);
}
