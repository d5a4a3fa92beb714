/* Contact of nodes, and of corners of rigid bodies, with facets in explicit steps. The forces on corner and facet are
   opposite and act at the closest point on the facet at t_n, so that both momenta are conserved (theory 19.5). */
#include "contact/multipliers/press.h"

#define LET_IN 1e-3 /* of a facet: a point without a share takes part if it penetrates by more */

/* ---- the closest point ------------------------------------------------------------------------ */

/* Computes foot->xi from the weights W of the corners of the facet, as a guess of the closest point. */
static void guess_xi(PetscInt n, const PetscReal *W, CrFoot *foot)
{
  foot->xi[0] = foot->xi[1] = 0;
  if (n != 4) return; /* the others need no guess */
  foot->xi[0] = W[0] + W[3] - W[1] - W[2];
  foot->xi[1] = W[0] + W[1] - W[2] - W[3];
}

/* The entry of a pair at which the corners of its facet begin. A slave that is a node comes before them. */
static PetscInt first_corner(const CrPass *p)
{
  return p->ops->slave->is_node ? 1 : 0;
}

/* The slave of what was found, at the end of the step. */
static void slave_at_end(const CrMultipliers *m, const CrFound *found, CrInstant *at)
{
  CrSlaveAtPose(m->contact, &m->contact->passes[found->pass], found->item, m->bodies->pose,
                m->where, at);
}

/* Finds the facets beyond the edges that a pressed point has slid over, if such an edge is the bottom of a valley. The
   point then has a pair on each of these facets. If it simply changed to one of them, it would penetrate it already. */
static void find_beside(const CrMultipliers *m, const CrMultiplierStep *step, const CrPass *p,
                        PetscInt facet, const CrFoot *foot, CrFound *found)
{
  for (PetscInt a = 0; a < foot->n && found->nbeside < 2; a++) {
    PetscInt  next = p->master->neighbour[4 * facet + a];
    PetscReal beyond = CrFootBeyond(foot, a);

    if (!(beyond > 0) || beyond > m->options.overhang || next < 0) continue;
    if (!CrNearIsValley(m->contact, p->master, facet, next, m->where)) continue;
    if (!CrNearAdmits(m->lists, p, found->item, next, step->u0, m->where)) continue;
    found->beside[found->nbeside++] = next;
  }
}

/* The closest point for a point that was pressed, from the guess foot->xi. The point stays on its patch unless
   it has slid off. */
static PetscBool hold(const CrMultipliers *m, const CrPass *p, const CrInstant *at, PetscInt *facet,
                      CrFoot *foot)
{
  PetscReal over, most = m->options.overhang;

  if (!CrFootWalk(m->contact, p->master, at, facet, foot, &over)) return PETSC_FALSE;
  /* beyond a crease, the facet on its other side or the contact of the edge takes over */
  if (over > 0 && p->master->neighbour[4 * *facet + foot->edge] >= 0 && p->cones)
    most = PetscMin(OPEN_EDGE, most);
  return over <= most && foot->gap > -CrNearDepth(p);
}

/* Finds the closest point of a pressed point at the end of the step, starting from its last one. If the point has slid
   over the bottom of a valley, it stays on its facet, and also meets the facets beyond (find_beside). */
static PetscBool hold_on(const CrMultipliers *m, const CrMultiplierStep *step, CrFound *found,
                         PetscInt *facet, CrFoot *foot)
{
  const CrPass *p = &m->contact->passes[found->pass];
  PetscReal     x[CR_CONTACT_DOFS], xi[2] = {foot->xi[0], foot->xi[1]};
  CrInstant     at;
  PetscInt      n;

  slave_at_end(m, found, &at);
  if (!p->cones || m->variant.middle) return hold(m, p, &at, facet, foot);
  n = CrGatherAt(m->contact, p->master, *facet, &at, x);
  if (!CrFootNear(m->contact->model->dim, n, x, foot)) return PETSC_FALSE;
  if (foot->excess > 0) find_beside(m, step, p, *facet, foot, found);
  if (found->nbeside || foot->excess == 0) return foot->gap > -CrNearDepth(p);
  foot->xi[0] = xi[0];
  foot->xi[1] = xi[1];
  return hold(m, p, &at, facet, foot);
}

/* The greatest distance beyond the edges of a facet at which a free point may come into contact, as a part of the
   facet. Beyond an open end it is the distance at which a pressed point is still held. Beyond a crease it is small,
   because the other side of the crease is near. In a valley within a patch, a point that penetrates is beyond both
   facets, but by no more than it penetrates. A point farther beyond belongs to a facet that it does not face. */
static PetscReal catching_overhang(const CrMultipliers *m, const CrPass *p, PetscInt i,
                                   PetscInt facet, const PetscReal *u0, const PetscReal *u,
                                   const CrFoot *foot)
{
  const CrSurface *master = p->master;
  PetscInt         next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (next < 0) return m->options.overhang;
  if (master->patch[next] != master->patch[facet] ||
      (p->cones && foot->edge >= 0 && !CrNearAdmits(m->lists, p, i, next, u0, u)))
    return PetscMin(OPEN_EDGE, m->options.overhang);
  return PetscMax(m->options.overhang, PetscAbsReal(foot->gap) / master->size[facet]);
}

/* Is a point without a role over the facet, and inside? The points that have roles let it in. Nodes of smooth surfaces
   are not held: polygons that stand for curves would be held apart. */
static PetscBool is_let_in(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                           const CrFoot *foot)
{
  return CrIsSharp(p->slave, i, c->pairs[p->pair].corner) && foot->excess == 0 &&
         foot->gap < -LET_IN * p->master->size[facet];
}

/* Is a free point behind the plane of a facet, but beyond its end at a crease? It is beside the corner then, and not
   inside. If it were caught, it would keep its depth below that plane when it slides over the facet. */
static PetscBool is_beside(const CrContact *c, const CrPass *p, PetscInt facet, const CrFoot *foot)
{
  const CrSurface *master = p->master;
  PetscInt         next = foot->edge < 0 ? -1 : master->neighbour[4 * facet + foot->edge];

  return c->model->dim == 2 && p->cones && foot->excess > 0 && next >= 0 &&
         master->patch[next] != master->patch[facet] && foot->gap < -LET_IN * master->size[facet];
}

/* May the i-th slave of a pass act on a facet? */
static PetscBool has_role(const CrContact *c, const CrPass *p, PetscInt i, PetscInt facet,
                          const CrInstant *at, const CrFoot *foot)
{
  if (CrEdgePoint(p, i)) return CrPointShareAt(c, p, i, facet, at) > 0;
  return CrPointShare(c, p, i, facet) > 0 || is_let_in(c, p, i, facet, foot);
}

/* The closest point for a free point, if it may come into contact. */
static PetscBool meet(const CrMultipliers *m, PetscInt pass, PetscInt entry, const PetscReal *u0,
                      const PetscReal *u, PetscInt *facet, CrFoot *foot)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n, i = m->lists->passes[pass].item[entry];
  CrInstant        at;

  *facet = CrNearNearest(m->lists, pass, entry, u0, u, PetscMax(m->options.overhang, OPEN_EDGE));
  if (*facet < 0) return PETSC_FALSE;
  CrSlaveAtPose(c, p, i, m->lists->pose, u, &at);
  n = CrGatherAt(c, p->master, *facet, &at, x);
  if (!CrFootFind(c->model->dim, n, x, foot)) return PETSC_FALSE;
  if (!has_role(c, p, i, *facet, &at, foot)) return PETSC_FALSE;
  if (foot->excess > catching_overhang(m, p, i, *facet, u0, u, foot)) return PETSC_FALSE;
  if (is_beside(c, p, *facet, foot)) return PETSC_FALSE;
  return foot->gap > -CrNearDepth(p) * (p->cones ? 0.5 : 1);
}

/* Moves a closest point beyond the end of a patch back to this end, so that the force acts there. */
static void clip(const CrMultipliers *m, const CrSurface *master, PetscInt facet,
                 const PetscReal *x, CrFoot *foot)
{
  PetscInt next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (m->variant.middle) return; /* the force must point from the closest point to the slave */
  if (next < 0 || master->patch[next] != master->patch[facet])
    CrFootClip(m->contact->model->dim, x, foot);
}

/* ---- finding pairs --------------------------------------------------------------------------- */

static void set_foot(const CrFoot *foot, PetscInt facet, CrFound *found)
{
  found->facet = facet;
  found->n = foot->n;
  for (PetscInt a = 0; a < foot->n; a++) found->N[a] = foot->N[a];
  v_copy(foot->nu, found->nu);
  found->gap0 = foot->gap;
}

/* The gap of a foot that CrPressAdd expects: of nodes that at t_n, of corners of a body that at the end of the step. */
static PetscReal gap_to_add(const CrMultipliers *m, const CrMultiplierStep *step,
                            const CrFound *found, PetscInt facet, const CrFoot *foot)
{
  const CrPass *p = &m->contact->passes[found->pass];
  CrInstant     at;
  PetscReal     x[CR_CONTACT_DOFS];

  if (p->ops->body)
    slave_at_end(m, found, &at);
  else
    CrSlaveAtPose(m->contact, p, found->item, m->bodies->pose0, step->u0, &at);
  CrGatherAt(m->contact, p->master, facet, &at, x);
  return CrFootGap(m->contact->model->dim, x, foot);
}

static PetscBool look(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                      CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[found->pass];
  PetscInt         facet = found->facet;
  PetscBool        held = facet >= 0;
  PetscReal        x[CR_CONTACT_DOFS];
  CrInstant        at;
  CrFoot           foot;

  if (held) {
    const PetscReal *N = m->memory[p->first + found->item].N;
    const PetscReal  W[4] = {-N[0], -N[1], -N[2], -N[3]};

    guess_xi(p->master->ncorners[facet], W, &foot);
    held = hold_on(m, step, found, &facet, &foot);
  }
  if (!held) { /* free, or slid off */
    found->nbeside = 0;
    found->fresh = p->cones;
    if (m->variant.warm) found->lam = 0;
    if (!meet(m, found->pass, entry, step->u0, m->where, &facet, &foot)) return PETSC_FALSE;
  }
  found->gap0 = foot.gap;
  if (!CrPressIsPair(m, step, found)) return PETSC_FALSE;
  slave_at_end(m, found, &at);
  CrGatherAt(c, p->master, facet, &at, x);
  clip(m, p->master, facet, x, &foot);
  set_foot(&foot, facet, found);
  found->gap0 = gap_to_add(m, step, found, facet, &foot);
  return !(p->self && !held && found->gap0 < -0.2 * p->reach);
}

static PetscBool meet_beside(const CrMultipliers *m, const CrMultiplierStep *step,
                             const CrFound *found, PetscInt k, CrFound *second)
{
  const CrContact      *c = m->contact;
  const CrPass         *p = &c->passes[found->pass];
  const CrBesideMemory *beside = m->memory[p->first + found->item].beside;
  PetscInt              facet = found->beside[k], n;
  PetscReal             x[CR_CONTACT_DOFS];
  CrInstant             at;
  CrFoot                foot;

  slave_at_end(m, found, &at);
  n = CrGatherAt(c, p->master, facet, &at, x);
  if (!CrFootFind(c->model->dim, n, x, &foot)) return PETSC_FALSE;
  *second =
      (CrFound){.pass = found->pass, .item = found->item, .entry = found->entry, .gap0 = foot.gap};
  second->fresh = PETSC_TRUE;
  for (int j = 0; j < 2; j++)
    if ((PetscInt)beside[j].facet == facet + 1) {
      second->lam = beside[j].lam;
      second->offset = beside[j].offset;
      second->fresh = PETSC_FALSE;
    }
  if (!CrPressIsPair(m, step, second)) return PETSC_FALSE;
  set_foot(&foot, facet, second);
  second->gap0 = gap_to_add(m, step, found, facet, &foot);
  return PETSC_TRUE;
}

static PetscBool closed(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                        CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];
  PetscInt      facet;
  CrFoot        foot;

  (void)t;
  foot.gap = foot.excess = 0;
  if (!meet(m, found->pass, entry, u, u, &facet, &foot)) {
    if (facet >= 0 && foot.excess == 0 && foot.gap < -CrNearDepth(p) && !p->self)
      m->contact->work->ndeep++;
    return PETSC_FALSE;
  }
  set_foot(&foot, facet, found);
  return !(p->self && foot.gap < -CR_CLOSED * p->reach);
}

/* ---- other configurations --------------------------------------------------------------------- */

static PetscReal gap(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pair->pass];
  PetscReal        x[CR_CONTACT_DOFS];
  CrInstant        at;
  CrFoot           foot;
  PetscInt         n;

  (void)t;
  CrSlaveAtPose(c, p, pair->point - p->first, m->bodies->pose, u, &at);
  n = CrGatherAt(c, p->master, pair->facet, &at, x);
  guess_xi(n, pair->W + first_corner(p), &foot);
  return CrFootNear(c->model->dim, n, x, &foot) ? foot.gap : pair->gap0;
}

/* The closest point on the facet that a pair has, if it is not far beyond its edges. */
static PetscBool stay(const CrMultipliers *m, const CrPass *p, const CrInstant *at, PetscInt facet,
                      CrFoot *foot)
{
  PetscReal x[CR_CONTACT_DOFS], xi[2] = {foot->xi[0], foot->xi[1]};
  PetscInt  n = CrGatherAt(m->contact, p->master, facet, at, x);

  if (CrFootNear(m->contact->model->dim, n, x, foot) && foot->excess <= OPEN_EDGE)
    return PETSC_TRUE;
  foot->xi[0] = xi[0];
  foot->xi[1] = xi[1];
  return PETSC_FALSE;
}

/* Is a pressed slave beyond a concave edge of its facet? Both facets of this edge then restrict the slave. */
static PetscBool is_over_valley(const CrMultipliers *m, const CrPass *p, const CrInstant *at,
                                PetscInt facet, const CrFoot *guess)
{
  CrFoot    foot = *guess;
  PetscReal x[CR_CONTACT_DOFS];
  PetscInt  n = CrGatherAt(m->contact, p->master, facet, at, x);

  if (!CrFootNear(m->contact->model->dim, n, x, &foot) || !(foot.excess > 0)) return PETSC_FALSE;
  for (PetscInt a = 0; a < foot.n; a++) {
    PetscInt next = p->master->neighbour[4 * facet + a];

    if (CrFootBeyond(&foot, a) > 0 && next >= 0 &&
        CrNearIsConcave(m->contact, p->master, facet, next, at->u))
      return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

static PetscBool again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                       CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  PetscInt      facet = pair->facet;
  PetscReal     x[CR_CONTACT_DOFS];
  CrInstant     at;
  CrFoot        foot;

  (void)t;
  CrSlaveAtPose(m->contact, p, pair->point - p->first, poses, u, &at);
  guess_xi(pair->n - first_corner(p), pair->W + first_corner(p), &foot);
  pair->beyond = m->closes && p->cones && is_over_valley(m, p, &at, facet, &foot);
  if (!((m->still || pair->beyond) && stay(m, p, &at, facet, &foot)) &&
      !hold(m, p, &at, &facet, &foot))
    return PETSC_FALSE;
  CrGatherAt(m->contact, p->master, facet, &at, x);
  clip(m, p->master, facet, x, &foot);
  CrPressSetFacet(p, facet, foot.n, foot.N, pair);
  v_copy(foot.nu, pair->nu);
  pair->gap0 = foot.gap;
  return PETSC_TRUE;
}

#define ON_FACETS                                                                                  \
  .ask = CrNearAskFacets, .list = CrNearListFacets, .apart = CrNearFacetsApart, .look = look,      \
  .beside = meet_beside, .closed = closed, .gap = gap, .again = again

const CrPressOps CrPress_node_on_facet = {ON_FACETS};
const CrPressOps CrPress_point_on_facet = {ON_FACETS, .arm = CrPressArmToNodes};
