/* Corners, edges and faces of a polytope as features of contact: how sharp and how large they are, and which
   directions of contact they admit. In 2D the corners are the edges. Shapes that are not polytopes have none. */
#pragma once

#include "rigid/shape.h"

/* The angle between the normals of the two faces of an edge (3D). */
PetscReal CrEdgeTurn(const CrShape *shape, PetscInt edge);
/* The greatest such angle at corner i. */
PetscReal CrCornerTurn(const CrShape *shape, PetscInt i);
/* Has the shape a corner or edge that turns by more than `corner` (radians)? Round shapes have not. */
PetscBool CrShapeIsSharp(const CrShape *shape, PetscReal corner);

/* Size of a face: length (2D), or root of its area. Mean size of the faces at corner i. Length of an edge (3D). Largest
   turn below 60 degrees at an edge of the face, halved: the error of its normal where faces stand for a curve. */
PetscReal CrFaceSize(const CrShape *shape, PetscInt face);
PetscReal CrCornerSize(const CrShape *shape, PetscInt i);
PetscReal CrEdgeLength(const CrShape *shape, PetscInt edge);
PetscReal CrFaceSlack(const CrShape *shape, PetscInt face);
/* A third of the area of the two faces of an edge (3D). */
PetscReal CrEdgeArea(const CrShape *shape, PetscInt edge);

/* May corner i touch a surface whose outward normal is nu, if the body has the rotation R? The direction -nu must lie,
   up to the angle tol, in the cone of normals of the corner. */
PetscBool CrCornerIsAdmitted(const CrShape *shape, PetscInt i, const PetscReal R[9],
                             const PetscReal nu[3], PetscReal tol);
/* How deep a line from a to b, in body axes, goes through a polytope: the smaller way out along the normals of the faces
   where it enters and leaves; 0 if it does not do both. place: halfway between the two. */
PetscReal CrLineDepth(const CrShape *shape, const PetscReal a[3], const PetscReal b[3],
                      PetscReal place[3]);
/* Unit vectors from an edge into its two faces, perpendicular to it, if the body has the rotation R (3D). A direction n is
   a normal of the edge if n.in[0] <= 0 and n.in[1] <= 0. */
void CrEdgeWaysIn(const CrShape *shape, PetscInt edge, const PetscReal R[9], PetscReal in[2][3]);
