/* Contact of round parts of rigid bodies with facets (theory 14.4). A round part is a ball around a point of the body,
   or an ellipsoid. A ball may touch a facet, its edges and its corners. If the projection of the ball's centre lies
   beyond an edge, the closest point is on the edge or on a corner. So the gap is the distance of the ball from the
   surface. An ellipsoid touches the plane of a facet. The contact point is the point of the ellipsoid that is deepest
   behind this plane. */
#pragma once

#include "contact/pass.h"

/* Computes the positions x of the slave and of the corners of a facet: first dim numbers for the slave, then dim
   numbers per corner. If the slave is an ellipsoid, its position is its point closest to the facet. `ellipsoid` is NULL
   for all other slaves. Returns the number of corners. */
PetscInt CrRoundGather(const CrContact *c, const CrSurface *master, PetscInt facet,
                       const CrShape *ellipsoid, const CrInstant *at, PetscReal *x);
/* Returns the signed distance of an ellipsoid from a facet, including the edges of the facet. If `ellipsoid` is NULL,
   the slave is a point. x are the positions from CrRoundGather, and `near` is their closest-point projection. */
PetscReal CrRoundDistance(PetscInt dim, const CrShape *ellipsoid, const CrInstant *at,
                          const PetscReal *x, const CrProximity *near);
/* Converts `near`, the closest-point projection of a ball's centre, to the closest-point projection of the ball. The
   gap becomes the gap of the ball's surface, and `outside` becomes 0. */
void CrBallProximity(PetscReal radius, CrProximity *near);
/* Computes the gap and the operators G and H of a slave on a facet, and the positions x as in CrRoundGather. `radius`
   is the radius of the ball around the slave, or 0. The computed gap is the gap of the ball's centre. Returns false if
   there is no closest point. */
PetscBool CrRoundProject(const CrContact *c, const CrSurface *master, PetscInt facet,
                         const CrShape *ellipsoid, PetscReal radius, const CrInstant *at,
                         PetscReal *x, CrKinematics *k);
