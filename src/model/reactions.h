/* Reactions: force, moment, work and impulse that every support, prescribed motion and obstacle exerts on the bodies.
   Reactions are part of the state. A step computes its own reactions. The reactions of a step are added to the sums
   since the start when the step is accepted. */
#pragma once

#include "model/conditions.h"

typedef struct {
  PetscReal force[3], moment[3]; /* force and moment about the origin in the last step */
  PetscReal impulse[3], work;    /* impulse and work in the present step, or since the start */
} CrReaction;

struct CrReactions {
  /* n: number of all reactions. nsupports: number of reactions of supports and motions, which come first, in the order
     of the deck. Reactions of obstacles follow. */
  PetscInt n, nsupports;
  /* [n] names of the supports, motions and obstacles; owned, like all below */
  char (*names)[CR_CONDITION_NAME];
  /* [nconditions] number of the reaction of each condition; -1: the condition is a load and has none */
  PetscInt *row;
  /* [n] reactions of the present step; for supports, the sum over the nodes of this rank */
  CrReaction *now;
  /* [n] reactions of the last accepted step, with impulse and work since the start */
  CrReaction *all;
};

/* Creates the reactions of all supports, motions and obstacles. name(ctx, k) returns the name of the k-th obstacle. All
   names must differ. Collective. */
PetscErrorCode CrReactionsCreate(const CrModel *model, PetscInt nobstacles,
                                 const char *(*name)(const void *ctx, PetscInt k), const void *ctx,
                                 CrReactions **reactions);
PetscErrorCode CrReactionsDestroy(CrReactions **reactions);
PetscErrorCode CrReactionsArchive(CrReactions *reactions, CrArchive *archive);

/* Begins a step: sets the reactions of the present step to zero. */
void CrReactionsBegin(CrReactions *reactions);
/* Force, work and impulse of a support on one degree of freedom in a step. */
typedef struct {
  PetscReal force, impulse, work;
} CrDofReaction;

/* Enters the reactions of supports on the prescribed dofs that this rank owns. The moments of the forces are computed
   in the configuration with the displacements `where` (local dofs). of(ctx, dof) returns the reaction on a dof. A dof
   that several supports hold belongs to the last of these supports. `now` and `last` are the supports of this step and
   of the previous step. Supports in `last` may hold dofs that are now released. If `last` is NULL, released dofs have
   no reaction. */
void CrReactionsEnterSupports(CrReactions *reactions, const CrModel *model, const CrSupports *now,
                              const CrSupports *last, const PetscReal                        *where,
                              CrDofReaction (*of)(const void *ctx, PetscInt dof), const void *ctx);
/* Adds a force in direction i at the point x to reaction `row` of the present step. */
void CrReactionsEnter(CrReactions *reactions, PetscInt row, const PetscReal x[3], PetscInt i,
                      CrDofReaction what);
/* Adds the reactions of the present step to reactions->all. The function is called when the step is accepted.
   Collective. */
PetscErrorCode CrReactionsBook(CrReactions *reactions, const CrModel *model);
