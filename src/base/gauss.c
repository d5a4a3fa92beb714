#include "base/gauss.h"

#define SINGULAR 1e-14 /* of the greatest entry of A: a pivot that small is rounding */

static void exchange(PetscInt m, PetscReal a[], PetscReal b[])
{
  for (PetscInt j = 0; a != b && j < m; j++) {
    PetscReal t = a[j];

    a[j] = b[j];
    b[j] = t;
  }
}

/* a -= factor b */
static void subtract(PetscInt m, PetscReal factor, const PetscReal *restrict b,
                     PetscReal *restrict a)
{
  for (PetscInt j = 0; j < m; j++) a[j] -= factor * b[j];
}

int CrGaussFactor(PetscInt n, PetscReal A[], PetscInt rows[])
{
  PetscReal size = 0;
  int       sign = 1;

  for (PetscInt k = 0; k < n * n; k++) size = PetscMax(size, PetscAbsReal(A[k]));
  for (PetscInt k = 0; k < n; k++) {
    PetscReal *pivot = A + k * n;

    rows[k] = k;
    for (PetscInt i = k + 1; i < n; i++)
      if (PetscAbsReal(A[i * n + k]) > PetscAbsReal(A[rows[k] * n + k])) rows[k] = i;
    exchange(n, pivot, A + rows[k] * n);
    if ((rows[k] != k) != (pivot[k] < 0)) sign = -sign;
    if (!(PetscAbsReal(pivot[k]) > SINGULAR * size)) return 0;
    for (PetscInt i = k + 1; i < n; i++) {
      PetscReal *row = A + i * n;

      if (row[k] == 0) continue;
      row[k] /= pivot[k];
      subtract(n - k - 1, row[k], pivot + k + 1, row + k + 1);
    }
  }
  return sign;
}

void CrGaussSolve(PetscInt n, const PetscReal A[], const PetscInt rows[], PetscInt m, PetscReal b[])
{
  for (PetscInt k = 0; k < n; k++) exchange(m, b + k * m, b + rows[k] * m);
  for (PetscInt i = 0; i < n; i++)
    for (PetscInt k = 0; k < i; k++)
      if (A[i * n + k] != 0) subtract(m, A[i * n + k], b + k * m, b + i * m);
  for (PetscInt i = n; i-- > 0;) {
    for (PetscInt k = i + 1; k < n; k++)
      if (A[i * n + k] != 0) subtract(m, A[i * n + k], b + k * m, b + i * m);
    for (PetscInt j = 0; j < m; j++) b[i * m + j] /= A[i * n + i];
  }
}
