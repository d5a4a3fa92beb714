/* Measures the overlaps at one time: finds the penetration of every item that may be inside a body, and keeps the
   deepest ones of each pair. */
#include "base/vector.h"
#include "contact/overlap/internal.h"
#include "rigid/corners.h"

#define NOISE 1e-9 /* of a facet: a smaller penetration is rounding, and needs no contact */
#define ABOVE 1e-6 /* of a facet: height above a node of the point that tests self-penetration */

/* ---- one item inside -------------------------------------------------------------------------- */

/* The least facet around a node. */
static PetscReal size_at(const CrSurface *s, PetscInt i)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
    least = PetscMin(least, s->size[s->around[k]]);
  return least;
}

static PetscReal height_at(const CrSurface *s, PetscInt i)
{
  PetscReal least = PETSC_MAX_REAL;

  for (PetscInt k = s->around_start[i]; k < s->around_start[i + 1]; k++)
    least = PetscMin(least, s->height[s->around[k]]);
  return least;
}

/* Sets the facet size of an item. Returns a lower bound of the thickness of the bodies there. */
static PetscReal sizes(const CrOverlaps *o, CrInside *in)
{
  const CrRigid *rigid = o->contact->model->rigid;
  PetscReal      least = PETSC_MAX_REAL;

  in->size = PETSC_MAX_REAL;
  if (in->look->body >= 0) least = 2 * CrShapeInnerRadius(CrRigidShape(rigid, in->look->body));
  if (in->node >= 0) {
    in->size = size_at(o->shells[in->look->from]->surface, in->node);
    least = PetscMin(least, height_at(o->shells[in->look->from]->surface, in->node));
  }
  if (in->facet >= 0) {
    in->size = PetscMin(in->size, o->shells[in->look->into]->surface->size[in->facet]);
    least = PetscMin(least, o->shells[in->look->into]->surface->height[in->facet]);
  }
  return least;
}

static void enter(CrOverlaps *o, PetscInt item, CrInside *in)
{
  CrPairOverlap *pair = &o->pairs[in->look->pair];
  PetscReal      layer = sizes(o, in);

  if (!o->begun) o->start[item] = in->depth;
  in->beyond = in->depth - o->start[item];
  pair->deep[in->look->way] = PetscMax(pair->deep[in->look->way], in->depth);
  if (!(in->beyond > NOISE * in->size)) return;
  in->seen = CrInsideIsSeen(o, in);
  if (!in->seen && in->beyond > pair->unseen) {
    pair->unseen = in->beyond;
    pair->worst = *in;
  }
  if (in->seen && in->beyond > pair->pressed.beyond && CrInsideIsPressed(o, in))
    pair->pressed = *in;
  if (!(in->beyond > layer / 2)) return; /* no body is thinner than its first layer of elements */
  in->half = CrInsideHalf(o, in);
  if (in->beyond > in->half && in->beyond > pair->through.beyond) pair->through = *in;
}

/* ---- nodes and edges in a surface ------------------------------------------------------------- */

/* Distance of a point from a box. */
static PetscReal box_distance(const PetscReal box[6], const PetscReal x[3])
{
  PetscReal sum = 0;

  for (int i = 0; i < 3; i++)
    sum += PetscSqr(PetscMax(0, PetscMax(box[i] - x[i], x[i] - box[3 + i])));
  return PetscSqrtReal(sum);
}

/* Do two boxes meet, or come as near as this? */
static PetscBool do_meet(const PetscReal a[6], const PetscReal b[6], PetscReal near)
{
  for (int i = 0; i < 3; i++)
    if (a[i] > b[3 + i] + near || b[i] > a[3 + i] + near) return PETSC_FALSE;
  return PETSC_TRUE;
}

/* Returns the penetration of x into the shell of a look; 0: x is outside. *away: x cannot be inside before a
   displacement of this length. Behind an open surface, a point deeper than the body's thickness is outside again. */
static PetscReal depth_in(CrOverlaps *o, const CrLook *look, const PetscReal x[3], PetscReal radius,
                          CrShellFoot *foot, PetscReal *away)
{
  const CrSurface *s = o->shells[look->into]->surface;
  PetscReal        thick, depth;

  CrShellFootOf(o->shells[look->into], x, foot);
  CrShellRefine(o->shells[look->into], x, foot);
  *away = 0;
  if (foot->rim) *away = PetscMax(0, PetscAbsReal(foot->distance) - o->behind[look->into]);
  if (foot->rim) return 0;
  depth = radius - foot->distance;
  if (!(depth > 0)) {
    *away = -depth;
    return 0;
  }
  if (-foot->distance <= s->height[foot->facet]) return depth;
  thick = CrThicknessAtFacet(o, look->into, foot->facet);
  if (-foot->distance <= thick) return depth;
  *away = -foot->distance - thick;
  return 0;
}

static void look_at_nodes(CrOverlaps *o, const CrLook *look)
{
  CrShell  *from = o->shells[look->from], *into = o->shells[look->into];
  PetscReal moved = from->moved + into->moved, behind = o->behind[look->into];

  for (PetscInt i = 0; i < look->n; i++) {
    PetscReal       *until = &o->until[look->first + i], away;
    const PetscReal *x = from->x + 3 * i;
    CrInside         in = {.look = look, .node = i};
    CrShellFoot      foot;

    if (*until > moved) continue;
    away = box_distance(into->box, x) - behind;
    if (!(away > 0)) in.depth = depth_in(o, look, x, 0, &foot, &away);
    *until = moved + away;
    if (!(in.depth > 0)) continue;
    in.facet = foot.facet;
    v_copy(x, in.place);
    enter(o, look->first + i, &in);
  }
}

/* Compares a body with itself. A node penetrates another part of the body if the point just above the node is inside
   the body. This can change only after the node has come near a facet that is not its own. */
static void look_at_self(CrOverlaps *o, const CrLook *look)
{
  CrShell  *s = o->shells[look->from];
  PetscReal moved = 2 * s->moved;

  for (PetscInt i = 0; i < look->n; i++) {
    PetscReal  *until = &o->until[look->first + i], above[3], normal[3];
    CrInside    in = {.look = look, .node = i};
    CrShellFoot foot;

    if (*until > moved) continue;
    CrShellOtherFoot(s, i, &foot);
    *until = moved + foot.distance;
    if (foot.facet < 0 || s->surface->rim[i]) continue;
    CrShellNodeNormal(s, i, normal);
    v_copy(s->x + 3 * i, above);
    v_add(above, ABOVE * s->surface->mean_size, normal);
    if (!CrShellIsInside(s, above, o->room, o->found)) continue;
    *until = moved;
    in.depth = foot.distance;
    in.facet = foot.facet;
    v_copy(s->x + 3 * i, in.place);
    enter(o, look->first + i, &in);
  }
}

static void look_at_edges(CrOverlaps *o, const CrLook *look)
{
  CrShell *from = o->shells[look->from], *into = o->shells[look->into];

  for (PetscInt k = 0; k < look->n; k++) {
    const PetscReal *p = from->x + 3 * from->edges[2 * k],
                    *q = from->x + 3 * from->edges[2 * k + 1];
    CrInside    in = {.look = look, .node = from->edges[2 * k]};
    PetscReal   box[6];
    CrShellFoot foot;

    for (int i = 0; i < 3; i++) {
      box[i] = PetscMin(p[i], q[i]);
      box[3 + i] = PetscMax(p[i], q[i]);
    }
    if (!do_meet(box, into->box, 0)) continue;
    in.depth = CrShellEdgeDepth(into, p, q, o->room, o->found, &foot);
    if (!(in.depth > 0)) continue;
    in.facet = foot.facet;
    v_copy(foot.foot, in.place);
    enter(o, look->first + k, &in);
  }
}

/* ---- walls and rigid bodies ------------------------------------------------------------------- */

static void look_at_wall(CrOverlaps *o, const CrLook *look, PetscReal t)
{
  CrShell  *from = o->shells[look->from];
  PetscReal shift[3];

  CrObstacleShift(look->obstacle, t, shift);
  for (PetscInt i = 0; i < look->n; i++) {
    CrInside  in = {.look = look, .node = i, .facet = -1};
    PetscReal gap, *until = &o->until[look->first + i];

    if (*until > from->moved) continue;
    gap = CrObstacleGap(look->obstacle, look->wall, o->contact->model->dim, shift, from->x + 3 * i);
    if (gap >= 0) {
      *until = from->moved + gap;
      for (int j = 0; j < 3; j++) /* a wall that moves may come nearer by itself */
        if (look->obstacle->velocity[j] != 0 || look->obstacle->acceleration[j] != 0) *until = 0;
      continue;
    }
    in.depth = -gap;
    v_copy(from->x + 3 * i, in.place);
    enter(o, look->first + i, &in);
  }
}

static void look_at_body(CrOverlaps *o, const CrLook *look, const CrRigidState *state)
{
  const CrShape   *shape = CrRigidShape(o->contact->model->rigid, look->body);
  const PetscReal *x = state->x + 3 * look->body;
  PetscReal        R[9], nu[3];

  CrRigidRotation(o->contact->model->rigid, state, look->body, R);
  for (PetscInt i = 0; i < look->n; i++) {
    const PetscReal *at = o->shells[look->from]->x + 3 * i;
    CrInside         in = {.look = look, .node = i, .facet = -1};
    PetscReal        way[3];

    v_less(at, x, way);
    if (v_dot(way, way) >= PetscSqr(shape->reach)) continue;
    in.depth = -CrShapeGap(shape, x, R, at, nu);
    if (!(in.depth > 0)) continue;
    v_copy(at, in.place);
    enter(o, look->first + i, &in);
  }
}

/* Sharp edges of a surface that go through a polytope. */
static void look_at_edges_in_body(CrOverlaps *o, const CrLook *look, const CrRigidState *state)
{
  const CrShape   *shape = CrRigidShape(o->contact->model->rigid, look->body);
  const CrShell   *from = o->shells[look->from];
  const PetscReal *x = state->x + 3 * look->body;
  PetscReal        R[9];

  if (box_distance(from->box, x) > shape->reach) return;
  CrRigidRotation(o->contact->model->rigid, state, look->body, R);
  for (PetscInt k = 0; k < look->n; k++) {
    CrInside  in = {.look = look, .node = from->edges[2 * k], .facet = -1};
    PetscReal way[3], X[2][3], place[3];

    for (int a = 0; a < 2; a++) {
      v_less(from->x + 3 * from->edges[2 * k + a], x, way);
      m_back(R, way, X[a]);
    }
    in.depth = CrLineDepth(shape, X[0], X[1], place);
    if (!(in.depth > 0)) continue;
    m_times(R, place, in.place);
    v_add(in.place, 1, x);
    enter(o, look->first + k, &in);
  }
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

static void look_at_points(CrOverlaps *o, const CrLook *look, const CrRigidState *state)
{
  const CrShape *shape = CrRigidShape(o->contact->model->rigid, look->body);
  CrShell       *into = o->shells[look->into];
  PetscReal      R[9];

  if (box_distance(into->box, state->x + 3 * look->body) > shape->reach + o->behind[look->into])
    return;
  CrRigidRotation(o->contact->model->rigid, state, look->body, R);
  for (PetscInt i = 0; i < look->n; i++) {
    CrInside    in = {.look = look, .node = -1};
    PetscReal   at[3], x[3], radius = CrShapePoint(shape, i, at), away;
    CrShellFoot foot;

    m_times(R, at, x);
    v_add(x, 1, state->x + 3 * look->body);
    CrShellFootOf(into, x, &foot);
    if (foot.facet < 0) continue;
    in.depth = depth_in(o, look, x, extent(shape, into, foot.facet, R, radius), &foot, &away);
    if (!(in.depth > 0)) continue;
    in.facet = foot.facet;
    v_copy(foot.foot, in.place);
    enter(o, look->first + i, &in);
  }
}

/* ---- the row ---------------------------------------------------------------------------------- */

static PetscErrorCode look(CrOverlaps *o, const CrLook *l, const CrState *state)
{
  CrShell *into = l->into < 0 ? NULL : o->shells[l->into];

  PetscFunctionBeginUser;
  if (l->kind <= CR_EDGES_IN_SHELL &&
      !do_meet(o->shells[l->from]->box, into->box, o->behind[l->into]))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (into) PetscCall(CrShellFit(into));
  switch (l->kind) {
  case CR_NODES_IN_SHELL: look_at_nodes(o, l); break;
  case CR_NODES_IN_SELF: look_at_self(o, l); break;
  case CR_EDGES_IN_SHELL: look_at_edges(o, l); break;
  case CR_NODES_IN_WALL: look_at_wall(o, l, state->t); break;
  case CR_NODES_IN_BODY: look_at_body(o, l, state->rigid); break;
  case CR_POINTS_IN_SHELL: look_at_points(o, l, state->rigid); break;
  case CR_EDGES_IN_BODY: look_at_edges_in_body(o, l, state->rigid); break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A point is known to its owner alone: all ranks get the pressed points of all. */
static PetscErrorCode gather_pressed(CrOverlaps *o)
{
  const CrContact *c = o->contact;
  PetscMPIInt      n;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < c->npoints; k++)
    o->pressed[k] = c->picture->status[k] == CR_OPEN ? 0 : 2 + c->past.facet[k];
  PetscCall(PetscMPIIntCast(c->npoints, &n));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, o->pressed, n, MPIU_INT, MPI_MAX, c->model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void begin_row(CrOverlaps *o)
{
  o->held_pair = -1;
  for (PetscInt k = 0; k < o->contact->npairs; k++) {
    CrPairOverlap *pair = &o->pairs[k];

    pair->deep[0] = pair->deep[1] = pair->unseen = 0;
    pair->worst.beyond = pair->pressed.beyond = pair->through.beyond = 0;
  }
}

static void end_row(CrOverlaps *o)
{
  for (PetscInt k = 0; k < o->contact->npairs; k++) {
    PetscReal *row = o->contact->picture->overlap + 3 * k;

    row[0] = o->pairs[k].deep[0];
    row[1] = o->pairs[k].deep[1];
    row[2] = o->pairs[k].unseen;
    for (int i = 0; i < 3; i++) o->greatest[3 * k + i] = PetscMax(o->greatest[3 * k + i], row[i]);
  }
  o->begun = 1;
}

PetscErrorCode CrOverlapsMeasure(CrOverlaps *o, const CrState *state)
{
  const PetscReal *u;

  PetscFunctionBeginUser;
  PetscCall(gather_pressed(o));
  begin_row(o);
  PetscCall(VecGetArrayRead(state->u, &u));
  for (PetscInt s = 0; s < o->contact->model->nsets; s++)
    if (o->shells[s]) CrShellPlace(o->contact->model, u, o->shells[s]);
  PetscCall(VecRestoreArrayRead(state->u, &u));
  for (PetscInt k = 0; k < o->nlooks; k++) PetscCall(look(o, &o->looks[k], state));
  end_row(o);
  CrOverlapsJudge(o, state->t);
  PetscFunctionReturn(PETSC_SUCCESS);
}
