/* A rigid shape as a surface that nodes, facets and walls meet: gaps, faces, curvature, and the points of
   the shape that may strike something flat. */
#pragma once

#include "rigid/rigid.h"

/* May a surface with this normal strike another one whose normal is nu? The leading side of a sliding block is
   not what the surface beneath it strikes. A zero normal is unknown and may strike anything. */
static inline PetscBool CrIsFaced(const PetscReal normal[3], const PetscReal nu[3])
{
  PetscReal cosine = 0;

  for (int i = 0; i < 3; i++) cosine += normal[i] * nu[i];
  return cosine < -0.3 || (normal[0] == 0 && normal[1] == 0 && normal[2] == 0);
}

/* The signed distance of a point `at` from a shape at x, R, and the normal there. A polytope gives the
   greatest distance from its planes: exact inside, less than the distance outside. */
PetscReal CrShapeGap(const CrShape *s, const PetscReal x[3], const PetscReal R[9],
                     const PetscReal at[3], PetscReal nu[3]);
/* The radius of the largest centred ball inside: nothing may pass it in one step. */
PetscReal CrShapeInnerRadius(const CrShape *s);

/* Which faces of a polytope a point may use: those not beyond a crease of `patch`; with patch < 0 those that
   a surface of this normal faces when the body is at R. */
typedef struct {
  PetscInt         patch;
  const PetscReal *R, *normal;
} CrFaceChoice;
/* The face, among those, whose plane lies farthest below a point (y from the centre); -1: none. beyond: the
   greatest distance of the point from the planes of the other faces. */
PetscInt CrShapeFace(const CrShape *s, const CrFaceChoice *choice, const PetscReal R[9],
                     const PetscReal y[3], PetscReal *beyond);
/* N = d(nu)/dx of the distance from a curved shape, at the point Y with gap and normal n; in body axes. */
void CrShapeBend(const CrShape *s, PetscReal gap, const PetscReal n[3], const PetscReal Y[3],
                 PetscReal N[9]);

/* Points of a shape that may strike facets and walls (theory 14.4): corners, centres of round parts, of
   ellipsoids the centre. How many there are; the i-th in body axes, with the radius of the ball around it. */
PetscInt  CrShapePoints(const CrShape *s);
PetscReal CrShapePoint(const CrShape *s, PetscInt i, PetscReal at[3]);
/* B = R A^2 R^T with the semi-axes A of an ellipsoid. */
void CrEllipsoidForm(const CrShape *ellipsoid, const PetscReal R[9], PetscReal B[9]);
/* From the centre of an ellipsoid to its farthest point against nu. */
void CrEllipsoidReach(const CrShape *ellipsoid, const PetscReal R[9], const PetscReal nu[3],
                      PetscReal r[3]);
/* The i-th way in which a shape at x may touch a wall; outside: the wall is a ball seen from outside. Returns
   the gap, with the normal and the arm from x to the point of the shape. mean, half: rotation as corners and
   as curved shapes take it. */
PetscReal CrShapeAtWall(const CrShape *s, PetscInt i, const CrWall *wall, PetscBool outside,
                        const PetscReal x[3], const PetscReal mean[9], const PetscReal half[9],
                        PetscReal nu[3], PetscReal arm[3]);
