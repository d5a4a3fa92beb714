/* What the nodes see of the motion of rigid partners: for f(u, z(u)) with r_z(z, u) = 0 the derivative of the
   forces on the nodes is f_u - f_z K_zz^-1 r_z,u, so that all nodes on one body couple (theory 14.3). */
#include "base/vector.h"
#include "contact/internal.h"

/* Of one point: f by z (3 x 6), then K^-1 times the derivative of the body's residual by the slave's
   position (6 x 3). */
#define PER_POINT 36

static void point_rows(const CrContact *c, const CrTouch *touch, const CrPartner *p,
                       PetscReal K1[9], PetscReal *out)
{
  PetscReal K2[9], f[3], F[9], X[9], M[9], *fz = out, *W = out + 18;

  CrPartnerPointTangent(c, touch, K1, K2);
  CrPartnerForce(c, touch, f);
  m_cross(f, F);
  m_cross(touch->arm, X);
  m_multiply(X, K1, M);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      PetscReal sum[2] = {0, 0};

      fz[6 * i + j] = -K1[3 * i + j];
      fz[6 * i + 3 + j] = K2[3 * i + j];
      for (int k = 0; k < 3; k++) {
        PetscReal torque = F[3 * k + j] / 2 - M[3 * k + j];

        sum[0] += p->K[6 * i + k] * -K1[3 * k + j] + p->K[6 * i + 3 + k] * torque;
        sum[1] += p->K[6 * (3 + i) + k] * -K1[3 * k + j] + p->K[6 * (3 + i) + 3 + k] * torque;
      }
      W[3 * i + j] = sum[0];
      W[3 * (3 + i) + j] = sum[1];
    }
}

/* A += scale M between two nodes, if the first is ours. */
static void add_block(const CrContact *c, PetscInt A, PetscInt B, PetscReal scale,
                      const PetscReal M[9], CrMatrixValues *values)
{
  PetscInt dim = c->model->dim;

  if (A >= c->model->nowned) return;
  for (PetscInt i = 0; i < dim; i++) {
    PetscReal *row = CrMatrixEntry(c->model->graph, values, A, i, B, 0);

    for (PetscInt j = 0; j < dim; j++) row[j] += scale * M[3 * i + j];
  }
}

/* Corners of the facet that a point of the body is on: one entry each, as point_rows. */
static PetscInt facet_rows(const CrContact *c, const CrTouch *touch, const CrContactStep *step,
                           const CrPartner *p, PetscInt m, CrMatrixValues *values)
{
  PetscInt       dim = c->model->dim, n = touch->k.nmaster, nodes[CR_CONTACT_NODES];
  CrFacetTangent t;

  CrPartnerFacetTangent(c, touch, step, &t);
  CrTouchNodes(c, touch, nodes);
  for (PetscInt a = 0; a < n; a++) {
    PetscReal *fz = c->schur + PER_POINT * (m + a), *W = fz + 18;

    c->near[m + a] = nodes[a + 1];
    for (int k = 0; k < PER_POINT; k++) fz[k] = 0;
    for (PetscInt i = 0; i < dim; i++)
      for (int j = 0; j < 6; j++) fz[6 * i + j] = t.nz[dim * a + i][j];
    for (int i = 0; i < 6; i++)
      for (PetscInt j = 0; j < dim; j++)
        for (int k = 0; k < 6; k++) W[3 * i + j] += p->K[6 * i + k] * t.zn[k][dim * a + j];
    for (PetscInt b = 0; b < n; b++) {
      PetscReal M[9] = {0};

      for (PetscInt i = 0; i < dim; i++)
        for (PetscInt j = 0; j < dim; j++) M[3 * i + j] = t.nn[dim * a + i][dim * b + j];
      add_block(c, nodes[a + 1], nodes[b + 1], -1, M, values);
    }
  }
  return n;
}

/* The next touch of a body with nodes that presses, -1 after the last. */
static PetscInt pressed_point(const CrContact *c, PetscInt b, PetscInt from)
{
  for (PetscInt k = from; k < c->ntouches; k++) {
    const CrPass *pass = &c->passes[c->touches[k].pass];

    if (pass->partner == b && (pass->slave || pass->master) && !c->touches[k].idle &&
        c->touches[k].out.status != CR_OPEN)
      return k;
  }
  return -1;
}

static PetscErrorCode make_room(CrContact *c, PetscInt n)
{
  PetscFunctionBeginUser;
  if (PER_POINT * n > c->schur_room) {
    c->schur_room = 2 * PER_POINT * n;
    PetscCall(PetscRealloc(sizeof(PetscReal) * (size_t)c->schur_room, &c->schur));
  }
  if (n > c->near_room) {
    c->near_room = 2 * n;
    PetscCall(PetscRealloc(sizeof(PetscInt) * (size_t)c->near_room, &c->near));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_body_tangent(CrContact *c, PetscInt b, const CrContactStep *step,
                                       CrMatrixValues *values)
{
  const CrPartner *p = &c->partners[b];
  PetscInt         n = 0, m = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = pressed_point(c, b, 0); k >= 0; k = pressed_point(c, b, k + 1))
    n += PetscMax(c->touches[k].k.nmaster, 1);
  PetscCall(make_room(c, n));
  for (PetscInt k = pressed_point(c, b, 0); k >= 0; k = pressed_point(c, b, k + 1)) {
    PetscReal K1[9];

    if (c->touches[k].node < 0) {
      m += facet_rows(c, &c->touches[k], step, p, m, values);
      continue;
    }
    c->near[m] = c->touches[k].node;
    point_rows(c, &c->touches[k], p, K1, c->schur + PER_POINT * m++);
    add_block(c, c->touches[k].node, c->touches[k].node, -1, K1, values);
  }
  for (PetscInt k = 0; k < n; k++) {
    const PetscReal *fz = c->schur + PER_POINT * k;

    for (PetscInt o = 0; o < n; o++) {
      const PetscReal *W = c->schur + PER_POINT * o + 18;
      PetscReal        M[9];

      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          M[3 * i + j] = 0;
          for (int q = 0; q < 6; q++) M[3 * i + j] += fz[6 * i + q] * W[3 * q + j];
        }
      add_block(c, c->near[k], c->near[o], 1, M, values);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPartnersAddTangent(CrContact *c, const CrContactStep *step, CrMatrixValues *values)
{
  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < c->model->rigid->n; b++) {
    if (pressed_point(c, b, 0) < 0 || !CrPartnerDifferentiate(c, b, step)) continue;
    PetscCall(add_body_tangent(c, b, step, values));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
