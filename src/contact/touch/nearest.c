/* Finds the facet that is closest to a slave, among the facets of the search, and the facet through which its path
   passes (theory 13.3). */
#include "base/vector.h"
#include "contact/touch/touch.h"

#define ON_EDGE                                                                                    \
  1e-12 /* of a facet: a point as near to two facets as this is on the edge between them */

PetscInt CrGatherTouch(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at, PetscReal *x)
{
  return CrRoundGather(c, c->passes[touch->pass].master, facet, touch->ellipsoid, at, x);
}

PetscBool CrTouchProject(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                         PetscReal *x, CrKinematics *k)
{
  return CrRoundProject(c, c->passes[touch->pass].master, touch->facet, touch->ellipsoid,
                        CrTouchIsBall(touch) ? touch->radius : 0, at, x, k);
}

PetscInt CrNearestFacet(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                        CrProximity *near)
{
  CrInstant at;

  CrSlaveAt(c, touch, u, CR_POSE_END, &at);
  return CrNearestFacetAt(c, touch, &at, near);
}

PetscInt CrNearestFacetAt(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                          CrProximity *near)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x[CR_CONTACT_DOFS], least = PETSC_MAX_REAL;
  PetscInt         best = -1;
  CrProximity      here;

  for (PetscInt k = touch->admitted; k < touch->admitted + touch->nadmitted; k++) {
    PetscInt  f = c->work->found[k], n;
    PetscReal rank;

    if (touch->patch >= 0 && master->patch[f] != touch->patch && !CrTouchIsBall(touch)) continue;
    n = CrGatherTouch(c, touch, f, at, x);
    CrFacetProximity(c->model->dim, n, x, &here);
    if (touch->patch < 0 && !CrIsFaced(touch->normal, here.nu)) continue;
    rank = CrRoundDistance(c->model->dim, touch->ellipsoid, at, x, &here);
    rank += 1e-9 * master->size[f] * here.outside; /* breaks ties at edges */
    /* on an edge rounding must not choose, because friction on two facets has more than one solution */
    if (best >= 0 && !(rank < least - (c->tight ? ON_EDGE * master->size[f] : 0))) continue;
    least = rank;
    best = f;
    *near = here;
  }
  if (best < 0) return best;
  CrTouchProximity(touch, near);
  if (near->edge < 0 || !CrTouchRests(c, touch)) return best;
  CrGatherTouch(c, touch, best, at, x);
  CrValleyProximity(c, touch, best, at->u, x, near);
  return best;
}

PetscBool CrIsLongWay(const CrContact *c, const CrTouch *touch, PetscInt facet,
                      const CrInstant *from, const CrInstant *to)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscInt         dim = c->model->dim, A = master->corners[4 * facet];
  PetscReal        way = 0;

  for (PetscInt i = 0; i < dim; i++)
    way += PetscSqr(to->x[i] - from->x[i] - to->u[dim * A + i] + from->u[dim * A + i]);
  return way > PetscSqr(0.5 * master->size[facet]);
}

static PetscBool has_open_edge(const CrSurface *master, PetscInt facet)
{
  for (PetscInt a = 0; a < master->ncorners[facet]; a++)
    if (master->neighbour[4 * facet + a] < 0) return PETSC_TRUE;
  return PETSC_FALSE;
}

/* The point of the ball around a slave that touches a facet first. */
static void meet_facet(const CrContact *c, const CrTouch *touch, PetscInt n, PetscReal *x)
{
  CrProximity near;

  if (touch->radius == 0) return;
  CrFacetProximity(c->model->dim, n, x, &near);
  for (PetscInt i = 0; i < c->model->dim; i++) x[i] -= touch->radius * near.nu[i];
}

PetscInt CrFirstPierced(const CrContact *c, const CrTouch *touch, const CrInstant *from,
                        const CrInstant *to, PetscBool only_new, PetscReal *when)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscReal        x0[CR_CONTACT_DOFS], x1[CR_CONTACT_DOFS], instant;
  PetscInt         best = -1;
  CrProximity      near;

  *when = 2;
  for (PetscInt k = touch->admitted; k < touch->admitted + touch->nadmitted; k++) {
    PetscInt f = c->work->found[k], n;

    if (only_new && touch->locked && f == touch->facet) continue;
    if (only_new && !touch->idle && !CrIsLongWay(c, touch, f, from, to) &&
        (master->patch[f] == touch->patch || CrTouchIsBall(touch)))
      continue;
    n = CrGatherTouch(c, touch, f, from, x0);
    CrGatherTouch(c, touch, f, to, x1);
    meet_facet(c, touch, n, x0);
    meet_facet(c, touch, n, x1);
    if (!CrFacetCrossing(c->model->dim, n, x0, x1, has_open_edge(master, f) ? OPEN_EDGE : 0,
                         &instant))
      continue;
    if (!(instant < *when)) continue;
    CrFacetProximity(c->model->dim, n, x0, &near);
    if (!CrIsFaced(touch->normal, near.nu)) continue;
    *when = instant;
    best = f;
  }
  return best;
}
