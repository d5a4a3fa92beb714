/* What may touch in a step. Nodes move, as far as is known, straight from x_n to x_n + h v_n; a tree
   over the boxes that facets sweep gives for every slave node the facets it may meet. A point that
   is in contact stays on its smooth patch; a free one takes the patch that its path pierces first,
   or else the nearest (theory 13.3). After the solve, the review looks whether a point went through
   something else. */
#include "contact/internal.h"

/* ---- boxes of paths ------------------------------------------------------------------------- */

/* The box of the path of each node of a surface. */
static void node_paths(CrContact *c, const CrSurface *s, const PetscReal *u0, const PetscReal *v0,
                       const PetscReal *guess)
{
  PetscInt dim = c->model->dim;

  for (PetscInt k = 0; k < s->nnodes; k++) {
    PetscInt   A = s->nodes[k];
    PetscReal *box = c->path + 2 * dim * A;

    for (PetscInt i = 0; i < dim; i++) {
      PetscReal x = c->model->X[dim * A + i] + u0[dim * A + i], move = c->h * v0[dim * A + i];
      PetscReal other = guess ? guess[dim * A + i] - u0[dim * A + i] : 0;

      box[i] = x + PetscMin(0, PetscMin(move, other));
      box[dim + i] = x + PetscMax(0, PetscMax(move, other));
    }
  }
}

static PetscErrorCode facet_boxes(CrContact *c, const CrSurface *s, CrTree *tree)
{
  PetscInt dim = c->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < s->nfacets; f++) {
    PetscReal *box = c->boxes + 2 * dim * f;

    PetscCall(PetscArraycpy(box, c->path + 2 * dim * s->corners[4 * f], 2 * dim));
    for (PetscInt a = 1; a < s->ncorners[f]; a++) {
      const PetscReal *path = c->path + 2 * dim * s->corners[4 * f + a];

      for (PetscInt i = 0; i < dim; i++) {
        box[i] = PetscMin(box[i], path[i]);
        box[dim + i] = PetscMax(box[dim + i], path[dim + i]);
      }
    }
  }
  PetscCall(CrTreeUpdate(tree, c->boxes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode update_trees(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                                   const PetscReal *guess)
{
  PetscFunctionBeginUser;
  for (PetscInt s = 0; s < c->model->nsets; s++)
    if (c->surfaces[s]) node_paths(c, c->surfaces[s], u0, v0, guess);
  for (PetscInt s = 0; s < c->model->nsets; s++) {
    PetscBool needed = PETSC_FALSE;

    for (PetscInt k = 0; k < c->npasses; k++)
      if (c->passes[k].tree && c->passes[k].tree == c->trees[s]) needed = PETSC_TRUE;
    if (needed) PetscCall(facet_boxes(c, c->surfaces[s], c->trees[s]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- points --------------------------------------------------------------------------------- */

PetscErrorCode CrTouchNew(CrContact *c, PetscInt pass, PetscInt i, CrTouch **touch)
{
  const CrPass *p = &c->passes[pass];

  PetscFunctionBeginUser;
  if (c->ntouches == c->touches_room) {
    c->touches_room = c->touches_room ? 2 * c->touches_room : 64;
    PetscCall(PetscRealloc(sizeof(CrTouch) * c->touches_room, &c->touches));
  }
  *touch = &c->touches[c->ntouches++];
  (*touch)->pass = pass;
  (*touch)->point = p->first + i;
  (*touch)->node = p->slave ? p->slave->nodes[i] : -1;
  (*touch)->weight = CrPointWeight(c, p, i);
  (*touch)->ellipsoid = NULL;
  (*touch)->rolls = PETSC_FALSE;
  (*touch)->radius = (*touch)->extent = 0;
  (*touch)->patch = -1;
  (*touch)->nfound = 0;
  (*touch)->found = c->nfound;
  (*touch)->idle = (*touch)->keeps = (*touch)->locked = PETSC_FALSE;
  (*touch)->facet = (*touch)->facet1 = (*touch)->cached = -1;
  (*touch)->out = (CrLawOutput){0};
  for (int d = 0; d < 3; d++) (*touch)->normal[d] = 0;
  (*touch)->gap0 = (*touch)->lambda = (*touch)->impulse = 0;
  for (int d = 0; d < 3; d++) (*touch)->traction[d] = (*touch)->kick[d] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointDrop(CrContact *c, PetscInt point)
{
  PetscFunctionBeginUser;
  if (c->gd[point] >= 0 && c->facet[point] < 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (c->ndropped == c->dropped_room) {
    c->dropped_room = c->dropped_room ? 2 * c->dropped_room : 64;
    PetscCall(PetscRealloc(sizeof(PetscInt) * c->dropped_room, &c->dropped));
  }
  c->dropped[c->ndropped++] = point;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In self-contact: facets of the node, and their neighbours where slave and master are one surface. */
PetscBool CrIsOwn(const CrPass *p, PetscInt i, PetscInt facet)
{
  if (p->slave == p->master) return CrSurfaceIsNear(p->slave, i, facet);
  for (PetscInt a = 0; a < p->master->ncorners[facet]; a++)
    if (p->master->corners[4 * facet + a] == p->slave->nodes[i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* Facets near the path of a slave, without its own neighbourhood in self-contact. */
PetscErrorCode CrTouchFind(CrContact *c, const CrPass *p, PetscInt i, PetscReal reach,
                           CrTouch *touch)
{
  PetscInt         dim = c->model->dim, n = c->nfound;
  PetscReal        own[6], box[6];
  const PetscReal *path = own;

  PetscFunctionBeginUser;
  if (p->slave)
    path = c->path + 2 * dim * p->slave->nodes[i];
  else
    CrPartnerPointPath(c, p, i, own);
  for (PetscInt k = 0; k < dim; k++) {
    box[k] = path[k] - reach;
    box[dim + k] = path[dim + k] + reach;
  }
  while (!CrTreeQuery(p->tree, box, c->found_room, c->found, &n)) {
    c->found_room = PetscMax(2 * c->found_room, n);
    PetscCall(PetscRealloc(sizeof(PetscInt) * c->found_room, &c->found));
    n = c->nfound;
  }
  touch->found = c->nfound;
  touch->nfound = 0;
  for (PetscInt k = c->nfound; k < n; k++)
    if (!p->self || !CrIsOwn(p, i, c->found[k]))
      c->found[touch->found + touch->nfound++] = c->found[k];
  c->nfound = touch->found + touch->nfound;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elastic slip as a vector in space, and the normal, of the facet of the last step. */
static void remember_spring(const CrContact *c, CrTouch *touch, const CrInstant *start)
{
  const PetscReal *eta = c->eta + 2 * touch->point;
  PetscReal        x[CR_CONTACT_DOFS];
  CrKinematics     k;
  PetscInt         n = CrGatherTouch(c, touch, c->facet[touch->point], start, x);

  for (int i = 0; i < 3; i++) touch->spring[i] = 0;
  if (!CrKinematicsFacet(c->model->dim, n, x, &k)) return; /* the spring is forgotten */
  for (int i = 0; i < 3; i++) {
    touch->nu0[i] = k.nu[i];
    touch->spring[i] = eta[0] * k.e[0][i] + (c->model->dim == 3 ? eta[1] * k.e[1][i] : 0);
  }
}

/* Is the edge that the point lies beyond an end of the surface, or of the patch it is bound to? */
static PetscBool is_beyond(const CrSurface *master, PetscInt facet, const CrProximity *near)
{
  PetscInt next;

  if (near->outside <= OPEN_EDGE || near->edge < 0) return PETSC_FALSE;
  next = master->neighbour[4 * facet + near->edge];
  return next < 0 || master->patch[next] != master->patch[facet];
}

/* A point that was in contact: stays on its patch, unless it has slid off. */
static PetscErrorCode hold(CrContact *c, CrTouch *touch, const CrInstant *start)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrProximity      near;

  PetscFunctionBeginUser;
  touch->patch = master->patch[c->facet[touch->point]];
  touch->keeps = PETSC_TRUE;
  touch->facet = CrNearestFacetAt(c, touch, start, &near);
  if (touch->facet < 0 || is_beyond(master, touch->facet, &near)) {
    PetscCall(CrPointDrop(c, touch->point));
    touch->keeps = PETSC_FALSE;
    touch->idle = PETSC_TRUE;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  remember_spring(c, touch, start);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where a free point's path leads; `ends` are the guesses of its end. */
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

static PetscReal gap_on(const CrContact *c, const CrTouch *touch, PetscInt facet,
                        const CrInstant *at)
{
  PetscReal   x[CR_CONTACT_DOFS];
  PetscInt    n = CrGatherTouch(c, touch, facet, at, x);
  CrProximity near;

  CrFacetProximity(c->model->dim, n, x, &near);
  return near.gap - touch->radius;
}

/* Binds a point to what its path pierces: the patch; and where the way is long, so that the nearest
   facet in the middle of it may be one on the far side, the facet. */
static void bind(const CrContact *c, CrTouch *touch, PetscInt facet, const CrInstant *start)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n = CrGatherTouch(c, touch, facet, start, x);
  CrProximity      near;
  CrInstant        predicted;

  touch->patch = master->patch[facet];
  touch->facet = facet;
  CrFacetProximity(c->model->dim, n, x, &near);
  CrSlaveAt(c, touch, c->predicted, CR_POSE_PATH, &predicted);
  if (near.distance - touch->radius > 0.5 * master->size[facet] ||
      CrIsLongWay(c, touch, facet, start, &predicted))
    touch->locked = PETSC_TRUE;
}

/* Behind a facet that it faces, a point may still be outside of the body, on its other side: the facet nearest
   to it, faced or not, knows. */
static PetscBool is_inside(const CrContact *c, const CrTouch *touch, const CrInstant *at)
{
  CrTouch     any = *touch;
  CrProximity near;

  any.patch = -1;
  memset(any.normal, 0, sizeof any.normal); /* faces everything */
  return CrNearestFacetAt(c, &any, at, &near) >= 0 && near.gap < 0;
}

/* A free point: bound to the patch it pierces or is nearest to, and idle where it lies beside the
   facet, or inside so deep that it must have come from the other side. */
static void approach(CrContact *c, CrTouch *touch, const CrInstant *start, PetscInt nends,
                     const CrInstant ends[])
{
  const CrPass    *p = &c->passes[touch->pass];
  const CrSurface *master = p->master;
  PetscBool        tracked = c->facet[touch->point] >= 0;
  PetscInt         pierced = pierced_by(c, touch, start, nends, ends);
  CrProximity      near;

  if (pierced >= 0) {
    bind(c, touch, pierced, start);
    return;
  }
  touch->facet = CrNearestFacetAt(c, touch, start, &near);
  if (touch->facet < 0) { /* it faces nothing */
    touch->idle = PETSC_TRUE;
    return;
  }
  touch->patch = master->patch[touch->facet];
  touch->keeps = tracked && near.gap < 0; /* released, still inside */
  /* over a ridge something round is beside both facets */
  if (touch->rolls ? is_beyond(master, touch->facet, &near) : near.outside > OPEN_EDGE)
    touch->idle = PETSC_TRUE;
  if (near.gap < -CR_DEEPEST * master->size[touch->facet] - touch->extent) {
    touch->idle = PETSC_TRUE;
    if (!c->begun && near.outside == 0 && !p->self && is_inside(c, touch, start)) c->ndeep++;
  }
  if (near.gap < 0 && p->self && !tracked) touch->idle = PETSC_TRUE;
  if (touch->idle) touch->keeps = PETSC_FALSE;
  if (touch->keeps) remember_spring(c, touch, start);
}

void CrOverlapNote(CrContact *c, const CrTouch *touch, PetscReal gap)
{
  if (!c->begun && !touch->idle) c->overlap[touch->point] = PetscMin(gap, 0);
}

/* The slave's own normal at t_n: mean of its facets, weighted by size; none at the rim of a surface,
   where it would say little. */
void CrSlaveNormal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u0,
                   PetscReal normal[3])
{
  const CrSurface *s = p->slave;
  PetscReal        x[CR_CONTACT_DOFS], sum = 0;
  CrProximity      near;

  for (int d = 0; d < 3; d++) normal[d] = 0;
  if (s->rim[i]) return;
  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++) {
    PetscInt f = s->around[k], n = CrGatherFacet(c, s, s->nodes[i], f, u0, x);

    CrFacetProximity(c->model->dim, n, x, &near);
    for (int d = 0; d < 3; d++) normal[d] += s->size[f] * near.nu[d];
  }
  for (int d = 0; d < 3; d++) sum += PetscSqr(normal[d]);
  for (int d = 0; d < 3 && sum > 0; d++) normal[d] /= PetscSqrtReal(sum);
}

static PetscErrorCode begin_facets(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
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

    PetscCall(CrTouchNew(c, pass, i, &touch));
    if (!p->slave) CrPartnerPoint(c, p, i, touch);
    PetscCall(CrTouchFind(c, p, i, p->reach + touch->extent, touch));
    if (!touch->nfound) {
      PetscCall(CrPointDrop(c, point));
      c->ntouches--;
      continue;
    }
    CrSlaveAt(c, touch, u0, CR_POSE_START, &start);
    for (PetscInt k = 0; k < nends; k++)
      if (guesses[k]) CrSlaveAt(c, touch, guesses[k], poses[k], &ends[known++]);
    if (c->facet[point] >= 0 && c->gd[point] < 0)
      PetscCall(hold(c, touch, &start));
    else {
      if (p->slave) CrSlaveNormal(c, p, i, u0, touch->normal);
      approach(c, touch, &start, known, ends);
    }
    if (touch->idle) continue;
    CrNearestFacetAt(c, touch, &start, &near);
    touch->gap0 = touch->locked ? gap_on(c, touch, touch->facet, &start) : near.gap;
    CrOverlapNote(c, touch, near.gap);
    CrOverlapMeasure(c, touch, u0);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- obstacles ------------------------------------------------------------------------------ */

/* A path that crosses much of a round obstacle in one step has no one normal. */
static PetscBool leaps(const CrPass *p, PetscReal gap0, PetscReal gap1, PetscReal length)
{
  if (p->obstacle->kind != CR_SPHERE || p->obstacle->inside) return PETSC_FALSE;
  return length > 0.5 * p->obstacle->radius && PetscMin(gap0, gap1) < length;
}

static PetscErrorCode begin_wall(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                                 const PetscReal *const ends[])
{
  const CrPass *p = &c->passes[pass];
  PetscReal     shift0[3], shift1[3], x0[3], x1[3];

  PetscFunctionBeginUser;
  CrObstacleShift(p->obstacle, c->t, shift0);
  CrObstacleShift(p->obstacle, c->t + c->h, shift1);
  for (PetscInt i = 0; i < p->n; i++) {
    PetscInt  point = p->first + i;
    PetscReal gap, least, length = 0;
    CrTouch  *touch;

    CrGatherNode(c, p->slave->nodes[i], u0, x0);
    gap = least = CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift0, x0);
    for (PetscInt k = 0; k < nends; k++) {
      if (!ends[k]) continue;
      CrGatherNode(c, p->slave->nodes[i], ends[k], x1);
      least = PetscMin(least, CrObstacleGap(p->obstacle, p->wall, c->model->dim, shift1, x1));
      length = 0;
      for (PetscInt d = 0; d < c->model->dim; d++)
        length += PetscSqr(x1[d] - shift1[d] - x0[d] + shift0[d]);
      length = PetscSqrtReal(length);
      if (leaps(p, gap, least, length)) c->too_far = PETSC_TRUE;
    }
    if (least > p->reach && !(c->gd[point] < 0)) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    PetscCall(CrTouchNew(c, pass, i, &touch));
    touch->keeps = c->facet[point] >= 0 && (c->gd[point] < 0 || gap < 0);
    touch->facet = c->facet[point]; /* axis of the tangents, chosen at first evaluation */
    touch->gd0 = touch->gap0 = gap;
    CrOverlapNote(c, touch, gap);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the step ------------------------------------------------------------------------------- */

/* Overlap that is pushed out enters as a shift of the gap. */
static void set_shifts(const CrContact *c, CrTouch *touch)
{
  const CrPair *pair = &c->pairs[c->passes[touch->pass].pair];
  PetscReal     overlap = c->press[touch->point];

  touch->shift0 = touch->shift1 = 0;
  if (!pair->resolve || overlap == 0) return;
  touch->shift0 = overlap * CrFactorAt(&pair->ramp, c->t);
  touch->shift1 = overlap * CrFactorAt(&pair->ramp, c->t + c->h);
}

PetscErrorCode CrContactBegin(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                              const PetscReal *guess, PetscReal t, PetscReal h)
{
  const PetscReal *ends[2] = {c->predicted, guess};
  PetscInt         m = c->model->nlocal * c->model->dim;

  PetscFunctionBeginUser;
  c->t = t;
  c->h = h;
  c->ntouches = c->nfound = c->ndropped = 0;
  c->too_far = PETSC_FALSE;
  for (PetscInt r = 0; r < m; r++) c->predicted[r] = u0[r] + h * v0[r];
  PetscCall(update_trees(c, u0, v0, guess));
  CrOverlapForget(c);
  for (PetscInt k = 0; k < c->npasses; k++) {
    CrPass *p = &c->passes[k];

    p->first_touch = c->ntouches;
    if (p->master && (p->partner < 0 || c->partners))
      PetscCall(begin_facets(c, k, u0, 2, ends));
    else if (p->partner < 0)
      PetscCall(begin_wall(c, k, u0, 2, ends));
    else if (c->partners)
      PetscCall(p->slave ? CrPartnerSearch(c, k, u0, 2, ends) : CrPartnerSearchWall(c, k));
    p->ntouches = c->ntouches - p->first_touch;
  }
  CrOverlapDecide(c);
  for (PetscInt k = 0; k < c->ntouches; k++) set_shifts(c, &c->touches[k]);
  CrContactRestart(c);
  CrContactWarnDeep(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrContactIsPressed(const CrContact *c)
{
  for (PetscInt k = 0; k < c->ntouches; k++)
    if (c->touches[k].keeps && c->gd[c->touches[k].point] < 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscReal CrContactReach(const CrContact *c, const PetscReal *u0)
{
  PetscReal x[3], sum = 0;

  for (PetscInt k = 0; k < c->ntouches; k++) {
    const CrTouch *touch = &c->touches[k];
    PetscReal      spring = c->pairs[c->passes[touch->pass].pair].kn * touch->weight;

    if (touch->node < 0) continue; /* of rigid bodies alone */
    CrGatherNode(c, touch->node, u0, x);
    for (PetscInt i = 0; i < c->model->dim; i++) sum += PetscSqr(spring * x[i]);
  }
  return PetscSqrtReal(sum);
}

void CrContactRestart(CrContact *c)
{
  c->iteration = 0;
  c->lost = PETSC_FALSE;
}

/* How far the nodes of a surface ended outside the boxes of the paths that were searched. */
static PetscReal surprise(const CrContact *c, const CrSurface *s, const PetscReal *u1)
{
  PetscInt  dim = c->model->dim;
  PetscReal greatest = 0;

  for (PetscInt k = 0; k < s->nnodes; k++) {
    PetscInt         A = s->nodes[k];
    const PetscReal *box = c->path + 2 * dim * A;

    for (PetscInt i = 0; i < dim; i++) {
      PetscReal x = c->model->X[dim * A + i] + u1[dim * A + i];

      greatest = PetscMax(greatest, PetscMax(box[i] - x, x - box[dim + i]));
    }
  }
  return greatest;
}

/* Points that looked elsewhere and went through a facet. */
static PetscInt count_pierced(CrContact *c, const PetscReal *u0, const PetscReal *u1)
{
  PetscInt  count = 0;
  PetscReal when;

  for (PetscInt k = 0; k < c->ntouches; k++) {
    CrTouch  *touch = &c->touches[k];
    CrInstant start, end;
    PetscInt  f;

    if (!c->passes[touch->pass].master || touch->out.p > 0) continue;
    if (touch->keeps && c->gd[touch->point] < 0) continue; /* bound to its patch */
    CrSlaveAt(c, touch, u0, CR_POSE_START, &start);
    CrSlaveAt(c, touch, u1, CR_POSE_END, &end);
    f = CrFirstPierced(c, touch, &start, &end, PETSC_TRUE, &when);
    if (f < 0) continue;
    touch->idle = touch->keeps = PETSC_FALSE;
    touch->cached = -1;
    touch->locked = PETSC_FALSE;
    bind(c, touch, f, &start);
    touch->gap0 = gap_on(c, touch, f, &start);
    count++;
  }
  return count;
}

PetscErrorCode CrContactReview(CrContact *c, const PetscReal *u0, const PetscReal *v0,
                               const PetscReal *u1, PetscBool *again)
{
  PetscBool surprised = PETSC_FALSE;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npasses && !surprised; k++) {
    const CrPass *p = &c->passes[k];

    if (p->slave && surprise(c, p->slave, u1) > p->reach / 2) surprised = PETSC_TRUE;
    if (p->master && surprise(c, p->master, u1) > p->reach / 2) surprised = PETSC_TRUE;
  }
  if (c->partners && CrPartnersSurprise(c)) surprised = PETSC_TRUE;
  if (c->partners && surprised) CrPartnersGuess(c);
  *again = surprised || count_pierced(c, u0, u1) > 0;
  if (surprised) PetscCall(CrContactBegin(c, u0, v0, u1, c->t, c->h));
  PetscFunctionReturn(PETSC_SUCCESS);
}
