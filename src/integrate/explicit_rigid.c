#include "contact/rigid_pairs.h"
#include "integrate/explicit_rigid.h"

PetscErrorCode CrExplicitRigidCheck(const CrModel *model, const CrContact *c)
{
  const CrRigid *r = model->rigid;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; c && k < c->nrigid; k++) {
    const CrRigidPair *p = &c->rigid[k];

    if (p->obstacle >= 0) continue;
    CrDeckFail(
        p->where,
        "method explicit cannot compute contact between rigid bodies (\"%s\" and \"%s\"); use efda",
        r->groups[p->slave].name, r->groups[p->master].name);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrExplicitRigidWorks(const CrModel *model, const CrRigidState *state, const CrRigidState *end,
                          const PetscReal *a, PetscReal h, PetscReal h0, CrExplicitRigidWork *work)
{
  const CrRigid *r = model->rigid;
  PetscReal      kick = (h0 + h) / 2;

  *work = (CrExplicitRigidWork){0};
  for (PetscInt b = 0; b < r->n; b++) {
    work->kinetic += CrRigidKinetic(r, end, b);
    for (int i = 0; i < 3; i++) {
      PetscReal v0 = state->v[3 * b + i], v1 = end->v[3 * b + i], m = r->mass[b];
      PetscReal g = model->gravity[i], fastest = PetscMax(PetscAbsReal(v0), PetscAbsReal(v1));

      work->external += kick * m * (a[3 * b + i] - g) * (v0 + v1) / 2;
      work->put_in += kick * m * PetscAbsReal(a[3 * b + i]) * fastest;
      work->internal += m * g * (h - h0) / 4 * (v1 - v0);
    }
  }
}

void CrExplicitRigidStart(const CrModel *model, CrRigidState *state, const PetscReal *a,
                          PetscReal h, PetscReal *energy)
{
  const CrRigid *r = model->rigid;

  for (PetscInt b = 0; b < r->n; b++) {
    *energy += CrRigidKinetic(r, state, b);
    for (int i = 0; i < 3; i++) {
      state->v[3 * b + i] -= h / 2 * a[6 * b + i];
      state->pi[3 * b + i] -= h / 2 * a[6 * b + 3 + i];
    }
  }
}

PetscReal CrExplicitRigidShift(const CrModel *model, const CrRigidState *state, PetscReal h)
{
  const CrRigid *r = model->rigid;
  PetscReal      sum = 0;

  for (PetscInt k = 0; k < 3 * r->n; k++)
    sum += h / 2 * r->mass[k / 3] * model->gravity[k % 3] * state->v[k];
  return sum;
}
