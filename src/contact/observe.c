/* Contact results for output, and messages of a run that fails. */
#include "base/vector.h"
#include "contact/division.h"
#include "contact/pairs/pairs.h"
#include "contact/touch/touch.h"

/* The pass in which the slave of pass k is the master; -1: none. */
static PetscInt other_pass(const CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];

  if (!p->ops->slave->is_node) return -1;
  for (PetscInt j = 0; p->ops->body && j < c->npasses; j++)
    if (c->passes[j].kind == CR_POINT_ON_FACET && c->passes[j].pair == p->pair &&
        c->passes[j].partner == p->partner && c->passes[j].master == p->slave)
      return j;
  if (p->ops->body) return -1;
  if (p->cones && p->slave == p->master) return k;
  for (PetscInt j = PetscMax(k - 1, 0); j <= k + 1 && j < c->npasses; j++)
    if (c->passes[j].pair == p->pair && c->passes[j].reversed != p->reversed) return j;
  return -1;
}

/* Turns the reactions of the nodes of a surface into pressures. */
static void spread_reactions(CrContact *c, const CrSurface *s)
{
  for (PetscInt i = 0; i < s->nnodes; i++) {
    CrContactNodal *node = &c->picture->nodal[s->nodes[i]];

    node->pressure += node->reaction / s->weight[i];
    node->reaction = 0;
  }
}

/* Adds the reactions that points of this rank exert on nodes of other ranks to those at their owners. */
static PetscErrorCode share_reactions(CrContact *c, const CrPass *p)
{
  CrDivision     *d = c->division;
  CrContactNodal *nodal = c->picture->nodal;

  PetscFunctionBeginUser;
  if (!CrPassIsDivided(c, p) || !d->built) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < d->naway; k++) {
    d->sums[k] = nodal[d->away[k]].reaction;
    nodal[d->away[k]].reaction = 0;
  }
  PetscCall(PetscArrayzero(d->owned, c->model->nowned));
  PetscCall(CrHaloAdd(&d->halo, 1, d->sums, d->owned));
  for (PetscInt A = 0; A < c->model->nowned; A++) nodal[A].reaction += d->owned[A];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two passes share the pressure. Adds the pressure on the slave of pass k by the points of the other pass, in
   which it is the master: the sum of forces over area for each node. */
static PetscErrorCode add_other_pass(CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];
  PetscInt      j = other_pass(c, k), dim = c->model->dim;

  PetscFunctionBeginUser;
  if (j < 0) PetscFunctionReturn(PETSC_SUCCESS);
  CR_EACH_TOUCH_OF (touch, c, j) {
    PetscReal force = CrTouchPush(touch);
    PetscInt  nodes[CR_CONTACT_NODES];

    if (touch->idle || !(force > 0)) continue;
    CrTouchNodes(c, touch, nodes);
    for (PetscInt a = 1; a <= touch->k.nmaster; a++)
      for (PetscInt i = 0; i < dim; i++)
        c->picture->nodal[nodes[a]].reaction -= force * touch->k.G[dim * a + i] * touch->k.nu[i];
  }
  PetscCall(share_reactions(c, &c->passes[j]));
  spread_reactions(c, p->slave);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The state of a node of a sample or of an edge. That of the first one counts, on any number of ranks. */
static void set_status(CrContact *c, const CrTouch *touch, CrContactNodal *node, PetscInt A)
{
  if (CrPassIsDivided(c, &c->passes[touch->pass])) /* negative, so that 0 stands for none */
    c->division->first[A] =
        PetscMin(c->division->first[A],
                 CR_MOST_STATES * (touch->point - c->npoints) + (PetscInt)touch->out.status);
  else if (node->status == CR_OPEN)
    node->status = touch->out.status;
}

/* States that points of all ranks give to nodes of this rank. */
static PetscErrorCode share_status(CrContact *c, const CrPass *p)
{
  CrDivision *d = c->division;

  PetscFunctionBeginUser;
  if (!CrPassIsDivided(c, p) || !d->built) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < d->naway; k++) {
    d->keys_away[k] = d->first[d->away[k]];
    d->first[d->away[k]] = 0;
  }
  PetscCall(CrHaloLeast(&d->halo, 1, d->keys_away, d->first));
  for (PetscInt A = 0; A < c->model->nowned; A++) {
    if (d->first[A] == 0) continue;
    if (c->picture->nodal[A].status == CR_OPEN) /* the rest of a negative number */
      c->picture->nodal[A].status =
          (CrContactStatus)((d->first[A] % CR_MOST_STATES + CR_MOST_STATES) % CR_MOST_STATES);
    d->first[A] = 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the normal forces of edges on edges to the reactions of their nodes. */
static PetscErrorCode add_edges(CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];

  PetscFunctionBeginUser;
  if (!CrPassHasEdges(p)) PetscFunctionReturn(PETSC_SUCCESS);
  CR_EACH_TOUCH_OF (touch, c, k) {
    PetscReal force = touch->weight * touch->out.p * (1 + touch->impulse);
    PetscInt  nodes[CR_CONTACT_NODES];

    if (touch->idle || !(force > 0)) continue;
    CrTouchNodes(c, touch, nodes);
    for (PetscInt a = 0; a < 4; a++) {
      CrContactNodal *node = &c->picture->nodal[PetscMax(nodes[a], 0)];

      if (nodes[a] < 0) continue; /* of a rigid body */
      node->reaction += (a < 2 ? force : -force) * v_dot(touch->k.G + 3 * a, touch->k.nu);
      set_status(c, touch, node, nodes[a]);
    }
  }
  PetscCall(share_reactions(c, p));
  PetscCall(share_status(c, p));
  if (p->slave) spread_reactions(c, p->slave);
  if (p->master) spread_reactions(c, p->master);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the normal forces of samples to the reactions of their nodes, and of the corners of their facets. */
static PetscErrorCode add_samples(CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];
  PetscInt      dim = c->model->dim;

  PetscFunctionBeginUser;
  if (!CrPassHasSamples(p)) PetscFunctionReturn(PETSC_SUCCESS);
  CR_EACH_TOUCH_OF (touch, c, k) {
    PetscReal force = CrTouchPush(touch);
    CrSpread  spread;

    if (touch->idle || !(force > 0)) continue;
    CrTouchVertices(c, touch, &spread);
    for (PetscInt e = 0; e < spread.n; e++) {
      const PetscReal part = (spread.column[e] ? -force : force) * spread.c[e];
      CrContactNodal *node = &c->picture->nodal[spread.nodes[e]];

      node->reaction += part * v_dot_n(dim, touch->k.G + dim * spread.column[e], touch->k.nu);
      if (!spread.column[e]) set_status(c, touch, node, spread.nodes[e]);
    }
  }
  PetscCall(share_reactions(c, p));
  PetscCall(share_status(c, p));
  spread_reactions(c, p->slave);
  spread_reactions(c, p->master);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode gather_nodes(CrContact *c)
{
  static const CrContactNodal nothing = {PETSC_MAX_REAL, 0, 0, 0, CR_OPEN};

  PetscFunctionBeginUser;
  CR_EACH_PASS (p, c)
    for (PetscInt i = 0; p->ops->slave->is_node && i < p->n; i++)
      c->picture->nodal[p->slave->nodes[i]] = nothing;
  CR_EACH_PASS (p, c)
    for (PetscInt i = 0; p->ops->slave->is_node && i < p->n; i++) {
      PetscInt        point = p->first + i;
      CrContactNodal *node = &c->picture->nodal[p->slave->nodes[i]];

      if (!CrPointIsMine(c, p, i)) continue;
      node->gap = PetscMin(node->gap, c->picture->gap[point]);
      node->slip = PetscMax(node->slip, v_length(c->past.slip + 3 * point));
      node->pressure += c->picture->pressure[point];
      if (c->picture->status[point]) node->status = (CrContactStatus)c->picture->status[point];
    }
  for (PetscInt k = 0; k < c->npasses; k++) PetscCall(add_other_pass(c, k));
  for (PetscInt k = 0; k < c->npasses; k++) PetscCall(add_edges(c, k));
  for (PetscInt k = 0; k < c->npasses; k++) PetscCall(add_samples(c, k));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A node that slides along several walls of a box counts once. Only passes of nodes number their points as the surface
   numbers its nodes. */
static PetscReal slip_of(const CrContact *c, const CrPass *first, PetscInt i, PetscBool *touched)
{
  PetscReal greatest = 0;

  *touched = PETSC_FALSE;
  for (const CrPass *p = first; p < c->passes + c->npasses && p->pair == first->pair; p++) {
    if (p->slave != first->slave || !p->ops->slave->is_node) continue;
    greatest = PetscMax(greatest, v_length(c->past.slip + 3 * (p->first + i)));
    if (c->past.touched[p->first + i]) *touched = PETSC_TRUE;
  }
  return greatest;
}

/* Numbers of a pair for a reduction: those that add up, and those of which the greatest counts. */
enum { SLIP_SUM, SLIP_COUNT, NADDED };
enum { SLIP_LEAST, SLIP_GREATEST, HAS_TOUCHED, NGREATEST };

/* Counts the points of a pair that are the business of this rank. The least slip is counted with its sign turned. */
static void count_points(const CrContact *c, PetscInt pair, PetscReal sums[NADDED],
                         PetscReal most[NGREATEST])
{
  const CrPass *first = NULL;
  /* there are points of rigid bodies, or points of both surfaces: those that have touched count */
  PetscBool by_point = c->pairs[pair].rigid;
  PetscInt  n = 0;
  PetscReal slip[3] = {0};

  for (PetscInt k = c->npasses - 1; k >= 0; k--) {
    if (c->passes[k].pair != pair) continue;
    first = &c->passes[k];
    by_point = by_point || !first->ops->slave->is_node || first->cones;
  }
  most[HAS_TOUCHED] = 0;
  for (const CrPass *p = first; p && p < c->passes + c->npasses; p++)
    for (PetscInt i = 0; p->pair == pair && i < p->n; i++) {
      PetscBool touched = c->past.touched[p->first + i] != 0;
      PetscReal s;

      if (!CrPointCounts(c, p, i)) continue;
      if (touched) most[HAS_TOUCHED] = 1;
      if (!by_point && p != first) continue;
      s = by_point ? v_length(c->past.slip + 3 * (p->first + i)) : slip_of(c, p, i, &touched);
      if (touched || !(by_point || c->pairs[pair].whole)) CrSlipCount(s, slip, &n);
    }
  sums[SLIP_SUM] = slip[0];
  sums[SLIP_COUNT] = (PetscReal)n;
  most[SLIP_LEAST] = n ? -slip[1] : PETSC_MIN_REAL;
  most[SLIP_GREATEST] = slip[2];
}

/* The slip of a pair from the sums of all ranks. */
static void take_slip(const CrContact *c, PetscInt pair, const PetscReal sums[NADDED],
                      const PetscReal most[NGREATEST], PetscReal slip[3])
{
  PetscBool has_points = PETSC_FALSE;

  slip[0] = slip[1] = slip[2] = 0;
  for (PetscInt k = 0; k < c->npasses; k++) has_points = has_points || c->passes[k].pair == pair;
  if (!has_points && c->past.met[pair]) CrSlidesOfPair(c, pair, slip);
  if (!(sums[SLIP_COUNT] > 0)) return;
  slip[0] = sums[SLIP_SUM] / sums[SLIP_COUNT];
  slip[1] = -most[SLIP_LEAST];
  slip[2] = most[SLIP_GREATEST];
}

/* Slips of all pairs, and which of them have touched. */
static PetscErrorCode gather_pairs(CrContact *c)
{
  PetscReal *sums, *most;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(NADDED * c->npairs, &sums, NGREATEST * c->npairs, &most));
  for (PetscInt k = 0; k < c->npairs; k++)
    count_points(c, k, sums + NADDED * k, most + NGREATEST * k);
  PetscCall(CrDivisionSum(c, NADDED * c->npairs, sums));
  PetscCall(CrDivisionMax(c, NGREATEST * c->npairs, most));
  for (PetscInt k = 0; k < c->npairs; k++) {
    take_slip(c, k, sums + NADDED * k, most + NGREATEST * k, c->picture->slip + 3 * k);
    c->picture->touched[k] =
        c->pairs[k].rigid ? c->past.met[k] != 0 : most[NGREATEST * k + HAS_TOUCHED] > 0;
  }
  PetscCall(PetscFree2(sums, most));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactGatherNodes(CrContact *c)
{
  PetscFunctionBeginUser;
  PetscCall(gather_nodes(c));
  PetscCall(gather_pairs(c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrContactHasTouched(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->past.met[k]) return PETSC_TRUE;
  for (PetscInt k = 0; k < c->npoints && !c->division; k++) /* a rank knows its own points alone */
    if (c->past.touched[k]) return PETSC_TRUE;
  return PETSC_FALSE;
}

void CrContactWarnDeep(CrContact *c)
{
  if (c->work->ndeep && !c->work->warned_deep) /* the first step may be cut and begun again */
    CrWarn(
        "%" PetscInt_FMT
        " slave nodes are inside another body at the start, too deeply for contact to begin; no contact force acts on these nodes",
        c->work->ndeep);
  if (c->work->ndeep) c->work->warned_deep = PETSC_TRUE;
  c->work->ndeep = 0;
}
