/* Functions for axial symmetry. x is the radius, and y the axis. A ring through a point with radius R stretches by F33
   = 1 + u_r/R. In the hoop direction, N_a/R of node a takes the place of the gradient of its shape function. Integrals
   go around the full circle. */
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

/* Returns u_r/R, the hoop component of the displacement gradient. hoop[] is the result of hoop_shapes. */
CR_INLINE CrLanes hoop_gradient(const int NN, CrLanes u[][3], const CrLanes hoop[])
{
  CrLanes h = lanes_set(0);

  for (int a = 0; a < NN; a++) h += u[a][0] * hoop[a];
  return h;
}

/* Returns the hoop strain E33 from h = u_r/R, for small or large strain. */
CR_INLINE CrLanes hoop_strain(PetscBool small, CrLanes h)
{
  return small ? h : h + h * h / 2;
}

/* Computes the components 33 of E0, E1 and z = C1 - C0, from the displacements u0 and the increment du. Returns the
   weight 2 pi R of the circle. */
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
