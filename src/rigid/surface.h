/* A rigid shape as a contact surface for nodes, facets and walls: gaps, faces, curvature, and the points of the
   shape that may touch facets and walls. */
#pragma once

#include "rigid/rigid.h"
#include "rigid/collide.h"

/* Returns true if two surfaces with the normals `normal` and nu face each other, so that they may touch. For instance,
   the front side of a sliding block does not face the surface beneath the block. A zero normal is unknown and faces
   everything. */
static inline PetscBool CrIsFaced(const PetscReal normal[3], const PetscReal nu[3])
{
  PetscReal cosine = 0;

  for (int i = 0; i < 3; i++) cosine += normal[i] * nu[i];
  return cosine < -0.3 || (normal[0] == 0 && normal[1] == 0 && normal[2] == 0);
}

/* Returns the signed distance of the point `at` from a shape with the pose x, R, and the normal there. For a polytope
   it is the greatest distance from the planes of its faces. This distance is exact inside, and a lower bound
   outside. */
PetscReal CrShapeGap(const CrShape *s, const PetscReal x[3], const PetscReal R[9],
                     const PetscReal at[3], PetscReal nu[3]);
/* Returns the radius of the largest ball about the mass centre inside the shape. A point that moves less in a step
   cannot pass through the shape undetected. */
PetscReal CrShapeInnerRadius(const CrShape *s);

/* The faces of a polytope that a point may touch. patch >= 0: faces that no crease separates from face `patch`. patch <
   0: faces that a surface with this normal faces, when the body has the rotation R. If `listed` is set, the n faces in
   it are all that the point may touch, and patch restricts these further. */
typedef struct {
  PetscInt         patch;
  const PetscReal *R, *normal;
  const PetscInt  *listed;
  PetscInt         n;
} CrFaceChoice;
/* Returns the face, among these faces, with the greatest signed distance of the point from its plane; -1: none. y is
   the vector from the centre to the point, R the rotation. *beyond is the greatest signed distance from the planes of
   the other faces. */
PetscInt CrShapeFace(const CrShape *s, const CrFaceChoice *choice, const PetscReal R[9],
                     const PetscReal y[3], PetscReal *beyond);
/* Computes the derivative N = d(nu)/dx of the normal of a curved shape, for a point Y with this gap and normal n; in
   body axes. */
void CrShapeBend(const CrShape *s, PetscReal gap, const PetscReal n[3], const PetscReal Y[3],
                 PetscReal N[9]);

/* Points of a shape that may touch facets and walls (theory 14.4): corners, centres of round ends, or the centre of an
   ellipsoid. CrShapePoints returns the number of these points. CrShapePoint computes the i-th point in body axes, and
   returns the radius of the ball around this point. */
PetscInt  CrShapePoints(const CrShape *s);
PetscReal CrShapePoint(const CrShape *s, PetscInt i, PetscReal at[3]);
/* Computes the matrix B = R A^2 R^T, where A is the diagonal matrix of the semi-axes. */
void CrEllipsoidForm(const CrShape *ellipsoid, const PetscReal R[9], PetscReal B[9]);
/* Computes the vector r from the centre of an ellipsoid to its point that is farthest in the direction -nu. */
void CrEllipsoidReach(const CrShape *ellipsoid, const PetscReal R[9], const PetscReal nu[3],
                      PetscReal r[3]);
/* Computes the contact of the i-th point of a shape at x with a wall. `outside` means that the wall is a ball with the
   shape outside. Returns the gap; nu is the normal, arm the vector from x to the point of contact. Corners use the
   rotation `mean`, curved shapes the rotation `half`. */
PetscReal CrShapeAtWall(const CrShape *s, PetscInt i, const CrWall *wall, PetscBool outside,
                        const PetscReal x[3], const PetscReal mean[9], const PetscReal half[9],
                        PetscReal nu[3], PetscReal arm[3]);
