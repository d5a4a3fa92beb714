/* Contact points divided among the ranks. After CrContactDivide, each contact point is computed on one rank only. A
   node is computed by the rank that owns it, a sample or an edge by the rank that owns its first node. Points of a
   rigid body are all on one rank. For implicit methods, points and edges on rigid bodies of finite mass are few; every
   rank computes all these points and edges, with equal results. Nodes on such a body are divided; force and torque on
   the body are sums over the ranks. A rank adds the forces of its points to nodes of other ranks by a halo
   (model/halo.h), and sends blocks of the matrix to their owners. Sums over points are sums over the points of each
   rank, added up by one reduction. */
#pragma once

#include "contact/contact.h"
#include "model/halo.h"

#define CR_MOST_STATES 8 /* greater than the number of states in CrContactStatus */

struct CrDivision {
  /* Nodes of other ranks on which forces of this rank's points may act. */
  PetscInt  naway, away_room;
  PetscInt *away; /* [naway] local numbers; owned, like all arrays below */
  /* [nlocal - nowned] 1 + place of a ghost in `away`; 0: the ghost is not in `away` */
  PetscInt  *slot;
  CrHalo     halo;      /* halo of the nodes `away` */
  PetscInt   built;     /* number of times that the halo was built */
  PetscReal *sums;      /* [dim naway] forces on these nodes */
  PetscInt  *keys_away; /* [naway] values of `first` at these nodes, for output */
  PetscReal *owned;     /* [nowned] sums at nodes of this rank, for output */
  /* [nlocal] for output: encodes the first point that determines the contact state of a node, and this state; 0: none
     */
  PetscInt *first;
  /* Couplings that this rank has requested since the matrix was made. Each pair of natural numbers is encoded as one
     number; ascending. */
  PetscInt    nkeys;
  PetscInt64 *keys;
  /* The first `nshared` node pairs of work->couples are the same on every rank. */
  PetscInt    nshared;
  PetscBool   complete; /* work->pattern has the couplings of all ranks */
  PetscBool   leads;    /* the present rank is rank 0 */
  PetscBool   whole;    /* edges on rigid bodies, and their points, are divided too */
  PetscMPIInt rank, ranks;
  PetscInt    ntouches; /* number of possible contacts of all ranks in this step */
};

/* Returns true if every contact point of the pass is computed on one rank only. */
static inline PetscBool CrPassIsDivided(const CrContact *c, const CrPass *p)
{
  if (!c->division) return PETSC_FALSE;
  if (c->division->whole) return PETSC_TRUE;
  return !p->ops->body || p->ops->slave->is_node ? PETSC_TRUE : PETSC_FALSE;
}

/* Returns true if this rank computes the i-th contact point of the pass. */
static inline PetscBool CrPointIsMine(const CrContact *c, const CrPass *p, PetscInt i)
{
  if (!CrPassIsDivided(c, p)) return PETSC_TRUE;
  if (p->ops->slave->is_node) return p->slave->nodes[i] < c->model->nowned;
  if (CrPassHasSamples(p)) return p->samples->list[i].nodes[0] < c->model->nowned;
  if (CrPassHasEdges(p) && !p->ridges[0]->shape)
    return CrRidgeNodes(p->ridges[0], i)[0] < c->model->nowned;
  return p->partner % c->division->ranks == c->division->rank; /* points of rigid bodies */
}

/* Returns true if this rank includes the i-th contact point of the pass in sums over all ranks. Rank 0 includes the
   points that every rank computes. */
PetscBool CrPointCounts(const CrContact *c, const CrPass *p, PetscInt i);

/* Compute sums, and greatest values, over the ranks. These functions do nothing if contact points are not divided among
   the ranks. Collective. */
PetscErrorCode CrDivisionSumInts(const CrContact *c, PetscInt n, PetscInt *values);
PetscErrorCode CrDivisionSum(const CrContact *c, PetscInt n, PetscReal *values);
PetscErrorCode CrDivisionMax(const CrContact *c, PetscInt n, PetscReal *values);

/* Called after a contact search: the halo gets all nodes on which contacts of this rank may exert forces.
   Collective. */
PetscErrorCode CrDivisionReach(CrContact *c);
/* Returns the place of the force on a ghost, in a step whose forces began with CrDivisionBegin; NULL: the ghost is not
   in the halo. */
static inline PetscReal *CrDivisionAt(const CrContact *c, PetscInt node)
{
  PetscInt slot = c->division->slot[node - c->model->nowned];

  return slot ? c->division->sums + c->model->dim * (slot - 1) : NULL;
}
void CrDivisionBegin(const CrContact *c);
/* Adds the forces on ghosts to f at their owners. Collective. */
PetscErrorCode CrDivisionEnd(const CrContact *c, PetscReal *f);
/* Couplings of the matrix: the pairs of nodes in work->couples, *n of them, are completed by the pairs that other ranks
   found for rows of this rank. Collective. */
PetscErrorCode CrDivisionCouple(CrContact *c, PetscInt *n);
/* Is called after a restart, when work->couples has the n pairs of all ranks. Records these couplings as known. */
PetscErrorCode CrDivisionRecall(CrContact *c, PetscInt n);
/* Returns true if this rank has requested the matrix coupling of the nodes A and B. */
PetscBool CrDivisionKnows(const CrContact *c, PetscInt A, PetscInt B);
/* Find the rank that owns a node, the global number of a node, and the local number of a global number (-1: none). */
PetscErrorCode CrNodeOwner(const CrModel *model, PetscInt node, PetscInt *rank);
PetscInt       CrNodeGlobal(const CrModel *model, PetscInt node);
PetscInt       CrNodeLocal(const CrModel *model, PetscInt global);

PetscErrorCode CrDivisionDestroy(CrDivision **division);
