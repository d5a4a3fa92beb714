/* Functions for the surface of a rigid shape in contact with nodes, facets and walls: gaps, faces, curvature, and the
   points of the shape that may touch facets and walls. */
#pragma once

#include "rigid/rigid.h"
#include "rigid/collide.h"

/* Returns true if two surfaces with the normals `normal` and nu face each other, so that they may touch. For instance,
   the front side of a sliding block does not face the surface beneath the block. A zero `normal` means that the normal
   is unknown; the function then returns true. */
static inline PetscBool CrIsFaced(const PetscReal normal[3], const PetscReal nu[3])
{
  PetscReal cosine = 0;

  for (int i = 0; i < 3; i++) cosine += normal[i] * nu[i];
  return cosine < -0.3 || (normal[0] == 0 && normal[1] == 0 && normal[2] == 0);
}

/* Returns the signed distance of the point `at` from a shape with the position x and rotation R, and computes the
   outward normal nu there. For a polytope, the result is the greatest signed distance from the planes of its faces.
   This distance is exact inside the polytope, and a lower bound outside. */
PetscReal CrShapeGap(const CrShape *s, const PetscReal x[3], const PetscReal R[9],
                     const PetscReal at[3], PetscReal nu[3]);
/* Returns the radius of the largest ball about the mass centre that lies inside the shape. A point that moves by less
   than this radius in a step cannot pass through the shape undetected. */
PetscReal CrShapeInnerRadius(const CrShape *s);

/* The choice of the faces of a polytope that a point may touch. If patch >= 0, these are the faces that no sharp edge
   separates from face `patch`. If patch < 0, these are the faces for which CrIsFaced is true with the surface normal
   `normal`, when the body has the rotation R. If `listed` is not NULL, the point may touch only its n faces, and patch
   restricts these further. */
typedef struct {
  PetscInt         patch;
  const PetscReal *R, *normal;
  const PetscInt  *listed;
  PetscInt         n;
} CrFaceChoice;
/* Returns the chosen face from whose plane the point has the greatest signed distance; -1 if no face is chosen. y is
   the vector from the mass centre to the point in space axes, R the rotation of the body. *beyond is the greatest
   signed distance from the planes of the faces that are not chosen. */
PetscInt CrShapeFace(const CrShape *s, const CrFaceChoice *choice, const PetscReal R[9],
                     const PetscReal y[3], PetscReal *beyond);
/* Computes the derivative N = d(nu)/dx of the normal of a curved shape with respect to the position of the point. Y is
   the position, `gap` and n are the gap and normal of the point. All vectors are in body axes. */
void CrShapeBend(const CrShape *s, PetscReal gap, const PetscReal n[3], const PetscReal Y[3],
                 PetscReal N[9]);

/* Functions for the points of a shape that may touch facets and walls (theory 14.4). These points are corners, centres
   of round ends, or the centre of an ellipsoid. CrShapePoints returns the number of these points. CrShapePoint computes
   the i-th point in body axes, and returns the radius of the ball around this point (0 for corners). */
PetscInt  CrShapePoints(const CrShape *s);
PetscReal CrShapePoint(const CrShape *s, PetscInt i, PetscReal at[3]);
/* Computes the matrix B = R A^2 R^T, where A is the diagonal matrix of the semi-axes. */
void CrEllipsoidForm(const CrShape *ellipsoid, const PetscReal R[9], PetscReal B[9]);
/* Computes the vector r from the centre of an ellipsoid to the point of its surface that is farthest in the direction
   -nu. */
void CrEllipsoidReach(const CrShape *ellipsoid, const PetscReal R[9], const PetscReal nu[3],
                      PetscReal r[3]);
/* Computes the contact of the i-th point of a shape with a wall. x is the mass centre of the shape. If `outside` is
   true, the wall is a ball, and the shape is outside of the ball. Returns the gap. nu gets the normal, and arm the
   vector from x to the contact point. Corners use the rotation matrix `mean`, and curved shapes the rotation matrix
   `half`. */
PetscReal CrShapeAtWall(const CrShape *s, PetscInt i, const CrWall *wall, PetscBool outside,
                        const PetscReal x[3], const PetscReal mean[9], const PetscReal half[9],
                        PetscReal nu[3], PetscReal arm[3]);
