/* The derivative of a law whose place moves along an edge (dip.c). */
#pragma once

#include "contact/touch/touch.h"

/* The lowest place of an edge over a facet moves with the nodes. Computes the change row[] column[]^T, times the returned
   factor, of the operator of the gap by the displacements of the nodes at the end of the step. The nodes are those of
   CrTouchSpread. Returns 0 if the place does not move. */
#define CR_DIP_DOFS 18
PetscReal CrDipTurn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                    PetscReal row[CR_DIP_DOFS], PetscReal column[CR_DIP_DOFS]);
