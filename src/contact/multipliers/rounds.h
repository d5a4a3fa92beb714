/* What ranks tell each other in an explicit step. A pair lives on the rank that owns its slave. Its other nodes may
   belong to other ranks: these nodes are the halo of the lists. In every round of the iteration, a rank pushes the
   nodes of its pairs. What it has pushed at nodes of the halo goes to their owners, and their new velocities come
   back. On one rank nothing travels. */
#pragma once

#include "contact/contact.h"
#include "contact/multipliers/rigid_step.h"

typedef struct CrRounds CrRounds;

/* Creates an empty halo. Collective, like all functions below but CrRoundsNeed, CrRoundsHas and CrRoundsZero. */
PetscErrorCode CrRoundsCreate(const CrModel *model, CrRounds **rounds);
PetscErrorCode CrRoundsDestroy(CrRounds **rounds);
/* Forgets which nodes are needed. */
void CrRoundsForget(CrRounds *rounds);
/* Notes that pairs of this rank may need a local node. */
void CrRoundsNeed(CrRounds *rounds, PetscInt node);
/* Is the node owned by this rank, or in the halo? */
PetscBool CrRoundsHas(const CrRounds *rounds, PetscInt node);
/* Builds the halo of the nodes that were noted. */
PetscErrorCode CrRoundsBuild(CrRounds *rounds);

/* Nodal arrays have `width` numbers for each local node. Bring copies the values of the owners to the halo; BringAll
   copies them to all ghosts of the model. Add adds the values at the halo to those of the owners. Zero deletes the
   values at the halo, and at owned nodes that are in the halo of another rank. */
PetscErrorCode CrRoundsBring(CrRounds *rounds, PetscInt width, PetscReal *values);
PetscErrorCode CrRoundsBringAll(CrRounds *rounds, PetscInt width, PetscReal *values);
PetscErrorCode CrRoundsAdd(CrRounds *rounds, PetscInt width, PetscReal *values);
/* The same, but the first `skip` numbers of each node stay as they are. */
PetscErrorCode CrRoundsAddPart(CrRounds *rounds, PetscInt width, PetscInt skip, PetscReal *values);
void           CrRoundsZero(const CrRounds *rounds, PetscInt width, PetscReal *values);

/* A round: between the two calls, pairs push the velocities v of nodes and those of rigid bodies. Afterwards all ranks
   have the velocities that the pairs of all ranks lead to. */
PetscErrorCode CrRoundsBegin(CrRounds *rounds, const PetscReal *v, const CrRigidStep *bodies);
PetscErrorCode CrRoundsEnd(CrRounds *rounds, PetscReal *v, CrRigidStep *bodies);

/* Adds up `count` and `arms` of rigid bodies over all ranks. */
PetscErrorCode CrRoundsCountBodies(CrRounds *rounds, CrRigidStep *bodies);

/* Sums over all ranks, and greatest values. */
PetscErrorCode CrRoundsSum(const CrRounds *rounds, PetscInt n, PetscReal *values);
PetscErrorCode CrRoundsGreatest(const CrRounds *rounds, PetscInt n, PetscReal *values);
PetscMPIInt    CrRoundsRanks(const CrRounds *rounds);
PetscMPIInt    CrRoundsRank(const CrRounds *rounds);
