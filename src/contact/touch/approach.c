/* Finds the facets that a slave may touch. A slave in contact stays on its smooth patch. A free slave is assigned to
   the patch through which its path passes first, or else to the closest patch (theory 13.3). */
#include "base/grow.h"
#include "contact/division.h"
#include "contact/touch/approach.h"

PetscErrorCode CrTouchFind(CrContact *c, const CrPass *p, PetscInt i, PetscReal reach,
                           CrTouch *touch)
{
  PetscInt  dim = c->model->dim, n = c->work->nfound;
  PetscReal path[6], box[6];

  PetscFunctionBeginUser;
  p->ops->slave->path(c, p, i, path);
  for (PetscInt k = 0; k < dim; k++) {
    box[k] = path[k] - reach;
    box[dim + k] = path[dim + k] + reach;
  }
  while (!CrTreeQuery(p->tree, box, c->work->found_room, c->work->found, &n)) {
    PetscCall(CrGrow(n, &c->work->found_room, &c->work->found));
    n = c->work->nfound;
  }
  touch->found = c->work->nfound;
  touch->nfound = 0;
  for (PetscInt k = c->work->nfound; k < n; k++)
    if (!p->self || !CrPassIsOwn(p, i, c->work->found[k]))
      c->work->found[touch->found + touch->nfound++] = c->work->found[k];
  c->work->nfound = touch->found + touch->nfound;
  touch->admitted = touch->found;
  touch->nadmitted = touch->nfound;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists the facets that the cone of the node's normals admits at the start of the step. A pressed point also keeps
   the facet that holds it. */
static PetscErrorCode admit(CrContact *c, CrTouch *touch, const CrInstant *start)
{
  const CrPass *p = &c->passes[touch->pass];
  PetscReal     x[CR_CONTACT_DOFS], cone = c->pairs[p->pair].cone;
  PetscInt      held = c->past.gd[touch->point] < 0 ? c->past.facet[touch->point] : -1;
  CrProximity   near;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(c->work->nfound + touch->nfound, &c->work->found_room, &c->work->found));
  touch->admitted = c->work->nfound;
  touch->nadmitted = 0;
  for (PetscInt k = touch->found; k < touch->found + touch->nfound; k++) {
    PetscInt f = c->work->found[k], n = CrGatherTouch(c, touch, f, start, x);

    CrFacetProximity(c->model->dim, n, x, &near);
    if (f == held || p->ops->slave->admits(c, p, touch->point - p->first, start, near.nu,
                                           cone + p->master->features->slack[f]))
      c->work->found[touch->admitted + touch->nadmitted++] = f;
  }
  c->work->nfound = touch->admitted + touch->nadmitted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sets the elastic slip as a vector in space, and the normal, from the facet of the last step. */
static void remember_spring(const CrContact *c, CrTouch *touch, const CrInstant *start)
{
  const PetscReal *eta = c->past.eta + 2 * touch->point;
  PetscReal        x[CR_CONTACT_DOFS];
  CrKinematics     k;
  CrTouch          old = *touch;

  old.facet = c->past.facet[touch->point];
  for (int i = 0; i < 3; i++) touch->spring[i] = 0;
  if (!CrTouchProject(c, &old, start, x, &k)) return; /* the spring is forgotten */
  CrSpringKeep(eta, &k, touch);
}

/* Is the edge that the point lies beyond an end of the surface, or of the patch it is bound to? With cones: is the
   facet beyond it not admitted? */
static PetscBool is_beyond(const CrContact *c, const CrTouch *touch, PetscInt facet,
                           const CrProximity *near)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscInt         next;

  if (near->outside <= OPEN_EDGE || near->edge < 0) return PETSC_FALSE; /* so are all balls */
  next = master->neighbour[4 * facet + near->edge];
  if (c->passes[touch->pass].cones) return next < 0 || !CrTouchAdmits(c, touch, next);
  return next < 0 || master->patch[next] != master->patch[facet];
}

/* Exact laws of the gap: a point behind the plane of its facet, beyond its edges, may be outside of the body. Then
   this facet cannot hold it. If the point comes in through another facet, the review finds that. */
static PetscBool is_around(const CrContact *c, const CrTouch *touch, const CrInstant *start)
{
  PetscReal   x[CR_CONTACT_DOFS];
  CrProximity near;

  if (!c->tight) return PETSC_FALSE;
  CrFacetProximity(c->model->dim, CrGatherTouch(c, touch, touch->facet, start, x), x, &near);
  if (!(near.gap < -BEHIND * c->passes[touch->pass].master->size[touch->facet])) return PETSC_FALSE;
  return near.outside > OPEN_EDGE || (near.outside > 0 && CrFacetAbove(c, touch, start) < 0);
}

/* Keeps a point that was in contact on its patch, unless it has slid off. With cones it may change to the patch of
   any admitted facet, before the step. */
static PetscErrorCode hold(CrContact *c, CrTouch *touch, const CrInstant *start)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrProximity      near;

  PetscFunctionBeginUser;
  if (!c->passes[touch->pass].cones) touch->patch = master->patch[c->past.facet[touch->point]];
  touch->keeps = PETSC_TRUE;
  touch->facet = CrNearestFacetAt(c, touch, start, &near);
  if (touch->facet < 0 || is_beyond(c, touch, touch->facet, &near)) {
    PetscCall(CrPointDrop(c, touch->point));
    touch->keeps = PETSC_FALSE;
    touch->idle = PETSC_TRUE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  touch->patch = master->patch[touch->facet];
  CrTouchShare(c, touch, start);
  remember_spring(c, touch, start);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The facet that the path of a free point pierces first; -1: none. `ends` are guesses of the end of the path.
   */
static PetscInt pierced_by(const CrContact *c, const CrTouch *touch, const CrInstant *start,
                           PetscInt nends, const CrInstant ends[])
{
  PetscReal when, first = 2;
  PetscInt  best = -1;

  for (PetscInt k = 0; k < nends; k++) {
    PetscInt f = CrFirstPierced(c, touch, start, &ends[k], PETSC_FALSE, &when);

    if (f < 0 || !(when < first)) continue;
    first = when;
    best = f;
  }
  return best;
}

void CrTouchBind(const CrContact *c, CrTouch *touch, PetscInt facet, const CrInstant *start)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n = CrGatherTouch(c, touch, facet, start, x);
  CrProximity      near;
  CrInstant        predicted;

  touch->patch = master->patch[facet];
  touch->facet = touch->home = facet;
  CrFacetProximity(c->model->dim, n, x, &near);
  CrSlaveAt(c, touch, c->work->predicted, CR_POSE_PATH, &predicted);
  if (near.distance - touch->radius > 0.5 * master->size[facet] ||
      CrIsLongWay(c, touch, facet, start, &predicted))
    touch->locked = PETSC_TRUE;
  CrTouchShare(c, touch, start);
}

/* A point behind a facet that it faces may still be outside of the body, on its other side. The facet nearest
   to it, faced or not, decides. */
static PetscBool is_inside(const CrContact *c, const CrTouch *touch, const CrInstant *at)
{
  CrTouch     any = CrTouchOfAll(touch);
  CrProximity near;

  any.patch = -1;
  return CrNearestFacetAt(c, &any, at, &near) >= 0 && near.gap < 0;
}

/* Binds a free point to the patch that it pierces or is nearest to. It is idle if it lies beside the facet, or
   so deep inside that it must have come from the other side. */
static void approach(CrContact *c, CrTouch *touch, const CrInstant *start, PetscInt nends,
                     const CrInstant ends[])
{
  const CrPass    *p = &c->passes[touch->pass];
  const CrSurface *master = p->master;
  PetscBool        tracked = c->past.facet[touch->point] >= 0;
  PetscInt         pierced = pierced_by(c, touch, start, nends, ends);
  PetscReal        deepest = p->cones ? CR_DEEPEST / 2 : CR_DEEPEST;
  CrProximity      near;

  if (pierced >= 0) {
    CrTouchBind(c, touch, pierced, start);
    return;
  }
  touch->facet = CrNearestFacetAt(c, touch, start, &near);
  if (touch->facet < 0) { /* it faces nothing */
    touch->idle = PETSC_TRUE;
    return;
  }
  touch->patch = master->patch[touch->facet];
  touch->keeps = tracked && near.gap < 0; /* released, still inside */
  /* over a ridge, a round slave lies beside both facets */
  if (touch->rolls || p->cones ? is_beyond(c, touch, touch->facet, &near)
                               : near.outside > OPEN_EDGE)
    touch->idle = PETSC_TRUE;
  if (is_around(c, touch, start)) touch->idle = PETSC_TRUE;
  if (near.gap < -deepest * master->size[touch->facet] - touch->extent) {
    touch->idle = PETSC_TRUE;
    if (!*c->past.begun && near.outside == 0 && !p->self && is_inside(c, touch, start))
      c->work->ndeep++;
  }
  if (near.gap < 0 && p->self && !tracked) touch->idle = PETSC_TRUE;
  CrTouchShare(c, touch, start);
  if (touch->idle) touch->keeps = PETSC_FALSE;
  if (touch->keeps) remember_spring(c, touch, start);
}

PetscErrorCode CrSearchFacets(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                              const PetscReal *const guesses[])
{
  static const CrPoseOf poses[2] = {CR_POSE_PATH, CR_POSE_GUESS};
  const CrPass         *p = &c->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    PetscInt    point = p->first + i, known = 0;
    CrTouch    *touch;
    CrProximity near;
    CrInstant   start, ends[2];

    if (!CrPointIsMine(c, p, i)) continue;
    PetscCall(CrTouchNew(c, pass, i, &touch));
    PetscCall(CrTouchFind(c, p, i, (c->work->wide ? 2 : 1) * p->reach + touch->extent, touch));
    if (!touch->nfound) {
      PetscCall(CrPointDrop(c, point));
      c->work->ntouches--;
      continue;
    }
    CrSlaveAt(c, touch, u0, CR_POSE_START, &start);
    for (PetscInt k = 0; k < nends; k++)
      if (guesses[k]) CrSlaveAt(c, touch, guesses[k], poses[k], &ends[known++]);
    if (p->cones) PetscCall(admit(c, touch, &start));
    if (c->past.facet[point] >= 0 && c->past.gd[point] < 0)
      PetscCall(hold(c, touch, &start));
    else {
      if (!p->cones) p->ops->slave->normal(c, p, i, u0, touch->normal);
      approach(c, touch, &start, known, ends);
    }
    if (touch->idle) continue;
    touch->home = touch->facet;
    CrNearestFacetAt(c, touch, &start, &near);
    touch->gap0 = touch->locked ? CrTouchGapOn(c, touch, touch->facet, &start) : near.gap;
    CrOverlapNote(c, touch, near.gap);
    CrOverlapMeasure(c, touch, u0);
    if (p->cones && !c->springs) PetscCall(CrTouchAddBeside(c, &start));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscReal CrGapOnFacets(const CrContact *c, const CrTouch *touch, const PetscReal *u1)
{
  CrProximity near;

  if (CrNearestFacet(c, touch, u1, &near) < 0) return PETSC_MAX_REAL;
  if (near.outside > OPEN_EDGE && !touch->rolls) return PETSC_MAX_REAL;
  if (touch->waits && !(touch->out.p > 0) && near.outside > 0) return PETSC_MAX_REAL;
  return near.gap;
}
