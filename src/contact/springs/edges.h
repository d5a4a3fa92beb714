/* Edges on edges (theory 13.12), for the files of springs. The facet of such a touch is a meeting (ridges.h). */
#pragma once

#include "contact/touch/touch.h"

extern const CrSlaveOps CrSlaveEdge;

/* Positions of the nodes of a touch's meeting, in the order of CrKinematicsEdges, with the nodes at u and a rigid body
   at a pose of the step. */
void CrGatherEdges(const CrContact *c, const CrTouch *touch, PetscInt meeting, const PetscReal *u,
                   CrPoseOf pose, PetscReal x[12]);
/* Gap and operators of a meeting; false if its edges are parallel. */
PetscBool CrEdgesLook(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                      const PetscReal *u, CrPoseOf pose, CrKinematics *k);
/* The box of the paths of the nodes of ridge i. */
void CrRidgePath(const CrContact *c, const CrRidges *ridges, PetscInt i, PetscReal box[6]);
/* Dynamic gap and elastic slip of t_n in the tangents of the meeting: constants of the step. */
void CrEdgeHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Edges that have become parallel do not cross. If they hold no spring, they are open; else the result is false. */
PetscBool CrEdgeStaysOpen(CrTouch *touch);
/* The gap of CrPassOps. */
PetscReal CrGapOfEdges(const CrContact *c, const CrTouch *touch, const PetscReal *u1);
/* The search of CrPassOps. */
PetscErrorCode CrSearchEdges(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[]);
/* Did the edge of a free touch go through one that it did not look at, on the way from u0 to u1? Then it is bound to
   it. */
PetscBool CrEdgeBindPierced(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                            const PetscReal *u1);
