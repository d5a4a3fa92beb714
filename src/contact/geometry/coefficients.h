/* Coefficients of the nodes of a contact (theory 13.2). With the nodes x_A, A = 0, 1, ..,

     x_S - x_M(xi) = sum P_A x_A,   tau_b = -sum P_b,A x_A,   a = sum alpha_A x_A,

   where P_b,A and P_12,A are derivatives of P_A by xi_b, and by xi_1 and xi_2. Operators and their derivatives depend
   on the master only through these numbers. So one code serves segments, triangles, quads and two edges that cross. */
#pragma once

#include "contact/geometry/kinematics.h"

/* alpha defines the direction a of the tangent e[0]: it is tau_1 at xi2 = 0. The direction a does not depend on xi, so
   that sliding on a trapezoid does not rotate the tangents. */
typedef struct {
  PetscReal P[CR_CONTACT_NODES], Pb[2][CR_CONTACT_NODES], P12[CR_CONTACT_NODES];
  PetscReal alpha[CR_CONTACT_NODES];
} CrCoefficients;

/* The coefficients of each form that do not depend on xi: all except P, and P_1 and P_2 of quads. */
extern const CrCoefficients CrConstantCoefficients[];
/* Computes all coefficients of a form at xi. */
void CrCoefficientsAt(CrForm form, const PetscReal xi[2], CrCoefficients *c);
/* Returns the form of a facet with n corners. */
CrForm CrFormOfFacet(PetscInt n);
