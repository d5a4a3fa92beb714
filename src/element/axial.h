/* Axial symmetry: x is the radius, y the axis, and a ring through every point stretches by F33 = 1 + u_r/R. N_a/R of
   each node replaces a gradient of the shape function in the hoop direction. Integrals go around the full circle. */
#pragma once

#include "element/element.h"
#include "base/lanes.h"

/* Computes hoop[a] = N_a/R at one point, with the shape functions N_a and the radius R. Returns the weight 2 pi R of
   the circle. */
CR_INLINE CrLanes hoop_shapes(const int NN, const CrRule *rule, int q, CrLanes X[][3],
                              CrLanes hoop[])
{
  CrLanes R = lanes_set(0);

  for (int a = 0; a < NN; a++) R += X[a][0] * rule->N[q][a];
  for (int a = 0; a < NN; a++) hoop[a] = rule->N[q][a] / R;
  return 2 * PETSC_PI * R;
}

/* Returns u_r/R, the hoop component of the displacement gradient. */
CR_INLINE CrLanes hoop_gradient(const int NN, CrLanes u[][3], const CrLanes hoop[])
{
  CrLanes h = lanes_set(0);

  for (int a = 0; a < NN; a++) h += u[a][0] * hoop[a];
  return h;
}

/* Returns the hoop strain E33. */
CR_INLINE CrLanes hoop_strain(PetscBool small, CrLanes h)
{
  return small ? h : h + h * h / 2;
}

/* Computes the components 33 of both strains and of their difference in a step. Returns the weight 2 pi R of the
   circle. */
CR_INLINE CrLanes hoop_between(const int NN, PetscBool small, const CrRule *rule, int q,
                               CrLanes X[][3], CrLanes u0[][3], CrLanes du[][3], CrLanes *E0,
                               CrLanes *E1, CrLanes *z)
{
  CrLanes hoop[CR_MAX_CELL_NODES], w = hoop_shapes(NN, rule, q, X, hoop);
  CrLanes h0 = hoop_gradient(NN, u0, hoop), d = hoop_gradient(NN, du, hoop);

  E0[2] = hoop_strain(small, h0);
  E1[2] = hoop_strain(small, h0 + d);
  z[2] = small ? 2 * d : 2 * (1 + h0 + d / 2) * d;
  return w;
}
