/* Exchange of data between ranks in an explicit step. A pair is stored on the rank that owns its slave. The other nodes
   of the pair may belong to other ranks: these nodes are the halo of the lists. In every round of the iteration, the
   contact forces of a rank's pairs change the velocities of their nodes. Ranks that have a node in common exchange the
   changes of its velocity, in one message in each direction (model/mutual.h). On one rank nothing is sent. */
#pragma once

#include "contact/contact.h"
#include "contact/multipliers/rigid_step.h"
#include "model/vicinity.h"

typedef struct CrRounds CrRounds;

/* Creates an empty halo. Collective, like the functions below that do not say otherwise. */
PetscErrorCode CrRoundsCreate(const CrModel *model, CrRounds **rounds);
PetscErrorCode CrRoundsDestroy(CrRounds **rounds);
/* Returns the halo: the ghosts that pairs of this rank may need. The caller must not free it. Not collective. */
CrVicinity *CrRoundsHalo(const CrRounds *rounds);
/* Deletes the values at the halo, and at owned nodes that are in the halo of another rank. `width` numbers per local
   node. Not collective. */
void CrRoundsZero(const CrRounds *rounds, PetscInt width, PetscReal *values);

/* Begin and end a round. Between the two calls, the pairs of this rank change the velocities v of nodes and those of
   rigid bodies. Afterwards all ranks have the velocities that result from the pairs of all ranks. */
PetscErrorCode CrRoundsBegin(CrRounds *rounds, const PetscReal *v, const CrRigidStep *bodies);
PetscErrorCode CrRoundsEnd(CrRounds *rounds, PetscReal *v, CrRigidStep *bodies);

/* Adds up `count` and `arms` of rigid bodies over all ranks. */
PetscErrorCode CrRoundsCountBodies(CrRounds *rounds, CrRigidStep *bodies);

/* Compute sums over all ranks, and greatest values over all ranks. */
PetscErrorCode CrRoundsSum(const CrRounds *rounds, PetscInt n, PetscReal *values);
PetscErrorCode CrRoundsGreatest(const CrRounds *rounds, PetscInt n, PetscReal *values);
PetscMPIInt    CrRoundsRanks(const CrRounds *rounds);
