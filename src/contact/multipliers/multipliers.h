/* Contact of explicit steps: multipliers on the rate of the gap after the step (reference EXD; theory 19).

   v = v* + kick M^-1 sum_s W_s^T (lam_N nu - lam_T)   with   lam_N >= 0,  r_N <= b,  |lam_T| <= mu lam_N,

   Here r_N = -nu.w is the closing rate and w = v_s - sum N_a v_a the relative velocity of a pair. Multipliers are
   forces. A multiplier belongs to the slave, even if the slave changes its facet. A rank has the pairs whose slaves it
   owns. */
#pragma once

#include "contact/contact.h"

typedef enum {
  CR_ALGORITHM_3,
  CR_ALGORITHM_LEGACY,
  CR_ALGORITHM_1,
  CR_ALGORITHM_2,
  CR_ALGORITHM_SYM
} CrAlgorithm;

typedef enum { CR_CONSTRAINT_OFFSET, CR_CONSTRAINT_GAP, CR_CONSTRAINT_RATE } CrConstraint;

typedef enum { CR_INNER_JACOBI, CR_INNER_NESTEROV, CR_INNER_GAUSS_SEIDEL } CrInner;

typedef struct {
  CrAlgorithm  algorithm;
  CrConstraint constraint;
  CrInner      inner;
  PetscInt     iterations, outer;
  /* a node may still touch if it is beyond the end of the master by this fraction of a facet */
  PetscReal overhang;
  /* the iteration ends when velocities change by less than this; 0: the number of iterations is fixed */
  PetscReal tolerance;
  PetscBool returns; /* when a pair separates, it gets the energy back that its impact lost */
} CrMultiplierOptions;

typedef struct CrMultipliers CrMultipliers;

/* Creates the contact of an explicit method. inverse_mass [nlocal] is copied. The history gets room for multipliers.
   */
PetscErrorCode CrMultipliersCreate(CrContact *contact, const CrMultiplierOptions *options,
                                   const PetscReal *inverse_mass, CrContactHistory *history,
                                   CrMultipliers **multipliers);
PetscErrorCode CrMultipliersDestroy(CrMultipliers **multipliers);
/* Called after a restart has read the archive. Surfaces are at u (local), obstacles at time t. */
PetscErrorCode CrMultipliersResume(CrMultipliers *multipliers, const PetscReal *u,
                                   const CrRigidState *rigid, PetscReal t);

/* Is called once, at the start of a run. Stores penetrations in the history, and removes from the initial accelerations
   the part that would let closed contacts penetrate. a are the local accelerations. rigid_a [6n] are accelerations and
   rates of angular momentum of rigid bodies. fixed marks prescribed local dofs; NULL: there are none. */
PetscErrorCode CrMultipliersStart(CrMultipliers *multipliers, CrContactHistory *history,
                                  const PetscReal *u, const char *fixed, PetscReal t,
                                  const CrRigidState *rigid, PetscReal *a, PetscReal *rigid_a);

/* Data of one step, from the displacements u0 at time t to u0 + h v. v0 are the velocities of the last step. kick is
   the time over which forces act. CrMultipliersSolve gets the velocities v* without contact (local, with ghosts) and
   adds contact to them. */
typedef struct {
  const PetscReal *u0, *v0;
  const char      *fixed;          /* NULL: no dof is prescribed */
  PetscReal        t, h, h0, kick; /* h0: size of the step before */
  /* Rigid bodies of finite mass: state at t_n with the velocities of the step before, and accelerations without
     contact [3n]. */
  const CrRigidState *rigid;
  const PetscReal    *rigid_a;
} CrMultiplierStep;

/* Finds pairs and multipliers, and adds contact to v. *too_far is true if surfaces move so far in the step that a slave
   may have passed through a surface undetected. The other results are then invalid, and the step must be divided.
   Collective. */
PetscErrorCode CrMultipliersSolve(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                  PetscReal *v, PetscInt *iterations, PetscBool *too_far);
/* Works of the pairs of this rank in the last solution: the work of normal forces, and the work of moving obstacles and
   of the overlap ramp together. The ledger has the friction loss. */
typedef struct {
  PetscReal normal, obstacles;
  /* sum of absolute values: an upper bound of the energy that obstacles add */
  PetscReal obstacles_size;
} CrMultiplierWorks;

/* Computes these works, and writes contact forces on the nodes that this rank owns to contact->picture->force.
   Collective. */
PetscErrorCode CrMultipliersWork(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                 const PetscReal *v1, CrMultiplierWorks *works);
/* Computes the gaps of the pairs of this rank at u1, and enters contacts, friction loss and penetration into the ledger
   of the step. Returns this ledger, with the entries of this rank. The caller adds those of all ranks (CrTallyPack),
   in an exchange that it makes anyway. */
CrTally *CrMultipliersCount(CrMultipliers *multipliers, const CrMultiplierStep *step,
                            const PetscReal *u1, const CrContactHistory *history);
/* Accepts the step. Call it after CrMultipliersCount, when the ledger has the entries of all ranks. Stores multipliers
   and slip in the history. Copies the ledger to contact->picture and to the report; the caller reports the other
   works. */
void CrMultipliersCommit(CrMultipliers *multipliers, const CrMultiplierStep *step,
                         CrContactHistory *history, CrStepReport *report);
/* Returns the state of the rigid bodies at the end of the last solution; the caller must not free it. */
const CrRigidState *CrMultipliersRigidEnd(const CrMultipliers *multipliers);
/* Sets the displacements of contact nodes to u1 = u0 + h v1, except for prescribed dofs. */
void CrMultipliersMove(const CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v1, PetscReal *u1);
