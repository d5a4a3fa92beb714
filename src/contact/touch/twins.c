/* Equal nodes on equal nodes, under exact laws. Where nodes of two surfaces stand on each other, both may be points:
   one belongs to the finer side, the other one is sharp. Both would state the same law, and only the sum of their
   forces would be known. The point of the body that comes first in the model stays (theory 17.6). */
#include "contact/touch/touch.h"

#define STANDS 1e-6 /* the weight of the corner below a point differs from 1 by less */

/* The node of the facet on which a point stands; -1: none. */
static PetscInt stands_on(const CrContact *c, const CrTouch *touch, const PetscReal *u0)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrKinematics     k;

  if (!CrTouchLook(c, touch, touch->facet, PETSC_TRUE, u0, &k)) return -1;
  for (PetscInt a = 0; a < k.nmaster; a++)
    if (k.shape[a] > 1 - STANDS && k.shape[a] < 1 + STANDS)
      return master->corners[4 * touch->facet + a];
  return -1;
}

/* In a valley a node is held by more than the other one. */
static PetscBool is_candidate(const CrContact *c, PetscInt k)
{
  const CrTouch *touch = &c->work->touches[k];

  if (touch->beside || (k + 1 < c->work->ntouches && touch[1].beside)) return PETSC_FALSE;
  return !touch->idle && c->passes[touch->pass].kind == CR_NODE_ON_FACET &&
         c->passes[touch->pass].cones;
}

/* Of two bodies, the points of the one that comes first in the model stay. */
static PetscBool stays(const CrPass *p)
{
  return p->slave->body != p->master->body ? p->slave->body < p->master->body : !p->reversed;
}

void CrTouchDropTwins(CrContact *c, const PetscReal *u0)
{
  CrContactWork *w = c->work;

  for (PetscInt k = 0; k < w->ntouches; k++)
    if (is_candidate(c, k) && stays(&c->passes[w->touches[k].pass]))
      w->at_node[w->touches[k].node] = k + 1;
  for (PetscInt k = 0; k < w->ntouches; k++) {
    CrTouch *touch = &w->touches[k], *other;
    PetscInt on;

    if (!is_candidate(c, k) || stays(&c->passes[touch->pass])) continue;
    on = stands_on(c, touch, u0);
    if (on < 0 || !w->at_node[on]) continue;
    other = &w->touches[w->at_node[on] - 1];
    if (c->passes[other->pass].pair != c->passes[touch->pass].pair) continue;
    if (stands_on(c, other, u0) == touch->node) touch->idle = touch->twin = PETSC_TRUE;
  }
  for (PetscInt k = 0; k < w->ntouches; k++)
    if (w->touches[k].node >= 0) w->at_node[w->touches[k].node] = 0;
}
