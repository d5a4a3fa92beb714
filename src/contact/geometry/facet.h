/* The closest-point projection of a point on a facet that is continued beyond its edges. A facet is a segment, a
   triangle, or a bilinear quad. From this projection, foot.h computes weights and a gap, kinematics.h the operators G
   and H, and bounded.c the position relative to the edges.

   In all functions, x are the (n+1)*dim coordinates of the point and of the n corners, in this order. The corners are
   ordered as in kinematics.h. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscReal xi[2];     /* coordinates of the closest point, like CrKinematics.xi */
  PetscReal tau[2][3]; /* tangents at the closest point; 2D: only the first */
  PetscReal twist[3];  /* quad: mixed derivative of the surface x_M with respect to xi_1 and xi_2 */
  /* vector to the point; it starts at the closest point (quad) or at the first corner (segment, triangle) */
  PetscReal way[3];
  /* outward normal n = tau_1 x tau_2, not of unit length, and n2 = n . n; 2D: the length of n is that of the segment */
  PetscReal n[3], n2;
} CrProjection;

/* Projects the point on the facet with n corners. Returns false if there is no projection, because the facet is
   degenerate or the point is far from a warped quad. */
PetscBool CrProject(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p);
/* Does the same as CrProject, starting from p->xi, which must be close to the solution. On quads this is cheaper than
   CrProject. The iteration ends when xi changes by less than 1e-8, because a further iteration would change only
   rounding errors. */
PetscBool CrProjectNear(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p);
/* Projects the point on the tangent plane at the centre of a quad, for points far from the quad. */
PetscBool CrProjectCentre(const PetscReal x[15], CrProjection *p);

/* Finds the points of two straight edges that are closest to each other. x has the four end points A, B, C, D, three
   coordinates each. The edges are AB and CD. In p, tau_1 = A - B, tau_2 = D - C, and `way` goes from C to A. So the
   function computes the projection of A on the plane through C that is parallel to both edges. */
PetscBool CrProjectEdges(const PetscReal x[12], CrProjection *p);

/* A condition on the configuration at the time t in [0, 1], for instance that the projection lies on the facet. ctx has
   the data of the caller. */
typedef PetscBool CrIsThere(const void *ctx, PetscReal t);
/* Finds the first time *when in [0, 1] at which the triple product of y, tau_1 and tau_2 changes from positive to
   negative and is_there returns true. The vectors are linear functions of time, from y[0], tau[0] to y[1], tau[1]. So
   the triple product is a cubic polynomial of time. round_off is the rounding error of the length of y. Returns false
   if there is no such time. */
PetscBool CrVolumeFalls(PetscReal y[2][3], PetscReal tau[2][2][3], PetscReal round_off,
                        CrIsThere *is_there, const void *ctx, PetscReal *when);

/* Coordinates xi of the corners of a triangle and of a quad. */
extern const PetscReal CrTriangleCorners[3][2], CrQuadCorners[4][2];
/* Computes the shape functions N of the n corners of a facet at xi. */
void CrFacetShape(PetscInt n, const PetscReal xi[2], PetscReal N[4]);
