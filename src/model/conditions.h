/* Conditions are the loads and supports of `conditions:`. Each has a factor that depends on time. Constant gravity is
   not a condition: it has a potential, and is a member of the model. */
#pragma once

#include "model/model.h"

typedef enum { CR_CONSTANT, CR_RAMP, CR_WAVE, CR_TABLE } CrFactorKind;

/* A factor that depends on time. */
typedef struct {
  CrFactorKind kind;
  PetscReal    t0, t1;                        /* ramp: from 0 at t0 to 1 at t1 */
  PetscReal    mean, amplitude, omega, phase; /* wave; phase in radians */
  PetscInt     n;
  PetscReal   *table; /* n pairs (time, factor), ascending; the factor is constant outside; owned */
} CrFactor;

PetscErrorCode CrFactorRead(const CrDeckNode *condition, CrFactor *factor);
PetscReal      CrFactorAt(const CrFactor *factor, PetscReal t);
/* Return the first and the second derivative of the factor with respect to time. At a kink it is the derivative from
   the right, so that the velocity is zero at the time at which a motion stops. */
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

#define CR_CONDITION_NAME 256 /* greatest length of a name */

struct CrCondition {
  CrConditionKind kind;
  char name[CR_CONDITION_NAME]; /* name in the deck; default: place and kind of the condition */
  const CrDeckNode *where;      /* borrowed from the deck */
  CrFactor          factor;
  PetscReal         from, until; /* the condition acts between these times */
  PetscReal         value[3], acceleration[3];
  PetscBool         held[3]; /* for supports: the components that are prescribed */
  PetscInt  rigid; /* loads: number of the group of rigid bodies on which it acts; -1: none */
  PetscInt  nnodes;
  PetscInt *nodes; /* local nodes, for supports with ghosts, for loads without; owned */
  PetscReal *
      load; /* dead loads: nodal forces at factor 1 [nnodes*dim]; forces on each copy of a group of rigid
                      bodies [3*copies], NULL: `value` on each; owned */
  PetscReal    *start; /* supports: displacements of the nodes at the start [nnodes*dim], owned */
  PetscInt      nfacets;
  CrLocalFacet *facets; /* facets on which a pressure acts; owned */
};

extern const CrKey CrConditionKeys[];

/* Reads `conditions:` of the root. initial are the displacements at the start (local). Collective. */
PetscErrorCode CrConditionsRead(CrModel *model, const CrDeckNode *root, const PetscReal *initial);
PetscErrorCode CrConditionsDestroy(CrModel *model);
/* Adds a load whose forces the caller sets before each step, in `load` of the last condition. It acts on all nodes of
   a body with a mesh, or on the copies of a group of rigid bodies (the other number is -1). */
PetscErrorCode CrConditionsAddForce(CrModel *model, PetscInt body, PetscInt group);

/* ---- loads -------------------------------------------------------------------------------- */

/* Returns true if some condition loads deformable bodies at some time. All ranks get the same result. */
PetscBool CrLoadsExist(const CrModel *model);
/* Adds the loads at time t in the configuration u (local) to f (owned dofs), without constant gravity. */
PetscErrorCode CrLoadsAdd(const CrModel *model, PetscReal t, const PetscReal *u, PetscReal *f);
/* Adds the loads of the interval from t - span/2 to t + span/2 to f, as CrLoadsAdd does for the time t. A load that
   begins or ends in the interval is scaled by the fraction of the interval in which it acts. So the impulse of the
   load over all steps does not depend on the times at which steps end. */
PetscErrorCode CrLoadsAddOver(const CrModel *model, PetscReal t, PetscReal span, const PetscReal *u,
                              PetscReal *f);
/* Adds scale * d(loads)/du to A, for the loads of CrLoadsAddOver. Only follower pressure contributes. */
PetscErrorCode CrLoadsAddTangent(const CrModel *model, PetscReal t, PetscReal span,
                                 const PetscReal *u, PetscReal scale, Mat A);
/* Adds the weight by constant gravity to f (owned dofs). */
void CrGravityAdd(const CrModel *model, PetscReal *f);

/* Computes the accelerations a[3 n] of rigid bodies at time t, by constant gravity, varying gravity and forces. */
void CrRigidAccelerations(const CrModel *model, PetscReal t, PetscReal *a);
/* Computes these accelerations for the interval of CrLoadsAddOver. */
void CrRigidAccelerationsOver(const CrModel *model, PetscReal t, PetscReal span, PetscReal *a);

/* ---- supports ----------------------------------------------------------------------------- */

/* Prescribed motion in a step. The arrays have an entry per local dof. Without supports only the array `fixed`
   exists. */
typedef struct {
  char *fixed; /* 1: the dof is prescribed */
  PetscInt *
      owner; /* number of the condition that prescribes the dof; it has no meaning for other dofs */
  PetscReal *u, *v,
      *a; /* displacement, velocity, acceleration of prescribed dofs at the end of the step */
  PetscBool any; /* at least one rank has a prescribed dof */
} CrSupports;

PetscErrorCode CrSupportsCreate(const CrModel *model, CrSupports *supports);
PetscErrorCode CrSupportsDestroy(CrSupports *supports);
/* Computes the prescribed motion for the step from t to t+h, which starts from u0 (local). */
PetscErrorCode CrSupportsAt(const CrModel *model, PetscReal t, PetscReal h, const PetscReal *u0,
                            CrSupports *supports);
/* Computes free[nbodies]: the number of rigid motions of each body that the supports at the start do not prevent.
   Collective. */
PetscErrorCode CrSupportsFreeMotions(const CrModel *model, PetscInt *free);
/* Refuses a body that could move or turn freely in a quasi-static analysis. Collective. */
PetscErrorCode CrSupportsCheckStatic(const CrModel *model, const CrDeck *deck);
