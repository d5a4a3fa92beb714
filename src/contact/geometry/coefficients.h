/* Coefficients that express the vector from the closest point to the slave, and its derivatives, by the positions of
   the nodes of a contact (theory 13.2). With the node positions x_A, A = 0, 1, .., the slave x_S and the closest point
   x_M(xi),

     x_S - x_M(xi) = sum P_A x_A,   tau_b = -sum P_b,A x_A,   a = sum alpha_A x_A,

   where P_b,A is the derivative of P_A with respect to xi_b. P_12,A is the derivative of P_A with respect to xi_1 and
   xi_2. The operators G and H and their derivatives depend on the master only through these coefficients. So the same
   code serves segments, triangles, quads and two edges that cross. */
#pragma once

#include "contact/geometry/kinematics.h"

/* The coefficients P_A, P_b,A, P_12,A and alpha_A. alpha defines the vector a, from which the tangent e[0] is computed.
   a is tau_1 at xi_2 = 0. The vector a does not depend on xi, so that sliding on a trapezoid does not rotate the
   tangents. */
typedef struct {
  PetscReal P[CR_CONTACT_NODES], Pb[2][CR_CONTACT_NODES], P12[CR_CONTACT_NODES];
  PetscReal alpha[CR_CONTACT_NODES];
} CrCoefficients;

/* The coefficients that do not depend on xi, for each form of master (CrForm). These are all except P, and except P_1
   and P_2 of quads. */
extern const CrCoefficients CrConstantCoefficients[];
/* Computes all coefficients c of a form of master at the coordinates xi. */
void CrCoefficientsAt(CrForm form, const PetscReal xi[2], CrCoefficients *c);
/* Returns the form of a facet with n corners: segment, triangle or quad. */
CrForm CrFormOfFacet(PetscInt n);
