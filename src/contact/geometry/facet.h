/* The projection of a point on a facet that is continued beyond its edges: a segment, a triangle, or a bilinear quad.
   foot.h computes weights and a gap from it, kinematics.h the operators, and bounded.c the position relative to the
   edges.

   In all functions, x are the point and then the corners, (n+1)*dim coordinates. The corners are ordered as in
   kinematics.h. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscReal xi[2];     /* coordinates of the closest point, like CrKinematics.xi */
  PetscReal tau[2][3]; /* tangents at the closest point; 2D: only the first */
  PetscReal twist[3];  /* quad: the mixed derivative x_M,12 */
  /* vector to the point, from the closest point (quad) or from the first corner (others) */
  PetscReal way[3];
  /* outward normal tau_1 x tau_2 and its square; 2D: its length is that of the segment */
  PetscReal n[3], n2;
} CrProjection;

/* Projects the point. Returns false if there is no projection: the facet is degenerate, or the point is far from a
   warped quad. */
PetscBool CrProject(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p);
/* Does the same as CrProject, starting from a good guess p->xi. The guess makes the projection cheaper on quads. The
   iteration ends when xi changes by less than 1e-8, because a further iteration would change only rounding errors. */
PetscBool CrProjectNear(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p);
/* Projects the point on the tangent plane at the centre of a quad. This projection is for points far from the quad. */
PetscBool CrProjectCentre(const PetscReal x[15], CrProjection *p);

/* Finds the points of two edges that are closest to each other. The edges go from x[0] to x[3] and from x[6] to x[9].
   tau_1 = x[0] - x[3], tau_2 = x[9] - x[6], and way goes from x[6] to x[0]. So CrProjectEdges computes the projection
   of x[0] on the plane through x[6] that is parallel to both edges. */
PetscBool CrProjectEdges(const PetscReal x[12], CrProjection *p);

/* A condition on positions at the time t in [0, 1], for instance that the projection lies on the facet. */
typedef PetscBool CrIsThere(const void *ctx, PetscReal t);
/* Finds the first time *when in [0, 1] at which the triple product of y, tau_1 and tau_2 changes from positive to
   negative while is_there is true. The vectors change at constant rates from y[0], tau[0] to y[1], tau[1], so the
   triple product is a cubic polynomial of time. round_off is the rounding error of the length of y. Returns false if
   there is no such time. */
PetscBool CrVolumeFalls(PetscReal y[2][3], PetscReal tau[2][2][3], PetscReal round_off,
                        CrIsThere *is_there, const void *ctx, PetscReal *when);

/* Coordinates xi of the corners. */
extern const PetscReal CrTriangleCorners[3][2], CrQuadCorners[4][2];
/* Computes the shape functions of the corners at xi. */
void CrFacetShape(PetscInt n, const PetscReal xi[2], PetscReal N[4]);
