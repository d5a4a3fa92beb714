/* Adds the motion of rigid bodies to the tangent of the nodes. For forces f(u, z(u)) with the equations r_z(z, u) = 0
   of a body, the derivative of the forces on the nodes is f_u - f_z K_zz^-1 r_z,u. So all nodes on one body are coupled
   (theory 14.3). */
#include "base/grow.h"
#include "base/mail.h"
#include "contact/division.h"
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

void CrPartnerTurn(const CrBodyTangent *t, PetscReal K[36])
{
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) K[6 * i + j] += t->zz[i][j];
}

/* Stores the coupling of one node with the body, which moves vertex a of the tangent by the fraction `part`. */
static void store_entry(const CrContact *c, const CrPartner *p, const CrBodyTangent *t, PetscInt a,
                        PetscReal part, PetscReal *fz)
{
  PetscInt   dim = c->model->dim;
  PetscReal *W = fz + 18;

  for (int k = 0; k < CR_SCHUR_REALS; k++) fz[k] = 0;
  for (PetscInt i = 0; i < dim; i++)
    for (int j = 0; j < 6; j++) fz[6 * i + j] = part * t->nz[dim * a + i][j];
  for (int i = 0; i < 6; i++)
    for (PetscInt j = 0; j < dim; j++) {
      for (int k = 0; k < 6; k++) W[3 * i + j] += p->K[6 * i + k] * t->zn[k][dim * a + j];
      W[3 * i + j] *= part;
    }
}

PetscInt CrPartnerCouple(const CrContact *c, const CrPartner *p, const CrBodyTangent *t,
                         const CrSpread *nodes, PetscInt m, CrMatrixValues *values)
{
  PetscInt dim = c->model->dim;

  for (PetscInt e = 0; e < nodes->n; e++) {
    c->work->near[m + e] = nodes->nodes[e];
    store_entry(c, p, t, nodes->column[e], nodes->c[e], c->work->schur + CR_SCHUR_REALS * (m + e));
    for (PetscInt o = 0; o < nodes->n; o++) {
      const PetscInt a = nodes->column[e], b = nodes->column[o];
      PetscReal      M[9] = {0};

      for (PetscInt i = 0; i < dim; i++)
        for (PetscInt j = 0; j < dim; j++) M[3 * i + j] = t->nn[dim * a + i][dim * b + j];
      CrPartnerAddBlock(c, nodes->nodes[e], nodes->nodes[o], -nodes->c[e] * nodes->c[o], M, values);
    }
  }
  return nodes->n;
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

/* Stores the couplings of pressed nodes with the body from entry m on, of points that are divided among the ranks or of
   the others. Returns the number of entries. */
static PetscInt couple(CrContact *c, PetscInt b, const CrContactStep *step, PetscBool divided,
                       PetscInt m, CrMatrixValues *values)
{
  const CrPartner *p = &c->work->partners[b];

  for (PetscInt k = pressed_point(c, b, 0); k >= 0; k = pressed_point(c, b, k + 1)) {
    const CrTouch *touch = &c->work->touches[k];
    const CrPass  *pass = &c->passes[touch->pass];

    if (CrPassIsDivided(c, pass) == divided) m += pass->ops->couple(c, touch, step, p, m, values);
  }
  return m;
}

#define COLUMN 19 /* reals of a column for other ranks: the node's global number, and W */

/* The columns of nodes that are divided among the ranks: the first n entries, of all ranks. The caller frees *columns. */
static PetscErrorCode gather_columns(const CrContact *c, PetscInt n, PetscInt *ncolumns,
                                     PetscReal **columns)
{
  PetscReal *own;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(COLUMN * n, &own));
  for (PetscInt k = 0; k < n; k++) {
    own[COLUMN * k] = (PetscReal)CrNodeGlobal(c->model, c->work->near[k]);
    PetscCall(PetscArraycpy(own + COLUMN * k + 1, c->work->schur + CR_SCHUR_REALS * k + 18, 18));
  }
  PetscCall(CrGatherAll(c->model->comm, n, COLUMN * sizeof *own, own, ncolumns, NULL, columns));
  PetscCall(PetscFree(own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the coupling of entry k with node B, whose block W has 6 x 3 numbers. */
static void add_product(const CrContact *c, PetscInt k, PetscInt B, const PetscReal *W,
                        CrMatrixValues *values)
{
  const PetscReal *fz = c->work->schur + CR_SCHUR_REALS * k;
  PetscReal        M[9];

  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      M[3 * i + j] = 0;
      for (int q = 0; q < 6; q++) M[3 * i + j] += fz[6 * i + q] * W[3 * q + j];
    }
  CrPartnerAddBlock(c, c->work->near[k], B, 1, M, values);
}

static PetscErrorCode add_body_tangent(CrContact *c, PetscInt b, const CrContactStep *step,
                                       CrMatrixValues *values)
{
  PetscInt   room = 0, n, m, ncolumns = 0;
  PetscReal *columns = NULL;

  PetscFunctionBeginUser;
  for (PetscInt k = pressed_point(c, b, 0); k >= 0; k = pressed_point(c, b, k + 1))
    room += (c->ends ? 3 : 1) * PetscMax(c->work->touches[k].k.nmaster, 1);
  PetscCall(CrGrow(CR_SCHUR_REALS * room, &c->work->schur_room, &c->work->schur));
  PetscCall(CrGrow(room, &c->work->near_room, &c->work->near));
  n = couple(c, b, step, PETSC_TRUE, 0, values);
  m = couple(c, b, step, PETSC_FALSE, n, values);
  if (c->work->partners[b].shared) PetscCall(gather_columns(c, n, &ncolumns, &columns));
  for (PetscInt k = 0; k < m; k++) {
    for (PetscInt o = 0; o < ncolumns; o++)
      add_product(c, k, CrNodeLocal(c->model, (PetscInt)columns[COLUMN * o]),
                  columns + COLUMN * o + 1, values);
    for (PetscInt o = n; o < m; o++)
      add_product(c, k, c->work->near[o], c->work->schur + CR_SCHUR_REALS * o + 18, values);
  }
  PetscCall(PetscFree(columns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPartnersAddTangent(CrContact *c, const CrContactStep *step, CrMatrixValues *values)
{
  PetscFunctionBeginUser;
  for (PetscInt b = 0; b < c->model->rigid->n; b++) {
    PetscReal pressed = pressed_point(c, b, 0) < 0 ? 0 : 1;

    CrPartnerSum(c, b, 1, &pressed);
    if (!(pressed > 0) || !CrPartnerDifferentiate(c, b, step)) continue;
    PetscCall(add_body_tangent(c, b, step, values));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
