/* Finding the pairs of an explicit step: what the files of this folder share. */
#pragma once

#include "contact/multipliers/lists.h"
#include "contact/multipliers/rigid_step.h"

#define CR_CLOSED 1e-6 /* of half a facet: gaps of the start that are none */

typedef struct {
  PetscBool warm;     /* the forces of the last step predict the search and start the iteration */
  PetscBool searches; /* `outer` times */
  PetscBool once;     /* one iteration */
  PetscBool middle;   /* forces along the normals of t_n, gaps of t_{n+1} */
} CrVariant;

/* What a point presses or runs into, with what the pair needs to know of the foot. Without numbers of nodes, which differ
   from rank to rank. */
typedef struct {
  PetscInt  pass, item, facet; /* item: index into slave->nodes */
  PetscInt  n;                 /* corners; 0: a wall or a rigid body */
  PetscReal N[4], nu[3], gap0; /* gap0: at t_n; of rigid bodies at the end */
  PetscReal lam;               /* multiplier to start from */
  PetscBool fresh;             /* a point that was pressed comes to this facet by a leap */
  PetscReal offset;            /* of a facet beside that is not fresh */
  PetscInt  nbeside,
      beside[2]; /* facets beyond the bottom of a valley, which the point may meet too */
} CrFound;

/* What a point remembers of a facet beyond a valley. */
typedef struct {
  PetscReal facet, lam, offset; /* facet: 1 + its number; 0: none */
} CrBesideMemory;

/* What a point remembers. */
typedef struct {
  PetscReal lam, tan[3], nu[3], N[4]; /* multipliers, along what, at which weights of its facet */
  PetscReal offset;                   /* <= 0: overlap that is kept */
  CrBesideMemory beside[2];           /* facets beyond a valley that it pressed too */
  PetscReal      store,
      most; /* energy lost since it is pressed, and the most that is given back of it */
} CrPointMemory;

typedef struct CrReturns CrReturns; /* return.c */
typedef struct CrSharing CrSharing; /* share.c */

#define MEMORY_REALS ((PetscInt)(sizeof(CrPointMemory) / sizeof(PetscReal)))

struct CrMultipliers {
  CrContact           *contact; /* borrowed */
  CrMultiplierOptions  options;
  CrVariant            variant;
  CrNearLists         *lists;        /* owned, as all below */
  PetscReal           *inverse;      /* [nlocal] masses */
  PetscReal           *share;        /* [nlocal] zero between uses */
  PetscInt            *twin;         /* [nlocal] zero between uses */
  PetscReal           *star, *where; /* [nlocal*dim] v*, place of a search; at nodes of contact */
  const CrPointMemory *memory; /* [npoints] of the last accepted step; the history's, borrowed */
  PetscReal           *guess;  /* [npoints*4] multipliers between searches; zero between steps */
  PetscInt             npressed, *pressed; /* points with lam > 0 in memory, with their passes */
  PetscInt             nguessed, *guessed; /* points with a guess */
  PetscInt             npairs, room;
  CrPress             *pairs;
  CrPressList          mine;                          /* those that this rank iterates on */
  PetscInt             nvalley, room_valley, *valley; /* pairs of points in valleys, ascending */
  PetscInt             nshown, *shown;                /* points of the last commit */
  PetscBool            accepted; /* the pairs are those of the last accepted step */
  PetscReal            residual;
  PetscBool            too_far; /* of the last search */
  CrRigidStep         *bodies;  /* rigid ones of finite mass */
  CrSharing           *sharing; /* NULL: one rank */
  const PetscReal     *gaps; /* at the end of the step, if they were shared; those of `sharing` */
  CrReturns           *returns; /* NULL: energy of impacts is lost */
};

/* One kind of pass in explicit steps, as CrPassOps is under springs. */
typedef struct {
  PetscBool shares; /* the ranks may share the search */
  /* Makes the list of what is near in pass k; NULL: nodes by their distance. */
  PetscErrorCode (*list)(CrNearLists *lists, PetscInt k, const PetscReal *where, PetscReal t);
  /* How far slave i is from the master, at least; NULL: it is listed always. */
  PetscReal (*distance)(const CrContact *contact, const CrPass *pass, PetscInt i,
                        const CrPose *poses, const PetscReal *u, PetscReal t);
  /* A slave that was outside and has moved no farther than this is caught if it is inside now; NULL: CrNearDepth. */
  PetscReal (*safe_way)(const CrContact *contact, const CrPass *pass);
  /* How far slave and master are apart at `from`, at least; NULL: it does not matter. */
  PetscErrorCode (*apart)(const CrNearLists *lists, const CrPass *pass, const PetscReal *from,
                          PetscReal *apart);
  /* What an entry of the list meets at m->where and the poses, as CrPressLook; comes in with the facet that it is held
     on (-1: none) and its multiplier. */
  PetscBool (*look)(CrMultipliers *m, const CrMultiplierStep *step, PetscInt entry, CrFound *found);
  /* What a point at the bottom of a valley meets on the facet beside[k]; false: nothing. NULL: no valleys. */
  PetscBool (*beside)(const CrMultipliers *m, const CrMultiplierStep *step, const CrFound *found,
                      PetscInt k, CrFound *other);
  /* At the start: what an entry meets, and its gap; false: nothing. */
  PetscBool (*closed)(CrMultipliers *m, PetscInt entry, const PetscReal *u, PetscReal t,
                      CrFound *found);
  /* The gap of a pair at the end of the step; NULL: that of `again`. */
  PetscReal (*gap)(const CrMultipliers *m, const CrPress *pair, const PetscReal *u, PetscReal t);
  /* The pair once more with nodes at u and walls at t: its gap0, normal and closest point; false: slid off. */
  PetscBool (*again)(const CrMultipliers *m, const CrPose *poses, const PetscReal *u, PetscReal t,
                     CrPress *pair);
  /* Passes with a body: body and arm of a pair at t_n. */
  void (*arm)(const CrMultipliers *m, const PetscReal *u, PetscReal t, CrPress *pair);
} CrPressOps;

const CrPressOps *CrPressOpsOf(const CrPass *pass);

/* A pair at the end of the list: any, and one with point, normal and nodes. */
PetscErrorCode CrPressAppend(CrMultipliers *multipliers, CrPress **pair);
PetscErrorCode CrPressNew(CrMultipliers *multipliers, const CrFound *found, CrPress **pair);
/* The facet of a pair with n corners and their weights; n = 0: the master has no nodes. Edges: the meeting, and the
   weights of its four nodes, negative for those of the slave. */
void CrPressSetFacet(const CrPass *pass, PetscInt facet, PetscInt n, const PetscReal N[4],
                     CrPress *pair);
/* What forces move, none where a dof is prescribed. fixed: NULL, none. */
void CrPressSetMasses(const CrMultipliers *multipliers, const char *fixed, CrPress *pair);
/* Where the iteration starts: the friction of before, in the new tangent plane. */
void CrPressGuess(PetscReal lam, const PetscReal tan[3], CrPress *pair);
/* What entry k of a pass meets at m->where; false: nothing. */
PetscBool CrPressLook(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscInt pass,
                      PetscInt k, CrFound *found);
/* Does it press, by its multiplier or by its gap of the end, which stands in gap0? */
PetscBool CrPressIsPair(const CrMultipliers *multipliers, const CrMultiplierStep *step,
                        const CrFound *found);
/* Appends the pair, and those of facets beyond a valley; v led to m->where. */
PetscErrorCode CrPressAdd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                          const CrFound *found, const PetscReal *v);
/* Finds the pairs at u0 + h v, ready to be iterated on. */
PetscErrorCode CrPressFind(CrMultipliers *multipliers, const CrMultiplierStep *step,
                           const PetscReal *v);
/* Where a node of one body and a node of the other press on each other, the pair of one of them goes. */
void CrPressDropTwins(CrMultipliers *multipliers);
/* Lists the pairs of points that press several facets, and iterates on them after all others. */
PetscErrorCode CrPressListValleys(CrMultipliers *multipliers);
void CrPressIterateValleys(CrMultipliers *multipliers, const CrMultiplierStep *step, PetscReal *v);
/* A pair beyond a valley that presses: has its point passed over to it? Else the point remembers it beside its own. */
PetscBool CrPressPassesOver(CrContactHistory *history, CrPress *pair);
/* Forces along the normals of t_n: the pairs once more, at u0. Those without a foot there go. */
PetscErrorCode CrPressTurnBack(CrMultipliers *multipliers, const CrMultiplierStep *step);
/* Bounds from the gaps that v would lead to; multipliers of pairs without a foot there are zero. */
void CrPressBoundAtEnd(CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v);
/* At u: overlaps of the start, and as pairs without friction what is closed. */
PetscErrorCode CrPressFindClosed(CrMultipliers *multipliers, CrContactHistory *history,
                                 const PetscReal *u, const char *fixed, PetscReal t);
/* The pair of a point as it was in the last step. */
void CrPressRecall(const CrMultipliers *multipliers, PetscInt point, PetscInt pass,
                   const CrMultiplierStep *step, CrPress *pair);
/* The gap at the end of the step, on the facet of the pair. */
PetscReal CrPressGapAt(const CrMultipliers *multipliers, const CrPress *pair, const PetscReal *u,
                       PetscReal t);
/* A point remembers nothing. */
void CrPointForget(CrContactHistory *history, PetscInt point);
/* What points remember, to be written when a step is accepted. */
CrPointMemory *CrPointMemories(CrContactHistory *history);
