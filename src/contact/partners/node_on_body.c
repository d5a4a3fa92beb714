/* A node on the surface of a rigid body of finite mass (theory 14.3). Normal and tangents rotate with the body. Slave
   and body exchange one force at the position of the slave, so that momenta and energy balance for every shape. Let r
   be the vector from the body's centre to the slave, both in the middle of the step. The displacement D of the slave
   relative to the body, the increments of gap and slip, and the force on the slave are

     D = Dx_S - Dx_c - th x r,   dg = nu . D,   ds_i = e_i . D,   w (p nu - t_i e_i).

   On a face of a polytope, normal and tangents follow from the mean of the rotations at both ends. Then dg is exactly
   the change of the real gap. Curved shapes are evaluated in the middle of the step. */
#include "base/grow.h"
#include "base/vector.h"
#include "contact/division.h"
#include "contact/partners/partners.h"
#include "contact/touch/approach.h"

static PetscInt choose_face(const CrContact *c, const CrTouch *touch, const PetscReal R[9],
                            const PetscReal y[3], PetscReal *beyond)
{
  const CrPass    *pass = &c->passes[touch->pass];
  const CrPartner *p = &c->work->partners[pass->partner];
  CrFaceChoice     choice = {.patch = touch->patch, .R = p->start.R, .normal = touch->normal};

  if (pass->cones) {
    choice.listed = c->work->found + touch->admitted;
    choice.n = touch->nadmitted;
  }
  return CrShapeFace(p->shape, &choice, R, y, beyond);
}

/* Normal and tangents of a curved shape at y, a vector from its centre, with the rotation R. e_1 follows the
   body axis `axis`. */
static void curved_frame(const CrShape *s, const PetscReal R[9], const PetscReal y[3],
                         PetscInt axis, CrKinematics *k)
{
  static const PetscReal origin[3] = {0, 0, 0};

  k->gap = CrShapeGap(s, origin, R, y, k->nu);
  for (int i = 0; i < 3; i++) k->frame[i] = R[3 * i + axis];
  (void)CrTangents(k); /* the axis is the one least parallel to nu at t_n */
}

static void face_frame(const CrShape *s, const PetscReal R[9], const PetscReal y[3], PetscInt face,
                       CrKinematics *k)
{
  PetscReal t1[3], t2[3];

  v_frame(s->dim, s->normals + 3 * face, t1, t2);
  m_times(R, s->normals + 3 * face, k->nu);
  m_times(R, t1, k->e[0]);
  m_times(R, t2, k->e[1]);
  k->gap = v_dot(k->nu, y) - s->offsets[face];
}

/* Gap and frame at y. Flat shapes use the rotation `mean`, curved shapes use `half`. */
static void look_at(const CrShape *s, const PetscReal mean[9], const PetscReal half[9],
                    const PetscReal y[3], PetscInt facet, CrKinematics *k)
{
  k->dim = s->dim;
  if (s->kind == CR_SHAPE_POLYTOPE)
    face_frame(s, mean, y, facet, k);
  else
    curved_frame(s, half, y, facet, k);
  CrKinematicsAlone(k);
}

/* ---- search ----------------------------------------------------------------------------------- */

static PetscBool is_within(const CrPartner *p, const CrPose *pose, const PetscReal at[3],
                           PetscReal reach)
{
  PetscReal d[3], nu[3];

  v_less(at, pose->x, d);
  return v_length(d) < p->shape->reach + reach &&
         CrShapeGap(p->shape, pose->x, pose->R, at, nu) < reach;
}

PetscBool CrPartnerIsNear(const CrContact *c, const CrPass *pass, PetscInt i, PetscReal reach)
{
  const CrPartner *p = &c->work->partners[pass->partner];
  PetscInt         dim = c->model->dim;
  const PetscReal *box = c->work->path + 2 * dim * pass->slave->nodes[i];
  PetscReal        at[3] = {0}, half = 0;

  for (PetscInt d = 0; d < dim; d++) {
    at[d] = (box[d] + box[dim + d]) / 2;
    half += PetscSqr(box[dim + d] - box[d]) / 4;
  }
  reach += PetscSqrtReal(half);
  return is_within(p, &p->start, at, reach) || is_within(p, &p->path, at, reach) ||
         (p->guessed && is_within(p, &p->guess, at, reach));
}

/* Lists the faces that the cone of the node's normals admits at the start of the step. A pressed node also keeps the
   face that holds it. */
static PetscErrorCode admit(CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrPass    *pass = &c->passes[touch->pass];
  const CrPartner *p = &c->work->partners[pass->partner];
  PetscInt         held = c->past.gd[touch->point] < 0 ? c->past.facet[touch->point] : -1;

  PetscFunctionBeginUser;
  PetscCall(CrGrow(c->work->nfound + p->shape->nfaces, &c->work->found_room, &c->work->found));
  touch->admitted = c->work->nfound;
  touch->nadmitted = CrAdmittedFaces(c, pass, touch->point - pass->first, p->start.R, u0, held,
                                     c->work->found + touch->admitted);
  c->work->nfound += touch->nadmitted;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Chooses the face, or the axis of the tangents. The touch is idle if the node is over no face that it may
   touch. */
static void choose(const CrContact *c, CrTouch *touch, const PetscReal y[3], const PetscReal nu[3])
{
  const CrPass    *pass = &c->passes[touch->pass];
  const CrPartner *p = &c->work->partners[pass->partner];
  PetscReal        n[3], beyond;

  if (p->shape->kind == CR_SHAPE_POLYTOPE) {
    touch->facet = choose_face(c, touch, p->start.R, y, &beyond);
    if (touch->facet < 0 || beyond > CrFaceMargin(pass, p->shape, touch->facet))
      touch->idle = PETSC_TRUE;
    if (pass->cones && !touch->idle) touch->patch = touch->facet;
    return;
  }
  m_back(p->start.R, nu, n);
  touch->facet = p->shape->dim == 3 ? CrSphereAxis(n) : 0;
  if (!touch->keeps && !CrIsFaced(touch->normal, nu)) touch->idle = PETSC_TRUE;
}

/* Is the node so far behind its face that it cannot have come in there? Its cone may admit the far end of the body
   alone, while it penetrates a face that the cone does not admit. Points and edges of the body hold it then. */
static PetscBool is_far_behind(const CrContact *c, const CrTouch *touch, const PetscReal y[3])
{
  const CrPass    *pass = &c->passes[touch->pass];
  const CrPartner *p = &c->work->partners[pass->partner];
  CrKinematics     k;

  face_frame(p->shape, p->start.R, y, touch->facet, &k);
  return k.gap < PetscMin(touch->gap0, 0) - CR_DEEPEST / 2 * pass->slave->mean_size;
}

/* Makes a touch of a node near the body. y is the vector from the body's centre at t_n. */
static PetscErrorCode approach(CrContact *c, const CrPass *pass, PetscInt i, const PetscReal *u0,
                               const PetscReal y[3], const PetscReal nu[3], CrTouch *touch)
{
  const CrPartner *p = &c->work->partners[pass->partner];
  PetscInt         point = touch->point;
  PetscBool        tracked = c->past.facet[point] >= 0;
  PetscBool        pressed = tracked && c->past.gd[point] < 0;
  PetscReal        deepest = pass->cones ? CR_DEEPEST / 2 : CR_DEEPEST;
  CrKinematics     k;

  PetscFunctionBeginUser;
  if (pass->cones)
    PetscCall(admit(c, touch, u0));
  else if (pressed && p->shape->kind == CR_SHAPE_POLYTOPE)
    touch->patch = c->past.facet[point];
  if (!pressed && !pass->cones) CrSlaveNormal(c, pass, i, u0, touch->normal);
  touch->keeps = pressed || (tracked && touch->gap0 < 0);
  choose(c, touch, y, nu);
  if (!pressed && touch->gap0 < -deepest * pass->slave->mean_size) {
    touch->idle = PETSC_TRUE;
    if (!*c->past.begun) c->work->ndeep++;
  }
  if (!pressed && pass->cones && !touch->idle && is_far_behind(c, touch, y))
    touch->idle = PETSC_TRUE;
  if (touch->idle && pressed) PetscCall(CrPointDrop(c, point));
  if (touch->idle) touch->keeps = PETSC_FALSE;
  if (!touch->idle) CrTouchShare(c, touch, &(CrInstant){.u = u0});
  if (touch
          ->keeps) { /* the elastic slip becomes a vector in space, from the facet of the last step */
    look_at(p->shape, p->start.R, p->start.R, y, c->past.facet[point], &k);
    CrSpringKeep(c->past.eta + 2 * point, &k, touch);
  }
  if (p->shape->kind == CR_SHAPE_POLYTOPE && !touch->idle) {
    face_frame(p->shape, p->start.R, y, touch->facet, &k);
    touch->gap0 = k.gap;
  }
  CrOverlapNote(c, touch, touch->gap0);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The least gap along the known path. Notes paths that leap through the body. */
static PetscReal least_gap(const CrContact *c, const CrPass *pass, PetscInt i,
                           const PetscReal x0[3], PetscReal gap0, PetscInt nends,
                           const PetscReal *const ends[], PetscBool *leaps)
{
  const CrPartner *p = &c->work->partners[pass->partner];
  const CrPose    *poses[2] = {&p->path, &p->guess};
  PetscReal        inner = CrShapeInnerRadius(p->shape), least = gap0;

  *leaps = PETSC_FALSE;
  for (PetscInt k = 0; k < nends; k++) {
    PetscReal x1[3], y0[3], y1[3], Y0[3], Y1[3], nu[3], gap;

    if (!ends[k] || (k == 1 && !p->guessed)) continue;
    CrGatherVector(c, pass->slave->nodes[i], ends[k], x1);
    gap = CrShapeGap(p->shape, poses[k]->x, poses[k]->R, x1, nu);
    v_less(x0, p->start.x, y0);
    v_less(x1, poses[k]->x, y1);
    m_back(p->start.R, y0, Y0);
    m_back(poses[k]->R, y1, Y1);
    v_add(Y1, -1, Y0);
    least = PetscMin(least, gap);
    if (v_length(Y1) > 0.5 * inner && PetscMin(gap0, gap) < v_length(Y1)) *leaps = PETSC_TRUE;
  }
  return least;
}

static PetscErrorCode search(CrContact *c, PetscInt k, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[])
{
  const CrPass    *pass = &c->passes[k];
  const CrPartner *p = &c->work->partners[pass->partner];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < pass->n; i++) {
    PetscInt  point = pass->first + i;
    PetscReal x0[3], y[3], nu[3], gap, least;
    PetscBool leaps, held;
    CrTouch  *touch;

    if (!CrPointIsMine(c, pass, i)) continue;
    if (!(c->past.gd[point] < 0) && !CrPartnerIsNear(c, pass, i, pass->reach)) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    CrGatherVector(c, pass->slave->nodes[i], u0, x0);
    v_less(x0, p->start.x, y);
    gap = CrShapeGap(p->shape, p->start.x, p->start.R, x0, nu);
    least = least_gap(c, pass, i, x0, gap, nends, ends, &leaps);
    /* a body that passes a node so fast is held by its own points, where it has any */
    held = leaps && c->pairs[pass->pair].slaves == CR_SLAVES_BOTH && !(c->past.gd[point] < 0);
    if (leaps && !held) c->work->too_far = PETSC_TRUE;
    if (held || (least > pass->reach && !(c->past.gd[point] < 0))) {
      PetscCall(CrPointDrop(c, point));
      continue;
    }
    PetscCall(CrTouchNew(c, k, i, &touch));
    touch->gap0 = gap;
    PetscCall(approach(c, pass, i, u0, y, nu, touch));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- force ------------------------------------------------------------------------------------ */

/* Expresses the history in the tangents of the present facet. It is constant during the step. */
static void set_history(const CrContact *c, CrTouch *touch, const CrPartner *p, const PetscReal *u0)
{
  PetscReal    x[3], y[3];
  CrKinematics k;

  if (touch->cached == touch->facet) return;
  touch->cached = touch->facet;
  touch->eta0[0] = touch->eta0[1] = 0;
  CrGatherVector(c, touch->node, u0, x);
  v_less(x, p->start.x, y);
  look_at(p->shape, p->start.R, p->start.R, y, touch->facet, &k);
  touch->gd0 = touch->keeps ? c->past.gd[touch->point] : PetscMax(k.gap, 0);
  if (touch->keeps) CrSpringCarry(c->model->dim, touch, &k);
}

/* At the end of the step: from the place that the node had on the body at t_n to the place that it has now. */
static void relative_way(const CrContact *c, CrTouch *touch, const CrPartner *p,
                         const PetscReal *u0)
{
  PetscReal x[3], y[3], Y[3];

  CrGatherVector(c, touch->node, u0, x);
  v_less(x, p->start.x, y);
  m_back(p->start.R, y, Y);
  m_times(p->end.R, Y, y);
  v_less(touch->arm, y, touch->way);
}

static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool may_choose)
{
  const CrPartner *p = &c->work->partners[c->passes[touch->pass].partner];
  PetscInt         dim = c->model->dim;
  PetscReal        x[3], turned[3], moved[3], beyond;

  CrGatherVector(c, touch->node, step->u, x);
  v_less(x, p->xm, touch->arm);
  if (may_choose && p->shape->kind == CR_SHAPE_POLYTOPE)
    touch->facet = choose_face(c, touch, p->Rm, touch->arm, &beyond);
  set_history(c, touch, p, u0);
  look_at(p->shape, p->Rm, p->Rh, touch->arm, touch->facet, &touch->k);
  v_cross(p->turn, touch->arm, turned);
  CrVertexChange(c, touch->node, step->du, moved);
  for (int i = 0; i < 3; i++) touch->way[i] = (i < dim ? moved[i] : 0) - p->move[i] - turned[i];
  if (p->at_end) relative_way(c, touch, p, u0);
  CrLawAsk(c, touch, step, dim, touch->way, touch->way);
  return PETSC_TRUE;
}

/* The body feels the reaction at the place of the node. */
static PetscBool finish(const CrContact *c, const CrTouch *touch, const PetscReal *u1,
                        CrKinematics *k, CrGrip *grip)
{
  const CrPartner *p = &c->work->partners[c->passes[touch->pass].partner];
  PetscReal        x[3];

  *grip = (CrGrip){.facet = -1, .n = 1, .side = -1};
  CrGatherVector(c, touch->node, u1, x);
  v_less(x, p->end.x, grip->arm[0]);
  look_at(p->shape, p->end.R, p->end.R, grip->arm[0], touch->facet, k);
  return PETSC_TRUE;
}

static PetscReal gap(const CrContact *c, const CrTouch *touch, const PetscReal *u1)
{
  CrKinematics k;
  CrGrip       grip;

  (void)finish(c, touch, u1, &k, &grip);
  return k.gap;
}

/* ---- tangent ---------------------------------------------------------------------------------- */

/* Derivatives of the force f on the node, by CrNodeOnBodyTangent, and M = f^/2 - r^ K1: minus the derivative of the
   torque on the body by the position of the node. If the body rests, 1 stands for 1/2. */
static void force_rows(const CrContact *c, const CrTouch *touch, PetscReal K1[9], PetscReal K2[9],
                       PetscReal X[9], PetscReal M[9])
{
  PetscReal f[3], F[9];

  CrNodeOnBodyTangent(c, touch, K1, K2);
  CrPartnerForce(c, touch, f);
  m_cross(f, F);
  m_cross(touch->arm, X);
  m_multiply(X, K1, M);
  for (int i = 0; i < 9; i++)
    M[i] = F[i] * c->work->partners[c->passes[touch->pass].partner].part - M[i];
}

/* Adds the part of a node to the derivative K of the body's residual. The body gets force -f and torque -r x f. */
static void turn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                 PetscReal K[36])
{
  PetscReal K1[9], K2[9], X[9], M1[9], M2[9];

  (void)step;
  force_rows(c, touch, K1, K2, X, M1);
  m_multiply(X, K2, M2);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      K[6 * i + j] += K1[3 * i + j];
      K[6 * i + 3 + j] -= K2[3 * i + j];
      K[6 * (3 + i) + j] -= M1[3 * i + j];
      K[6 * (3 + i) + 3 + j] -= M2[3 * i + j];
    }
}

/* fz (3 x 6) is the derivative of the force on the node with respect to the body's displacement and rotation (move,
   turn). W (6 x 3) is K^-1 times the derivative of the body's residual with respect to the position of the node. */
static void point_rows(const CrContact *c, const CrTouch *touch, const CrPartner *p,
                       PetscReal K1[9], PetscReal *out)
{
  PetscReal K2[9], X[9], M[9], *fz = out, *W = out + 18;

  force_rows(c, touch, K1, K2, X, M);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal sum[2] = {0, 0};

      fz[6 * i + j] = -K1[3 * i + j];
      fz[6 * i + 3 + j] = K2[3 * i + j];
      for (int k = 0; k < 3; k++) {
        sum[0] += p->K[6 * i + k] * -K1[3 * k + j] + p->K[6 * i + 3 + k] * M[3 * k + j];
        sum[1] += p->K[6 * (3 + i) + k] * -K1[3 * k + j] + p->K[6 * (3 + i) + 3 + k] * M[3 * k + j];
      }
      W[3 * i + j] = sum[0];
      W[3 * (3 + i) + j] = sum[1];
    }
}

static PetscInt couple(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       const CrPartner *p, PetscInt m, CrMatrixValues *values)
{
  const CrVertex vertex = CrVertexAt(c, touch->node);
  PetscReal      K1[9], rows[CR_SCHUR_REALS];

  (void)step;
  point_rows(c, touch, p, K1, rows);
  for (PetscInt a = 0; a < vertex.n; a++) {
    c->work->near[m + a] = vertex.nodes[a];
    for (int k = 0; k < CR_SCHUR_REALS; k++)
      c->work->schur[CR_SCHUR_REALS * (m + a) + k] = vertex.c[a] * rows[k];
    for (PetscInt b = 0; b < vertex.n; b++)
      CrPartnerAddBlock(c, vertex.nodes[a], vertex.nodes[b], -vertex.c[a] * vertex.c[b], K1,
                        values);
  }
  return vertex.n;
}

const CrPassOps CrPass_node_on_body = {.slave = &CrSlaveNode,
                                       .body = PETSC_TRUE,
                                       .search = search,
                                       .look = look,
                                       .gap = gap,
                                       .finish = finish,
                                       .turn = turn,
                                       .couple = couple};
