/* Contacts between rigid bodies and walls: features of two shapes, and gap, normal and point of a feature. */
#pragma once

#include "rigid/rigid.h"

/* A wall: a rigid surface that belongs to no body. A wall is a plane, or a sphere (2D: circle) with the bodies inside.
   A sphere with the bodies outside is treated as a ball. */
typedef struct {
  PetscBool is_plane;
  PetscReal point[3],
      normal[3]; /* plane: a point, and the normal towards the free side; sphere: its centre */
  PetscReal radius;
} CrWall;

/* Gap, normal and point of a contact. The normal points from the second body to the first. The point lies half way
   between two bodies; at a wall it is the point of the body. */
typedef struct {
  PetscReal gap, normal[3], point[3];
} CrMeeting;

typedef enum {
  CR_MEET_SMOOTH, /* the closest points of both shapes, found again at each evaluation */
  CR_MEET_CORNER, /* a point of one body against a plane of the other, both fixed to their bodies */
  CR_MEET_EDGES,  /* an edge of each body */
  CR_MEET_END,    /* one end of a capsule against the other body */
  CR_MEET_APART   /* two polytopes that do not touch yet: a lower bound of their distance */
} CrFeatureKind;

/* A feature: one way in which two shapes, or a shape and a wall, may touch. key identifies it from step to step. */
typedef struct {
  CrFeatureKind kind;
  PetscInt      key;
  PetscBool     swapped; /* the corner or the end belongs to the second body */
  /* In body axes. Corner: a is the corner, b and db are point and normal of the plane. Edges: a and b are a
     point of each edge, da and db the directions. End: a is the centre of the end. */
  PetscReal a[3], da[3], b[3], db[3];
} CrFeature;

/* A polytope has at most CR_MOST_CORNERS corners. The intersection of two faces has at most as many corners as
   both. */
#define CR_MOST_CORNERS  200
#define CR_MOST_FEATURES (2 * CR_MOST_CORNERS + 8)

/* Finds the features of two shapes with a gap below `reach`, at these poses. Returns their number. A gap below
   `closed` counts as touching. */
PetscInt CrShapesFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, PetscReal closed, CrFeature features[]);
/* Does the same as CrShapesFeatures, for engines that do not divide a step into parts. Near polytopes get a feature
   for every corner over the best face, and for edges if these are nearer. */
PetscInt CrShapesManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, CrFeature features[]);
/* Does the same as CrShapesFeatures, for a shape and a wall. */
PetscInt CrWallFeatures(const CrShape *a, const CrPose *pa, const CrWall *wall, PetscReal reach,
                        CrFeature features[]);
/* Compute gap, normal and point of a feature, of two shapes, and of a shape and a wall. */
void CrShapesMeeting(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                     const CrFeature *feature, CrMeeting *meeting);
void CrWallMeeting(const CrShape *a, const CrPose *pa, const CrWall *wall, const CrFeature *feature,
                   CrMeeting *meeting);
/* Computes gap, outward normal and closest point of the surface for a slave point x in space. The shape is the
   master. */
void CrShapeMeetPoint(const CrShape *shape, const CrPose *pose, const PetscReal x[3],
                      CrMeeting *meeting);
