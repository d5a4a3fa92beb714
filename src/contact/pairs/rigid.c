/* Pairs of rigid bodies: friction and restitution between two groups, or between one and an obstacle. */
#include "contact/pairs/pairs.h"
#include "rigid/corners.h"

/* Sides of pairs coded as integers: a group, a single body, or none. */
#define NOBODY (-1)

static PetscInt group_side(PetscInt group)
{
  return group < 0 ? NOBODY : 2 * group;
}

static PetscInt body_side(PetscInt body)
{
  return 2 * body + 1;
}

/* The key of a pair in the index: its obstacle (-1: none) and both sides, the lower number first, so that their
   order does not matter. */
typedef struct {
  PetscInt obstacle, low, high;
} PairKey;

static PairKey key_of(PetscInt obstacle, PetscInt side, PetscInt other)
{
  return (PairKey){obstacle, PetscMin(side, other), PetscMax(side, other)};
}

static PetscInt find_pair(const CrContact *c, PetscInt obstacle, PetscInt side, PetscInt other)
{
  const PairKey key = key_of(obstacle, side, other);

  return CrIndexFind(c->rigid_index, &key, sizeof key);
}

/* Does a side of a pair name the body (-1: none), singly or by its group? */
static PetscBool names(const CrRigid *r, PetscInt group, PetscInt single, PetscInt body)
{
  if (body < 0) return group < 0;
  return single >= 0 ? single == body : r->group[body] == group;
}

const CrRigidPair *CrContactRigidPairOf(const CrContact *c, PetscInt body, PetscInt other,
                                        PetscInt obstacle, PetscBool *swapped)
{
  const CrRigid     *r;
  const CrRigidPair *p;
  PetscInt           single[2], group[2], k, l;

  *swapped = PETSC_FALSE;
  if (!c || !c->nrigid) return NULL;
  r = c->model->rigid;
  single[0] = body_side(body);
  group[0] = group_side(r->group[body]);
  single[1] = other < 0 ? NOBODY : body_side(other);
  group[1] = other < 0 ? NOBODY : group_side(r->group[other]);
  k = find_pair(c, obstacle, single[0], single[1]);
  if (k < 0) { /* a pair that names one of the two singly; of two such pairs, the first */
    k = find_pair(c, obstacle, single[0], group[1]);
    l = find_pair(c, obstacle, group[0], single[1]);
    if (l >= 0 && (k < 0 || l < k)) k = l;
  }
  if (k < 0) k = find_pair(c, obstacle, group[0], group[1]);
  if (k < 0) return NULL;
  p = &c->rigid[k];
  *swapped =
      !(names(r, p->slave, p->slave_body, body) && names(r, p->master, p->master_body, other));
  return p;
}

PetscErrorCode CrContactRigidKinds(const CrContact *c, const CrRigid *r, PetscInt *nkinds,
                                   PetscInt **kind, PetscInt **body)
{
  PetscInt  *of_group, n = 0;
  PetscBool *single; /* is a body named singly? */

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(r->n, kind, r->n, body));
  PetscCall(PetscMalloc1(r->ngroups, &of_group));
  PetscCall(PetscCalloc1(r->n, &single));
  for (PetscInt g = 0; g < r->ngroups; g++) of_group[g] = -1;
  for (PetscInt k = 0; c && k < c->nrigid; k++) {
    if (c->rigid[k].slave_body >= 0) single[c->rigid[k].slave_body] = PETSC_TRUE;
    if (c->rigid[k].master_body >= 0) single[c->rigid[k].master_body] = PETSC_TRUE;
  }
  for (PetscInt b = 0; b < r->n; b++) {
    if (single[b] || of_group[r->group[b]] < 0) {
      if (!single[b]) of_group[r->group[b]] = n;
      (*body)[n] = b;
      (*kind)[b] = n++;
    } else
      (*kind)[b] = of_group[r->group[b]];
  }
  *nkinds = n;
  PetscCall(PetscFree(of_group));
  PetscCall(PetscFree(single));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Enters the next pair into the index. Two pairs of the same bodies are a user error. */
static PetscErrorCode enter(CrContact *c, const CrRigidPair *p)
{
  PetscInt old;
  PairKey  key =
      key_of(p->obstacle, p->slave_body >= 0 ? body_side(p->slave_body) : group_side(p->slave),
             p->master_body >= 0 ? body_side(p->master_body) : group_side(p->master));

  PetscFunctionBeginUser;
  if (!c->rigid_index) PetscCall(CrIndexCreate(&c->rigid_index));
  PetscCall(CrIndexAdd(c->rigid_index, &key, sizeof key, c->nrigid, &old));
  if (old >= 0) CrDeckFail(p->where, "another pair already has these two sides");
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidPairAdd(CrContact *c, const CrDeckNode *where, const CrDeckNode *node,
                              const CrSide *slave, const CrSide *master, CrPair **out)
{
  const CrRigid *r = c->model->rigid;
  CrRigidPair    p = {.pair = c->npairs,
                      .where = where,
                      .slave = slave->rigid - 1,
                      .master = master->rigid - 1,
                      .obstacle = master->obstacle ? (PetscInt)(master->obstacle - c->obstacles) : -1,
                      .slave_body = slave->copy - 1,
                      .master_body = master->copy - 1};

  PetscFunctionBeginUser;
  PetscCall(enter(c, &p));
  if (p.slave == p.master &&
      (r->groups[p.slave].n == 1 || (p.slave_body >= 0 && p.slave_body == p.master_body))) {
    char name[96];

    CrRigidName(r, p.slave_body >= 0 ? p.slave_body : r->groups[p.slave].first, name);
    CrDeckFail(where, "\"%s\" is one rigid body and cannot be in contact with itself", name);
  }
  PetscCall(PetscRealloc(sizeof(CrRigidPair) * (size_t)(c->nrigid + 1), &c->rigid));
  c->rigid[c->nrigid++] = p;
  PetscCall(CrPairNew(c, node, out));
  (*out)->rigid = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- beside deformable bodies ------------------------------------------------------------------- */

/* The stiffest spring of the other contacts of a rigid body. */
static PetscReal stiffest_node(const CrContact *c, PetscInt body)
{
  PetscReal greatest = 0;

  CR_EACH_PASS (p, c) {
    const CrPair *pair = &c->pairs[p->pair];

    if (p->partner != body || p->kind != CR_NODE_ON_BODY) continue;
    for (PetscInt i = 0; i < p->n; i++)
      greatest = PetscMax(greatest, pair->kn * (pair->unit ? 1 : p->slave->weight[i]));
  }
  return greatest;
}

static PetscErrorCode add_wall_pass(CrContact *c, const CrRigidPair *rigid, PetscInt body,
                                    PetscInt wall)
{
  const CrShape    *s = &c->model->rigid->shapes[c->model->rigid->shape[body]];
  const CrObstacle *o = &c->obstacles[rigid->obstacle];
  const PetscBool   alone = o->kind == CR_SPHERE && !o->inside; /* nearest of two convex bodies */
  CrPass            p = {.pair = rigid->pair,
                         .wall = wall,
                         .obstacle = o,
                         .partner = body,
                         .weight = 1,
                         .n = alone ? 1 : CrShapePoints(s),
                         .reach = PetscMax(0.25 * s->reach, 1e-3 * c->model->size)};

  PetscFunctionBeginUser;
  CrPassSetKind(&p, CR_POINT_ON_WALL);
  PetscCall(CrPassAdd(c, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrRigidPassesAdd(CrContact *c)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->nrigid; k++) {
    const CrRigidPair *rigid = &c->rigid[k];
    CrPair            *pair = &c->pairs[rigid->pair];
    PetscInt           first, n = CrRigidSlaves(c, rigid, &first);

    if (rigid->obstacle < 0) continue;
    CrPairPenalties(pair, pair->kn > 0 ? pair->kn : stiffest_node(c, first),
                    "auto: as the stiffest node it meets");
    for (PetscInt b = first; b < first + n; b++) {
      PetscBool swapped;

      if (CrContactRigidPairOf(c, b, -1, rigid->obstacle, &swapped) != rigid) continue;
      for (PetscInt w = 0; w < CrObstacleWalls(&c->obstacles[rigid->obstacle], c->model->dim); w++)
        PetscCall(add_wall_pass(c, rigid, b, w));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- who is slave ------------------------------------------------------------------------------- */

const CrShape *CrSideShape(const CrContact *c, const CrSide *side)
{
  const CrRigid *r = c->model->rigid;

  return &r->shapes[r->groups[side->rigid - 1].shape];
}

PetscBool CrPairHasCones(const CrContact *c, const CrPair *pair, const CrSide *rigid)
{
  return pair->sides == (c->springs ? CR_SIDES_BOTH : CR_SIDES_FINER) &&
         CrShapeIsSharp(CrSideShape(c, rigid), pair->corner);
}

/* Nodes alone hold neither corners of a rigid body, nor a body that fits between the corners of the largest facet. */
void CrPairSlaves(const CrContact *c, const CrDeckNode *node, const CrSide *slave,
                  const CrSide *master, CrPair *pair)
{
  const CrDeckNode *slaves = CrDeckFind(node, "slaves");
  const CrSurface  *s = c->surfaces[slave->set];
  PetscReal         inner = CrShapeInnerRadius(CrSideShape(c, master));

  for (int k = 0; k < 4; k++)
    if (CrDeckIsWord(slaves, CrSlavesWord((CrSlaves)k))) pair->slaves = (CrSlaves)k;
  if (s->hole > inner) {
    pair->apart = 2 * s->hole;
    pair->thick = 2 * inner;
  }
  if (pair->slaves == CR_SLAVES_AUTO)
    pair->slaves =
        s->hole > inner || CrPairHasCones(c, pair, master) ? CR_SLAVES_BOTH : CR_SLAVES_NODES;
}

/* ---- points of rigid bodies on facets ------------------------------------------------------------ */

/* Reverses a pass: the surface becomes the master, points of the body become slaves. A point has the mean
   weight of a node of the surface, because it has no area of its own. */
static void reverse(const CrContact *c, CrPass *p)
{
  const CrSurface *s = p->slave;
  const CrShape   *shape = CrRigidShape(c->model->rigid, p->partner);

  p->weight = 0;
  for (PetscInt i = 0; i < s->nnodes; i++) p->weight += s->weight[i] / (PetscReal)s->nnodes;
  p->master = s;
  p->slave = NULL;
  p->reversed = PETSC_TRUE; /* forces are those on the side that the pair names first */
  CrPassSetKind(p, CR_POINT_ON_FACET);
  for (PetscInt k = 0; k < c->model->nsets; k++)
    if (c->surfaces[k] == s) p->tree = c->trees[k];
  p->n = CrShapePoints(shape);
  if (shape->kind == CR_SHAPE_POLYTOPE) return;
  p->extent = shape->kind == CR_SHAPE_ELLIPSOID ? shape->reach : shape->radius;
}

/* Do the points of a body hold it without the nodes of the surface? A ball touches corners of the surface too. Under
   exact laws, a node that touches the ball would state the same law once more. */
static PetscBool holds_alone(const CrContact *c, const CrPass *p)
{
  return !c->springs && CrRigidShape(c->model->rigid, p->partner)->kind == CR_SHAPE_BALL;
}

PetscErrorCode CrBodyPassesAdd(CrContact *c)
{
  PetscInt n = c->npasses;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < n; k++) {
    CrSlaves slaves = c->pairs[c->passes[k].pair].slaves;
    PetscInt turned = k;

    if (c->passes[k].kind != CR_NODE_ON_BODY) continue;
    /* exact laws: nodes alone must hold the corners of the body too, whatever their cones say */
    if (!c->springs && slaves != CR_SLAVES_BOTH) c->passes[k].cones = PETSC_FALSE;
    if (slaves < CR_SLAVES_BODY) continue;
    if (slaves == CR_SLAVES_BOTH && !holds_alone(c, &c->passes[k])) {
      turned = c->npasses;
      PetscCall(CrPassAdd(c, c->passes[k]));
    }
    reverse(c, &c->passes[turned]);
    if (c->passes[turned].cones && c->model->dim == 3)
      PetscCall(CrBodyEdgePointsAdd(c, &c->passes[turned]));
    if (c->passes[k].cones && slaves == CR_SLAVES_BOTH && c->model->dim == 3)
      PetscCall(CrBodyEdgePassesAdd(c, k));
  }
  c->npoints = 0;
  CR_EACH_PASS (p, c) {
    p->first = c->npoints;
    c->npoints += p->n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactWarnSlaves(const CrContact *c)
{
  PetscBool *held; /* pairs that are held by points of the body */

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(c->npairs, &held));
  for (PetscInt j = 0; j < c->npasses; j++)
    if (c->passes[j].kind == CR_POINT_ON_FACET) held[c->passes[j].pair] = PETSC_TRUE;
  for (PetscInt k = 0; k < c->npairs; k++) {
    const CrPair *pair = &c->pairs[k];

    if (held[k]) continue;
    if (pair->apart > 0)
      CrWarn(
          "contact %s: the distance between nodes is %.3g and the rigid body is %.3g thick, so it may pass between nodes; refine the mesh or set `slaves: both`",
          pair->name, (double)pair->apart, (double)pair->thick);
  }
  PetscCall(PetscFree(held));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a pair that `default` implies, unless the deck lists it. */
static PetscErrorCode add_found(CrContact *c, const CrDeckNode *node, PetscInt a, PetscInt b,
                                PetscInt o)
{
  const CrRigid *r = c->model->rigid;
  CrSide         slave = {NULL, -1, -1, a + 1, 0};
  CrSide         master = {o < 0 ? NULL : &c->obstacles[o], -1, -1, b + 1, 0};
  CrPair        *pair;

  PetscFunctionBeginUser;
  if (find_pair(c, o, group_side(a), group_side(b)) >= 0) PetscFunctionReturn(PETSC_SUCCESS);
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
