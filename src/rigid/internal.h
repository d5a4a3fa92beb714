/* Declarations that the source files of src/rigid share. */
#pragma once

#include "base/vector.h"
#include "rigid/rigid.h"
#include "rigid/collide.h"

/* Reads a shape from the deck entry under the key `rigid:`. */
PetscErrorCode CrShapeRead(const CrDeckNode *node, PetscInt dim, PetscReal thickness,
                           CrShape *shape);

/* Finds the corners and faces of the convex hull of n points. *found is false if the hull has no volume. */
PetscErrorCode CrShapeFindFaces(CrShape *shape, PetscInt n, const PetscReal *x, PetscReal size,
                                PetscBool *found);

/* Computes the closest points of two ellipsoids or balls (collide_smooth.c). */
void CrMeetSmooth(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                  CrMeeting *meeting);
/* Functions for two polytopes (collide_polytope.c). CrPolytopesApart returns a lower bound of their distance.
   CrPolytopeFeatures and CrPolytopeManifold find features, as CrShapesFeatures and CrShapesManifold do. */
PetscReal CrPolytopesApart(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                           CrMeeting *meeting);
PetscInt  CrPolytopeFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             PetscReal reach, PetscReal closed, CrFeature features[]);
PetscInt  CrPolytopeManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             PetscReal reach, CrFeature features[]);
/* Returns the signed distance of a point x from a polytope, in body axes. Computes the outward normal and the closest
   point. */
PetscReal CrPolytopeNearest(const CrShape *shape, const PetscReal x[3], PetscReal normal[3],
                            PetscReal nearest[3]);

/* Returns true if the projection of the point x (in body axes) on the plane of a face lies within the face. */
PetscBool CrPolytopeIsOver(const CrShape *shape, PetscInt face, const PetscReal x[3]);
/* Functions for two shapes of different kinds (collide_mixed.c). CrMeetEllipsoidPolytope is for an ellipsoid and a
   polytope. CrMeetCapsule is for a capsule and another shape. CrMeetCapsule returns the position of the closest point
   on the axis of the capsule: 0 at its start, 1 at its end. */
void CrMeetEllipsoidPolytope(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             CrMeeting *meeting);
PetscReal CrMeetCapsule(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                        CrMeeting *meeting);
/* Computes the axis of a capsule: its start point `from`, and the vector `along` to its end. For a ball, `along` is
   zero. */
void CrCapsuleLine(const CrShape *shape, const CrPose *pose, PetscReal from[3], PetscReal along[3]);

/* to_body converts coordinates of a point from space axes to body axes, and to_space converts them back. */
VECTOR_INLINE void to_body(const CrPose *p, const PetscReal x[3], PetscReal X[3])
{
  PetscReal d[3];

  v_less(x, p->x, d);
  m_back(p->R, d, X);
}

VECTOR_INLINE void to_space(const CrPose *p, const PetscReal X[3], PetscReal x[3])
{
  m_times(p->R, X, x);
  v_add(x, 1, p->x);
}
