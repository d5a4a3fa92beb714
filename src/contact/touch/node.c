/* Functions for slaves that are nodes. */
#include "contact/touch/touch.h"

static void begin(const CrContact *c, const CrPass *p, PetscInt i, CrTouch *touch)
{
  (void)c;
  touch->node = p->slave->nodes[i];
}

static void path(const CrContact *c, const CrPass *p, PetscInt i, PetscReal box[6])
{
  PetscInt         dim = c->model->dim;
  const PetscReal *known = c->work->path + 2 * dim * p->slave->nodes[i];

  for (PetscInt k = 0; k < 2 * dim; k++) box[k] = known[k];
}

static void at(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *out)
{
  (void)pose;
  out->u = u;
  CrGatherNode(c, touch->node, u, out->x);
}

static PetscBool admits(const CrContact *c, const CrPass *p, PetscInt i, const CrInstant *start,
                        const PetscReal nu[3], PetscReal tol)
{
  return CrIsAdmitted(c->model, p->slave, i, start->u, nu, tol);
}

const CrSlaveOps CrSlaveNode = {.is_node = PETSC_TRUE,
                                .begin = begin,
                                .path = path,
                                .at = at,
                                .normal = CrSlaveNormal,
                                .admits = admits};
