/* Results of contact for output, and messages of a run that gives up. */
#include "base/vector.h"
#include "contact/pairs/pairs.h"
#include "contact/touch/touch.h"

/* Two passes share the pressure. Adds the pressure on the slave of pass k by the points of the other pass, in
   which it is the master: the sum of forces over area for each node. */
static void add_other_pass(CrContact *c, PetscInt k)
{
  const CrPass *p = &c->passes[k];
  PetscInt      j = p->reversed ? k - 1 : k + 1, dim = c->model->dim;

  if (j >= c->npasses || c->passes[j].pair != p->pair || c->passes[j].reversed == p->reversed)
    return;
  if (!p->ops->slave->is_node) return;
  for (PetscInt t = c->passes[j].first_touch; t < c->passes[j].first_touch + c->passes[j].ntouches;
       t++) {
    const CrTouch *touch = &c->touches[t];
    PetscReal      force = touch->weight * touch->out.p * (1 + touch->impulse);
    PetscInt       nodes[CR_CONTACT_NODES];

    if (touch->idle || !(force > 0)) continue;
    CrTouchNodes(c, touch, nodes);
    for (PetscInt a = 1; a <= touch->k.nmaster; a++)
      for (PetscInt i = 0; i < dim; i++)
        c->nodal[nodes[a]].reaction -= force * touch->k.G[dim * a + i] * touch->k.nu[i];
  }
  for (PetscInt i = 0; i < p->n; i++) {
    CrContactNodal *node = &c->nodal[p->slave->nodes[i]];

    node->pressure += node->reaction / p->slave->weight[i];
    node->reaction = 0;
  }
}

void CrContactGatherNodes(CrContact *c)
{
  static const CrContactNodal nothing = {PETSC_MAX_REAL, 0, 0, 0, CR_OPEN};

  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = 0; c->passes[k].ops->slave->is_node && i < c->passes[k].n; i++)
      c->nodal[c->passes[k].slave->nodes[i]] = nothing;
  for (PetscInt k = 0; k < c->npasses; k++)
    for (PetscInt i = 0; c->passes[k].ops->slave->is_node && i < c->passes[k].n; i++) {
      PetscInt        point = c->passes[k].first + i;
      CrContactNodal *node = &c->nodal[c->passes[k].slave->nodes[i]];

      node->gap = PetscMin(node->gap, c->gap[point]);
      node->slip = PetscMax(node->slip, v_length(c->slip + 3 * point));
      node->pressure += c->pressure[point];
      if (c->status[point]) node->status = (CrContactStatus)c->status[point];
    }
  for (PetscInt k = 0; k < c->npasses; k++) add_other_pass(c, k);
}

/* A node that slides along several walls of a box counts once. */
static PetscReal slip_of(const CrContact *c, const CrPass *first, PetscInt i, PetscBool *touched)
{
  PetscReal greatest = 0;

  *touched = PETSC_FALSE;
  for (const CrPass *p = first; p < c->passes + c->npasses && p->pair == first->pair; p++) {
    if (p->slave != first->slave) continue;
    greatest = PetscMax(greatest, v_length(c->slip + 3 * (p->first + i)));
    if (c->touched[p->first + i]) *touched = PETSC_TRUE;
  }
  return greatest;
}

static const CrPass *first_pass(const CrContact *c, PetscInt pair)
{
  const CrPass *p = c->passes;

  while (p->pair != pair) p++;
  return p;
}

/* Slip of the points of a pair: mean, least and greatest over the points that have touched. Returns false if
   the pair has no passes. */
static PetscBool points_slip(const CrContact *c, PetscInt pair, PetscReal slip[3])
{
  PetscBool any = PETSC_FALSE;
  PetscReal sum = 0;
  PetscInt  n = 0;

  for (const CrPass *p = c->passes; p < c->passes + c->npasses; p++) {
    if (p->pair != pair) continue;
    any = PETSC_TRUE;
    for (PetscInt i = p->first; i < p->first + p->n; i++) {
      PetscReal s = v_length(c->slip + 3 * i);

      if (!c->touched[i]) continue;
      slip[1] = n ? PetscMin(slip[1], s) : s;
      slip[2] = PetscMax(slip[2], s);
      sum += s;
      n++;
    }
  }
  slip[0] = n ? sum / n : 0;
  return any;
}

void CrPairSlip(const CrContact *c, PetscInt pair, PetscReal slip[3])
{
  const CrPass *p;
  PetscReal     mean = 0, least = PETSC_MAX_REAL, greatest = 0;
  PetscInt      n = 0;

  slip[0] = slip[1] = slip[2] = 0;
  if (c->pairs[pair].rigid) {
    if (!points_slip(c, pair, slip)) CrSlidesOfPair(c, pair, slip);
    return;
  }
  p = first_pass(c, pair);
  for (const CrPass *q = p; q < c->passes + c->npasses; q++)
    if (q->pair == pair &&
        !q->ops->slave->is_node) { /* points of rigid bodies, with or without nodes */
      (void)points_slip(c, pair, slip);
      return;
    }
  for (PetscInt i = 0; i < p->n; i++) {
    PetscBool touched;
    PetscReal s = slip_of(c, p, i, &touched);

    if (c->pairs[pair].whole && !touched) continue;
    mean += s;
    least = PetscMin(least, s);
    greatest = PetscMax(greatest, s);
    n++;
  }
  slip[0] = n ? mean / n : 0;
  slip[1] = n ? least : 0;
  slip[2] = greatest;
}

PetscBool CrPairHasTouched(const CrContact *c, PetscInt pair)
{
  if (c->pairs[pair].rigid) return c->tally.met[pair] != 0;
  for (const CrPass *p = first_pass(c, pair); p < c->passes + c->npasses; p++)
    for (PetscInt i = 0; p->pair == pair && i < p->n; i++)
      if (c->touched[p->first + i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscBool CrContactHasTouched(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->tally.met[k]) return PETSC_TRUE;
  for (PetscInt k = 0; k < c->npoints; k++)
    if (c->touched[k]) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* ---- valleys (theory 13.10) ------------------------------------------------------------------ */

#define LEVEL 0.01 /* below this slope there is no valley */

/* Is the node behind facet f too, and does f rise from the facet in use by more than friction holds? */
static PetscBool rises(const CrContact *c, const CrTouch *touch, PetscInt f, const PetscReal *u)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        limit = PetscMax(LEVEL, c->pairs[c->passes[touch->pass].pair].friction);
  PetscReal        x[CR_CONTACT_DOFS], along = 0, height = 0;
  PetscInt         dim = c->model->dim;
  CrProximity      here, next;
  PetscInt         n = CrGatherFacet(c, master, touch->node, touch->facet, u, x);

  CrFacetProximity(dim, n, x, &here);
  for (PetscInt i = 0; i < dim; i++) height -= here.nu[i] * x[dim + i];
  n = CrGatherFacet(c, master, touch->node, f, u, x);
  CrFacetProximity(dim, n, x, &next);
  for (PetscInt i = 0; i < dim; i++) {
    along += here.nu[i] * next.nu[i];
    for (PetscInt a = 1; a <= n; a++) height += here.nu[i] * x[dim * a + i] / n;
  }
  /* half of the angle between them is the slope that the node sees */
  return height > 0 && next.gap < 0 && next.outside < 0.5 &&
         1 - along > 2 * PetscSqr(limit) / (1 + PetscSqr(limit));
}

void CrContactBlame(CrContact *c, const PetscReal *u)
{
  for (PetscInt k = 0; k < c->npasses; k++) {
    const CrPass *p = &c->passes[k];
    PetscInt      count = 0;

    if (p->kind != CR_NODE_ON_FACET) continue;
    for (PetscInt t = p->first_touch; t < p->first_touch + p->ntouches; t++) {
      const CrTouch *touch = &c->touches[t];
      PetscBool      valley = PETSC_FALSE;

      if (touch->idle || !(touch->out.p > 0) || touch->k.rest)
        continue; /* edges and corners hold */
      for (PetscInt a = 0; a < 4 && !valley; a++) {
        PetscInt f = p->master->neighbour[4 * touch->facet + a];

        if (f >= 0) valley = rises(c, touch, f, u);
      }
      if (valley) count++;
    }
    c->pairs[p->pair].valleys = PetscMax(c->pairs[p->pair].valleys, count);
  }
}

void CrContactWarnDeep(CrContact *c)
{
  if (c->ndeep && !c->warned_deep) /* the first step may be cut and begun again */
    CrWarn("%" PetscInt_FMT
           " slave nodes lie more than a facet inside another body at the start and "
           "are not held back there",
           c->ndeep);
  if (c->ndeep) c->warned_deep = PETSC_TRUE;
  c->ndeep = 0;
}

void CrContactExplain(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++)
    if (c->pairs[k].valleys)
      CrWarn("contact %s: %" PetscInt_FMT
             " of the slave's nodes pressed into a valley between facets of the master, steeper "
             "than friction holds; one facet cannot keep a node there, so no step is short enough: "
             "set passes: 2 for this pair, or name the finer surface first",
             c->pairs[k].name, c->pairs[k].valleys);
}
