/* Results of contact for output, and messages of a run that gives up. */
#include "base/vector.h"
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

/* Two passes share the pressure. Adds the pressure on the slave of pass k by the points of the other pass, in
   which it is the master: the sum of forces over area for each node. */
static void add_other_pass(CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];
  PetscInt      j = other_pass(c, k), dim = c->model->dim;

  if (j < 0) return;
  for (PetscInt t = c->work->first[j]; t < c->work->first[j + 1]; t++) {
    const CrTouch *touch = &c->work->touches[t];
    PetscReal      force = CrTouchPush(touch);
    PetscInt       nodes[CR_CONTACT_NODES];

    if (touch->idle || !(force > 0)) continue;
    CrTouchNodes(c, touch, nodes);
    for (PetscInt a = 1; a <= touch->k.nmaster; a++)
      for (PetscInt i = 0; i < dim; i++)
        c->picture->nodal[nodes[a]].reaction -= force * touch->k.G[dim * a + i] * touch->k.nu[i];
  }
  spread_reactions(c, p->slave);
}

/* Adds the normal forces of edges on edges to the reactions of their nodes. */
static void add_edges(CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];

  if (!CrPassHasEdges(p)) return;
  for (PetscInt t = c->work->first[k]; t < c->work->first[k + 1]; t++) {
    const CrTouch *touch = &c->work->touches[t];
    PetscReal      force = touch->weight * touch->out.p * (1 + touch->impulse);
    PetscInt       nodes[CR_CONTACT_NODES];

    if (touch->idle || !(force > 0)) continue;
    CrTouchNodes(c, touch, nodes);
    for (PetscInt a = 0; a < 4; a++) {
      CrContactNodal *node = &c->picture->nodal[PetscMax(nodes[a], 0)];

      if (nodes[a] < 0) continue; /* of a rigid body */
      node->reaction += (a < 2 ? force : -force) * v_dot(touch->k.G + 3 * a, touch->k.nu);
      if (node->status == CR_OPEN) node->status = touch->out.status;
    }
  }
  if (p->slave) spread_reactions(c, p->slave);
  if (p->master) spread_reactions(c, p->master);
}

/* Adds the normal forces of samples to the reactions of their nodes, and of the corners of their facets. */
static void add_samples(CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];
  PetscInt      dim = c->model->dim;

  if (p->kind != CR_SAMPLE_ON_FACET) return;
  for (PetscInt t = c->work->first[k]; t < c->work->first[k + 1]; t++) {
    const CrTouch *touch = &c->work->touches[t];
    PetscReal      force = CrTouchPush(touch);
    CrSpread       spread;

    if (touch->idle || !(force > 0)) continue;
    CrTouchSpread(c, touch, &spread);
    for (PetscInt e = 0; e < spread.n; e++) {
      const PetscReal part = (spread.column[e] ? -force : force) * spread.c[e];
      CrContactNodal *node = &c->picture->nodal[spread.nodes[e]];

      node->reaction += part * v_dot_n(dim, touch->k.G + dim * spread.column[e], touch->k.nu);
      if (!spread.column[e] && node->status == CR_OPEN) node->status = touch->out.status;
    }
  }
  spread_reactions(c, p->slave);
  spread_reactions(c, p->master);
}

void CrContactGatherNodes(CrContact *c)
{
  static const CrContactNodal nothing = {PETSC_MAX_REAL, 0, 0, 0, CR_OPEN};

  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = 0; c->passes[k].ops->slave->is_node && i < c->passes[k].n; i++)
      c->picture->nodal[c->passes[k].slave->nodes[i]] = nothing;
  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = 0; c->passes[k].ops->slave->is_node && i < c->passes[k].n; i++) {
      PetscInt        point = c->passes[k].first + i;
      CrContactNodal *node = &c->picture->nodal[c->passes[k].slave->nodes[i]];

      node->gap = PetscMin(node->gap, c->picture->gap[point]);
      node->slip = PetscMax(node->slip, v_length(c->past.slip + 3 * point));
      node->pressure += c->picture->pressure[point];
      if (c->picture->status[point]) node->status = (CrContactStatus)c->picture->status[point];
    }
  for (PetscInt k = 0; k < c->npasses; k++) add_other_pass(c, k);
  for (PetscInt k = 0; k < c->npasses; k++) add_edges(c, k);
  for (PetscInt k = 0; k < c->npasses; k++) add_samples(c, k);
}

/* A node that slides along several walls of a box counts once. */
static PetscReal slip_of(const CrContact *c, const CrPass *first, PetscInt i, PetscBool *touched)
{
  PetscReal greatest = 0;

  *touched = PETSC_FALSE;
  for (const CrPass *p = first; p < c->passes + c->npasses && p->pair == first->pair; p++) {
    if (p->slave != first->slave || CrPassHasEdges(p)) continue;
    greatest = PetscMax(greatest, v_length(c->past.slip + 3 * (p->first + i)));
    if (c->past.touched[p->first + i]) *touched = PETSC_TRUE;
  }
  return greatest;
}

static const CrPass *first_pass(const CrContact *c, PetscInt pair)
{
  const CrPass *p = c->passes;

  while (p->pair != pair) p++;
  return p;
}

void CrPairSlip(const CrContact *c, PetscInt pair, PetscReal slip[3])
{
  const CrPass *first = NULL;
  /* there are points of rigid bodies, or points of both surfaces: those that have touched count */
  PetscBool by_point = c->pairs[pair].rigid;
  PetscInt  n = 0;

  slip[0] = slip[1] = slip[2] = 0;
  for (PetscInt k = c->npasses - 1; k >= 0; k--) {
    if (c->passes[k].pair != pair) continue;
    first = &c->passes[k];
    by_point = by_point || !first->ops->slave->is_node || first->cones;
  }
  if (!first) CrSlidesOfPair(c, pair, slip);
  for (const CrPass *p = first; p && p < c->passes + c->npasses; p++)
    for (PetscInt i = 0; p->pair == pair && (by_point || p == first) && i < p->n; i++) {
      PetscBool touched = c->past.touched[p->first + i] != 0;
      PetscReal s =
          by_point ? v_length(c->past.slip + 3 * (p->first + i)) : slip_of(c, p, i, &touched);

      if (touched || !(by_point || c->pairs[pair].whole)) CrSlipCount(s, slip, &n);
    }
  if (n) slip[0] /= n;
}

PetscBool CrPairHasTouched(const CrContact *c, PetscInt pair)
{
  if (c->pairs[pair].rigid) return c->past.met[pair] != 0;
  for (const CrPass *p = first_pass(c, pair); p < c->passes + c->npasses; p++)
    for (PetscInt i = 0; p->pair == pair && i < p->n; i++)
      if (c->past.touched[p->first + i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrContactHasTouched(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->past.met[k]) return PETSC_TRUE;
  for (PetscInt k = 0; k < c->npoints; k++)
    if (c->past.touched[k]) return PETSC_TRUE;
  return PETSC_FALSE;
}

void CrContactWarnDeep(CrContact *c)
{
  if (c->work->ndeep && !c->work->warned_deep) /* the first step may be cut and begun again */
    CrWarn("%" PetscInt_FMT
           " slave nodes lie more than a facet inside another body at the start and "
           "are not held back there",
           c->work->ndeep);
  if (c->work->ndeep) c->work->warned_deep = PETSC_TRUE;
  c->work->ndeep = 0;
}
