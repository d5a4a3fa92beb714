/* Touches are contact points that may be in contact in a step. This file computes their history, increments, contact
   law and forces. */
#include <string.h>
#include "base/grow.h"
#include "base/vector.h"
#include "contact/division.h"
#include "contact/touch/touch.h"

/* ---- life ------------------------------------------------------------------------------------- */

PetscErrorCode CrTouchNew(CrContact *c, PetscInt pass, PetscInt i, CrTouch **touch)
{
  const CrPass *p = &c->passes[pass];

  PetscFunctionBeginUser;
  PetscCall(CrGrow(c->work->ntouches + 1, &c->work->touches_room, &c->work->touches));
  *touch = &c->work->touches[c->work->ntouches++];
  **touch = (CrTouch){.pass = pass, .point = p->first + i, .found = c->work->nfound};
  (*touch)->share = 1;
  (*touch)->weight = CrPointWeight(c, p, i);
  (*touch)->overlap = c->past.overlap[p->first + i];
  (*touch)->press = c->past.press[p->first + i];
  (*touch)->patch = (*touch)->facet = (*touch)->facet1 = (*touch)->cached = (*touch)->home =
      (*touch)->came = -1;
  (*touch)->started = (*touch)->model.facet = -1;
  p->ops->slave->begin(c, p, i, *touch);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrTouchGapOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at)
{
  PetscReal   x[CR_CONTACT_DOFS];
  PetscInt    n = CrGatherTouch(c, touch, facet, at, x);
  CrProximity near;

  CrFacetProximity(c->model->dim, n, x, &near);
  CrTouchProximity(touch, &near);
  return near.gap;
}

PetscErrorCode CrPointDrop(CrContact *c, PetscInt point)
{
  PetscFunctionBeginUser;
  if (c->past.gd[point] >= 0 && c->past.facet[point] < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrGrow(c->work->ndropped + 1, &c->work->dropped_room, &c->work->dropped));
  c->work->dropped[c->work->ndropped++] = point;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrTouchAdmits(const CrContact *c, const CrTouch *touch, PetscInt facet)
{
  for (PetscInt k = touch->admitted; k < touch->admitted + touch->nadmitted; k++)
    if (c->work->found[k] == facet) return PETSC_TRUE;
  return PETSC_FALSE;
}

CrTouch CrTouchOfAll(const CrTouch *touch)
{
  CrTouch all = *touch;

  all.admitted = all.found;
  all.nadmitted = all.nfound;
  all.normal[0] = all.normal[1] = all.normal[2] = 0; /* faces everything */
  return all;
}

/* Smooth surfaces are polygons that stand for curves: holding the nodes of both would hold the bodies apart. So only
   nodes of edges that turn by more than `corner` wait, and in the plane those of plane sides (theory 17.7). */
PetscBool CrTouchMayWait(const CrContact *c, const CrTouch *touch)
{
  const CrPass   *p = &c->passes[touch->pass];
  const PetscInt  i = touch->point - p->first;
  const PetscReal corner = c->pairs[p->pair].corner;

  return c->tight && p->ops->slave->is_node &&
         (c->model->dim == 2 ? !CrIsCurved(p->slave, i, corner) : CrIsSharp(p->slave, i, corner));
}

void CrTouchShare(const CrContact *c, CrTouch *touch, const CrInstant *start)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscInt      i = touch->point - p->first;

  if (!p->cones) return;
  touch->share = CrTouchWasPressed(c, touch) ? c->past.share[touch->point]
                                             : CrPointShareAt(c, p, i, touch->facet, start);
  touch->waits = touch->share == 0 && CrTouchMayWait(c, touch);
  touch->weight = (touch->waits ? 1 : touch->share) * CrPointWeight(c, p, i);
  if (touch->share == 0 && !touch->waits) touch->idle = PETSC_TRUE;
}

/* ---- the law ---------------------------------------------------------------------------------- */

void CrSpringKeep(const PetscReal eta[2], const CrKinematics *k, CrTouch *touch)
{
  v_copy(k->nu, touch->nu0);
  for (int i = 0; i < 3; i++)
    touch->spring[i] = eta[0] * k->e[0][i] + (k->dim == 3 ? eta[1] * k->e[1][i] : 0);
}

/* Elastic slip carried to another facet by the smallest rotation that takes the old normal to the
   new one: its length, and so its energy, stays. */
void CrSpringCarry(PetscInt dim, CrTouch *touch, const CrKinematics *k)
{
  const PetscReal along = v_dot(touch->nu0, k->nu), lift = v_dot(touch->spring, k->nu);
  PetscReal       s[3];

  touch->eta0[0] = touch->eta0[1] = 0;
  if (along < -0.5) return; /* no sense in it: the spring is forgotten */
  for (int i = 0; i < 3; i++)
    s[i] = touch->spring[i] - lift / (1 + along) * (touch->nu0[i] + k->nu[i]);
  for (int a = 0; a < dim - 1; a++) touch->eta0[a] = v_dot(s, k->e[a]);
}

/* Under exact laws of the gap, a point that is inside at t_n is held at its gap: pushing it out within the step would
   make energy (theory 17.7). */
static void look_behind(const CrContact *c, CrTouch *touch, const CrInstant *start)
{
  touch->behind = 0;
  if (c->tight && touch->gap0 < -BEHIND * c->passes[touch->pass].master->size[touch->facet])
    touch->behind = PetscMin(CrTouchGapOn(c, touch, touch->facet, start), 0);
}

void CrTouchHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x[CR_CONTACT_DOFS];
  CrInstant        start;
  CrProximity      near;
  CrKinematics     k;

  if (touch->cached == touch->facet) return;
  touch->cached = touch->facet;
  touch->eta0[0] = touch->eta0[1] = 0;
  CrSlaveAt(c, touch, u0, CR_POSE_START, &start);
  look_behind(c, touch, &start);
  touch->before = CrTouchWasPressed(c, touch) ? 0 : CrTouchGapOn(c, touch, touch->facet, &start);
  if (!touch->keeps) {
    CrGatherAt(c, master, touch->facet, &start, x);
    if (touch->ellipsoid) (void)CrTouchProject(c, touch, &start, x, &k);
    CrFacetProximity(c->model->dim, master->ncorners[touch->facet], x, &near);
    CrTouchProximity(touch, &near);
    touch->gd0 = PetscMax(near.gap - PetscMax(touch->overlap, 0), 0);
    return;
  }
  touch->gd0 = c->past.gd[touch->point];
  if (c->past.eta[2 * touch->point] == 0 && c->past.eta[2 * touch->point + 1] == 0) return;
  if (CrTouchProject(c, touch, &start, x, &k)) CrSpringCarry(c->model->dim, touch, &k);
}

/* The distance along the reference shape from the closest point (f0, xi0) to the closest point (f1, xi1), which
   lies at most `turns` facets farther. */
static PetscBool way_along(const CrSurface *s, PetscInt f0, PetscReal xi0, PetscInt f1,
                           PetscReal xi1, PetscReal *way)
{
  const PetscInt turns = 8;

  *way = s->size[f0] * (xi1 - xi0);
  if (f0 == f1) return PETSC_TRUE;
  for (PetscInt side = 1; side >= 0; side--) { /* beyond the second corner, before the first */
    PetscInt f = s->neighbour[4 * f0 + side];

    *way = s->size[f0] * (side ? 1 - xi0 : xi0);
    for (PetscInt k = 0; k < turns && f >= 0 && f != f1; k++) {
      *way += s->size[f];
      f = s->neighbour[4 * f + side];
    }
    if (f != f1) continue;
    *way += s->size[f1] * (side ? xi1 : 1 - xi1);
    if (!side) *way = -*way;
    return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

/* AP97 measures slip on the reference shape, where lengths do not change from step to step. Springs per
   reference length are stiffer by `metric` for forces in space. */
static void slide_along(const CrContact *c, CrTouch *touch, const CrContactStep *step)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrLawInput      *in = &touch->in;
  PetscReal        x[CR_CONTACT_DOFS], way;
  PetscInt         f0 = c->past.facet[touch->point], n;
  CrKinematics     k;
  CrSpread         spread;

  if (step->law->slip != CR_SLIP_ALONG || c->model->dim == 3 || !c->passes[touch->pass].ops->facets)
    return;
  if (touch->k.rest) return; /* the closest point is held at a corner */
  in->metric = master->size[touch->facet] / touch->k.length;
  in->kt *= in->metric;
  in->ds[0] *= in->metric;
  if (f0 < 0) f0 = touch->facet; /* the first step of a contact */
  n = CrTouchGatherOn(c, touch, f0, step->u, x);
  CrTouchSpreadOn(c, touch, f0, &spread);
  for (PetscInt a = 0; a < spread.n; a++)
    for (PetscInt i = 0; i < 2; i++)
      x[2 * spread.column[a] + i] -= spread.c[a] * step->slide[2 * spread.nodes[a] + i];
  if (!CrKinematicsFacet(2, n, x, &k)) return;
  if (way_along(master, f0, k.xi[0], touch->facet, touch->k.xi[0], &way)) in->ds[0] = way;
}

void CrTouchStart(const CrContact *c, CrTouch *touch, const PetscReal *u0, const CrContactLaw *law)
{
  PetscReal    x[CR_CONTACT_DOFS];
  CrInstant    start;
  CrKinematics k;

  if (law->slip != CR_SLIP_MEAN || touch->started == touch->facet) return;
  touch->started = -1;
  CrSlaveAt(c, touch, u0, CR_POSE_START, &start);
  if (!CrTouchProject(c, touch, &start, x, &k)) return;
  memcpy(touch->H0, k.H, sizeof touch->H0);
  touch->started = touch->facet;
}

PetscReal CrTouchSlipPart(const CrTouch *touch, const CrContactLaw *law)
{
  return law->slip == CR_SLIP_MEAN && touch->started == touch->facet && !touch->k.rest ? 0.5 : 1;
}

void CrTouchModelTake(const CrContact *c, CrTouch *touch, const PetscReal *u)
{
  CrTouchModel *m = &touch->model;
  PetscBool     slips = touch->out.status == CR_SLIPPING;

  CrTouchGather(c, touch, u, m->x);
  memcpy(m->G, touch->k.G, sizeof m->G);
  m->facet = touch->facet;
  m->gap = touch->in.gap;
  m->status = touch->out.status;
  for (int i = 0; i < 2; i++) m->way[i] = slips ? touch->out.t_p[i] : 0;
}

/* Sets the members of the law's input that describe the last iteration. n is the number of dofs of the touch. */
static void look_back(const CrContact *c, CrTouch *touch, const CrContactStep *step, PetscInt n)
{
  const CrTouchModel *m = &touch->model;
  PetscReal           x[CR_CONTACT_DOFS], gap = m->gap;

  touch->in.loose = c->work->loose;
  touch->in.held = PETSC_FALSE;
  touch->in.last = CR_OPEN;
  touch->in.last_way[0] = touch->in.last_way[1] = 0;
  if (!step->law->steady || c->work->iteration == 0 || m->facet != touch->facet) return;
  CrTouchGather(c, touch, step->u, x);
  for (PetscInt a = 0; a < n; a++) gap += m->G[a] * (x[a] - m->x[a]);
  touch->in.held = touch->in.gap > 0 && gap <= 0;
  touch->in.last = m->status;
  for (int i = 0; i < 2; i++) touch->in.last_way[i] = m->way[i];
}

/* Evaluates the law of a touch with a rigid body. The gap at the end is that of the start and its increment: on faces
   this is the real gap, on curved shapes the difference is of third order in the step. So both have one derivative. */
static void ask_of_body(const CrContactLaw *law, CrTouch *touch)
{
  touch->in.gap1 = touch->in.gd0 + touch->in.dg;
  if (law->steady) /* the body is solved for inside an iteration of the nodes, and has no linear model of it */
    CrPlainPenalty(law, &touch->in, &touch->out);
  else
    law->evaluate(law, &touch->in, &touch->out);
  touch->out.p_dg += touch->out.p_gap1;
  touch->out.p_gap1 = 0;
}

/* The dynamic gap of t_n. A released point may still be inside, because it came in from the side of a facet or because
   its facet turned. Its spring is empty, and begins there: otherwise the point would sink in again as far as before. */
static PetscReal starting_gap(const CrTouch *touch)
{
  const PetscBool inside = touch->gap0 - touch->overlap + touch->shift0 < 0;

  return touch->keeps && inside ? PetscMin(touch->gd0, 0) : touch->gd0;
}

/* A point may come in from the side of a facet: it is behind the plane of the facet in the last configuration, where it
   was not pressed. A spring in the real gap would push it out at once, and create energy. So this depth counts as
   touching while the point is pressed, as an overlap of the start does until the gap opens. A point that is free again
   has the depth that it has then: if it has moved outwards, it must not sink in again without force. An overlap of the
   start has a `press`, or is pushed out. */
static void look_where_it_came_in(const CrContact *c, CrTouch *touch, const CrContactStep *step,
                                  PetscInt n, const PetscReal *slide)
{
  const CrContactLaw *law = step->law;
  const CrPass       *p = &c->passes[touch->pass];
  PetscReal           before;

  if (law->memory != CR_MEMORY_REAL || law->steady || p->ops->body) return;
  if (!*c->past.begun || touch->came == touch->facet || CrTouchWasPressed(c, touch)) return;
  touch->came = touch->facet;
  touch->overlap = c->past.overlap[touch->point];
  if (touch->overlap != 0 && (touch->press != 0 || c->pairs[p->pair].resolve)) return;
  before = touch->k.gap - v_dot_n(n, touch->k.G, slide);
  if (law->where == CR_WHERE_END && p->ops->facets && !(touch->before < 0)) before = 0;
  if (law->where == CR_WHERE_END && !p->ops->facets) before = touch->gap0;
  /* at an edge or corner of the facet the closest point may jump, so that one of these gaps is too small */
  if (touch->overlap != 0 && p->ops->facets)
    before = PetscMin(before, PetscMin(touch->before, touch->gap0));
  touch->overlap = PetscMin(before, 0);
}

void CrLawAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step, PetscInt n,
              const PetscReal *du, const PetscReal *slide)
{
  const CrPair *pair = &c->pairs[c->passes[touch->pass].pair];
  CrLawInput   *in = &touch->in;
  PetscReal     share = CrTouchSlipPart(touch, step->law);

  look_where_it_came_in(c, touch, step, n, slide);
  in->ntangents = c->model->dim - 1;
  in->kn = pair->kn;
  in->kt = pair->kt;
  in->mu = pair->friction;
  in->gd0 = starting_gap(touch);
  in->shift0 = touch->shift0;
  in->shift1 = touch->shift1;
  in->gap = touch->k.gap;
  if (touch->overlap != 0) /* overlap of the start counts as touching */
    in->gap +=
        (step->law->where == CR_WHERE_END ? touch->shift1 : (touch->shift0 + touch->shift1) / 2) -
        touch->overlap;
  in->gap0 = touch->gap0;
  in->gap1 = touch->k1.gap;
  in->ln = touch->lambda;
  in->rests = step->law->bounces && touch->keeps && c->past.method[touch->point] > 0;
  in->metric = 1;
  in->dg = v_dot_n(n, touch->k.G, du);
  for (PetscInt i = 0; i < in->ntangents; i++) {
    in->eta0[i] = touch->eta0[i];
    in->ds[i] = v_dot_n(n, touch->k.H[i], slide);
    if (share < 1) in->ds[i] = share * in->ds[i] + (1 - share) * v_dot_n(n, touch->H0[i], slide);
    in->lt[i] = v_dot_n(3, touch->traction, touch->k.e[i]);
  }
  slide_along(c, touch, step);
  look_back(c, touch, step, n);
  touch->out = (CrLawOutput){0};
  if (c->passes[touch->pass].ops->body) {
    ask_of_body(step->law, touch);
    return;
  }
  step->law->evaluate(step->law, in, &touch->out);
}

/* ---- all points ----------------------------------------------------------------------------- */

/* Increments of the nodes of the contact, relative to a moving obstacle. */
static void gather(const CrContact *c, const CrTouch *touch, const PetscReal *du,
                   const PetscReal move[3], PetscReal *d)
{
  const CrSample *sample = touch->sample;
  PetscInt        nodes[CR_CONTACT_NODES], dim = c->model->dim;
  PetscReal       own[3];

  CrTouchNodes(c, touch, nodes);
  for (PetscInt i = 0; sample && i < dim; i++) {
    d[i] = 0;
    for (PetscInt b = 0; b < sample->n; b++) {
      CrVertexChange(c, sample->nodes[b], du, own);
      d[i] += sample->c[b] * own[i];
    }
  }
  for (PetscInt a = sample ? 1 : 0; a <= touch->k.nmaster; a++) {
    if (CrPassHasEdges(&c->passes[touch->pass]))
      for (PetscInt i = 0; i < dim; i++) own[i] = du[dim * nodes[a] + i];
    else
      CrVertexChange(c, nodes[a], du, own);
    for (PetscInt i = 0; i < dim; i++) d[dim * a + i] = own[i] - (a == 0 ? move[i] : 0);
  }
}

void CrTouchIncrements(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       PetscReal *du, PetscReal *slide)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     move[3];

  CrPassMove(p, c->work->t, c->work->t + c->work->h, move);
  gather(c, touch, step->du, move, du);
  CrPassMove(p, step->slide_from, step->slide_to, move);
  gather(c, touch, step->slide, move, slide);
}

void CrTouchAsk(const CrContact *c, CrTouch *touch, const CrContactStep *step)
{
  PetscReal du[CR_CONTACT_DOFS], slide[CR_CONTACT_DOFS];

  CrTouchIncrements(c, touch, step, du, slide);
  CrLawAsk(c, touch, step, c->model->dim * (touch->k.nmaster + 1), du, slide);
}

/* The place of the force on a node; NULL: another rank computes it. */
static PetscReal *force_at(const CrContact *c, const CrTouch *touch, PetscInt node, PetscReal *f)
{
  if (node < c->model->nowned) return f + c->model->dim * node;
  return CrPassIsDivided(c, &c->passes[touch->pass]) ? CrDivisionAt(c, node) : NULL;
}

void CrTouchAddForce(const CrContact *c, const CrTouch *touch, PetscReal *f)
{
  PetscInt dim = c->model->dim;
  CrSpread spread;

  CrTouchSpread(c, touch, &spread);
  for (PetscInt e = 0; e < spread.n; e++) {
    PetscReal *to = force_at(c, touch, spread.nodes[e], f);

    for (PetscInt i = 0; to && i < dim; i++)
      to[i] += touch->weight * spread.c[e] * CrTouchForceAt(touch, dim * spread.column[e] + i);
  }
}
