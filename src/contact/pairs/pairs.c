/* Reads the pairs of the deck, and adds those that `default` implies: surfaces, penalties, passes. */
#include <string.h>
#include "contact/pairs/pairs.h"
#include "contact/place.h"

/* ---- surfaces and penalties ------------------------------------------------------------------ */

static PetscErrorCode use_surface(CrContact *c, PetscInt set)
{
  PetscFunctionBeginUser;
  if (c->surfaces[set]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrSurfaceCreate(c->model, &c->model->sets[set], &c->surfaces[set]));
  if (!c->tight && !c->closes) PetscCall(CrFeaturesForgetMild(c->surfaces[set]->features));
  PetscCall(CrTreeCreate(c->model->dim, c->surfaces[set]->nfacets, &c->trees[set]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define LAYER 3 /* facets of the finer side: greatest thickness of the layer that yields */

static PetscReal modulus(const CrContact *c, const CrSide *side)
{
  return CrBodyModulus(c, side->body);
}

static PetscReal softness(const CrContact *c, const CrSide *side)
{
  return modulus(c, side) / c->surfaces[side->set]->layer;
}

/* The thickness of the layer of elements that yields on the side `soft`. It is the height of its elements, and at most
   LAYER facets of the finer side: pressure on a facet of length l yields by the deformation of a few l, however thick
   the element behind is. */
static PetscReal layer_of(const CrContact *c, const CrSide *slave, const CrSide *master,
                          const CrSide *soft)
{
  PetscReal finer = c->surfaces[slave->set]->mean_size;

  if (master->set < 0) return c->surfaces[soft->set]->layer;
  finer = PetscMin(finer, c->surfaces[master->set]->mean_size);
  return PetscMin(c->surfaces[soft->set]->layer, LAYER * finer);
}

/* Sets the penalties of a pair. The automatic penalty is ten times the stiffness per area of a layer of elements, on
   the softer side. So it has the dimension of a penalty in all units and at all scales. */
static void choose_penalties(CrContact *c, const CrSide *slave, const CrSide *master, CrPair *pair)
{
  const CrSurface *s = c->surfaces[slave->set];
  const CrSide    *soft =
      master->set < 0 || softness(c, slave) <= softness(c, master) ? slave : master;
  const CrMaterial *m = c->model->bodies[soft->body].material;
  PetscReal         area = 0, k;
  char              text[sizeof pair->kn_text];

  pair->layer = layer_of(c, slave, master, soft);
  k = 10 * (modulus(c, soft) / pair->layer);
  for (PetscInt i = 0; i < s->nnodes; i++) area += s->weight[i] / s->nnodes;
  snprintf(text, sizeof text, "auto: 10 x %.4g (%s + 2 shear of %s) / %.4g (%s)%s",
           (double)modulus(c, soft), m->lambda > CR_BULKY * m->shear ? "20 shear" : "lambda",
           c->model->bodies[soft->body].name, (double)pair->layer,
           pair->layer < c->surfaces[soft->set]->layer ? "3 facets of the finer side"
                                                       : "height of its layer",
           pair->unit ? " x mean area of a slave node" : "");
  pair->kn_auto = pair->unit ? k * area : k;
  CrPairPenalties(pair, pair->kn_auto, text);
  pair->kn_set = pair->kn;
}

/* ---- passes --------------------------------------------------------------------------------- */

/* The key by which a pass is found: the slave, given as a body or as a set of facets, and the other side. If both sides
   are deformable bodies, either one may be the slave. */
typedef enum { BY_BODY, BY_SET } By;

typedef struct {
  PetscInt by, kind, slave, other;
} PassKey;

static PassKey key_of(const CrContact *c, By by, const CrSide *slave, const CrSide *master,
                      PetscInt partner)
{
  const PetscInt a = by == BY_SET ? slave->set : slave->body;
  const PetscInt b = by == BY_SET ? master->set : master->body;

  if (master->obstacle)
    return (PassKey){by, CR_NODE_ON_WALL, a, (PetscInt)(master->obstacle - c->obstacles)};
  if (partner >= 0) return (PassKey){by, CR_NODE_ON_BODY, a, partner};
  if (by == BY_SET) return (PassKey){by, CR_NODE_ON_FACET, a, b};
  return (PassKey){by, CR_NODE_ON_FACET, PetscMin(a, b), PetscMax(a, b)};
}

/* The first pass between these; -1: none. */
static PetscInt find_pass(const CrContact *c, By by, const CrSide *slave, const CrSide *master,
                          PetscInt partner)
{
  const PassKey key = key_of(c, by, slave, master, partner);

  return CrIndexFind(c->pass_index, &key, sizeof key);
}

/* Enters the last pass into the index. */
static PetscErrorCode enter_pass(CrContact *c, const CrSide *slave, const CrSide *master,
                                 PetscInt partner)
{
  PetscInt old;

  PetscFunctionBeginUser;
  if (!c->pass_index) PetscCall(CrIndexCreate(&c->pass_index));
  for (By by = BY_BODY; by <= BY_SET; by++) {
    const PassKey key = key_of(c, by, slave, master, partner);

    PetscCall(CrIndexAdd(c->pass_index, &key, sizeof key, c->npasses - 1, &old));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a pass of nodes. partner is the rigid body that is the master; -1: none. */
static PetscErrorCode add_pass(CrContact *c, PetscInt pair, const CrSide *slave,
                               const CrSide *master, PetscInt wall, PetscInt partner)
{
  CrPass p = {.pair = pair, .wall = wall, .obstacle = master->obstacle, .partner = partner};

  PetscFunctionBeginUser;
  CrPassSetKind(&p, partner >= 0       ? CR_NODE_ON_BODY
                    : master->obstacle ? CR_NODE_ON_WALL
                                       : CR_NODE_ON_FACET);
  p.slave = c->surfaces[slave->set];
  p.master = master->set < 0 ? NULL : c->surfaces[master->set];
  p.tree = master->set < 0 ? NULL : c->trees[master->set];
  p.self = master->set >= 0 && slave->body == master->body;
  p.n = p.slave->nnodes;
  p.reach = 0.5 * (p.ops->facets ? p.master : p.slave)->mean_size;
  PetscCall(CrPassAdd(c, p));
  PetscCall(enter_pass(c, slave, master, partner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the passes of nodes on facets: one, or two that change the roles. The surface that comes first in
   the model is the slave of the first, so that the order of names in the deck does not matter. */
static PetscErrorCode add_facet_passes(CrContact *c, PetscInt pair, const CrSide *slave,
                                       const CrSide *master)
{
  const CrSides   sides = c->pairs[pair].sides;
  const PetscBool cones = sides != CR_SIDES_FIRST;
  const PetscBool two = cones && slave->set != master->set;
  const PetscBool swap = two && slave->set > master->set;
  const PetscInt  first = c->npasses;

  PetscFunctionBeginUser;
  for (int k = 0; k < (two ? 2 : 1); k++) {
    PetscBool reversed = (k == 1) != swap;

    PetscCall(add_pass(c, pair, reversed ? master : slave, reversed ? slave : master, 0, -1));
    c->passes[c->npasses - 1].reversed = reversed;
    c->passes[c->npasses - 1].leads =
        CrSideLeads(c, reversed ? master : slave, reversed ? slave : master, reversed);
    c->passes[c->npasses - 1].cones = cones;
  }
  if (cones && c->model->dim == 3) PetscCall(CrEdgePassesAdd(c, first));
  if (cones) PetscCall(CrSamplePassesAdd(c, first, two ? 2 : 1));
  if (cones && c->springs && c->model->dim == 3)
    PetscCall(CrLongEdgePassesAdd(c, first, two ? 2 : 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_passes(CrContact *c, PetscInt pair, const CrSide *slave,
                                 const CrSide *master)
{
  PetscFunctionBeginUser;
  if (master->obstacle) {
    for (PetscInt w = 0; w < CrObstacleWalls(master->obstacle, c->model->dim); w++)
      PetscCall(add_pass(c, pair, slave, master, w, -1));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (master->rigid) {
    const CrRigidGroup *g = &c->model->rigid->groups[master->rigid - 1];
    const By            by = c->pairs[pair].found ? BY_BODY : BY_SET;

    for (PetscInt b = g->first; b < g->first + g->n; b++) {
      if ((master->copy && master->copy != b + 1) || find_pass(c, by, slave, master, b) >= 0)
        continue;
      PetscCall(add_pass(c, pair, slave, master, 0, b));
      c->passes[c->npasses - 1].cones = CrPairHasCones(c, &c->pairs[pair], master);
    }
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(add_facet_passes(c, pair, slave, master));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static PetscErrorCode read_overlap(const CrDeckNode *node, CrPair *pair)
{
  const CrDeckNode *ramp = CrDeckFind(node, "ramp");

  PetscFunctionBeginUser;
  pair->overlap = CrDeckFind(node, "overlap");
  pair->resolve = CrDeckIsWord(pair->overlap, "resolve");
  if (pair->resolve && !ramp)
    CrDeckFail(pair->overlap, "`overlap: resolve` needs the key `ramp: [t0, t1]`");
  if (!pair->resolve && ramp) CrDeckFail(ramp, "this key is allowed only with `overlap: resolve`");
  if (ramp) PetscCall(CrFactorRead(node, &pair->ramp));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `slaves` chooses between nodes and points of a rigid body. Without a rigid body it would do nothing. Entries of
   `default` apply to pairs of all kinds, and may have it. */
static PetscErrorCode check_slaves(const CrDeckNode *node, const CrSide *master, const CrPair *pair)
{
  const CrDeckNode *slaves = CrDeckFind(node, "slaves");

  PetscFunctionBeginUser;
  if (!master->rigid && !pair->found && slaves && CrDeckIsGiven(slaves))
    CrDeckFail(slaves, "is allowed only for a rigid and a deformable body; between deformable "
                       "bodies use `sides`");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A pair with everything but name and overlap. */
static PetscErrorCode add_pair(CrContact *c, const CrDeckNode *node, const CrSide *slave,
                               const CrSide *master, CrPair **out)
{
  /* the order of names in the deck decides nothing but the sign of the force */
  PetscBool canonical;
  CrPair   *pair;

  PetscFunctionBeginUser;
  PetscCall(CrPairNew(c, node, &pair));
  pair->unit = CrDeckIsWord(CrDeckFind(node, "weight"), "unit");
  pair->found = !CrDeckFind(node, "between");
  PetscCall(check_slaves(node, master, pair));
  PetscCall(use_surface(c, slave->set));
  if (master->set >= 0) PetscCall(use_surface(c, master->set));
  PetscCall(CrPairSides(c, node, pair));
  if (master->rigid && pair->sides != CR_SIDES_FIRST && CrPairSidesGiven(node))
    CrDeckFail(
        CrPairSidesGiven(node),
        "this key cannot be used if one body is rigid; use `slaves: both`, so that points of both bodies are slaves");
  canonical =
      pair->sides != CR_SIDES_FIRST && c->springs && master->set >= 0 && slave->set > master->set;
  choose_penalties(c, canonical ? master : slave, canonical ? slave : master, pair);
  if (pair->sides == CR_SIDES_BOTH && !c->springs && slave->set != master->set &&
      master->set >= 0) {
    pair->kn /= 2;
    pair->kt /= 2;
  }
  PetscCall(add_passes(c, c->npairs - 1, slave, master));
  if (master->rigid) CrPairSlaves(c, node, slave, master, pair);
  *out = pair;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode name_pair(CrContact *c, const CrDeckNode *node, CrPair *pair)
{
  const CrDeckNode *name = CrDeckFind(node, "name"), *between = CrDeckFind(node, "between");
  PetscInt          old;

  PetscFunctionBeginUser;
  if (name)
    PetscCall(PetscStrncpy(pair->name, CrDeckText(name), sizeof pair->name));
  else
    snprintf(pair->name, sizeof pair->name, "%s-%s", CrDeckText(CrDeckItem(between, 0)),
             CrDeckText(CrDeckItem(between, 1)));
  if (name && (!*pair->name || strlen(CrDeckText(name)) >= sizeof pair->name))
    CrDeckFail(name, "a name must have 1 to %d characters", (int)sizeof pair->name - 1);
  if (!c->pair_index) PetscCall(CrIndexCreate(&c->pair_index));
  PetscCall(CrIndexAddName(c->pair_index, pair->name, c->npairs - 1, &old));
  if (old >= 0)
    CrDeckFail(name ? name : between, "another pair is called \"%s\" already", pair->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first pass between two sides; -1: none. If the master is a group of rigid bodies, every body of the group must
   have a pass. */
static PetscInt find_meeting(const CrContact *c, By by, const CrSide *slave, const CrSide *master)
{
  const CrRigidGroup *g;
  PetscInt            first = PETSC_MAX_INT;

  if (!master->rigid || master->copy) return find_pass(c, by, slave, master, master->copy - 1);
  g = &c->model->rigid->groups[master->rigid - 1];
  for (PetscInt b = g->first; b < g->first + g->n; b++) {
    PetscInt k = find_pass(c, by, slave, master, b);

    if (k < 0) return -1;
    first = PetscMin(first, k);
  }
  return first;
}

/* Refuses two pairs of the same surfaces, because they would press twice as hard. */
static PetscErrorCode check_is_new(const CrContact *c, const CrDeckNode *between,
                                   const CrSide *slave, const CrSide *master)
{
  PetscInt k = find_meeting(c, BY_SET, slave, master);

  PetscFunctionBeginUser;
  if (k >= 0)
    CrDeckFail(between, "the pair \"%s\" already has these two sides",
               c->pairs[c->passes[k].pair].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* If the master has a much finer mesh, its nodes pass between those of the slave, and nothing holds them. */
static void warn_of_coarse_slave(const CrContact *c, const CrPair *pair)
{
  const CrPass *p = &c->passes[c->npasses - 1];

  if (!p->ops->facets || pair->sides != CR_SIDES_FIRST ||
      !(p->slave->mean_size > 1.9 * p->master->mean_size))
    return;
  CrWarn(
      "contact %s: the facets of the slave surface are %.1f times as large as those of the master surface, so master nodes may penetrate between slave nodes; name the finer surface first or set `sides: both`",
      pair->name, (double)(p->slave->mean_size / p->master->mean_size));
}

/* Of a rigid and a deformable body, the deformable one is the slave, because only it has nodes. An obstacle is always
   the master. */
static PetscErrorCode order_sides(const CrContact *c, const CrDeckNode *between, CrSide *slave,
                                  CrSide *master, PetscBool *swapped)
{
  const CrSide first = *slave;

  PetscFunctionBeginUser;
  if (slave->obstacle && master->obstacle)
    CrDeckFail(between, "these are two obstacles: one of the two must be a body");
  *swapped = slave->obstacle || (slave->rigid && !master->rigid && !master->obstacle);
  if (*swapped) {
    *slave = *master;
    *master = first;
  }
  if (master->rigid && !slave->rigid && CrSideShape(c, master)->kind == CR_SHAPE_POINT)
    CrDeckFail(between, "the rigid body \"%s\" is a point mass and has no surface",
               CrSideName(c, master));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define EQUAL 1.15 /* ratio of mean facets up to which two surfaces count as equally fine */

/* Where overlap is pushed out, or springs belong to nodes, nodes of one side only are slaves. Unless the deck chooses it,
   that is the side with the finer mesh, or the one whose name comes first, so that the order of names under `between` does
   not matter. */
static PetscErrorCode choose_slave(CrContact *c, const CrDeckNode *node, CrSide *slave,
                                   CrSide *master, PetscBool *swapped)
{
  const CrSide    first = *slave, second = *master;
  const PetscBool resolve = CrDeckIsWord(CrDeckFind(node, "overlap"), "resolve");
  const PetscBool unit = CrDeckIsWord(CrDeckFind(node, "weight"), "unit");
  PetscReal       size[2];

  PetscFunctionBeginUser;
  if (first.set < 0 || second.set < 0 || first.set == second.set || CrPairSidesGiven(node) ||
      !(resolve || (unit && c->springs)))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(use_surface(c, first.set));
  PetscCall(use_surface(c, second.set));
  size[0] = c->surfaces[first.set]->mean_size;
  size[1] = c->surfaces[second.set]->mean_size;
  *swapped = PetscMax(size[0], size[1]) > EQUAL * PetscMin(size[0], size[1])
                 ? size[1] < size[0]
                 : CrSideLeads(c, &second, &first, first.set < second.set);
  if (*swapped) {
    *slave = second;
    *master = first;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_pair(CrContact *c, const CrDeckNode *node)
{
  const CrDeckNode *between = CrDeckFind(node, "between");
  CrSide            slave, master;
  PetscBool         swapped;
  CrPair           *pair;

  PetscFunctionBeginUser;
  if (CrDeckCount(between) != 2)
    CrDeckFail(between, "expected two names, found %" PetscInt_FMT, CrDeckCount(between));
  PetscCall(CrSideFind(c, CrDeckItem(between, 0), &slave));
  PetscCall(CrSideFind(c, CrDeckItem(between, 1), &master));
  PetscCall(order_sides(c, between, &slave, &master, &swapped));
  PetscCall(choose_slave(c, node, &slave, &master, &swapped));
  PetscCall(CrPairCheckSamples(node, &slave, &master));
  if (slave.rigid)
    PetscCall(CrRigidPairAdd(c, between, node, &slave, &master, &pair));
  else {
    PetscCall(check_is_new(c, between, &slave, &master));
    PetscCall(add_pair(c, node, &slave, &master, &pair));
  }
  pair->swapped = swapped;
  pair->whole = !strchr(CrDeckText(CrDeckItem(between, swapped ? 1 : 0)), '.');
  PetscCall(name_pair(c, node, pair));
  if (!pair->rigid) warn_of_coarse_slave(c, pair);
  PetscCall(read_overlap(node, pair));
  if (pair->rigid && pair->resolve)
    CrDeckFail(CrDeckFind(node, "overlap"), "rigid bodies must not overlap at the start");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- default -------------------------------------------------------------------------------- */

/* The finer surface is slave, then the softer body, then the earlier one. */
static PetscBool should_swap(const CrContact *c, const CrSide *first, const CrSide *second)
{
  PetscReal s0 = c->surfaces[first->set]->mean_size, s1 = c->surfaces[second->set]->mean_size;

  if (PetscAbsReal(s0 - s1) > 1e-6 * (s0 + s1)) return s1 < s0;
  return modulus(c, second) < modulus(c, first);
}

/* A pair that `default` finds, unless the deck lists it. */
static PetscErrorCode add_found(CrContact *c, const CrDeckNode *node, CrSide first, CrSide second)
{
  CrPair   *pair;
  PetscBool swap = PETSC_FALSE;

  PetscFunctionBeginUser;
  if (find_meeting(c, BY_BODY, &first, &second) >= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(use_surface(c, first.set));
  if (second.set >= 0) {
    PetscCall(use_surface(c, second.set));
    swap = should_swap(c, &first, &second);
  }
  PetscCall(add_pair(c, node, swap ? &second : &first, swap ? &first : &second, &pair));
  pair->found = pair->whole = PETSC_TRUE;
  snprintf(pair->name, sizeof pair->name, "%s-%s", CrSideName(c, swap ? &second : &first),
           CrSideName(c, swap ? &first : &second));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_pairs(CrContact *c, const CrDeckNode *node)
{
  const CrModel *model = c->model;

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < model->nbodies; a++) {
    CrSide first = {NULL, a, CrModelBoundary(model, a), 0, 0};

    for (PetscInt b = a + 1; b < model->nbodies; b++)
      PetscCall(add_found(c, node, first, (CrSide){NULL, b, CrModelBoundary(model, b), 0, 0}));
    for (PetscInt g = 0; g < model->rigid->ngroups; g++) {
      CrSide group = {NULL, -1, -1, g + 1, 0};

      if (CrSideShape(c, &group)->kind != CR_SHAPE_POINT)
        PetscCall(add_found(c, node, first, group));
    }
    for (PetscInt o = 0; o < c->nobstacles; o++)
      PetscCall(add_found(c, node, first, (CrSide){&c->obstacles[o], -1, -1, 0, 0}));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the list ------------------------------------------------------------------------------- */

static PetscErrorCode check_entry(const CrDeckNode *node)
{
  const CrDeckNode *between = CrDeckFind(node, "between"), *rest = CrDeckFind(node, "default");

  PetscFunctionBeginUser;
  if (!between == !rest)
    CrDeckFail(node, "an entry of `contact` needs either `between` or `default`");
  for (PetscInt k = 0; rest && k < CrDeckCount(node); k++)
    if (CrDeckIsGiven(CrDeckItem(node, k)) && CrDeckItem(node, k) != rest)
      CrDeckFail(CrDeckItem(node, k), "this key must be inside `default`, not beside it");
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void warn_of_idle_obstacles(const CrContact *c)
{
  for (PetscInt o = 0; o < c->nobstacles; o++) {
    PetscInt k = 0, r = 0;

    while (k < c->npasses && c->passes[k].obstacle != &c->obstacles[o]) k++;
    while (r < c->nrigid && c->rigid[r].obstacle != o) r++;
    if (k == c->npasses && r == c->nrigid)
      CrWarn("obstacle \"%s\" is in no contact pair: bodies pass through it", c->obstacles[o].name);
  }
}

PetscErrorCode CrPairsRead(CrContact *c, const CrDeck *deck)
{
  const CrDeckNode *list = CrDeckFind(CrDeckRoot(deck), "contact"), *rest = NULL;

  PetscFunctionBeginUser;
  CrContactSuitMethod(c, deck);
  for (PetscInt k = 0; k < CrDeckCount(list); k++) {
    const CrDeckNode *node = CrDeckItem(list, k);

    PetscCall(check_entry(node));
    if (CrDeckFind(node, "default") && rest) CrDeckFail(node, "`default` is given twice");
    if (CrDeckFind(node, "default"))
      rest = CrDeckFind(node, "default");
    else
      PetscCall(read_pair(c, node));
  }
  if (rest) PetscCall(find_pairs(c, rest));
  if (rest) PetscCall(CrRigidPairsFind(c, rest));
  if (c->model->nbodies) PetscCall(CrRigidPassesAdd(c));
  warn_of_idle_obstacles(c);
  CrPairsNotePasses(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}
