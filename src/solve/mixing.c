#include "solve/mixing.h"
#include "base/cholesky.h"

PetscErrorCode CrMixingCreate(Vec prototype, CrMixing *m)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < CR_MIXED; k++) PetscCall(VecDuplicate(prototype, &m->du[k]));
  for (int k = 0; k < CR_MIXED; k++) PetscCall(VecDuplicate(prototype, &m->dd[k]));
  PetscCall(VecDuplicate(prototype, &m->u));
  PetscCall(VecDuplicate(prototype, &m->d));
  CrMixingForget(m);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMixingDestroy(CrMixing *m)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < CR_MIXED; k++) PetscCall(VecDestroy(&m->du[k]));
  for (int k = 0; k < CR_MIXED; k++) PetscCall(VecDestroy(&m->dd[k]));
  PetscCall(VecDestroy(&m->u));
  PetscCall(VecDestroy(&m->d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrMixingForget(CrMixing *m)
{
  m->n = -1;
}

/* So that differences which are nearly dependent still have a solution. */
static void damp(PetscInt n, PetscReal G[CR_MIXED][CR_MIXED])
{
  PetscReal trace = 0;

  for (PetscInt i = 0; i < n; i++) trace += G[i][i];
  for (PetscInt i = 0; i < n; i++) G[i][i] += 1e-12 * trace;
}

/* d - sum b_j (du_j + dd_j) with the b that minimise |d - sum b_j dd_j|. */
PetscErrorCode CrMixingApply(CrMixing *m, Vec u, Vec d)
{
  PetscReal G[CR_MIXED][CR_MIXED], b[CR_MIXED];
  PetscInt  n;

  PetscFunctionBeginUser;
  if (m->n >= 0) {
    PetscCall(VecWAXPY(m->du[m->n % CR_MIXED], -1, m->u, u));
    PetscCall(VecWAXPY(m->dd[m->n % CR_MIXED], -1, m->d, d));
  }
  m->n++;
  PetscCall(VecCopy(u, m->u));
  PetscCall(VecCopy(d, m->d));
  n = PetscMin(m->n, CR_MIXED);
  for (PetscInt i = 0; i < n; i++) {
    PetscCall(VecMDot(m->dd[i], n, m->dd, G[i]));
    PetscCall(VecDot(m->dd[i], d, &b[i]));
  }
  damp(n, G);
  if (!n || !CrCholeskySolve(n, CR_MIXED, G[0], b)) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < n; i++) b[i] = -b[i];
  PetscCall(VecMAXPY(d, n, b, m->du));
  PetscCall(VecMAXPY(d, n, b, m->dd));
  PetscFunctionReturn(PETSC_SUCCESS);
}
