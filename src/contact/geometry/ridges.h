/* Sharp convex edges of a surface or of a rigid body, called ridges. Ridges of one body may touch ridges of another
   body (theory 13.12, 14.5). If the contact law prevents all penetration at the end of a step, sharp edges may also
   touch edges that are not sharp (theory 17.7). */
#pragma once

#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"
#include "rigid/corners.h"

typedef struct {
  const CrSurface *surface; /* borrowed; NULL: the ridges are those of a rigid body */
  /* shape of the rigid body, borrowed; NULL: the ridges belong to a surface */
  const CrShape *shape;
  PetscInt       body; /* number of the rigid body */
  /* An edge is a ridge if the angle between the normals of its two facets exceeds this angle, in radians. CR_ALL_EDGES:
     every edge is a ridge. */
  PetscReal corner;
  /* number of consecutive entries for each ridge; the ridge can touch as many other ridges at once */
  PetscInt copies;
  PetscInt n;
  /* [n] number of the ridge in surface->features->ridges, or of the edge in the shape; owned, like all below */
  PetscInt  *number;
  PetscReal *weight; /* [n] a third of the reference area of its two facets */
  PetscReal *length; /* [n] length in the reference shape */
  /* [2 n] for both end nodes of each ridge: whether another ridge continues it there */
  enum { CR_RIDGE_ENDS, CR_RIDGE_KEEPS, CR_RIDGE_YIELDS } * end;
  CrTree *tree;
} CrRidges;

#define CR_ALL_EDGES (-4)
/* CR_RIDGE_ENDS: the ridge ends at the node, or the edge of the body turns sharply there. Otherwise two ridges continue
   each other at the node. An edge of another body that crosses exactly at the node is then in contact with the ridge
   that has CR_RIDGE_KEEPS, and not with the ridge that has CR_RIDGE_YIELDS. */

PetscErrorCode CrRidgesCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                              PetscInt copies, CrRidges **ridges);
PetscErrorCode CrRidgesOfBody(const CrShape *shape, PetscInt body, PetscReal corner,
                              CrRidges **ridges);
PetscErrorCode CrRidgesDestroy(CrRidges **ridges);
/* Returns the two nodes of a ridge: local nodes of the model, or corners of the rigid shape. */
static inline const PetscInt *CrRidgeNodes(const CrRidges *ridges, PetscInt i)
{
  return ridges->shape ? ridges->shape->edges + 2 * ridges->number[i]
                       : ridges->surface->features->ridges[ridges->number[i]].nodes;
}
/* Returns true if two ridges share a node. */
PetscBool CrRidgesJoin(const CrRidges *a, PetscInt i, const CrRidges *b, PetscInt j);

/* A meeting of a slave's ridge with a ridge of the master, as one number. This number encodes the number of the
   master's ridge, and whether the nodes of that ridge are swapped. The order of nodes makes the normal of kinematics.h
   point outward from the master. */
#define CR_MEETING(ridge, turned) (2 * (ridge) + ((turned) ? 1 : 0))
#define CR_MEETING_RIDGE(meeting) ((meeting) / 2)

/* Finds the nodes of a meeting, in the order of CrKinematicsEdges. For a rigid body they are corners of its shape. */
void CrMeetingNodes(const CrRidges *slave, PetscInt i, const CrRidges *master, PetscInt meeting,
                    PetscInt nodes[4]);
/* Returns the meeting of ridge i of the slave, ridges[0], with ridge j of the master, ridges[1], at displacements u.
   pose[e] is the pose of ridges[e] if it belongs to a rigid body. The normal of the meeting points away from the body
   of j. The result is -1 if no contact is possible: the edges cross at less than 10 degrees, or the normal is not a
   normal of both ridges, up to the angle `cone`. The result is also -1 if contact of nodes on facets is enough: faces
   of both ridges lie on each other, up to `cone`, and two of their nodes are close to each other. */
PetscInt CrMeetingFind(const CrModel *model, const CrRidges *const ridges[2], PetscInt i,
                       PetscInt j, const PetscReal *u, const CrPose *const pose[2], PetscReal cone);
/* Does the same as CrMeetingFind for a sharp ridge i of a surface and any edge j of the master's surface, at the place
   where they cross. The result is also -1 if the closest points are not on both edges. *gap is negative if the edges
   have gone through each other. */
PetscInt CrCrossingFind(const CrModel *model, const CrRidges *const ridges[2], PetscInt i,
                        PetscInt j, const PetscReal *u, PetscReal cone, PetscReal *gap);
/* Returns the length of the shorter edge of a meeting. The edge of the slave is ridge i. */
PetscReal CrMeetingLength(const CrRidges *const ridges[2], PetscInt i, PetscInt meeting);

/* Returns the distance of the closest points xi beyond the ends of their edges, as a part of the length. The greater
   distance of the two counts. 0: both closest points are on their edges. */
PetscReal CrEdgesBeyond(const PetscReal xi[2]);
/* Returns true if two edges go through each other, from positive to negative gap, while their nodes move straight from
   x0 to x1. The point where the edges cross may lie beyond their ends by `margin`, a fraction of their lengths. *when
   in [0, 1] is the first such time. */
PetscBool CrEdgesCross(const PetscReal x0[12], const PetscReal x1[12], PetscReal margin,
                       PetscReal *when);
