#include "base/cholesky.h"

/* A = L L^T by columns, in place. */
static PetscBool factor(PetscInt n, PetscInt width, PetscReal A[])
{
  for (PetscInt j = 0; j < n; j++) {
    PetscReal *L = A + j * width;

    for (PetscInt k = 0; k < j; k++) L[j] -= L[k] * L[k];
    if (!(L[j] > 0)) return PETSC_FALSE;
    L[j] = PetscSqrtReal(L[j]);
    for (PetscInt i = j + 1; i < n; i++) {
      PetscReal *below = A + i * width;

      for (PetscInt k = 0; k < j; k++) below[j] -= below[k] * L[k];
      below[j] /= L[j];
    }
  }
  return PETSC_TRUE;
}

PetscBool CrCholeskySolve(PetscInt n, PetscInt width, PetscReal A[], PetscReal b[])
{
  if (!factor(n, width, A)) return PETSC_FALSE;
  for (PetscInt i = 0; i < n; i++) { /* L \ b */
    for (PetscInt k = 0; k < i; k++) b[i] -= A[i * width + k] * b[k];
    b[i] /= A[i * width + i];
  }
  for (PetscInt i = n; i-- > 0;) { /* L^T \ b */
    for (PetscInt k = i + 1; k < n; k++) b[i] -= A[k * width + i] * b[k];
    b[i] /= A[i * width + i];
  }
  return PETSC_TRUE;
}
