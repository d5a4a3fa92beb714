/* Pairs of explicit steps with a rigid body of finite mass: a node on the surface of the body, or a point of the body
   on a wall. The forces on slave and body are opposite and act at the position of the slave at t_n. So both momenta are
   conserved for every shape (theory 19.5). */
#include "contact/multipliers/press.h"
#include "rigid/corners.h"

static const CrShape *shape_of(const CrContact *c, const CrPass *p)
{
  return CrRigidShape(c->model->rigid, p->partner);
}

/* Finds face, gap and normal of a node. `patch` is the face that it was on, -1 if it was free; u0 are displacements at
   t_n. Returns false if the node is over no face that it may use. Curved shapes have one face. */
static PetscBool meet(const CrMultipliers *m, const CrPose *poses, const PetscReal *u0,
                      const PetscReal *u, PetscInt patch, CrFound *found)
{
  const CrPass  *p = &m->contact->passes[found->pass];
  const CrPose  *pose = &poses[p->partner];
  const CrShape *s = shape_of(m->contact, p);
  PetscReal      x[3], y[3], normal[3] = {0}, beyond;
  CrFaceChoice   choice = {.patch = patch, .R = pose->R, .normal = normal};

  if (patch < 0 && p->cones) { /* the list holds until the next call */
    choice.listed = m->contact->work->found;
    choice.n = CrAdmittedFaces(m->contact, p, found->item, m->bodies->pose0[p->partner].R, u0, -1,
                               m->contact->work->found);
  } else if (patch < 0)
    CrSlaveNormal(m->contact, p, found->item, u, normal);
  CrGatherVector(m->contact, p->slave->nodes[found->item], u, x);
  if (s->kind != CR_SHAPE_POLYTOPE) {
    found->facet = 0;
    found->gap0 = CrShapeGap(s, pose->x, pose->R, x, found->nu);
    return patch >= 0 || CrIsFaced(normal, found->nu);
  }
  v_less(x, pose->x, y);
  found->facet = CrShapeFace(s, &choice, pose->R, y, &beyond);
  if (found->facet < 0 || beyond > CrFaceMargin(p, s, found->facet)) return PETSC_FALSE;
  m_times(pose->R, s->normals + 3 * found->facet, found->nu);
  found->gap0 = v_dot(found->nu, y) - s->offsets[found->facet];
  return PETSC_TRUE;
}

/* Gap, normal and arm of a point of a body at its wall, at time t. */
static PetscReal at_wall(const CrMultipliers *m, PetscInt pass, PetscInt i, const CrPose *poses,
                         PetscReal t, PetscReal nu[3], PetscReal arm[3])
{
  const CrPass *p = &m->contact->passes[pass];

  return CrPointAtWall(m->contact, p, i, t, &poses[p->partner], nu, arm);
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
  at_wall(m, pair->pass, pair->point - p->first, m->bodies->pose0, t, nu, pair->arm);
}

/* ---- nodes on bodies -------------------------------------------------------------------------- */

static PetscReal distance(const CrContact *c, const CrPass *p, PetscInt i, const CrPose *poses,
                          const PetscReal *u, PetscReal t)
{
  const CrPose *pose = &poses[p->partner];
  PetscReal     x[3], nu[3];

  (void)t;
  CrGatherVector(c, p->slave->nodes[i], u, x);
  return CrShapeGap(shape_of(c, p), pose->x, pose->R, x, nu);
}

static PetscErrorCode apart(const CrNearLists *lists, const CrPass *pass, const PetscReal *from,
                            PetscReal *least)
{
  const CrNearPass *p = &lists->passes[pass - lists->contact->passes];
  PetscReal         most = PETSC_MIN_REAL; /* of the gaps with their signs turned */

  PetscFunctionBeginUser;
  for (PetscInt j = 0; j < p->nmine; j++)
    most = PetscMax(most, -distance(lists->contact, pass, p->mine[j], lists->pose0, from, 0));
  PetscCall(CrRoundsGreatest(lists->rounds, 1, &most));
  *least = -most;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscBool look_node(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                           CrFound *found)
{
  const CrPass *p = &m->contact->passes[found->pass];
  const CrPose *poses = m->bodies->pose;

  CrNearWall(m->lists, found->pass, entry,
             distance(m->contact, p, found->item, poses, m->where, 0));
  if (found->facet < 0 ||
      !meet(m, poses, step->u0, m->where, found->facet, found)) { /* free, or slid off */
    if (m->variant.warm) found->lam = 0;
    if (!meet(m, poses, step->u0, m->where, -1, found)) return PETSC_FALSE;
    if (found->gap0 < -CrNearDepth(p) * (p->cones ? 0.5 : 1)) return PETSC_FALSE;
  }
  return CrPressIsPair(m, step, found);
}

static PetscBool closed_node(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                             CrFound *found)
{
  (void)entry, (void)t;
  if (!meet(m, m->bodies->pose0, u, u, -1, found)) return PETSC_FALSE;
  if (!(found->gap0 < -CrNearDepth(&m->contact->passes[found->pass]))) return PETSC_TRUE;
  m->contact->work->ndeep++;
  return PETSC_FALSE;
}

/* Evaluates the pair on its face; false if the node is no longer over it. */
static PetscBool node_again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u,
                            PetscReal t, CrPress *pair)
{
  CrFound now = {.pass = pair->pass, .item = pair->point - m->contact->passes[pair->pass].first};

  (void)t;
  if (!meet(m, poses, u, u, pair->facet, &now)) return PETSC_FALSE;
  pair->gap0 = now.gap0;
  v_copy(now.nu, pair->nu);
  return PETSC_TRUE;
}

static PetscReal node_way(const CrContact *c, const CrPass *p)
{
  return PetscMin(CrNearDepth(p), 0.5 * CrShapeInnerRadius(shape_of(c, p)));
}

const CrPressOps CrPress_node_on_body = {.distance = distance,
                                         .safe_way = node_way,
                                         .apart = apart,
                                         .look = look_node,
                                         .closed = closed_node,
                                         .again = node_again,
                                         .arm = node_arm};

/* ---- points of bodies on walls ----------------------------------------------------------------
   A body has few points: they are looked at always. */

/* Finds gap and normal of a point at its wall. Returns true. */
static PetscBool meet_wall(const CrMultipliers *m, const CrPose *poses, PetscReal t, CrFound *found)
{
  PetscReal arm[3];

  found->facet = 0;
  found->gap0 = at_wall(m, found->pass, found->item, poses, t, found->nu, arm);
  return PETSC_TRUE;
}

static PetscBool look_point(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                            CrFound *found)
{
  (void)entry;
  return meet_wall(m, m->bodies->pose, step->t + step->h, found) && CrPressIsPair(m, step, found);
}

static PetscBool closed_point(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                              CrFound *found)
{
  (void)entry, (void)u;
  return meet_wall(m, m->bodies->pose0, t, found);
}

static PetscBool point_again(const CrMultipliers *m, const CrPose *poses, const PetscReal *u,
                             PetscReal t, CrPress *pair)
{
  PetscInt  first = m->contact->passes[pair->pass].first;
  PetscReal arm[3];

  (void)u;
  pair->gap0 = at_wall(m, pair->pass, pair->point - first, poses, t, pair->nu, arm);
  return PETSC_TRUE;
}

const CrPressOps CrPress_point_on_wall = {.safe_way = CrNearWallWay,
                                          .look = look_point,
                                          .closed = closed_point,
                                          .again = point_again,
                                          .arm = point_arm};
