/* Edges on edges (theory 13.11), for the files of springs. The facet of such a touch is a meeting (ridges.h). */
#pragma once

#include "contact/touch/touch.h"

/* Positions of the nodes of a touch's meeting, in the order of CrKinematicsEdges. */
void CrGatherEdges(const CrContact *c, const CrTouch *touch, PetscInt meeting, const PetscReal *u,
                   PetscReal x[12]);
/* Gap and operators of a meeting; false if its edges are parallel. */
PetscBool CrEdgesLook(const CrContact *c, const CrTouch *touch, PetscInt meeting,
                      const PetscReal *u, CrKinematics *k);
/* The search of CrPassOps. */
PetscErrorCode CrSearchEdges(CrContact *c, PetscInt pass, const PetscReal *u0, PetscInt nends,
                             const PetscReal *const ends[]);
/* Did the edge of a free touch go through one that it did not look at, on the way from u0 to u1? Then it is bound to
   it. */
PetscBool CrEdgeBindPierced(const CrContact *c, CrTouch *touch, const PetscReal *u0,
                            const PetscReal *u1);
