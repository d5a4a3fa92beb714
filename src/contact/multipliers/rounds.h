/* Exchange of data between ranks in the contact iteration of an explicit step. A pair (one slave in contact with its
   master) is stored on the rank that owns the slave. The other nodes of the pair may belong to other ranks. These nodes
   form the halo. In every round (one iteration), the contact forces of a rank's pairs change the velocities of their
   nodes. Ranks that have a node in common exchange the changes of its velocity, in one message in each direction
   (model/mutual.h). On one rank nothing is sent. */
#pragma once

#include "contact/contact.h"
#include "contact/multipliers/rigid_step.h"
#include "model/vicinity.h"

typedef struct CrRounds CrRounds;

/* Creates an empty halo. Collective, like the functions below that do not say otherwise. */
PetscErrorCode CrRoundsCreate(const CrModel *model, CrRounds **rounds);
PetscErrorCode CrRoundsDestroy(CrRounds **rounds);
/* Returns the halo, that is the ghost nodes that pairs of this rank may need. The caller must not free the halo. Not
   collective. */
CrVicinity *CrRoundsHalo(const CrRounds *rounds);
/* Sets to zero the values at the nodes of the halo, and at owned nodes that are in the halo of another rank. values[]
   has `width` numbers per local node. Not collective. */
void CrRoundsZero(const CrRounds *rounds, PetscInt width, PetscReal *values);

/* CrRoundsBegin begins a round and CrRoundsEnd ends it. Between the two calls, the pairs of this rank change the
   velocities v of nodes, and the velocities of rigid bodies. CrRoundsEnd adds the changes that pairs of other ranks
   have made. */
PetscErrorCode CrRoundsBegin(CrRounds *rounds, const PetscReal *v, const CrRigidStep *bodies);
PetscErrorCode CrRoundsEnd(CrRounds *rounds, PetscReal *v, CrRigidStep *bodies);

/* Sums the members `count` and `arms` (CrPressBody) of the rigid bodies over all ranks. */
PetscErrorCode CrRoundsCountBodies(CrRounds *rounds, CrRigidStep *bodies);

/* Replace each of the n values by its sum (CrRoundsSum) or by its greatest value (CrRoundsGreatest) over all ranks.
   CrRoundsRanks returns the number of ranks and is not collective. */
PetscErrorCode CrRoundsSum(const CrRounds *rounds, PetscInt n, PetscReal *values);
PetscErrorCode CrRoundsGreatest(const CrRounds *rounds, PetscInt n, PetscReal *values);
PetscMPIInt    CrRoundsRanks(const CrRounds *rounds);
