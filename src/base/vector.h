/* Defines inline functions for vectors of three reals and for 3 x 3 matrices that are stored by rows. Only v_dot_n
   takes vectors of any length. */
#pragma once

#include <math.h>
#include "base/base.h"

#define VECTOR_INLINE static inline __attribute__((unused))

VECTOR_INLINE PetscReal v_dot(const PetscReal a[3], const PetscReal b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

VECTOR_INLINE PetscReal v_dot_n(PetscInt n, const PetscReal a[], const PetscReal b[])
{
  PetscReal sum = 0;

  for (PetscInt i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

VECTOR_INLINE PetscReal v_length(const PetscReal a[3])
{
  return sqrt(v_dot(a, a));
}

VECTOR_INLINE void v_cross(const PetscReal a[3], const PetscReal b[3], PetscReal c[3])
{
  PetscReal x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];

  c[2] = a[0] * b[1] - a[1] * b[0];
  c[0] = x, c[1] = y;
}

VECTOR_INLINE void v_add(PetscReal a[3], PetscReal s, const PetscReal b[3]) /* a += s b */
{
  for (int i = 0; i < 3; i++) a[i] += s * b[i];
}

VECTOR_INLINE void v_copy(const PetscReal a[3], PetscReal b[3])
{
  b[0] = a[0], b[1] = a[1], b[2] = a[2];
}

VECTOR_INLINE void v_less(const PetscReal a[3], const PetscReal b[3], PetscReal c[3])
{
  for (int i = 0; i < 3; i++) c[i] = a[i] - b[i];
}

/* Computes the bounding box (low, high) of n points, stored as x[3 n]. */
VECTOR_INLINE void v_bounds(PetscInt n, const PetscReal *x, PetscReal low[3], PetscReal high[3])
{
  for (int i = 0; i < 3; i++) low[i] = PETSC_MAX_REAL, high[i] = -PETSC_MAX_REAL;
  for (PetscInt k = 0; k < 3 * n; k += 3)
    for (int i = 0; i < 3; i++) {
      /* divides a by its length, and returns this length */
      if (x[k + i] < low[i]) low[i] = x[k + i];
      if (x[k + i] > high[i]) high[i] = x[k + i];
    }
}

VECTOR_INLINE PetscReal v_unit(PetscReal a[3])
{
  PetscReal length = v_length(a);

  if (length > 0)
    for (int i = 0; i < 3; i++) a[i] /= length;
  return length;
}

VECTOR_INLINE void m_times(const PetscReal M[9], const PetscReal a[3], PetscReal b[3]) /* b = M a */
{
  PetscReal x = M[0] * a[0] + M[1] * a[1] + M[2] * a[2];
  PetscReal y = M[3] * a[0] + M[4] * a[1] + M[5] * a[2];

  b[2] = M[6] * a[0] + M[7] * a[1] + M[8] * a[2];
  b[0] = x, b[1] = y;
}

VECTOR_INLINE void m_back(const PetscReal M[9], const PetscReal a[3],
                          PetscReal b[3]) /* b = M^T a */
{
  PetscReal x = M[0] * a[0] + M[3] * a[1] + M[6] * a[2];
  PetscReal y = M[1] * a[0] + M[4] * a[1] + M[7] * a[2];

  b[2] = M[2] * a[0] + M[5] * a[1] + M[8] * a[2];
  b[0] = x, b[1] = y;
}

VECTOR_INLINE void m_multiply(const PetscReal A[9], const PetscReal B[9],
                              PetscReal C[9]) /* C = A B */
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

VECTOR_INLINE void m_cross(const PetscReal a[3], PetscReal M[9]) /* M b = a x b */
{
  M[0] = M[4] = M[8] = 0;
  M[1] = -a[2], M[2] = a[1], M[5] = -a[0];
  M[3] = a[2], M[6] = -a[1], M[7] = a[0];
}

/* Solves M x = b by Cramer's rule. Returns false, without computing x, if M is singular within the rounding error. */
VECTOR_INLINE PetscBool m_solve(const PetscReal M[9], const PetscReal b[3], PetscReal x[3])
{
  PetscReal c0[3], c1[3], c2[3], det;

  v_cross(M + 3, M + 6, c0);
  v_cross(M + 6, M, c1);
  v_cross(M, M + 3, c2);
  det = v_dot(M, c0);
  if (!(fabs(det) > 1e-14 * v_length(M) * v_length(M + 3) * v_length(M + 6))) return PETSC_FALSE;
  for (int i = 0; i < 3; i++) x[i] = (c0[i] * b[0] + c1[i] * b[1] + c2[i] * b[2]) / det;
  return PETSC_TRUE;
}

/* Computes unit vectors t1, t2 so that (n, t1, t2) is a right-handed orthonormal frame. In 2D, t1 = (-n_y, n_x). */
VECTOR_INLINE void v_frame(PetscInt dim, const PetscReal n[3], PetscReal t1[3], PetscReal t2[3])
{
  int k = fabs(n[0]) < fabs(n[1]) ? 0 : 1;

  if (dim == 2) {
    t1[0] = -n[1], t1[1] = n[0], t1[2] = 0;
    t2[0] = t2[1] = 0, t2[2] = 1;
    return;
  }
  if (fabs(n[2]) < fabs(n[k])) k = 2;
  for (int i = 0; i < 3; i++) t1[i] = (i == k) - n[k] * n[i];
  v_unit(t1);
  v_cross(n, t1, t2);
}
