/* Near lists (Verlet lists) contain the facets around each slave node, for methods with many short steps. A list stays
   valid until the relative displacement of the surfaces exceeds a margin, called skin. In a step in which no slave is
   near its master, the program makes only one comparison per listed node. Lists leave out only facets that cannot be
   touched. So results do not depend on the steps in which lists are made (theory 19.4).

   A rank lists the slaves that it owns. The displacements of surfaces are greatest values over all ranks. So all ranks
   make new lists in the same step. Together with new lists, every rank makes a new halo of the nodes that its slaves
   may touch (rounds.h). */
#pragma once

#include "contact/geometry/foot.h"
#include "contact/multipliers/rounds.h"
#include "contact/place.h"
#include "contact/scout.h"

/* Returns the greatest penetration at which contact of a node that was not in contact can begin. pass->reach is half of
   the mean facet size. */
static inline PetscReal CrNearDepth(const CrPass *p)
{
  return 2 * CR_DEEPEST * p->reach;
}

/* The near list of one contact pass. */
typedef struct {
  PetscReal odometer; /* upper bound of the relative path of both sides since the start */
  /* made: value of `odometer` when the list was made; due: value at which the next list must be made */
  PetscReal made, due;
  PetscReal skin;
  PetscInt  nmine;
  PetscInt *mine; /* [nmine] slaves that this rank owns, ascending; owned, like the rest */
  PetscInt  n, room;
  /* [n] indices in slave->nodes of the listed slaves, ascending; a subset of `mine` */
  PetscInt *item;
  /* indices of the two sides in the arrays `motion` and `path` of CrNearLists */
  PetscInt   slave, master;
  PetscReal *wake;  /* [n] the slave cannot touch the master before `odometer` has this value */
  PetscInt  *start; /* [n+1] the facets of slave k are found[start[k]] to found[start[k+1]-1] */
  PetscInt  *found; /* facets near each listed slave */
} CrNearPass;

/* The motion of a surface or a rigid body. The first three numbers are the displacement of one point. The fourth number
   is the greatest difference between this displacement and the displacement of any other point. */
typedef PetscReal CrMotion[4];

typedef struct {
  CrContact *contact; /* borrowed */
  CrRounds  *rounds;  /* borrowed, like the poses pose0 and pose */
  CrScouts  *scouts;  /* find facets and edges near the slaves; owned */
  /* local nodes of all surfaces, each once: nowned nodes that this rank owns, then those of the halo; owned, like the
     rest */
  PetscInt  nnodes, nowned, nodes_room;
  PetscInt *nodes;
  /* Nodes of each surface that this rank owns, as compressed rows: own[own_start[s]] to own[own_start[s+1]-1] for
     surface s. first[s] is the first node of surface s; -1: another rank owns it. */
  PetscInt   *own_start, *own, *first;
  CrNearPass *passes; /* [npasses] */
  PetscReal  *last;   /* [nlocal*dim] displacements of owned nodes at the last search */
  PetscReal   last_time;
  /* [nsets + rigid->n + 1] motions of the surfaces, of the rigid bodies, and of walls (always zero). motion: since the
     last search. path: since the start of the step. */
  CrMotion  *motion, *path;
  PetscReal *sums; /* work space for sums over ranks */
  /* poses of rigid bodies at the start of the step (pose0) and at the present positions (pose) */
  const CrPose *pose0, *pose;
  CrPose       *last_pose; /* [rigid->n] poses at the last search */
  PetscBool     begun;
  PetscBool     made;  /* the last CrNearMove has made new lists */
  PetscInt      makes; /* how often lists were made */
} CrNearLists;

/* Creates empty near lists for all contact passes. */
PetscErrorCode CrNearCreate(CrContact *contact, CrRounds *rounds, CrNearLists **lists);
PetscErrorCode CrNearDestroy(CrNearLists **lists);
/* Moves surfaces to the local displacements `where`, rigid bodies to lists->pose, and obstacles to time t. The step
   began at the displacements `from`. Makes new lists and a new halo if they are due. `where` then gets the values at
   the halo, and at all facets that are not far away. Other nodal arrays then need values at the new halo
   (CrVicinityRefresh). The function allocates memory only when a list grows. Collective. */
PetscErrorCode CrNearMove(CrNearLists *lists, PetscReal *where, PetscReal t, const PetscReal *from);
/* Builds the halo from the nodes that were added to it before. From then on, the model updates in every step only the
   ghosts that are needed. Afterwards positions are known at owned nodes and at the nodes of the halo. Collective. */
PetscErrorCode CrNearBuildHalo(CrNearLists *lists);
/* Sets *too_far to true if a slave may have passed through a surface undetected between time t_from and time t. `from`
   are the displacements at t_from. Called after CrNearMove. Collective. */
PetscErrorCode CrNearIsTooFar(CrNearLists *lists, PetscReal t, const PetscReal *from,
                              PetscReal t_from, PetscBool *too_far);
/* Copies the values at all nodes of contact surfaces from one array to another. Callers pass `dim` as a constant, so
   that the compiler can optimise. */
static inline void CrNearCopy(PetscInt dim, const CrNearLists *lists, const PetscReal *from,
                              PetscReal *to)
{
  for (PetscInt k = 0; k < lists->nnodes; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++) to[r] = from[r];
}

/* Sets `where` to u0 + h v at all nodes of contact surfaces. */
void CrNearWhere(const CrNearLists *lists, const PetscReal *u0, PetscReal h, const PetscReal *v,
                 PetscReal *where);

/* Returns true if slave k of the list is so far from its master that it cannot touch the master yet. */
static inline PetscBool CrNearSleeps(const CrNearPass *p, PetscInt k)
{
  return p->odometer < p->wake[k];
}
/* Returns the facet that slave k of the list may touch at the displacements `where`; -1: none. The result is the
   closest one of the facets that the slave's cone of normals at u0 admits. `overhang` is explained at
   CrMultiplierOptions. Also updates `wake` of this slave. */
PetscInt CrNearNearest(CrNearLists *lists, PetscInt pass, PetscInt k, const PetscReal *u0,
                       const PetscReal *where, PetscReal overhang);
/* Returns true if the edge that facets f and g share is concave (a valley) at the displacements u, and its angle is not
   negligible. */
PetscBool CrNearIsValley(const CrContact *contact, const CrSurface *surface, PetscInt f, PetscInt g,
                         const PetscReal *u);
/* Returns true if the edge that facets f and g share is concave at the displacements u, however small the angle is. */
PetscBool CrNearIsConcave(const CrContact *contact, const CrSurface *surface, PetscInt f,
                          PetscInt g, const PetscReal *u);
/* Computes at->x, the position of the i-th slave of a pass. The slave is a node at the displacements u, or a corner of
   a rigid body at its pose in poses[]. at->u becomes u. */
void CrSlaveAtPose(const CrContact *contact, const CrPass *pass, PetscInt i, const CrPose *poses,
                   const PetscReal *u, CrInstant *at);
/* Returns true if the cone of normals of the i-th slave admits contact with `facet`. The slave is at the displacements
   u0, and the facet is at the displacements `where`. */
PetscBool CrNearAdmits(const CrNearLists *lists, const CrPass *pass, PetscInt i, PetscInt facet,
                       const PetscReal *u0, const PetscReal *where);
/* CrNearAskFacets, CrNearListFacets and CrNearFacetsApart are the functions `ask`, `list` and `apart` of CrPressOps,
   for passes whose master consists of facets. */
void CrNearAskFacets(CrNearLists *lists, PetscInt pass, const PetscReal *where, PetscReal box[6]);
PetscErrorCode CrNearListFacets(CrNearLists *lists, PetscInt pass, const PetscReal *where,
                                PetscReal t);
PetscErrorCode CrNearFacetsApart(const CrNearLists *lists, const CrPass *pass,
                                 const PetscReal *from, PetscReal *apart);
/* Returns the displacement that cannot carry a slave through a wall undetected. This is the function `safe_way` of
   CrPressOps for walls. Only round walls limit this displacement. */
PetscReal CrNearWallWay(const CrContact *contact, const CrPass *pass);
/* Adds the i-th slave to a list without facets, for walls and rigid bodies. */
void CrNearAdd(CrNearPass *pass, PetscInt i);
/* Adds slave i to a list, with the facets of the master that intersect `box`. In self-contact, facets next to the slave
   are left out. A slave without facets is not added. */
PetscErrorCode CrNearAddFound(const CrPass *pass, PetscInt i, const PetscReal box[],
                              CrNearPass *list);
/* Sets `wake` of slave k of the list from its gap, for walls and rigid bodies. */
void CrNearWall(CrNearLists *lists, PetscInt pass, PetscInt k, PetscReal gap);
/* Finds the point of a smooth patch that is closest to a slave, going from facet to facet. *facet is the facet at which
   the search starts, and becomes the facet of the closest point. foot->xi is an initial guess on the first facet, for
   instance 0. *over is the distance of the closest point beyond the end of the patch, as a fraction of the facet; 0: on
   the patch. Returns false if there is no closest point. */
PetscBool CrFootWalk(const CrContact *c, const CrSurface *master, const CrInstant *at,
                     PetscInt *facet, CrFoot *foot, PetscReal *over);
