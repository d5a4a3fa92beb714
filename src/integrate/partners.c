/* Rigid bodies of finite mass together with deformable bodies, for implicit methods with contact springs. */
#include "contact/rigid_pairs.h"
#include "integrate/implicit.h"

/* Rigid bodies meet deformable ones and obstacles, by springs. */
static PetscErrorCode check(const char *method, const CrContact *contact, const CrModel *model)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < contact->nrigid; k++) {
    const CrRigidPair *p = &contact->rigid[k];

    if (p->obstacle < 0)
      CrDeckFail(
          p->where,
          "method %s cannot compute contact between rigid bodies (\"%s\" and \"%s\"); efda can, but only if all bodies are rigid",
          method, model->rigid->groups[p->slave].name, model->rigid->groups[p->master].name);
    if (contact->springs && !(contact->pairs[p->pair].kn > 0))
      CrDeckFail(
          p->where,
          "normal_penalty is missing; contact of a rigid body with an obstacle needs this stiffness, as force per penetration depth");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrImplicitAddRigid(const CrIntegrator *it, const CrModel *model, CrState *state)
{
  PetscFunctionBeginUser;
  if (!it->contact || !model->nbodies || !model->rigid->n) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(check(it->ops->name, it->contact, model));
  PetscCall(CrContactAddPoints(it->contact, CR_POINT_ON_FACET, state));
  PetscFunctionReturn(PETSC_SUCCESS);
}
