/* Shared by the files of the velocity update (theory 16). */
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
  CrImpulseKind      kind; /* PARTS: impulses with friction of their own */
  PetscReal          bank; /* energy created so far that later impulses must take back; archived */
  PetscReal *mass; /* [nlocal] lumped masses of all nodes of this rank; owned, like all below */
  PetscReal *v;    /* velocities before the impulses, by local dof */
  PetscInt   npoints, room; /* number of points pressed in this step; room of `points` */
  CrImpulsePoint *points;
  /* Vectors of the impulse system (cone/impulse.h), by point and part: load, impulses, mean velocities; by point:
     energy owed, friction coefficient. */
  PetscReal *b, *j, *u, *c, *mu;
  PetscInt  *start, *column, room_entries;
  PetscReal *value;
  PetscInt  *touching_start, *touching; /* points at each node and rigid body, compressed rows */
  Mat        B;                         /* M, or M + h^2/4 K */
  KSP        ksp;
  Vec        right, *W; /* W: one per point */
  PetscInt   nW;
} VelocityUpdate;

/* ---- the impulse system (velocity_update_system.c) -------------------------------------------- */

PetscErrorCode VelocityUpdateSetUp(VelocityUpdate *vu, const CrModel *model);
PetscErrorCode VelocityUpdateDestroySystem(VelocityUpdate *vu);
/* Room for n points. */
PetscErrorCode VelocityUpdateFit(VelocityUpdate *vu, PetscInt n);
/* Fills A and b of the impulse system with lumped mass: only points that share nodes are coupled. */
PetscErrorCode VelocityUpdateLocal(VelocityUpdate *vu, const CrModel *model, PetscInt n);
/* The same with impulses that are spread over the bodies by M, or by M + h^2/4 K if `stiff`. Then all points of a
   body are coupled. Collective. */
PetscErrorCode VelocityUpdateSpread(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                    PetscInt n);
/* Spread impulses also move supported nodes. The supports take up these parts; this enters them as reactions. Collective. */
PetscErrorCode VelocityUpdateReact(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                   PetscInt n, CrReactions *reactions);
/* Adds the change of velocity to dv (local dofs): M^-1 sum j G, or sum j W if `wide`. G: `along` of each part. */
PetscErrorCode VelocityUpdateApply(VelocityUpdate *vu, const CrModel *model, PetscBool wide,
                                   PetscInt n);
