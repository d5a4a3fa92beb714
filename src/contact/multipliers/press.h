/* The pairs of an explicit step: data and functions that the files of this folder share. In this folder a pair is one
   slave in contact with its master (CrPress), not a pair of the deck. A rank has the pairs whose slaves it owns. A
   valley is a concave edge of the master; in a valley one slave may have further pairs on the facets beyond this edge.
   */
#pragma once

#include "contact/multipliers/lists.h"
#include "contact/multipliers/rigid_step.h"

#define CR_CLOSED 1e-6 /* fraction of half a facet: a smaller gap at the start counts as closed */

/* Settings of an algorithm of theory 19.2: how it finds pairs and how it iterates. */
typedef struct {
  /* The search uses positions predicted with the contact forces of the last step, and the iteration starts from these
     forces. */
  PetscBool warm;
  PetscBool searches; /* the search is repeated options.outer times */
  PetscBool once;     /* there is only one iteration */
  PetscBool middle;   /* forces act along the normals of t_n, and the gaps are those of t_{n+1} */
} CrVariant;

/* The result of the search for one slave that is in contact or will be: the closest point on its master. */
typedef struct {
  PetscInt pass, item, facet; /* item: index into slave->nodes */
  PetscInt entry;             /* entry in the list of the pass */
  PetscInt n;                 /* corners; 0: a wall or a rigid body */
  /* weights of the corners, normal, gap at t_n (with rigid bodies: at the end) */
  PetscReal N[4], nu[3], gap0;
  PetscReal lam; /* normal multiplier from which the iteration starts */
  /* The point did not slide to this facet, so that the offset in its history is not valid here. */
  PetscBool fresh;
  PetscReal offset; /* facets beyond a valley: penetration that stays, <= 0 */
  /* further facets of a valley that the point may touch at the same time */
  PetscInt  nbeside, beside[2];
  PetscReal share; /* edges on facets: place on the edge, 0 to 1 */
} CrFound;

/* The history of a point on a facet beyond a valley. */
typedef struct {
  PetscReal facet, lam, offset; /* facet: 1 + its number; 0: none */
} CrBesideMemory;

/* The history of a point from step to step. */
typedef struct {
  PetscReal lam[4], nu[3], N[4]; /* multipliers, normal, weights of the corners of its facet */
  PetscReal offset;              /* penetration that stays, <= 0 */
  /* further facets of a valley with which the point was in contact too */
  CrBesideMemory beside[2];
  /* energy that the point has lost while pressed, and the greatest part that may be returned */
  PetscReal store, most;
  PetscReal share; /* edges on facets: place on the edge */
} CrPointMemory;

/* Points with their passes, in ascending order. The arrays have room for all points. */
typedef struct {
  PetscInt n, *items; /* [2n]; owned */
} CrPointList;

static inline void CrPointListPut(CrPointList *list, PetscInt point, PetscInt pass)
{
  list->items[2 * list->n] = point;
  list->items[2 * list->n++ + 1] = pass;
}

typedef struct CrReturns CrReturns; /* return.c */
typedef struct CrSweeps  CrSweeps;  /* sweep.c */

#define MEMORY_REALS ((PetscInt)(sizeof(CrPointMemory) / sizeof(PetscReal)))

struct CrMultipliers {
  CrContact          *contact; /* borrowed */
  CrMultiplierOptions options;
  CrVariant           variant;
  CrNearLists        *lists;   /* owned, like all arrays below */
  PetscReal          *inverse; /* [nlocal] inverse masses */
  PetscReal          *share;   /* [nlocal] work array; zero between uses */
  PetscReal *twin; /* [nlocal*CR_TWIN_REALS] for twins.c; zero between uses; NULL: there are none */
  /* [nlocal*dim] at contact nodes: velocities v* without contact, and displacements of the search */
  PetscReal *star, *where;
  /* [npoints] after the last accepted step; borrowed from the history */
  const CrPointMemory *memory;
  PetscReal           *guess;   /* [npoints*4] multipliers between searches; zero between steps */
  CrPointList          pressed; /* points with lam > 0 in memory */
  PetscInt             nguessed, *guessed; /* points with a guess */
  PetscInt             npairs, room;
  CrPress             *pairs;
  /* number of pairs that all ranks found, and number of those on facets beyond a valley */
  PetscReal    all, all_seconds;
  PetscBool    twins;                         /* the pairs of all ranks may contain twins */
  PetscInt     nvalley, room_valley, *valley; /* pairs of points in valleys, ascending */
  PetscBool    closes;                        /* the option `closing: yes` (theory 19.9) */
  PetscBool    still;                         /* no slave may change its facet (close.c) */
  char        *taken;                         /* [npoints] points with a pair; zero between uses */
  PetscInt     nshown, *shown;                /* points that the last commit wrote to the output */
  PetscBool    accepted;                      /* the pairs are those of the last accepted step */
  PetscInt     iterations;                    /* number of iterations in this step */
  PetscBool    too_far; /* in the last search, a slave may have passed through a surface */
  CrRigidStep *bodies;  /* rigid bodies of finite mass */
  CrRounds    *rounds;  /* buffers for the exchange between ranks */
  CrSweeps    *sweeps;  /* data for the sweeps on rank 0; NULL: there is one rank */
  CrTally      tally;   /* ledger of this step, before it is accepted */
  CrReturns   *returns; /* NULL: energy that is lost in impacts is not returned */
};

/* Functions for one kind of pass in explicit steps. CrPassOps has the functions for implicit steps. */
typedef struct {
  /* Widens the box by the slaves of this rank in pass k, for scouts (contact/scout.h). NULL: there are no facets or
     edges to find. */
  void (*ask)(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal box[6]);
  /* Makes the list of slaves that are near their master in pass k, from those that this rank owns
     (lists->passes[k].mine). NULL: slaves are chosen by `distance`. */
  PetscErrorCode (*list)(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t);
  /* Returns a lower bound of the distance of slave i from its master. NULL: every slave is listed. */
  PetscReal (*distance)(const CrContact *contact, const CrPass *pass, PetscInt i,
                        const CrPose *poses, const PetscReal *u, PetscReal t);
  /* Returns a displacement. If a step moves slaves by less, contact of every slave can still begin at the end of the
     step. NULL: CrNearDepth is this displacement. */
  PetscReal (*safe_way)(const CrContact *contact, const CrPass *pass);
  /* Computes a lower bound of the distance between the two sides at `from`. NULL: this bound is not needed. */
  PetscErrorCode (*apart)(const CrNearLists *lists, const CrPass *pass, const PetscReal *from,
                          PetscReal *apart);
  /* Finds the contact of one entry of the list, as CrPressLook does. On entry `found` has the facet with which the
     slave is in contact (-1: none) and its multiplier. */
  PetscBool (*look)(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry, CrFound *found);
  /* Finds the contact of a point in a valley with its additional facet beside[k]. Returns false if there is no contact.
     NULL: passes of this kind have no valleys. */
  PetscBool (*beside)(const CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found,
                      PetscInt k, CrFound *other);
  /* At the start of a run: finds the master of an entry and its gap. Returns false if there is none. */
  PetscBool (*closed)(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                      CrFound *found);
  /* Returns the gap of a pair at the end of the step. NULL: the function `again` computes this gap. */
  PetscReal (*gap)(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t);
  /* Evaluates the pair with nodes at u and walls at t: gap0, normal and closest point. Returns false if the slave has
     slid off. */
  PetscBool (*again)(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                     CrPress *pair);
  /* Returns true if the slave of an entry has passed through its k-th listed facet or edge between t_n and m->where.
     Then sets the pair that would have prevented this penetration, and the gap at the end. NULL: passes of this kind
     have no such test. */
  PetscBool (*through)(const CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry,
                       PetscInt k, CrFound *found, PetscReal *gap1);
  /* For passes with a rigid body: sets body and arm of a pair at t_n. */
  void (*arm)(const CrMultipliers *m, const PetscReal *u, PetscReal t, CrPress *pair);
} CrPressOps;

/* Calls a function whose first argument is the dimension of space. The dimension is a constant in each call, so that
   the compiler can optimise. */
#define BY_DIMENSION(m, function, ...)                                                             \
  ((m)->contact->model->dim == 2 ? function(2, __VA_ARGS__) : function(3, __VA_ARGS__))

const CrPressOps *CrPressOpsOf(const CrPass *pass);
/* Returns the number of nodes of the slave, which come before those of the facet; 0: edges on edges, or a rigid body. */
static inline PetscInt CrPressSlaveNodes(const CrPass *pass)
{
  if (pass->kind == CR_EDGE_ON_FACET) return 2;
  return pass->ops->slave->is_node ? 1 : 0;
}
/* Is the function `safe_way` of CrPressOps, for edges: the passes of nodes on facets see surfaces that go through each
   other. */
PetscReal CrPressAnyWay(const CrContact *contact, const CrPass *pass);

/* CrPressAppend appends a pair to the list. CrPressNew also sets the contact point, the normal and the nodes of the
   pair. */
PetscErrorCode CrPressAppend(CrMultipliers *multipliers, CrPress **pair);
PetscErrorCode CrPressNew(CrMultipliers *multipliers, const CrFound *found, CrPress **pair);
/* Sets the facet of a pair, with n corners and their weights N; n = 0 if the master has no nodes. For edges, `facet` is
   the meeting, and N are the weights of its nodes, negative for nodes of the slave. Corners of a rigid body have no
   weights. */
void CrPressSetFacet(const CrPass *pass, PetscInt facet, PetscInt n, const PetscReal N[4],
                     CrPress *pair);
/* Computes the velocity changes of the nodes of a pair under its forces. Prescribed dofs do not move; fixed is NULL if
   there are none. */
void CrPressSetMasses(const CrMultipliers *multipliers, const char *fixed, CrPress *pair);
/* This is the function `arm` of CrPressOps for corners and edges of rigid bodies. The contact force acts at the point
   that the weights of the pair's nodes define at the displacements u. */
void CrPressArmToNodes(const CrMultipliers *multipliers, const PetscReal *u, PetscReal t,
                       CrPress *pair);
/* Sets the initial multipliers of a pair to lam. The friction force is projected on the tangent plane. */
void CrPressGuess(const PetscReal lam[4], CrPress *pair);
/* Finds the contact of entry k of a pass at m->where. Returns false if there is none. */
PetscBool CrPressLook(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscInt pass,
                      PetscInt k, CrFound *found);
/* Returns true if a contact that was found is a pressed pair: its point has a positive multiplier, or its gap at the
   end (gap0) is negative. */
PetscBool CrPressIsPair(const CrMultipliers *multipliers, const CrMultiplierStep *step,
                        const CrFound *found);
/* Appends the pair that was found at m->where, and those of facets beyond a valley. v are the velocities that lead to
   m->where. */
PetscErrorCode CrPressAdd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                          const CrFound *found, const PetscReal *v);
/* Finds the pairs at u0 + h v, and prepares them for the iteration. */
PetscErrorCode CrPressFind(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v);
/* If a node of one body is in contact with a node of the other body, their two pairs impose the same condition. Removes
   one of these pairs. */
PetscErrorCode CrPressDropTwins(CrMultipliers *multipliers);
/* Counts the pairs of this rank that may be twins: pairs that would stay, and pairs that would be removed. If the sum
   of one of these counts over all ranks is zero, there are no twins. */
void CrPressCountTwins(const CrMultipliers *multipliers, PetscReal counts[2]);
/* Returns true if two pairs of the model may impose the same condition (twins). */
PetscBool CrPressMayHaveTwins(const CrContact *contact);
#define CR_TWIN_REALS 11 /* number of reals per node for the search of twins */
/* Computes the member `diagonal` of all pairs of a list. Collective. */
PetscErrorCode CrPressPrecondition(CrMultipliers *multipliers, CrInner inner,
                                   const CrPressList *list);
/* Iterates on the multipliers of a list, and changes v with them. Stops after options->iterations, or when velocities
   change less than the tolerance. Adds the number of iterations to *iterations. */
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
/* Does Gauss-Seidel sweeps over a list, in the order that a run on one rank would use. The pairs of all ranks are
   gathered on rank 0, which sends their multipliers back. Collective. */
PetscErrorCode CrPressSweep(CrMultipliers *multipliers, const CrMultiplierOptions *options,
                            PetscReal kick, const CrPressList *list, PetscReal *v,
                            PetscInt *iterations);
/* Lists the pairs of points that are in contact with several facets, and iterates on these pairs after all others. */
PetscErrorCode CrPressListValleys(CrMultipliers *multipliers);
PetscErrorCode CrPressIterateValleys(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                     PetscReal *v);
/* Called when a step is accepted, for an additional pressed pair of a slave in a valley. If the slave is no longer
   pressed on the facet of its first pair, `pair` becomes the first pair of the slave, and the function returns true.
   Otherwise the function stores `pair` in `beside` of the point's history and returns false. */
PetscBool CrPressPassesOver(CrContactHistory *history, CrPress *pair);
/* Evaluates the pairs again at u0, for forces along the normals of t_n. Pairs without a closest point there are
   removed. */
PetscErrorCode CrPressTurnBack(CrMultipliers *multipliers, const CrMultiplierStep *step,
                               PetscReal *v);
/* Sets the bounds of all pairs from the gaps at the end of a step with the velocities v. Pairs without a closest point
   there get zero multipliers. */
void CrPressBoundAtEnd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v);
/* Called at the start of a run: stores the overlaps at u in the history, and lists closed contacts as pairs without
   friction. */
PetscErrorCode CrPressFindClosed(CrMultipliers *multipliers, CrContactHistory *history,
                                 const PetscReal *u, const char *fixed, PetscReal t);
/* Restores the pair of a point in the last step from its history. */
void CrPressRecall(const CrMultipliers *multipliers, PetscInt point, PetscInt pass,
                   const CrMultiplierStep *step, CrPress *pair);
/* Returns the gap at the end of the step, on the facet of the pair. */
PetscReal CrPressGapAt(const CrMultipliers *multipliers, const CrPress *pair, const PetscReal *u,
                       PetscReal t);
/* Deletes the multipliers and energies of a contact point from the history. */
void CrPointForget(CrContactHistory *history, PetscInt point);
/* Returns the histories of all points. The caller may change them only when a step is accepted. */
CrPointMemory *CrPointMemories(CrContactHistory *history);
