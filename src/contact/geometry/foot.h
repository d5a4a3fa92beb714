/* The closest point (foot) on a facet, without the operators of kinematics.h. This search is cheap; it is for methods
   with many short steps that need only the normal and the weights of the corners. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt  n;     /* corners of the facet */
  PetscReal xi[2]; /* coordinates of the closest point on the facet, like CrKinematics.xi */
  PetscReal N[4];  /* weights of the corners, sum 1 */
  PetscReal nu[3]; /* unit normal, outward */
  PetscReal gap;   /* nu . (x - sum N_a x_a) */
  /* distance of the foot beyond the edges, as a part of the facet; 0: on the facet */
  PetscReal excess;
  PetscInt  edge; /* edge beyond which the foot lies (like CrProximity.edge); -1: on the facet */
} CrFoot;

/* Finds the closest point on the facet, continued beyond its edges. x are the positions of slave and corners,
   (n+1)*dim. Returns false if there is no closest point. */
PetscBool CrFootFind(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot);
/* Does the same as CrFootFind, starting from foot->xi, which must be a good guess. */
PetscBool CrFootNear(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot);
/* Returns the distance of the foot beyond an edge, as a part of the facet. The distance is negative if the foot is on
   the facet's side of the edge. */
PetscReal CrFootBeyond(const CrFoot *foot, PetscInt edge);
/* Moves a closest point that lies beyond the edges of its facet to the nearest edge, in coordinates xi. The normal does
   not change. */
void CrFootClip(PetscInt dim, const PetscReal *x, CrFoot *foot);
/* Returns the gap at other positions x, with the weights and the normal of this foot. */
PetscReal CrFootGap(PetscInt dim, const PetscReal *x, const CrFoot *foot);
