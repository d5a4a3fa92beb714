/* Corners, edges and faces of a polytope as features of contact: how sharp and how large they are, and which
   directions of contact they admit. In 2D the corners are the edges. Shapes that are not polytopes have none. */
#pragma once

#include "rigid/shape.h"

/* Returns the angle between the normals of the two faces of an edge (3D). */
PetscReal CrEdgeTurn(const CrShape *shape, PetscInt edge);
/* Returns the greatest angle between the normals of two neighbouring faces at corner i. */
PetscReal CrCornerTurn(const CrShape *shape, PetscInt i);
/* Returns true if two neighbouring faces of the shape make an angle of more than `corner` (radians). Returns false for
   round shapes. */
PetscBool CrShapeIsSharp(const CrShape *shape, PetscReal corner);

/* CrFaceSize returns the size of a face: its length (2D), or the root of its area. CrCornerSize returns the mean size
   of the faces at corner i, CrEdgeLength the length of an edge (3D). CrFaceSlack returns half of the largest angle
   below 60 degrees at an edge of the face. It is the error of the normal if the faces approximate a curved surface. */
PetscReal CrFaceSize(const CrShape *shape, PetscInt face);
PetscReal CrCornerSize(const CrShape *shape, PetscInt i);
PetscReal CrEdgeLength(const CrShape *shape, PetscInt edge);
PetscReal CrFaceSlack(const CrShape *shape, PetscInt face);
/* Returns a third of the area of the two faces of an edge (3D). */
PetscReal CrEdgeArea(const CrShape *shape, PetscInt edge);

/* Returns true if corner i may touch a surface whose outward normal is nu, when the body has the rotation R. The
   direction -nu must lie, up to the angle tol, in the cone of normals of the corner. */
PetscBool CrCornerIsAdmitted(const CrShape *shape, PetscInt i, const PetscReal R[9],
                             const PetscReal nu[3], PetscReal tol);
/* Returns the depth of the line from a to b, in body axes, inside a polytope. The line enters through one face and
   leaves through another; the depth is the smaller displacement along one of their normals that moves the line out. 0:
   the line does not enter and leave. `place` is halfway between the two points. */
PetscReal CrLineDepth(const CrShape *shape, const PetscReal a[3], const PetscReal b[3],
                      PetscReal place[3]);
/* Computes the unit vectors from an edge into its two faces, perpendicular to the edge, if the body has the rotation R
   (3D). A direction n is a normal of the edge if n.in[0] <= 0 and n.in[1] <= 0. */
void CrEdgeWaysIn(const CrShape *shape, PetscInt edge, const PetscReal R[9], PetscReal in[2][3]);
