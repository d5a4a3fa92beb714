/* Corners, edges and faces of a polytope that take part in contact: their angles, their sizes, and the directions in
   which they may touch. In 2D, a polygon has corners and faces but no edges. Shapes that are not polytopes have no
   corners, edges or faces. */
#pragma once

#include "rigid/shape.h"

/* Returns the angle between the normals of the two faces of an edge (3D). */
PetscReal CrEdgeTurn(const CrShape *shape, PetscInt edge);
/* Returns the greatest angle between the normals of two neighbouring faces at corner i. */
PetscReal CrCornerTurn(const CrShape *shape, PetscInt i);
/* Returns true if the normals of two neighbouring faces of the shape differ by an angle of more than `corner`
   (radians). Returns false for round shapes. */
PetscBool CrShapeIsSharp(const CrShape *shape, PetscReal corner);

/* CrFaceSize returns the size of a face: its length (2D), or the square root of its area. CrCornerSize returns the mean
   size of the faces at corner i. CrEdgeLength returns the length of an edge (3D). CrFaceSlack considers the angles
   between the normal of a face and those of its neighbours, and returns half of the largest angle below 60 degrees. If
   the faces approximate a curved surface, this is the error of the normal. */
PetscReal CrFaceSize(const CrShape *shape, PetscInt face);
PetscReal CrCornerSize(const CrShape *shape, PetscInt i);
PetscReal CrEdgeLength(const CrShape *shape, PetscInt edge);
PetscReal CrFaceSlack(const CrShape *shape, PetscInt face);
/* Returns a third of the sum of the areas of the two faces of an edge (3D). */
PetscReal CrEdgeArea(const CrShape *shape, PetscInt edge);

/* Returns true if corner i may touch a surface whose outward normal is nu, when the body has the rotation R. The
   direction -nu must lie, up to the angle tol, in the cone of normals of the corner. */
PetscBool CrCornerIsAdmitted(const CrShape *shape, PetscInt i, const PetscReal R[9],
                             const PetscReal nu[3], PetscReal tol);
/* Does the same as CrCornerIsAdmitted, for a point of an edge (3D). */
PetscBool CrEdgeIsAdmitted(const CrShape *shape, PetscInt edge, const PetscReal R[9],
                           const PetscReal nu[3], PetscReal tol);
/* Returns the width of the face at an edge that lies flat on a surface whose outward normal is nu, up to the angle tol,
   when the body has the rotation R. The width is the area of the face divided by the length of the edge. Returns 0 if
   neither of the two faces lies flat. */
PetscReal CrEdgeFlatWidth(const CrShape *shape, PetscInt edge, const PetscReal R[9],
                          const PetscReal nu[3], PetscReal tol);
/* Returns the depth of the line from a to b, in body axes, inside a polytope. The line enters through one face and
   leaves through another. The depth is the smallest displacement along the normal of one of these faces that moves the
   line out of the polytope. Returns 0 if the line does not enter and leave. `place` gets the point halfway between the
   points of entry and exit. */
PetscReal CrLineDepth(const CrShape *shape, const PetscReal a[3], const PetscReal b[3],
                      PetscReal place[3]);
/* Computes the unit vectors in[0] and in[1] that point from an edge into its two faces and are perpendicular to the
   edge (3D). The body has the rotation R. A direction n that is perpendicular to the edge lies in its cone of normals
   if n.in[0] <= 0 and n.in[1] <= 0. */
void CrEdgeWaysIn(const CrShape *shape, PetscInt edge, const PetscReal R[9], PetscReal in[2][3]);
