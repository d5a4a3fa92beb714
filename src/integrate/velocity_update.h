/* What the files of the velocity update share. */
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
  PetscReal          bank; /* energy that impulses could not give back yet; archived */
  PetscReal         *mass; /* [nlocal] lumped, all nodes of this rank; owned, as all below */
  PetscReal         *v;    /* local dofs: velocities before the impulses */
  PetscInt           npoints, room; /* pressed in this step; room for points */
  CrImpulsePoint    *points;
  PetscReal         *b, *c, *j; /* of the impulse system */
  PetscInt          *start, *column, room_entries;
  PetscReal         *value;
  PetscInt          *touching_start, *touching; /* points by node */
  Mat                B;                         /* M, or M + h^2/4 K */
  KSP                ksp;
  Vec                right, *W; /* W: one per point */
  PetscInt           nW;
} VelocityUpdate;

/* ---- the impulse system (velocity_update_system.c) -------------------------------------------- */

PetscErrorCode VelocityUpdateSetUp(VelocityUpdate *vu, const CrModel *model);
PetscErrorCode VelocityUpdateDestroySystem(VelocityUpdate *vu);
/* Room for n points. */
PetscErrorCode VelocityUpdateFit(VelocityUpdate *vu, PetscInt n);
/* A and b with lumped mass: only points that share nodes couple. */
PetscErrorCode VelocityUpdateLocal(VelocityUpdate *vu, const CrModel *model, PetscInt n);
/* The same with impulses that M, or M + h^2/4 K (stiff), spreads over the bodies: everything couples. Collective. */
PetscErrorCode VelocityUpdateSpread(VelocityUpdate *vu, const CrModel *model, PetscBool stiff,
                                    PetscInt n);
/* dv += M^-1 sum j G, or sum j W (wide); local dofs. */
PetscErrorCode VelocityUpdateApply(VelocityUpdate *vu, const CrModel *model, PetscBool wide,
                                   PetscInt n);
