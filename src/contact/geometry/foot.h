/* The foot of a point on a facet, without the operators of kinematics.h: what a method needs that
   takes forces along the normal and at the weights of the foot, and takes many of them. */
#pragma once

#include "base/base.h"

typedef struct {
  PetscInt  n;      /* corners of the facet */
  PetscReal xi[2];  /* as CrKinematics.xi */
  PetscReal N[4];   /* weights of the corners, sum 1 */
  PetscReal nu[3];  /* outward, unit */
  PetscReal gap;    /* nu . (x - sum N_a x_a) */
  PetscReal excess; /* how far the foot is beyond the edges, as a part of the facet; 0: on it */
  PetscInt  edge;   /* the edge it is beyond (as CrProximity.edge), -1 if on the facet */
} CrFoot;

/* x: slave and corners, (n+1)*dim. The foot on the unbounded facet; false where there is none. */
PetscBool CrFootFind(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot);
/* The same, where foot->xi is known to be about right. */
PetscBool CrFootNear(PetscInt dim, PetscInt n, const PetscReal *x, CrFoot *foot);
/* Takes the foot back to the nearest edge in its own coordinates; the normal stays. */
void CrFootClip(PetscInt dim, const PetscReal *x, CrFoot *foot);
/* The gap with the weights and the normal of the foot, of other coordinates. */
PetscReal CrFootGap(PetscInt dim, const PetscReal *x, const CrFoot *foot);
