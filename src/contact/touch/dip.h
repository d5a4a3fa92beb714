/* The derivative of the contact force of an edge on a facet, where the contact point moves along the edge (dip.c,
   theory 17.7). */
#pragma once

#include "contact/touch/touch.h"

/* The lowest point of an edge above a facet moves along the edge when the nodes move. This function computes the
   derivative of the gap operator G that is due to this motion, with respect to the nodal displacements at the end of
   the step. The derivative is row[] column[]^T times the returned factor. The nodes are those of CrTouchSpread. Returns
   0 if the place does not move. */
#define CR_DIP_DOFS 18
PetscReal CrDipTurn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                    PetscReal row[CR_DIP_DOFS], PetscReal column[CR_DIP_DOFS]);
