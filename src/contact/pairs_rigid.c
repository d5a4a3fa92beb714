/* Pairs of rigid bodies: friction and restitution between two groups, or between one and an obstacle. */
#include "contact/internal.h"

const CrRigidPair *CrContactRigidPair(const CrContact *c, PetscInt slave, PetscInt master,
                                      PetscInt obstacle, PetscBool *swapped)
{
  *swapped = PETSC_FALSE;
  for (PetscInt k = 0; c && k < c->nrigid; k++) {
    const CrRigidPair *p = &c->rigid[k];

    if (p->obstacle != obstacle) continue;
    if (p->slave == slave && p->master == master) return p;
    if (obstacle >= 0 || p->slave != master || p->master != slave) continue;
    *swapped = PETSC_TRUE;
    return p;
  }
  return NULL;
}

/* Shapes that no formula here brings together. */
static PetscErrorCode check_shapes(const CrContact *c, const CrDeckNode *where, const CrShape *a,
                                   const CrShape *b, const CrObstacle *obstacle)
{
  const CrShape ball = {.kind = CR_SHAPE_BALL};

  PetscFunctionBeginUser;
  if (obstacle && (obstacle->kind != CR_SPHERE || obstacle->inside))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (!CrShapesMeet(a, obstacle ? &ball : b))
    CrDeckFail(where, "contact between %s and %s is not offered", a->word,
               obstacle ? c->model->dim == 2 ? "a circle" : "a sphere" : b->word);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidPairAdd(CrContact *c, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **out)
{
  const CrRigid *r = c->model->rigid;
  CrRigidPair    p = {c->npairs, slave->rigid - 1, master->rigid - 1,
                   master->obstacle ? (PetscInt)(master->obstacle - c->obstacles) : -1};
  PetscBool      swapped;

  PetscFunctionBeginUser;
  if (!slave->rigid || (!master->rigid && !master->obstacle))
    CrDeckFail(where, "contact between a rigid and a deformable body is not offered");
  if (CrContactRigidPair(c, p.slave, p.master, p.obstacle, &swapped))
    CrDeckFail(where, "these two are in contact already");
  if (p.slave == p.master && r->groups[p.slave].n == 1)
    CrDeckFail(where, "\"%s\" is one body and does not touch itself", r->groups[p.slave].name);
  PetscCall(check_shapes(c, where, &r->shapes[r->groups[p.slave].shape],
                         p.master < 0 ? NULL : &r->shapes[r->groups[p.master].shape],
                         master->obstacle));
  PetscCall(PetscRealloc(sizeof(CrPair) * (size_t)(c->npairs + 1), &c->pairs));
  PetscCall(PetscRealloc(sizeof(CrRigidPair) * (size_t)(c->nrigid + 1), &c->rigid));
  c->rigid[c->nrigid++] = p;
  *out                  = &c->pairs[c->npairs++];
  PetscCall(PetscMemzero(*out, sizeof **out));
  (*out)->rigid       = PETSC_TRUE;
  (*out)->friction    = CrDeckReal(CrDeckFind(node, "friction"));
  (*out)->restitution = CrDeckReal(CrDeckFind(node, "restitution"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A pair that `default` finds, unless it is listed. */
static PetscErrorCode add_found(CrContact *c, const CrDeckNode *node, PetscInt a, PetscInt b,
                                PetscInt o)
{
  const CrRigid *r      = c->model->rigid;
  CrSide         slave  = {NULL, -1, -1, a + 1};
  CrSide         master = {o < 0 ? NULL : &c->obstacles[o], -1, -1, b + 1};
  PetscBool      swapped;
  CrPair        *pair;

  PetscFunctionBeginUser;
  if (CrContactRigidPair(c, a, b, o, &swapped)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrRigidPairAdd(c, node, node, &slave, &master, &pair));
  pair->found = PETSC_TRUE;
  snprintf(pair->name, sizeof pair->name, "%s-%s", r->groups[a].name,
           o < 0 ? r->groups[b].name : c->obstacles[o].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidPairsFind(CrContact *c, const CrDeckNode *node)
{
  const CrRigid *r = c->model->rigid;

  PetscFunctionBeginUser;
  if (r->n && c->model->nbodies)
    CrDeckFail(node, "contact between a rigid and a deformable body is not offered");
  for (PetscInt a = 0; a < r->ngroups; a++) {
    for (PetscInt b = a; b < r->ngroups; b++)
      if (b > a || r->groups[a].n > 1) PetscCall(add_found(c, node, a, b, -1));
    for (PetscInt o = 0; o < c->nobstacles; o++) PetscCall(add_found(c, node, a, -1, o));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
