/* Contact of round parts of rigid bodies with facets (round.h). */
#include "contact/round.h"
#include "base/vector.h"
#include "contact/place.h"
#include "rigid/surface.h"

#define ROUNDS                                                                                     \
  3 /* most iterations until the point of an ellipsoid and the normal of a warped facet agree */

PetscInt CrRoundGather(const CrContact *c, const CrSurface *master, PetscInt facet,
                       const CrShape *ellipsoid, const CrInstant *at, PetscReal *x)
{
  PetscInt n = CrGatherAt(c, master, facet, at, x);

  for (int k = 0; ellipsoid && k < ROUNDS; k++) {
    PetscReal   r[3];
    CrProximity near;

    CrFacetProximity(c->model->dim, n, x, &near);
    CrEllipsoidReach(ellipsoid, at->R, near.nu, r);
    for (PetscInt i = 0; i < c->model->dim; i++) x[i] = at->x[i] + r[i];
  }
  return n;
}

/* The distance of an ellipsoid is that of a ball whose centre is as high above the facet. */
PetscReal CrRoundDistance(PetscInt dim, const CrShape *ellipsoid, const CrInstant *at,
                          const PetscReal *x, const CrProximity *near)
{
  PetscReal height = 0, beside = PetscSqr(near->distance) - PetscSqr(near->gap);

  if (!ellipsoid) return near->distance;
  for (PetscInt i = 0; i < dim; i++) height += near->nu[i] * (at->x[i] - x[i]);
  return PetscSqrtReal(PetscSqr(near->gap + height) + PetscMax(beside, 0)) - height;
}

void CrBallProximity(PetscReal radius, CrProximity *near)
{
  if (near->outside > 0) near->gap = near->distance;
  near->gap -= radius;
  if (near->outside < PETSC_MAX_REAL) near->outside = 0;
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

/* The corner or edge that the centre of a ball lies beyond. */
static PetscInt rest_of(PetscInt dim, const CrProximity *near)
{
  if (near->edge < 0 || !(near->outside < PETSC_MAX_REAL)) return CR_REST_NONE;
  if (dim == 2 || near->corner >= 0) return CR_REST_CORNER(near->corner);
  return CR_REST_EDGE(near->edge);
}

PetscBool CrRoundProject(const CrContact *c, const CrSurface *master, PetscInt facet,
                         const CrShape *ellipsoid, PetscReal radius, const CrInstant *at,
                         PetscReal *x, CrKinematics *k)
{
  PetscInt    dim = c->model->dim, n = CrGatherAt(c, master, facet, at, x);
  CrProximity near;

  if (ellipsoid) return project_ellipsoid(dim, ellipsoid, at, n, x, k);
  if (!(radius > 0)) return CrKinematicsFacet(dim, n, x, k);
  CrFacetProximity(dim, n, x, &near);
  return CrKinematicsAround(dim, n, rest_of(dim, &near), x, k);
}
