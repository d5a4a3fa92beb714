/* Poses of a rigid body of finite mass, and positions of its points, in a step (theory 14.3). */
#include "base/vector.h"
#include "contact/partners/partners.h"
#include "rigid/corners.h"
#include "rigid/rotation.h"

/* ---- rotation --------------------------------------------------------------------------------- */

void CrPartnerQuaternion(const PetscReal th[3], PetscReal factor, PetscReal q[4])
{
  PetscReal size = sqrt(1 + factor * factor * v_dot(th, th) / 4);

  q[0] = 1 / size;
  for (int i = 0; i < 3; i++) q[1 + i] = factor * th[i] / 2 / size;
}

static void cayley(const PetscReal th[3], PetscReal factor, PetscReal R[9])
{
  PetscReal q[4];

  CrPartnerQuaternion(th, factor, q);
  CrQuaternionMatrix(q, R);
}

/* Computes s = 1/(1 + sqrt(1 + |th|^2/4)), for which cay(s th) is the rotation by half the angle of cay(th). B d(th) is
   the increment of this rotation as a vector. Returns s. */
static PetscReal half_turn(const PetscReal th[3], PetscReal B[9])
{
  PetscReal root = sqrt(1 + v_dot(th, th) / 4), s = 1 / (1 + root), D[9], S[9], u[3];
  PetscReal size = 1 + s * s * v_dot(th, th) / 4;

  for (int i = 0; i < 3; i++) u[i] = s * th[i] / 2;
  m_cross(u, S);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      D[3 * i + j] = s * (i == j) - s * s / (4 * root) * th[i] * th[j];
      S[3 * i + j] = (S[3 * i + j] + (i == j)) / size;
    }
  m_multiply(S, D, B);
  return s;
}

/* C = (1 - th^/2)^-1 = (1 + th^/2 + th th/4)/(1 + |th|^2/4) */
static void resolvent(const PetscReal th[3], PetscReal C[9])
{
  PetscReal size = 1 + v_dot(th, th) / 4;

  m_cross(th, C);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = (C[3 * i + j] / 2 + (i == j) + th[i] * th[j] / 4) / size;
}

void CrPartnerCarry(const CrPartner *p, const PetscReal r[3], PetscReal M[9])
{
  PetscReal X[9];

  m_cross(r, X);
  if (p->at_end)
    m_multiply(X, p->B, M);
  else
    m_multiply(p->C, X, M);
  for (int i = 0; i < 9; i++) M[i] *= -p->part;
}

/* The end stands for the middle. d(R1) = (B d(turn))^ R1, B = (1 + th^/2)/(1 + |th|^2/4). */
static void rest(CrPartner *p)
{
  PetscReal size = 1 + v_dot(p->turn, p->turn) / 4;

  p->part = 1;
  v_copy(p->end.x, p->xm);
  for (int i = 0; i < 9; i++) p->Rm[i] = p->Rh[i] = p->end.R[i];
  m_cross(p->turn, p->B);
  for (int i = 0; i < 9; i++) p->B[i] = (p->B[i] / 2 + (i % 4 == 0)) / size;
}

void CrPartnerPlace(CrPartner *p)
{
  PetscReal turn[9];

  p->part = 0.5;
  for (int i = 0; i < 3; i++) {
    p->end.x[i] = p->start.x[i] + p->move[i];
    p->xm[i] = p->start.x[i] + p->move[i] / 2;
  }
  cayley(p->turn, 1, turn);
  m_multiply(turn, p->start.R, p->end.R);
  for (int i = 0; i < 9; i++) p->Rm[i] = (p->start.R[i] + p->end.R[i]) / 2;
  cayley(p->turn, half_turn(p->turn, p->B), turn);
  m_multiply(turn, p->start.R, p->Rh);
  resolvent(p->turn, p->C);
  if (p->at_end) rest(p);
}

/* ---- points of the body as slaves ------------------------------------------------------------- */

static void begin(const CrContact *c, const CrPass *p, PetscInt i, CrTouch *touch)
{
  const CrShape *s = c->work->partners[p->partner].shape;

  touch->node = -1;
  touch->radius = CrBodyPoint(c, p, i, touch->offset);
  touch->ellipsoid = s->kind == CR_SHAPE_ELLIPSOID ? s : NULL;
  touch->rolls = s->kind != CR_SHAPE_POLYTOPE;
  touch->extent = touch->ellipsoid ? s->reach : touch->radius;
}

/* In the middle of the step, corners use the mean of both rotations; curved surfaces use the rotation by half
   the angle. */
static void point_at(const CrPartner *p, const CrTouch *touch, CrPoseOf pose, CrInstant *at)
{
  const PetscReal *x[] = {p->start.x, p->path.x, p->guess.x, p->xm, p->end.x};
  const PetscReal *R[] = {p->start.R, p->path.R, p->guess.R, touch->ellipsoid ? p->Rh : p->Rm,
                          p->end.R};

  m_times(R[pose], touch->offset, at->x);
  v_add(at->x, 1, x[pose]);
  at->R = R[pose];
}

void CrPartnerCornerAt(const CrPartner *p, PetscInt corner, CrPoseOf pose, PetscReal x[3])
{
  CrTouch   touch = {.ellipsoid = NULL};
  CrInstant at;

  v_copy(p->shape->vertices + 3 * corner, touch.offset);
  point_at(p, &touch, pose, &at);
  v_copy(at.x, x);
}

static void path(const CrContact *c, const CrPass *pass, PetscInt i, PetscReal box[6])
{
  const CrPartner *p = &c->work->partners[pass->partner];
  PetscInt         dim = c->model->dim;
  CrTouch          touch;
  CrInstant        at;

  begin(c, pass, i, &touch);
  for (CrPoseOf pose = CR_POSE_START; pose <= (p->guessed ? CR_POSE_GUESS : CR_POSE_PATH); pose++) {
    point_at(p, &touch, pose, &at);
    for (PetscInt d = 0; d < dim; d++) {
      box[d] = pose == CR_POSE_START ? at.x[d] : PetscMin(box[d], at.x[d]);
      box[dim + d] = pose == CR_POSE_START ? at.x[d] : PetscMax(box[dim + d], at.x[d]);
    }
  }
}

/* The position of the point; for an ellipsoid, of its centre. */
static void slave_at(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
                     CrInstant *at)
{
  at->u = u;
  point_at(&c->work->partners[c->passes[touch->pass].partner], touch, pose, at);
}

/* A point of a body has no normal: it may touch surfaces of any direction. */
static void no_normal(const CrContact *c, const CrPass *p, PetscInt i, const PetscReal *u0,
                      PetscReal normal[3])
{
  (void)c, (void)p, (void)i, (void)u0;
  normal[0] = normal[1] = normal[2] = 0;
}

static PetscBool admits(const CrContact *c, const CrPass *p, PetscInt i, const CrInstant *start,
                        const PetscReal nu[3], PetscReal tol)
{
  return CrBodyPointIsAdmitted(c, p, i, start->R, nu, tol);
}

const CrSlaveOps CrSlavePoint = {
    .begin = begin, .path = path, .at = slave_at, .normal = no_normal, .admits = admits};

void CrPartnerForce(const CrContact *c, const CrTouch *touch, PetscReal f[3])
{
  for (int i = 0; i < 3; i++) {
    f[i] = touch->weight * touch->out.p * touch->k.nu[i];
    for (PetscInt a = 0; a < c->model->dim - 1; a++)
      f[i] -= touch->weight * touch->out.t[a] * touch->k.e[a][i];
  }
}

void CrEdgeNodeForce(const CrTouch *touch, PetscInt node, PetscReal f[3])
{
  for (PetscInt i = 0; i < 3; i++) f[i] = CrTouchForceAt(touch, 3 * node + i) * touch->weight;
}

PetscInt CrEdgeArms(const CrContact *c, const CrTouch *touch, PetscReal arm[2][3])
{
  const CrPass    *pass = &c->passes[touch->pass];
  const CrPartner *p = &c->work->partners[pass->partner];
  const PetscInt   first = pass->ridges[0]->shape ? 0 : 2;
  PetscInt         corners[4];

  CrMeetingNodes(pass->ridges[0], touch->point - pass->first, pass->ridges[1], touch->facet,
                 corners);
  for (PetscInt a = 0; a < 2; a++) {
    CrPartnerCornerAt(p, corners[first + a], CR_POSE_MIDDLE, arm[a]);
    v_add(arm[a], -1, p->xm);
  }
  return first;
}

/* Adds the force f at r from the body's centre. */
static void add_force(const PetscReal r[3], PetscReal side, const PetscReal f[3], PetscReal F[3],
                      PetscReal T[3], PetscReal sizes[2])
{
  PetscReal torque[3];

  v_cross(r, f, torque);
  v_add(F, side, f);
  v_add(T, side, torque);
  sizes[0] += v_length(f);
  sizes[1] += v_length(f) * v_length(r);
}

void CrPartnerAddPoint(const CrContact *c, const CrTouch *touch, PetscReal F[3], PetscReal T[3],
                       PetscReal sizes[2])
{
  PetscReal f[3], arm[2][3], side = c->passes[touch->pass].ops->slave->is_node ? -1 : 1;
  PetscInt  first;

  if (!CrPassHasEdges(&c->passes[touch->pass])) {
    CrPartnerForce(c, touch, f);
    add_force(touch->arm, side, f, F, T, sizes);
    return;
  }
  first = CrEdgeArms(c, touch, arm); /* each of the two corners of the body's edge has its force */
  for (int a = 0; a < 2; a++) {
    CrEdgeNodeForce(touch, first + a, f);
    add_force(arm[a], 1, f, F, T, sizes);
  }
}
