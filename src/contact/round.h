/* Round parts of rigid bodies on facets (theory 14.4): a ball around a point, or an ellipsoid. A ball may touch a
   facet, its edges and its corners. If the projection of its centre lies beyond an edge, the closest point is on the
   edge or corner. So the gap is the distance of the ball from the surface. An ellipsoid touches the plane of a facet.
   Its contact point is the point of the ellipsoid that is deepest behind this plane. */
#pragma once

#include "contact/pass.h"

/* Computes the positions x of the slave and of the corners of a facet. If the slave is an ellipsoid, x begins with its
   point closest to the facet. `ellipsoid` is NULL for all other slaves. Returns the number of corners. */
PetscInt CrRoundGather(const CrContact *c, const CrSurface *master, PetscInt facet,
                       const CrShape *ellipsoid, const CrInstant *at, PetscReal *x);
/* Returns the signed distance of an ellipsoid (NULL: of a point) from a facet with its edges. `near` is the proximity
   of the positions x. */
PetscReal CrRoundDistance(PetscInt dim, const CrShape *ellipsoid, const CrInstant *at,
                          const PetscReal *x, const CrProximity *near);
/* Converts the proximity of the centre of a ball to that of the ball: the gap becomes that of the ball's surface, and
   `outside` becomes 0. */
void CrBallProximity(PetscReal radius, CrProximity *near);
/* Computes the operators of a slave on a facet, at the positions x as in CrRoundGather. `radius` is that of the ball
   around the slave, or 0. The gap is that of the ball's centre. Returns false if there is no closest point. */
PetscBool CrRoundProject(const CrContact *c, const CrSurface *master, PetscInt facet,
                         const CrShape *ellipsoid, PetscReal radius, const CrInstant *at,
                         PetscReal *x, CrKinematics *k);
