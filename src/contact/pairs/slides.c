/* Accumulated slip of rigid bodies: a vector in space for every body that is the slave of a pair. */
#include "base/vector.h"
#include "contact/pairs/pairs.h"

PetscInt CrRigidSlaves(const CrContact *c, const CrRigidPair *p, PetscInt *first)
{
  const CrRigidGroup *g = &c->model->rigid->groups[p->slave];

  *first = p->slave_body >= 0 ? p->slave_body : g->first;
  return p->slave_body >= 0 ? 1 : g->n;
}

PetscErrorCode CrSlidesCreate(CrContact *c)
{
  PetscInt n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(c->npairs, &c->slide_of));
  for (PetscInt k = 0; k < c->nrigid; k++) {
    PetscInt first, bodies = CrRigidSlaves(c, &c->rigid[k], &first);

    c->slide_of[c->rigid[k].pair] = n - first;
    n += bodies;
  }
  c->nslides = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrSlipCount(PetscReal s, PetscReal slip[3], PetscInt *n)
{
  slip[0] += s;
  slip[1] = *n ? PetscMin(slip[1], s) : s;
  slip[2] = PetscMax(slip[2], s);
  (*n)++;
}

void CrSlidesOfPair(const CrContact *c, PetscInt pair, PetscReal slip[3])
{
  PetscInt n = 0;

  slip[0] = slip[1] = slip[2] = 0;
  for (PetscInt k = 0; k < c->nrigid; k++) {
    PetscInt first, bodies = CrRigidSlaves(c, &c->rigid[k], &first);

    if (c->rigid[k].pair != pair) continue;
    for (PetscInt b = first; b < first + bodies; b++)
      if (c->past.slid[c->slide_of[pair] + b])
        CrSlipCount(v_length(c->past.slides + 3 * (c->slide_of[pair] + b)), slip, &n);
  }
  if (n) slip[0] /= n;
}
