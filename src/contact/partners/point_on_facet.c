/* Points of a rigid body of finite mass as slaves on the facets of a deformable body (theory 14.4). A corner is a slave
   like a node. Its position is x_c + R Y, and its displacement is exactly Dx_c + th x r with r = (R_0 + R_1)/2 Y. So
   the operators and the tangent of facets apply to it without change. A round part is a ball around such a point. The
   gap is then less by the radius, and friction acts at the closest point on the facet,

     H_i = [P_A e_i ; th: -g nu x e_i],  in addition to the lever arm r of the centre of the ball.

   For an ellipsoid, the slave is its point that is closest to the facet. */
#include "base/vector.h"
#include "contact/partners/partners.h"
#include "contact/touch/approach.h"

#define MOST                                                                                       \
  (CR_CONTACT_DOFS + 6) /* dofs of slave and facet, rotation and displacement of the body */

/* ---- force ------------------------------------------------------------------------------------ */

/* Computes the increments of a point of the body, at `arm` from its centre, and of the corners of the facet. */
static void increments(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       const PetscReal arm[3], PetscReal *du)
{
  const CrPartner *p = &c->work->partners[c->passes[touch->pass].partner];
  PetscInt         dim = c->model->dim, nodes[CR_CONTACT_NODES];
  PetscReal        turned[3], own[3], start[3];

  CrTouchNodes(c, touch, nodes);
  v_cross(p->turn, arm, turned);
  if (p->at_end) { /* the whole way of the point of the body that is at `arm` at the end */
    m_back(p->end.R, arm, own);
    m_times(p->start.R, own, start);
    v_less(arm, start, turned);
  }
  for (PetscInt i = 0; i < dim; i++) du[i] = p->move[i] + turned[i];
  for (PetscInt a = 1; a <= touch->k.nmaster; a++)
    CrVertexChange(c, nodes[a], step->du, du + dim * a);
}

/* Operators at an instant; x gets the positions of slave and corners. A corner may rest in a valley, unless the law is
   exact: then a touch on each of its facets holds it. */
static PetscBool project(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                         PetscBool exact, PetscReal *x, CrKinematics *k)
{
  PetscInt    dim = c->model->dim, n;
  CrProximity near;

  if (exact || !CrTouchRests(c, touch)) return CrTouchProject(c, touch, at, x, k);
  n = CrGatherTouch(c, touch, touch->facet, at, x);
  CrFacetProximity(dim, n, x, &near);
  return CrKinematicsRest(dim, n, CrValleyRest(c, touch, touch->facet, at->u, x, &near), x, k);
}

static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  const CrPartner *p = &c->work->partners[c->passes[touch->pass].partner];
  PetscReal        x[CR_CONTACT_DOFS], du[CR_CONTACT_DOFS];
  CrInstant        middle;
  CrProximity      near;
  PetscInt         facet;

  CrSlaveAt(c, touch, step->u, CR_POSE_MIDDLE, &middle);
  if (choose && !touch->locked) {
    facet = CrNearestFacetAt(c, touch, &middle, &near);
    if (facet >= 0) touch->facet = facet;
  }
  CrTouchHistory(c, touch, u0);
  if (!project(c, touch, &middle, step->law->exact, x, &touch->k)) return PETSC_FALSE;
  touch->hangs = touch->k.rest != CR_REST_NONE && c->work->iteration >= FREEZE &&
                 CrTouchHangs(c, touch, touch->facet, &middle);
  for (int i = 0; i < 3; i++) touch->arm[i] = i < c->model->dim ? x[i] - p->xm[i] : 0;
  if (touch->rolls) {
    CrKinematicsRoll(&touch->k);
    v_add(touch->arm, -touch->k.gap, touch->k.nu);
    touch->k.gap -= touch->radius;
  }
  increments(c, touch, step, touch->arm, du); /* along nu the lever makes no difference */
  CrLawAsk(c, touch, step, c->model->dim * (touch->k.nmaster + 1), du, du);
  return PETSC_TRUE;
}

/* On the facet that is closest at the end. Slave and facet exchange the force at one place, as in the middle. */
static PetscBool finish(const CrContact *c, const CrTouch *touch, const PetscReal *u1,
                        CrKinematics *k, CrGrip *grip)
{
  const CrPartner *p = &c->work->partners[c->passes[touch->pass].partner];
  CrTouch          moved = *touch;
  PetscReal        x[CR_CONTACT_DOFS];
  CrInstant        end;
  CrProximity      near;

  CrSlaveAt(c, touch, u1, CR_POSE_END, &end);
  if (!touch->locked) moved.facet = CrNearestFacetAt(c, touch, &end, &near);
  if (moved.facet < 0 || !project(c, &moved, &end, PETSC_FALSE, x, k)) return PETSC_FALSE;
  *grip = (CrGrip){.facet = moved.facet, .n = 1, .side = 1};
  for (PetscInt i = 0; i < c->model->dim; i++) grip->arm[0][i] = x[i] - p->end.x[i];
  if (touch->rolls) {
    CrKinematicsRoll(k);
    v_add(grip->arm[0], -k->gap, k->nu);
    k->gap -= touch->radius;
  }
  return PETSC_TRUE;
}

/* ---- tangent ---------------------------------------------------------------------------------- */

/* Operators of gap and slip, and their derivatives: n dofs of slave and corners, then three of the body's rotation. */
typedef struct {
  PetscInt  n;
  PetscReal G[MOST], H[2][MOST], dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS], dS[2][3][CR_CONTACT_DOFS];
} Operators;

/* Rotation of the body in the slip operators: -g nu x e_i. In 3D these are -g e_2 and g e_1, in 2D -g about z. The
   slave's rows of dH are the derivatives of e_i. */
static void spin_operators(const CrKinematics *k, Operators *o)
{
  for (int a = 0; a < k->dim - 1; a++)
    for (int i = 0; i < 3; i++) {
      PetscReal side = a ? -1 : 1, along = k->dim == 2 ? i == 2 : side * k->e[1 - a][i];

      o->H[a][o->n + i] = -k->gap * along;
      for (PetscInt b = 0; b < o->n; b++) {
        PetscReal turn = k->dim == 2 ? 0 : side * o->dH[1 - a][i][b];

        o->dS[a][i][b] = -along * k->G[b] - k->gap * turn;
      }
    }
}

static void operators(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                      Operators *o)
{
  PetscReal    x[CR_CONTACT_DOFS];
  CrInstant    middle;
  CrKinematics k = touch->k;

  *o = (Operators){.n = c->model->dim * (k.nmaster + 1)};
  for (PetscInt b = 0; b < o->n; b++) {
    o->G[b] = k.G[b];
    for (PetscInt a = 0; a < k.dim - 1; a++) o->H[a][b] = k.H[a][b];
  }
  CrSlaveAt(c, touch, step->u, CR_POSE_MIDDLE, &middle);
  CrGatherTouch(c, touch, touch->facet, &middle, x);
  if (!touch->rolls) {
    CrKinematicsGradient(&k, x, o->dG, o->dH);
    return;
  }
  k.gap += touch->radius;
  CrKinematicsRollGradient(&k, x, o->dG, o->dH);
  spin_operators(&k, o);
}

/* How the body carries the slave. The slave moves by D = move + th x r, with r from the centre to the slave in the
   middle of the step. dD is by slave, turn and move. d(slave) is by corners, and by move and turn. */
typedef struct {
  PetscReal r[3], D[3][9];
  PetscReal corners[3][CR_CONTACT_DOFS], z[3][6];
  PetscReal part; /* as in CrPartner */
} Carrier;

static void carry_increment(const CrPartner *p, Carrier *k)
{
  PetscReal T[9], X[9];

  m_cross(p->turn, T);
  m_cross(k->r, X);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      k->D[i][j] = T[3 * i + j];
      k->D[i][3 + j] = -X[3 * i + j];
      k->D[i][6 + j] = (i == j) - T[3 * i + j] / 2;
    }
}

/* For a point fixed to the body: d(slave) = (move - C r^ turn)/2. */
static void carry_fixed(const CrPartner *p, Carrier *k)
{
  PetscReal M[9];

  CrPartnerCarry(p, k->r, M);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      k->z[i][j] = (i == j) * p->part;
      k->z[i][3 + j] = M[3 * i + j];
    }
}

/* The point of an ellipsoid depends on the normal, M = dr/dnu, and on warped facets the normal depends on the point:
   (1 - M V_0) d(slave) = move/2 + M V_k dx_k + (M nu^ - r^) B turn, with V = dnu. */
static void carry_ellipsoid(const CrPartner *p, const CrTouch *touch, const Operators *o,
                            PetscInt dim, Carrier *k)
{
  const PetscReal *nu = touch->k.nu;
  PetscReal        B[9], Bn[3], M[9], X[9], N[9], E[9], s;

  CrEllipsoidForm(touch->ellipsoid, p->Rh, B);
  m_times(B, nu, Bn);
  s = sqrt(v_dot(nu, Bn));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) M[3 * i + j] = Bn[i] * Bn[j] / (s * s * s) - B[3 * i + j] / s;
  m_cross(nu, X);
  m_multiply(M, X, N);
  m_cross(k->r, X);
  for (int i = 0; i < 9; i++) N[i] -= X[i];
  m_multiply(N, p->B, X);
  for (PetscInt i = 0; i < 3; i++)
    for (PetscInt j = 0; j < 3; j++) {
      E[3 * i + j] = i == j;
      for (PetscInt l = 0; l < dim && i < dim && j < dim; l++)
        E[3 * i + j] -= M[3 * i + l] * o->dG[l][j];
    }
  for (PetscInt b = dim; b < o->n + 6; b++) { /* corners, then move, then turn */
    PetscInt  z = b - o->n;
    PetscReal side[3] = {0}, out[3] = {0};

    for (PetscInt i = 0; i < dim; i++) {
      if (z >= 0) side[i] = z < 3 ? (i == z) * p->part : X[3 * i + z - 3];
      for (PetscInt l = 0; l < dim && z < 0; l++) side[i] += M[3 * i + l] * o->dG[l][b];
    }
    (void)m_solve(E, side, out);
    for (int i = 0; i < 3; i++) *(z < 0 ? &k->corners[i][b] : &k->z[i][z]) = out[i];
  }
}

/* Computes derivatives of the increments of gap and slip, by slave and corners in the middle, by turn and by move. */
static void increment_rows(const CrTouch *touch, const PetscReal *du, const PetscReal turn[3],
                           const Operators *o, const Carrier *k, PetscReal dg[MOST],
                           PetscReal ds[2][MOST])
{
  PetscInt n = o->n, dim = touch->k.dim, nt = dim - 1;

  for (PetscInt b = 0; b < n + 6; b++) {
    PetscInt  own = b < dim ? b : b < n ? -1 : 3 + b - n; /* column of dD */
    PetscReal way = b < dim ? 0 : b < n ? 2 : 1;

    dg[b] = way * o->G[b];
    for (PetscInt i = 0; i < nt; i++) ds[i][b] = way * o->H[i][b];
    for (PetscInt a = 0; own >= 0 && a < dim; a++) {
      dg[b] += o->G[a] * k->D[a][own];
      for (PetscInt i = 0; i < nt; i++) ds[i][b] += o->H[i][a] * k->D[a][own];
    }
    for (PetscInt a = 0; b < n && a < n; a++) {
      dg[b] += du[a] * o->dG[a][b];
      for (PetscInt i = 0; i < nt; i++) ds[i][b] += du[a] * o->dH[i][a][b];
    }
    for (PetscInt a = 0; b < n && a < 3; a++)
      for (PetscInt i = 0; i < nt; i++) ds[i][b] += turn[a] * o->dS[i][a][b];
  }
}

/* Likewise, if contact acts at the end. With Q = R_0 R_1^T, the point of the body that is at a = r - g nu at the end has
   moved by D = move + (1 - Q) a. dD = move + (1 - Q) da - Q a^ B turn. The gap itself, not its increment, makes the
   pressure. */
static void end_rows(const CrTouch *touch, const PetscReal *du, const CrPartner *p,
                     const Operators *o, PetscReal ds[2][MOST])
{
  const PetscReal g = touch->k.gap + touch->radius, *nu = touch->k.nu;
  const PetscInt  n = o->n, dim = touch->k.dim;
  PetscReal       A[9], X[9], turned[9];

  m_cross(touch->arm, X);
  m_multiply(X, p->B, A);
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      PetscReal sum = 0;

      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum -= p->start.R[3 * i + k] * p->end.R[3 * l + k] * A[3 * l + j];
      turned[3 * i + j] = sum;
    }
  for (PetscInt b = 0; b < n + 6; b++) {
    const PetscInt turn = b >= n && b < n + 3 ? b - n : -1, move = b - n - 3;
    PetscReal      da[3] = {0}, own[3], start[3], D[3];

    for (PetscInt i = 0; i < dim; i++) {
      da[i] = i == b || i == move ? (move < 0 ? 1 : -1) : 0;
      if (b < n) da[i] -= nu[i] * o->G[b] + g * o->dG[i][b];
    }
    m_back(p->end.R, da, own);
    m_times(p->start.R, own, start);
    v_less(da, start, D);
    for (PetscInt i = 0; i < dim; i++) {
      if (turn >= 0) D[i] = turned[3 * i + turn];
      if (i == move) D[i] += 1;
    }
    for (PetscInt i = 0; i < dim - 1; i++) {
      ds[i][b] = b >= dim && b < n ? o->H[i][b] : 0;
      for (PetscInt a = 0; a < dim; a++) ds[i][b] += o->H[i][a] * D[a];
      for (PetscInt a = 0; b < n && a < n; a++) ds[i][b] += du[a] * o->dH[i][a][b];
    }
  }
}

/* Computes K, the derivatives of the forces on slave and corners, and of the torque about the slave (last rows).
   Columns are those of increment_rows. */
static void point_tangent(const CrTouch *touch, const Operators *o, const PetscReal dg[MOST],
                          PetscReal ds[2][MOST], PetscReal K[MOST][MOST])
{
  const CrLawOutput *out = &touch->out;
  PetscInt           n = o->n, nt = touch->k.dim - 1;

  for (PetscInt a = 0; a < n + 3; a++)
    for (PetscInt b = 0; b < n + 6; b++) {
      PetscReal dp = out->p_dg * dg[b] + (b < n ? out->p_gap * o->G[b] : 0), sum = o->G[a] * dp;

      if (a < n && b < n) sum += out->p * o->dG[a][b];
      for (PetscInt i = 0; i < nt; i++) {
        PetscReal dt = out->t_p[i] * dp;

        for (PetscInt j = 0; j < nt; j++) dt += out->t_ds[i][j] * ds[j][b];
        sum -= o->H[i][a] * dt;
        if (b < n) sum -= out->t[i] * (a < n ? o->dH[i][a][b] : o->dS[i][a - n][b]);
      }
      K[a][b] = touch->weight * sum;
    }
}

/* Turns one row into derivatives by the corners at the end of the step, and by the body. */
static void columns(PetscInt dim, PetscInt n, const PetscReal row[MOST], const Carrier *k,
                    PetscReal *corners, PetscReal z[6])
{
  for (PetscInt b = dim; b < n; b++) {
    corners[b - dim] = row[b] * k->part;
    for (PetscInt i = 0; i < dim; i++) corners[b - dim] += row[i] * k->corners[i][b] * k->part;
  }
  for (int j = 0; j < 6; j++) {
    z[j] = j < 3 ? row[n + 3 + j] : row[n + j - 3];
    for (PetscInt i = 0; i < dim; i++) z[j] += row[i] * k->z[i][j];
  }
}

/* Adds the lever arm: torque about the body's centre is r x f, r = slave - centre, plus that about the slave. */
static void torque_rows(PetscInt dim, PetscInt n, PetscReal K[MOST][MOST], const Carrier *k,
                        const PetscReal f[3], PetscReal T[3][MOST])
{
  PetscReal F[9];

  m_cross(f, F);
  for (PetscInt b = 0; b < n + 6; b++) {
    PetscReal df[3] = {K[0][b], K[1][b], dim == 3 ? K[2][b] : 0}, torque[3];

    v_cross(k->r, df, torque);
    for (int i = 0; i < 3; i++) {
      T[i][b] = torque[i] + K[n + i][b];
      if (b < dim) T[i][b] -= F[3 * i + b];
      if (b >= n + 3) T[i][b] += F[3 * i + b - n - 3] * k->part;
    }
  }
}

/* K if contact acts at the end: a corner moves as a node does, from the start to the end. */
static void corner_tangent(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                           const PetscReal *du, PetscReal K[MOST][MOST])
{
  PetscInt  n = touch->k.dim * (touch->k.nmaster + 1);
  PetscReal x[CR_CONTACT_DOFS], own[CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  CrInstant at;

  CrSlaveAt(c, touch, step->u, CR_POSE_MIDDLE, &at);
  CrGatherTouch(c, touch, touch->facet, &at, x);
  CrPointTangent(step, touch, x, du, du, own);
  for (PetscInt a = 0; a < MOST; a++)
    for (PetscInt b = 0; b < MOST; b++) K[a][b] = a < n && b < n ? touch->weight * own[a][b] : 0;
}

static void differentiate(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                          CrBodyTangent *t)
{
  const CrPartner *p = &c->work->partners[c->passes[touch->pass].partner];
  PetscInt         dim = c->model->dim;
  PetscReal        K[MOST][MOST], T[3][MOST], dg[MOST] = {0}, ds[2][MOST];
  PetscReal        du[CR_CONTACT_DOFS], f[3];
  Operators        o;
  Carrier          k = {.part = p->part};

  m_times(p->Rm, touch->offset, k.r);
  if (touch->ellipsoid) CrEllipsoidReach(touch->ellipsoid, p->Rh, touch->k.nu, k.r);
  operators(c, touch, step, &o);
  carry_increment(p, &k);
  if (touch->ellipsoid)
    carry_ellipsoid(p, touch, &o, dim, &k);
  else
    carry_fixed(p, &k);
  increments(c, touch, step, p->at_end ? touch->arm : k.r, du);
  if (p->at_end && touch->rolls)
    end_rows(touch, du, p, &o, ds);
  else if (!p->at_end)
    increment_rows(touch, du, p->turn, &o, &k, dg, ds);
  if (p->at_end && !touch->rolls)
    corner_tangent(c, touch, step, du, K);
  else
    point_tangent(touch, &o, dg, ds, K);
  *t = (CrBodyTangent){.nn = {{0}}};
  for (PetscInt a = dim; a < o.n; a++) columns(dim, o.n, K[a], &k, t->nn[a - dim], t->nz[a - dim]);
  for (PetscInt a = 0; a < dim; a++) columns(dim, o.n, K[a], &k, t->zn[a], t->zz[a]);
  CrPartnerForce(c, touch, f);
  torque_rows(dim, o.n, K, &k, f, T);
  for (int i = 0; i < 3; i++) columns(dim, o.n, T[i], &k, t->zn[3 + i], t->zz[3 + i]);
}

static void turn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                 PetscReal K[36])
{
  CrBodyTangent t;

  differentiate(c, touch, step, &t);
  CrPartnerTurn(&t, K);
}

/* Makes one entry for each node of the facet. */
static PetscInt couple(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       const CrPartner *p, PetscInt m, CrMatrixValues *values)
{
  CrBodyTangent t;
  CrSpread      nodes;

  differentiate(c, touch, step, &t);
  CrTouchSpread(c, touch, &nodes);
  for (PetscInt e = 0; e < nodes.n; e++) nodes.column[e]--; /* the body is no node */
  return CrPartnerCouple(c, p, &t, &nodes, m, values);
}

const CrPassOps CrPass_point_on_facet = {.slave = &CrSlavePoint,
                                         .facets = PETSC_TRUE,
                                         .body = PETSC_TRUE,
                                         .search = CrSearchFacets,
                                         .look = look,
                                         .gap = CrGapOnFacets,
                                         .finish = finish,
                                         .turn = turn,
                                         .couple = couple};
