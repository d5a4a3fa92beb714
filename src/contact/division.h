/* Division of the contact points among the ranks. After CrContactDivide, each contact point is computed on one rank
   only. A slave node is computed by the rank that owns the node. A sample or an edge is computed by the rank that owns
   its first node. All points of one rigid body are computed by one rank.

   Implicit methods are an exception: every rank computes all edge contacts and body points of rigid bodies of finite
   mass, because these contacts are few. With exact laws of an implicit method (cones/), every rank computes all edge
   contacts, because a contact that is called in depends on the other edges (springs/calls.h). Nodes in contact with such a body are divided, and the force and torque on the
   body are summed over the ranks. A rank sends forces on nodes of other ranks to the owners of these nodes by a halo
   exchange (model/halo.h). A rank also sends matrix blocks to the ranks that own their rows. */
#pragma once

#include "contact/contact.h"
#include "model/halo.h"

#define CR_MOST_STATES 8 /* upper bound of the number of states in CrContactStatus */

struct CrDivision {
  /* `away` lists the nodes of other ranks on which contact points of this rank may exert forces. */
  PetscInt  naway, away_room;
  PetscInt *away; /* [naway] local node numbers; owned, like all arrays below */
  /* [nlocal - nowned] for each ghost node: 1 + its index in `away`; 0: the ghost is not in `away` */
  PetscInt  *slot;
  CrHalo     halo;      /* exchanges values at the nodes `away` */
  PetscInt   built;     /* number of times that the halo was built */
  PetscReal *sums;      /* [dim naway] forces on the nodes `away` */
  PetscInt  *keys_away; /* [naway] values of `first` at the nodes `away`, for output */
  PetscReal *owned;     /* [nowned] sums at the nodes that this rank owns, for output */
  /* [nlocal] for output: one number that encodes the contact state of a node and the first contact point that
     determines this state; 0: none */
  PetscInt *first;
  /* Matrix couplings that this rank has requested since the matrix was created. Each coupling of two nodes is encoded
     as one number (from their natural numbers). keys[] is ascending. */
  PetscInt    nkeys;
  PetscInt64 *keys;
  /* The first `nshared` node pairs of work->couples are the same on every rank. */
  PetscInt    nshared;
  PetscBool   complete; /* work->pattern has the couplings of all ranks */
  PetscBool   leads;    /* this rank is rank 0 */
  PetscBool   whole;    /* edge contacts and points of rigid bodies are divided too */
  PetscMPIInt rank, ranks;
  PetscInt    ntouches; /* number of touches of all ranks in this step */
};

/* Returns true if every contact point of the pass is computed on one rank only. */
static inline PetscBool CrPassIsDivided(const CrContact *c, const CrPass *p)
{
  if (!c->division) return PETSC_FALSE;
  if (c->division->whole || p->ops->slave->is_node) return PETSC_TRUE;
  return c->springs && !p->ops->body ? PETSC_TRUE : PETSC_FALSE;
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

/* Replace each of the n values by its sum (CrDivisionSumInts, CrDivisionSum) or by its greatest value (CrDivisionMax)
   over the ranks. These functions do nothing if contact points are not divided among the ranks. Collective. */
PetscErrorCode CrDivisionSumInts(const CrContact *c, PetscInt n, PetscInt *values);
PetscErrorCode CrDivisionSum(const CrContact *c, PetscInt n, PetscReal *values);
PetscErrorCode CrDivisionMax(const CrContact *c, PetscInt n, PetscReal *values);

/* Builds the halo for all nodes of other ranks on which contacts of this rank may exert forces. Called after a contact
   search. Collective. */
PetscErrorCode CrDivisionReach(CrContact *c);
/* Returns a pointer to the force on a ghost node; NULL: the ghost is not in the halo. CrDivisionBegin sets the forces
   on ghosts to zero, and CrDivisionEnd sends these forces to the owners of the nodes. */
static inline PetscReal *CrDivisionAt(const CrContact *c, PetscInt node)
{
  PetscInt slot = c->division->slot[node - c->model->nowned];

  return slot ? c->division->sums + c->model->dim * (slot - 1) : NULL;
}
void CrDivisionBegin(const CrContact *c);
/* Adds to f, on the ranks that own the nodes, the forces on ghost nodes. Collective. */
PetscErrorCode CrDivisionEnd(const CrContact *c, PetscReal *f);
/* Appends to the *n node pairs in work->couples the pairs that other ranks found for matrix rows of this rank. Updates
   *n. Collective. */
PetscErrorCode CrDivisionCouple(CrContact *c, PetscInt *n);
/* Records the n node pairs in work->couples as known couplings. Called after a restart, when work->couples has the
   pairs of all ranks. */
PetscErrorCode CrDivisionRecall(CrContact *c, PetscInt n);
/* Returns true if this rank has requested the matrix coupling of the nodes A and B. */
PetscBool CrDivisionKnows(const CrContact *c, PetscInt A, PetscInt B);
/* CrNodeOwner finds the rank that owns a local node. CrNodeGlobal returns the global number of a local node.
   CrNodeLocal returns the local number of a node with a given global number (-1: the node is not on this rank). */
PetscErrorCode CrNodeOwner(const CrModel *model, PetscInt node, PetscInt *rank);
PetscInt       CrNodeGlobal(const CrModel *model, PetscInt node);
PetscInt       CrNodeLocal(const CrModel *model, PetscInt global);

PetscErrorCode CrDivisionDestroy(CrDivision **division);
