/* Conditions are the loads and supports under the key `conditions:` of the deck. Each condition has a factor that
   depends on time. Constant gravity is not a condition, because it has a potential. The acceleration of constant
   gravity is a member of the model. */
#pragma once

#include "model/model.h"

typedef enum { CR_CONSTANT, CR_RAMP, CR_WAVE, CR_TABLE } CrFactorKind;

/* A factor that depends on time. */
typedef struct {
  CrFactorKind kind;
  PetscReal    t0, t1; /* ramp: the factor grows from 0 at t0 to 1 at t1 */
  /* wave: mean + amplitude * sin(omega t + phase), phase in radians */
  PetscReal mean, amplitude, omega, phase;
  PetscInt  n;
  /* n pairs (time, factor), ascending in time; before and after them the factor is constant; owned */
  PetscReal *table;
} CrFactor;

PetscErrorCode CrFactorRead(const CrDeckNode *condition, CrFactor *factor);
PetscReal      CrFactorAt(const CrFactor *factor, PetscReal t);
/* Return the first and the second derivative of the factor with respect to time. At a kink they return the derivative
   from the right, so that the velocity is zero at the time at which a motion stops. */
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
  /* name in the deck; default: body or set, and kind of the condition */
  char              name[CR_CONDITION_NAME];
  const CrDeckNode *where; /* borrowed from the deck */
  CrFactor          factor;
  PetscReal         from, until; /* the condition acts between these times */
  PetscReal         value[3], acceleration[3];
  PetscBool         held[3]; /* for supports: true for the components that are prescribed */
  /* for loads: number of the group of rigid bodies on which the load acts; -1: none */
  PetscInt rigid;
  PetscInt nnodes;
  /* local numbers of the nodes, with ghosts for supports, without ghosts for loads; owned */
  PetscInt *nodes;
  /* dead loads: nodal forces [nnodes*dim] for the factor 1, or forces [3*copies] on each copy of a group of rigid
     bodies. NULL: the force `value` acts on each copy. Owned. */
  PetscReal *load;
  /* supports: displacements [nnodes*dim] of the nodes at the start of the run; owned */
  PetscReal    *start;
  PetscInt      nfacets;
  CrLocalFacet *facets; /* facets on which a pressure acts; owned */
};

extern const CrKey CrConditionKeys[];

/* Reads the key `conditions:` of the deck. `initial` are the displacements of local dofs at the start. Collective. */
PetscErrorCode CrConditionsRead(CrModel *model, const CrDeckNode *root, const PetscReal *initial);
PetscErrorCode CrConditionsDestroy(CrModel *model);
/* Adds a load as the last condition of the model. Before each step, the caller sets the forces of this load in the
   member `load`. The load acts on all nodes of a body with a mesh (then group is -1), or on the copies of a group of
   rigid bodies (then body is -1). */
PetscErrorCode CrConditionsAddForce(CrModel *model, PetscInt body, PetscInt group);

/* ---- loads -------------------------------------------------------------------------------- */

/* Returns true if some condition loads deformable bodies at some time. All ranks get the same result. */
PetscBool CrLoadsExist(const CrModel *model);
/* Adds to f (owned dofs) the loads at time t in the configuration with the displacements u (local dofs). Constant
   gravity is not included. */
PetscErrorCode CrLoadsAdd(const CrModel *model, PetscReal t, const PetscReal *u, PetscReal *f);
/* Adds to f the loads of the interval from t - span/2 to t + span/2, as CrLoadsAdd does for the time t. A load that
   begins or ends in the interval is scaled by the fraction of the interval in which it acts. So the impulse of the load
   over all steps does not depend on the times at which steps end. */
PetscErrorCode CrLoadsAddOver(const CrModel *model, PetscReal t, PetscReal span, const PetscReal *u,
                              PetscReal *f);
/* Adds scale * d(loads)/du to A, where the loads are those of CrLoadsAddOver. Only follower pressure contributes. */
PetscErrorCode CrLoadsAddTangent(const CrModel *model, PetscReal t, PetscReal span,
                                 const PetscReal *u, PetscReal scale, Mat A);
/* Adds to f (owned dofs) the weight by constant gravity. */
void CrGravityAdd(const CrModel *model, PetscReal *f);

/* Computes the accelerations a[3 n] of rigid bodies at time t, by constant gravity, varying gravity and forces. */
void CrRigidAccelerations(const CrModel *model, PetscReal t, PetscReal *a);
/* Computes the accelerations a[3 n] of rigid bodies as CrRigidAccelerations does, but for the interval of
   CrLoadsAddOver. */
void CrRigidAccelerationsOver(const CrModel *model, PetscReal t, PetscReal span, PetscReal *a);

/* ---- supports ----------------------------------------------------------------------------- */

/* The motion that supports prescribe in a step. The arrays have an entry per local dof. If the model has no supports,
   only the array `fixed` exists. */
typedef struct {
  char     *fixed; /* 1: the dof is prescribed */
  PetscInt *owner; /* number of the condition that prescribes the dof; undefined for other dofs */
  /* displacement, velocity and acceleration of prescribed dofs at the end of the step */
  PetscReal *u, *v, *a;
  PetscBool  any; /* at least one rank has a prescribed dof */
} CrSupports;

PetscErrorCode CrSupportsCreate(const CrModel *model, CrSupports *supports);
PetscErrorCode CrSupportsDestroy(CrSupports *supports);
/* Computes the prescribed motion in the step from t to t+h, which starts from the displacements u0 (local dofs). */
PetscErrorCode CrSupportsAt(const CrModel *model, PetscReal t, PetscReal h, const PetscReal *u0,
                            CrSupports *supports);
/* Computes free[nbodies]: the number of rigid motions of each body that the supports at the start do not prevent.
   Collective. */
PetscErrorCode CrSupportsFreeMotions(const CrModel *model, PetscInt *free);
/* Ends with an error message if a body could move or rotate freely in a quasi-static analysis. Collective. */
PetscErrorCode CrSupportsCheckStatic(const CrModel *model, const CrDeck *deck);
