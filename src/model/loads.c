/* Computes loads at a time and in a configuration, and the stiffness of follower pressure. */
#include "model/internal.h"

/* The instant in which a load comes or goes belongs to both sides: rules that add forces at the ends
   of steps take half of it there, or the impulse would be too great by a step's. A load that is there
   at the start comes from before. Without inertia there are no impulses: the instant belongs to the step that ends
   there. */
static PetscReal factor_at(const CrModel *model, const CrCondition *c, PetscReal t)
{
  PetscBool comes = c->from > 0 && PetscIsCloseAtTol(t, c->from, 1e-12, 0);
  PetscBool goes = PetscIsCloseAtTol(t, c->until, 1e-12, 0);

  if (comes || goes)
    return CrFactorAt(&c->factor, t) * (!model->quasi_static ? 0.5 : comes ? 0 : 1);
  return t < c->from || t > c->until ? 0 : CrFactorAt(&c->factor, t);
}

/* The part of the time around t, `span` long and not before the start, in which the load acts, times its
   factor in the middle of that part. */
static PetscReal factor_over(const CrModel *model, const CrCondition *c, PetscReal t,
                             PetscReal span)
{
  PetscReal first = PetscMax(t - span / 2, 0), last = t + span / 2;
  PetscReal from = PetscMax(first, c->from), until = PetscMin(last, c->until), share;

  if (model->quasi_static || !(first < last)) return factor_at(model, c, t);
  share = (until - from) / (last - first);
  if (share < 1e-9) return 0; /* the rounding of times */
  return share > 1 - 1e-9 ? CrFactorAt(&c->factor, t)
                          : share * CrFactorAt(&c->factor, (from + until) / 2);
}

/* Tangents of a facet at x = X + u, at point q of its rule. */
static void facet_tangents(const CrModel *model, const CrLocalFacet *f, const CrRule *rule,
                           PetscInt q, const PetscReal *u, PetscReal t[2][3])
{
  PetscInt dim = model->dim;

  for (int d = 0; d < 2; d++)
    for (int i = 0; i < 3; i++) t[d][i] = 0;
  for (PetscInt a = 0; a < CrCells[f->type].nnodes; a++)
    for (PetscInt i = 0; i < dim; i++)
      for (PetscInt d = 0; d < dim - 1; d++)
        t[d][i] += rule->dN[q][a][d] * (model->X[dim * f->nodes[a] + i] + u[dim * f->nodes[a] + i]);
}

/* Outward normal times area: in 2D the tangent turned clockwise, in 3D the product of the tangents. */
static void area_vector(PetscInt dim, PetscReal t[2][3], PetscReal n[3])
{
  if (dim == 2) {
    n[0] = t[0][1];
    n[1] = -t[0][0];
    n[2] = 0;
    return;
  }
  for (int i = 0; i < 3; i++)
    n[i] = t[0][(i + 1) % 3] * t[1][(i + 2) % 3] - t[0][(i + 2) % 3] * t[1][(i + 1) % 3];
}

PetscReal CrCircle(const CrModel *model, const CrLocalFacet *f, const CrRule *rule, PetscInt q,
                   const PetscReal *u)
{
  PetscReal r = 0;

  for (PetscInt a = 0; a < CrCells[f->type].nnodes; a++)
    r += rule->N[q][a] * (model->X[2 * f->nodes[a]] + (u ? u[2 * f->nodes[a]] : 0));
  return 2 * PETSC_PI * r;
}

void CrPressureForce(const CrModel *model, const CrCondition *c, PetscReal p, const PetscReal *u,
                     PetscReal *f)
{
  for (PetscInt k = 0; k < c->nfacets; k++) {
    const CrLocalFacet *facet = &c->facets[k];
    CrRule              rule;

    CrFacetRule(facet->type, &rule);
    for (PetscInt q = 0; q < rule.n; q++) {
      PetscReal t[2][3], n[3], w = rule.weight[q] * model->thickness * p;

      if (model->axial) w *= CrCircle(model, facet, &rule, q, u);
      facet_tangents(model, facet, &rule, q, u, t);
      area_vector(model->dim, t, n);
      for (PetscInt a = 0; a < CrCells[facet->type].nnodes; a++)
        for (PetscInt i = 0; facet->nodes[a] < model->nowned && i < model->dim; i++)
          f[model->dim * facet->nodes[a] + i] -= w * rule.N[q][a] * n[i];
    }
  }
}

PetscBool CrLoadsExist(const CrModel *model)
{
  for (PetscInt k = 0; k < model->nconditions; k++)
    if (model->conditions[k].kind >= CR_DEAD_LOAD) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode CrLoadsAdd(const CrModel *model, PetscReal t, const PetscReal *u, PetscReal *f)
{
  return CrLoadsAddOver(model, t, 0, u, f);
}

PetscErrorCode CrLoadsAddOver(const CrModel *model, PetscReal t, PetscReal span, const PetscReal *u,
                              PetscReal *f)
{
  PetscInt dim = model->dim;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];
    PetscReal          factor = factor_over(model, c, t, span);

    if (factor == 0) continue;
    if (c->kind == CR_PRESSURE) CrPressureForce(model, c, factor * c->value[0], u, f);
    if (c->kind == CR_DEAD_LOAD)
      for (PetscInt n = 0; n < c->nnodes; n++)
        for (PetscInt i = 0; i < dim; i++)
          f[dim * c->nodes[n] + i] += factor * c->load[n * dim + i];
    if (c->kind == CR_GRAVITY)
      for (PetscInt A = 0; A < model->nowned; A++)
        for (PetscInt i = 0; i < dim; i++)
          f[dim * A + i] += factor * model->row_mass[A] * c->value[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrRigidAccelerations(const CrModel *model, PetscReal t, PetscReal *a)
{
  CrRigidAccelerationsOver(model, t, 0, a);
}

/* The force on a copy of a group of rigid bodies, at factor 1. */
static const PetscReal *force_on(const CrCondition *c, PetscInt copy)
{
  return c->load ? c->load + 3 * copy : c->value;
}

void CrRigidAccelerationsOver(const CrModel *model, PetscReal t, PetscReal span, PetscReal *a)
{
  const CrRigid *r = model->rigid;

  for (PetscInt b = 0; b < r->n; b++)
    for (int i = 0; i < 3; i++) a[3 * b + i] = model->gravity[i];
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];
    PetscReal          factor = factor_over(model, c, t, span);

    if (factor == 0 || !(c->kind == CR_GRAVITY || c->rigid >= 0)) continue;
    for (PetscInt b = 0; b < r->n; b++)
      for (int i = 0; i < 3; i++)
        if (c->kind == CR_GRAVITY)
          a[3 * b + i] += factor * c->value[i];
        else if (r->group[b] == c->rigid)
          a[3 * b + i] += factor * force_on(c, b - r->groups[c->rigid].first)[i] / r->mass[b];
  }
}

void CrGravityAdd(const CrModel *model, PetscReal *f)
{
  for (PetscInt A = 0; A < model->nowned; A++)
    for (PetscInt i = 0; i < model->dim; i++)
      f[model->dim * A + i] += model->row_mass[A] * model->gravity[i];
}

/* Derivative of the area vector by coordinate j of node b. */
static void area_derivative(PetscInt dim, PetscReal t[2][3], const PetscReal dN[3], PetscInt j,
                            PetscReal dn[3])
{
  PetscReal unit[3] = {0}, first[2][3], second[2][3], n1[3], n2[3];

  unit[j] = 1;
  for (int i = 0; i < 3; i++) {
    first[0][i] = unit[i];
    first[1][i] = t[1][i];
    second[0][i] = t[0][i];
    second[1][i] = unit[i];
  }
  area_vector(dim, first, n1);
  if (dim == 3) area_vector(dim, second, n2);
  for (int i = 0; i < 3; i++) dn[i] = dN[0] * n1[i] + (dim == 3 ? dN[1] * n2[i] : 0);
}

static void add_facet_tangent(const CrModel *model, const CrLocalFacet *facet, PetscReal p,
                              const PetscReal *u, CrMatrixValues *values)
{
  PetscInt dim = model->dim, nn = CrCells[facet->type].nnodes;
  CrRule   rule;

  CrFacetRule(facet->type, &rule);
  for (PetscInt q = 0; q < rule.n; q++) {
    PetscReal t[2][3], n[3], circle = model->axial ? CrCircle(model, facet, &rule, q, u) : 1;

    facet_tangents(model, facet, &rule, q, u, t);
    area_vector(dim, t, n);
    for (PetscInt b = 0; b < nn; b++)
      for (PetscInt j = 0; j < dim; j++) {
        PetscReal dn[3];

        area_derivative(dim, t, rule.dN[q][b], j, dn);
        for (PetscInt i = 0; model->axial && i < dim; i++) /* the circle grows with its radius */
          dn[i] = circle * dn[i] + (j ? 0 : 2 * PETSC_PI * rule.N[q][b] * n[i]);
        for (PetscInt a = 0; a < nn; a++)
          for (PetscInt i = 0; facet->nodes[a] < model->nowned && i < dim; i++)
            *CrMatrixEntry(model->graph, values, facet->nodes[a], i, facet->nodes[b], j) -=
                p * rule.weight[q] * model->thickness * rule.N[q][a] * dn[i];
      }
  }
}

PetscErrorCode CrLoadsAddTangent(const CrModel *model, PetscReal t, PetscReal span,
                                 const PetscReal *u, PetscReal scale, Mat A)
{
  CrMatrixValues values;

  PetscFunctionBeginUser;
  PetscCall(CrMatrixGetValues(A, &values));
  for (PetscInt k = 0; k < model->nconditions; k++) {
    const CrCondition *c = &model->conditions[k];
    PetscReal p = c->kind == CR_PRESSURE ? scale * factor_over(model, c, t, span) * c->value[0] : 0;

    for (PetscInt f = 0; p != 0 && f < c->nfacets; f++)
      add_facet_tangent(model, &c->facets[f], p, u, &values);
  }
  PetscCall(CrMatrixRestoreValues(&values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
