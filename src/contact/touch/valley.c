/* Valleys of a master: concave edges and corners. For a slave behind the surface, the closest point is then on the edge
   or at the corner itself. The direction to this closest point is continuous, unlike the normals of the facets (theory
   13.10). */
#include "contact/touch/approach.h"

#define LEVEL 1e-6 /* slope below which two facets are one plane */

/* Does the facet beyond edge a rise above this one? x: slave and corners of the facet. */
static PetscBool rises(const CrContact *c, const CrSurface *master, PetscInt facet, PetscInt a,
                       const PetscReal *u, const PetscReal *x, const PetscReal nu[3])
{
  PetscInt  dim = c->model->dim, g = master->neighbour[4 * facet + a], n;
  PetscReal y[3], height = 0;

  if (g < 0 || master->patch[g] != master->patch[facet]) return PETSC_FALSE;
  n = master->ncorners[g];
  for (PetscInt k = 0; k < n; k++) {
    CrGatherNode(c, master->corners[4 * g + k], u, y);
    for (PetscInt i = 0; i < dim; i++) height += nu[i] * (y[i] - x[dim * (a + 1) + i]) / n;
  }
  return height > LEVEL * master->size[g];
}

PetscInt CrValleyRest(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                      const PetscReal *x, const CrProximity *near)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscInt         n = master->ncorners[facet], a, b;
  PetscBool        before, after;

  if (touch->locked || !(near->gap < 0) || near->edge < 0) return CR_REST_NONE;
  if (!(near->outside < PETSC_MAX_REAL)) return CR_REST_NONE;
  if (c->model->dim == 2 || near->corner < 0) {
    if (!rises(c, master, facet, near->edge, u, x, near->nu)) return CR_REST_NONE;
    return c->model->dim == 2 ? CR_REST_CORNER(near->edge) : CR_REST_EDGE(near->edge);
  }
  a = near->corner; /* the edge that leaves it, and the one that comes */
  b = (a + n - 1) % n;
  after = rises(c, master, facet, a, u, x, near->nu);
  before = rises(c, master, facet, b, u, x, near->nu);
  if (after && before) return CR_REST_CORNER(a);
  return after ? CR_REST_EDGE(a) : before ? CR_REST_EDGE(b) : CR_REST_NONE;
}

PetscBool CrTouchHangs(const CrContact *c, const CrTouch *touch, PetscInt facet,
                       const CrInstant *at)
{
  PetscReal   x[CR_CONTACT_DOFS];
  CrProximity near;
  PetscInt    n, next;

  if (facet < 0 || touch->locked || !CrTouchRests(c, touch)) return PETSC_FALSE;
  n = CrGatherTouch(c, touch, facet, at, x);
  CrFacetProximity(c->model->dim, n, x, &near);
  if (CrValleyRest(c, touch, facet, at->u, x, &near) == CR_REST_NONE) return PETSC_FALSE;
  next = CrNearestFacetAt(c, touch, at, &near);
  return next >= 0 && next != facet && near.rest == CR_REST_NONE;
}

void CrValleyProximity(const CrContact *c, const CrTouch *touch, PetscInt facet, const PetscReal *u,
                       const PetscReal *x, CrProximity *near)
{
  const CrSurface *master = c->passes[touch->pass].master;
  PetscInt         dim = c->model->dim, n = master->ncorners[facet];
  PetscReal        length = 0, beyond = 0;
  PetscInt         next;
  CrKinematics     k;

  near->rest = CrValleyRest(c, touch, facet, u, x, near);
  if (!near->rest || !CrKinematicsRest(dim, n, near->rest, x, &k)) return;
  near->gap = k.gap;
  near->outside = 0; /* a slave in a valley does not count as beside the surface, */
  near->edge = -1;
  if (near->rest < CR_REST_EDGE(0) || near->corner < 0) return;
  /* unless the edge above it ends at the other edge of that corner, and with it the surface or its smooth patch */
  near->edge = near->rest == CR_REST_EDGE(near->corner) ? (near->corner + n - 1) % n : near->corner;
  next = master->neighbour[4 * facet + near->edge];
  if (next >= 0 && master->patch[next] == master->patch[facet]) return;
  for (PetscInt a = 0; a < n; a++) beyond = PetscMax(beyond, -k.shape[a]);
  for (PetscInt i = 0; i < dim; i++) {
    PetscInt a = near->rest - CR_REST_EDGE(0);

    length += PetscSqr(x[dim * ((a + 1) % n + 1) + i] - x[dim * (a + 1) + i]);
  }
  near->outside = beyond * PetscSqrtReal(length) / master->size[facet];
}

PetscBool CrTouchLook(const CrContact *c, const CrTouch *touch, PetscInt facet, PetscBool exact,
                      const PetscReal *u, CrKinematics *k)
{
  PetscInt    dim = c->model->dim;
  PetscReal   x[CR_CONTACT_DOFS];
  PetscInt    n = CrTouchGatherOn(c, touch, facet, u, x);
  CrProximity near;

  if (exact) return CrKinematicsFacet(dim, n, x, k);
  CrFacetProximity(dim, n, x, &near);
  return CrKinematicsRest(dim, n, CrValleyRest(c, touch, facet, u, x, &near), x, k);
}
