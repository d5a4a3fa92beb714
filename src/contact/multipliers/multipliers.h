/* Contact in explicit time steps. The unknowns are Lagrange multipliers, which limit the rate at which gaps close after
   the step (theory 19; docs/references.md, EXD). With the velocities v* without contact, the velocities v satisfy

     v = v* + kick M^-1 sum_s W_s^T (lam_N nu - lam_T)   with   lam_N >= 0,  r_N <= b,  |lam_T| <= mu lam_N.

   The sum goes over all pairs s. Here a pair is one slave in contact with its master, not a pair of the deck. The
   relative velocity of a pair is w = v_s - sum N_a v_a, and its closing rate is r_N = -nu . w. b is the greatest
   closing rate that is allowed, and `kick` is the time over which forces act. M is the lumped mass matrix, and W_s
   contains the weights 1 and -N_a of the pair's nodes. Multipliers are forces. A multiplier belongs to the slave, even
   if the slave changes its facet. A rank has the pairs whose slaves it owns. */
#pragma once

#include "contact/contact.h"

/* The contact algorithms of theory 19.2. They differ in the positions at which the program searches for contact, and in
   the initial values of the iteration. */
typedef enum {
  CR_ALGORITHM_3,
  CR_ALGORITHM_LEGACY,
  CR_ALGORITHM_1,
  CR_ALGORITHM_2,
  CR_ALGORITHM_SYM
} CrAlgorithm;

/* The quantity that is zero at an active contact. GAP: the gap at the end of the step. OFFSET: the gap, but penetration
   that exists when contact begins is not removed. RATE: the rate of the gap. */
typedef enum { CR_CONSTRAINT_OFFSET, CR_CONSTRAINT_GAP, CR_CONSTRAINT_RATE } CrConstraint;

/* The iteration that computes the contact forces of a step. CLOSING is not an option of the deck: closing (close.h)
   alternates Gauss-Seidel sweeps with conjugate gradients for the normal forces. */
typedef enum {
  CR_INNER_JACOBI,
  CR_INNER_NESTEROV,
  CR_INNER_GAUSS_SEIDEL,
  CR_INNER_CLOSING
} CrInner;

typedef struct {
  CrAlgorithm  algorithm;
  CrConstraint constraint;
  CrInner      inner;
  /* iterations: number of iterations for the contact forces per contact search. outer: number of contact searches per
     step (algorithm 2) or of gap checks per step (algorithm sym). */
  PetscInt iterations, outer;
  /* a slave beyond the end of the master by less than this fraction of a facet may still touch */
  PetscReal overhang;
  /* the iteration ends when velocities change by less than this value; 0: the number of iterations is fixed */
  PetscReal tolerance;
  PetscBool returns; /* when a pair separates, it gets back the energy that its impact lost */
} CrMultiplierOptions;

typedef struct CrMultipliers CrMultipliers;

/* Creates the contact data of an explicit method. inverse_mass[nlocal] are the inverse nodal masses, which are copied.
   The history gets space for the multipliers. */
PetscErrorCode CrMultipliersCreate(CrContact *contact, const CrMultiplierOptions *options,
                                   const PetscReal *inverse_mass, CrContactHistory *history,
                                   CrMultipliers **multipliers);
PetscErrorCode CrMultipliersDestroy(CrMultipliers **multipliers);
/* Restores the contact data after a restart has read the checkpoint. u are the local displacements, and t is the time
   that determines the positions of obstacles. */
PetscErrorCode CrMultipliersResume(CrMultipliers *multipliers, const PetscReal *u,
                                   const CrRigidState *rigid, PetscReal t);

/* Stores initial penetrations in the history, and removes from the initial accelerations the part that would let closed
   contacts penetrate. a are the accelerations of local dofs. rigid_a[6n] are accelerations and rates of angular
   momentum of the rigid bodies. fixed[] marks prescribed local dofs; NULL: there are none. Called once, at the start of
   a run. */
PetscErrorCode CrMultipliersStart(CrMultipliers *multipliers, CrContactHistory *history,
                                  const PetscReal *u, const char *fixed, PetscReal t,
                                  const CrRigidState *rigid, PetscReal *a, PetscReal *rigid_a);

/* Data of one step, from the displacements u0 at time t to the displacements u0 + h v. v0 are the velocities of the
   last step. `kick` is the time over which forces act. */
typedef struct {
  const PetscReal *u0, *v0;
  const char      *fixed;          /* [local dofs] marks prescribed dofs; NULL: there are none */
  PetscReal        t, h, h0, kick; /* h: step size; h0: size of the last step */
  /* Rigid bodies of finite mass: their state at t_n with the velocities of the last step, and their accelerations
     without contact, [3n]. */
  const CrRigidState *rigid;
  const PetscReal    *rigid_a;
} CrMultiplierStep;

/* Finds the pairs and multipliers of the step, and changes v by the contact forces. On entry v are the velocities v*
   without contact, at local nodes with ghosts. *iterations is the number of iterations. *too_far is true if surfaces
   move so far in the step that a slave may have passed through a surface undetected. The other results are then
   invalid, and the step must be divided. Collective. */
PetscErrorCode CrMultipliersSolve(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                  PetscReal *v, PetscInt *iterations, PetscBool *too_far);
/* Work of contact forces in the last solution, for the pairs of this rank. normal: work of normal forces. obstacles:
   work of moving obstacles, plus the work done while initial penetration is removed. The ledger (tally.h) has the
   friction loss. */
typedef struct {
  PetscReal normal, obstacles;
  /* sum of the absolute values of these works: an upper bound of the energy that obstacles add */
  PetscReal obstacles_size;
} CrMultiplierWorks;

/* Computes `works`, and writes to contact->picture->force the contact forces on the nodes that this rank owns. v1 are
   the velocities after the step. Collective. */
PetscErrorCode CrMultipliersWork(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                 const PetscReal *v1, CrMultiplierWorks *works);
/* Computes the gaps of the pairs of this rank at the displacements u1. Enters contacts, friction loss and penetration
   into the ledger of the step. Returns this ledger, which has only the entries of this rank. The caller sums it over
   the ranks with CrTallyPack, together with other data that it exchanges. */
CrTally *CrMultipliersCount(CrMultipliers *multipliers, const CrMultiplierStep *step,
                            const PetscReal *u1, const CrContactHistory *history);
/* Accepts the step. Stores multipliers and slip in the history. Copies the ledger to contact->picture and to the
   report. The caller adds to the report the works of CrMultiplierWorks. Call this function after CrMultipliersCount,
   when the ledger has the entries of all ranks. */
void CrMultipliersCommit(CrMultipliers *multipliers, const CrMultiplierStep *step,
                         CrContactHistory *history, CrStepReport *report);
/* Returns the state of the rigid bodies at the end of the last solution. The caller must not free this state. */
const CrRigidState *CrMultipliersRigidEnd(const CrMultipliers *multipliers);
/* Sets the displacements of the nodes of contact surfaces to u1 = u0 + h v1, except for prescribed dofs. */
void CrMultipliersMove(const CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v1, PetscReal *u1);
