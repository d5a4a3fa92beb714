/* Declarations that the source files of the time integration method `velocity-update` share (theory 16). At the end of
   a step, impulses at contact points change the velocities so that the energy balance is exact. */
#pragma once

#include "cone/impulse.h"
#include "integrate/middle.h"

typedef enum { UPDATE_AUTO, UPDATE_LOCAL, UPDATE_SPREAD, UPDATE_OFF } VelocityUpdateKind;

typedef struct {
  CrMiddle  middle;
  PetscBool augmented;
  PetscInt  augmentations;
  /* penetration at which augmentation ends; < 0: chosen by the program */
  PetscReal          gap_tolerance;
  VelocityUpdateKind update;
  CrImpulseKind      kind; /* kind of impulses (cone/impulse.h) */
  /* energy that contact has created so far and that later impulses must remove; in checkpoints */
  PetscReal  bank;
  PetscReal *mass; /* [nlocal] lumped masses of all nodes of this rank; owned, like all below */
  PetscReal *v;    /* [local dofs] velocities before the impulses */
  /* number of contact points that are pressed in this step; allocated length of `points` */
  PetscInt npoints, room;
  /* true: the impulses of this step act on whole bodies; then `points` has the points of all ranks */
  PetscBool       wide;
  CrImpulsePoint *points;
  /* Vectors of the impulse system (cone/impulse.h). For each point and part of an impulse: right-hand side b, impulse
     j, mean velocity u. For each point: energy c to be returned, and friction coefficient mu. */
  PetscReal *b, *j, *u, *c, *mu;
  PetscInt  *start, *column, room_entries;
  PetscReal *value;
  /* [nlocal] 1 + number of the rank that solves for the contact points at a node; zero between uses */
  PetscInt *marks;
  /* True if the program has already printed that one rank solves the equations of contact points of several ranks. */
  PetscBool told;
  Mat       B; /* matrix for impulses that are spread over the bodies: M, or M + h^2/4 K */
  KSP       ksp;
  Vec       right, *W; /* right: right-hand side; W: velocities by a unit impulse at each point */
  PetscInt  nW;
} VelocityUpdate;

/* ---- the impulse system (velocity_update_system.c) -------------------------------------------- */

PetscErrorCode VelocityUpdateSetUp(VelocityUpdate *vu, const CrModel *model);
PetscErrorCode VelocityUpdateDestroySystem(VelocityUpdate *vu);
/* Allocates the arrays of VelocityUpdate for n contact points. */
PetscErrorCode VelocityUpdateFit(VelocityUpdate *vu, PetscInt n);
/* The linear system for the impulses of n contact points, with `parts` rows per point. The column numbers and matrix
   entries are stored in VelocityUpdate. */
typedef struct {
  PetscInt   n, parts;
  PetscInt  *start; /* [parts n + 1] first entry of each row; borrowed, like all below */
  PetscReal *b, *c, *mu;
} VelocityUpdateSystem;

/* Appends an entry to the sparse matrix: vu->column[*n] and vu->value[*n]. Increases *n by one. */
PetscErrorCode VelocityUpdateEntry(VelocityUpdate *vu, PetscInt *n, PetscInt column,
                                   PetscReal value);
/* Returns G_p . M^-1 G_q for part p of the impulse at point P and part q of the impulse at point Q. Only the mass of
   the rigid body that both points share contributes. */
PetscReal VelocityUpdateShared(const CrImpulsePoint *P, PetscInt p, const CrImpulsePoint *Q,
                               PetscInt q);
/* Solves the system for the impulses j and, if vu->kind divides impulses into parts, for the mean velocities u. */
PetscErrorCode VelocityUpdateSolve(const VelocityUpdate *vu, const VelocityUpdateSystem *system,
                                   PetscReal *j, PetscReal *u, PetscBool *converged);
/* Computes the right-hand side b for the n contact points of this rank, with lumped mass. */
void VelocityUpdateLoads(VelocityUpdate *vu, const CrModel *model, PetscInt n);
/* Solves for the impulses of the n contact points of this rank, with lumped mass. With lumped mass, only points that
   share nodes or rigid bodies are coupled (velocity_update_islands.c). Collective. */
PetscErrorCode VelocityUpdateIslands(VelocityUpdate *vu, const CrModel *model, PetscInt n,
                                     PetscBool *converged);
/* Computes the matrix and the right-hand side b of the impulse system for impulses that are spread over the bodies. The
   velocities follow from the impulses by the matrix M, or by M + h^2/4 K if `stiff` is true. All points of a body are
   then coupled, and every rank has the points of all ranks. Collective. */
PetscErrorCode VelocityUpdateSpread(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                    PetscInt n);
/* Enters the impulses of supports into `reactions`. Spread impulses would change the velocities of supported nodes, so
   the supports exert the opposite impulses. Collective. */
PetscErrorCode VelocityUpdateReact(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                   PetscInt n, CrReactions *reactions);
/* Adds to dv (local dofs) the change of velocity by the impulses: M^-1 sum j G, or sum j W if `wide` is true. G is the
   vector `along` of each part of an impulse (CrImpulsePoint). Collective. */
PetscErrorCode VelocityUpdateApply(VelocityUpdate *vu, const CrModel *model, PetscBool wide,
                                   PetscInt n);
