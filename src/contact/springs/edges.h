/* Contact of edges with edges (theory 13.12), for the source files in the folders springs and partners. The member
   `facet` of such a touch is the number of a meeting. A meeting is a pair of edges that may cross (ridges.h). */
#pragma once

#include "contact/touch/touch.h"

/* If two consecutive edges form a valley under load, contact acts up to this distance beyond the end of an edge. The
   distance is a fraction of the edge's length. */
#define CR_DENTED 0.5

extern const CrSlaveOps CrSlaveEdge;

/* Computes the positions x of the four nodes of a meeting, in the order of CrKinematicsEdges. Mesh nodes are at the
   displacements u, and a rigid body is at `pose`. */
void CrGatherEdges(const CrContact *c, const CrTouch *touch, PetscInt meeting, const PetscReal *u,
                   CrPoseOf pose, PetscReal x[12]);
/* Computes the gap and the operators G and H of a meeting in k. Returns false if the two edges are parallel. */
PetscBool CrEdgesLook(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                      const PetscReal *u, CrPoseOf pose, CrKinematics *k);
/* Computes the bounding box of the path of ridge (sharp edge) i in the step. */
void CrRidgePath(const CrContact *c, const CrRidges *ridges, PetscInt i, PetscReal box[6]);
/* Computes touch->gd0 and touch->eta0, the dynamic gap and elastic slip at t_n, for the present meeting. */
void CrEdgeHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Marks a contact whose edges have become parallel as open, if it has no pressure. Returns false if the contact has
   pressure. */
PetscBool CrEdgeStaysOpen(CrTouch *touch);
/* Returns the gap at the end of the step, with the nodes at the displacements u1. This is the function `gap` of
   CrPassOps for edges on edges. */
PetscReal CrGapOfEdges(const CrContact *c, const CrTouch *touch, const PetscReal *u1);
/* Searches the touches of a pass, and appends them to the touches of the step. This is the function `search` of
   CrPassOps for edges on edges. */
PetscErrorCode CrSearchEdges(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[]);
/* Returns the meeting of the slave's edge with ridge j of the master at the displacements u0, and computes its gap and
   operators in k. Returns -1 if the two edges cannot be in contact. */
PetscInt CrEdgeMeet(const CrContact *c, const CrTouch *touch, PetscInt j, const PetscReal *u0,
                    CrKinematics *k);
/* Activates `touch` at the given meeting. k has the gap of the meeting. */
void CrEdgeEnter(const CrContact *c, CrTouch *touch, PetscInt meeting, const CrKinematics *k);
/* Returns true if the edges of `touch` at `meeting` continue the edges of the contact `held`. The normals of the two
   meetings must agree, because at a corner of a body the next edge has another direction. The gaps of the meetings must
   agree too, unless `dented` is true. `dented` means that both edges are pressed and form a valley. */
PetscBool CrEdgeContinues(const CrContact *c, const CrTouch *held, const CrTouch *touch,
                          PetscBool dented, PetscInt meeting, const CrKinematics *k);
/* Returns the distance of the edge coordinate xi from the interval [0, 1]; 0: xi lies in the interval. */
static inline PetscReal CrEdgePastEnd(PetscReal xi)
{
  return PetscMax(0, PetscMax(-xi, xi - 1));
}
/* Transfer contact springs from one slave edge to the next. This is needed when a contact slides over the end of its
   slave edge. CrEdgesPassOn is for a pass that every rank computes. CrEdgesPassOnDivided is for all passes that are
   divided among the ranks, and is collective. */
PetscErrorCode CrEdgesPassOn(CrContact *c, PetscInt pass, const PetscReal *u0);
PetscErrorCode CrEdgesPassOnDivided(CrContact *c, const PetscReal *u0);
/* Returns true if the slave edge of an open contact has passed, between u0 and u1, through a master edge that the
   search had not chosen. The function then binds the contact to this master edge. */
PetscBool CrEdgeBindPierced(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                            const PetscReal *u1);
