/* Rigid bodies under the bi-potential method. They move by the mid-point rule, and only inertia resists their motion
   (theory 17.8). */
#include "integrate/bipotential.h"

PetscErrorCode BipotentialCheckRigid(const Bipotential *bp, const CrModel *model)
{
  const CrDeckNode *rigid;

  PetscFunctionBeginUser;
  if (!model->rigid->n) PetscFunctionReturn(PETSC_SUCCESS);
  rigid = CrDeckFind(model->rigid->groups[0].deck, "rigid");
  if (model->quasi_static) PetscFunctionReturn(PETSC_SUCCESS); /* equilibrium has no velocities */
  if (bp->theta != 0.5) /* bodies move by the mid-point rule */
    CrDeckFail(rigid, "method bipotential needs `theta: 0.5` if the deck has rigid bodies");
  PetscFunctionReturn(PETSC_SUCCESS);
}
