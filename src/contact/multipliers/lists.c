/* Lists of what is near, by the way that surfaces have gone since. */
#include "base/grow.h"
#include "contact/multipliers/lists.h"
#include "contact/internal.h"

#define SKIN       1.0 /* facet sizes: how far surfaces may move until lists are made again */
#define LEVER      4.0 /* gap and foot of a point move at most so much faster than its nodes */
#define MOST_WALKS 16

/* ---- life ------------------------------------------------------------------------------------ */

static PetscErrorCode collect_nodes(CrNearLists *lists)
{
  const CrContact *c = lists->contact;
  char            *seen;
  PetscInt         n = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(c->model->nlocal, &seen));
  for (PetscInt s = 0; s < c->model->nsets; s++)
    for (PetscInt i = 0; c->surfaces[s] && i < c->surfaces[s]->nnodes; i++)
      seen[c->surfaces[s]->nodes[i]] = 1;
  for (PetscInt A = 0; A < c->model->nlocal; A++) n += seen[A];
  PetscCall(PetscMalloc1(n, &lists->nodes));
  for (PetscInt A = 0; A < c->model->nlocal; A++)
    if (seen[A]) lists->nodes[lists->nnodes++] = A;
  PetscCall(PetscFree(seen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearCreate(CrContact *c, CrNearLists **out)
{
  CrNearLists *lists;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&lists));
  lists->contact = c;
  PetscCall(collect_nodes(lists));
  PetscCall(PetscCalloc4(c->npasses, &lists->passes, c->model->nlocal * c->model->dim, &lists->last,
                         3 * c->nobstacles, &lists->shift, 4 * c->model->nsets, &lists->motion));
  PetscCall(PetscCalloc2(c->model->rigid->n, &lists->last_pose, 4 * c->model->rigid->n,
                         &lists->body_motion));
  for (PetscInt k = 0; k < c->npasses; k++) {
    CrNearPass *p = &lists->passes[k];

    p->skin = 2 * SKIN * c->passes[k].reach; /* reach: half a facet */
    PetscCall(PetscMalloc3(c->passes[k].n, &p->item, c->passes[k].n, &p->wake, c->passes[k].n + 1,
                           &p->start));
  }
  *out = lists;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearDestroy(CrNearLists **lists)
{
  PetscFunctionBeginUser;
  if (!*lists) PetscFunctionReturn(PETSC_SUCCESS);
  for (PetscInt k = 0; k < (*lists)->contact->npasses; k++) {
    CrNearPass *p = &(*lists)->passes[k];

    PetscCall(PetscFree3(p->item, p->wake, p->start));
    PetscCall(PetscFree(p->found));
  }
  PetscCall(PetscFree((*lists)->nodes));
  PetscCall(PetscFree4((*lists)->passes, (*lists)->last, (*lists)->shift, (*lists)->motion));
  PetscCall(PetscFree2((*lists)->last_pose, (*lists)->body_motion));
  PetscCall(PetscFree(*lists));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- odometers ------------------------------------------------------------------------------- */

/* How far the nodes of a surface have moved from `base`: the way of its first node, and how far the
   others differ from that. */
static void surface_motion(const CrNearLists *lists, const CrSurface *s, const PetscReal *where,
                           const PetscReal *base, PetscReal motion[4])
{
  PetscInt  dim = lists->contact->model->dim;
  PetscReal greatest = 0;

  for (PetscInt d = 0; d < 3; d++)
    motion[d] = d < dim ? where[dim * s->nodes[0] + d] - base[dim * s->nodes[0] + d] : 0;
  for (PetscInt i = 1; i < s->nnodes; i++) {
    PetscReal sum = 0;

    for (PetscInt d = 0; d < dim; d++)
      sum += PetscSqr(where[dim * s->nodes[i] + d] - base[dim * s->nodes[i] + d] - motion[d]);
    greatest = PetscMax(greatest, sum);
  }
  motion[3] = PetscSqrtReal(greatest);
}

/* The same of a rigid body: the way of its centre, and how far rotation takes others. */
static void body_motion(const CrNearLists *lists, PetscInt b, const CrPose *base,
                        PetscReal motion[4])
{
  const CrRigid *r = lists->contact->model->rigid;
  const CrPose  *pose = &lists->pose[b];
  PetscReal      sum = 0;

  for (int i = 0; i < 3; i++) motion[i] = pose->x[i] - base->x[i];
  for (int i = 0; i < 9; i++) sum += PetscSqr(pose->R[i] - base->R[i]);
  motion[3] = r->shapes[r->shape[b]].reach * PetscSqrtReal(sum);
}

static PetscInt set_of(const CrContact *c, const CrSurface *s)
{
  PetscInt k = 0;

  while (c->surfaces[k] != s) k++;
  return k;
}

/* A bound of how far the surfaces of a pass have moved against each other, of the motions found last;
   shift: where its obstacle was. */
static PetscReal pass_motion(const CrNearLists *lists, const CrPass *p, PetscReal t,
                             const PetscReal *shift)
{
  const CrContact *c = lists->contact;
  const PetscReal *body = p->partner < 0 ? NULL : lists->body_motion + 4 * p->partner;
  const PetscReal *slave = p->slave ? lists->motion + 4 * set_of(c, p->slave) : body;
  const PetscReal  none[4] = {0}, *other = p->slave && body ? body : none;
  PetscReal        now[3], way[3] = {0}, sum = 0;

  if (p->master) other = lists->motion + 4 * set_of(c, p->master);
  if (p->obstacle) CrObstacleShift(p->obstacle, t, now);
  for (int d = 0; p->obstacle && d < 3; d++) way[d] = now[d] - shift[d];
  for (int d = 0; d < 3; d++) sum += PetscSqr(slave[d] - other[d] - way[d]);
  return PetscSqrtReal(sum) + slave[3] + other[3];
}

static void find_motions(CrNearLists *lists, const PetscReal *where, const PetscReal *base,
                         const CrPose *poses)
{
  const CrContact *c = lists->contact;

  for (PetscInt b = 0; b < c->model->rigid->n; b++)
    body_motion(lists, b, &poses[b], lists->body_motion + 4 * b);
  for (PetscInt s = 0; s < c->model->nsets; s++)
    if (c->surfaces[s]) surface_motion(lists, c->surfaces[s], where, base, lists->motion + 4 * s);
}

static void advance_odometers(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;

  find_motions(lists, where, lists->last, lists->last_pose);
  for (PetscInt k = 0; k < c->npasses; k++)
    lists->passes[k].odometer +=
        pass_motion(lists, &c->passes[k], t,
                    c->passes[k].obstacle
                        ? lists->shift + 3 * (c->passes[k].obstacle - c->obstacles)
                        : NULL);
}

/* A point that was outside and has moved no farther than it may lie deep is caught if it is inside
   now. Walls have no other side, but for round ones. */
static PetscReal safe_way(const CrContact *c, const CrPass *p)
{
  const CrRigid *r = c->model->rigid;

  if (p->master) return CrNearDepth(p);
  if (p->slave && p->partner >= 0)
    return PetscMin(CrNearDepth(p), 0.5 * CrShapeInnerRadius(&r->shapes[r->shape[p->partner]]));
  return p->obstacle->kind == CR_SPHERE && !p->obstacle->inside ? 0.5 * p->obstacle->radius
                                                                : PETSC_MAX_REAL;
}

static void remember(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  PetscInt dim = lists->contact->model->dim;

  for (PetscInt i = 0; i < lists->nnodes; i++)
    for (PetscInt r = dim * lists->nodes[i]; r < dim * (lists->nodes[i] + 1); r++)
      lists->last[r] = where[r];
  for (PetscInt o = 0; o < lists->contact->nobstacles; o++)
    CrObstacleShift(&lists->contact->obstacles[o], t, lists->shift + 3 * o);
  for (PetscInt b = 0; b < lists->contact->model->rigid->n; b++)
    lists->last_pose[b] = lists->pose[b];
}

/* ---- lists ----------------------------------------------------------------------------------- */

static PetscErrorCode fit_tree(const CrContact *c, const CrSurface *s, const PetscReal *where,
                               CrTree *tree)
{
  PetscInt dim = c->model->dim;

  PetscFunctionBeginUser;
  for (PetscInt f = 0; f < s->nfacets; f++) {
    PetscReal *box = c->boxes + 2 * dim * f, x[3];

    for (PetscInt a = 0; a < s->ncorners[f]; a++) {
      CrGatherNode(c, s->corners[4 * f + a], where, x);
      for (PetscInt i = 0; i < dim; i++) {
        box[i] = a ? PetscMin(box[i], x[i]) : x[i];
        box[dim + i] = a ? PetscMax(box[dim + i], x[i]) : x[i];
      }
    }
  }
  PetscCall(CrTreeUpdate(tree, c->boxes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Facets near one slave node, appended to the list. */
static PetscErrorCode list_facets(const CrContact *c, const CrPass *pass, PetscInt i,
                                  const PetscReal *where, PetscReal reach, CrNearPass *p)
{
  PetscInt  dim = c->model->dim, first = p->start[p->n], n = first, kept = first;
  PetscReal x[3], box[6];

  PetscFunctionBeginUser;
  CrGatherNode(c, pass->slave->nodes[i], where, x);
  for (PetscInt d = 0; d < dim; d++) {
    box[d] = x[d] - reach;
    box[dim + d] = x[d] + reach;
  }
  while (!CrTreeQuery(pass->tree, box, p->room, p->found, &n)) {
    PetscCall(CrGrow(PetscMax(n, p->room + 1), &p->room, &p->found));
    n = first;
  }
  for (PetscInt k = first; k < n; k++)
    if (!pass->self || !CrIsOwn(pass, i, p->found[k])) p->found[kept++] = p->found[k];
  if (kept == first) PetscFunctionReturn(PETSC_SUCCESS);
  p->item[p->n] = i;
  p->wake[p->n] = PETSC_NINFINITY;
  p->start[p->n + 1] = kept;
  p->n++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How far the boxes of slave nodes and master are apart, at least. */
static PetscReal boxes_apart(const CrContact *c, const CrPass *pass, const PetscReal *where)
{
  PetscInt         dim = c->model->dim;
  const PetscReal *box = CrTreeBox(pass->tree);
  PetscReal        x[3], lo[3], hi[3], apart = 0;

  for (int d = 0; d < 3; d++) {
    lo[d] = PETSC_MAX_REAL;
    hi[d] = PETSC_MIN_REAL;
  }
  for (PetscInt i = 0; i < pass->n; i++) {
    CrGatherNode(c, pass->slave->nodes[i], where, x);
    for (PetscInt d = 0; d < dim; d++) {
      lo[d] = PetscMin(lo[d], x[d]);
      hi[d] = PetscMax(hi[d], x[d]);
    }
  }
  for (PetscInt d = 0; d < dim; d++)
    apart = PetscMax(apart, PetscMax(lo[d] - box[dim + d], box[d] - hi[d]));
  return apart;
}

static PetscErrorCode list_pass(CrNearLists *lists, PetscInt k, const PetscReal *where)
{
  const CrContact *c = lists->contact;
  const CrPass    *pass = &c->passes[k];
  CrNearPass      *p = &lists->passes[k];

  PetscFunctionBeginUser;
  PetscCall(fit_tree(c, pass->master, where, pass->tree));
  for (PetscInt i = 0; i < pass->n; i++)
    PetscCall(list_facets(c, pass, i, where, CrNearDepth(pass) + p->skin, p));
  if (p->n == 0) {
    PetscReal apart = boxes_apart(c, pass, where) - CrNearDepth(pass);

    p->due = PetscMax(p->due, p->made + apart);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A node without facets: walls and rigid bodies. */
static void add_item(CrNearPass *p, PetscInt i)
{
  p->item[p->n] = i;
  p->wake[p->n] = PETSC_NINFINITY;
  p->n++;
}

static void list_wall(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;
  const CrPass    *pass = &c->passes[k];
  CrNearPass      *p = &lists->passes[k];
  PetscReal        x[3], shift[3], least = PETSC_MAX_REAL;

  CrObstacleShift(pass->obstacle, t, shift);
  for (PetscInt i = 0; i < pass->n; i++) {
    PetscReal gap;

    CrGatherNode(c, pass->slave->nodes[i], where, x);
    gap = CrObstacleGap(pass->obstacle, pass->wall, c->model->dim, shift, x);
    least = PetscMin(least, gap);
    if (gap > p->skin) continue;
    add_item(p, i);
  }
  if (p->n == 0) p->due = PetscMax(p->due, p->made + least);
}

/* How far a node is from the rigid body of the pass, at least. */
static PetscReal from_body(const CrContact *c, const CrPass *pass, const CrPose *pose, PetscInt i,
                           const PetscReal *u)
{
  const CrRigid *r = c->model->rigid;
  PetscReal      x[3] = {0}, nu[3];

  CrGatherNode(c, pass->slave->nodes[i], u, x);
  return CrShapeGap(&r->shapes[r->shape[pass->partner]], pose->x, pose->R, x, nu);
}

static void list_body(CrNearLists *lists, PetscInt k, const PetscReal *where)
{
  const CrContact *c = lists->contact;
  const CrPass    *pass = &c->passes[k];
  CrNearPass      *p = &lists->passes[k];
  PetscReal        least = PETSC_MAX_REAL;

  for (PetscInt i = 0; i < pass->n; i++) {
    PetscReal gap = from_body(c, pass, &lists->pose[pass->partner], i, where);

    least = PetscMin(least, gap);
    if (gap > p->skin) continue;
    add_item(p, i);
  }
  if (p->n == 0) p->due = PetscMax(p->due, p->made + least);
}

static PetscReal body_apart(const CrNearLists *lists, const CrPass *pass, const PetscReal *from)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt i = 0; i < pass->n; i++)
    least = PetscMin(least, from_body(lists->contact, pass, &lists->pose0[pass->partner], i, from));
  return least;
}

PetscErrorCode CrNearMove(CrNearLists *lists, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  if (lists->begun) advance_odometers(lists, where, t);
  remember(lists, where, t);
  for (PetscInt k = 0; k < c->npasses; k++) {
    CrNearPass *p = &lists->passes[k];

    if (lists->begun && p->odometer < p->due) continue; /* not a number: lists are made */
    p->n = 0;
    p->start[0] = 0;
    p->made = p->odometer;
    p->due = p->made + p->skin;
    if (!c->passes[k].slave) continue; /* a rigid body on a wall: few points, looked at always */
    if (c->passes[k].master)
      PetscCall(list_pass(lists, k, where));
    else if (c->passes[k].partner >= 0)
      list_body(lists, k, where);
    else
      list_wall(lists, k, where, t);
  }
  lists->begun = PETSC_TRUE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrNearIsTooFar(CrNearLists *lists, const PetscReal *where, PetscReal t,
                              const PetscReal *from, PetscReal t_from, PetscBool *too_far)
{
  const CrContact *c = lists->contact;

  PetscFunctionBeginUser;
  *too_far = PETSC_FALSE;
  find_motions(lists, where, from, lists->pose0);
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];
    PetscReal     shift[3] = {0}, way;

    if (p->obstacle) CrObstacleShift(p->obstacle, t_from, shift);
    way = pass_motion(lists, p, t, shift);
    if (way <= safe_way(c, p)) continue;
    if (p->master) { /* fast, but they may be far apart; asked of `from` alone, not of the lists */
      PetscCall(fit_tree(c, p->master, from, p->tree));
      if (way < boxes_apart(c, p, from)) continue;
    }
    if (p->slave && p->partner >= 0 && way < body_apart(lists, p, from)) continue;
    *too_far = PETSC_TRUE;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- choosing a facet ------------------------------------------------------------------------ */

/* How far a point must move against a facet until it can be caught by it; <= 0: it could be now. */
static PetscReal way_to_catch(const CrProximity *near, PetscReal size, PetscReal overhang,
                              PetscReal depth)
{
  PetscReal beside =
      near->outside < PETSC_MAX_REAL ? (near->outside - overhang) * size : near->distance;

  return PetscMax(beside, PetscMax(near->gap, -near->gap - depth));
}

/* A facet at a glance: no nearer than `distance`, no sooner caught by than after `way`. */
typedef struct {
  PetscReal center, distance, way;
} Glance;

/* From the centre, the farthest corner and the plane through the middle of the facet. */
static void glance(PetscInt dim, PetscInt n, const PetscReal *x, PetscReal size, PetscReal overhang,
                   Glance *g)
{
  PetscReal c[3] = {0}, d[3] = {0}, s[3] = {0}, t[3] = {0, 0, 1}, nu[3], radius = 0, gap = 0;
  PetscReal warp = 0, length;

  for (PetscInt i = 0; i < dim; i++) {
    for (PetscInt a = 1; a <= n; a++) c[i] += x[dim * a + i] / (PetscReal)n;
    d[i] = x[i] - c[i];
    s[i] = x[dim * (n == 4 ? 3 : 2) + i] - x[dim + i];
    if (dim == 3) t[i] = x[dim * n + i] - x[dim * (n == 4 ? 2 : 1) + i];
  }
  for (int i = 0; i < 3; i++)
    nu[i] = s[(i + 1) % 3] * t[(i + 2) % 3] - s[(i + 2) % 3] * t[(i + 1) % 3];
  length = PetscSqrtReal(nu[0] * nu[0] + nu[1] * nu[1] + nu[2] * nu[2]);
  for (PetscInt a = 1; a <= n; a++) {
    PetscReal far = 0, off = 0;

    for (PetscInt i = 0; i < dim; i++) {
      far += PetscSqr(x[dim * a + i] - c[i]);
      off += nu[i] * (x[dim * a + i] - c[i]);
    }
    radius = PetscMax(radius, far);
    warp = PetscMax(warp, PetscAbsReal(off));
  }
  for (PetscInt i = 0; i < dim; i++) gap += nu[i] * d[i];
  g->center = PetscSqrtReal(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  g->distance = g->center - PetscSqrtReal(radius);
  g->way = g->distance - overhang * size;
  if (length > 0) g->way = PetscMax(g->way, (gap - 2 * warp) / length);
}

#define MOST_GLANCES 64

PetscInt CrNearNearest(CrNearLists *lists, PetscInt pass, PetscInt k, const PetscReal *where,
                       PetscReal overhang)
{
  const CrContact *c = lists->contact;
  const CrPass    *p = &c->passes[pass];
  const CrSurface *master = p->master;
  CrNearPass      *list = &lists->passes[pass];
  PetscReal        x[CR_CONTACT_DOFS], normal[3], least = PETSC_MAX_REAL, way = PETSC_MAX_REAL;
  PetscInt         best = -1, first = list->start[k], n = list->start[k + 1] - first, nearest = 0;
  PetscInt         node = p->slave->nodes[list->item[k]];
  CrProximity      near;
  Glance           seen[MOST_GLANCES];

  CrSlaveNormal(c, p, list->item[k], where, normal);
  for (PetscInt j = 0; j < PetscMin(n, MOST_GLANCES); j++) {
    PetscInt f = list->found[first + j], corners = CrGatherFacet(c, master, node, f, where, x);

    glance(c->model->dim, corners, x, master->size[f], overhang, &seen[j]);
    if (seen[j].center < seen[nearest].center) nearest = j;
  }
  for (PetscInt turn = 0; turn < n; turn++) { /* the nearest at a glance first, then the others */
    PetscInt  j = turn == 0 ? nearest : turn <= nearest ? turn - 1 : turn, f, corners;
    PetscReal rank;

    if (j < MOST_GLANCES && seen[j].distance > least) {
      way = PetscMin(way, seen[j].way);
      continue;
    }
    f = list->found[first + j];
    corners = CrGatherFacet(c, master, node, f, where, x);
    CrFacetProximity(c->model->dim, corners, x, &near);
    way = PetscMin(way, way_to_catch(&near, master->size[f], overhang, CrNearDepth(p)));
    if (!CrIsFaced(normal, near.nu)) continue;
    rank = near.distance + 1e-9 * master->size[f] * near.outside; /* breaks ties at edges */
    if (best >= 0 && (rank > least || (rank == least && f > best))) continue;
    least = rank;
    best = f;
  }
  list->wake[k] = list->odometer + way / LEVER;
  return best;
}

void CrNearWall(CrNearLists *lists, PetscInt pass, PetscInt k, PetscReal gap)
{
  lists->passes[pass].wake[k] = lists->passes[pass].odometer + gap;
}

PetscBool CrFootWalk(const CrContact *c, const CrSurface *master, PetscInt node, const PetscReal *u,
                     PetscInt *facet, CrFoot *foot, PetscReal *over)
{
  PetscReal x[CR_CONTACT_DOFS], before = 0;
  PetscInt  last = -1;

  *over = 0;
  for (int walk = 0; walk < MOST_WALKS; walk++) {
    PetscInt f = *facet, n = CrGatherFacet(c, master, node, f, u, x), next;

    if (walk > 0) foot->xi[0] = foot->xi[1] = 0;
    if (!CrFootNear(c->model->dim, n, x, foot)) return PETSC_FALSE;
    if (foot->excess == 0) return PETSC_TRUE;
    next = master->neighbour[4 * f + foot->edge];
    if (next < 0 || master->patch[next] != master->patch[f]) { /* an end of the patch */
      *over = foot->excess;
      return PETSC_TRUE;
    }
    if (next == last) { /* at a ridge: each sends it to the other */
      if (foot->excess < before || (foot->excess == before && f < last)) return PETSC_TRUE;
      *facet = last;
      n = CrGatherFacet(c, master, node, last, u, x);
      return CrFootFind(c->model->dim, n, x, foot);
    }
    last = f;
    before = foot->excess;
    *facet = next;
  }
  return PETSC_TRUE;
}
