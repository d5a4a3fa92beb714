/* Pairs of rigid bodies: friction and restitution between two groups, or between one and an obstacle. */
#include "contact/pairs/pairs.h"

const CrRigidPair *CrContactRigidPair(const CrContact *c, PetscInt slave, PetscInt master,
                                      PetscInt obstacle, PetscBool *swapped)
{
  *swapped = PETSC_FALSE;
  for (PetscInt k = 0; c && k < c->nrigid; k++) {
    const CrRigidPair *p = &c->rigid[k];

    if (p->obstacle != obstacle || p->slave_body >= 0 || p->master_body >= 0) continue;
    if (p->slave == slave && p->master == master) return p;
    if (obstacle >= 0 || p->slave != master || p->master != slave) continue;
    *swapped = PETSC_TRUE;
    return p;
  }
  return NULL;
}

/* How closely a side of a pair names a body: 0 not, 1 by its group, 2 singly. */
static int names(const CrRigid *r, PetscInt group, PetscInt single, PetscInt body)
{
  if (body < 0) return group < 0 ? 1 : 0;
  if (single >= 0) return single == body ? 2 : 0;
  return r->group[body] == group ? 1 : 0;
}

const CrRigidPair *CrContactRigidPairOf(const CrContact *c, PetscInt body, PetscInt other,
                                        PetscInt obstacle, PetscBool *swapped)
{
  const CrRigidPair *found = NULL;
  int                best = 0;

  *swapped = PETSC_FALSE;
  for (PetscInt k = 0; c && k < c->nrigid; k++) {
    const CrRigid     *r = c->model->rigid;
    const CrRigidPair *p = &c->rigid[k];

    if (p->obstacle != obstacle) continue;
    for (int turn = 0; turn < (obstacle < 0 ? 2 : 1); turn++) {
      int s = names(r, p->slave, p->slave_body, turn ? other : body);
      int m = names(r, p->master, p->master_body, turn ? body : other);

      if (s * m == 0 || s + m <= best) continue;
      best = s + m;
      found = p;
      *swapped = turn != 0;
    }
  }
  return found;
}

PetscErrorCode CrContactRigidKinds(const CrContact *c, const CrRigid *r, PetscInt *nkinds,
                                   PetscInt **kind, PetscInt **body)
{
  PetscInt *of_group, n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(r->n, kind, r->n, body));
  PetscCall(PetscMalloc1(r->ngroups, &of_group));
  for (PetscInt g = 0; g < r->ngroups; g++) of_group[g] = -1;
  for (PetscInt b = 0; b < r->n; b++) {
    PetscBool single = PETSC_FALSE;

    for (PetscInt k = 0; c && k < c->nrigid; k++)
      if (c->rigid[k].slave_body == b || c->rigid[k].master_body == b) single = PETSC_TRUE;
    if (single || of_group[r->group[b]] < 0) {
      if (!single) of_group[r->group[b]] = n;
      (*body)[n] = b;
      (*kind)[b] = n++;
    } else
      (*kind)[b] = of_group[r->group[b]];
  }
  *nkinds = n;
  PetscCall(PetscFree(of_group));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool is_same(const CrRigidPair *p, const CrRigidPair *q)
{
  if (p->obstacle != q->obstacle) return PETSC_FALSE;
  if (p->slave == q->slave && p->slave_body == q->slave_body && p->master == q->master &&
      p->master_body == q->master_body)
    return PETSC_TRUE;
  return p->obstacle < 0 && p->slave == q->master && p->slave_body == q->master_body &&
         p->master == q->slave && p->master_body == q->slave_body;
}

PetscErrorCode CrRigidPairAdd(CrContact *c, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **out)
{
  const CrRigid *r = c->model->rigid;
  CrRigidPair    p = {c->npairs,
                      slave->rigid - 1,
                      master->rigid - 1,
                   master->obstacle ? (PetscInt)(master->obstacle - c->obstacles) : -1,
                      where,
                      slave->copy - 1,
                      master->copy - 1};

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->nrigid; k++)
    if (is_same(&c->rigid[k], &p)) CrDeckFail(where, "these two are in contact already");
  if (p.slave == p.master &&
      (r->groups[p.slave].n == 1 || (p.slave_body >= 0 && p.slave_body == p.master_body))) {
    char name[96];

    CrRigidName(r, p.slave_body >= 0 ? p.slave_body : r->groups[p.slave].first, name);
    CrDeckFail(where, "\"%s\" is one body and does not touch itself", name);
  }
  PetscCall(PetscRealloc(sizeof(CrPair) * (size_t)(c->npairs + 1), &c->pairs));
  PetscCall(PetscRealloc(sizeof(CrRigidPair) * (size_t)(c->nrigid + 1), &c->rigid));
  c->rigid[c->nrigid++] = p;
  *out = &c->pairs[c->npairs++];
  PetscCall(PetscMemzero(*out, sizeof **out));
  (*out)->rigid = PETSC_TRUE;
  (*out)->friction = CrDeckReal(CrDeckFind(node, "friction"));
  (*out)->restitution = CrDeckReal(CrDeckFind(node, "restitution"));
  (*out)->rebounds = CrDeckIsGiven(CrDeckFind(node, "restitution"));
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
    const CrPass *p = &c->passes[k];
    const CrPair *pair = &c->pairs[p->pair];

    if (p->partner != body || p->kind != CR_NODE_ON_BODY) continue;
    for (PetscInt i = 0; i < p->n; i++)
      greatest = PetscMax(greatest, pair->kn * (pair->unit ? 1 : p->slave->weight[i]));
  }
  return greatest;
}

static void choose_penalties(const CrContact *c, PetscInt body, CrPair *pair)
{
  PetscBool kn = pair->kn > 0, kt = pair->kt > 0;

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
  p = &c->passes[c->npasses++];
  *p = (CrPass){.pair = rigid->pair, .wall = wall, .obstacle = o, .partner = body, .weight = 1};
  CrPassSetKind(p, CR_POINT_ON_WALL);
  p->first = c->npoints;
  p->n = CrShapePoints(s);
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
    const CrRigidGroup *g = &r->groups[rigid->slave];
    CrPair             *pair = &c->pairs[rigid->pair];

    if (rigid->obstacle < 0) continue;
    choose_penalties(c, rigid->slave_body >= 0 ? rigid->slave_body : g->first, pair);
    for (PetscInt b = g->first; b < g->first + g->n; b++) {
      PetscBool swapped;

      if (CrContactRigidPairOf(c, b, -1, rigid->obstacle, &swapped) != rigid) continue;
      for (PetscInt w = 0; w < CrObstacleWalls(&c->obstacles[rigid->obstacle], c->model->dim); w++)
        PetscCall(add_wall_pass(c, rigid, b, w));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- points of rigid bodies on facets ------------------------------------------------------------ */

/* The surface of a pass changes sides. A point weighs as much as a node of the surface does on average:
   per area it has no meaning of its own. */
static void reverse(const CrContact *c, CrPass *p)
{
  const CrSurface *s = p->slave;

  p->weight = 0;
  for (PetscInt i = 0; i < s->nnodes; i++) p->weight += s->weight[i] / (PetscReal)s->nnodes;
  p->master = s;
  p->slave = NULL;
  CrPassSetKind(p, CR_POINT_ON_FACET);
  for (PetscInt k = 0; k < c->model->nsets; k++)
    if (c->surfaces[k] == s) p->tree = c->trees[k];
  p->n = CrShapePoints(&c->model->rigid->shapes[c->model->rigid->shape[p->partner]]);
}

PetscErrorCode CrBodyPassesAdd(CrContact *c)
{
  PetscInt n = c->npasses;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    CrSlaves slaves = c->pairs[c->passes[k].pair].slaves;

    if (c->passes[k].kind != CR_NODE_ON_BODY || slaves < CR_SLAVES_BODY) continue;
    if (slaves == CR_SLAVES_BOTH) {
      PetscCall(PetscRealloc(sizeof(CrPass) * (size_t)(c->npasses + 1), &c->passes));
      c->passes[c->npasses] = c->passes[k];
      reverse(c, &c->passes[c->npasses++]);
    } else
      reverse(c, &c->passes[k]);
    /* forces are those on the side that the pair names first */
    c->passes[slaves == CR_SLAVES_BOTH ? c->npasses - 1 : k].reversed = PETSC_TRUE;
  }
  c->npoints = 0;
  for (PetscInt k = 0; k < c->npasses; k++) {
    c->passes[k].first = c->npoints;
    c->npoints += c->passes[k].n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrContactWarnSlaves(const CrContact *c, const char method[])
{
  for (PetscInt k = 0; k < c->npairs; k++) {
    const CrPair *pair = &c->pairs[k];
    PetscBool     held = PETSC_FALSE;

    for (PetscInt j = 0; j < c->npasses; j++)
      if (c->passes[j].pair == k && c->passes[j].kind == CR_POINT_ON_FACET) held = PETSC_TRUE;
    if (held) continue;
    if (pair->asked)
      CrWarn("contact %s: slaves is for dissipative; under %s the nodes are the slaves", pair->name,
             method);
    if (pair->apart > 0)
      CrWarn("contact %s: nodes stand %.3g apart and the rigid body is %.3g thick, so that it may "
             "fall between them; refine the mesh or, under dissipative, set "
             "slaves: both",
             pair->name, (double)pair->apart, (double)pair->thick);
  }
}

/* A pair that `default` finds, unless it is listed. */
static PetscErrorCode add_found(CrContact *c, const CrDeckNode *node, PetscInt a, PetscInt b,
                                PetscInt o)
{
  const CrRigid *r = c->model->rigid;
  CrSide         slave = {NULL, -1, -1, a + 1, 0};
  CrSide         master = {o < 0 ? NULL : &c->obstacles[o], -1, -1, b + 1, 0};
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
