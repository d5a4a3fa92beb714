/* The projection of a point on an unbounded facet: a segment, a triangle, or a bilinear quad. foot.h takes weights
   and a gap from it, kinematics.h operators, and bounded.c the place of the point relative to the edges.

   x: the point and then the corners, (n+1)*dim coordinates. The corners are ordered as in kinematics.h. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscReal xi[2];     /* as CrKinematics.xi */
  PetscReal tau[2][3]; /* tangents at the foot; 2D: only the first */
  PetscReal twist[3];  /* quad: x_M,12 */
  PetscReal way[3];    /* to the point, from the foot (quad) or from the first corner */
  PetscReal n[3],
      n2; /* normal tau_1 x tau_2, outward, and its square; 2D: of the segment's length */
} CrProjection;

/* False where there is none: a degenerate facet, or a point far from a warped quad. */
PetscBool CrProject(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p);
/* The same where p->xi is known to be about right: cheaper on quads, since the iteration ends with a step below 1e-8,
   which the next would change by round-off only. */
PetscBool CrProjectNear(PetscInt dim, PetscInt n, const PetscReal *x, CrProjection *p);
/* The same on the plane through the centre of a quad, for points that are far from it. */
PetscBool CrProjectCentre(const PetscReal x[15], CrProjection *p);

/* The points of two edges, x[0] to x[3] and x[6] to x[9], that are nearest to each other: tau_1 = x[0] - x[3], tau_2 =
   x[9] - x[6], and way from x[6] to x[0]. This is the projection of x[0] on the plane through x[6] along both. */
PetscBool CrProjectEdges(const PetscReal x[12], CrProjection *p);

/* Coordinates xi of the corners. */
extern const PetscReal CrTriangleCorners[3][2], CrQuadCorners[4][2];
/* Shape functions of the corners at xi. */
void CrFacetShape(PetscInt n, const PetscReal xi[2], PetscReal N[4]);
