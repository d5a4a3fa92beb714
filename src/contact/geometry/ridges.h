/* Sharp convex edges of a surface (ridges), as points of contact against the ridges of another one (theory 13.11). */
#pragma once

#include "contact/geometry/surface.h"
#include "contact/geometry/tree.h"

typedef struct {
  const CrSurface *surface; /* borrowed */
  PetscReal        corner;  /* radians: they turn by more */
  PetscInt         n;
  PetscInt        *number; /* [n] in surface->features->ridges; owned, as all below */
  PetscReal       *weight; /* [n] a third of the reference area of its two facets */
  PetscReal       *length; /* [n] of the reference shape */
  CrTree          *tree;
} CrRidges;

PetscErrorCode CrRidgesCreate(const CrModel *model, const CrSurface *surface, PetscReal corner,
                              CrRidges **ridges);
PetscErrorCode CrRidgesDestroy(CrRidges **ridges);
/* The two nodes of a ridge, local nodes of the model. */
static inline const PetscInt *CrRidgeNodes(const CrRidges *ridges, PetscInt i)
{
  return ridges->surface->features->ridges[ridges->number[i]].nodes;
}
/* Do two ridges share a node? */
PetscBool CrRidgesJoin(const CrRidges *a, PetscInt i, const CrRidges *b, PetscInt j);

/* A meeting of two ridges as one number: the ridge of the master, and whether its nodes change places, so that the
   normal of kinematics.h points outward from the master. */
#define CR_MEETING(ridge, turned) (2 * (ridge) + ((turned) ? 1 : 0))
#define CR_MEETING_RIDGE(meeting) ((meeting) / 2)

/* The nodes of a meeting in the order of CrKinematicsEdges. */
void CrMeetingNodes(const CrRidges *slave, PetscInt i, const CrRidges *master, PetscInt meeting,
                    PetscInt nodes[4]);
/* The meeting of ridge i of the slave with ridge j of the master at displacements u: its normal points away from the
   body of j. -1: the edges cross at less than 10 degrees, or the normal is outside of the normals of one of the ridges
   by more than the angle `cone`, and no contact is possible. */
PetscInt CrMeetingFind(const CrModel *model, const CrRidges *slave, PetscInt i,
                       const CrRidges *master, PetscInt j, const PetscReal *u, PetscReal cone);

/* How far xi is outside of [0, 1] on the worse one of two edges; 0: on both. */
PetscReal CrEdgesBeyond(const PetscReal xi[2]);
/* Do two edges go through each other while their nodes move straight from x0 to x1, from positive to negative gap? A
   point where they cross may lie beyond their ends by `margin`, a part of their lengths. *when in [0, 1] is the first
   such time. */
PetscBool CrEdgesCross(const PetscReal x0[12], const PetscReal x1[12], PetscReal margin,
                       PetscReal *when);
