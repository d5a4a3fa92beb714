/* What is near, for methods of many short steps: lists of the facets around each slave node that hold
   until the surfaces have moved by a skin against each other. A step that finds nobody near costs a
   comparison per listed node. The lists only leave out what cannot touch, so results do not depend
   on when they were made (theory 19.4). */
#pragma once

#include "contact/place.h"
#include "contact/geometry/foot.h"

/* How deep a free node is still caught. The reach of a pass is half a mean facet. */
static inline PetscReal CrNearDepth(const CrPass *p)
{
  return 2 * CR_DEEPEST * p->reach;
}

/* One pass. */
typedef struct {
  PetscReal        odometer;  /* bound of the relative motion since the start of the lists */
  PetscReal        made, due; /* its value at the last list, and at which the next is due */
  PetscReal        skin;
  PetscInt         n, room;
  PetscInt        *item;           /* [n] index into slave->nodes, ascending; owned, as the rest */
  const PetscReal *slave, *master; /* their motions, as CrNearLists.motion; borrowed */
  PetscReal       *wake;           /* [n] value of the odometer until which the node cannot touch */
  PetscInt        *start;          /* [n+1] where its facets begin in found[] */
  PetscInt        *found;
} CrNearPass;

typedef struct {
  CrContact  *contact; /* borrowed */
  PetscInt    nnodes;
  PetscInt   *nodes;  /* local nodes of all surfaces, each once; owned, as the rest */
  CrNearPass *passes; /* [npasses] */
  PetscReal  *last;   /* [nlocal*dim] displacements of the last search, of these nodes */
  PetscReal   last_time;
  PetscReal  *motion; /* [nsets*4] way of the first node of a surface, and how far others differ */
  const CrPose *pose0, *pose; /* of rigid bodies, at `from` and at `where`; the caller's */
  CrPose       *last_pose;    /* [rigid->n] of the last search */
  PetscReal    *body_motion;  /* [rigid->n*4] as motion */
  PetscBool     begun;
} CrNearLists;

PetscErrorCode CrNearCreate(CrContact *contact, CrNearLists **lists);
PetscErrorCode CrNearDestroy(CrNearLists **lists);
/* Surfaces are at the displacements `where` (local), rigid bodies at lists->pose, obstacles where they are
   at time t: makes new lists where that is due. Allocates only when a list grows. */
PetscErrorCode CrNearMove(CrNearLists *lists, const PetscReal *where, PetscReal t);
/* May something have gone through a surface unseen between `from` at t_from and `where`? To be asked
   behind CrNearMove. */
PetscErrorCode CrNearIsTooFar(CrNearLists *lists, const PetscReal *where, PetscReal t,
                              const PetscReal *from, PetscReal t_from, PetscBool *too_far);
/* Values of the nodes of contact; with the dimension as a constant where it is one. */
static inline void CrNearCopy(PetscInt dim, const CrNearLists *lists, const PetscReal *from,
                              PetscReal *to)
{
  for (PetscInt k = 0; k < lists->nnodes; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++) to[r] = from[r];
}

/* Can entry k of a pass not touch? */
static inline PetscBool CrNearSleeps(const CrNearPass *p, PetscInt k)
{
  return p->odometer < p->wake[k];
}
/* The facet that entry k may strike at `where`: the nearest that it faces, -1 if there is none.
   `overhang` as below. Lets the node sleep as long as nothing can come of it. */
PetscInt CrNearNearest(CrNearLists *lists, PetscInt pass, PetscInt k, const PetscReal *where,
                       PetscReal overhang);
/* Lists of a pass on facets; and how far its surfaces are apart at `from`. As CrPressOps. */
PetscErrorCode CrNearListFacets(CrNearLists *lists, PetscInt pass, const PetscReal *where,
                                PetscReal t);
PetscErrorCode CrNearFacetsApart(const CrNearLists *lists, const CrPass *pass,
                                 const PetscReal *from, PetscReal *apart);
/* Walls have no other side, unless they are round. As CrPressOps. */
PetscReal CrNearWallWay(const CrContact *contact, const CrPass *pass);
/* A node without facets, for walls and rigid bodies. */
void CrNearAdd(CrNearPass *pass, PetscInt i);
/* A wall or a rigid body: the same from the gap. */
void CrNearWall(CrNearLists *lists, PetscInt pass, PetscInt k, PetscReal gap);
/* The foot of a node on the smooth patch of `facet`, from facet to facet; *facet: where it ends.
   foot->xi: a guess on the first facet (0 will do). An
   end of the patch is overhung by *over (part of the facet; 0: it is on the patch). False: no foot. */
PetscBool CrFootWalk(const CrContact *c, const CrSurface *master, PetscInt node, const PetscReal *u,
                     PetscInt *facet, CrFoot *foot, PetscReal *over);
