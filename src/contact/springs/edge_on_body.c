/* Sharp edges of a rigid body of finite mass that cross edges of a deformable surface (theory 14.5). The two corners of
   such an edge have the positions x_c + R Y. In the middle of the step their positions are the means of start and end.
   So they move like nodes, and the operators, law and tangent of edges on edges apply without change. Force and torque
   on the body are sums over the two corners. Their lever arms are those in the middle of the step, so that energy and
   momenta balance. Either edge may be the slave. */
#include "base/vector.h"
#include "contact/partners/partners.h"
#include "contact/springs/edges.h"

/* The first of the two entries of a meeting that are corners of the body: 0 or 2. */
static PetscInt first_corner(const CrContact *c, const CrTouch *touch)
{
  return c->passes[touch->pass].ridges[0]->shape ? 0 : 2;
}

static const CrPartner *partner_of(const CrContact *c, const CrTouch *touch)
{
  return &c->work->partners[c->passes[touch->pass].partner];
}

/* ---- force ------------------------------------------------------------------------------------ */

/* Ways of nodes and corners in the step. */
static void increments(const CrContact *c, const CrTouch *touch, const PetscReal *u0,
                       const CrContactStep *step, PetscReal du[12])
{
  PetscInt  b = first_corner(c, touch), nodes[CR_CONTACT_NODES];
  PetscReal x0[12], x1[12];

  CrGatherEdges(c, touch, touch->facet, u0, CR_POSE_START, x0);
  CrGatherEdges(c, touch, touch->facet, u0, CR_POSE_END, x1);
  CrTouchNodes(c, touch, nodes);
  for (PetscInt a = 0; a < 4; a++)
    for (int i = 0; i < 3; i++)
      du[3 * a + i] = a / 2 == b / 2 ? x1[3 * a + i] - x0[3 * a + i] : step->du[3 * nodes[a] + i];
}

static PetscBool look(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                      const CrContactStep *step, PetscBool choose)
{
  PetscReal du[12];

  (void)choose; /* the meeting is chosen at the start of the step */
  CrEdgeHistory(c, touch, u0);
  if (!CrEdgesLook(c, touch, touch->facet, step->u, CR_POSE_MIDDLE, &touch->k))
    return CrEdgeStaysOpen(touch);
  increments(c, touch, u0, step, du);
  CrLawAsk(c, touch, step, 12, du, du);
  return PETSC_TRUE;
}

static PetscBool finish(const CrContact *c, const CrTouch *touch, const PetscReal *u1,
                        CrKinematics *k, CrGrip *grip)
{
  const PetscInt b = first_corner(c, touch);
  PetscReal      x[12];

  *grip = (CrGrip){.facet = -1, .n = 2, .column = {b, b + 1}, .side = 1};
  CrGatherEdges(c, touch, touch->facet, u1, CR_POSE_END, x);
  for (PetscInt a = 0; a < 2; a++)
    v_less(x + 3 * (b + a), partner_of(c, touch)->end.x, grip->arm[a]);
  return CrKinematicsEdges(x, k);
}

/* ---- tangent ---------------------------------------------------------------------------------- */

/* How the body carries its corners: lever arms r, and derivatives of the positions by move and turn. */
typedef struct {
  PetscReal r[2][3], z[6][6];
} Carrier;

static void carry(const CrPartner *p, const PetscReal *x, Carrier *k)
{
  for (int a = 0; a < 2; a++) {
    PetscReal M[9];

    v_less(x + 3 * a, p->xm, k->r[a]);
    CrPartnerCarry(p, k->r[a], M);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        k->z[3 * a + i][j] = p->part * (i == j);
        k->z[3 * a + i][3 + j] = M[3 * i + j];
      }
  }
}

/* One row of derivatives by all four positions: those by nodes at the end, and by the body. */
static void columns(const PetscReal row[12], PetscInt b, PetscReal part, const Carrier *k,
                    PetscReal n[6], PetscReal z[6])
{
  for (int j = 0; j < 6; j++) {
    n[j] = part * row[3 * (2 - b) + j];
    z[j] = 0;
    for (int l = 0; l < 6; l++) z[j] += row[3 * b + l] * k->z[l][j];
  }
}

/* Torque rows: r x df of both corners, and dr x f. */
static void torque_rows(const CrTouch *touch, PetscInt b, PetscReal K[12][12], const Carrier *k,
                        CrBodyTangent *t, PetscReal part)
{
  for (int i = 0; i < 3; i++) {
    PetscReal row[12] = {0};
    int       j = (i + 1) % 3, l = (i + 2) % 3;

    for (int a = 0; a < 2; a++) {
      const PetscInt at = 3 * (b + a);

      for (int q = 0; q < 12; q++) row[q] += k->r[a][j] * K[at + l][q] - k->r[a][l] * K[at + j][q];
    }
    columns(row, b, part, k, t->zn[3 + i], t->zz[3 + i]);
    for (int a = 0; a < 2; a++) {
      PetscReal f[3];

      CrEdgeNodeForce(touch, b + a, f);
      for (int q = 3; q < 6; q++)
        t->zz[3 + i][q] += k->z[3 * a + j][q] * f[l] - k->z[3 * a + l][q] * f[j];
    }
  }
}

static void differentiate(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                          CrBodyTangent *t)
{
  const CrPartner *p = partner_of(c, touch);
  const PetscInt   b = first_corner(c, touch);
  PetscReal        full[CR_CONTACT_DOFS][CR_CONTACT_DOFS], K[12][12], x[12], du[12];
  Carrier          k;

  CrGatherEdges(c, touch, touch->facet, step->u, CR_POSE_MIDDLE, x);
  increments(c, touch, step->u, step, du);
  CrPointTangent(step, touch, x, du, du, full);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) K[i][j] = touch->weight * full[i][j];
  carry(p, x + 3 * b, &k);
  *t = (CrBodyTangent){.nn = {{0}}};
  for (int i = 0; i < 6; i++) columns(K[3 * (2 - b) + i], b, p->part, &k, t->nn[i], t->nz[i]);
  for (int i = 0; i < 3; i++) {
    PetscReal row[12];

    for (int q = 0; q < 12; q++) row[q] = K[3 * b + i][q] + K[3 * b + 3 + i][q];
    columns(row, b, p->part, &k, t->zn[i], t->zz[i]);
  }
  torque_rows(touch, b, K, &k, t, p->part);
}

static void turn(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                 PetscReal K[36])
{
  CrBodyTangent t;

  differentiate(c, touch, step, &t);
  CrPartnerTurn(&t, K);
}

/* Makes one entry for each node. */
static PetscInt couple(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                       const CrPartner *p, PetscInt m, CrMatrixValues *values)
{
  PetscInt      nodes[CR_CONTACT_NODES], a = 2 - first_corner(c, touch);
  CrBodyTangent t;

  differentiate(c, touch, step, &t);
  CrTouchNodes(c, touch, nodes);
  return CrPartnerCouple(
      c, p, &t,
      &(CrSpread){.n = 2, .nodes = {nodes[a], nodes[a + 1]}, .column = {0, 1}, .c = {1, 1}}, m,
      values);
}

const CrPassOps CrPass_edge_on_body = {.slave = &CrSlaveEdge,
                                       .body = PETSC_TRUE,
                                       .search = CrSearchEdges,
                                       .look = look,
                                       .gap = CrGapOfEdges,
                                       .finish = finish,
                                       .turn = turn,
                                       .couple = couple};

const CrPassOps CrPass_body_on_edge = {.slave = &CrSlaveEdge,
                                       .body = PETSC_TRUE,
                                       .search = CrSearchEdges,
                                       .look = look,
                                       .gap = CrGapOfEdges,
                                       .finish = finish,
                                       .turn = turn,
                                       .couple = couple};
