/* What the files of this folder share. */
#pragma once

#include "base/vector.h"
#include "rigid/rigid.h"

/* A shape from the map under `rigid:`. */
PetscErrorCode CrShapeRead(const CrDeckNode *node, PetscInt dim, PetscReal thickness,
                           CrShape *shape);

/* Corners and faces of the convex hull of n points; false: they span nothing. */
PetscErrorCode CrShapeFindFaces(CrShape *shape, PetscInt n, const PetscReal *x, PetscReal size,
                                PetscBool *found);

/* Nearest points of two smooth convex shapes (collide_smooth.c). */
void CrMeetSmooth(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                  CrMeeting *meeting);
/* Two polytopes (collide_polytope.c). */
PetscReal CrPolytopesApart(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                           CrMeeting *meeting);
PetscInt  CrPolytopeFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             PetscReal reach, PetscReal closed, CrFeature features[]);
PetscInt  CrPolytopeManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             PetscReal reach, CrFeature features[]);
/* A point against a polytope: signed distance, outward direction, nearest point; in body axes. */
PetscReal CrPolytopeNearest(const CrShape *shape, const PetscReal x[3], PetscReal normal[3],
                            PetscReal nearest[3]);

/* Is the foot of a point on the plane of a face within the face? In body axes. */
PetscBool CrPolytopeIsOver(const CrShape *shape, PetscInt face, const PetscReal x[3]);
/* Shapes of different kinds (collide_mixed.c): an ellipsoid and a polytope; a capsule and either of them, which
   returns where along its line it is nearest, from 0 to 1. */
void CrMeetEllipsoidPolytope(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             CrMeeting *meeting);
PetscReal CrMeetCapsule(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                        CrMeeting *meeting);
/* The straight line in a capsule; a ball's is a point. */
void CrCapsuleLine(const CrShape *shape, const CrPose *pose, PetscReal from[3], PetscReal along[3]);

/* Space to body axes and back. */
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
