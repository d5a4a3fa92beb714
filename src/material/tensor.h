/* Functions of symmetric tensors, for several elements at once (one element per lane of a vector register). The
   components are 11 22 33 12 23 13. Plane problems have the first ns = 4 components, and the others are 0. */
#pragma once

#include "base/lanes.h"
#include "material/material.h"

static const int tensor_row[6] = {0, 1, 2, 0, 1, 0}, tensor_col[6] = {0, 1, 2, 1, 2, 2};
static const int tensor_index[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

CR_INLINE CrLanes trace(const CrLanes *a)
{
  return a[0] + a[1] + a[2];
}

/* Returns the contraction a:b. */
CR_INLINE CrLanes contract(int ns, const CrLanes *a, const CrLanes *b)
{
  CrLanes sum = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

  for (int I = 3; I < ns; I++) sum += 2 * a[I] * b[I];
  return sum;
}

CR_INLINE CrLanes determinant(int ns, const CrLanes *a)
{
  CrLanes det = a[2] * (a[0] * a[1] - a[3] * a[3]);

  if (ns == 6) det += 2 * a[3] * a[4] * a[5] - a[0] * a[4] * a[4] - a[1] * a[5] * a[5];
  return det;
}

/* Returns the second invariant (tr^2 a - tr a^2)/2. */
CR_INLINE CrLanes second_invariant(int ns, const CrLanes *a)
{
  CrLanes sum = a[0] * a[1] + a[1] * a[2] + a[0] * a[2] - a[3] * a[3];

  if (ns == 6) sum -= a[4] * a[4] + a[5] * a[5];
  return sum;
}

/* Computes the cofactor matrix det(a) a^-1, which is symmetric. */
CR_INLINE void cofactor(int ns, const CrLanes *a, CrLanes *c)
{
  c[0] = a[1] * a[2];
  c[1] = a[0] * a[2];
  c[2] = a[0] * a[1] - a[3] * a[3];
  c[3] = -a[3] * a[2];
  if (ns == 6) {
    c[0] -= a[4] * a[4];
    c[1] -= a[5] * a[5];
    c[3] += a[4] * a[5];
    c[4] = a[3] * a[5] - a[0] * a[4];
    c[5] = a[3] * a[4] - a[1] * a[5];
  }
}

/* Returns det(1 + 2E) - 1, without cancellation at small strain. */
CR_INLINE CrLanes determinant_change(int ns, const CrLanes *E)
{
  return 2 * trace(E) + 4 * second_invariant(ns, E) + 8 * determinant(ns, E);
}

/* Computes C = 1 + 2E and its inverse, which has all six components. det_change is the result of determinant_change. */
CR_INLINE void metric_and_inverse(int ns, const CrLanes *E, CrLanes det_change, CrLanes *C,
                                  CrLanes *Ci)
{
  CrLanes over = 1 / (1 + det_change);

  for (int I = 0; I < ns; I++) C[I] = 2 * E[I] + (I < 3 ? 1.0 : 0.0);
  cofactor(ns, C, Ci);
  for (int I = 0; I < ns; I++) Ci[I] *= over;
  for (int I = ns; I < 6; I++) Ci[I] = lanes_set(0);
}

/* Returns det(C1) - det(C0) by an exact identity in the mean of C and z = C1 - C0 (theory 5.3). */
CR_INLINE CrLanes determinant_difference(int ns, const CrLanes *E0, const CrLanes *E1,
                                         const CrLanes *z)
{
  CrLanes Cm[6], cof[6];

  for (int I = 0; I < ns; I++) Cm[I] = E0[I] + E1[I] + (I < 3 ? 1.0 : 0.0);
  cofactor(ns, Cm, cof);
  return contract(ns, cof, z) + determinant(ns, z) / 4;
}

/* Returns the change of tr C - ln det C between the strains E0 and E1. Sets *dl to half of the change of ln det C. The
   change of tr C - ln det C is of second order in the strain, because the linear terms of tr z and of x = (det C1 - det
   C0)/det C0 cancel. The function removes the linear terms analytically, with s = E0 + E1, C_m = 1 + s and cof C_m = 1
   + (tr s 1 - s) + cof s. */
CR_INLINE CrLanes trace_minus_log_difference(int ns, const CrLanes *E0, const CrLanes *E1,
                                             const CrLanes *z, CrLanes *dl)
{
  CrLanes change = determinant_change(ns, E0), over = 1 / (1 + change), s[6], cof[6], x, linear;

  for (int I = 0; I < ns; I++) s[I] = E0[I] + E1[I];
  cofactor(ns, s, cof);
  x = determinant_difference(ns, E0, E1, z) * over;
  linear = (change - trace(s)) * trace(z) + contract(ns, s, z) - contract(ns, cof, z) -
           determinant(ns, z) / 4; /* det C0 (tr z - x) */
  *dl = lanes_log1p(x) / 2;
  return linear * over - lanes_log1p_minus(x);
}

/* Returns component I of the tensor 1 - C^-1 = 2 C^-1 E. */
CR_INLINE CrLanes one_minus_inverse(int ns, const CrLanes *Ci, const CrLanes *E, int I)
{
  int     i = tensor_row[I], j = tensor_col[I];
  CrLanes sum = lanes_set(0);

  for (int k = 0; k < 3; k++) {
    int a = tensor_index[i][k], b = tensor_index[k][j];

    if (a < ns && b < ns) sum += Ci[a] * E[b];
  }
  return 2 * sum;
}

/* Returns component I, J of the fourth-order tensor -d(C^-1)/dC, which tangents need. */
CR_INLINE CrLanes inverse_product(const CrLanes *Ci, int I,
                                  int J) /* -dCi/dC: (Ci_ik Ci_jl + Ci_il Ci_jk)/2 */
{
  int i = tensor_row[I], j = tensor_col[I], k = tensor_row[J], l = tensor_col[J];

  return (Ci[tensor_index[i][k]] * Ci[tensor_index[j][l]] +
          Ci[tensor_index[i][l]] * Ci[tensor_index[j][k]]) /
         2;
}

CR_INLINE double identity2(int I)
{
  return I < 3 ? 1 : 0;
}

CR_INLINE double identity4(int I, int J) /* I4:a = a under the weighted contraction */
{
  return I != J ? 0 : I < 3 ? 1 : 0.5;
}

/* Returns internal variable c of a quadrature point, for CR_WIDTH elements. */
CR_INLINE CrLanes state_load(const PetscReal *state, int c)
{
  return lanes_load(state + c * CR_BATCH);
}

CR_INLINE void state_store(PetscReal *state, int c, CrLanes value)
{
  lanes_store(state + c * CR_BATCH, value);
}

/* A material law is an inline function whose argument ns is a constant. The macros below make one instance of the law
   for ns = 4 and one for ns = 6. The instance is chosen at run time. */
#define CR_POINT_LAW(law)                                                                          \
  static void law##_point(const CrMaterial *material, PetscInt ns, const void *E, void *W,         \
                          void *S, void *CC)                                                       \
  {                                                                                                \
    if (ns == 4)                                                                                   \
      law(material, 4, E, W, S, CC);                                                               \
    else                                                                                           \
      law(material, 6, E, W, S, CC);                                                               \
  }

#define CR_DIFFERENCE_LAW(law)                                                                     \
  static void law##_change(const CrMaterial *material, PetscInt ns, const void *E0,                \
                           const void *E1, const void *z, void *dW)                                \
  {                                                                                                \
    if (ns == 4)                                                                                   \
      law(material, 4, E0, E1, z, dW);                                                             \
    else                                                                                           \
      law(material, 6, E0, E1, z, dW);                                                             \
  }

#define CR_BETWEEN_LAW(law)                                                                        \
  static void law##_stress(const CrMaterial *material, PetscInt ns, const void *E0,                \
                           const void *E1, const void *z, void *S, void *A)                        \
  {                                                                                                \
    if (ns == 4)                                                                                   \
      law(material, 4, E0, E1, z, S, A);                                                           \
    else                                                                                           \
      law(material, 6, E0, E1, z, S, A);                                                           \
  }
