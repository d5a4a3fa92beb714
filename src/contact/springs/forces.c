/* Computes the forces and tangents of all contacts of a step. The geometry comes from kinematics.h, and pressure and
   traction from the contact law. */
#include "base/vector.h"
#include "base/mail.h"
#include "contact/division.h"
#include "contact/springs/springs.h"
#include "contact/partners/partners.h"
#include "contact/touch/touch.h"

/* All ranks take the same decisions. */
static PetscErrorCode agree(CrContact *c)
{
  PetscInt sums[2] = {c->work->lost ? 1 : 0, 0};

  PetscFunctionBeginUser;
  CR_EACH_TOUCH (touch, c)
    if (!touch->idle && touch->out.unsettled) sums[1] = 1;
  PetscCall(CrDivisionSumInts(c, 2, sums));
  c->work->lost = sums[0] > 0;
  c->work->unsettled = sums[1] > 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactForce(CrContact *c, const PetscReal *u0, const CrContactStep *step,
                              PetscReal *f)
{
  PetscFunctionBeginUser;
  c->work->lost = PETSC_FALSE;
  CrDivisionBegin(c);
  if (c->work->partners) CrPartnersSolve(c, u0, step);
  CR_EACH_TOUCH (touch, c) {
    const CrPassOps *ops = c->passes[touch->pass].ops;

    if (touch->idle) continue;
    if (!ops->body && !ops->look(c, touch, u0, step, PETSC_TRUE)) c->work->lost = PETSC_TRUE;
    if (touch->out.p != 0) CrTouchAddForce(c, touch, f);
  }
  PetscCall(CrDivisionEnd(c, f));
  PetscCall(agree(c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* d(force)/dq of a point whose dofs are all those of nodes. */
static void point_tangent(const CrContact *c, const CrContactStep *step, const CrTouch *touch,
                          PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  PetscReal x[CR_CONTACT_DOFS], du[CR_CONTACT_DOFS], slide[CR_CONTACT_DOFS];

  CrTouchGather(c, touch, step->u, x);
  CrTouchIncrements(c, touch, step, du, slide);
  CrPointTangent(step, touch, x, du, slide, K);
}

/* Computes the derivative with respect to the dofs of the facet at the end of the step. It is needed if the force acts
   on another facet. */
static void end_tangent(const CrContact *c, const CrContactStep *step, const CrTouch *touch,
                        PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS])
{
  PetscInt           dim = c->model->dim, n = dim * (touch->k.nmaster + 1);
  PetscReal          factor = step->law->where == CR_WHERE_END ? 1 : 2;
  const CrLawOutput *o = &touch->out;

  for (PetscInt a = 0; a < n; a++) {
    PetscReal push = touch->k.G[a];

    for (PetscInt i = 0; i < dim - 1; i++) push -= touch->k.H[i][a] * o->t_p[i];
    for (PetscInt b = 0; b < dim * (touch->k1.nmaster + 1); b++)
      K[a][b] = push * factor * o->p_gap1 * touch->k1.G[b];
  }
}

/* The matrix: entries of rows that this rank owns, and mail with blocks for others. */
typedef struct {
  CrMatrixValues values;
  CrMail         mail;
} Target;

/* Adds the block of rows a and columns b of K to that of nodes A and B. */
static PetscErrorCode add_block(const CrContact *c, PetscReal factor, PetscInt A, PetscInt a,
                                PetscInt B, PetscInt b,
                                PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS], Target *to)
{
  PetscInt  dim = c->model->dim, owner;
  PetscReal block[9];

  PetscFunctionBeginUser;
  for (PetscInt i = 0; i < dim; i++) {
    PetscReal *row = A < c->model->nowned ? CrMatrixEntry(c->model->graph, &to->values, A, i, B, 0)
                                          : block + dim * i;

    if (row == block + dim * i)
      for (PetscInt j = 0; j < dim; j++) row[j] = 0;
    for (PetscInt j = 0; j < dim; j++) row[j] -= factor * K[dim * a + i][dim * b + j];
  }
  if (A < c->model->nowned) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrNodeOwner(c->model, A, &owner));
  PetscCall(CrMailAdd(&to->mail, owner,
                      (PetscInt[2]){CrNodeGlobal(c->model, A), CrNodeGlobal(c->model, B)}, block));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does this rank add to the row of A in the column of B? Newton omits entries of a step that slid over facets which are
   far apart (`end`). */
static PetscBool has_entry(const CrContact *c, const CrTouch *touch, PetscBool end, PetscInt A,
                           PetscInt B)
{
  if (A < c->model->nowned) return !end || CrGraphHas(c->model->graph, A, B);
  return CrPassIsDivided(c, &c->passes[touch->pass]) && (!end || CrDivisionKnows(c, A, B));
}

static PetscErrorCode add_tangent(const CrContact *c, const CrTouch *touch, PetscReal factor,
                                  PetscBool end, PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                                  Target *to)
{
  CrSpread rows, columns;

  PetscFunctionBeginUser;
  CrTouchSpread(c, touch, &rows);
  if (end)
    CrTouchSpreadOn(c, touch, touch->facet1, &columns);
  else
    columns = rows;
  for (PetscInt a = 0; a < rows.n; a++)
    for (PetscInt b = 0; b < columns.n; b++)
      if (has_entry(c, touch, end, rows.nodes[a], columns.nodes[b]))
        PetscCall(add_block(c, factor * touch->weight * rows.c[a] * columns.c[b], rows.nodes[a],
                            rows.column[a], columns.nodes[b], columns.column[b], K, to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the blocks that other ranks computed for rows of this rank. */
static PetscErrorCode receive_blocks(const CrContact *c, Target *to)
{
  PetscInt dim = c->model->dim;
  CrPost   post;

  PetscFunctionBeginUser;
  if (!c->division) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrMailSend(c->model->comm, &to->mail, &post));
  for (PetscInt k = 0; k < post.n; k++) {
    PetscInt A = CrNodeLocal(c->model, post.ints[2 * k]),
             B = CrNodeLocal(c->model, post.ints[2 * k + 1]);

    for (PetscInt i = 0; i < dim; i++) {
      PetscReal *row = CrMatrixEntry(c->model->graph, &to->values, A, i, B, 0);

      for (PetscInt j = 0; j < dim; j++) row[j] += post.reals[dim * (dim * k + i) + j];
    }
  }
  PetscCall(CrPostEnd(&post));
  PetscCall(CrMailEnd(&to->mail));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrContactAddTangent(CrContact *c, const CrContactStep *step, PetscReal factor, Mat A)
{
  PetscInt  dim = c->model->dim;
  PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  Target    to;

  PetscFunctionBeginUser;
  PetscCall(CrMatrixGetValues(A, &to.values));
  if (c->division) PetscCall(CrMailBegin(c->model->comm, 2, dim * dim, &to.mail));
  CR_EACH_TOUCH (touch, c) {
    if (touch->idle || c->passes[touch->pass].ops->body) continue;
    if (step->law->steady) CrTouchModelTake(c, touch, step->u);
    if (touch->out.status == CR_OPEN) continue;
    point_tangent(c, step, touch, K);
    PetscCall(add_tangent(c, touch, factor, PETSC_FALSE, K, &to));
    if (!CrTouchIsSplit(touch, step)) continue;
    end_tangent(c, step, touch, K);
    PetscCall(add_tangent(c, touch, factor, PETSC_TRUE, K, &to));
  }
  PetscCall(receive_blocks(c, &to));
  if (c->work->partners) PetscCall(CrPartnersAddTangent(c, step, &to.values));
  PetscCall(CrMatrixRestoreValues(&to.values));
  c->work->iteration++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
