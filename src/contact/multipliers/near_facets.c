/* Makes the lists of facets near each slave node, and chooses the facet that a node may touch. */
#include "base/grow.h"
#include "contact/geometry/edges.h"
#include "contact/multipliers/press.h"
#include "rigid/corners.h"

#define LEVER                                                                                      \
  4.0 /* gap and closest point change at most this many times as fast as the nodes move */
#define MOST_WALKS 16
#define CR_FLAT    0.9986 /* cosine of 3 degrees: facets that turn less make no valley */
#define CR_CURVED  0.01 /* radians: facets with a greater slack (features.h) approximate a curve */

/* ---- lists ------------------------------------------------------------------------------------ */

/* Around some points: low, then high. */
typedef PetscReal Box[6];

static void empty_box(PetscInt dim, Box box)
{
  for (PetscInt d = 0; d < dim; d++) {
    box[d] = PETSC_MAX_REAL;
    box[dim + d] = -PETSC_MAX_REAL;
  }
}

static void widen_box(PetscInt dim, const PetscReal *x, Box box)
{
  for (PetscInt d = 0; d < dim; d++) {
    box[d] = PetscMin(box[d], x[d]);
    box[dim + d] = PetscMax(box[dim + d], x[d]);
  }
}

/* The greatest distance between two boxes along an axis; negative if they meet. */
static PetscReal boxes_apart(PetscInt dim, const PetscReal *a, const PetscReal *b)
{
  PetscReal apart = -PETSC_MAX_REAL;

  for (PetscInt d = 0; d < dim; d++)
    apart = PetscMax(apart, PetscMax(a[d] - b[dim + d], b[d] - a[dim + d]));
  return apart;
}

/* The box around the slaves of this rank. */
static void box_of_slaves(const CrNearLists *lists, const CrPass *pass, const CrPose *poses,
                          const PetscReal *where, Box box)
{
  const CrNearPass *p = &lists->passes[pass - lists->contact->passes];
  CrInstant         at;

  empty_box(lists->contact->model->dim, box);
  for (PetscInt j = 0; j < p->nmine; j++) {
    CrSlaveAtPose(lists->contact, pass, p->mine[j], poses, where, &at);
    widen_box(lists->contact->model->dim, at.x, box);
  }
}

/* Puts the facets into the tree that come within `reach` of the box `slaves`, out of those that the scouts found. */
static PetscErrorCode fit_tree(const CrContact *c, const CrPass *pass, const CrScout *near,
                               const PetscReal *where, const Box slaves, PetscReal reach)
{
  const CrSurface *s = pass->master;
  PetscInt         dim = c->model->dim, n = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < near->n; k++) {
    PetscInt   f = near->items[k];
    PetscReal *box = c->work->boxes + 2 * dim * n, x[3];

    empty_box(dim, box);
    for (PetscInt a = 0; a < s->ncorners[f]; a++) {
      CrGatherNode(c, s->corners[4 * f + a], where, x);
      widen_box(dim, x, box);
    }
    if (!(boxes_apart(dim, slaves, box) > reach)) c->work->names[n++] = f;
  }
  PetscCall(CrTreeRename(pass->tree, n, c->work->names));
  CrTreeUpdate(pass->tree, c->work->boxes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrSlaveAtPose(const CrContact *c, const CrPass *p, PetscInt i, const CrPose *poses,
                   const PetscReal *u, CrInstant *at)
{
  PetscReal Y[3];

  at->u = u;
  if (p->ops->slave->is_node) {
    CrGatherNode(c, p->slave->nodes[i], u, at->x);
    return;
  }
  if (CrPassHasSamples(p)) { /* the middle of an edge */
    for (int a = 0; a < 2; a++) {
      CrGatherNode(c, p->samples->list[i].nodes[a], u, Y);
      for (int d = 0; d < 3; d++) at->x[d] = (a ? at->x[d] : 0) + Y[d] / 2;
    }
    return;
  }
  CrBodyPoint(c, p, i, Y);
  at->R = poses[p->partner].R;
  m_times(at->R, Y, at->x);
  v_add(at->x, 1, poses[p->partner].x);
}

/* Appends the facets near one slave to the list. */
static PetscErrorCode list_facets(const CrNearLists *lists, const CrPass *pass, PetscInt i,
                                  const PetscReal *where, PetscReal reach, CrNearPass *p)
{
  PetscInt  dim = lists->contact->model->dim;
  PetscReal box[6];
  CrInstant at;

  PetscFunctionBeginUser;
  CrSlaveAtPose(lists->contact, pass, i, lists->pose, where, &at);
  for (PetscInt d = 0; d < dim; d++) {
    box[d] = at.x[d] - reach;
    box[dim + d] = at.x[d] + reach;
  }
  PetscCall(CrNearAddFound(pass, i, box, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrNearAskFacets(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal box[6])
{
  const PetscInt dim = lists->contact->model->dim;
  Box            slaves;

  box_of_slaves(lists, &lists->contact->passes[k], lists->pose, where, slaves);
  for (PetscInt d = 0; d < dim; d++) {
    box[d] = slaves[d];
    box[3 + d] = slaves[dim + d];
  }
}

PetscErrorCode CrNearListFacets(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;
  const CrPass    *pass = &c->passes[k];
  CrNearPass      *p = &lists->passes[k];
  const PetscReal  reach = CrNearDepth(pass) + pass->extent + p->skin;
  const PetscReal *all = lists->scouts->list[k].all;
  const PetscInt   dim = c->model->dim;
  Box              slaves, master;

  PetscFunctionBeginUser;
  (void)t;
  box_of_slaves(lists, pass, lists->pose, where, slaves);
  PetscCall(fit_tree(c, pass, &lists->scouts->list[k], where, slaves, reach));
  for (PetscInt j = 0; j < p->nmine; j++)
    PetscCall(list_facets(lists, pass, p->mine[j], where, reach, p));
  if (p->n == 0) {
    PetscReal apart;

    for (PetscInt d = 0; d < dim; d++) {
      master[d] = all[d];
      master[dim + d] = all[3 + d];
    }
    apart = PetscMax(0, boxes_apart(dim, slaves, master)) - CrNearDepth(pass) - pass->extent;
    p->due = PetscMax(p->due, p->made + apart);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every rank knows the positions of its own nodes. */
PetscErrorCode CrNearFacetsApart(const CrNearLists *lists, const CrPass *pass,
                                 const PetscReal *from, PetscReal *apart)
{
  const CrContact *c = lists->contact;
  const PetscInt   dim = c->model->dim, s = lists->passes[pass - c->passes].master;
  Box              boxes[2];

  PetscFunctionBeginUser;
  box_of_slaves(lists, pass, lists->pose0, from, boxes[0]);
  empty_box(dim, boxes[1]);
  for (PetscInt k = lists->own_start[s]; k < lists->own_start[s + 1]; k++) {
    PetscReal x[3];

    CrGatherNode(c, lists->own[k], from, x);
    widen_box(dim, x, boxes[1]);
  }
  for (int side = 0; side < 2; side++) { /* all greatest values: low ends with their signs turned */
    for (PetscInt d = 0; d < dim; d++) boxes[side][d] = -boxes[side][d];
    PetscCall(CrRoundsGreatest(lists->rounds, 2 * dim, boxes[side]));
    for (PetscInt d = 0; d < dim; d++) boxes[side][d] = -boxes[side][d];
  }
  *apart = PetscMax(0, boxes_apart(dim, boxes[0], boxes[1]) - pass->extent);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- choosing a facet ------------------------------------------------------------------------ */

/* The least displacement of a point relative to a facet after which it can be in contact; <= 0: it can be now.
   */
static PetscReal way_to_catch(const CrProximity *near, PetscReal size, PetscReal overhang,
                              PetscReal depth)
{
  PetscReal beside =
      near->outside < PETSC_MAX_REAL ? (near->outside - overhang) * size : near->distance;

  return PetscMax(beside, PetscMax(near->gap, -near->gap - depth));
}

/* Cheap lower bounds for a facet: its distance, and the displacement `way` before which it cannot be in
   contact. */
typedef struct {
  PetscReal center, distance, way;
} Glance;

/* Computes the bounds from the centre, the farthest corner and the plane through the middle of the facet. */
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
  v_cross(s, t, nu);
  length = v_length(nu);
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
  g->center = v_length(d);
  g->distance = g->center - PetscSqrtReal(radius);
  g->way = g->distance - overhang * size;
  if (length > 0) g->way = PetscMax(g->way, (gap - 2 * warp) / length);
}

/* ---- who may touch ----------------------------------------------------------------------------- */

/* The data that decide whether a slave may touch a facet: its cone of normals at t_n, or the mean normal of a node
   (`sides: first`). R0 is the rotation of its rigid body at t_n; NULL: the slave is a node. */
typedef struct {
  const CrPair    *pair;
  const PetscReal *u0, *R0;
  PetscReal        normal[3];
} Cone;

static void open_cone(const CrNearLists *lists, const CrPass *p, PetscInt i, const PetscReal *u0,
                      const PetscReal *where, Cone *cone)
{
  cone->pair = &lists->contact->pairs[p->pair];
  cone->u0 = u0;
  cone->R0 = p->ops->slave->is_node ? NULL : lists->pose0[p->partner].R;
  for (int d = 0; d < 3; d++) cone->normal[d] = 0; /* a corner of a body faces everything */
  if (!p->cones && !cone->R0) CrSlaveNormal(lists->contact, p, i, where, cone->normal);
}

/* Centre and normal of a facet. */
static void look_at(const CrContact *c, const CrSurface *s, PetscInt f, const PetscReal *u,
                    PetscReal centre[3], PetscReal n[3])
{
  PetscReal x[4][3];
  PetscInt  nc = CrFacetCorners(c->model, s->ncorners, s->corners, f, u, x);

  CrFacetCentre(nc, x, centre);
  CrFacetNormal(nc, x, n);
}

/* The slack of a facet (features.h) in the present configuration: half of the greatest convex angle below 60 degrees at
   an edge of the facet. At the boundary of a contact region a surface bends more than in the reference shape. Its
   facets then approximate it less well. */
static PetscReal slack_now(const CrContact *c, const CrSurface *s, PetscInt f, const PetscReal *u)
{
  PetscReal from[3], n[3], slack = 0;

  look_at(c, s, f, u, from, n);
  for (PetscInt a = 0; a < s->ncorners[f]; a++) {
    PetscReal to[3], m[3], cosine;

    if (s->neighbour[4 * f + a] < 0) continue;
    look_at(c, s, s->neighbour[4 * f + a], u, to, m);
    cosine = v_dot(n, m);
    if (cosine > 0.5 && v_dot(n, to) < v_dot(n, from))
      slack = PetscMax(slack, PetscAcosReal(PetscMin(cosine, 1)) / 2);
  }
  return slack;
}

PetscBool CrNearIsValley(const CrContact *c, const CrSurface *s, PetscInt f, PetscInt g,
                         const PetscReal *u)
{
  PetscReal from[3], to[3], n[3], m[3];

  look_at(c, s, f, u, from, n);
  look_at(c, s, g, u, to, m);
  return v_dot(n, to) > v_dot(n, from) && v_dot(n, m) < CR_FLAT;
}

PetscBool CrNearIsConcave(const CrContact *c, const CrSurface *s, PetscInt f, PetscInt g,
                          const PetscReal *u)
{
  PetscReal from[3], to[3], n[3], m[3];

  look_at(c, s, f, u, from, n);
  look_at(c, s, g, u, to, m);
  return v_dot(n, to) > v_dot(n, from);
}

/* Does the cone of the i-th slave admit the normal nu, up to the angle tol? */
static PetscBool is_in_cone(const CrContact *c, const CrPass *p, PetscInt i, const Cone *cone,
                            const PetscReal nu[3], PetscReal tol)
{
  if (cone->R0) return CrBodyPointIsAdmitted(c, p, i, cone->R0, nu, tol);
  return CrIsAdmitted(c->model, p->slave, i, cone->u0, nu, tol);
}

static PetscBool admits(const CrContact *c, const CrPass *p, PetscInt i, const Cone *cone,
                        PetscInt facet, const PetscReal nu[3])
{
  PetscReal tol = cone->pair->cone, slack = p->master->features->slack[facet];

  if (!p->cones) return CrIsFaced(cone->normal, nu);
  if (is_in_cone(c, p, i, cone, nu, tol + slack)) return PETSC_TRUE;
  if (!(slack > CR_CURVED)) return PETSC_FALSE; /* the facet is part of a flat face */
  slack = slack_now(c, p->master, facet, cone->u0);
  return is_in_cone(c, p, i, cone, nu, tol + slack);
}

PetscBool CrNearAdmits(const CrNearLists *lists, const CrPass *p, PetscInt i, PetscInt facet,
                       const PetscReal *u0, const PetscReal *where)
{
  const CrContact *c = lists->contact;
  PetscReal        x[CR_CONTACT_DOFS];
  PetscInt         n;
  CrInstant        at;
  CrProximity      near;
  Cone             cone;

  CrSlaveAtPose(c, p, i, lists->pose, where, &at);
  n = CrGatherAt(c, p->master, facet, &at, x);
  open_cone(lists, p, i, u0, where, &cone);
  CrFacetProximity(c->model->dim, n, x, &near);
  return admits(c, p, i, &cone, facet, near.nu);
}

#define MOST_GLANCES 64

PetscInt CrNearNearest(CrNearLists *lists, PetscInt pass, PetscInt k, const PetscReal *u0,
                       const PetscReal *where, PetscReal overhang)
{
  const CrContact *c = lists->contact;
  const CrPass    *p = &c->passes[pass];
  const CrSurface *master = p->master;
  CrNearPass      *list = &lists->passes[pass];
  PetscReal        x[CR_CONTACT_DOFS], least = PETSC_MAX_REAL, way = PETSC_MAX_REAL;
  PetscInt         best = -1, first = list->start[k], n = list->start[k + 1] - first, nearest = 0;
  PetscReal        depth = 0;
  CrInstant        at;
  CrProximity      near, any = {.distance = PETSC_MAX_REAL};
  Glance           seen[MOST_GLANCES];
  Cone             cone;

  open_cone(lists, p, list->item[k], u0, where, &cone);
  CrSlaveAtPose(c, p, list->item[k], lists->pose, where, &at);
  for (PetscInt j = 0; j < PetscMin(n, MOST_GLANCES); j++) {
    PetscInt f = list->found[first + j], corners = CrGatherAt(c, master, f, &at, x);

    glance(c->model->dim, corners, x, master->size[f], overhang, &seen[j]);
    if (seen[j].center < seen[nearest].center) nearest = j;
  }
  for (PetscInt turn = 0; turn < n;
       turn++) { /* the facet that seems nearest first, then the others */
    PetscInt  j = turn == 0 ? nearest : turn <= nearest ? turn - 1 : turn, f, corners;
    PetscReal rank;

    if (j < MOST_GLANCES && seen[j].distance > least) {
      way = PetscMin(way, seen[j].way);
      continue;
    }
    f = list->found[first + j];
    corners = CrGatherAt(c, master, f, &at, x);
    CrFacetProximity(c->model->dim, corners, x, &near);
    way = PetscMin(way, way_to_catch(&near, master->size[f], overhang, CrNearDepth(p)));
    rank = near.distance + 1e-9 * master->size[f] * near.outside; /* breaks ties at edges */
    if (near.distance < any.distance) any = near;
    if (best >= 0 && (rank > least || (rank == least && f > best))) continue;
    if (!admits(c, p, list->item[k], &cone, f, near.nu)) continue;
    least = rank;
    best = f;
    depth = -near.gap / master->size[f];
  }
  list->wake[k] = list->odometer + way / LEVER;
  /* before a nearer facet, whichever, a point that is far behind this one is outside */
  if (p->cones && !p->self && any.gap > 0 && any.distance < least && depth > OPEN_EDGE) return -1;
  return best;
}

PetscBool CrFootWalk(const CrContact *c, const CrSurface *master, const CrInstant *at,
                     PetscInt *facet, CrFoot *foot, PetscReal *over)
{
  PetscReal x[CR_CONTACT_DOFS], before = 0;
  PetscInt  last = -1;

  *over = 0;
  for (int walk = 0; walk < MOST_WALKS; walk++) {
    PetscInt f = *facet, n = CrGatherAt(c, master, f, at, x), next;

    if (walk > 0) foot->xi[0] = foot->xi[1] = 0;
    if (!CrFootNear(c->model->dim, n, x, foot)) return PETSC_FALSE;
    if (foot->excess == 0) return PETSC_TRUE;
    next = master->neighbour[4 * f + foot->edge];
    if (next < 0 || master->patch[next] != master->patch[f]) { /* an end of the patch */
      *over = foot->excess;
      return PETSC_TRUE;
    }
    if (next == last) { /* at a ridge, each facet sends the point to the other */
      if (foot->excess < before || (foot->excess == before && f < last)) return PETSC_TRUE;
      *facet = last;
      n = CrGatherAt(c, master, last, at, x);
      return CrFootFind(c->model->dim, n, x, foot);
    }
    last = f;
    before = foot->excess;
    *facet = next;
  }
  return PETSC_TRUE;
}
