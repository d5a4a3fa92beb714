/* Quasi-static steps: equilibrium at the end of the step (theory 9). */
#pragma once

#include "integrate/implicit.h"

/* The steps of a quasi-static analysis, for every method whose contact has springs. */
extern const CrIntegratorOps CrStatics;

/* Computes the work of loads and supports in the step by the trapezoidal rule, from the forces at t_n (`before`) and
   those of the last residual. Forces at a dof may not be in equilibrium at t_n: a support has just released the dof, or
   the run starts at t_n. The missing force is then treated as an external force that decreases to zero within the step.
   Collective. */
PetscErrorCode CrStaticsWork(const CrImplicit *im, const CrForces *before, PetscReal *work);
/* Enters the reactions of supports: forces at the end of the step, impulses and works by the trapezoidal rule. */
void CrStaticsReactions(const CrImplicit *im, const CrForces *before, CrReactions *reactions,
                        CrStepReport *report);
/* Called after a restart: finds the dofs that were prescribed in the last step. */
PetscErrorCode CrStaticsResume(CrImplicit *im, const CrModel *model, const CrState *state);
