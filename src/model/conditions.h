/* Loads and supports, each with its history in time. Constant gravity is not among them: it has a
   potential and stands in the model. */
#pragma once

#include "model/model.h"

typedef enum { CR_CONSTANT, CR_RAMP, CR_WAVE, CR_TABLE } CrFactorKind;

/* A factor of time. */
typedef struct {
  CrFactorKind kind;
  PetscReal    t0, t1;                        /* ramp from 0 to 1 */
  PetscReal    mean, amplitude, omega, phase; /* wave; phase in radians */
  PetscInt     n;
  PetscReal   *table; /* n pairs (time, factor), ascending; constant outside; owned */
} CrFactor;

PetscErrorCode CrFactorRead(const CrDeckNode *condition, CrFactor *factor);
PetscReal      CrFactorAt(const CrFactor *factor, PetscReal t);
/* Derivatives from the right, so that a motion that stops has stopped. */
PetscReal CrFactorSlope(const CrFactor *factor, PetscReal t);
PetscReal CrFactorCurvature(const CrFactor *factor, PetscReal t);

typedef enum {
  CR_FIX,
  CR_DISPLACEMENT,
  CR_MOTION,
  CR_DEAD_LOAD,
  CR_PRESSURE,
  CR_GRAVITY
} CrConditionKind;

struct CrCondition {
  CrConditionKind   kind;
  const CrDeckNode *where; /* borrowed from the deck */
  CrFactor          factor;
  PetscReal         from, until; /* acts between these times */
  PetscReal         value[3], acceleration[3];
  PetscBool         held[3]; /* supports: which components */
  PetscInt          rigid;   /* force on this group of rigid bodies, -1: none */
  PetscInt          nnodes;
  PetscInt         *nodes; /* local; supports: ghosts too; loads: owned only; owned */
  PetscReal        *load;  /* dead loads: nodal forces at factor 1 [nnodes*dim], owned */
  PetscReal    *start; /* displacements: where the nodes were at the start [nnodes*dim], owned */
  PetscInt      nfacets;
  CrLocalFacet *facets; /* pressure; owned */
};

extern const CrKey CrConditionKeys[];

/* Reads `conditions:`. initial: displacements at the start, local. Collective. */
PetscErrorCode CrConditionsRead(CrModel *model, const CrDeckNode *list, const PetscReal *initial);
PetscErrorCode CrConditionsDestroy(CrModel *model);

/* ---- loads -------------------------------------------------------------------------------- */

/* Whether any condition loads deformable bodies, at some time; the same on every rank. */
PetscBool CrLoadsExist(const CrModel *model);
/* f += loads at time t in the configuration u (local), on owned dofs; without constant gravity. */
PetscErrorCode CrLoadsAdd(const CrModel *model, PetscReal t, const PetscReal *u, PetscReal *f);
/* The same for the time from t - span/2 to t + span/2: a load whose `from` or `until` falls into it acts
   with the part of it that is in between, so that the sum over steps is its impulse, wherever steps end. */
PetscErrorCode CrLoadsAddOver(const CrModel *model, PetscReal t, PetscReal span, const PetscReal *u,
                              PetscReal *f);
/* A += scale * d(loads)/du, of CrLoadsAddOver: follower pressure only. */
PetscErrorCode CrLoadsAddTangent(const CrModel *model, PetscReal t, PetscReal span,
                                 const PetscReal *u, PetscReal scale, Mat A);
/* f += weight of constant gravity, on owned dofs. */
void CrGravityAdd(const CrModel *model, PetscReal *f);

/* Accelerations of the rigid bodies at time t: constant gravity, varying gravity, forces; a[3 n]. */
void CrRigidAccelerations(const CrModel *model, PetscReal t, PetscReal *a);
void CrRigidAccelerationsOver(const CrModel *model, PetscReal t, PetscReal span, PetscReal *a);

/* ---- supports ----------------------------------------------------------------------------- */

/* What supports demand of a step; arrays by local dof. */
typedef struct {
  char      *fixed; /* 1: prescribed */
  PetscReal *u, *v,
      *a;        /* displacement, velocity, acceleration at the end of the step where fixed */
  PetscBool any; /* on some rank */
} CrSupports;

PetscErrorCode CrSupportsCreate(const CrModel *model, CrSupports *supports);
PetscErrorCode CrSupportsDestroy(CrSupports *supports);
/* For the step from t to t+h that starts from u0 (local). */
PetscErrorCode CrSupportsAt(const CrModel *model, PetscReal t, PetscReal h, const PetscReal *u0,
                            CrSupports *supports);
/* free[nbodies]: how many rigid motions the supports of the start leave each body. Collective. */
PetscErrorCode CrSupportsFreeMotions(const CrModel *model, PetscInt *free);
/* Refuses a body that a quasi-static analysis would let drift or turn freely. Collective. */
PetscErrorCode CrSupportsCheckStatic(const CrModel *model, const CrDeck *deck);
