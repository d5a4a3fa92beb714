/* The energy and momentum audit: what every run is judged by (docs/manual.md, history.csv). */
#pragma once

#include "base/archive.h"
#include "model/model.h"

/* Reasons of failed steps are negative. */
typedef enum {
  CR_STEP_OK = 0,
  CR_FAIL_DIVERGED = -1, /* Newton did not converge */
  CR_FAIL_LINEAR = -2,   /* the linear solver gave up */
  CR_FAIL_NOT_A_NUMBER = -3,
  CR_FAIL_INVERTED = -4, /* det F <= 0 in some element */
  CR_FAIL_UNSTABLE =
      -6,             /* kinetic energy out of nothing: an explicit step above the critical one */
  CR_FAIL_METHOD = -5 /* the method's own: a projection lost, no real impulse */
} CrStepReason;

const char *CrStepReasonText(CrStepReason reason);

/* An impact whose instant the method resolves. */
typedef struct {
  PetscReal time;
  PetscInt  pair; /* of the contact */
  PetscBool sticks;
  PetscReal jn, jt, energy_change;
} CrEvent;

/* What only the method knows about one step, for the audit. */
struct CrStepReport {
  CrStepReason reason;
  PetscInt     iterations;    /* Newton iterations */
  PetscReal    friction_loss; /* of this step, from the method's own forces and increments */
  PetscReal
      external_work; /* of this step: loads, moving supports and obstacles; not constant gravity */
  PetscReal      contact_work; /* of this step: what the method accounts for beside the above */
  PetscInt       contacts, sticking;
  PetscReal      max_penetration;
  PetscInt       nevents;
  const CrEvent *events; /* of this step, borrowed */
  /* what the method saw of this rank's cells at the end of the step; strain NULL: the audit looks
   * itself */
  const PetscReal *strain;    /* energy per body, borrowed */
  PetscReal        least_det; /* of all ranks */
  const PetscReal
      *sums; /* of CrAuditSum over all ranks, borrowed; NULL: the audit sums up itself */
  PetscBool
      counts_internal; /* explicit: internal_work, since the start, stands for the strain energy */
  PetscReal internal_work; /*   in `defect` */
  /* filled in by CrIntegratorStep */
  PetscReal material_loss; /* energy that laws with state took since the start */
  PetscReal penalty;       /* energy in contact springs at the end of the step */
  PetscReal kinetic_shift; /* brings staggered kinetic energy to t_n */
};

/* One body at one time. */
typedef struct {
  PetscReal mass, x[3], momentum[3], angular[3], kinetic, strain, spin[3];
  PetscReal angle; /* 2D rigid bodies, degrees */
} CrBodyAudit;

/* One row of history.csv, and what the run needs to remember of the rows before. */
struct CrAudit {
  /* row */
  PetscReal time;
  PetscInt  step, iterations;
  PetscReal h, kinetic, strain, potential, penalty, external_work, friction_loss, energy, balance;
  PetscReal momentum[3], angular[3];
  PetscInt  contacts, sticking;
  PetscReal max_penetration, contact_work, defect;
  PetscReal material_loss; /* what laws with state took since the start */
  CrBodyAudit   *bodies;   /* [nbodies + rigid->n], owned */
  PetscInt       nevents;
  const CrEvent *events; /* of the step, borrowed from the report */

  /* work arrays, owned: sums and strain energies per body; M v, M x and x of consistent mass */
  PetscReal *sums, *strains, *Mv, *Mx, *x;

  /* since the start */
  PetscReal energy0, strain0, penalty0, potential0, momentum0[3], angular0[3];
  PetscReal energy_max_gain, balance_max, defect_max, energy_scale;
  PetscReal momentum_drift, angular_drift; /* absolute, greatest so far */
  PetscReal deepest;                       /* penetration */
  PetscInt  total_iterations, max_contacts, rejected;
  PetscReal min_det_f, min_stretch;
};

PetscErrorCode CrAuditCreate(const CrModel *model, CrAudit **audit);
PetscErrorCode CrAuditDestroy(CrAudit **audit);
/* For methods that have an exchange of their own at the end of a step: what the audit sums up over the
   nodes that this rank owns, with lumped masses. */
PetscInt CrAuditSumCount(const CrModel *model);
void     CrAuditSum(const CrModel *model, const PetscReal *u, const PetscReal *v,
                    const PetscReal *strain, PetscReal *sums);
/* For checkpoints: what has accumulated since the start. */
PetscErrorCode CrAuditArchive(CrAudit *audit, CrArchive *archive);
/* The row of the start (state->n = 0) or of an accepted step of size h. Collective. */
PetscErrorCode CrAuditRow(const CrModel *model, const CrState *state, PetscReal h,
                          const CrStepReport *report, CrAudit *audit);
