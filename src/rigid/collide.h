/* Contact detection between two rigid bodies, or between a rigid body and a wall. A feature is one way in which the two
   may touch, for instance a corner on a face. The functions find features, and compute the gap, normal and point of a
   feature. */
#pragma once

#include "rigid/rigid.h"

/* A wall is a rigid surface that belongs to no body. A wall is a plane, or a sphere (2D: circle) with the bodies
   inside. A sphere with the bodies outside is treated as a ball-shaped body. */
typedef struct {
  PetscBool is_plane;
  /* plane: one of its points, and the unit normal towards the bodies; sphere: point is its centre */
  PetscReal point[3], normal[3];
  PetscReal radius;
} CrWall;

/* Gap, normal and point of a contact. The normal points from the second body to the first body. The contact point lies
   halfway between the two bodies. In a contact with a wall, the contact point is the point of the body. */
typedef struct {
  PetscReal gap, normal[3], point[3];
} CrMeeting;

typedef enum {
  /* the closest points of two smooth shapes, which are computed again at each evaluation */
  CR_MEET_SMOOTH,
  CR_MEET_CORNER, /* a corner fixed to one body against a plane fixed to the other body */
  CR_MEET_EDGES,  /* an edge of one body against an edge of the other body */
  CR_MEET_END,    /* one end of a capsule against the other body */
  /* two polytopes that do not touch yet; the gap is a lower bound of their distance */
  CR_MEET_APART
} CrFeatureKind;

/* A feature: one way in which two shapes, or a shape and a wall, may touch. The number `key` is the same for this
   feature in all steps. */
typedef struct {
  CrFeatureKind kind;
  PetscInt      key;
  PetscBool     swapped; /* the corner or the end belongs to the second body */
  /* Vectors in the axes of the body to which they belong. For a corner, a is the corner, b a point of the plane, and db
     its normal. For edges, a and b are points of the two edges, and da and db their directions. For an end, a is the
     centre of the end. */
  PetscReal a[3], da[3], b[3], db[3];
} CrFeature;

/* A polytope has at most CR_MOST_CORNERS corners. The intersection of two faces has at most as many corners as both
   faces together. */
#define CR_MOST_CORNERS  200
#define CR_MOST_FEATURES (2 * CR_MOST_CORNERS + 8)

/* Finds the features of the shapes a and b, at the poses pa and pb, whose gap is below `reach`. Returns their number. A
   gap below `closed` counts as closed. */
PetscInt CrShapesFeatures(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, PetscReal closed, CrFeature features[]);
/* Finds features as CrShapesFeatures does, for algorithms that solve all contacts of a step together. Polytopes that
   are near each other get a feature for every corner that lies above the contact face, and for edges if these are
   nearer. */
PetscInt CrShapesManifold(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                          PetscReal reach, CrFeature features[]);
/* Finds the features of a shape and a wall, as CrShapesFeatures does for two shapes. */
PetscInt CrWallFeatures(const CrShape *a, const CrPose *pa, const CrWall *wall, PetscReal reach,
                        CrFeature features[]);
/* Compute the gap, normal and point of a feature: CrShapesMeeting for two shapes, CrWallMeeting for a shape and a
   wall. */
void CrShapesMeeting(const CrShape *a, const CrPose *pa, const CrShape *b, const CrPose *pb,
                     const CrFeature *feature, CrMeeting *meeting);
void CrWallMeeting(const CrShape *a, const CrPose *pa, const CrWall *wall, const CrFeature *feature,
                   CrMeeting *meeting);
/* Computes the gap, the outward normal and the closest point of a shape's surface for the point x in space. The shape
   is the master, and the point is the slave. */
void CrShapeMeetPoint(const CrShape *shape, const CrPose *pose, const PetscReal x[3],
                      CrMeeting *meeting);
