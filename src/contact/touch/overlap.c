/* Overlap at the start. Part of it may come from facets that approximate curves; the user is told. */
#include "contact/touch/touch.h"

#define OVERLAP_NOTED                                                                              \
  0.01 /* an overlap below this part of a facet comes from the polygon that approximates a curve */
#define EVEN                                                                                       \
  0.25 /* overlaps that vary by more than this part of the deepest one need an explanation */
#define SMOOTH 0.5 /* facets explain the variation if less than this part remains on the curves */

/* The height, above the facet, of the curve through the nodes of the master, at the closest point of k. On a
   surface of second order, the planes through the corners, weighted by shape functions, are as far above the
   curve as the facet is below. x are slave and corners. Nodes at creases and rims have no valid normal. */
static PetscReal curve_height(const CrSurface *s, PetscInt facet, const CrKinematics *k,
                              const PetscReal *x)
{
  PetscInt  dim = s->dim;
  PetscReal height = 0;

  for (PetscInt a = 0; a < k->nmaster; a++) {
    PetscInt         i = 0;
    PetscReal        cosine = 0, rise = 0;
    const PetscReal *n;

    while (i < s->nnodes && s->nodes[i] != s->corners[4 * facet + a]) i++;
    if (i == s->nnodes || s->rim[i]) continue;
    n = s->normal + dim * i;
    for (PetscInt j = 0; j < dim; j++) {
      PetscReal foot = x[j] - k->gap * k->nu[j];

      cosine += n[j] * k->nu[j];
      rise += n[j] * (x[dim * (a + 1) + j] - foot);
    }
    if (cosine > 0.8) height += 0.5 * k->shape[a] * rise / cosine;
  }
  return height;
}

void CrOverlapNote(CrContact *c, const CrTouch *touch, PetscReal gap)
{
  if (!c->begun && !touch->idle) c->overlap[touch->point] = PetscMin(gap, 0);
}

void CrOverlapMeasure(CrContact *c, CrTouch *touch, const PetscReal *u0)
{
  const CrPass *p = &c->passes[touch->pass];
  CrPair       *pair = &c->pairs[p->pair];
  PetscReal     x[CR_CONTACT_DOFS];
  CrKinematics  k;

  touch->curved = touch->gap0;
  if (c->begun || !pair->resolve || p->kind != CR_NODE_ON_FACET) return;
  CrGatherFacet(c, p->master, touch->node, touch->facet, u0, x);
  if (!CrTouchLook(c, touch, touch->facet, PETSC_FALSE, u0, &k)) return;
  touch->curved -= curve_height(p->master, touch->facet, &k, x);
  if (!(PetscMin(touch->gap0, touch->curved) < 0))
    return; /* overlaps neither on facets nor on curves */
  pair->facets[0] = PetscMin(pair->facets[0], touch->gap0);
  pair->facets[1] = PetscMax(pair->facets[1], touch->gap0);
  pair->curves[0] = PetscMin(pair->curves[0], touch->curved);
  pair->curves[1] = PetscMax(pair->curves[1], touch->curved);
}

void CrOverlapForget(CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs && !c->begun; k++) {
    c->pairs[k].facets[0] = c->pairs[k].curves[0] = PETSC_MAX_REAL;
    c->pairs[k].facets[1] = c->pairs[k].curves[1] = PETSC_MIN_REAL;
  }
}

/* Do gaps vary on facets, but not on the curves that facets approximate? Then the polygons have different
   sides. */
static PetscBool is_faceted(const CrPair *pair)
{
  PetscReal spread = pair->facets[1] - pair->facets[0], rest = pair->curves[1] - pair->curves[0];

  return spread > EVEN * -PetscMin(pair->facets[0], pair->curves[0]) && rest < SMOOTH * spread;
}

void CrOverlapDecide(CrContact *c)
{
  for (PetscInt k = 0; k < c->ntouches && !c->begun; k++) {
    const CrTouch *touch = &c->touches[k];
    const CrPass  *p = &c->passes[touch->pass];

    c->press[touch->point] = c->overlap[touch->point];
    if (touch->idle || p->kind != CR_NODE_ON_FACET || !c->pairs[p->pair].resolve) continue;
    if (!is_faceted(&c->pairs[p->pair]) || !(PetscMin(touch->gap0, touch->curved) < 0)) continue;
    c->overlap[touch->point] = touch->gap0;
    c->press[touch->point] = PetscMin(touch->curved, 0);
  }
}

static void warn_of_facets(const CrPair *pair)
{
  if (!is_faceted(pair)) return;
  CrWarn(
      "pair \"%s\": its surfaces are not divided alike: gaps at the start go from %.3g to %.3g on "
      "facets, from %.3g to %.3g on the curves that nodes lie on; the overlap of the curves is "
      "pushed out, what facets add counts as touching",
      pair->name, (double)pair->facets[0], (double)pair->facets[1], (double)pair->curves[0],
      (double)pair->curves[1]);
}

void CrContactWarnOverlap(const CrContact *c)
{
  for (PetscInt k = 0; k < c->npairs; k++) {
    PetscReal deepest = 0, size = PETSC_MAX_REAL;

    for (PetscInt j = 0; j < c->npasses && !c->pairs[k].resolve; j++) {
      const CrPass *p = &c->passes[j];

      if (p->pair != k || p->kind == CR_POINT_ON_WALL) continue;
      size = PetscMin(size, (p->ops->slave->is_node ? p->slave : p->master)->mean_size);
      for (PetscInt i = 0; i < p->n; i++) deepest = PetscMax(deepest, -c->overlap[p->first + i]);
    }
    if (deepest > OVERLAP_NOTED * size)
      CrWarn("pair \"%s\" starts with an overlap of %g, which stays and exerts nothing (overlap: "
             "keep)",
             c->pairs[k].name, (double)deepest);
    if (c->pairs[k].resolve) warn_of_facets(&c->pairs[k]);
  }
}
