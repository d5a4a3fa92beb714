/* What the files of this folder share. */
#pragma once

#include "rigid/rigid.h"
#include "rigid/vector.h"

/* A shape from the map under `rigid:`. */
PetscErrorCode CrShapeRead(const CrDeckNode *node, PetscInt dim, PetscReal thickness,
                           CrShape *shape);

/* Nearest points of two smooth convex shapes (collide_smooth.c). */
void CrMeetSmooth(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                  CrMeeting *meeting);
/* Two polytopes (collide_polytope.c). */
PetscReal CrPolytopesApart(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                           CrMeeting *meeting);
PetscInt  CrPolytopeFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                             PetscReal reach, CrFeature features[]);
/* A point against a polytope: signed distance, outward direction, nearest point; in body axes. */
PetscReal CrPolytopeNearest(const CrShape *shape, const PetscReal x[3], PetscReal normal[3],
                            PetscReal nearest[3]);

/* Space to body axes and back. */
RIGID_INLINE void to_body(const CrPose *p, const PetscReal x[3], PetscReal X[3])
{
  PetscReal d[3];

  v_less(x, p->x, d);
  m_back(p->R, d, X);
}

RIGID_INLINE void to_space(const CrPose *p, const PetscReal X[3], PetscReal x[3])
{
  m_times(p->R, X, x);
  v_add(x, 1, p->x);
}
