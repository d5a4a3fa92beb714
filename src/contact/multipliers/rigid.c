/* Pairs of explicit steps with a rigid body of finite mass: a node on its surface, or a point of it on a
   wall. Slave and body exchange one force at the place of the slave at t_n, so that both momenta are kept
   whatever the shape (theory 19.5). */
#include "contact/internal.h"
#include "contact/multipliers/press.h"

static const CrShape *shape_of(const CrMultipliers *m, const CrPass *p)
{
  const CrRigid *r = m->contact->model->rigid;

  return &r->shapes[r->shape[p->partner]];
}

static void node_at(const CrContact *c, PetscInt node, const PetscReal *u, PetscReal x[3])
{
  x[2] = 0;
  CrGatherNode(c, node, u, x);
}

/* The face of node i (patch: that it was on; -1: free), gap and normal; false: it is over none that it
   may use. Curved shapes have one face. */
static PetscBool meet(const CrMultipliers *m, const CrPass *p, PetscInt i, const CrPose *pose,
                      const PetscReal *u, PetscInt patch, PetscInt *face, PetscReal *gap,
                      PetscReal nu[3])
{
  const CrShape *s = shape_of(m, p);
  PetscReal      x[3], y[3], normal[3] = {0}, beyond;
  CrFaceChoice   choice = {.patch = patch, .R = pose->R, .normal = normal};

  if (patch < 0) CrSlaveNormal(m->contact, p, i, u, normal);
  node_at(m->contact, p->slave->nodes[i], u, x);
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
  return CrShapeAtWall(shape_of(m, p), p, i, t, t, pose->x, pose->R, pose->R, nu, arm);
}

void CrPressSetArm(const CrMultipliers *m, const PetscReal *u, PetscReal t, CrPress *pair)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  const CrPose *pose = &m->bodies->pose0[p->partner];
  PetscReal     x[3];

  pair->body = &m->bodies->now[p->partner];
  pair->side = p->slave ? -1 : 1;
  if (p->slave) {
    node_at(m->contact, pair->nodes[0], u, x);
    v_less(x, pose->x, pair->arm);
  } else
    at_wall(m, p, pair->point - p->first, pose, t, x, pair->arm);
}

PetscReal CrPressBodyGap(const CrMultipliers *m, const CrPress *pair, const CrPose *poses,
                         const PetscReal *u, PetscReal t, PetscReal nu[3], PetscBool *on)
{
  const CrPass *p = &m->contact->passes[pair->pass];
  const CrPose *pose = &poses[p->partner];
  PetscInt      i = pair->point - p->first, face;
  PetscReal     gap, arm[3], normal[3];

  if (!nu) nu = normal;
  *on = PETSC_TRUE;
  if (!p->slave) return at_wall(m, p, i, pose, t, nu, arm);
  *on = meet(m, p, i, pose, u, pair->facet, &face, &gap, nu);
  return *on ? gap : pair->gap0;
}

/* ---- finding pairs --------------------------------------------------------------------------- */

/* A new pair; gap: where v leads. */
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
  if (p->obstacle) CrWallVelocity(p, step->t, step->t + step->h, pair->wall);
  CrPressSetArm(m, step->u0, step->t, pair);
  CrPressVelocity(m->contact->model->dim, pair, v, w);
  pair->gap0 = gap - step->h * v_dot(nu, w); /* back to t_n along the same normal */
  pair->shift = CrPressOverlapLeft(m->contact, p, pair->point, step->t + step->h);
  pair->pushed = CrPressOverlapLeft(m->contact, p, pair->point, step->t) - pair->shift;
  *out = pair;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressLookAtBody(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
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
  node_at(c, p->slave->nodes[i], m->where, x);
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

PetscErrorCode CrPressLookAtWalls(CrMultipliers *m, const CrMultiplierStep *step, PetscInt pass,
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

/* ---- the start ------------------------------------------------------------------------------- */

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
  CrPressSetArm(m, u, t, pair);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPressCloseBody(CrMultipliers *m, PetscInt pass, PetscInt entry, const PetscReal *u)
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

PetscErrorCode CrPressCloseWalls(CrMultipliers *m, PetscInt pass, PetscReal t)
{
  const CrPass *p = &m->contact->passes[pass];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < p->n; i++) {
    PetscReal nu[3], arm[3], gap = at_wall(m, p, i, &m->bodies->pose0[p->partner], t, nu, arm);

    if (gap > CR_CLOSED * p->reach) continue;
    PetscCall(close(m, pass, i, 0, gap, nu, NULL, t));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
