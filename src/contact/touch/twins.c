/* Removes redundant contacts of twins under exact laws. Twins are nodes of two surfaces that coincide. Both may be
   slaves: one belongs to the finer surface, and the other one is sharp. Both would impose the same condition, and only
   the sum of their forces would be determined. The point of the side that leads (CrPass.leads) stays (theory 17.6). */
#include "base/vector.h"
#include "contact/touch/touch.h"

#define STANDS 0.999 /* weight of the corner on which a point stands */
#define SAME   1e-5  /* of a facet: by how much one point may sink if only the other one is held */

/* The node of the facet on which a point stands; -1: none. `off`: distance of the two, over the facet. */
static PetscInt stands_on(const CrContact *c, const CrTouch *touch, const PetscReal *u0,
                          PetscReal nu[3], PetscReal *off)
{
  const CrSurface *master = c->passes[touch->pass].master;
  CrKinematics     k;

  if (!CrTouchLook(c, touch, touch->facet, PETSC_TRUE, u0, &k)) return -1;
  v_copy(k.nu, nu);
  for (PetscInt a = 0; a < k.nmaster; a++) {
    *off = PetscAbsReal(1 - k.shape[a]);
    if (k.shape[a] > STANDS) return master->corners[4 * touch->facet + a];
  }
  return -1;
}

static PetscBool is_candidate(const CrContact *c, const CrTouch *touch)
{
  const CrPass *p = &c->passes[touch->pass];

  return !touch->idle && !touch->beside && p->kind == CR_NODE_ON_FACET && p->cones;
}

static PetscBool is_in_valley(const CrContact *c, PetscInt k)
{
  return k + 1 < c->work->ntouches && c->work->touches[k + 1].beside;
}

/* Is touch k removed, rather than its twin? A node in a valley stays, because other facets hold it too. Else the point
   of the side that leads stays. */
static PetscBool goes(const CrContact *c, PetscInt k, PetscInt other)
{
  const CrPass *p = &c->passes[c->work->touches[k].pass];

  if (is_in_valley(c, k) != is_in_valley(c, other)) return !is_in_valley(c, k);
  return !p->leads;
}

/* The touch that states the same law as touch k; -1: none. */
static PetscInt twin_of(const CrContact *c, PetscInt k, const PetscReal *u0)
{
  const CrContactWork *w = c->work;
  const CrTouch       *touch = &w->touches[k];
  PetscReal            nu[3], opposite[3], off;
  PetscInt on = stands_on(c, touch, u0, nu, &off), other = on < 0 ? -1 : w->at_node[on] - 1;

  if (other < 0 || c->passes[w->touches[other].pass].pair != c->passes[touch->pass].pair) return -1;
  if (stands_on(c, &w->touches[other], u0, opposite, &off) != touch->node) return -1;
  v_add(opposite, 1, nu);
  return off * v_length(opposite) < SAME ? other : -1;
}

void CrTouchDropTwins(CrContact *c, const PetscReal *u0)
{
  CrContactWork *w = c->work;

  for (PetscInt k = 0; k < w->ntouches; k++)
    if (is_candidate(c, &w->touches[k])) w->at_node[w->touches[k].node] = k + 1;
  for (PetscInt k = 0; k < w->ntouches; k++) {
    PetscInt other = is_candidate(c, &w->touches[k]) ? twin_of(c, k, u0) : -1;

    if (other < 0 || !goes(c, k, other)) continue;
    if (CrTouchMayWait(c, &w->touches[k]))
      w->touches[k].waits = PETSC_TRUE; /* they may part within the step */
    else
      w->touches[k].idle = w->touches[k].twin = PETSC_TRUE;
  }
  for (PetscInt k = 0; k < w->ntouches; k++)
    if (w->touches[k].node >= 0) w->at_node[w->touches[k].node] = 0;
}
