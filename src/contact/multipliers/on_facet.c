/* Nodes on facets in explicit steps. */
#include "contact/multipliers/press.h"

/* ---- the closest point ------------------------------------------------------------------------ */

/* Copies weights, normal and nodes of a closest point on a facet to the pair. */
static void set_foot(const CrMultipliers *m, PetscInt n, const PetscReal N[4],
                     const PetscReal nu[3], PetscInt facet, CrPress *p)
{
  const CrSurface *master = m->contact->passes[p->pass].master;

  p->facet = facet;
  p->n = n + 1;
  for (PetscInt a = 0; a < n; a++) {
    p->nodes[a + 1] = master->corners[4 * facet + a];
    p->W[a + 1] = -N[a];
  }
  for (int i = 0; i < 3; i++) p->nu[i] = nu[i];
}

/* The coordinates of the closest point for given weights. W has the slave first, then the corners. */
static void guess_xi(PetscInt n, const PetscReal *W, CrFoot *foot)
{
  foot->xi[0] = foot->xi[1] = 0;
  if (n != 4) return; /* the others need no guess */
  foot->xi[0] = W[1] + W[4] - W[2] - W[3];
  foot->xi[1] = W[1] + W[2] - W[3] - W[4];
}

/* The closest point for a point that was pressed, from the guess foot->xi. The point stays on its patch unless
   it has slid off. */
static PetscBool hold(const CrMultipliers *m, const CrPass *p, PetscInt node, const PetscReal *u,
                      PetscInt *facet, CrFoot *foot)
{
  PetscReal over;

  if (!CrFootWalk(m->contact, p->master, node, u, facet, foot, &over)) return PETSC_FALSE;
  return over <= m->options.overhang && foot->gap > -CrNearDepth(p);
}

/* Beyond an open end a point may be caught as far as it may be held there; beyond a crease the other
   side of it is near. Within a patch a point in the wedge under a valley is beyond both facets, by
   no more than it is deep; one that is farther beyond belongs to a facet that it does not face. */
static PetscReal catching_overhang(const CrMultipliers *m, const CrSurface *master, PetscInt facet,
                                   const CrFoot *foot)
{
  PetscInt next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (next < 0) return m->options.overhang;
  if (master->patch[next] != master->patch[facet]) return PetscMin(OPEN_EDGE, m->options.overhang);
  return PetscMax(m->options.overhang, PetscAbsReal(foot->gap) / master->size[facet]);
}

/* The closest point for a free point, if it may come into contact. */
static PetscBool meet(const CrMultipliers *m, PetscInt pass, PetscInt entry, const PetscReal *u,
                      PetscInt *facet, CrFoot *foot)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n, node = p->slave->nodes[m->lists->passes[pass].item[entry]];

  *facet = CrNearNearest(m->lists, pass, entry, u, PetscMax(m->options.overhang, OPEN_EDGE));
  if (*facet < 0) return PETSC_FALSE;
  n = CrGatherFacet(c, p->master, node, *facet, u, x);
  if (!CrFootFind(c->model->dim, n, x, foot)) return PETSC_FALSE;
  if (foot->excess > catching_overhang(m, p->master, *facet, foot)) return PETSC_FALSE;
  return foot->gap > -CrNearDepth(p);
}

/* At an end of the patch forces act on the end itself. */
static void clip(const CrMultipliers *m, const CrSurface *master, PetscInt facet,
                 const PetscReal *x, CrFoot *foot)
{
  PetscInt next = foot->edge < 0 ? facet : master->neighbour[4 * facet + foot->edge];

  if (m->variant.middle) return; /* the force must point from the closest point to the slave */
  if (next < 0 || master->patch[next] != master->patch[facet])
    CrFootClip(m->contact->model->dim, x, foot);
}

/* ---- finding pairs --------------------------------------------------------------------------- */

PetscBool CrPressLook(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass, PetscInt entry,
                      CrFound *found)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscInt         i = m->lists->passes[pass].item[entry], point = p->first + i;
  PetscInt         node = p->slave->nodes[i], facet = c->facet[point];
  PetscBool        held = m->memory[point].lam > 0 && facet >= 0;
  PetscReal        x[CR_CONTACT_DOFS], lam = CrPressStart(m, point)[0];
  CrFoot           foot;

  if (!held && !(lam > 0) && CrNearSleeps(&m->lists->passes[pass], entry)) return PETSC_FALSE;
  if (held) {
    const PetscReal *N = m->memory[point].N, W[CR_CONTACT_NODES] = {1, -N[0], -N[1], -N[2], -N[3]};

    guess_xi(p->master->ncorners[facet], W, &foot);
    held = hold(m, p, node, m->where, &facet, &foot);
  }
  if (!held) { /* free, or slid off */
    if (m->variant.warm) lam = 0;
    if (!meet(m, pass, entry, m->where, &facet, &foot)) return PETSC_FALSE;
  }
  if (!(foot.gap + CrPressOverlapLeft(c, p, point, step->t + step->h) < 0) && !(lam > 0))
    return PETSC_FALSE;
  CrGatherFacet(c, p->master, node, facet, m->where, x);
  clip(m, p->master, facet, x, &foot);
  CrGatherFacet(c, p->master, node, facet, step->u0, x);
  *found = (CrFound){.pass = pass, .item = i, .facet = facet, .n = foot.n, .lam = lam};
  for (PetscInt a = 0; a < foot.n; a++) found->N[a] = foot.N[a];
  for (int d = 0; d < 3; d++) found->nu[d] = foot.nu[d];
  found->gap0 = CrFootGap(c->model->dim, x, &foot);
  return !(p->self && !held && found->gap0 < -0.2 * p->reach);
}

PetscErrorCode CrPressAdd(CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];
  CrPress      *pair;

  PetscFunctionBeginUser;
  PetscCall(CrPressNew(m, found->pass, found->item, &pair));
  set_foot(m, found->n, found->N, found->nu, found->facet, pair);
  pair->gap0 = found->gap0;
  pair->shift = CrPressOverlapLeft(m->contact, p, pair->point, step->t + step->h);
  pair->pushed = CrPressOverlapLeft(m->contact, p, pair->point, step->t) - pair->shift;
  if (found->lam > 0) CrPressGuess(found->lam, CrPressStart(m, pair->point) + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                           const PetscReal *v)
{
  CrFound found;

  PetscFunctionBeginUser;
  (void)v;
  for (PetscInt k = 0; k < m->lists->passes[pass].n; k++)
    if (CrPressLook(m, step, pass, k, &found)) PetscCall(CrPressAdd(m, step, &found));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_entry(CrMultipliers *m, PetscInt pass, PetscInt entry,
                                  const PetscReal *u)
{
  CrContact    *c = m->contact;
  const CrPass *p = &c->passes[pass];
  PetscInt      i = m->lists->passes[pass].item[entry], facet;
  CrPress      *pair;
  CrFoot        foot;

  PetscFunctionBeginUser;
  foot.gap = foot.excess = 0;
  if (!meet(m, pass, entry, u, &facet, &foot)) {
    if (facet >= 0 && foot.excess == 0 && foot.gap < -CrNearDepth(p) && !p->self) c->ndeep++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (foot.gap > CR_CLOSED * p->reach || (p->self && foot.gap < -CR_CLOSED * p->reach))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (!c->begun) c->overlap[p->first + i] = PetscMin(foot.gap, 0);
  PetscCall(CrPressNew(m, pass, i, &pair));
  set_foot(m, foot.n, foot.N, foot.nu, facet, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_closed(CrMultipliers *m, PetscInt pass, const PetscReal *u, PetscReal t)
{
  PetscFunctionBeginUser;
  (void)t;
  for (PetscInt k = 0; k < m->lists->passes[pass].n; k++) PetscCall(close_entry(m, pass, k, u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- other configurations --------------------------------------------------------------------- */

static PetscReal gap(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t)
{
  const CrContact *c = m->contact;
  PetscReal        x[CR_CONTACT_DOFS];
  CrFoot           foot;
  PetscInt n = CrGatherFacet(c, c->passes[pair->pass].master, pair->nodes[0], pair->facet, u, x);

  (void)t;
  guess_xi(n, pair->W, &foot);
  return CrFootNear(c->model->dim, n, x, &foot) ? foot.gap : pair->gap0;
}

static PetscBool again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                       CrPress *pair)
{
  PetscInt facet = pair->facet;
  CrFoot   foot;

  (void)poses, (void)t;
  guess_xi(pair->n - 1, pair->W, &foot);
  if (!hold(m, &m->contact->passes[pair->pass], pair->nodes[0], u, &facet, &foot))
    return PETSC_FALSE;
  set_foot(m, foot.n, foot.N, foot.nu, facet, pair);
  pair->gap0 = foot.gap;
  return PETSC_TRUE;
}

static PetscReal safe_way(const CrContact *c, const CrPass *p)
{
  (void)c;
  return CrNearDepth(p);
}

const CrPressOps CrPress_node_on_facet = {.shares = PETSC_TRUE,
                                          .list = CrNearListFacets,
                                          .safe_way = safe_way,
                                          .apart = CrNearFacetsApart,
                                          .find = find,
                                          .find_closed = find_closed,
                                          .gap = gap,
                                          .again = again};
