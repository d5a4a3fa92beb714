#include "solve/mixing.h"

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

/* b <- G^-1 b by Cholesky; false where the differences are not independent. */
static PetscBool solve_normal(PetscInt n, PetscReal G[CR_MIXED][CR_MIXED], PetscReal b[CR_MIXED])
{
  PetscReal trace = 0;

  for (PetscInt i = 0; i < n; i++) trace += G[i][i];
  for (PetscInt i = 0; i < n; i++) G[i][i] += 1e-12 * trace;
  for (PetscInt i = 0; i < n; i++) {
    for (PetscInt j = 0; j < i; j++) G[i][i] -= PetscSqr(G[i][j]);
    if (!(G[i][i] > 0)) return PETSC_FALSE;
    G[i][i] = PetscSqrtReal(G[i][i]);
    for (PetscInt k = i + 1; k < n; k++) {
      for (PetscInt j = 0; j < i; j++) G[k][i] -= G[k][j] * G[i][j];
      G[k][i] /= G[i][i];
    }
  }
  for (PetscInt i = 0; i < n; i++) {
    for (PetscInt j = 0; j < i; j++) b[i] -= G[i][j] * b[j];
    b[i] /= G[i][i];
  }
  for (PetscInt i = n; i-- > 0;) {
    for (PetscInt j = i + 1; j < n; j++) b[i] -= G[j][i] * b[j];
    b[i] /= G[i][i];
  }
  return PETSC_TRUE;
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
  if (!n || !solve_normal(n, G, b)) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt i = 0; i < n; i++) b[i] = -b[i];
  PetscCall(VecMAXPY(d, n, b, m->du));
  PetscCall(VecMAXPY(d, n, b, m->dd));
  PetscFunctionReturn(PETSC_SUCCESS);
}
