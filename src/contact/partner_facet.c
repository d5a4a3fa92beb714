/* Points of a rigid body of finite mass as slaves on the facets of a deformable one (theory 14.4). A corner
   is a slave like a node: it stands at x_c + R Y and moves by Dx_c + th x r, r = (R_0 + R_1)/2 Y, without
   remainder, so that operators and tangent of facets serve as they are. A round part is the ball around
   such a point: the gap is less by the radius, and friction acts at the foot on the facet,

     H_i = [P_A e_i ; th: -g nu x e_i]  besides the lever r of the centre of the ball. */
#include "contact/internal.h"
#include "rigid/vector.h"

#define MOST (CR_CONTACT_DOFS + 3) /* dofs of slave and facet, and the spin of the ball */

/* ---- where the points are --------------------------------------------------------------------- */

PetscInt CrShapePoints(const CrShape *s)
{
  if (s->kind == CR_SHAPE_POLYTOPE) return s->nvertices;
  return s->kind == CR_SHAPE_CAPSULE ? 2 : s->kind == CR_SHAPE_BALL ? 1 : 0;
}

void CrPartnerPoint(const CrContact *c, const CrPass *p, PetscInt i, PetscReal offset[3],
                    PetscReal *radius)
{
  const CrShape *s = c->partners[p->partner].shape;

  offset[0] = offset[1] = offset[2] = 0;
  *radius                           = s->kind == CR_SHAPE_POLYTOPE ? 0 : s->radius;
  if (s->kind == CR_SHAPE_POLYTOPE) v_copy(s->vertices + 3 * i, offset);
  if (s->kind == CR_SHAPE_CAPSULE) offset[2] = i ? s->half : -s->half;
}

static void point_at(const CrPartner *p, const PetscReal offset[3], CrPoseOf pose, PetscReal x[3])
{
  const PetscReal *at[] = {p->x0, p->path_x, p->guess_x, p->xm, p->x1};
  const PetscReal *R[]  = {p->R0, p->path_R, p->guess_R, p->Rm, p->R1};

  m_times(R[pose], offset, x);
  v_add(x, 1, at[pose]);
}

void CrPartnerPointAt(const CrContact *c, const CrTouch *touch, CrPoseOf pose, PetscReal x[3])
{
  point_at(&c->partners[c->passes[touch->pass].partner], touch->offset, pose, x);
}

void CrPartnerPointPath(const CrContact *c, const CrPass *pass, PetscInt i, PetscReal box[6])
{
  const CrPartner *p   = &c->partners[pass->partner];
  PetscInt         dim = c->model->dim;
  PetscReal        offset[3], radius, x[3];

  CrPartnerPoint(c, pass, i, offset, &radius);
  for (CrPoseOf pose = CR_POSE_START; pose <= (p->guessed ? CR_POSE_GUESS : CR_POSE_PATH); pose++) {
    point_at(p, offset, pose, x);
    for (PetscInt d = 0; d < dim; d++) {
      box[d]       = pose == CR_POSE_START ? x[d] : PetscMin(box[d], x[d]);
      box[dim + d] = pose == CR_POSE_START ? x[d] : PetscMax(box[dim + d], x[d]);
    }
  }
}

/* ---- force ------------------------------------------------------------------------------------ */

/* History in the tangents of the facet in use: a constant of the step. */
static void set_history(const CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x[CR_CONTACT_DOFS];
  CrInstant        start = {.u = u0};
  CrProximity      near;
  CrKinematics     k;
  PetscInt         n;

  if (touch->cached == touch->facet) return;
  touch->cached  = touch->facet;
  touch->eta0[0] = touch->eta0[1] = 0;
  CrPartnerPointAt(c, touch, CR_POSE_START, start.x);
  n = CrGatherAt(c, master, touch->facet, &start, x);
  if (!touch->keeps) {
    CrFacetProximity(c->model->dim, n, x, &near);
    touch->gd0 = PetscMax(near.gap - touch->radius, 0);
    return;
  }
  touch->gd0 = c->gd[touch->point];
  if (c->eta[2 * touch->point] == 0 && c->eta[2 * touch->point + 1] == 0) return;
  if (CrKinematicsFacet(c->model->dim, n, x, &k)) CrSpringCarry(c->model->dim, touch, &k);
}

/* Increments of a point that is carried with the body at `arm`, and of the corners of the facet. */
static void increments(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       const PetscReal arm[3], PetscReal *du)
{
  const CrPartner *p   = &c->partners[c->passes[touch->pass].partner];
  PetscInt         dim = c->model->dim, nodes[CR_CONTACT_NODES];
  PetscReal        turned[3];

  CrTouchNodes(c, touch, nodes);
  v_cross(p->turn, arm, turned);
  for (PetscInt i = 0; i < dim; i++) du[i] = p->move[i] + turned[i];
  for (PetscInt a = 1; a <= touch->k.nmaster; a++)
    for (PetscInt i = 0; i < dim; i++) du[dim * a + i] = step->du[dim * nodes[a] + i];
}

PetscBool CrPartnerLookFacet(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                             const CrContactStep *step, PetscBool choose)
{
  const CrPass    *pass = &c->passes[touch->pass];
  const CrPartner *p    = &c->partners[pass->partner];
  PetscReal        x[CR_CONTACT_DOFS], du[CR_CONTACT_DOFS];
  CrInstant        middle = {.u = step->u};
  CrProximity      near;
  PetscInt         n, facet;

  CrPartnerPointAt(c, touch, CR_POSE_MIDDLE, middle.x);
  if (choose && !touch->locked) {
    facet = CrNearestFacetAt(c, touch, &middle, &near);
    if (facet >= 0) touch->facet = facet;
  }
  set_history(c, touch, u0);
  n = CrGatherAt(c, pass->master, touch->facet, &middle, x);
  if (!CrKinematicsFacet(c->model->dim, n, x, &touch->k)) return PETSC_FALSE;
  v_less(middle.x, p->xm, touch->arm);
  if (touch->radius > 0) {
    CrKinematicsRoll(&touch->k);
    v_add(touch->arm, -touch->k.gap, touch->k.nu);
    touch->k.gap -= touch->radius;
  }
  increments(c, touch, step, touch->arm, du); /* along nu the lever makes no difference */
  CrLawAsk(c, touch, step, c->model->dim * (n + 1), du, du);
  return PETSC_TRUE;
}

/* ---- tangent ---------------------------------------------------------------------------------- */

/* Operators and derivatives of slave, facet and spin: n dofs of the first two, then three. */
typedef struct {
  PetscInt  n;
  PetscReal G[MOST], H[2][MOST], dG[CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  PetscReal dH[2][CR_CONTACT_DOFS][CR_CONTACT_DOFS], dS[2][3][CR_CONTACT_DOFS];
} Operators;

/* -g nu x e_i: -g e_2 and g e_1, in the plane -g about z. The slave's rows of dH are those of e_i. */
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

static void operators(const CrContact *c, const CrTouch *touch, Operators *o)
{
  CrKinematics k = touch->k;

  *o = (Operators){.n = c->model->dim * (k.nmaster + 1)};
  for (PetscInt b = 0; b < o->n; b++) {
    o->G[b] = k.G[b];
    for (PetscInt a = 0; a < k.dim - 1; a++) o->H[a][b] = k.H[a][b];
  }
  if (touch->radius == 0) {
    CrKinematicsGradient(&k, NULL, o->dG, o->dH);
    return;
  }
  k.gap += touch->radius;
  CrKinematicsRollGradient(&k, o->dG, o->dH);
  spin_operators(&k, o);
}

/* d(force)/d(slave and corners in the middle, spin): rows of forces, then of the torque about the slave. */
static void point_tangent(const CrContact *c, const CrTouch *touch, const PetscReal *du,
                          const PetscReal turn[3], const Operators *o, PetscReal K[MOST][MOST])
{
  const CrLawOutput *out = &touch->out;
  PetscInt           n = o->n, nt = c->model->dim - 1;
  PetscReal          dp[MOST], ds[2][MOST];

  for (PetscInt b = 0; b < n + 3; b++) {
    PetscReal dg = 2 * o->G[b];

    for (PetscInt a = 0; b < n && a < n; a++) dg += du[a] * o->dG[a][b];
    dp[b] = out->p_dg * dg;
    for (PetscInt i = 0; i < nt; i++) {
      ds[i][b] = (b < n ? 2 : 1) * o->H[i][b];
      for (PetscInt a = 0; b < n && a < n; a++) ds[i][b] += du[a] * o->dH[i][a][b];
      for (PetscInt a = 0; b < n && a < 3; a++) ds[i][b] += turn[a] * o->dS[i][a][b];
    }
  }
  for (PetscInt a = 0; a < n + 3; a++)
    for (PetscInt b = 0; b < n + 3; b++) {
      PetscReal sum = o->G[a] * dp[b];

      if (a < n && b < n) sum += out->p * o->dG[a][b];
      for (PetscInt i = 0; i < nt; i++) {
        PetscReal dt = out->t_p[i] * dp[b];

        for (PetscInt j = 0; j < nt; j++) dt += out->t_ds[i][j] * ds[j][b];
        sum -= o->H[i][a] * dt;
        if (b < n) sum -= out->t[i] * (a < n ? o->dH[i][a][b] : o->dS[i][a - n][b]);
      }
      K[a][b] = touch->weight * sum;
    }
}

/* Columns of one row by the corners at the end and by the body: the slave in the middle moves by
   (move - C r^ turn)/2. */
static void columns(PetscInt dim, PetscInt n, const PetscReal row[MOST], const PetscReal Cr[9],
                    PetscReal *corners, PetscReal z[6])
{
  for (PetscInt b = dim; b < n; b++) corners[b - dim] = row[b] / 2;
  for (int j = 0; j < 3; j++) {
    z[j]     = j < dim ? row[j] / 2 : 0;
    z[3 + j] = row[n + j];
    for (PetscInt i = 0; i < dim; i++) z[3 + j] -= row[i] * Cr[3 * i + j] / 2;
  }
}

/* Torque: lever of the slave times the force there, and what turns the ball. */
static void torque_rows(PetscInt dim, PetscInt n, PetscReal K[MOST][MOST], const PetscReal r[3],
                        PetscReal T[3][MOST])
{
  for (PetscInt b = 0; b < n + 3; b++) {
    PetscReal f[3] = {K[0][b], K[1][b], dim == 3 ? K[2][b] : 0}, torque[3];

    v_cross(r, f, torque);
    for (int i = 0; i < 3; i++) T[i][b] = torque[i] + K[n + i][b];
  }
}

void CrPartnerFacetTangent(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                           CrFacetTangent *t)
{
  const CrPartner *p   = &c->partners[c->passes[touch->pass].partner];
  PetscInt         dim = c->model->dim;
  PetscReal        K[MOST][MOST], T[3][MOST], du[CR_CONTACT_DOFS], r[3], X[9], Cr[9], f[3], F[9];
  PetscReal        M[9];
  Operators        o;

  m_times(p->Rm, touch->offset, r);
  operators(c, touch, &o);
  increments(c, touch, step, r, du);
  point_tangent(c, touch, du, p->turn, &o, K);
  m_cross(r, X);
  m_multiply(p->C, X, Cr);
  *t = (CrFacetTangent){.nn = {{0}}};
  for (PetscInt a = dim; a < o.n; a++) columns(dim, o.n, K[a], Cr, t->nn[a - dim], t->nz[a - dim]);
  for (PetscInt a = 0; a < dim; a++) columns(dim, o.n, K[a], Cr, t->zn[a], t->zz[a]);
  torque_rows(dim, o.n, K, r, T);
  for (int i = 0; i < 3; i++) columns(dim, o.n, T[i], Cr, t->zn[3 + i], t->zz[3 + i]);
  CrPartnerForce(c, touch, f); /* dr x f with dr = -C r^ d(turn)/2 */
  m_cross(f, F);
  m_multiply(F, Cr, M);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) t->zz[3 + i][3 + j] += M[3 * i + j] / 2;
}
