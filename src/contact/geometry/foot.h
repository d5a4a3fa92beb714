/* The closest point (foot) on a facet, without the operators of kinematics.h. The computation is cheap, for methods
   with many short steps that need only the normal and the weights of the corners. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt  n;     /* number of corners of the facet */
  PetscReal xi[2]; /* coordinates of the closest point on the facet, like CrKinematics.xi */
  PetscReal N[4];  /* shape functions of the corners at xi; their sum is 1 */
  PetscReal nu[3]; /* unit normal, outward */
  PetscReal gap;   /* nu . (x - sum N_a x_a), where x is the slave and x_a are the corners */
  /* distance of the foot beyond the edges, as a fraction of the facet; 0: the foot is on the facet */
  PetscReal excess;
  PetscInt  edge; /* edge beyond which the foot lies (as in CrProximity); -1: on the facet */
} CrFoot;

/* Finds the closest point on a facet that is continued beyond its edges. x are the positions of the slave and of the n
   corners, (n+1)*dim numbers. Returns false if there is no closest point. */
PetscBool CrFootFind(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot);
/* Does the same as CrFootFind, starting from foot->xi, which must be close to the solution. */
PetscBool CrFootNear(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot);
/* Returns the distance of the foot beyond an edge, as a fraction of the facet. The distance is negative if the foot is
   on the facet's side of the edge. */
PetscReal CrFootBeyond(const CrFoot *foot, PetscInt edge);
/* Moves a foot that lies beyond the edges of its facet to the nearest point of an edge. The distance is measured in the
   coordinates xi. The normal does not change. */
void CrFootClip(PetscInt dim, const PetscReal *x, CrFoot *foot);
/* Returns the gap at other positions x of the slave and the corners, with the weights and the normal of `foot`. */
PetscReal CrFootGap(PetscInt dim, const PetscReal *x, const CrFoot *foot);
