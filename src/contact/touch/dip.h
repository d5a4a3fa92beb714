/* A part of the tangent matrix for contact of an edge with a facet, due to the motion of the contact point along the
   edge (dip.c, theory 17.7). */
#pragma once

#include "contact/touch/touch.h"

/* The contact point is the lowest point of the edge above the facet. This point moves along the edge when the nodes
   move. CrDipTurn computes the derivative of the gap operator G, due to this motion, with respect to the nodal
   displacements at the end of the step. The derivative is the matrix row[] column[]^T times the returned factor. The
   rows and columns of this matrix are the dofs of the nodes that CrTouchSpread lists. Returns 0 if the contact point
   does not move. */
#define CR_DIP_DOFS 18
PetscReal CrDipTurn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                    PetscReal row[CR_DIP_DOFS], PetscReal column[CR_DIP_DOFS]);
