/* Ridges are the sharp convex edges of a surface or of a rigid body. Ridges of one body may touch ridges of another
   body (theory 13.12, 14.5). If the contact law prevents all penetration at the end of a step, sharp edges may also
   touch edges that are not sharp (theory 17.7). */
#pragma once

#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"
#include "rigid/corners.h"

typedef struct {
  const CrSurface *surface; /* NULL: the ridges are those of a rigid body; borrowed */
  /* shape of the rigid body; NULL: the ridges belong to a surface; borrowed */
  const CrShape *shape;
  PetscInt       body; /* number of the rigid body */
  /* An edge is a ridge if the angle between the normals of its two facets exceeds this angle, in radians. CR_ALL_EDGES:
     every edge is a ridge. */
  PetscReal corner;
  /* Each ridge has this number of consecutive entries in the arrays below. The ridge can touch up to this number of
     other ridges at once. */
  PetscInt copies;
  PetscInt n;
  /* [n] index of the ridge in surface->features->ridges, or of the edge in the rigid shape; owned, like all below */
  PetscInt  *number;
  PetscReal *weight; /* [n] a third of the reference area of the ridge's two facets */
  PetscReal *length; /* [n] length in the reference shape */
  /* [2 n] for both end nodes of each ridge: whether another ridge continues the ridge at this node */
  enum { CR_RIDGE_ENDS, CR_RIDGE_KEEPS, CR_RIDGE_YIELDS } * end;
  CrTree *tree;
} CrRidges;

#define CR_ALL_EDGES (-4)
/* CR_RIDGE_ENDS means that the ridge ends at the node, or that the edge of the body turns sharply at the node.
   Otherwise two ridges continue each other at the node. One of these two ridges has CR_RIDGE_KEEPS and the other
   CR_RIDGE_YIELDS. An edge of another body that crosses exactly at the node is in contact with the ridge that has
   CR_RIDGE_KEEPS only. */

/* CrRidgesCreate lists the ridges of a surface. CrRidgesOfBody lists the ridges of a rigid body. `corner` and `copies`
   are the members of CrRidges. */
PetscErrorCode CrRidgesCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                              PetscInt copies, CrRidges **ridges);
PetscErrorCode CrRidgesOfBody(const CrShape *shape, PetscInt body, PetscReal corner,
                              CrRidges **ridges);
PetscErrorCode CrRidgesDestroy(CrRidges **ridges);
/* Returns the two nodes of ridge i: local nodes of the model, or numbers of corners of the rigid shape. */
static inline const PetscInt *CrRidgeNodes(const CrRidges *ridges, PetscInt i)
{
  return ridges->shape ? ridges->shape->edges + 2 * ridges->number[i]
                       : ridges->surface->features->ridges[ridges->number[i]].nodes;
}
/* Returns true if ridge i of `a` and ridge j of `b` share a node. */
PetscBool CrRidgesJoin(const CrRidges *a, PetscInt i, const CrRidges *b, PetscInt j);

/* A meeting is a ridge of the slave and a ridge of the master that may cross. A meeting is stored as one number, which
   encodes the index of the master's ridge and whether the two nodes of this ridge are swapped. The two nodes are
   swapped if otherwise the normal of CrKinematicsEdges would not point outward from the master. */
#define CR_MEETING(ridge, turned) (2 * (ridge) + ((turned) ? 1 : 0))
#define CR_MEETING_RIDGE(meeting) ((meeting) / 2)

/* Finds the four nodes of the meeting of ridge i of the slave with a ridge of the master, in the order of
   CrKinematicsEdges. For a rigid body, nodes[] are numbers of corners of its shape. */
void CrMeetingNodes(const CrRidges *slave, PetscInt i, const CrRidges *master, PetscInt meeting,
                    PetscInt nodes[4]);
/* Returns the meeting of ridge i of the slave, ridges[0], with ridge j of the master, ridges[1], at the displacements
   u. pose[e] is the pose of ridges[e] if these ridges belong to a rigid body. The normal of the meeting points away
   from the body of ridge j. Returns -1 if no contact is possible. Contact is not possible if the edges cross at less
   than 10 degrees. Contact is also not possible if the normal is outside the cone of normals of one of the ridges, by
   more than the angle `cone`. Also returns -1 if contact of nodes on facets is sufficient. Nodes on facets are
   sufficient if faces of both ridges are parallel, up to `cone`, and two of their nodes are close to each other. */
PetscInt CrMeetingFind(const CrModel *model, const CrRidges *const ridges[2], PetscInt i,
                       PetscInt j, const PetscReal *u, const CrPose *const pose[2], PetscReal cone);
/* Does the same as CrMeetingFind for a sharp ridge i of a surface and any edge j of the master's surface. Also returns
   -1 if the two closest points do not both lie on their edges. *gap is the gap of the two edges, which is negative if
   the edges have gone through each other. */
PetscInt CrCrossingFind(const CrModel *model, const CrRidges *const ridges[2], PetscInt i,
                        PetscInt j, const PetscReal *u, PetscReal cone, PetscReal *gap);
/* Returns the length of the shorter edge of a meeting. The slave's edge is ridge i of ridges[0]. The master's edge
   belongs to ridges[1]. */
PetscReal CrMeetingLength(const CrRidges *const ridges[2], PetscInt i, PetscInt meeting);

/* Returns how far the closest points of two edges lie beyond the ends of their edges, as a fraction of the length. xi[]
   are the coordinates of the two points. The result is the greater one of the two distances; 0: both points are on
   their edges. */
PetscReal CrEdgesBeyond(const PetscReal xi[2]);
/* Returns true if two edges go through each other, from positive to negative gap, while their nodes move on straight
   lines from x0 to x1. The point where the edges cross may lie beyond their ends by `margin`, a fraction of their
   lengths. *when in [0, 1] is the first time at which this happens. */
PetscBool CrEdgesCross(const PetscReal x0[12], const PetscReal x1[12], PetscReal margin,
                       PetscReal *when);
