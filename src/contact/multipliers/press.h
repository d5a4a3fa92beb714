/* The pairs of an explicit step: data and functions that the source files of this folder share. In this folder a pair
   is one slave in contact with its master (CrPress), not a pair of the deck. A rank has the pairs whose slaves it owns.
   A valley is a concave edge of the master. In a valley one slave may have additional pairs on the facets beyond this
   edge. */
#pragma once

#include "contact/multipliers/lists.h"
#include "contact/multipliers/rigid_step.h"

#define CR_CLOSED 1e-6 /* gap / half of the facet size below which an initial gap is closed */

/* Settings of one of the algorithms of theory 19.2: how the algorithm finds pairs, and how it iterates. */
typedef struct {
  /* The search uses positions that are predicted with the contact forces of the last step. The iteration starts from
     these forces. */
  PetscBool warm;
  PetscBool searches; /* the search is repeated options.outer times */
  PetscBool once;     /* there is only one iteration */
  PetscBool middle;   /* forces act along the normals at t_n, and gaps are measured at t_{n+1} */
} CrVariant;

/* The result of the search for one slave that is in contact or will be in contact: its closest point on the master. */
typedef struct {
  PetscInt pass, item, facet; /* item: index of the slave in slave->nodes */
  PetscInt entry;             /* index in the near list of the pass */
  PetscInt n;                 /* number of corners; 0: the master is a wall or a rigid body */
  /* weights of the corners; normal; gap at t_n (with rigid bodies: at the end of the step) */
  PetscReal N[4], nu[3], gap0;
  PetscReal lam; /* normal multiplier from which the iteration starts */
  /* True: the slave did not come to this facet by sliding, so that `offset` in its history does not belong to this
     facet. */
  PetscBool fresh;
  PetscReal offset; /* facets beyond a valley: penetration that is not removed, <= 0 */
  /* additional facets in a valley that the slave may touch at the same time */
  PetscInt  nbeside, beside[2];
  PetscReal share; /* edges on facets: coordinate of the contact on the edge, 0 to 1 */
} CrFound;

/* The history of a contact point on an additional facet, beyond a valley. */
typedef struct {
  PetscReal facet, lam, offset; /* facet: 1 + its number; 0: none */
} CrBesideMemory;

/* The data of a contact point that are kept from step to step. */
typedef struct {
  PetscReal lam[4], nu[3], N[4]; /* multipliers, normal, weights of the corners of the facet */
  PetscReal offset;              /* penetration that is not removed, <= 0 */
  /* additional facets in a valley with which the point was in contact */
  CrBesideMemory beside[2];
  /* store: energy that was lost while the point was pressed. most: greatest energy that may be returned. */
  PetscReal store, most;
  PetscReal share; /* edges on facets: coordinate of the contact on the edge */
} CrPointMemory;

/* A list of contact points, ascending, with the pass of each point. items[] has space for all points. */
typedef struct {
  PetscInt n, *items; /* items[2k]: point k; items[2k+1]: its pass; owned */
} CrPointList;

/* Appends a contact point and the number of its pass to a list. */
static inline void CrPointListPut(CrPointList *list, PetscInt point, PetscInt pass)
{
  list->items[2 * list->n] = point;
  list->items[2 * list->n++ + 1] = pass;
}

typedef struct CrReturns CrReturns; /* return.c */
typedef struct CrSweeps  CrSweeps;  /* sweep.c */
typedef struct CrDoubles CrDoubles; /* doubles.c */

#define MEMORY_REALS ((PetscInt)(sizeof(CrPointMemory) / sizeof(PetscReal)))

struct CrMultipliers {
  CrContact          *contact; /* borrowed */
  CrMultiplierOptions options;
  CrVariant           variant;
  CrNearLists        *lists;   /* owned, like all arrays below */
  PetscReal          *inverse; /* [nlocal] inverse masses */
  PetscReal          *share;   /* [nlocal] work space; zero between uses */
  /* [nlocal*CR_TWIN_REALS] work space of twins.c, zero between uses; NULL: the model has no twins */
  PetscReal *twin;
  /* [nlocal*dim] values at contact nodes. star: velocities v* without contact. where: displacements at which the search
     is made. */
  PetscReal *star, *where;
  /* [npoints] history of the points after the last accepted step; borrowed */
  const CrPointMemory *memory;
  /* [npoints*4] initial multipliers for the next search; zero between steps */
  PetscReal  *guess;
  CrPointList pressed;            /* points with a positive multiplier in `memory` */
  PetscInt    nguessed, *guessed; /* points with values in `guess` */
  PetscInt    npairs, room;
  CrPress    *pairs;
  /* number of pairs of all ranks, and number of those that are on facets beyond a valley */
  PetscReal all, all_seconds;
  /* twins may exist: two pairs that impose the same condition */
  PetscBool twins;
  PetscInt  nvalley, room_valley, *valley; /* indices of pairs in valleys, ascending */
  PetscBool closes;                        /* the option `closing: yes` (theory 19.9) */
  /* number of edges whose lowest points over a facet are deeper than their pairs there (close.c) */
  PetscInt  nastray;
  PetscReal depth;   /* how much deeper than allowed pairs of all ranks are at most (close.c) */
  PetscBool still;   /* no slave may change its facet (close.c) */
  PetscBool settled; /* contacts of edges stay at their places on the edges (close.c) */
  /* [npoints] number of pairs of the point, with a mark (close.c); zero between uses */
  char        *taken;
  PetscInt     nshown, *shown; /* points with results in contact->picture */
  PetscBool    accepted;       /* the pairs are those of the last accepted step */
  PetscInt     iterations;     /* number of iterations in this step */
  PetscBool    too_far;        /* in the last search: a slave may have passed through a surface */
  CrRigidStep *bodies;         /* rigid bodies of finite mass */
  CrRounds    *rounds;         /* buffers for the exchange between ranks */
  CrSweeps    *sweeps;         /* data for Gauss-Seidel sweeps on rank 0; NULL: there is one rank */
  CrDoubles   *doubles;        /* data for crossings of several ranks; NULL: there is one rank */
  CrTally      tally;          /* ledger of this step, before it is accepted */
  CrReturns   *returns;        /* NULL: energy that impacts lose is not returned */
};

/* Functions for one kind of contact pass in explicit steps. CrPassOps has the functions for implicit steps. */
typedef struct {
  /* Enlarges `box` so that it contains the slaves of this rank in pass k, for scouts (contact/scout.h). NULL: there are
     no facets or edges to find. */
  void (*ask)(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal box[6]);
  /* Makes the near list of pass k: the slaves that are near their master. The slaves are chosen from those that this
     rank owns (lists->passes[k].mine). NULL: slaves are chosen by the function `distance`. */
  PetscErrorCode (*list)(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t);
  /* Returns a lower bound of the distance of slave i from its master. NULL: every slave is listed. */
  PetscReal (*distance)(const CrContact *contact, const CrPass *pass, PetscInt i,
                        const CrPose *poses, const PetscReal *u, PetscReal t);
  /* Returns a safe displacement. If a step moves slaves by less than this displacement, no slave passes through its
     master undetected. NULL: CrNearDepth is this displacement. */
  PetscReal (*safe_way)(const CrContact *contact, const CrPass *pass);
  /* Computes *apart, a lower bound of the distance between the two sides at the displacements `from`. NULL: this bound
     is not needed. */
  PetscErrorCode (*apart)(const CrNearLists *lists, const CrPass *pass, const PetscReal *from,
                          PetscReal *apart);
  /* Finds the contact of one slave of the near list, as CrPressLook does. On entry, `found` has the facet with which
     the slave is in contact (-1: none) and the slave's multiplier. */
  PetscBool (*look)(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry, CrFound *found);
  /* Finds in `other` the contact of a slave in a valley with its additional facet found->beside[k]. Returns false if
     there is no contact. NULL: passes of this kind have no valleys. */
  PetscBool (*beside)(const CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found,
                      PetscInt k, CrFound *other);
  /* Finds the closest point and the gap of one slave of the near list at the start of a run. Returns false if there is
     no closest point. */
  PetscBool (*closed)(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                      CrFound *found);
  /* Returns the gap of a pair at the end of the step, with the displacements u and obstacles at time t. NULL: the
     function `again` computes this gap. */
  PetscReal (*gap)(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t);
  /* Computes gap0, normal and closest point of a pair again, with nodes at the displacements u and walls at time t.
     Returns false if the slave has slid off the master. */
  PetscBool (*again)(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                     CrPress *pair);
  /* Returns true if a slave has passed through its k-th listed facet or edge between t_n and the displacements
     m->where. `found` then describes the pair that would have prevented this penetration, and *gap1 is the gap at the
     end of the step. NULL: passes of this kind have no such test. */
  PetscBool (*through)(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                       PetscInt k, CrFound *found, PetscReal *gap1);
  /* Sets the members `body` and `arm` of a pair at t_n, for passes with a rigid body. */
  void (*arm)(const CrMultipliers *m, const PetscReal *u, PetscReal t, CrPress *pair);
} CrPressOps;

/* Calls a function whose first argument is the dimension of space. The dimension is a constant in each of the two
   calls, so that the compiler can optimise. */
#define BY_DIMENSION(m, function, ...)                                                             \
  ((m)->contact->model->dim == 2 ? function(2, __VA_ARGS__) : function(3, __VA_ARGS__))

/* Returns the table of functions for the kind of a pass. */
const CrPressOps *CrPressOpsOf(const CrPass *pass);
/* Returns the number of nodes of the slave, which come first in CrPress.nodes; 0: two edges touch, or the slave is a
   rigid body. */
static inline PetscInt CrPressSlaveNodes(const CrPass *pass)
{
  if (pass->kind == CR_EDGE_ON_FACET) return 2;
  return pass->ops->slave->is_node ? 1 : 0;
}
/* Returns PETSC_MAX_REAL. This is the function `safe_way` of CrPressOps for edges. Edges need no limit, because the
   passes of nodes on facets detect surfaces that go through each other. */
PetscReal CrPressAnyWay(const CrContact *contact, const CrPass *pass);

/* CrPressAppend appends a pair to multipliers->pairs. CrPressNew also sets the contact point, the normal and the nodes
   of the pair. */
PetscErrorCode CrPressAppend(CrMultipliers *multipliers, CrPress **pair);
PetscErrorCode CrPressNew(CrMultipliers *multipliers, const CrFound *found, CrPress **pair);
/* Sets the facet of a pair, with n corners and their weights N. n is 0 if the master has no nodes. If two edges touch,
   `facet` is the number of their meeting (ridges.h). N are then the weights of its nodes, negative for nodes of the
   slave. Corners of a rigid body have no weights. */
void CrPressSetFacet(const CrPass *pass, PetscInt facet, PetscInt n, const PetscReal N[4],
                     CrPress *pair);
/* Computes pair->flow and pair->held, which say how forces of the pair change the velocities of its nodes. fixed[]
   marks prescribed local dofs, whose velocities do not change; NULL: there are none. */
void CrPressSetMasses(const CrMultipliers *multipliers, const char *fixed, CrPress *pair);
/* Sets the arm of a pair, from the point that the weights of the pair's nodes define at the displacements u. This is
   the function `arm` of CrPressOps for corners and edges of rigid bodies. */
void CrPressArmToNodes(const CrMultipliers *multipliers, const PetscReal *u, PetscReal t,
                       CrPress *pair);
/* Sets the initial multipliers of a pair to lam. The friction force is projected on the tangent plane. */
void CrPressGuess(const PetscReal lam[4], CrPress *pair);
/* Finds the contact of slave k in the near list of a pass, at the displacements multipliers->where. Returns false if
   there is none. */
PetscBool CrPressLook(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscInt pass,
                      PetscInt k, CrFound *found);
/* Returns true if the contact `found` is a pair. This is so if its point has a positive multiplier, or if its gap at
   the end of the step is negative. */
PetscBool CrPressIsPair(const CrMultipliers *multipliers, const CrMultiplierStep *step,
                        const CrFound *found);
/* Appends the pair `found`, and the slave's pairs on facets beyond a valley. v are the velocities that lead to the
   displacements multipliers->where. */
PetscErrorCode CrPressAdd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                          const CrFound *found, const PetscReal *v);
/* Finds the pairs at the displacements u0 + h v, and prepares these pairs for the iteration. */
PetscErrorCode CrPressFind(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v);
/* Removes one of two pairs that are twins. Two pairs are twins if a node of one body coincides with a node of the other
   body, so that both pairs impose the same condition. */
PetscErrorCode CrPressDropTwins(CrMultipliers *multipliers);
/* Counts the pairs of this rank that may be twins. counts[0] is the number of pairs that would stay, and counts[1] the
   number of pairs that would be removed. If the sum of one of these counts over all ranks is zero, there are no
   twins. */
void CrPressCountTwins(const CrMultipliers *multipliers, PetscReal counts[2]);
/* Returns true if the contact passes of the model allow twins. */
PetscBool CrPressMayHaveTwins(const CrContact *contact);
#define CR_TWIN_REALS 11 /* number of reals per node for the search of twins */
/* Computes the member `diagonal` of all pairs of a list. Collective. */
PetscErrorCode CrPressPrecondition(CrMultipliers *multipliers, CrInner inner,
                                   const CrPressList *list);
/* Iterates on the multipliers of a list of pairs, and changes the velocities v accordingly. Stops after
   options->iterations, or when velocities change by less than options->tolerance. Adds to *iterations the number of
   iterations. `kick` is the time over which forces act. */
PetscErrorCode CrPressIterate(CrMultipliers *multipliers, const CrMultiplierOptions *options,
                              PetscReal kick, const CrPressList *list, PetscReal *v,
                              PetscInt *iterations);
/* Returns the list of all pairs of this rank. */
static inline CrPressList CrPressAll(const CrMultipliers *m)
{
  return (CrPressList){.pairs = m->pairs, .n = m->npairs};
}
/* Creates the work space for sweeps over the pairs of all ranks. */
PetscErrorCode CrSweepsCreate(const CrModel *model, CrSweeps **sweeps);
PetscErrorCode CrSweepsDestroy(CrSweeps **sweeps);
/* Makes Gauss-Seidel sweeps over a list of pairs, in the order that a run on one rank would use. Rank 0 gathers the
   pairs of all ranks, makes the sweeps, and sends the multipliers back. The arguments are the same as those of
   CrPressIterate. Collective. */
PetscErrorCode CrPressSweep(CrMultipliers *multipliers, const CrMultiplierOptions *options,
                            PetscReal kick, const CrPressList *list, PetscReal *v,
                            PetscInt *iterations);
/* CrPressListValleys lists the pairs of slaves that are in contact with several facets. CrPressIterateValleys iterates
   on these pairs, after the iteration on all pairs. */
PetscErrorCode CrPressListValleys(CrMultipliers *multipliers);
PetscErrorCode CrPressIterateValleys(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                     PetscReal *v);
/* Decides how the history stores an additional pressed pair of a slave in a valley, when a step is accepted. If the
   slave is no longer pressed on the facet of its first pair, `pair` becomes its first pair, and the function returns
   true. Otherwise the function stores `pair` in the member `beside` of the point's history, and returns false. */
PetscBool CrPressPassesOver(CrContactHistory *history, CrPress *pair);
/* Evaluates the pairs again at the displacements u0, so that forces act along the normals at t_n. Removes pairs without
   a closest point at u0. */
PetscErrorCode CrPressTurnBack(CrMultipliers *multipliers, const CrMultiplierStep *step,
                               PetscReal *v);
/* Sets the allowed closing rates (CrPress.bound) of all pairs from the gaps at the end of the step with the velocities
   v. Pairs without a closest point at the end of the step get zero multipliers. */
void CrPressBoundAtEnd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v);
/* Stores in the history the initial penetrations at the displacements u, and lists closed contacts as pairs without
   friction. Called at the start of a run. */
PetscErrorCode CrPressFindClosed(CrMultipliers *multipliers, CrContactHistory *history,
                                 const PetscReal *u, const char *fixed, PetscReal t);
/* Restores from the history the pair that a contact point had in the last step. */
void CrPressRecall(const CrMultipliers *multipliers, PetscInt point, PetscInt pass,
                   const CrMultiplierStep *step, CrPress *pair);
/* Returns the gap of a pair on its facet at the end of the step, with the displacements u and obstacles at time t. */
PetscReal CrPressGapAt(const CrMultipliers *multipliers, const CrPress *pair, const PetscReal *u,
                       PetscReal t);
/* Deletes the multipliers and energies of a contact point from the history. */
void CrPointForget(CrContactHistory *history, PetscInt point);
/* Returns the array [npoints] of the histories of all points. The caller may change it only when a step is accepted. */
CrPointMemory *CrPointMemories(CrContactHistory *history);
