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

PetscErrorCode CrRigidPairAdd(CrContact *c, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **out)
{
  const CrRigid *r = c->model->rigid;
  CrRigidPair    p = {c->npairs, slave->rigid - 1, master->rigid - 1,
                   master->obstacle ? (PetscInt)(master->obstacle - c->obstacles) : -1, where};
  PetscBool      swapped;

  PetscFunctionBeginUser;
  if (CrContactRigidPair(c, p.slave, p.master, p.obstacle, &swapped))
    CrDeckFail(where, "these two are in contact already");
  if (p.slave == p.master && r->groups[p.slave].n == 1)
    CrDeckFail(where, "\"%s\" is one body and does not touch itself", r->groups[p.slave].name);
  PetscCall(PetscRealloc(sizeof(CrPair) * (size_t)(c->npairs + 1), &c->pairs));
  PetscCall(PetscRealloc(sizeof(CrRigidPair) * (size_t)(c->nrigid + 1), &c->rigid));
  c->rigid[c->nrigid++] = p;
  *out                  = &c->pairs[c->npairs++];
  PetscCall(PetscMemzero(*out, sizeof **out));
  (*out)->rigid       = PETSC_TRUE;
  (*out)->friction    = CrDeckReal(CrDeckFind(node, "friction"));
  (*out)->restitution = CrDeckReal(CrDeckFind(node, "restitution"));
  (*out)->rebounds    = CrDeckIsGiven(CrDeckFind(node, "restitution"));
  if (CrDeckIsReal(CrDeckFind(node, "normal_penalty")))
    (*out)->kn = CrDeckReal(CrDeckFind(node, "normal_penalty"));
  if (CrDeckIsReal(CrDeckFind(node, "tangential_penalty")))
    (*out)->kt = CrDeckReal(CrDeckFind(node, "tangential_penalty"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- beside deformable bodies ------------------------------------------------------------------- */

/* How stiff the springs of its other contacts are: the stiffest node. */
static PetscReal stiffest_node(const CrContact *c, PetscInt body)
{
  PetscReal greatest = 0;

  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p    = &c->passes[k];
    const CrPair *pair = &c->pairs[p->pair];

    if (p->partner != body || !p->slave) continue;
    for (PetscInt i = 0; i < p->n; i++)
      greatest = PetscMax(greatest, pair->kn * (pair->unit ? 1 : p->slave->weight[i]));
  }
  return greatest;
}

static void choose_penalties(const CrContact *c, PetscInt body, CrPair *pair)
{
  PetscBool kn = pair->kn > 0 ? PETSC_TRUE : PETSC_FALSE,
            kt = pair->kt > 0 ? PETSC_TRUE : PETSC_FALSE;

  if (!kn) pair->kn = stiffest_node(c, body);
  if (!kt) pair->kt = pair->kn;
  snprintf(pair->kn_text, sizeof pair->kn_text, "%s",
           kn ? "given" : "auto: as the stiffest node it meets");
  snprintf(pair->kt_text, sizeof pair->kt_text, "%s", kt ? "given" : "auto: as the normal one");
}

static PetscErrorCode add_wall_pass(CrContact *c, const CrRigidPair *rigid, PetscInt body,
                                    PetscInt wall)
{
  const CrShape    *s = &c->model->rigid->shapes[c->model->rigid->shape[body]];
  const CrObstacle *o = &c->obstacles[rigid->obstacle];
  CrPass           *p;

  PetscFunctionBeginUser;
  PetscCall(PetscRealloc(sizeof(CrPass) * (size_t)(c->npasses + 1), &c->passes));
  p        = &c->passes[c->npasses++];
  *p       = (CrPass){.pair = rigid->pair, .wall = wall, .obstacle = o, .partner = body};
  p->first = c->npoints;
  p->n     = s->kind == CR_SHAPE_POLYTOPE ? s->nvertices : s->kind == CR_SHAPE_CAPSULE ? 2 : 1;
  if (o->kind == CR_SPHERE && !o->inside) p->n = 1; /* nearest points of two convex bodies */
  p->reach = PetscMax(0.25 * s->reach, 1e-3 * c->model->size);
  c->npoints += p->n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidPassesAdd(CrContact *c)
{
  const CrRigid *r = c->model->rigid;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->nrigid; k++) {
    const CrRigidPair  *rigid = &c->rigid[k];
    const CrRigidGroup *g     = &r->groups[rigid->slave];
    CrPair             *pair  = &c->pairs[rigid->pair];

    if (rigid->obstacle < 0) continue;
    choose_penalties(c, g->first, pair);
    for (PetscInt b = g->first; b < g->first + g->n; b++)
      for (PetscInt w = 0; w < CrObstacleWalls(&c->obstacles[rigid->obstacle], c->model->dim); w++)
        PetscCall(add_wall_pass(c, rigid, b, w));
  }
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
  for (PetscInt a = 0; a < r->ngroups; a++) {
    for (PetscInt b = a; b < r->ngroups; b++)
      if (b > a || r->groups[a].n > 1) PetscCall(add_found(c, node, a, b, -1));
    for (PetscInt o = 0; o < c->nobstacles; o++) PetscCall(add_found(c, node, a, -1, o));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
