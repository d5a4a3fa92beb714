/* What a time integration method provides, and which state it owns. A method is one file and one
   line in registry.def. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/contact.h"
#include "deck/deck.h"
#include "model/audit.h"
#include "model/model.h"
#include "solve/newton.h"

/* What a method claims; tests hold it to that. */
enum {
  CR_BALANCES_ENERGY = 1, /* `defect` is at solver tolerance */
  CR_KEEPS_LINEAR = 2,    /* linear momentum of free systems */
  CR_KEEPS_ANGULAR = 4,
  CR_SECOND_ORDER = 8
};

/* What a method can run; decks are checked. */
enum {
  CR_DEFORMABLE = 1,
  CR_RIGID = 2, /* rigid bodies alone */
  CR_QUASI_STATIC = 4,
  CR_CONSISTENT_MASS = 8,
  CR_CONTACT = 16,
  CR_AUTO_STEP = 32, /* takes step: auto */
  CR_PARTNERS = 64,  /* rigid bodies of finite mass beside deformable ones */
  CR_SPRINGS = 128,  /* contact by penalties, which are worth telling */
  CR_RESTITUTION = 256
};

struct CrIntegratorOps {
  const char  *name;     /* deck word; file and registry use underscores */
  const char  *citation; /* printed in the run report */
  const char  *help;     /* one line for `carom methods` */
  unsigned     claims, accepts;
  size_t       data_size; /* private struct, allocated and zeroed in it->data */
  const CrKey *options;   /* keys under `time:` that are the method's own, or NULL */

  PetscErrorCode (*configure)(CrIntegrator *, const CrDeckNode *time);
  /* May bring the start into the method's own form (staggered velocities). */
  PetscErrorCode (*setup)(CrIntegrator *, const CrModel *, CrState *);
  /* State at t_n -> state at t_{n+1}, or a negative reason in the report and the state untouched. */
  PetscErrorCode (*step)(CrIntegrator *, const CrModel *, CrState *, PetscReal h, CrStepReport *);
  /* The deepest overlap at the start, where the method knows it before a step. */
  PetscErrorCode (*deepest)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  PetscErrorCode (*stored_energy)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  PetscErrorCode (*kinetic_shift)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  /* Adds what a restart needs beside the state. */
  PetscErrorCode (*archive)(CrIntegrator *, CrArchive *);
  /* After a restart: state and fields are back, what follows from them is computed again. */
  PetscErrorCode (*resume)(CrIntegrator *, const CrModel *, const CrState *);
  PetscErrorCode (*destroy)(CrIntegrator *);
};

struct CrIntegrator {
  const CrIntegratorOps *ops;
  PetscReal              tolerance; /* Newton: residual over the largest force */
  PetscReal              first_step;
  PetscBool              last_try;      /* a step that fails now is not cut any more */
  PetscBool              remembers;     /* laws have a state: forces at t_n, found on the way there,
                                           go into checkpoints, since they do not follow to the last bit */
  CrContact             *contact;       /* borrowed; NULL: nothing touches */
  CrNewton              *newton;        /* shared driver, NULL until a method makes one; owned */
  CrNewtonReport         newton_report; /* of the last solve, for tests and monitors */
  void                  *data;          /* the method's; owned */
};

const CrIntegratorOps *CrIntegratorAt(PetscInt i); /* registry order; NULL after the last */
const char            *CrIntegratorNameAt(PetscInt i);
const CrKey           *CrIntegratorOptionsAt(PetscInt i);
const CrIntegratorOps *CrIntegratorFind(const char name[]);

/* The method that `time:` names, configured and set up. first_step: size of the first step, for
   staggered starts. contact may be NULL. Collective. */
PetscErrorCode CrIntegratorCreate(const CrDeckNode *time, PetscReal first_step,
                                  const CrModel *model, CrContact *contact, CrState *state,
                                  CrIntegrator **it);
/* One step; fills the penalty and kinetic_shift columns of the report. At h = 0 only these (row 0). */
PetscErrorCode CrIntegratorStep(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                                CrStepReport *report);
/* For checkpoints: what the method adds, and its turn after everything has been read back. */
PetscErrorCode CrIntegratorArchive(CrIntegrator *it, CrArchive *archive);
PetscErrorCode CrIntegratorResume(CrIntegrator *it, const CrModel *model, const CrState *state);
PetscErrorCode CrIntegratorDestroy(CrIntegrator **it);
