/* Rigid bodies under the bi-potential method move by the mid-point rule, and nothing but inertia resists them (theory
   17.8). */
#include "integrate/bipotential.h"

PetscErrorCode BipotentialCheckRigid(const Bipotential *bp, const CrModel *model)
{
  const CrDeckNode *rigid;

  PetscFunctionBeginUser;
  if (!model->rigid->n) PetscFunctionReturn(PETSC_SUCCESS);
  rigid = CrDeckFind(model->rigid->groups[0].deck, "rigid");
  if (model->quasi_static)
    CrDeckFail(rigid, "method bipotential knows no rigid bodies in a quasi-static analysis; take "
                      "dissipative, midpoint or newmark");
  if (bp->theta != 0.5 || bp->level == CR_LEVEL_VELOCITY)
    CrDeckFail(rigid,
               "method bipotential takes rigid bodies only with theta: 0.5 and level: gap or "
               "increment");
  PetscFunctionReturn(PETSC_SUCCESS);
}
