/* Coefficients of the nodes of a contact (theory 13.2). With the nodes x_A, A = 0, 1, ..,

     x_S - x_M(xi) = sum P_A x_A,   tau_b = -sum P_b,A x_A,   a = sum alpha_A x_A,

   where P_b,A and P_12,A are derivatives of P_A with respect to xi. Operators and derivatives need nothing else of a
   master: segment, triangle, quad and two edges that cross differ by these numbers alone. */
#pragma once

#include "contact/geometry/kinematics.h"

/* alpha gives the direction of the tangents, tau_1 at xi2 = 0. It is constant, so that sliding on a trapezoid does not
   turn the tangents. */
typedef struct {
  PetscReal P[CR_CONTACT_NODES], Pb[2][CR_CONTACT_NODES], P12[CR_CONTACT_NODES];
  PetscReal alpha[CR_CONTACT_NODES];
} CrCoefficients;

/* By form, those that do not depend on xi: all but P, and P_1 and P_2 of quads. */
extern const CrCoefficients CrConstantCoefficients[];
void                        CrCoefficientsAt(CrForm form, const PetscReal xi[2], CrCoefficients *c);
/* The form of a facet with n corners. */
CrForm CrFormOfFacet(PetscInt n);
