/* Reads the pairs of the deck, and adds those that `default` implies: surfaces, penalties, passes. */
#include <string.h>
#include "contact/pairs/pairs.h"

#define PAIR_KEYS                                                                                    \
  {"friction", CR_REAL, "0", .range = "[0,inf)", .help = "Coulomb's coefficient"},                   \
      {"restitution", CR_REAL, "1", .range = "[0,1]", .help = "rigid bodies under efda"},            \
      {"normal_penalty", CR_REAL | CR_WORD,                                                          \
       "auto",           "auto",                                                                     \
       "(0,inf)",        .help = "pressure per depth (weight: area), or force per depth of a node"}, \
      {"tangential_penalty",                                                                         \
       CR_REAL | CR_WORD,                                                                            \
       "auto",                                                                                       \
       "auto",                                                                                       \
       "(0,inf)",                                                                                    \
       .help = "the same, per length of slip"},                                                      \
      {"weight", CR_WORD, "area", "area|unit",                                                       \
       .help = "area: penalties per unit area; unit: nodal spring constants"},                       \
      {"slaves", CR_WORD, "auto", "auto|nodes|body|both",                                            \
       .help = "rigid and deformable body: nodes on the rigid shape, points of the body "            \
               "on facets, or both; auto: both where the body is small against the facets"},         \
  {                                                                                                  \
    "passes", CR_INTEGER, "1", .range = "[1,2]",                                                     \
                               .help = "2: each surface once slave, half the "                       \
                                       "penalties each"                                              \
  }

static const CrKey default_keys[] = {PAIR_KEYS, {.name = NULL}};

static const CrKey pair_keys[] = {
    {"between", CR_TEXTS,
     .help = "slave, then master: body, body.surface, copy (ball.3), or an obstacle (master)"},
    {"name", CR_TEXT, .help = "name in contacts.csv; default: slave-master"},
    PAIR_KEYS,
    {"overlap", CR_WORD, "keep", "keep|resolve",
     .help = "overlap at the start: counts as touching, or is pushed out by `ramp`"},
    {"ramp", CR_REALS, .help = "overlap: resolve: pushed out between these times"},
    {"default", CR_MAP, .keys = default_keys,
     .help = "every other pair that meets, found automatically"},
    {.name = NULL}};

const CrKey CrContactKeys[] = {{"contact", CR_LIST, .keys = pair_keys,
                                .help = "pairs of surfaces that may touch"},
                               {.name = NULL}};

/* ---- surfaces and penalties ------------------------------------------------------------------ */

static PetscErrorCode use_surface(CrContact *c, PetscInt set)
{
  PetscFunctionBeginUser;
  if (c->surfaces[set]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrSurfaceCreate(c->model, &c->model->sets[set], &c->surfaces[set]));
  PetscCall(CrTreeCreate(c->model->dim, c->surfaces[set]->nfacets, &c->trees[set]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscReal modulus(const CrContact *c, const CrSide *side)
{
  const CrMaterial *m = c->model->bodies[side->body].material;

  return m->lambda + 2 * m->shear;
}

static PetscReal softness(const CrContact *c, const CrSide *side)
{
  return modulus(c, side) / c->surfaces[side->set]->mean_size;
}

/* The automatic penalty: ten times the stiffness of a layer of elements of the softer side, per area. It has
   the right dimension in every system of units. */
static void choose_penalties(CrContact *c, const CrDeckNode *node, const CrSide *slave,
                             const CrSide *master, CrPair *pair)
{
  const CrDeckNode *kn = CrDeckFind(node, "normal_penalty");
  const CrDeckNode *kt = CrDeckFind(node, "tangential_penalty");
  const CrSurface  *s = c->surfaces[slave->set];
  const CrSide     *soft =
      master->set < 0 || softness(c, slave) <= softness(c, master) ? slave : master;
  PetscReal area = 0, k = 10 * softness(c, soft);

  for (PetscInt i = 0; i < s->nnodes; i++) area += s->weight[i] / s->nnodes;
  if (CrDeckIsReal(kn)) {
    pair->kn = CrDeckReal(kn);
    snprintf(pair->kn_text, sizeof pair->kn_text, "given");
  } else {
    pair->kn = pair->unit ? k * area : k;
    snprintf(pair->kn_text, sizeof pair->kn_text,
             "auto: 10 x %.4g (lambda + 2 shear of %s) / %.4g (its mean facet)%s",
             (double)modulus(c, soft), c->model->bodies[soft->body].name,
             (double)c->surfaces[soft->set]->mean_size,
             pair->unit ? " x mean area of a slave node" : "");
  }
  pair->kt = CrDeckIsReal(kt) ? CrDeckReal(kt) : pair->kn;
  snprintf(pair->kt_text, sizeof pair->kt_text, "%s",
           CrDeckIsReal(kt) ? "given" : "auto: as the normal one");
}

/* ---- passes --------------------------------------------------------------------------------- */

/* The key of a pass in the index: the slave, which is a body or a set of facets, and its master. */
typedef enum { BODY_BODY, BODY_PARTNER, BODY_OBSTACLE, SET_SET, SET_PARTNER, SET_OBSTACLE } Meeting;

/* The first pass with this key; -1: none. */
static PetscInt find_pass(const CrContact *c, Meeting kind, PetscInt slave, PetscInt other)
{
  const PetscInt key[3] = {(PetscInt)kind, slave, other};

  return CrIndexFind(c->pass_index, key, sizeof key);
}

static PetscErrorCode enter(CrContact *c, Meeting kind, PetscInt slave, PetscInt other)
{
  const PetscInt key[3] = {(PetscInt)kind, slave, other};
  PetscInt       old;

  return CrIndexAdd(c->pass_index, key, sizeof key, c->npasses - 1, &old);
}

/* Enters the last pass into the index. */
static PetscErrorCode enter_pass(CrContact *c, const CrSide *slave, const CrSide *master,
                                 PetscInt partner)
{
  PetscFunctionBeginUser;
  if (!c->pass_index) PetscCall(CrIndexCreate(&c->pass_index));
  if (master->obstacle) {
    PetscInt o = (PetscInt)(master->obstacle - c->obstacles);

    PetscCall(enter(c, BODY_OBSTACLE, slave->body, o));
    PetscCall(enter(c, SET_OBSTACLE, slave->set, o));
  } else if (partner >= 0) {
    PetscCall(enter(c, BODY_PARTNER, slave->body, partner));
    PetscCall(enter(c, SET_PARTNER, slave->set, partner));
  } else {
    PetscCall(enter(c, BODY_BODY, PetscMin(slave->body, master->body),
                    PetscMax(slave->body, master->body)));
    PetscCall(enter(c, SET_SET, slave->set, master->set));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds a pass. partner is the rigid body that is the master; -1: none. */
static PetscErrorCode add_pass(CrContact *c, PetscInt pair, const CrSide *slave,
                               const CrSide *master, PetscInt wall, PetscInt partner)
{
  CrPass *pass;

  PetscFunctionBeginUser;
  PetscCall(PetscRealloc(sizeof(CrPass) * (c->npasses + 1), &c->passes));
  pass = &c->passes[c->npasses++];
  *pass = (CrPass){.pair = pair, .wall = wall, .obstacle = master->obstacle, .partner = partner};
  CrPassSetKind(pass, partner >= 0       ? CR_NODE_ON_BODY
                      : master->obstacle ? CR_NODE_ON_WALL
                                         : CR_NODE_ON_FACET);
  pass->slave = c->surfaces[slave->set];
  pass->master = master->set < 0 ? NULL : c->surfaces[master->set];
  pass->tree = master->set < 0 ? NULL : c->trees[master->set];
  pass->self = master->set >= 0 && slave->body == master->body;
  pass->first = c->npoints;
  pass->n = pass->slave->nnodes;
  pass->reach = 0.5 * (pass->ops->facets ? pass->master : pass->slave)->mean_size;
  c->npoints += pass->n;
  PetscCall(enter_pass(c, slave, master, partner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_passes(CrContact *c, PetscInt pair, const CrSide *slave,
                                 const CrSide *master, PetscInt passes)
{
  PetscFunctionBeginUser;
  if (master->obstacle) {
    for (PetscInt w = 0; w < CrObstacleWalls(master->obstacle, c->model->dim); w++)
      PetscCall(add_pass(c, pair, slave, master, w, -1));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (master->rigid) {
    const CrRigidGroup *g = &c->model->rigid->groups[master->rigid - 1];
    PetscBool           found = c->pairs[pair].found;

    for (PetscInt b = g->first; b < g->first + g->n; b++)
      if ((!master->copy || master->copy == b + 1) &&
          find_pass(c, found ? BODY_PARTNER : SET_PARTNER, found ? slave->body : slave->set, b) < 0)
        PetscCall(add_pass(c, pair, slave, master, 0, b));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(add_pass(c, pair, slave, master, 0, -1));
  if (passes == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(add_pass(c, pair, master, slave, 0, -1));
  c->passes[c->npasses - 1].reversed = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static PetscErrorCode read_overlap(const CrDeckNode *node, CrPair *pair)
{
  const CrDeckNode *ramp = CrDeckFind(node, "ramp");

  PetscFunctionBeginUser;
  pair->overlap = CrDeckFind(node, "overlap");
  pair->resolve = CrDeckIsWord(pair->overlap, "resolve");
  if (pair->resolve && !ramp) CrDeckFail(pair->overlap, "resolve needs ramp: [t0, t1]");
  if (!pair->resolve && ramp) CrDeckFail(ramp, "belongs to overlap: resolve");
  if (ramp) PetscCall(CrFactorRead(node, &pair->ramp));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *CrSlavesWord(CrSlaves slaves)
{
  static const char *const words[] = {"auto", "nodes", "body", "both"};

  return words[slaves];
}

static const CrShape *shape_of(const CrContact *c, const CrSide *side)
{
  const CrRigid *r = c->model->rigid;

  return &r->shapes[r->groups[side->rigid - 1].shape];
}

/* Nodes cannot hold a rigid body if they are farther apart than the body is thick. */
static void choose_slaves(const CrContact *c, const CrDeckNode *node, const CrSide *slave,
                          const CrSide *master, CrPair *pair)
{
  const CrDeckNode *slaves = CrDeckFind(node, "slaves");
  const CrShape    *shape = shape_of(c, master);
  const CrSurface  *s = c->surfaces[slave->set];
  PetscReal         inner = CrShapeInnerRadius(shape);
  /* half of the size that may fall between nodes; in 3D a diagonal */
  PetscReal hole = s->mean_size * (c->model->dim == 3 ? 0.7 : 0.5);

  for (int k = 0; k < 4; k++)
    if (CrDeckIsWord(slaves, CrSlavesWord((CrSlaves)k))) pair->slaves = (CrSlaves)k;
  pair->asked = pair->slaves > CR_SLAVES_NODES;
  if (hole > inner) {
    pair->apart = s->mean_size;
    pair->thick = 2 * inner;
  }
  if (pair->slaves == CR_SLAVES_AUTO)
    pair->slaves = hole > inner ? CR_SLAVES_BOTH : CR_SLAVES_NODES;
}

/* Adds a pair, complete except for name and overlap. */
static PetscErrorCode add_pair(CrContact *c, const CrDeckNode *node, const CrSide *slave,
                               const CrSide *master, CrPair **out)
{
  PetscInt passes = CrDeckInteger(CrDeckFind(node, "passes"));
  CrPair  *pair;

  PetscFunctionBeginUser;
  PetscCall(PetscRealloc(sizeof(CrPair) * (c->npairs + 1), &c->pairs));
  pair = &c->pairs[c->npairs++];
  PetscCall(PetscMemzero(pair, sizeof *pair));
  pair->friction = CrDeckReal(CrDeckFind(node, "friction"));
  pair->restitution = CrDeckReal(CrDeckFind(node, "restitution"));
  pair->rebounds = CrDeckIsGiven(CrDeckFind(node, "restitution"));
  pair->unit = CrDeckIsWord(CrDeckFind(node, "weight"), "unit");
  pair->found = !CrDeckFind(node, "between");
  PetscCall(use_surface(c, slave->set));
  if (master->set >= 0) PetscCall(use_surface(c, master->set));
  choose_penalties(c, node, slave, master, pair);
  if (slave->set == master->set) passes = 1; /* all nodes are slaves already */
  if (passes == 2 && master->rigid)
    CrDeckFail(CrDeckFind(node, "passes"),
               "with a rigid body it is slaves: both that lets either one be the slave");
  if (passes == 2 && master->set >= 0) {
    pair->kn /= 2;
    pair->kt /= 2;
  }
  PetscCall(add_passes(c, c->npairs - 1, slave, master, passes));
  if (master->rigid) choose_slaves(c, node, slave, master, pair);
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
    CrDeckFail(name, "a name has 1 to %d characters", (int)sizeof pair->name - 1);
  if (!c->pair_index) PetscCall(CrIndexCreate(&c->pair_index));
  PetscCall(CrIndexAddName(c->pair_index, pair->name, c->npairs - 1, &old));
  if (old >= 0)
    CrDeckFail(name ? name : between, "another pair is called \"%s\" already", pair->name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The first pass between a surface and the rigid bodies of a side; -1: none. The side names one body, or a
   group as a whole. */
static PetscInt find_partner(const CrContact *c, PetscInt set, const CrSide *side)
{
  const CrRigidGroup *g = &c->model->rigid->groups[side->rigid - 1];
  PetscInt            first = PETSC_MAX_INT;

  if (side->copy) return find_pass(c, SET_PARTNER, set, side->copy - 1);
  for (PetscInt b = g->first; b < g->first + g->n; b++) {
    PetscInt k = find_pass(c, SET_PARTNER, set, b);

    if (k < 0) return -1;
    first = PetscMin(first, k);
  }
  return first;
}

/* Refuses two pairs of the same surfaces, because they would press twice as hard. */
static PetscErrorCode check_is_new(const CrContact *c, const CrDeckNode *between,
                                   const CrSide *slave, const CrSide *master)
{
  PetscInt k;

  PetscFunctionBeginUser;
  if (master->obstacle)
    k = find_pass(c, SET_OBSTACLE, slave->set, (PetscInt)(master->obstacle - c->obstacles));
  else if (master->rigid)
    k = find_partner(c, slave->set, master);
  else
    k = find_pass(c, SET_SET, slave->set, master->set);
  if (k >= 0)
    CrDeckFail(between, "these two are in contact already, as pair \"%s\"",
               c->pairs[c->passes[k].pair].name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* If the master has a much finer mesh, its nodes pass between those of the slave, and nothing holds them. */
static void warn_of_coarse_slave(const CrContact *c, const CrPair *pair)
{
  const CrPass *p = &c->passes[c->npasses - 1];

  if (!p->ops->facets || p->reversed || !(p->slave->mean_size > 1.9 * p->master->mean_size)) return;
  CrWarn("contact %s: the slave's facets are %.1f times as large as the master's, whose nodes may "
         "pass "
         "between; name the finer surface first or set passes: 2",
         pair->name, (double)(p->slave->mean_size / p->master->mean_size));
}

/* Of a rigid and a deformable body, the deformable one is the slave, because only it has nodes. */
static PetscErrorCode order_sides(const CrContact *c, const CrDeckNode *node, CrSide *slave,
                                  CrSide *master)
{
  const CrDeckNode *between = CrDeckFind(node, "between"), *slaves = CrDeckFind(node, "slaves");
  const CrSide      first = *slave;
  PetscInt          rigid = PetscMax(slave->rigid, master->rigid) - 1;

  PetscFunctionBeginUser;
  if (rigid < 0 || master->obstacle || (slave->rigid && master->rigid))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (c->model->rigid->shapes[c->model->rigid->groups[rigid].shape].kind == CR_SHAPE_POINT)
    CrDeckFail(between, "\"%s\" is a point and has no surface",
               c->model->rigid->groups[rigid].name);
  if (!slave->rigid) PetscFunctionReturn(PETSC_SUCCESS);
  *slave = *master;
  *master = first;
  if (!CrDeckIsWord(slaves, "body") && !CrDeckIsWord(slaves, "both"))
    CrWarn("contact between %s and %s: the deformable body is taken as the slave",
           CrDeckText(CrDeckItem(between, 0)), CrDeckText(CrDeckItem(between, 1)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_pair(CrContact *c, const CrDeckNode *node)
{
  const CrDeckNode *between = CrDeckFind(node, "between");
  CrSide            slave, master;
  PetscBool         whole;
  CrPair           *pair;

  PetscFunctionBeginUser;
  if (CrDeckCount(between) != 2)
    CrDeckFail(between, "expected two names, slave and master, found %" PetscInt_FMT,
               CrDeckCount(between));
  PetscCall(CrSideFind(c, CrDeckItem(between, 0), &slave));
  PetscCall(CrSideFind(c, CrDeckItem(between, 1), &master));
  if (slave.obstacle)
    CrDeckFail(CrDeckItem(between, 0), "an obstacle can only be the master: name it second");
  whole = !(strchr(CrDeckText(CrDeckItem(between, slave.rigid ? 1 : 0)), '.'));
  PetscCall(order_sides(c, node, &slave, &master));
  if (slave.rigid)
    PetscCall(CrRigidPairAdd(c, between, node, &slave, &master, &pair));
  else {
    PetscCall(check_is_new(c, between, &slave, &master));
    PetscCall(add_pair(c, node, &slave, &master, &pair));
  }
  pair->whole = whole;
  PetscCall(name_pair(c, node, pair));
  if (!pair->rigid) warn_of_coarse_slave(c, pair);
  PetscCall(read_overlap(node, pair));
  if (pair->rigid && pair->resolve)
    CrDeckFail(CrDeckFind(node, "overlap"), "rigid bodies must not overlap at the start");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- default -------------------------------------------------------------------------------- */

/* Is there a pass between two bodies, or between a body and an obstacle, among the first passes? */
static PetscBool is_listed(const CrContact *c, PetscInt npasses, PetscInt b0, PetscInt b1,
                           PetscInt obstacle)
{
  PetscInt k = obstacle >= 0 ? find_pass(c, BODY_OBSTACLE, b0, obstacle)
                             : find_pass(c, BODY_BODY, PetscMin(b0, b1), PetscMax(b0, b1));

  return k >= 0 && k < npasses;
}

/* The finer surface is slave, then the softer body, then the earlier one. */
static PetscBool should_swap(const CrContact *c, const CrSide *first, const CrSide *second)
{
  PetscReal s0 = c->surfaces[first->set]->mean_size, s1 = c->surfaces[second->set]->mean_size;

  if (PetscAbsReal(s0 - s1) > 1e-6 * (s0 + s1)) return s1 < s0;
  return modulus(c, second) < modulus(c, first);
}

static PetscErrorCode add_found(CrContact *c, const CrDeckNode *node, CrSide first, CrSide second)
{
  CrPair   *pair;
  PetscBool swap = PETSC_FALSE;

  PetscFunctionBeginUser;
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

/* Does this body meet every rigid one of the group already? */
static PetscBool has_partner(const CrContact *c, PetscInt body, PetscInt group)
{
  const CrRigidGroup *g = &c->model->rigid->groups[group];

  for (PetscInt b = g->first; b < g->first + g->n; b++)
    if (find_pass(c, BODY_PARTNER, body, b) < 0) return PETSC_FALSE;
  return PETSC_TRUE;
}

static PetscErrorCode find_pairs(CrContact *c, const CrDeckNode *node)
{
  const CrModel *model = c->model;
  const CrRigid *rigid = model->rigid;
  PetscInt       listed = c->npasses;

  PetscFunctionBeginUser;
  for (PetscInt a = 0; a < model->nbodies; a++) {
    CrSide first = {NULL, a, CrModelBoundary(model, a), 0, 0};

    for (PetscInt b = a + 1; b < model->nbodies; b++)
      if (!is_listed(c, listed, a, b, -1))
        PetscCall(add_found(c, node, first, (CrSide){NULL, b, CrModelBoundary(model, b), 0, 0}));
    for (PetscInt g = 0; g < rigid->ngroups; g++)
      if (rigid->shapes[rigid->groups[g].shape].kind != CR_SHAPE_POINT && !has_partner(c, a, g))
        PetscCall(add_found(c, node, first, (CrSide){NULL, -1, -1, g + 1, 0}));
    for (PetscInt o = 0; o < c->nobstacles; o++)
      if (!is_listed(c, listed, a, -1, o))
        PetscCall(add_found(c, node, first, (CrSide){&c->obstacles[o], -1, -1, 0, 0}));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the list ------------------------------------------------------------------------------- */

static PetscErrorCode check_entry(const CrDeckNode *node)
{
  const CrDeckNode *between = CrDeckFind(node, "between"), *rest = CrDeckFind(node, "default");

  PetscFunctionBeginUser;
  if (!between == !rest) CrDeckFail(node, "needs either `between` or `default`");
  for (PetscInt k = 0; rest && k < CrDeckCount(node); k++)
    if (CrDeckIsGiven(CrDeckItem(node, k)) && CrDeckItem(node, k) != rest)
      CrDeckFail(CrDeckItem(node, k), "stands beside `default`; it belongs inside it");
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
  for (PetscInt k = 0; k < CrDeckCount(list); k++) {
    const CrDeckNode *node = CrDeckItem(list, k);

    PetscCall(check_entry(node));
    if (CrDeckFind(node, "default") && rest) CrDeckFail(node, "`default` stands here twice");
    if (CrDeckFind(node, "default"))
      rest = CrDeckFind(node, "default");
    else
      PetscCall(read_pair(c, node));
  }
  if (rest) PetscCall(find_pairs(c, rest));
  if (rest) PetscCall(CrRigidPairsFind(c, rest));
  if (c->model->nbodies) PetscCall(CrRigidPassesAdd(c));
  warn_of_idle_obstacles(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}
