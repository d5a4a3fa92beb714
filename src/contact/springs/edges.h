/* Contact of edges with edges (theory 13.12), for the files of springs and partners. In such a contact, `facet` is the
   number of a meeting: two edges that may cross (ridges.h). */
#pragma once

#include "contact/touch/touch.h"

/* Fraction of an edge: where two consecutive edges form a valley under load, contact acts up to this distance beyond
   the end of an edge. */
#define CR_DENTED 0.5

extern const CrSlaveOps CrSlaveEdge;

/* Computes the positions of the nodes of a contact's meeting, in the order of CrKinematicsEdges, with the nodes at u
   and a rigid body at a pose of the step. */
void CrGatherEdges(const CrContact *c, const CrTouch *touch, PetscInt meeting, const PetscReal *u,
                   CrPoseOf pose, PetscReal x[12]);
/* Computes the gap and operators of a meeting. Returns false if its edges are parallel. */
PetscBool CrEdgesLook(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                      const PetscReal *u, CrPoseOf pose, CrKinematics *k);
/* Computes the bounding box of the path of ridge i in the step. */
void CrRidgePath(const CrContact *c, const CrRidges *ridges, PetscInt i, PetscReal box[6]);
/* Computes dynamic gap and elastic slip of t_n for the present meeting. Gap and slip are constant in the step. */
void CrEdgeHistory(const CrContact *c, CrTouch *touch, const PetscReal *u0);
/* Called if the edges of a contact have become parallel. If the contact has no pressure, marks it as open and returns
   true. Otherwise returns false. */
PetscBool CrEdgeStaysOpen(CrTouch *touch);
/* This is the function `gap` of CrPassOps for edges on edges. It returns the gap at the end of the step. */
PetscReal CrGapOfEdges(const CrContact *c, const CrTouch *touch, const PetscReal *u1);
/* This is the function `search` of CrPassOps for edges on edges. It appends the contacts of a pass. */
PetscErrorCode CrSearchEdges(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[]);
/* Returns the meeting with ridge j of the master at u0, if contact is possible there; -1: no contact is possible. */
PetscInt CrEdgeMeet(const CrContact *c, const CrTouch *touch, PetscInt j, const PetscReal *u0,
                    CrKinematics *k);
/* Activates a contact at a meeting, whose gap is in k. */
void CrEdgeEnter(const CrContact *c, CrTouch *touch, PetscInt meeting, const CrKinematics *k);
/* Returns true if the edges of `touch` continue the edges of `held`. The normals of the two meetings must agree,
   because at a corner of a body the next edge has another direction. The gaps of the meetings must agree too, unless
   both edges are pressed and form a valley (`dented`). */
PetscBool CrEdgeContinues(const CrContact *c, const CrTouch *held, const CrTouch *touch,
                          PetscBool dented, PetscInt meeting, const CrKinematics *k);
/* Returns the distance of a coordinate from the interval [0, 1]. */
static inline PetscReal CrEdgePastEnd(PetscReal xi)
{
  return PetscMax(0, PetscMax(-xi, xi - 1));
}
/* If a contact slides over the end of its slave edge, the next slave edge inherits its springs. CrEdgesPassOn transfers
   the springs in a pass that every rank computes. CrEdgesPassOnDivided transfers them in all passes that are divided
   among the ranks, and is collective. */
PetscErrorCode CrEdgesPassOn(CrContact *c, PetscInt pass, const PetscReal *u0);
PetscErrorCode CrEdgesPassOnDivided(CrContact *c, const PetscReal *u0);
/* Returns true if the slave edge of a free contact has passed through a master edge outside of its search between u0
   and u1. The function then binds the contact to this master edge. */
PetscBool CrEdgeBindPierced(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                            const PetscReal *u1);
