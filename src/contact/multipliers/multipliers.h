/* Contact of explicit steps: multipliers on the rate of the gap after the step (EXD; theory 19).

   v = v* + kick M^-1 sum_s W_s^T (lam_N nu - lam_T)   with   lam_N >= 0,  r_N <= b,  |lam_T| <= mu lam_N,

   r_N = -nu.w the closing rate and w = v_s - sum N_a v_a the relative velocity of a pair. Multipliers
   are forces; they belong to the slave node, whatever facet it is on. Every rank knows all pairs, as
   everywhere in this folder; where many press, the ranks share the work of finding them and of the
   iteration (pairing_share.c). */
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
  PetscReal overhang;  /* part of a facet beyond an end of the master that still counts as on it */
  PetscReal tolerance; /* iterations end when velocities change by less; 0: never */
  PetscBool returns;   /* energy that pairs lose in impacts is given back when they open */
} CrMultiplierOptions;

typedef struct CrMultipliers CrMultipliers;

/* inverse_mass: [nlocal], copied. history: the contact's; it gets room for multipliers. */
PetscErrorCode CrMultipliersCreate(CrContact *contact, const CrMultiplierOptions *options,
                                   const PetscReal *inverse_mass, CrContactHistory *history,
                                   CrMultipliers **multipliers);
PetscErrorCode CrMultipliersDestroy(CrMultipliers **multipliers);
/* After what was archived has been read back: surfaces are at u (local), obstacles at time t. */
PetscErrorCode CrMultipliersResume(CrMultipliers *multipliers, const PetscReal *u,
                                   const CrRigidState *rigid, PetscReal t);

/* The start, once: notes overlaps, and takes from the accelerations a (local) what would close gaps
   that are closed. fixed: local dofs that are prescribed, NULL: none. rigid_a: [6n] of rigid bodies,
   accelerations and rates of angular momentum, likewise. */
PetscErrorCode CrMultipliersStart(CrMultipliers *multipliers, CrContactHistory *history,
                                  const PetscReal *u, const char *fixed, PetscReal t,
                                  const CrRigidState *rigid, PetscReal *a, PetscReal *rigid_a);

/* One step, from u0 at t to u0 + h v; v0: velocities of the step before, kick: time over which forces
   act. v (local, ghosts too) comes in as v* and leaves with contact; only nodes of contact change. */
typedef struct {
  const PetscReal *u0, *v0;
  const char      *fixed;          /* NULL: no dof is prescribed */
  PetscReal        t, h, h0, kick; /* h0: size of the step before */
  /* rigid bodies of finite mass, if there are: state at t_n (velocities of the step before), their
     accelerations without contact [3n] */
  const CrRigidState *rigid;
  const PetscReal    *rigid_a;
} CrMultiplierStep;

/* Collective. *too_far: surfaces move so much in the step that something may have gone through unseen; nothing
   else is of use then, and the step must be cut. */
PetscErrorCode CrMultipliersSolve(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                  PetscReal *v, PetscInt *iterations, PetscBool *too_far);
/* Works of the last solution, over all points: normal, of moving obstacles and of overlaps that are
   pushed out; the loss of friction is entered when the step is accepted. Contact forces stand in
   contact->picture->force then (all local nodes). */
typedef struct {
  PetscReal normal, obstacles;
  PetscReal obstacles_size; /* sum of absolute values: what they may have put in */
} CrMultiplierWorks;

void CrMultipliersWork(CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v1, CrMultiplierWorks *works);
/* The gaps of the report, at u1 and t + h: where many press, each rank finds a share, and the caller
   tells all of them, in an exchange that it makes anyway. How many places a rank needs for its own,
   the same on every rank (0: nothing is shared); the gaps; those of all ranks, `stride` apart. */
PetscInt CrMultipliersShare(const CrMultipliers *multipliers);
void     CrMultipliersGaps(const CrMultipliers *multipliers, const PetscReal *u1, PetscReal t1,
                           PetscReal *gaps);
PetscErrorCode CrMultipliersTakeGaps(CrMultipliers *multipliers, PetscInt stride,
                                     const PetscReal *gaps);
/* The step is accepted, after CrMultipliersWork: takes over multipliers and slip, enters contacts, friction loss and
   penetration into the ledger and the report (the other works are the caller's). */
PetscErrorCode CrMultipliersCommit(CrMultipliers *multipliers, const CrMultiplierStep *step,
                                   const PetscReal *u1, CrContactHistory *history,
                                   CrStepReport *report);
/* Where the last solution leads the rigid bodies; borrowed. */
const CrRigidState *CrMultipliersRigidEnd(const CrMultipliers *multipliers);
/* Displacements of the nodes of contact: u1 = u0 + h v where nothing is prescribed. */
void CrMultipliersMove(const CrMultipliers *multipliers, const CrMultiplierStep *step,
                       const PetscReal *v1, PetscReal *u1);
