/* The interface of a time integration method: the functions that it provides and the data that it owns. A method
   is one file and one line in registry.def. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/contact.h"
#include "deck/deck.h"
#include "model/audit.h"
#include "model/model.h"
#include "solve/newton.h"

/* Properties that a method claims to have. Tests check these claims. */
enum {
  CR_BALANCES_ENERGY = 1, /* the `defect` of the audit is as small as the solver's tolerance */
  CR_KEEPS_LINEAR = 2,    /* conserves the linear momentum of free systems */
  CR_KEEPS_ANGULAR = 4,   /* conserves the angular momentum of free systems */
  CR_SECOND_ORDER = 8
};

/* The kinds of analyses and models that a method supports. A deck that needs anything else is refused. */
enum {
  CR_DEFORMABLE = 1,
  CR_RIGID = 2, /* rigid bodies alone */
  CR_QUASI_STATIC = 4,
  CR_CONSISTENT_MASS = 8,
  CR_CONTACT = 16,
  CR_AUTO_STEP = 32, /* accepts `step: auto` */
  CR_PARTNERS = 64,  /* rigid bodies of finite mass beside deformable ones */
  CR_SPRINGS = 128,  /* contact by penalties; the run prints their values */
  CR_RESTITUTION = 256,
  CR_MIDDLE_STATICS = 512, /* `equilibrium: middle`: quasi-static steps by the method's own rule */
  CR_DRAG = 1024           /* damping by mass */
};

struct CrIntegratorOps {
  const char  *name;     /* the word of the deck; the file and the registry use underscores */
  const char  *citation; /* printed in the run report */
  const char  *help;     /* one line for `carom methods` */
  unsigned     claims, accepts;
  size_t       data_size; /* size of the method's own struct, which it->data points to */
  const CrKey *options;   /* the method's own keys under `time:`, or NULL */
  /* The integrator that computes the steps of a quasi-static analysis; NULL: the method itself. The functions below are
     then those of `statics`, unless the deck asks for the method's own rule (CR_MIDDLE_STATICS). */
  const CrIntegratorOps *statics;

  PetscErrorCode (*configure)(CrIntegrator *, const CrDeckNode *time);
  /* May convert the initial state to the form that the method uses, for instance to staggered velocities. */
  PetscErrorCode (*setup)(CrIntegrator *, const CrModel *, CrState *);
  /* Advances the state from t_n to t_{n+1}. If the step fails, the report gets a negative reason and the state stays
     as it was. */
  PetscErrorCode (*step)(CrIntegrator *, const CrModel *, CrState *, PetscReal h, CrStepReport *);
  /* Finds the deepest overlap at the start. NULL if the method knows it only after a step. */
  PetscErrorCode (*deepest)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  /* Computes the energy that contact springs store. */
  PetscErrorCode (*stored_energy)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  /* Computes the correction that is added to the kinetic energy of staggered velocities to get the kinetic energy at
     t_n. */
  PetscErrorCode (*kinetic_shift)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  /* Adds to the archive the data that a restart needs in addition to the state. */
  PetscErrorCode (*archive)(CrIntegrator *, CrArchive *);
  /* Called after a restart, when the archive has been read. Computes the data that follow from the state. */
  PetscErrorCode (*resume)(CrIntegrator *, const CrModel *, const CrState *);
  /* Warns at the end of a run, if the audit shows that an option of the method would change the results. Optional. */
  void (*advise)(const CrIntegrator *, const CrAudit *);
  PetscErrorCode (*destroy)(CrIntegrator *);
};

struct CrIntegrator {
  const CrIntegratorOps *ops;
  const CrIntegratorOps *steps; /* the functions that compute the steps: ops, or ops->statics */
  /* tolerance of Newton's method: norm of the residual divided by the largest force */
  PetscReal tolerance;
  PetscReal first_step;
  PetscBool last_try; /* if this step fails, it is not divided again, and the run ends */
  /* Some material law has state at its points, or there is bulk viscosity. Then checkpoints contain the forces at t_n,
     because forces computed again from the state would differ. */
  PetscBool  remembers;
  CrContact *contact; /* borrowed; NULL: the model has no contact */
  CrNewton  *newton;  /* Newton's method, NULL until a method creates it; owned */
  /* why and where the last step failed; empty: the reason is not known */
  char           blame[512];
  CrNewtonReport newton_report; /* report of the last solve, for tests and monitors */
  void          *data;          /* the method's own struct; owned */
};

/* Returns the i-th method in the order of the registry; NULL after the last method. */
const CrIntegratorOps *CrIntegratorAt(PetscInt i);
const char            *CrIntegratorNameAt(PetscInt i);
const CrKey           *CrIntegratorOptionsAt(PetscInt i);
const CrIntegratorOps *CrIntegratorFind(const char name[]);

/* Creates the method that `time:` names, configures it and sets it up. first_step is the size of the first step;
   methods with staggered velocities need it. contact may be NULL. Collective. */
PetscErrorCode CrIntegratorCreate(const CrDeckNode *time, PetscReal first_step,
                                  const CrModel *model, CrContact *contact, CrState *state,
                                  CrIntegrator **it);
/* Computes one step, and fills `penalty` and `kinetic_shift` of the report. With h = 0 it computes no step and only
   fills these two members, for the first row of the tables. */
PetscErrorCode CrIntegratorStep(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                                CrStepReport *report);
/* For checkpoints: CrIntegratorArchive adds the method's data to the archive. CrIntegratorResume is called after a
   restart has read the archive. */
PetscErrorCode CrIntegratorArchive(CrIntegrator *it, CrArchive *archive);
PetscErrorCode CrIntegratorResume(CrIntegrator *it, const CrModel *model, const CrState *state);
PetscErrorCode CrIntegratorDestroy(CrIntegrator **it);
