/* Forces and tangents of the touches of a step. Geometry comes from kinematics.h, pressure and traction from
   the law. */
#include "base/vector.h"
#include "contact/springs/springs.h"
#include "contact/partners/partners.h"
#include "contact/touch/touch.h"

PetscErrorCode CrContactForce(CrContact *c, const PetscReal *u0, const CrContactStep *step,
                              PetscReal *f)
{
  PetscFunctionBeginUser;
  c->work->lost = PETSC_FALSE;
  if (c->work->partners) PetscCall(CrPartnersSolve(c, u0, step));
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    CrTouch         *touch = &c->work->touches[k];
    const CrPassOps *ops = c->passes[touch->pass].ops;

    if (touch->idle) continue;
    if (!ops->body && !ops->look(c, touch, u0, step, PETSC_TRUE)) c->work->lost = PETSC_TRUE;
    if (touch->out.p != 0) CrTouchAddForce(c, touch, f);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrContactSetLoose(CrContact *c, PetscBool loose)
{
  c->work->loose = loose;
}

void CrContactTurnLoose(CrContact *c)
{
  c->work->loose = !c->work->loose;
}

PetscBool CrContactIsLoose(const CrContact *c)
{
  return c->work->loose;
}

PetscBool CrContactIsUnsettled(const CrContact *c)
{
  for (PetscInt k = 0; k < c->work->ntouches; k++)
    if (!c->work->touches[k].idle && c->work->touches[k].out.unsettled) return PETSC_TRUE;
  return PETSC_FALSE;
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

static void add_block(const CrContact *c, PetscReal factor, PetscInt A, PetscInt a, PetscInt B,
                      PetscInt b, PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS],
                      CrMatrixValues *values)
{
  PetscInt dim = c->model->dim;

  for (PetscInt i = 0; i < dim; i++) {
    PetscReal *row = CrMatrixEntry(c->model->graph, values, A, i, B, 0);

    for (PetscInt j = 0; j < dim; j++) row[j] -= factor * K[dim * a + i][dim * b + j];
  }
}

static void add_tangent(const CrContact *c, const CrTouch *touch, PetscReal factor, PetscBool end,
                        PetscReal K[CR_CONTACT_DOFS][CR_CONTACT_DOFS], CrMatrixValues *values)
{
  CrSpread rows, columns;

  CrTouchSpread(c, touch, &rows);
  if (end)
    CrTouchSpreadOn(c, touch, touch->facet1, &columns);
  else
    columns = rows;
  for (PetscInt a = 0; a < rows.n; a++) {
    if (rows.nodes[a] >= c->model->nowned) continue;
    for (PetscInt b = 0; b < columns.n; b++) {
      /* a step slid over facets that are far apart: Newton omits the entry */
      if (end && !CrGraphHas(c->model->graph, rows.nodes[a], columns.nodes[b])) continue;
      add_block(c, factor * touch->weight * rows.c[a] * columns.c[b], rows.nodes[a], rows.column[a],
                columns.nodes[b], columns.column[b], K, values);
    }
  }
}

PetscErrorCode CrContactAddTangent(CrContact *c, const CrContactStep *step, PetscReal factor, Mat A)
{
  PetscReal      K[CR_CONTACT_DOFS][CR_CONTACT_DOFS];
  CrMatrixValues values;

  PetscFunctionBeginUser;
  PetscCall(CrMatrixGetValues(A, &values));
  for (PetscInt k = 0; k < c->work->ntouches; k++) {
    CrTouch *touch = &c->work->touches[k];

    if (touch->idle || c->passes[touch->pass].ops->body) continue;
    if (step->law->steady) CrTouchModelTake(c, touch, step->u);
    if (touch->out.status == CR_OPEN) continue;
    point_tangent(c, step, touch, K);
    add_tangent(c, touch, factor, PETSC_FALSE, K, &values);
    if (!CrTouchIsSplit(touch, step)) continue;
    end_tangent(c, step, touch, K);
    add_tangent(c, touch, factor, PETSC_TRUE, K, &values);
  }
  if (c->work->partners) PetscCall(CrPartnersAddTangent(c, step, &values));
  PetscCall(CrMatrixRestoreValues(&values));
  c->work->iteration++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
