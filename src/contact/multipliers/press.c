/* One contact pair of an explicit step: its nodes and masses, the initial values of its iteration, and its state in the
   last step. */
#include "base/grow.h"
#include "contact/multipliers/press.h"

/* ---- kinds of passes -------------------------------------------------------------------------- */

extern const CrPressOps CrPress_node_on_facet, CrPress_edge_on_edge, CrPress_node_on_wall,
    CrPress_node_on_body, CrPress_point_on_wall, CrPress_point_on_facet, CrPress_edge_on_body,
    CrPress_round_on_facet, CrPress_edge_across, CrPress_edge_on_facet;

const CrPressOps *CrPressOpsOf(const CrPass *pass)
{
  static const CrPressOps *const rows[CR_PASS_KINDS] = {
      [CR_NODE_ON_FACET] = &CrPress_node_on_facet, [CR_EDGE_ON_EDGE] = &CrPress_edge_on_edge,
      [CR_NODE_ON_WALL] = &CrPress_node_on_wall,   [CR_NODE_ON_BODY] = &CrPress_node_on_body,
      [CR_POINT_ON_WALL] = &CrPress_point_on_wall, [CR_POINT_ON_FACET] = &CrPress_point_on_facet,
      [CR_EDGE_ON_BODY] = &CrPress_edge_on_body,   [CR_BODY_ON_EDGE] = &CrPress_edge_on_body,
      [CR_EDGE_ACROSS] = &CrPress_edge_across,     [CR_EDGE_ON_FACET] = &CrPress_edge_on_facet,
  };

  return pass->extent > 0 && pass->kind != CR_EDGE_ON_FACET ? &CrPress_round_on_facet
                                                            : rows[pass->kind];
}

PetscReal CrPressAnyWay(const CrContact *c, const CrPass *p)
{
  (void)c, (void)p;
  return PETSC_MAX_REAL;
}

/* ---- one pair -------------------------------------------------------------------------------- */

PetscErrorCode CrPressAppend(CrMultipliers *m, CrPress **pair)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(m->npairs + 1, &m->room, &m->pairs));
  *pair = &m->pairs[m->npairs++];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sets the slave of a pair, if it is a node or a place on an edge. */
static void set_slave(const CrPass *p, CrPress *pair)
{
  if (p->kind == CR_EDGE_ON_FACET) {
    for (int a = 0; a < 2; a++) pair->nodes[a] = p->samples->list[pair->point - p->first].nodes[a];
    pair->n = 2;
    pair->W[0] = 1 - pair->share;
    pair->W[1] = pair->share;
  }
  if (!p->ops->slave->is_node) return;
  pair->n = 1;
  pair->nodes[0] = p->slave->nodes[pair->point - p->first];
  pair->W[0] = 1;
}

/* Sets the nodes where edges cross: four, or the two of the deformable body. */
static void set_meeting(const CrPass *p, const PetscReal N[4], CrPress *pair)
{
  PetscInt nodes[4], from = p->ridges[0]->shape ? 2 : 0, to = p->ridges[1]->shape ? 2 : 4;

  CrMeetingNodes(p->ridges[0], pair->point - p->first, p->ridges[1], pair->facet, nodes);
  pair->n = to - from;
  for (PetscInt a = 0; a < pair->n; a++) {
    pair->nodes[a] = nodes[from + a];
    pair->W[a] = -N[a];
  }
}

void CrPressSetFacet(const CrPass *p, PetscInt facet, PetscInt n, const PetscReal N[4],
                     CrPress *pair)
{
  const PetscInt first = CrPressSlaveNodes(p);

  pair->facet = facet;
  if (CrPassHasEdges(p)) {
    set_meeting(p, N, pair);
    return;
  }
  for (PetscInt a = 0; a < n; a++) {
    pair->nodes[a + first] = p->master->corners[4 * facet + a];
    pair->W[a + first] = -N[a];
  }
  if (n) pair->n = n + first;
}

PetscErrorCode CrPressNew(CrMultipliers *m, const CrFound *found, CrPress **pair)
{
  const CrPass *p = &m->contact->passes[found->pass];

  PetscFunctionBeginUser;
  PetscCall(CrPressAppend(m, pair));
  **pair = (CrPress){.pass = found->pass, .point = p->first + found->item, .share = found->share};
  (*pair)->mu = m->contact->pairs[p->pair].friction;
  v_copy(found->nu, (*pair)->nu);
  set_slave(p, *pair);
  CrPressSetFacet(p, found->facet, found->n, found->N, *pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The prescribed dofs of a node, as bits. */
static unsigned held_dofs(PetscInt dim, const char *fixed)
{
  unsigned held = 0;

  for (PetscInt i = 0; i < dim; i++)
    if (fixed[i]) held |= 1u << i;
  return held;
}

void CrPressSetMasses(const CrMultipliers *m, const char *fixed, CrPress *p)
{
  const CrPass *pass = &m->contact->passes[p->pass];
  PetscInt      dim = m->contact->model->dim;

  p->body = pass->ops->body ? &m->bodies->now[pass->partner] : NULL;
  p->held = 0;
  for (PetscInt a = 0; a < p->n; a++) p->flow[a] = p->W[a] * m->inverse[p->nodes[a]];
  for (PetscInt a = 0; fixed && a < p->n; a++) {
    unsigned held = held_dofs(dim, fixed + dim * p->nodes[a]);

    p->held |= held << 3 * a;
    if (held == (1u << dim) - 1) p->flow[a] = 0;
  }
  p->plain = pass->ops->facets && !p->body && !p->held;
}

void CrPressArmToNodes(const CrMultipliers *m, const PetscReal *u, PetscReal t, CrPress *p)
{
  const CrPass *pass = &m->contact->passes[p->pass];

  (void)t;
  p->body = &m->bodies->now[pass->partner];
  p->side = pass->slave ? -1 : 1;
  for (int i = 0; i < 3; i++) p->arm[i] = -m->bodies->pose0[pass->partner].x[i];
  for (PetscInt a = 0; a < p->n; a++) {
    PetscReal x[3];

    CrGatherVector(m->contact, p->nodes[a], u, x);
    v_add(p->arm, -p->side * p->W[a], x);
  }
}

/* The overlap of the start that is not pushed out yet at time t, >= 0. */
static PetscReal overlap_left(const CrContact *c, const CrPass *p, PetscInt point, PetscReal t)
{
  const CrPair *pair = &c->pairs[p->pair];

  if (c->past.overlap[point] == 0) return 0;
  return -c->past.overlap[point] * (pair->resolve ? 1 - CrFactorAt(&pair->ramp, t) : 1);
}

void CrPressGuess(const PetscReal lam[4], CrPress *p)
{
  PetscReal along = v_dot(lam + 1, p->nu);

  for (int i = 0; i < 4; i++) p->lam[i] = i ? lam[i] - along * p->nu[i - 1] : lam[0];
}

void CrPressRecall(const CrMultipliers *m, PetscInt point, PetscInt pass,
                   const CrMultiplierStep *step, CrPress *pair)
{
  const CrPass        *p = &m->contact->passes[pass];
  const CrPointMemory *memory = &m->memory[point];
  PetscInt             facet = m->contact->past.facet[point];

  *pair = (CrPress){.pass = pass, .point = point, .share = memory->share};
  set_slave(p, pair);
  CrPressSetFacet(p, facet, p->ops->facets ? p->master->ncorners[facet] : 0, memory->N, pair);
  v_copy(memory->nu, pair->nu);
  for (int i = 0; i < 4; i++) pair->lam[i] = memory->lam[i];
  if (p->ops->body) CrPressOpsOf(p)->arm(m, step->u0, step->t, pair);
  CrPressSetMasses(m, step->fixed, pair);
}

PetscReal CrPressGapAt(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t)
{
  const CrPressOps *ops = CrPressOpsOf(&m->contact->passes[pair->pass]);
  CrPress           now = *pair;

  if (ops->gap) return ops->gap(m, pair, u, t);
  return ops->again(m, m->bodies->pose, u, t, &now) ? now.gap0 : pair->gap0;
}

CrPointMemory *CrPointMemories(CrContactHistory *history)
{
  return (CrPointMemory *)history->method;
}

void CrPointForget(CrContactHistory *history, PetscInt point)
{
  CrPointMemories(history)[point] = (CrPointMemory){0};
  history->facet[point] = -1;
}

/* ---- what a point meets ----------------------------------------------------------------------- */

/* The multipliers from which a point starts: those of the last step, or of the last search in this step. */
static const PetscReal *start_of(const CrMultipliers *m, PetscInt point)
{
  return m->variant.warm ? m->memory[point].lam : m->guess + 4 * point;
}

PetscBool CrPressIsPair(const CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];

  if (found->lam > 0) return PETSC_TRUE;
  return found->gap0 + overlap_left(m->contact, p, p->first + found->item, step->t + step->h) < 0;
}

PetscBool CrPressLook(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass, PetscInt entry,
                      CrFound *found)
{
  const CrNearPass *list = &m->lists->passes[pass];
  const CrPass     *p = &m->contact->passes[pass];
  PetscInt          point = p->first + list->item[entry];

  *found = (CrFound){.pass = pass, .item = list->item[entry], .facet = -1, .entry = entry};
  if (m->memory[point].lam[0] > 0) found->facet = m->contact->past.facet[point];
  found->lam = start_of(m, point)[0];
  if (found->facet < 0 && !(found->lam > 0) && CrNearSleeps(list, entry)) return PETSC_FALSE;
  return CrPressOpsOf(p)->look(m, step, entry, found);
}

static PetscErrorCode add(CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found,
                          PetscBool second, const PetscReal *v)
{
  const CrPass     *p = &m->contact->passes[found->pass];
  const CrPressOps *ops = CrPressOpsOf(p);
  CrPress          *pair;

  PetscFunctionBeginUser;
  PetscCall(CrPressNew(m, found, &pair));
  pair->second = second;
  pair->fresh = found->fresh;
  pair->entry = found->entry;
  pair->offset = second ? found->offset : m->memory[pair->point].offset;
  pair->gap0 = found->gap0;
  pair->shift = overlap_left(m->contact, p, pair->point, step->t + step->h);
  pair->pushed = overlap_left(m->contact, p, pair->point, step->t) - pair->shift;
  if (!p->ops->facets) CrPassVelocity(p, step->t, step->t + step->h, pair->wall);
  if (ops->arm) {
    PetscReal w[3] = {0};

    ops->arm(m, step->u0, step->t, pair);
    CrPressVelocity(m->contact->model->dim, pair, v, w);
    pair->gap0 -= step->h * v_dot(pair->nu, w); /* back to t_n along the same normal */
  }
  if (found->lam > 0) {
    const PetscReal plain[4] = {found->lam};

    CrPressGuess(second ? plain : start_of(m, pair->point), pair);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressAdd(CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found,
                          const PetscReal *v)
{
  const CrPressOps *ops = CrPressOpsOf(&m->contact->passes[found->pass]);
  CrFound           other;

  PetscFunctionBeginUser;
  PetscCall(add(m, step, found, PETSC_FALSE, v));
  for (PetscInt k = 0; k < found->nbeside; k++)
    if (ops->beside(m, step, found, k, &other)) PetscCall(add(m, step, &other, PETSC_TRUE, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}
