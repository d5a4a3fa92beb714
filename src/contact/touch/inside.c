/* For exact laws that allow no penetration at the end of a step. A node that nevertheless penetrates at the end is
   assigned to the facet through which it entered, and the step is solved again (theory 17.7). */
#include "base/vector.h"
#include "contact/touch/approach.h"

#define SAME   1e-12 /* of a facet: distances that differ by less belong to one edge or corner */
#define INSIDE 1e-11 /* of a facet: less is rounding */
#define SUNK   1e-7  /* of a facet: less is not worth another solution of the step */

/* If the closest place is an edge or a corner, the sum of the gaps on its facets decides between inside and outside. */
PetscInt CrFacetAbove(const CrContact *c, const CrTouch *touch, const CrInstant *at)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x[CR_CONTACT_DOFS], least = PETSC_MAX_REAL, sum = 0;
  PetscInt         best = -1;
  CrProximity      near;

  for (PetscInt k = touch->found; k < touch->found + touch->nfound; k++) {
    PetscInt  f = c->work->found[k], n = CrGatherTouch(c, touch, f, at, x);
    PetscReal same = SAME * master->size[f];

    CrFacetProximity(c->model->dim, n, x, &near);
    if (near.distance > least + same) continue;
    if (near.distance < least - same) sum = 0;
    sum += near.gap;
    if (near.distance < least) best = f;
    least = PetscMin(least, near.distance);
  }
  return sum < 0 && least > INSIDE * master->mean_size ? best : -1;
}

/* The facet through which the path leads first, admitted or not; -1: none. */
static PetscInt way_in(const CrContact *c, const CrTouch *touch, const CrInstant *start,
                       const CrInstant *end)
{
  CrTouch   any = CrTouchOfAll(touch);
  PetscReal when;

  return CrFirstPierced(c, &any, start, end, PETSC_FALSE, &when);
}

PetscBool CrTouchCatch(const CrContact *c, CrTouch *touch, const CrInstant *start,
                       const CrInstant *end)
{
  PetscInt above = CrFacetAbove(c, touch, end), facet;

  if (above < 0) return PETSC_FALSE;
  facet = way_in(c, touch, start, end);
  /* A flat face slides past a corner: its nodes come in through the side of the corner, which cannot hold them. */
  if (facet < 0 || (!CrTouchAdmits(c, touch, facet) && CrTouchAdmits(c, touch, above)))
    facet = above;
  if (!touch->idle && touch->locked && touch->facet == facet) return PETSC_FALSE;
  touch->idle = touch->keeps = PETSC_FALSE;
  touch->cached = -1;
  CrTouchBind(c, touch, facet, start);
  touch->locked = PETSC_TRUE;
  touch->gap0 = CrTouchGapOn(c, touch, facet, start);
  /* beside the facet, a point behind its plane is not inside, so it must not stay there */
  if (CrFacetAbove(c, touch, start) < 0) touch->gap0 = PetscMax(touch->gap0, 0);
  return PETSC_TRUE;
}

PetscBool CrTouchSinks(const CrContact *c, const CrTouch *touch, const CrInstant *end)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrProximity      near;
  PetscInt         facet = CrNearestFacetAt(c, touch, end, &near);

  return facet >= 0 && facet != touch->facet && near.outside == 0 &&
         near.gap < PetscMin(touch->overlap, touch->behind) - SUNK * master->mean_size;
}
