/* The audit: energy and momentum balances of a run, as in the file history.csv (docs/manual.md). "Method" means the
   time integration method. The defect is the energy that the method has created or lost, and that neither known losses
   nor loads explain. */
#pragma once

#include "base/archive.h"
#include "model/model.h"

/* The outcome of a step. Reasons of failure are negative. */
typedef enum {
  CR_STEP_OK = 0,
  CR_FAIL_DIVERGED = -1, /* Newton's method did not converge */
  CR_FAIL_LINEAR = -2,   /* the linear solver failed */
  CR_FAIL_NOT_A_NUMBER = -3,
  CR_FAIL_INVERTED = -4, /* det F <= 0 in some element */
  /* kinetic energy was created, because the step of the method `explicit` exceeds the critical step */
  CR_FAIL_UNSTABLE = -6,
  CR_FAIL_METHOD =
      -5 /* another failure of the method; for instance a slave has no closest point, or the quadratic
            equation of an impulse has no real root */
} CrStepReason;

const char *CrStepReasonText(CrStepReason reason);

/* An impact whose time the method has computed. */
typedef struct {
  PetscReal time;
  PetscInt  pair; /* number of the contact pair */
  PetscBool sticks;
  PetscReal jn, jt, energy_change;
} CrEvent;

/* The report of a method about one step: data for the audit that only the method can compute. */
struct CrStepReport {
  CrStepReason reason;
  PetscInt     iterations; /* Newton iterations */
  /* friction loss of this step, computed from the contact forces and slip increments of the method */
  PetscReal friction_loss;
  /* the part of friction_loss that was stored in penalty springs of contact points when they slid off a surface */
  PetscReal dropped;
  /* Work of loads, moving supports and moving obstacles in this step. Constant gravity does not count. */
  PetscReal external_work;
  /* work of contact forces in this step that is neither friction loss nor change of spring energy */
  PetscReal      contact_work;
  PetscInt       contacts, sticking;
  PetscReal      max_penetration;
  PetscInt       nevents;
  const CrEvent *events; /* impacts of this step, borrowed */
  /* The impulse of contact in this step is impulse_now times the contact force of this step plus impulse_before times
     the contact force of the last step. If both factors are zero, the impulse is the step size times the contact force
     of this step. */
  PetscReal impulse_now, impulse_before;
  /* The members strain, least_det and sums describe the end of the step, if the method has computed them. */
  const PetscReal *strain; /* strain energy per body, borrowed; NULL: the audit computes it */
  /* least det F of all elements, over all ranks; valid if strain is not NULL */
  PetscReal least_det;
  /* results of CrAuditSum, summed over all ranks; borrowed; NULL: the audit computes them */
  const PetscReal *sums;
  /* If counts_internal is true (explicit methods), the defect is computed with internal_work, the work of internal
     forces since the start, instead of the strain energy. */
  PetscReal drag; /* energy that mass-proportional damping dissipated in the step */
  PetscBool counts_internal;
  PetscReal internal_work;
  /* CrIntegratorStep sets the members below, not the method. */
  PetscReal        material_loss; /* energy that material laws have dissipated since the start */
  const PetscReal *body_losses; /* [nbodies] material_loss of each body; borrowed; NULL: no loss */
  /* [nbodies] losses by bulk viscosity, which material_loss includes; NULL: none */
  const PetscReal *bulk_losses;
  PetscReal        penalty; /* energy in contact springs at the end of the step */
  /* correction that turns the staggered kinetic energy into the kinetic energy at t_n */
  PetscReal kinetic_shift;
};

/* Mass, centre, momenta, energies and losses of one body at one time. */
typedef struct {
  PetscReal mass, x[3], momentum[3], angular[3], kinetic, strain, spin[3];
  PetscReal angle; /* 2D rigid bodies, degrees */
  /* energy that the material law of the body has dissipated since the start */
  PetscReal losses[CR_NLOSSES];
} CrBodyAudit;

/* One row of history.csv, and sums and greatest values over all rows so far. */
struct CrAudit {
  /* values of the present row */
  PetscReal time;
  PetscInt  step, iterations;
  PetscReal h, kinetic, strain, potential, penalty, external_work, friction_loss, energy, balance;
  PetscReal momentum[3], angular[3];
  PetscInt  contacts, sticking;
  PetscReal max_penetration, contact_work, defect;
  PetscReal material_loss;      /* energy that material laws have dissipated since the start */
  PetscReal losses[CR_NLOSSES]; /* dissipated energy by kind: plastic, viscous */
  /* energy that mass-proportional damping has dissipated since the start */
  PetscReal      drag;
  CrBodyAudit   *bodies; /* [nbodies + rigid->n], owned */
  PetscInt       nevents;
  const CrEvent *events; /* impacts of the step, borrowed from the report */

  /* work arrays, owned: sums and strain energies of bodies; the products M v and M x, and positions x, for consistent
     mass matrices */
  PetscReal *sums, *strains, *Mv, *Mx, *x;

  /* values at the start, and greatest values and sums since the start */
  PetscReal energy0, strain0, penalty0, potential0, momentum0[3], angular0[3];
  PetscReal energy_max_gain, balance_max, defect_max, energy_scale;
  PetscReal momentum_drift, angular_drift; /* greatest absolute drift so far */
  PetscReal dropped; /* the part of friction_loss in springs of contacts that slid off a surface */
  PetscReal deepest; /* greatest penetration so far */
  /* greatest energy of contact springs so far, and the energy that the bodies had stored and dissipated at that time */
  PetscReal springs_max, bodies_then;
  /* integrals over the time in which contact springs store energy: of their energy, and of the energy that the bodies
     have stored and dissipated */
  PetscReal springs_time, bodies_time;
  /* overlap_ab: greatest depth of the first side of a contact pair inside the second side. overlap_ba: greatest depth
     of the second side inside the first. unseen: greatest overlap without contact force. The three numbers are greatest
     values over all pairs and all rows of contacts.csv so far. The run sets them. */
  PetscReal overlap_ab, overlap_ba, unseen;
  PetscInt  unseen_pairs; /* number of pairs with a warning of overlap without contact force */
  /* with several ranks: how often the lists of needed ghosts were built again (vicinity.h); the run sets it */
  PetscInt ghost_renewals;
  PetscInt total_iterations, max_contacts, rejected;
  /* accepted steps in which Newton's method needed its last attempt, with backtracking */
  PetscInt  searched;
  PetscReal min_det_f, min_stretch;
};

PetscErrorCode CrAuditCreate(const CrModel *model, CrAudit **audit);
PetscErrorCode CrAuditDestroy(CrAudit **audit);
/* CrAuditSum computes the audit's sums over the nodes that this rank owns, with lumped masses. CrAuditSumCount returns
   the number of these sums. A method that communicates at the end of a step can send the sums in its own message. */
PetscInt CrAuditSumCount(const CrModel *model);
void     CrAuditSum(const CrModel *model, const PetscReal *u, const PetscReal *v,
                    const PetscReal *strain, PetscReal *sums);
/* Adds to the archive of a checkpoint the sums and greatest values that the audit has collected since the start. */
PetscErrorCode CrAuditArchive(CrAudit *audit, CrArchive *archive);
/* Computes the row of history.csv for the start of the run (state->n = 0), or for an accepted step of size h.
   Collective. */
PetscErrorCode CrAuditRow(const CrModel *model, const CrState *state, PetscReal h,
                          const CrStepReport *report, CrAudit *audit);

/* The feature of a run that a column of history.csv needs: material laws with internal variables, or mass-proportional
   damping. Without this feature, the column is left out. */
typedef enum { CR_NEEDS_NOTHING, CR_NEEDS_STATE, CR_NEEDS_DRAG } CrNeeds;

/* Functions for column i of history.csv. CrAuditColumnName returns the name of the column, and NULL after the last
   column. CrAuditColumnFind returns the number of the column with this name, or -1 for an unknown name. CrAuditColumn
   returns the value of the column in the present row. */
const char *CrAuditColumnName(PetscInt i);
PetscInt    CrAuditColumnFind(const char name[]);
PetscBool   CrAuditColumnIsCount(PetscInt i); /* true if the column has integers */
CrNeeds     CrAuditColumnNeeds(PetscInt i);
PetscReal   CrAuditColumn(const CrAudit *audit, PetscInt i);
