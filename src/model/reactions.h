/* Reactions: force, moment, work and impulse that every support, prescribed motion and obstacle exerts on the bodies.
   Reactions are part of the state. A step computes its own reactions, and adds them to the sums when the step is
   accepted. */
#pragma once

#include "model/conditions.h"

typedef struct {
  PetscReal force[3], moment[3]; /* force and moment about the origin in the last step */
  PetscReal impulse[3], work;    /* impulse and work in the present step, or since the start */
} CrReaction;

struct CrReactions {
  PetscInt n, nsupports; /* supports and motions in the order of the deck, then obstacles */
  char (*names)[CR_CONDITION_NAME]; /* [n]; owned, like all below */
  /* [nconditions] row of each condition; -1: the condition is a load */
  PetscInt *row;
  CrReaction
      *now; /* [n] reactions of the present step; for supports, the part of this rank's nodes */
  CrReaction *all; /* [n] reactions of accepted steps */
};

/* Creates the reactions. Names of obstacles come after those of conditions; name(ctx, k) is the name of the k-th
   obstacle. All names must differ. Collective. */
PetscErrorCode CrReactionsCreate(const CrModel *model, PetscInt nobstacles,
                                 const char *(*name)(const void *ctx, PetscInt k), const void *ctx,
                                 CrReactions **reactions);
PetscErrorCode CrReactionsDestroy(CrReactions **reactions);
PetscErrorCode CrReactionsArchive(CrReactions *reactions, CrArchive *archive);

/* Begins a step: deletes the entries of the present step. */
void CrReactionsBegin(CrReactions *reactions);
/* Force, work and impulse of a support on one degree of freedom in a step. */
typedef struct {
  PetscReal force, impulse, work;
} CrDofReaction;

/* Enters the reactions of supports on the prescribed dofs that this rank owns; forces act at the displacements `where`
   (local). of(ctx, dof) returns the reaction on a dof. A dof that several supports hold belongs to the last of these
   supports. `last` are the supports of the previous step, which may hold dofs that are now released. If `last` is NULL,
   released dofs have no reaction. */
void CrReactionsEnterSupports(CrReactions *reactions, const CrModel *model, const CrSupports *now,
                              const CrSupports *last, const PetscReal                        *where,
                              CrDofReaction (*of)(const void *ctx, PetscInt dof), const void *ctx);
/* Enters component i of the reaction in a row, which acts at the point x. */
void CrReactionsEnter(CrReactions *reactions, PetscInt row, const PetscReal x[3], PetscInt i,
                      CrDofReaction what);
/* Adds the reactions of the present step to `all`. It is called when the step is accepted. Collective. */
PetscErrorCode CrReactionsBook(CrReactions *reactions, const CrModel *model);
