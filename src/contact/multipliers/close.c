/* Removes the penetration that the iteration of an explicit step leaves (theory 19.9). The iteration uses normals and
   closest points at a predicted position, few iterations, and only some of the nodes as slaves. This file examines the
   positions at the end of the step. It evaluates the pairs there, and creates pairs for nodes that are inside a body
   without a pair. */
#include "contact/multipliers/close.h"

#define CLOSED  1e-10 /* of half a facet: penetration that may remain */
#define KEPT    1e-8  /* of half a facet: deeper penetration at t_n is kept */
#define PUSHED  1e-4  /* of half a facet: a node that was beside a body is pushed out by no more */
#define WALKS   8     /* turns in which slaves walk from facet to facet */
#define SLIDES  16    /* turns in which contacts move along edges */
#define RUBS    8     /* turns that change friction */
#define MOST    8     /* pairs of one node */
#define OVER    64    /* mark in `taken`: a pair of the point is beyond a concave edge */
#define NOTHING 1e-12 /* of the greatest multiplier: rounding */
#define SAME    1e-6  /* of an edge: distance of two places that are one */
#define ON      1e-9 /* of a facet: a closest point that is less far beyond an edge is on the facet */

/* ---- pairs ------------------------------------------------------------------------------------ */

static PetscReal size_of(const CrMultipliers *m, PetscInt pass)
{
  return m->contact->passes[pass].reach;
}

/* The penetration at t_n that a pair keeps, <= 0. */
static PetscReal kept(const CrMultipliers *m, const CrPress *p)
{
  return p->offset < -KEPT * size_of(m, p->pass) ? p->offset : 0;
}

/* Moves nodes and bodies to where v leads. Returns the greatest change of a coordinate. */
static PetscReal place(CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *v)
{
  const CrNearLists *lists = m->lists;
  const PetscInt     dim = m->contact->model->dim;
  PetscReal          most = 0;

  for (PetscInt k = 0; k < lists->nnodes; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++) {
      PetscReal to = step->u0[r] + step->h * v[r];

      most = PetscMax(most, PetscAbsReal(to - m->where[r]));
      m->where[r] = to;
    }
  return most;
}

/* Evaluates a pair where v leads to: closest point, normal and bound. *inside: how much deeper the pair is than it may
   be. Returns false if the slave has slid off. */
static PetscBool follow(const CrMultipliers *m, const CrMultiplierStep *step, const PetscReal *v,
                        CrPress *p, PetscReal *inside)
{
  PetscReal w[3] = {0};

  if (!CrPressOpsOf(&m->contact->passes[p->pass])
           ->again(m, m->bodies->pose, m->where, step->t + step->h, p))
    return PETSC_FALSE;
  *inside = kept(m, p) - p->gap0 - p->shift;
  CrPressVelocity(m->contact->model->dim, p, v, w);
  p->gap0 -= step->h * v_dot(p->nu, w); /* back to t_n along the same normal */
  p->bound = (p->gap0 + p->shift - kept(m, p)) / step->h;
  return PETSC_TRUE;
}

/* The depth from which on nodes and edges are called in. While pairs are open, slaves beside them are as deep as they
   are, and come out with them. Pairs of such slaves would state the same conditions twice. */
static PetscReal least_depth(const CrMultipliers *m, PetscInt pass)
{
  return PetscMax(CLOSED * size_of(m, pass), m->depth);
}

/* ---- nodes without a pair --------------------------------------------------------------------- */

/* A lower bound of the distance of a slave from a facet: x are their positions, the slave first. Much cheaper than the
   closest point. */
static PetscReal at_least(PetscInt dim, PetscInt n, const PetscReal *x)
{
  PetscReal centre[3] = {0}, radius = 0, way = 0;

  for (PetscInt a = 1; a <= n; a++)
    for (PetscInt d = 0; d < dim; d++) centre[d] += x[dim * a + d] / (PetscReal)n;
  for (PetscInt a = 1; a <= n; a++) {
    PetscReal sum = 0;

    for (PetscInt d = 0; d < dim; d++) sum += PetscSqr(x[dim * a + d] - centre[d]);
    radius = PetscMax(radius, sum);
  }
  for (PetscInt d = 0; d < dim; d++) way += PetscSqr(x[d] - centre[d]);
  return PetscSqrtReal(way) - PetscSqrtReal(radius);
}

/* Is the slave of an entry inside the master at u? If so, sets the closest facet. */
static PetscBool is_inside(const CrMultipliers *m, PetscInt pass, PetscInt entry,
                           const PetscReal *u, PetscInt *facet, CrProximity *best)
{
  const CrContact  *c = m->contact;
  const CrPass     *p = &c->passes[pass];
  const CrNearPass *list = &m->lists->passes[pass];
  PetscReal         x[CR_CONTACT_DOFS], least = PETSC_MAX_REAL;
  PetscInt          next;
  CrInstant         at;

  *facet = -1;
  CrSlaveAtPose(c, p, list->item[entry], m->bodies->pose, u, &at);
  for (PetscInt j = list->start[entry]; j < list->start[entry + 1]; j++) {
    PetscInt    f = list->found[j], n = CrGatherAt(c, p->master, f, &at, x);
    CrProximity near;
    PetscReal   rank;

    if (at_least(c->model->dim, n, x) > least) continue;
    CrFacetProximity(c->model->dim, n, x, &near);
    rank = near.distance + 1e-9 * p->master->size[f] * near.outside;
    if (rank > least || (rank == least && f > *facet)) continue;
    least = rank;
    *facet = f;
    *best = near;
  }
  if (*facet < 0 || !(best->gap < 0)) return PETSC_FALSE;
  if (best->outside < ON) return PETSC_TRUE;
  next = best->edge < 0 ? -1 : p->master->neighbour[4 * *facet + best->edge];
  return next >= 0 && CrNearIsConcave(c, p->master, *facet, next, u);
}

/* Computes the closest point on a facet where v leads to, with the gap at t_n along its normal. Returns the gap at the
   end. */
static PetscBool foot_on(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt facet,
                         CrFound *found, PetscReal *gap1)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  PetscReal        x[CR_CONTACT_DOFS];
  CrInstant        at;
  CrFoot           foot;
  PetscInt         n;

  CrSlaveAtPose(c, p, found->item, m->bodies->pose, m->where, &at);
  n = CrGatherAt(c, p->master, facet, &at, x);
  if (!CrFootFind(c->model->dim, n, x, &foot)) return PETSC_FALSE;
  *gap1 = foot.gap;
  found->facet = facet;
  found->n = foot.n;
  for (PetscInt a = 0; a < foot.n; a++) found->N[a] = foot.N[a];
  v_copy(foot.nu, found->nu);
  CrSlaveAtPose(c, p, found->item, m->bodies->pose0, step->u0, &at);
  CrGatherAt(c, p->master, facet, &at, x);
  found->gap0 = CrFootGap(c->model->dim, x, &foot);
  return PETSC_TRUE;
}

/* The distance of a slave from the plane of a facet at t_n. The member gap0 of `found` is measured along the normal of
   the end of the step: where a slave slides on a facet that turns, gap0 is negative although the slave was in front. */
static PetscReal gap_before(const CrMultipliers *m, const CrMultiplierStep *step,
                            const CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];
  PetscReal     x[CR_CONTACT_DOFS];
  CrInstant     at;
  CrProximity   near;

  CrSlaveAtPose(m->contact, p, found->item, m->bodies->pose0, step->u0, &at);
  CrFacetProximity(m->contact->model->dim, CrGatherAt(m->contact, p->master, found->facet, &at, x),
                   x, &near);
  return near.gap;
}

/* May a node that is inside have come in through a facet in this step? It is behind the facet, and was not at t_n. Sets
   `found`, and *rank: 0 if its cone admits the facet, else 1. */
static PetscBool came_through(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt facet,
                              CrFound *found, PetscReal *gap1, int *rank)
{
  const CrPass *p = &m->contact->passes[found->pass];
  PetscReal     x[CR_CONTACT_DOFS];
  PetscInt      n;
  CrInstant     at;
  CrProximity   near;

  CrSlaveAtPose(m->contact, p, found->item, m->bodies->pose, m->where, &at);
  n = CrGatherAt(m->contact, p->master, facet, &at, x);
  CrFacetProximity(m->contact->model->dim, n, x, &near);
  if (near.outside > OPEN_EDGE || !(near.gap < 0)) return PETSC_FALSE;
  if (!foot_on(m, step, facet, found, gap1) || gap_before(m, step, found) < -KEPT * p->reach)
    return PETSC_FALSE;
  *rank = !CrNearAdmits(m->lists, p, found->item, facet, step->u0, m->where);
  return *rank == 0 || near.outside <= ON;
}

/* Are two places on an edge the same? Other points have no places: both numbers are zero. */
static PetscBool is_same_place(PetscReal a, PetscReal b)
{
  return PetscAbsReal(a - b) < SAME;
}

/* Has the point of what was found a pair on this facet? */
static PetscBool is_on(const CrMultipliers *m, const CrFound *found)
{
  const PetscInt point = m->contact->passes[found->pass].first + found->item;

  for (PetscInt k = 0; k < m->npairs; k++)
    if (m->pairs[k].point == point && m->pairs[k].facet == found->facet &&
        is_same_place(m->pairs[k].share, found->share))
      return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Chooses the facet through which a node that is inside has come in. Admitted facets come first, then the nearest one.
   Returns false if there is none: the node was behind all these facets at t_n. */
static PetscBool choose(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt others,
                        CrFound *found, PetscReal *gap1)
{
  const CrNearPass *list = &m->lists->passes[found->pass];
  int               best = 2, rank;
  CrFound           now = *found, chosen = *found;
  PetscReal         gap, least = -PETSC_MAX_REAL;

  for (PetscInt j = list->start[now.entry]; j < list->start[now.entry + 1]; j++) {
    if (!came_through(m, step, list->found[j], &now, &gap, &rank) || rank > best) continue;
    if (!(-gap > least_depth(m, now.pass)))
      continue; /* beside this facet the slave is not inside */
    if (others && is_on(m, &now)) continue;
    if (rank == best && gap <= least) continue;
    best = rank;
    least = *gap1 = gap;
    chosen = now;
  }
  *found = chosen;
  return best < 2;
}

/* May a node without a pair be called in? Facets of curved surfaces stand for curves, and the nodes of both surfaces
   would hold the bodies apart. So there only slaves are called in (theory 17.7). */
static PetscBool may_call(const CrMultipliers *m, const CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];

  return !CrIsCurved(p->slave, found->item, c->pairs[p->pair].corner) ||
         CrPointShare(c, p, found->item, found->facet) > 0;
}

/* Appends a pair for a node that is inside. A node with a pair may get a second one, at a concave edge. */
static PetscErrorCode call_in(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                              PetscInt entry, const PetscReal *v)
{
  const CrNearPass *list = &m->lists->passes[pass];
  PetscReal         gap1, then, offset = 0;
  PetscInt          facet, before, others;
  CrProximity       near;
  CrFound  found = {.pass = pass, .item = list->item[entry], .entry = entry, .fresh = PETSC_TRUE};
  CrPress *p;

  PetscFunctionBeginUser;
  if (!is_inside(m, pass, entry, m->where, &facet, &near)) PetscFunctionReturn(PETSC_SUCCESS);
  if (!(-near.gap > least_depth(m, pass))) PetscFunctionReturn(PETSC_SUCCESS);
  others = m->taken[m->contact->passes[pass].first + found.item] & ~OVER;
  if (!choose(m, step, others, &found, &gap1)) {
    if (!foot_on(m, step, facet, &found, &gap1)) PetscFunctionReturn(PETSC_SUCCESS);
    then = PetscMin(0, gap_before(m, step, &found));
    if (is_inside(m, pass, entry, step->u0, &before, &near))
      offset = PetscMax(then, near.gap);
    else if (then < -PUSHED * size_of(m, pass))
      offset = then;
  }
  if (!may_call(m, &found)) PetscFunctionReturn(PETSC_SUCCESS);
  if (others && (others >= MOST || is_on(m, &found))) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrPressAdd(m, step, &found, v));
  p = &m->pairs[m->npairs - 1];
  p->offset = offset;
  p->fresh = PETSC_FALSE;
  p->second = others > 0;
  p->bound = (p->gap0 + p->shift - kept(m, p)) / step->h;
  if (!(kept(m, p) - gap1 - p->shift > least_depth(m, pass))) m->npairs--;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Includes nodes at m->where in a box. */
static void widen(const CrMultipliers *m, PetscInt n, const PetscInt *nodes, PetscReal box[6])
{
  for (PetscInt a = 0; a < n; a++) {
    PetscReal x[3];

    CrGatherNode(m->contact, nodes[a], m->where, x);
    CrScoutInclude(3, x, box);
  }
}

/* A lower bound of the distance of an edge from all its listed neighbours: the distance of their boxes. */
static PetscReal apart(const CrMultipliers *m, const CrPass *p, const CrNearPass *list,
                       PetscInt entry)
{
  const PetscInt i = list->item[entry];
  PetscReal      own[6], least = PETSC_MAX_REAL;

  CrScoutEmpty(own);
  widen(m, 2, p->samples ? p->samples->list[i].nodes : CrRidgeNodes(p->ridges[0], i), own);
  for (PetscInt k = list->start[entry]; k < list->start[entry + 1]; k++) {
    const PetscInt j = list->found[k];
    PetscReal      other[6], sum = 0;

    CrScoutEmpty(other);
    if (p->samples)
      widen(m, p->master->ncorners[j], p->master->corners + 4 * j, other);
    else
      widen(m, 2, CrRidgeNodes(p->ridges[1], j), other);
    for (int d = 0; d < 3; d++)
      sum += PetscSqr(PetscMax(0, PetscMax(own[d] - other[3 + d], other[d] - own[3 + d])));
    least = PetscMin(least, sum);
    if (least == 0) return 0;
  }
  return PetscSqrtReal(least);
}

/* Has a point a pair on a facet, at any place of an edge? */
static PetscBool is_on_facet(const CrMultipliers *m, PetscInt point, PetscInt facet)
{
  for (PetscInt k = 0; k < m->npairs; k++)
    if (m->pairs[k].point == point && m->pairs[k].facet == facet) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Appends pairs for an edge that has gone through edges of the other surface. */
static PetscErrorCode call_edge(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                PetscInt entry, const PetscReal *v)
{
  const CrPass     *p = &m->contact->passes[pass];
  const CrNearPass *list = &m->lists->passes[pass];
  const PetscInt    point = p->first + list->item[entry], had = m->npairs;

  PetscFunctionBeginUser;
  for (PetscInt k = list->start[entry]; k < list->start[entry + 1]; k++) {
    CrFound   found = {.pass = pass, .item = list->item[entry], .entry = entry};
    PetscReal gap1;
    CrPress  *pair;

    if (!CrPressOpsOf(p)->through(m, step, entry, k, &found, &gap1)) continue;
    if (!(found.offset - gap1 > least_depth(m, pass)) || is_on(m, &found)) continue;
    if (p->kind == CR_EDGE_ON_FACET && !m->settled && m->taken[point] &&
        is_on_facet(m, point, found.facet)) {
      m->nastray++;
      continue;
    }
    PetscCall(CrPressAdd(m, step, &found, v));
    pair = &m->pairs[m->npairs - 1];
    pair->offset = found.offset;
    pair->second = m->taken[point] > 0 || m->npairs > had + 1;
    pair->bound = (pair->gap0 + pair->shift - kept(m, pair)) / step->h;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does this for the edges of a pass. Edges that are apart from their neighbours sleep until they may have come. */
static PetscErrorCode call_edges(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                 PetscReal slack, const PetscReal *v)
{
  const CrPass     *p = &m->contact->passes[pass];
  const CrNearPass *list = &m->lists->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < list->n; k++) {
    if (list->odometer + slack < list->wake[k]) continue;
    list->wake[k] = list->odometer - slack + apart(m, p, list, k);
    if (list->odometer + slack < list->wake[k]) continue;
    PetscCall(call_edge(m, step, pass, k, v));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode call_all(CrMultipliers *m, const CrMultiplierStep *step, PetscReal slack,
                               const PetscReal *v)
{
  const CrContact *c = m->contact;
  const PetscInt   had = m->npairs;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < had; k++) {
    m->taken[m->pairs[k].point]++;
    if (m->pairs[k].beyond) m->taken[m->pairs[k].point] |= OVER;
  }
  for (PetscInt pass = 0; pass < c->npasses; pass++) {
    const CrPass     *p = &c->passes[pass];
    const CrNearPass *list = &m->lists->passes[pass];

    if (CrPressOpsOf(p)->through && p->slave != p->master)
      PetscCall(call_edges(m, step, pass, slack, v));
    if (!p->cones || p->kind != CR_NODE_ON_FACET || p->self) continue;
    for (PetscInt k = 0; k < list->n; k++) {
      char taken;

      if (list->odometer + slack < list->wake[k]) continue;
      taken = m->taken[p->first + list->item[k]];
      if (taken && !(taken & OVER) && !m->still) continue;
      PetscCall(call_in(m, step, pass, k, v));
    }
  }
  for (PetscInt k = 0; k < had; k++) m->taken[m->pairs[k].point] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the whole -------------------------------------------------------------------------------- */

static int by_point(const void *a, const void *b)
{
  const CrPress *x = a, *y = b;

  if (x->point != y->point) return x->point < y->point ? -1 : 1;
  if (x->second != y->second) return x->second ? 1 : -1;
  if (x->facet != y->facet) return x->facet < y->facet ? -1 : 1;
  return (x->share > y->share) - (x->share < y->share);
}

/* Does a pair keep a penetration that there was not at t_n? The slave was behind the plane of its facet, but beside the
   body. Or edges that slide along each other were behind each other only along the normal of the end of the step. */
static PetscBool is_mistaken(const CrMultipliers *m, const CrMultiplierStep *step, const CrPress *p)
{
  const CrPass *pass = &m->contact->passes[p->pass];
  PetscInt      facet;
  CrProximity   near;

  if (!p->fresh || !(kept(m, p) < 0) || pass->self) return PETSC_FALSE;
  if (pass->kind == CR_EDGE_ON_EDGE) return CrPressEdgesBefore(m, step, p) > p->offset / 2;
  return pass->cones && pass->kind == CR_NODE_ON_FACET &&
         !(is_inside(m, p->pass, p->entry, step->u0, &facet, &near) && near.gap <= p->offset / 2);
}

/* Is a pair deeper than it may be, or mistaken? Finds how much too deep pairs are at most. */
static PetscErrorCode look_at_pairs(CrMultipliers *m, const CrMultiplierStep *step,
                                    const PetscReal *v, PetscBool *open)
{
  PetscReal most[2] = {0, 0}; /* the depth; 1: a pair is open */

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress   now = m->pairs[k];
    PetscReal inside;

    now.beyond = PETSC_FALSE;
    if (follow(m, step, v, &now, &inside) && inside > CLOSED * size_of(m, now.pass)) {
      most[0] = PetscMax(most[0], inside);
      most[1] = 1;
    }
    if (is_mistaken(m, step, &now)) most[1] = 1;
    m->pairs[k].beyond = now.beyond;
  }
  PetscCall(CrRoundsGreatest(m->rounds, 2, most));
  m->depth = most[0];
  *open = most[1] > 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Has a point walked to a facet on which it has a pair already? */
static PetscBool is_twice(const CrMultipliers *m, PetscInt left, const CrPress *p)
{
  for (PetscInt k = left - 1; k >= 0 && m->pairs[k].point == p->point; k--)
    if (m->pairs[k].facet == p->facet && is_same_place(m->pairs[k].share, p->share))
      return PETSC_TRUE;
  return PETSC_FALSE;
}

static void follow_all(CrMultipliers *m, const CrMultiplierStep *step, PetscBool frozen,
                       const PetscReal *v)
{
  PetscInt  left = 0;
  PetscReal inside;

  for (PetscInt k = 0; k < m->npairs; k++) {
    CrPress now = m->pairs[k];

    if (!follow(m, step, v, &now, &inside) || is_mistaken(m, step, &now)) continue;
    if (now.second && is_twice(m, left, &now)) continue;
    now.frozen = frozen;
    CrPressGuess(now.lam, &now);
    m->pairs[left++] = now;
  }
  m->npairs = left;
}

/* Moves all contact nodes to where v leads, also those of facets that slaves walk to. */
static PetscErrorCode place_all(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v,
                                PetscReal *slack)
{
  PetscReal moved = 0;
  PetscBool again = PETSC_TRUE;

  PetscFunctionBeginUser;
  while (again) {
    PetscReal change = place(m, step, v); /* because PetscMax would call it twice */

    moved = PetscMax(moved, change);
    PetscCall(CrPressReach(m, step, v, &again));
  }
  PetscCall(CrRoundsGreatest(m->rounds, 1, &moved));
  *slack += 4 * moved;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrPressNeverClosed(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                             CrFound *found)
{
  (void)m, (void)entry, (void)u, (void)t, (void)found;
  return PETSC_FALSE;
}

/* The number of pairs that all ranks have called in, from the pair `had` on, and of edges with deeper places. A crossing
   of edges that several ranks have called in keeps one pair. */
static PetscErrorCode count_called(CrMultipliers *m, PetscInt had, PetscReal *all)
{
  PetscReal counts[2] = {(PetscReal)(m->npairs - had + m->nastray), 0};

  PetscFunctionBeginUser;
  for (PetscInt k = had; m->doubles && k < m->npairs; k++)
    counts[1] += m->contact->passes[m->pairs[k].pass].kind == CR_EDGE_ACROSS;
  PetscCall(CrRoundsSum(m->rounds, 2, counts));
  if (counts[1] > 0) {
    PetscCall(CrPressDropDoubles(m, had));
    counts[0] = (PetscReal)(m->npairs - had + m->nastray);
    PetscCall(CrRoundsSum(m->rounds, 1, counts));
  }
  *all = counts[0];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressOpen(CrMultipliers *m, const CrMultiplierStep *step, PetscReal *v,
                           PetscInt turn, PetscReal *slack, PetscBool *open)
{
  PetscReal wrong;
  PetscInt  had = m->npairs;

  PetscFunctionBeginUser;
  m->still = turn >= WALKS;
  m->settled = turn >= SLIDES;
  m->nastray = 0;
  PetscCall(place_all(m, step, v, slack));
  PetscCall(look_at_pairs(m, step, v, open));
  PetscCall(call_all(m, step, *slack, v));
  PetscCall(count_called(m, had, &wrong));
  *open = *open || wrong > 0;
  if (!*open) PetscFunctionReturn(PETSC_SUCCESS);
  follow_all(m, step, turn >= RUBS, v);
  qsort(m->pairs, (size_t)m->npairs, sizeof *m->pairs, by_point);
  PetscCall(CrPressAgree(m, step, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressRelease(CrMultipliers *m, PetscReal kick, PetscReal *v)
{
  const PetscReal none[4] = {0};
  PetscReal       most = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->npairs; k++) most = PetscMax(most, m->pairs[k].lam[0]);
  PetscCall(CrRoundsGreatest(m->rounds, 1, &most));
  PetscCall(CrRoundsBegin(m->rounds, v, m->bodies));
  for (PetscInt k = 0; k < m->npairs; k++)
    if (m->pairs[k].lam[0] > 0 && m->pairs[k].lam[0] < NOTHING * most)
      CrPressTake(m->contact->model->dim, &m->pairs[k], kick, none, v);
  PetscCall(CrRoundsEnd(m->rounds, v, m->bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Half of the change of velocity that opens a gap by as much as may remain. */
PetscReal CrPressFine(const CrMultipliers *m, PetscReal h)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt k = 0; k < m->contact->npasses; k++) least = PetscMin(least, size_of(m, k));
  return CLOSED * least / h / 4;
}
