/* The audit of energy and momentum, by which every run is judged (docs/manual.md, history.csv). */
#pragma once

#include "base/archive.h"
#include "model/model.h"

/* The outcome of a step. Reasons of failure are negative. */
typedef enum {
  CR_STEP_OK = 0,
  CR_FAIL_DIVERGED = -1, /* Newton did not converge */
  CR_FAIL_LINEAR = -2,   /* the linear solver gave up */
  CR_FAIL_NOT_A_NUMBER = -3,
  CR_FAIL_INVERTED = -4, /* det F <= 0 in some element */
  CR_FAIL_UNSTABLE =
      -6, /* kinetic energy was created: the explicit step is above the critical step */
  CR_FAIL_METHOD =
      -5 /* a reason of the method, for instance no closest point, or no real impulse */
} CrStepReason;

const char *CrStepReasonText(CrStepReason reason);

/* An impact that the method resolves in time. */
typedef struct {
  PetscReal time;
  PetscInt  pair; /* number of the contact pair */
  PetscBool sticks;
  PetscReal jn, jt, energy_change;
} CrEvent;

/* The report of one step: what only the method knows, for the audit. */
struct CrStepReport {
  CrStepReason reason;
  PetscInt     iterations; /* Newton iterations */
  PetscReal
      friction_loss; /* friction loss of this step, from the method's own forces and increments */
  /* part of the friction loss: energy in springs of contacts that slid off a surface */
  PetscReal dropped;
  /* Work of loads, moving supports and moving obstacles in this step; without constant gravity. */
  PetscReal external_work;
  PetscReal contact_work; /* work of contact in this step, except friction loss and spring energy */
  PetscInt  contacts, sticking;
  PetscReal max_penetration;
  PetscInt  nevents;
  const CrEvent *events; /* impacts of this step, borrowed */
  /* The impulse of contact is impulse_now times the force of this step and impulse_before times that of the last one.
     Both zero: the size of the step times the force. */
  PetscReal impulse_now, impulse_before;
  /* Numbers of this rank's cells at the end of the step, if the method has them. */
  const PetscReal *strain;    /* strain energy per body, borrowed; NULL: the audit computes it */
  PetscReal        least_det; /* least det F over all ranks; valid if strain is not NULL */
  const PetscReal
      *sums; /* CrAuditSum, summed over all ranks; borrowed; NULL: the audit computes it */
  /* Explicit methods: in `defect`, internal_work (since the start) replaces the strain energy. */
  PetscReal drag; /* energy that mass-proportional damping dissipated in the step */
  PetscBool counts_internal;
  PetscReal internal_work;
  /* CrIntegratorStep fills these. */
  PetscReal        material_loss; /* energy that laws with state have dissipated since the start */
  const PetscReal *body_losses;   /* [nbodies] the same of each body; borrowed; NULL: none */
  const PetscReal *bulk_losses; /* [nbodies] of bulk viscosity, in material_loss too; NULL: none */
  PetscReal        penalty;     /* energy in contact springs at the end of the step */
  PetscReal        kinetic_shift; /* added to staggered kinetic energy, it gives that of t_n */
};

/* One body at one time. */
typedef struct {
  PetscReal mass, x[3], momentum[3], angular[3], kinetic, strain, spin[3];
  PetscReal angle; /* 2D rigid bodies, degrees */
  /* energy that the material law of the body has dissipated since the start */
  PetscReal losses[CR_NLOSSES];
} CrBodyAudit;

/* One row of history.csv, and numbers that are collected over all rows. */
struct CrAudit {
  /* row */
  PetscReal time;
  PetscInt  step, iterations;
  PetscReal h, kinetic, strain, potential, penalty, external_work, friction_loss, energy, balance;
  PetscReal momentum[3], angular[3];
  PetscInt  contacts, sticking;
  PetscReal max_penetration, contact_work, defect;
  PetscReal material_loss;      /* energy that laws with state have dissipated since the start */
  PetscReal losses[CR_NLOSSES]; /* dissipated energy by kind: plastic, viscous */
  /* energy that mass-proportional damping has dissipated since the start */
  PetscReal      drag;
  CrBodyAudit   *bodies; /* [nbodies + rigid->n], owned */
  PetscInt       nevents;
  const CrEvent *events; /* impacts of the step, borrowed from the report */

  /* work arrays, owned: sums and strain energies per body; M v, M x and x of consistent mass */
  PetscReal *sums, *strains, *Mv, *Mx, *x;

  /* since the start */
  PetscReal energy0, strain0, penalty0, potential0, momentum0[3], angular0[3];
  PetscReal energy_max_gain, balance_max, defect_max, energy_scale;
  PetscReal momentum_drift, angular_drift; /* greatest absolute drift so far */
  PetscReal dropped; /* the part of friction_loss in springs of contacts that slid off a surface */
  PetscReal deepest; /* greatest penetration so far */
  /* greatest overlap of the first side of a pair in the second, of the second in the first, and of what no contact
     holds, over the rows of contacts.csv so far; the run sets them */
  PetscReal overlap_ab, overlap_ba, unseen;
  PetscInt  unseen_pairs; /* pairs that were warned of because nothing holds their overlap */
  /* several ranks: how often the facets and nodes near a rank's own points were chosen anew; the run sets it */
  PetscInt ghost_renewals;
  PetscInt total_iterations, max_contacts, rejected;
  PetscInt
      searched; /* accepted steps for which Newton's method needed its last rung; the run counts */
  PetscReal min_det_f, min_stretch;
};

PetscErrorCode CrAuditCreate(const CrModel *model, CrAudit **audit);
PetscErrorCode CrAuditDestroy(CrAudit **audit);
/* The audit's sums over the nodes that this rank owns, with lumped masses. A method that communicates at the
   end of a step can add them to its own message. */
PetscInt CrAuditSumCount(const CrModel *model);
void     CrAuditSum(const CrModel *model, const PetscReal *u, const PetscReal *v,
                    const PetscReal *strain, PetscReal *sums);
/* For checkpoints: adds the sums and extremes that the audit has collected since the start to the archive. */
PetscErrorCode CrAuditArchive(CrAudit *audit, CrArchive *archive);
/* Computes the row of the start (state->n = 0) or of an accepted step of size h. Collective. */
PetscErrorCode CrAuditRow(const CrModel *model, const CrState *state, PetscReal h,
                          const CrStepReport *report, CrAudit *audit);

/* The feature of a run for which the history has a column: laws with state, or mass-proportional damping. */
typedef enum { CR_NEEDS_NOTHING, CR_NEEDS_STATE, CR_NEEDS_DRAG } CrNeeds;

/* The columns of history.csv in their order. The name is NULL after the last; Find returns -1 for unknown names. */
const char *CrAuditColumnName(PetscInt i);
PetscInt    CrAuditColumnFind(const char name[]);
PetscBool   CrAuditColumnIsCount(PetscInt i); /* a whole number */
CrNeeds     CrAuditColumnNeeds(PetscInt i);
PetscReal   CrAuditColumn(const CrAudit *audit, PetscInt i);
