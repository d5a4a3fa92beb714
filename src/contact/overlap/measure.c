/* Measures the overlaps at one time: finds the penetration of every item that may be inside a body, and keeps the
   deepest ones of each pair. */
#include "base/vector.h"
#include "contact/overlap/internal.h"
#include "rigid/corners.h"

#define NOISE 1e-9 /* of a facet: a smaller penetration is rounding, and needs no contact */
#define ABOVE 1e-6 /* of a facet: height above a node of the point that tests self-penetration */

/* ---- one item inside -------------------------------------------------------------------------- */

/* Sets the facet size of an item. Returns a lower bound of the thickness of the bodies there. */
static PetscReal sizes(const CrOverlaps *o, CrInside *in)
{
  const CrRigid *rigid = o->contact->model->rigid;
  PetscReal      least = PETSC_MAX_REAL;

  in->size = PETSC_MAX_REAL;
  if (in->look->body >= 0) least = 2 * CrShapeInnerRadius(CrRigidShape(rigid, in->look->body));
  if (in->node >= 0) {
    const CrSurface *s = o->shells[in->look->from]->surface;

    in->size = CrLeastAround(s, in->node, s->size);
    least = PetscMin(least, CrLeastAround(s, in->node, s->height));
  }
  if (in->facet >= 0) {
    in->size = PetscMin(in->size, o->shells[in->look->into]->surface->size[in->facet]);
    least = PetscMin(least, o->shells[in->look->into]->surface->height[in->facet]);
  }
  return least;
}

/* Notes an item that penetrates. Whether contact has seen it is decided when all items are known (settle). */
static PetscErrorCode enter(CrOverlaps *o, PetscInt i, CrInside *in)
{
  CrPairOverlap *pair = &o->pairs[in->look->pair];

  PetscFunctionBeginUser;
  in->item = in->look->first + i;
  in->layer = sizes(o, in);
  in->beyond = in->depth - o->start[in->item]; /* start: 0 in the first row */
  if (!o->begun) o->start[in->item] = in->depth;
  pair->deep[in->look->way] = PetscMax(pair->deep[in->look->way], in->depth);
  if (!(in->beyond > NOISE * in->size)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrListGrow(&o->inside, 1));
  o->inside.at[o->inside.n++] = *in;
  /* no body is thinner than its first layer of elements */
  if (in->beyond > CR_MIDDLE * in->layer / 2) PetscCall(CrThicknessAskAt(o, in));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The item has to wait until the thickness of a body is known. */
static PetscErrorCode wait_for_thickness(CrOverlaps *o, const CrLook *look, PetscInt i)
{
  PetscFunctionBeginUser;
  PetscCall(CrListGrow(&o->waiting, 2));
  o->waiting.at[o->waiting.n++] = (PetscInt)(look - o->looks);
  o->waiting.at[o->waiting.n++] = i;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes and edges in a surface ------------------------------------------------------------- */

/* Do two boxes meet, or come as near as this? */
static PetscBool do_meet(const PetscReal a[6], const PetscReal b[6], PetscReal near)
{
  for (int i = 0; i < 3; i++)
    if (a[i] > b[3 + i] + near || b[i] > a[3 + i] + near) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* The penetration of x into the shell of a look; 0: x is outside. *away: x cannot be inside before a displacement of
   this length. Behind an open surface, a point deeper than the body's thickness is outside again. *known is false if this
   thickness is not known yet; the penetration is then 0. */
static PetscErrorCode depth_in(CrOverlaps *o, const CrLook *look, const PetscReal x[3],
                               PetscReal radius, CrShellFoot *foot, PetscReal *depth,
                               PetscReal *away, PetscBool *known)
{
  const CrSurface *s = o->shells[look->into]->surface;
  PetscReal        thick, into;

  PetscFunctionBeginUser;
  CrShellFootOf(o->shells[look->into], x, foot);
  *away = *depth = 0;
  *known = PETSC_TRUE;
  if (foot->facet < 0) PetscFunctionReturn(PETSC_SUCCESS);
  CrShellRefine(o->shells[look->into], x, foot);
  if (foot->rim) *away = PetscMax(0, PetscAbsReal(foot->distance) - o->behind[look->into]);
  if (foot->rim) PetscFunctionReturn(PETSC_SUCCESS);
  into = radius - foot->distance;
  if (!(into > 0)) {
    *away = -into;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  *depth = into;
  if (-foot->distance <= s->height[foot->facet]) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrThicknessAsk(o, look->into, foot->facet, &thick));
  *known = thick > 0;
  if (-foot->distance <= thick) PetscFunctionReturn(PETSC_SUCCESS);
  *away = -foot->distance - thick;
  *depth = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode look_at_node(CrOverlaps *o, const CrLook *look, PetscInt i, CrInside *in)
{
  CrShell         *from = o->shells[look->from], *into = o->shells[look->into];
  PetscReal        moved = from->moved + into->moved, *until = &o->until[look->first + i], away;
  const PetscReal *x;
  CrShellFoot      foot = {.facet = -1};
  PetscBool        known = PETSC_TRUE;

  PetscFunctionBeginUser;
  if (*until > moved) PetscFunctionReturn(PETSC_SUCCESS);
  x = CrShellNode(from, i);
  in->node = i;
  v_copy(x, in->place);
  away = CrBoxDistance(into->box, x) - o->behind[look->into];
  if (!(away > 0)) PetscCall(depth_in(o, look, x, 0, &foot, &in->depth, &away, &known));
  in->facet = foot.facet;
  if (known)
    *until = moved + away;
  else
    PetscCall(wait_for_thickness(o, look, i));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Compares a body with itself. A node penetrates another part of the body if the point just above the node is inside
   the body. This can change only after the node has come near a facet that is not its own. */
static void look_at_self(CrOverlaps *o, const CrLook *look, PetscInt i, CrInside *in)
{
  CrShell    *s = o->shells[look->from];
  PetscReal   moved = 2 * s->moved, *until = &o->until[look->first + i], above[3], normal[3];
  CrShellFoot foot;

  if (*until > moved) return;
  CrShellOtherFoot(s, i, &foot);
  *until = moved + foot.distance;
  if (foot.facet < 0 || s->surface->rim[i]) return;
  CrShellNodeNormal(s, i, normal);
  v_copy(CrShellNode(s, i), above);
  v_add(above, ABOVE * s->surface->mean_size, normal);
  if (!CrShellIsInside(s, above, o->room, o->found)) return;
  *until = moved;
  in->node = i;
  in->depth = foot.distance;
  in->facet = foot.facet;
  v_copy(CrShellNode(s, i), in->place);
}

static void look_at_edge(CrOverlaps *o, const CrLook *look, PetscInt k, CrInside *in)
{
  const CrShell   *from = o->shells[look->from], *into = o->shells[look->into];
  const PetscReal *p = CrShellNode(from, from->edges[2 * k]),
                  *q = CrShellNode(from, from->edges[2 * k + 1]);
  PetscReal   box[6];
  CrShellFoot foot;

  for (int i = 0; i < 3; i++) {
    box[i] = PetscMin(p[i], q[i]);
    box[3 + i] = PetscMax(p[i], q[i]);
  }
  if (!do_meet(box, into->box, 0)) return;
  in->depth = CrShellEdgeDepth(into, p, q, o->room, o->found, &foot);
  if (!(in->depth > 0)) return;
  in->node = from->edges[2 * k];
  in->facet = foot.facet;
  v_copy(foot.foot, in->place);
}

/* ---- walls and rigid bodies ------------------------------------------------------------------- */

static void look_at_wall(CrOverlaps *o, const CrLook *look, const PetscReal shift[3], PetscInt i,
                         CrInside *in)
{
  const CrShell *from = o->shells[look->from];
  PetscReal      gap, *until = &o->until[look->first + i];

  if (*until > from->moved) return;
  gap = CrObstacleGap(look->obstacle, look->wall, o->contact->model->dim, shift,
                      CrShellNode(from, i));
  if (gap >= 0) {
    *until = from->moved + gap;
    for (int j = 0; j < 3; j++) /* a wall that moves may come nearer by itself */
      if (look->obstacle->velocity[j] != 0 || look->obstacle->acceleration[j] != 0) *until = 0;
    return;
  }
  in->node = i;
  in->depth = -gap;
  v_copy(CrShellNode(from, i), in->place);
}

static void look_at_body(const CrOverlaps *o, const CrLook *look, const CrPose *pose, PetscInt i,
                         CrInside *in)
{
  const CrShape   *shape = CrRigidShape(o->contact->model->rigid, look->body);
  const PetscReal *at = CrShellNode(o->shells[look->from], i);
  PetscReal        way[3], nu[3];

  v_less(at, pose->x, way);
  if (v_dot(way, way) >= PetscSqr(shape->reach)) return;
  in->node = i;
  in->depth = -CrShapeGap(shape, pose->x, pose->R, at, nu);
  v_copy(at, in->place);
}

/* A sharp edge of a surface that goes through a polytope. */
static void look_at_edge_in_body(const CrOverlaps *o, const CrLook *look, const CrPose *pose,
                                 PetscInt k, CrInside *in)
{
  const CrShape *shape = CrRigidShape(o->contact->model->rigid, look->body);
  const CrShell *from = o->shells[look->from];
  PetscReal      way[3], X[2][3], place[3];

  for (int a = 0; a < 2; a++) {
    v_less(CrShellNode(from, from->edges[2 * k + a]), pose->x, way);
    m_back(pose->R, way, X[a]);
  }
  in->depth = CrLineDepth(shape, X[0], X[1], place);
  if (!(in->depth > 0)) return;
  in->node = from->edges[2 * k];
  m_times(pose->R, place, in->place);
  v_add(in->place, 1, pose->x);
}

/* The distance by which a shape extends from its i-th point towards a facet: the radius of a round end, or the extent
   of an ellipsoid against the facet's normal. */
static PetscReal extent(const CrShape *shape, const CrShell *into, PetscInt facet,
                        const PetscReal R[9], PetscReal radius)
{
  PetscReal nu[3], reach[3];

  if (shape->kind != CR_SHAPE_ELLIPSOID) return radius;
  CrShellNormal(into, facet, nu);
  CrEllipsoidReach(shape, R, nu, reach);
  return PetscAbsReal(v_dot(nu, reach));
}

static PetscErrorCode look_at_point(CrOverlaps *o, const CrLook *look, const CrPose *pose,
                                    PetscInt i, CrInside *in)
{
  const CrShape *shape = CrRigidShape(o->contact->model->rigid, look->body);
  const CrShell *into = o->shells[look->into];
  PetscReal      x[3], radius = CrLookPoint(o, look, pose, i, x), away;
  CrShellFoot    foot;
  PetscBool      known;

  PetscFunctionBeginUser;
  CrShellFootOf(into, x, &foot);
  if (foot.facet < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(depth_in(o, look, x, extent(shape, into, foot.facet, pose->R, radius), &foot,
                     &in->depth, &away, &known));
  in->facet = foot.facet;
  v_copy(foot.foot, in->place);
  if (!known) PetscCall(wait_for_thickness(o, look, i));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the row ---------------------------------------------------------------------------------- */

/* Are both sides of a look too far apart for any item to be inside? */
static PetscBool is_far(const CrOverlaps *o, const CrLook *l, const CrPose *pose)
{
  const CrShell *from = l->from < 0 ? NULL : o->shells[l->from],
                *into = l->into < 0 ? NULL : o->shells[l->into];
  PetscReal reach = l->body < 0 ? 0 : CrRigidShape(o->contact->model->rigid, l->body)->reach;

  if (l->kind <= CR_EDGES_IN_SHELL) return !do_meet(from->box, into->box, o->behind[l->into]);
  if (l->kind == CR_EDGES_IN_BODY) return CrBoxDistance(from->box, pose->x) > reach;
  if (l->kind == CR_POINTS_IN_SHELL)
    return l->asleep || CrBoxDistance(into->box, pose->x) > reach + o->behind[l->into];
  return PETSC_FALSE;
}

/* What all items of a look meet: a pose of the rigid body, or a position of the wall. */
typedef struct {
  CrPose    pose;
  PetscReal shift[3];
} Other;

static Other other_of(const CrOverlaps *o, const CrLook *l, const CrState *state)
{
  Other other = {0};

  if (l->body >= 0) CrPoseGet(o->contact->model->rigid, state->rigid, l->body, &other.pose);
  if (l->obstacle) CrObstacleShift(l->obstacle, state->t, other.shift);
  return other;
}

/* Looks at item i, and enters it if it is inside. */
static PetscErrorCode look_at(CrOverlaps *o, const CrLook *l, const Other *other, PetscInt i)
{
  CrInside in = {.look = l, .node = -1, .facet = -1};

  PetscFunctionBeginUser;
  switch (l->kind) {
  case CR_NODES_IN_SHELL: PetscCall(look_at_node(o, l, i, &in)); break;
  case CR_NODES_IN_SELF: look_at_self(o, l, i, &in); break;
  case CR_EDGES_IN_SHELL: look_at_edge(o, l, i, &in); break;
  case CR_NODES_IN_WALL: look_at_wall(o, l, other->shift, i, &in); break;
  case CR_NODES_IN_BODY: look_at_body(o, l, &other->pose, i, &in); break;
  case CR_POINTS_IN_SHELL: PetscCall(look_at_point(o, l, &other->pose, i, &in)); break;
  case CR_EDGES_IN_BODY: look_at_edge_in_body(o, l, &other->pose, i, &in); break;
  }
  if (in.depth > 0) PetscCall(enter(o, i, &in));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Looks at all items of this rank. Those that had to wait for a thickness come after the others. */
static PetscErrorCode look_at_all(CrOverlaps *o, const CrState *state)
{
  PetscFunctionBeginUser;
  o->inside.n = o->waiting.n = o->asked.n = 0;
  for (PetscInt k = 0; k < o->nlooks; k++) {
    const CrLook *l = &o->looks[k];
    const Other   other = other_of(o, l, state);

    if (!l->nmine || is_far(o, l, &other.pose)) continue;
    if (l->into >= 0) PetscCall(CrShellFit(o->shells[l->into]));
    for (PetscInt i = l->mine; i < l->mine + l->nmine; i++)
      PetscCall(look_at(o, l, &other, o->mine[i]));
  }
  PetscCall(CrThicknessFind(o));
  for (PetscInt k = 0; k < o->waiting.n; k += 2) {
    const CrLook *l = &o->looks[o->waiting.at[k]];
    const Other   other = other_of(o, l, state);

    PetscCall(look_at(o, l, &other, o->waiting.at[k + 1]));
  }
  PetscCall(CrThicknessFind(o));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void begin_row(CrOverlaps *o)
{
  for (PetscInt k = 0; k < o->contact->npairs; k++) {
    CrPairOverlap *pair = &o->pairs[k];

    pair->deep[0] = pair->deep[1] = 0;
    pair->worst.beyond = pair->pressed.beyond = pair->through.beyond = pair->first.beyond = 0;
  }
}

/* Keeps the deeper one of two items, and of equally deep ones that with the lower number. */
static void keep_deeper(const CrInside *in, CrInside *deepest)
{
  if (in->beyond > deepest->beyond ||
      (in->beyond == deepest->beyond && in->beyond > 0 && in->item < deepest->item))
    *deepest = *in;
}

static void settle(CrOverlaps *o, CrInside *in)
{
  CrPairOverlap *pair = &o->pairs[in->look->pair];
  PetscReal      limit;

  if (o->begun) {
    in->seen = CrInsideIsSeen(o, in);
    if (!in->seen) keep_deeper(in, &pair->worst);
    if (in->seen && CrInsideIsPressed(o, in)) keep_deeper(in, &pair->pressed);
  } else {
    keep_deeper(in, &pair->first);
    if (o->contact->pairs[in->look->pair].resolve) return; /* contact will push it out */
  }
  if (!(in->beyond > CR_MIDDLE * in->layer / 2)) return;
  in->half = CrInsideHalf(o, in, &limit);
  if (in->beyond > limit) keep_deeper(in, &pair->through);
}

static int by_pair(const void *a, const void *b)
{
  const CrInside *x = a, *y = b;

  if (x->look->pair != y->look->pair) return x->look->pair < y->look->pair ? -1 : 1;
  return (x->item > y->item) - (x->item < y->item);
}

/* Settles pair after pair, because marks of pressed points are those of one pair. All ranks take the same pairs. */
static PetscErrorCode settle_all(CrOverlaps *o)
{
  const PetscInt npairs = o->contact->npairs;
  PetscInt      *wanted = o->ints, at = 0;

  PetscFunctionBeginUser;
  if (o->inside.n) qsort(o->inside.at, (size_t)o->inside.n, sizeof *o->inside.at, by_pair);
  for (PetscInt k = 0; k < npairs; k++) wanted[k] = 0;
  for (PetscInt k = 0; k < o->inside.n; k++) wanted[o->inside.at[k].look->pair] = 1;
  if (o->ranks > 1)
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, wanted, (PetscMPIInt)npairs, MPIU_INT, MPI_MAX,
                               o->contact->model->comm));
  for (PetscInt k = 0; k < npairs; k++) {
    if (!wanted[k]) continue;
    PetscCall(CrOverlapsHold(o, k));
    for (; at < o->inside.n && o->inside.at[at].look->pair == k; at++) settle(o, &o->inside.at[at]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void end_row(CrOverlaps *o)
{
  for (PetscInt k = 0; k < o->contact->npairs; k++) {
    PetscReal *row = o->contact->picture->overlap + 3 * k;

    row[0] = o->pairs[k].deep[0];
    row[1] = o->pairs[k].deep[1];
    row[2] = o->pairs[k].worst.beyond;
    for (int i = 0; i < 3; i++) o->greatest[3 * k + i] = PetscMax(o->greatest[3 * k + i], row[i]);
  }
  o->begun = 1;
}

PetscErrorCode CrOverlapsMeasure(CrOverlaps *o, const CrState *state)
{
  PetscReal *u;

  PetscFunctionBeginUser;
  begin_row(o);
  PetscCall(VecGetArray(state->u, &u)); /* ghosts are brought up to date */
  PetscCall(CrOverlapsPlace(o, state->rigid, u));
  PetscCall(VecRestoreArray(state->u, &u));
  PetscCall(look_at_all(o, state));
  PetscCall(settle_all(o));
  PetscCall(CrOverlapsReduce(o));
  end_row(o);
  PetscCall(CrOverlapsJudge(o, state->t));
  PetscFunctionReturn(PETSC_SUCCESS);
}
