/* Near lists (Verlet lists), for methods of many short steps: the facets around each slave node. A list stays valid
   until the relative displacement of the surfaces exceeds the skin. In a step in which no slave is near its master, the
   program does only one comparison per listed node. Lists leave out only facets that cannot be touched. So results do
   not depend on the time at which lists are made (theory 19.4).

   A rank lists the slaves that it owns. The displacements of surfaces are greatest values over all ranks. So all ranks
   make new lists at the same time, and with them the halo of the nodes that their slaves may touch (rounds.h). */
#pragma once

#include "contact/geometry/foot.h"
#include "contact/multipliers/rounds.h"
#include "contact/place.h"
#include "contact/scout.h"

/* Returns the greatest penetration at which contact of a free node can begin. pass->reach is half a mean facet. */
static inline PetscReal CrNearDepth(const CrPass *p)
{
  return 2 * CR_DEEPEST * p->reach;
}

/* The list of one pass. */
typedef struct {
  PetscReal odometer; /* upper bound of the relative displacement of the surfaces since the start */
  /* values of the odometer when the list was made, and when the next list is due */
  PetscReal made, due;
  PetscReal skin;
  PetscInt  nmine;
  PetscInt *mine; /* [nmine] slaves that this rank owns, ascending; owned, like the rest */
  PetscInt  n, room;
  PetscInt *item; /* [n] index into slave->nodes, ascending, some of `mine` */
  /* numbers of the two sides in the tables `motion` and `path` of CrNearLists */
  PetscInt   slave, master;
  PetscReal *wake;  /* [n] the node cannot touch the master before the odometer has this value */
  PetscInt  *start; /* [n+1] where the facets of a node begin in found[] */
  PetscInt  *found; /* facets near each node */
} CrNearPass;

/* The motion of a surface or a rigid body: the displacement of one point, and the greatest difference of other
   displacements from it. */
typedef PetscReal CrMotion[4];

typedef struct {
  CrContact *contact; /* borrowed */
  CrRounds  *rounds;  /* borrowed from the caller, like the poses */
  CrScouts  *scouts;  /* find facets and edges near the slaves; owned */
  /* local nodes of all surfaces, each once: those that this rank owns, then those of the halo; owned, like the rest */
  PetscInt  nnodes, nowned, nodes_room;
  PetscInt *nodes;
  /* nodes of each surface that this rank owns, as compressed rows; the first node of each surface, -1: not owned */
  PetscInt   *own_start, *own, *first;
  CrNearPass *passes; /* [npasses] */
  PetscReal  *last;   /* [nlocal*dim] displacements of owned nodes at the last search */
  PetscReal   last_time;
  /* [nsets + rigid->n + 1] motion of surfaces and rigid bodies, and the motion of walls, which is zero: since the last
     search, and since the start of the step */
  CrMotion  *motion, *path;
  PetscReal *sums; /* scratch, for sums over ranks */
  /* poses of rigid bodies at `from` and at `where` */
  const CrPose *pose0, *pose;
  CrPose       *last_pose; /* [rigid->n] poses at the last search */
  PetscBool     begun;
  PetscBool     made;  /* the last CrNearMove has made new lists */
  PetscInt      makes; /* how often lists were made */
} CrNearLists;

PetscErrorCode CrNearCreate(CrContact *contact, CrRounds *rounds, CrNearLists **lists);
PetscErrorCode CrNearDestroy(CrNearLists **lists);
/* Moves surfaces to the displacements `where` (local), rigid bodies to lists->pose, obstacles to time t. The step began
   at the displacements `from`. Makes new lists and a new halo if they are due; `where` then gets the values at the
   halo, and at all facets that are not far. The function allocates memory only when a list grows. The history has the
   facets that slaves touch. After new lists, other nodal arrays need values at the new halo (CrVicinityRefresh).
   Collective. */
PetscErrorCode CrNearMove(CrNearLists *lists, PetscReal *where, PetscReal t, const PetscReal *from);
/* Builds the halo from the nodes that were noted, and with it the ghosts that the model updates in every step.
   Afterwards positions are known at owned nodes and at the nodes of the halo. Collective. */
PetscErrorCode CrNearBuildHalo(CrNearLists *lists);
/* Called after CrNearMove: finds out whether a slave may have passed through a surface undetected between time t_from
   (displacements `from`) and time t. Collective. */
PetscErrorCode CrNearIsTooFar(CrNearLists *lists, PetscReal t, const PetscReal *from,
                              PetscReal t_from, PetscBool *too_far);
/* Copies the values of all contact nodes. Callers pass the dimension as a constant, for speed. */
static inline void CrNearCopy(PetscInt dim, const CrNearLists *lists, const PetscReal *from,
                              PetscReal *to)
{
  for (PetscInt k = 0; k < lists->nnodes; k++)
    for (PetscInt r = dim * lists->nodes[k]; r < dim * (lists->nodes[k] + 1); r++) to[r] = from[r];
}

/* Sets `where` to u0 + h v at all contact nodes. */
void CrNearWhere(const CrNearLists *lists, const PetscReal *u0, PetscReal h, const PetscReal *v,
                 PetscReal *where);

/* Returns true if the slave of entry k is so far from its master that it cannot touch the master yet. */
static inline PetscBool CrNearSleeps(const CrNearPass *p, PetscInt k)
{
  return p->odometer < p->wake[k];
}
/* Finds the facet that entry k may touch at `where`; -1: none. The result is the closest facet among the facets that
   the cone of normals of the node at u0 admits. overhang is that of CrMultiplierOptions. Sets `wake`, the odometer
   until which the node cannot touch. */
PetscInt CrNearNearest(CrNearLists *lists, PetscInt pass, PetscInt k, const PetscReal *u0,
                       const PetscReal *where, PetscReal overhang);
/* Returns true if two facets f and g that share an edge form a concave edge (valley) whose angle is not negligible. */
PetscBool CrNearIsValley(const CrContact *contact, const CrSurface *surface, PetscInt f, PetscInt g,
                         const PetscReal *u);
/* Returns true if the edge between two facets is concave. */
PetscBool CrNearIsConcave(const CrContact *contact, const CrSurface *surface, PetscInt f,
                          PetscInt g, const PetscReal *u);
/* Computes the position of the i-th slave of a pass: a node at displacements u, or a corner of a rigid body at its pose
   in `poses`. at->u becomes u. */
void CrSlaveAtPose(const CrContact *contact, const CrPass *pass, PetscInt i, const CrPose *poses,
                   const PetscReal *u, CrInstant *at);
/* Returns true if the cone of normals of the i-th slave at u0 admits contact with a facet. The facet is at
   displacements `where`. */
PetscBool CrNearAdmits(const CrNearLists *lists, const CrPass *pass, PetscInt i, PetscInt facet,
                       const PetscReal *u0, const PetscReal *where);
/* These are the functions `ask`, `list` and `apart` of CrPressOps for passes whose master consists of facets. */
void CrNearAskFacets(CrNearLists *lists, PetscInt pass, const PetscReal *where, PetscReal box[6]);
PetscErrorCode CrNearListFacets(CrNearLists *lists, PetscInt pass, const PetscReal *where,
                                PetscReal t);
PetscErrorCode CrNearFacetsApart(const CrNearLists *lists, const CrPass *pass,
                                 const PetscReal *from, PetscReal *apart);
/* This is the function `safe_way` of CrPressOps for walls. A slave can pass through a wall undetected only if the wall
   is round. */
PetscReal CrNearWallWay(const CrContact *contact, const CrPass *pass);
/* Adds the i-th node to a list without facets, for walls and rigid bodies. */
void CrNearAdd(CrNearPass *pass, PetscInt i);
/* Adds slave i to a list, with the facets of the master in a box. In self-contact, facets next to the slave are left
   out. A slave without facets is not added. */
PetscErrorCode CrNearAddFound(const CrPass *pass, PetscInt i, const PetscReal box[],
                              CrNearPass *list);
/* Sets `wake` of entry k from its gap, for walls and rigid bodies. */
void CrNearWall(CrNearLists *lists, PetscInt pass, PetscInt k, PetscReal gap);
/* Finds the closest point of a slave on the smooth patch of *facet, walking from facet to facet. *facet becomes the
   facet of the closest point. foot->xi is an initial guess on the first facet, for instance 0. *over is the distance
   beyond the end of the patch as a part of the facet, 0 on the patch. Returns false if there is no closest point. */
PetscBool CrFootWalk(const CrContact *c, const CrSurface *master, const CrInstant *at,
                     PetscInt *facet, CrFoot *foot, PetscReal *over);
