/* Declarations that the files of the method `velocity-update` share (theory 16). At the end of a step, impulses at
   contact points change the velocities so that the energy balance is exact. */
#pragma once

#include "cone/impulse.h"
#include "integrate/middle.h"

typedef enum { UPDATE_AUTO, UPDATE_LOCAL, UPDATE_SPREAD, UPDATE_OFF } VelocityUpdateKind;

typedef struct {
  CrMiddle           middle;
  PetscBool          augmented;
  PetscInt           augmentations;
  PetscReal          gap_tolerance; /* < 0: auto */
  VelocityUpdateKind update;
  CrImpulseKind      kind; /* PARTS: impulses obey Coulomb's law */
  PetscReal          bank; /* energy created so far that later impulses must remove; archived */
  PetscReal *mass; /* [nlocal] lumped masses of all nodes of this rank; owned, like all below */
  PetscReal *v;    /* velocities before the impulses, by local dof */
  PetscInt   npoints, room; /* number of points pressed in this step; room of `points` */
  PetscBool  wide; /* the impulses of this step are spread: `points` has the points of all ranks */
  CrImpulsePoint *points;
  /* Vectors of the impulse system (cone/impulse.h). For each point and part: load b, impulses j, mean velocities u. For
     each point: energy c to be returned, friction coefficient mu. */
  PetscReal *b, *j, *u, *c, *mu;
  PetscInt  *start, *column, room_entries;
  PetscReal *value;
  PetscInt  *marks; /* [nlocal] ranks that solve for points at a node; zero between uses */
  /* The log already contains the message that one rank solves the equations of points of several ranks. */
  PetscBool told;
  Mat       B; /* M, or M + h^2/4 K */
  KSP       ksp;
  Vec       right, *W; /* W: one per point */
  PetscInt  nW;
} VelocityUpdate;

/* ---- the impulse system (velocity_update_system.c) -------------------------------------------- */

PetscErrorCode VelocityUpdateSetUp(VelocityUpdate *vu, const CrModel *model);
PetscErrorCode VelocityUpdateDestroySystem(VelocityUpdate *vu);
/* Allocates the arrays for n points. */
PetscErrorCode VelocityUpdateFit(VelocityUpdate *vu, PetscInt n);
/* The linear system for the impulses of n contact points, with `parts` rows per point. The column numbers and matrix
   entries are stored in VelocityUpdate. */
typedef struct {
  PetscInt   n, parts;
  PetscInt  *start; /* [parts n + 1]; borrowed, like all below */
  PetscReal *b, *c, *mu;
} VelocityUpdateSystem;

/* Appends an entry to the columns and values. */
PetscErrorCode VelocityUpdateEntry(VelocityUpdate *vu, PetscInt *n, PetscInt column,
                                   PetscReal value);
/* Returns G^k . M^-1 G^l of the rigid body that two points share. */
PetscReal VelocityUpdateShared(const CrImpulsePoint *P, PetscInt p, const CrImpulsePoint *Q,
                               PetscInt q);
/* Solves a system for the impulses j, and with PARTS for the mean velocities u. */
PetscErrorCode VelocityUpdateSolve(const VelocityUpdate *vu, const VelocityUpdateSystem *system,
                                   PetscReal *j, PetscReal *u, PetscBool *converged);
/* Computes b of the points of this rank, with lumped mass. */
void VelocityUpdateLoads(VelocityUpdate *vu, const CrModel *model, PetscInt n);
/* Solves for the impulses of the n points of this rank with lumped mass: only points that share nodes or bodies are
   coupled (velocity_update_islands.c). Collective. */
PetscErrorCode VelocityUpdateIslands(VelocityUpdate *vu, const CrModel *model, PetscInt n,
                                     PetscBool *converged);
/* Computes A and b for impulses that are spread over the bodies, with the matrix M, or M + h^2/4 K if `stiff` is true.
   All points of a body are then coupled, and every rank has the points of all ranks. Collective. */
PetscErrorCode VelocityUpdateSpread(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                    PetscInt n);
/* Spread impulses would also change the velocities of supported nodes. The supports exert the opposite impulses. The
   function enters these impulses as reactions. Collective. */
PetscErrorCode VelocityUpdateReact(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                   PetscInt n, CrReactions *reactions);
/* Adds the change of velocity by the impulses to dv (local dofs): M^-1 sum j G, or sum j W if `wide` is true. G is the
   vector `along` of each part of an impulse. Collective. */
PetscErrorCode VelocityUpdateApply(VelocityUpdate *vu, const CrModel *model, PetscBool wide,
                                   PetscInt n);
