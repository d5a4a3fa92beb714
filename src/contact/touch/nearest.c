/* Finds the facet that is nearest to a slave, among those of the search, and the facet that its path pierces
   (theory 13.3). */
#include "base/vector.h"
#include "contact/touch/touch.h"

void CrSlaveAt(const CrContact *c, const CrTouch *touch, const PetscReal *u, CrPoseOf pose,
               CrInstant *at)
{
  c->passes[touch->pass].ops->slave->at(c, touch, u, pose, at);
}

#define ROUNDS                                                                                     \
  3 /* most iterations until the point of an ellipsoid and the normal of a warped facet agree */

PetscInt CrGatherTouch(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at, PetscReal *x)
{
  PetscInt n = CrGatherAt(c, c->passes[touch->pass].master, facet, at, x);

  for (int k = 0; touch->ellipsoid && k < ROUNDS; k++) {
    PetscReal   r[3];
    CrProximity near;

    CrFacetProximity(c->model->dim, n, x, &near);
    CrEllipsoidReach(touch->ellipsoid, at->R, near.nu, r);
    for (PetscInt i = 0; i < c->model->dim; i++) x[i] = at->x[i] + r[i];
  }
  return n;
}

PetscInt CrTouchGatherOn(const CrContact *c, const CrTouch *touch, PetscInt facet,
                         const PetscReal *u, PetscReal *x)
{
  CrInstant at;

  CrSlaveAt(c, touch, u, CR_POSE_END, &at);
  return CrGatherAt(c, c->passes[touch->pass].master, facet, &at, x);
}

/* Point of the ellipsoid with its projection: the normal there is the one by which it was found. */
static PetscBool project_ellipsoid(PetscInt dim, const CrShape *ellipsoid, const CrInstant *at,
                                   PetscInt n, PetscReal *x, CrKinematics *k)
{
  PetscReal   moved = PETSC_MAX_REAL, last, r[3];
  CrProximity near;

  CrFacetProximity(dim, n, x, &near);
  v_copy(near.nu, k->nu);
  for (int it = 0; it < 60; it++) {
    last = moved;
    moved = 0;
    CrEllipsoidReach(ellipsoid, at->R, k->nu, r);
    for (PetscInt i = 0; i < dim; i++) {
      moved = PetscMax(moved, PetscAbsReal(at->x[i] + r[i] - x[i]));
      x[i] = at->x[i] + r[i];
    }
    if (!CrKinematicsFacet(dim, n, x, k)) return PETSC_FALSE;
    if (moved == 0 || (moved < 1e-12 * ellipsoid->reach && moved > last / 4)) return PETSC_TRUE;
  }
  return PETSC_FALSE;
}

PetscBool CrTouchProject(const CrContact *c, const CrTouch *touch, const CrInstant *at,
                         PetscReal *x, CrKinematics *k)
{
  PetscInt dim = c->model->dim,
           n = CrGatherAt(c, c->passes[touch->pass].master, touch->facet, at, x);

  return touch->ellipsoid ? project_ellipsoid(dim, touch->ellipsoid, at, n, x, k)
                          : CrKinematicsFacet(dim, n, x, k);
}

PetscInt CrNearestFacet(const CrContact *c, const CrTouch *touch, const PetscReal *u,
                        CrProximity *near)
{
  CrInstant at;

  CrSlaveAt(c, touch, u, CR_POSE_END, &at);
  return CrNearestFacetAt(c, touch, &at, near);
}

/* The signed distance of an ellipsoid from a facet with its edges, negative inside. It is that of a ball whose
   centre is as high above the facet. x are the point of the ellipsoid and the corners. */
static PetscReal ellipsoid_distance(PetscInt dim, const CrInstant *at, const PetscReal *x,
                                    const CrProximity *near)
{
  PetscReal height = 0, beside = PetscSqr(near->distance) - PetscSqr(near->gap);

  for (PetscInt i = 0; i < dim; i++) height += near->nu[i] * (at->x[i] - x[i]);
  return PetscSqrtReal(PetscSqr(near->gap + height) + PetscMax(beside, 0)) - height;
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

    if (touch->patch >= 0 && master->patch[f] != touch->patch) continue;
    n = CrGatherTouch(c, touch, f, at, x);
    CrFacetProximity(c->model->dim, n, x, &here);
    if (touch->patch < 0 && !CrIsFaced(touch->normal, here.nu)) continue;
    rank = touch->ellipsoid ? ellipsoid_distance(c->model->dim, at, x, &here) : here.distance;
    rank += 1e-9 * master->size[f] * here.outside; /* breaks ties at edges */
    if (best >= 0 && !(rank < least)) continue;
    least = rank;
    best = f;
    *near = here;
  }
  if (best < 0) return best;
  near->gap -= touch->radius;
  if (near->edge < 0 || c->passes[touch->pass].ops->body) return best;
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
        master->patch[f] == touch->patch)
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
