/* The motion of rigid partners in the tangent of the nodes. For f(u, z(u)) with r_z(z, u) = 0, the derivative of the
   forces on the nodes is f_u - f_z K_zz^-1 r_z,u. So all nodes on one body couple (theory 14.3). */
#include "base/grow.h"
#include "contact/partners/partners.h"

void CrPartnerAddBlock(const CrContact *c, PetscInt A, PetscInt B, PetscReal scale,
                       const PetscReal M[9], CrMatrixValues *values)
{
  PetscInt dim = c->model->dim;

  if (A >= c->model->nowned) return;
  for (PetscInt i = 0; i < dim; i++) {
    PetscReal *row = CrMatrixEntry(c->model->graph, values, A, i, B, 0);

    for (PetscInt j = 0; j < dim; j++) row[j] += scale * M[3 * i + j];
  }
}

/* The next pressed touch, from number `from` on, of a body with nodes; -1 after the last. */
static PetscInt pressed_point(const CrContact *c, PetscInt b, PetscInt from)
{
  for (PetscInt k = from; k < c->work->ntouches; k++) {
    const CrPass *pass = &c->passes[c->work->touches[k].pass];

    if (pass->partner == b && pass->ops->couple && !c->work->touches[k].idle &&
        c->work->touches[k].out.status != CR_OPEN)
      return k;
  }
  return -1;
}

static PetscErrorCode add_body_tangent(CrContact *c, PetscInt b, const CrContactStep *step,
                                       CrMatrixValues *values)
{
  const CrPartner *p = &c->work->partners[b];
  PetscInt         n = 0, m = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = pressed_point(c, b, 0); k >= 0; k = pressed_point(c, b, k + 1))
    n += PetscMax(c->work->touches[k].k.nmaster, 1);
  PetscCall(CrGrow(CR_SCHUR_REALS * n, &c->work->schur_room, &c->work->schur));
  PetscCall(CrGrow(n, &c->work->near_room, &c->work->near));
  for (PetscInt k = pressed_point(c, b, 0); k >= 0; k = pressed_point(c, b, k + 1)) {
    const CrTouch *touch = &c->work->touches[k];

    m += c->passes[touch->pass].ops->couple(c, touch, step, p, m, values);
  }
  for (PetscInt k = 0; k < m; k++) {
    const PetscReal *fz = c->work->schur + CR_SCHUR_REALS * k;

    for (PetscInt o = 0; o < m; o++) {
      const PetscReal *W = c->work->schur + CR_SCHUR_REALS * o + 18;
      PetscReal        M[9];

      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          M[3 * i + j] = 0;
          for (int q = 0; q < 6; q++) M[3 * i + j] += fz[6 * i + q] * W[3 * q + j];
        }
      CrPartnerAddBlock(c, c->work->near[k], c->work->near[o], 1, M, values);
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
