/* Pairs of explicit steps with a rigid body of finite mass: a node on its surface, or a point of it on a
   wall. Slave and body exchange one force at the place of the slave at t_n, so that both momenta are kept
   whatever the shape (theory 19.5). */
#include "contact/multipliers/press.h"

static const CrShape *shape_of(const CrMultipliers *m, const CrPass *p)
{
  const CrRigid *r = m->contact->model->rigid;

  return &r->shapes[r->shape[p->partner]];
}

/* Finds the face of node i, gap and normal. patch is the face on which it was; -1: it was free. Returns false
   if the node is over no face that it may touch. Curved shapes have one face. */
static PetscBool meet(const CrMultipliers *m, const CrPass *p, PetscInt i, const CrPose *pose,
                      const PetscReal *u, PetscInt patch, PetscInt *face, PetscReal *gap,
                      PetscReal nu[3])
{
  const CrShape *s = shape_of(m, p);
  PetscReal      x[3], y[3], normal[3] = {0}, beyond;
  CrFaceChoice   choice = {.patch = patch, .R = pose->R, .normal = normal};

  if (patch < 0) CrSlaveNormal(m->contact, p, i, u, normal);
  CrGatherVector(m->contact, p->slave->nodes[i], u, x);
  if (s->kind != CR_SHAPE_POLYTOPE) {
    *face = 0;
    *gap = CrShapeGap(s, pose->x, pose->R, x, nu);
    return patch >= 0 || CrIsFaced(normal, nu);
  }
  v_less(x, pose->x, y);
  *face = CrShapeFace(s, &choice, pose->R, y, &beyond);
  if (*face < 0 || beyond > OPEN_EDGE * s->reach) return PETSC_FALSE;
  m_times(pose->R, s->normals + 3 * *face, nu);
  *gap = v_dot(nu, y) - s->offsets[*face];
  return PETSC_TRUE;
}

static PetscReal at_wall(const CrMultipliers *m, const CrPass *p, PetscInt i, const CrPose *pose,
                         PetscReal t, PetscReal nu[3], PetscReal arm[3])
{
  return CrObstacleMeet(p->obstacle, p->wall, t, t, shape_of(m, p), i, pose->x, pose->R, pose->R,
                        nu, arm);
}

/* Sets the body of a pair and the arm of its point at t_n, with nodes at u and walls at t. */
static void node_arm(const CrMultipliers *m, const PetscReal *u, PetscReal t, CrPress *pair)
{
  PetscInt  body = m->contact->passes[pair->pass].partner;
  PetscReal x[3];

  (void)t;
  pair->body = &m->bodies->now[body];
  pair->side = -1;
  CrGatherVector(m->contact, pair->nodes[0], u, x);
  v_less(x, m->bodies->pose0[body].x, pair->arm);
}

static void point_arm(const CrMultipliers *m, const PetscReal *u, PetscReal t, CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  PetscReal     nu[3];

  (void)u;
  pair->body = &m->bodies->now[p->partner];
  pair->side = 1;
  at_wall(m, p, pair->point - p->first, &m->bodies->pose0[p->partner], t, nu, pair->arm);
}

/* ---- finding pairs --------------------------------------------------------------------------- */

/* Adds a pair. gap is the gap to which v leads. */
static PetscErrorCode add(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass, PetscInt i,
                          PetscInt face, PetscReal gap, const PetscReal nu[3], const PetscReal *v,
                          CrPress **out)
{
  const CrPass *p = &m->contact->passes[pass];
  PetscReal     w[3] = {0};
  CrPress      *pair;

  PetscFunctionBeginUser;
  PetscCall(CrPressNew(m, pass, i, &pair));
  pair->facet = face;
  v_copy(nu, pair->nu);
  CrPassVelocity(p, step->t, step->t + step->h, pair->wall);
  CrPressOpsOf(p)->arm(m, step->u0, step->t, pair);
  CrPressVelocity(m->contact->model->dim, pair, v, w);
  pair->gap0 = gap - step->h * v_dot(nu, w); /* back to t_n along the same normal */
  pair->shift = CrPressOverlapLeft(m->contact, p, pair->point, step->t + step->h);
  pair->pushed = CrPressOverlapLeft(m->contact, p, pair->point, step->t) - pair->shift;
  *out = pair;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close(CrMultipliers *m, PetscInt pass, PetscInt i, PetscInt face,
                            PetscReal gap, const PetscReal nu[3], const PetscReal *u, PetscReal t)
{
  CrContact *c = m->contact;
  CrPress   *pair;

  PetscFunctionBeginUser;
  if (!c->begun) c->overlap[c->passes[pass].first + i] = PetscMin(gap, 0);
  PetscCall(CrPressNew(m, pass, i, &pair));
  pair->facet = face;
  v_copy(nu, pair->nu);
  CrPressOpsOf(&c->passes[pass])->arm(m, u, t, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- nodes on bodies -------------------------------------------------------------------------- */

/* A lower bound of the distance of a node from the rigid body of the pass. */
static PetscReal from_body(const CrContact *c, const CrPass *pass, const CrPose *pose, PetscInt i,
                           const PetscReal *u)
{
  const CrRigid *r = c->model->rigid;
  PetscReal      x[3] = {0}, nu[3];

  CrGatherNode(c, pass->slave->nodes[i], u, x);
  return CrShapeGap(&r->shapes[r->shape[pass->partner]], pose->x, pose->R, x, nu);
}

static PetscErrorCode list(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t)
{
  const CrContact *c = lists->contact;
  const CrPass    *pass = &c->passes[k];
  CrNearPass      *p = &lists->passes[k];
  PetscReal        least = PETSC_MAX_REAL;

  PetscFunctionBeginUser;
  (void)t;
  for (PetscInt i = 0; i < pass->n; i++) {
    PetscReal gap = from_body(c, pass, &lists->pose[pass->partner], i, where);

    least = PetscMin(least, gap);
    if (gap > p->skin) continue;
    CrNearAdd(p, i);
  }
  if (p->n == 0) p->due = PetscMax(p->due, p->made + least);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode apart(const CrNearLists *lists, const CrPass *pass, const PetscReal *from,
                            PetscReal *least)
{
  PetscFunctionBeginUser;
  *least = PETSC_MAX_REAL;
  for (PetscInt i = 0; i < pass->n; i++)
    *least =
        PetscMin(*least, from_body(lists->contact, pass, &lists->pose0[pass->partner], i, from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_node(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                PetscInt entry, const PetscReal *v)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];
  PetscInt         i = m->lists->passes[pass].item[entry], point = p->first + i, face;
  const CrPose    *pose = &m->bodies->pose[p->partner];
  const PetscReal *start = CrPressStart(m, point);
  PetscBool        held = m->memory[point].lam > 0 && c->facet[point] >= 0;
  PetscReal        x[3], nu[3], gap, lam = start[0];
  CrPress         *pair;

  PetscFunctionBeginUser;
  if (!held && !(lam > 0) && CrNearSleeps(&m->lists->passes[pass], entry))
    PetscFunctionReturn(PETSC_SUCCESS);
  CrGatherVector(c, p->slave->nodes[i], m->where, x);
  CrNearWall(m->lists, pass, entry, CrShapeGap(shape_of(m, p), pose->x, pose->R, x, nu));
  if (held) held = meet(m, p, i, pose, m->where, c->facet[point], &face, &gap, nu);
  if (!held) { /* free, or slid off */
    if (m->variant.warm) lam = 0;
    if (!meet(m, p, i, pose, m->where, -1, &face, &gap, nu)) PetscFunctionReturn(PETSC_SUCCESS);
    if (gap < -CrNearDepth(p)) PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!(gap + CrPressOverlapLeft(c, p, point, step->t + step->h) < 0) && !(lam > 0))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(add(m, step, pass, i, face, gap, nu, v, &pair));
  if (lam > 0) CrPressGuess(lam, start + 1, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_nodes(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                 const PetscReal *v)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < m->lists->passes[pass].n; k++) PetscCall(find_node(m, step, pass, k, v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_node(CrMultipliers *m, PetscInt pass, PetscInt entry,
                                 const PetscReal *u)
{
  CrContact    *c = m->contact;
  const CrPass *p = &c->passes[pass];
  PetscInt      i = m->lists->passes[pass].item[entry], face;
  PetscReal     nu[3], gap;

  PetscFunctionBeginUser;
  if (!meet(m, p, i, &m->bodies->pose0[p->partner], u, -1, &face, &gap, nu))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (gap < -CrNearDepth(p)) c->ndeep++;
  if (gap > CR_CLOSED * p->reach || gap < -CrNearDepth(p)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(close(m, pass, i, face, gap, nu, u, 0));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_nodes(CrMultipliers *m, PetscInt pass, const PetscReal *u, PetscReal t)
{
  PetscFunctionBeginUser;
  (void)t;
  for (PetscInt k = 0; k < m->lists->passes[pass].n; k++) PetscCall(close_node(m, pass, k, u));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Evaluates the pair on its face; false if the node is no longer over it. */
static PetscBool node_again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u,
                            PetscReal t, CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  PetscInt      face;

  (void)t;
  return meet(m, p, pair->point - p->first, &poses[p->partner], u, pair->facet, &face, &pair->gap0,
              pair->nu);
}

static PetscReal node_gap(const CrMultipliers *m, const CrPress *pair, const PetscReal *u,
                          PetscReal t)
{
  CrPress now = *pair;

  return node_again(m, m->bodies->pose, u, t, &now) ? now.gap0 : pair->gap0;
}

static PetscReal node_way(const CrContact *c, const CrPass *p)
{
  const CrRigid *r = c->model->rigid;

  return PetscMin(CrNearDepth(p), 0.5 * CrShapeInnerRadius(&r->shapes[r->shape[p->partner]]));
}

const CrPressOps CrPress_node_on_body = {.list = list,
                                         .safe_way = node_way,
                                         .apart = apart,
                                         .find = find_nodes,
                                         .find_closed = close_nodes,
                                         .gap = node_gap,
                                         .again = node_again,
                                         .arm = node_arm};

/* ---- points of bodies on walls ---------------------------------------------------------------- */

/* Lists nothing: a body has few points, which are always searched. */
static PetscErrorCode list_nothing(CrNearLists *lists, PetscInt k, const PetscReal *where,
                                   PetscReal t)
{
  PetscFunctionBeginUser;
  (void)lists, (void)k, (void)where, (void)t;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_points(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
                                  const PetscReal *v)
{
  const CrContact *c = m->contact;
  const CrPass    *p = &c->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    const PetscReal *start = CrPressStart(m, p->first + i);
    PetscReal        end = step->t + step->h, nu[3], arm[3], gap;
    CrPress         *pair;

    gap = at_wall(m, p, i, &m->bodies->pose[p->partner], end, nu, arm);
    if (!(gap + CrPressOverlapLeft(c, p, p->first + i, end) < 0) && !(start[0] > 0)) continue;
    PetscCall(add(m, step, pass, i, 0, gap, nu, v, &pair));
    if (start[0] > 0) CrPressGuess(start[0], start + 1, pair);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode close_points(CrMultipliers *m, PetscInt pass, const PetscReal *u, PetscReal t)
{
  const CrPass *p = &m->contact->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    PetscReal nu[3], arm[3], gap = at_wall(m, p, i, &m->bodies->pose0[p->partner], t, nu, arm);

    if (gap > CR_CLOSED * p->reach) continue;
    PetscCall(close(m, pass, i, 0, gap, nu, u, t));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool point_again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u,
                             PetscReal t, CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  PetscReal     arm[3];

  (void)u;
  pair->gap0 = at_wall(m, p, pair->point - p->first, &poses[p->partner], t, pair->nu, arm);
  return PETSC_TRUE;
}

static PetscReal point_gap(const CrMultipliers *m, const CrPress *pair, const PetscReal *u,
                           PetscReal t)
{
  CrPress now = *pair;

  (void)point_again(m, m->bodies->pose, u, t, &now);
  return now.gap0;
}

const CrPressOps CrPress_point_on_wall = {.list = list_nothing,
                                          .safe_way = CrNearWallWay,
                                          .find = find_points,
                                          .find_closed = close_points,
                                          .gap = point_gap,
                                          .again = point_again,
                                          .arm = point_arm};
