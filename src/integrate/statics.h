/* Quasi-static steps. Each step solves for equilibrium at its end (docs/theory.md, section 9). */
#pragma once

#include "integrate/implicit.h"

/* The functions that compute quasi-static steps. All methods that model contact by penalty springs use CrStatics. */
extern const CrIntegratorOps CrStatics;

/* Computes *work, the work of loads and supports in the step, by the trapezoidal rule. `before` contains the forces at
   t_n, and im->f the forces at the end of the step. The forces at a dof may be out of balance at t_n, if a support has
   just released the dof, or if the run starts at t_n. The unbalanced force is then treated as an external force that
   decreases to zero within the step. Collective. */
PetscErrorCode CrStaticsWork(const CrImplicit *im, const CrForces *before, PetscReal *work);
/* Adds the reactions of supports to `reactions`: forces at the end of the step, and impulses and works by the
   trapezoidal rule. `before` contains the forces at t_n. */
void CrStaticsReactions(const CrImplicit *im, const CrForces *before, CrReactions *reactions,
                        CrStepReport *report);
/* Finds the dofs that supports prescribed in the last step. The function is called after a restart. */
PetscErrorCode CrStaticsResume(CrImplicit *im, const CrModel *model, const CrState *state);
