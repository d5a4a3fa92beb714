/* The interface of a time integration method: the functions that it provides and the data that it owns. Each method is
   implemented in a file of its own, and has one line in registry.def. */
#pragma once

#include "base/archive.h"
#include "base/base.h"
#include "contact/contact.h"
#include "deck/deck.h"
#include "model/audit.h"
#include "model/model.h"
#include "solve/newton.h"

/* Properties that a method claims to have (member `claims`). Tests check these claims. */
enum {
  /* the energy error (`defect` in model/audit.h) is as small as the solver's tolerance */
  CR_BALANCES_ENERGY = 1,
  CR_KEEPS_LINEAR = 2,  /* conserves the linear momentum of free systems */
  CR_KEEPS_ANGULAR = 4, /* conserves the angular momentum of free systems */
  CR_SECOND_ORDER = 8
};

/* The kinds of analyses and models that a method supports (member `accepts`). If the deck needs a kind that its method
   does not support, the program refuses the deck. */
enum {
  CR_DEFORMABLE = 1,
  CR_RIGID = 2, /* models of rigid bodies only */
  CR_QUASI_STATIC = 4,
  CR_CONSISTENT_MASS = 8,
  CR_CONTACT = 16,
  CR_AUTO_STEP = 32, /* accepts `step: auto` */
  CR_PARTNERS = 64,  /* rigid bodies of finite mass beside deformable ones */
  CR_SPRINGS = 128,  /* contact by penalty springs; the run prints their stiffnesses */
  CR_RESTITUTION = 256,
  /* the key `equilibrium: middle`: the method computes quasi-static steps itself, not by `statics` */
  CR_MIDDLE_STATICS = 512,
  CR_DRAG = 1024 /* mass-proportional damping */
};

struct CrIntegratorOps {
  /* name of the method in the deck; its file and the registry write "_" for "-" */
  const char  *name;
  const char  *citation; /* literature of the method, which the run prints */
  const char  *help;     /* one line for `carom methods` */
  unsigned     claims, accepts;
  size_t       data_size; /* size of the method's own struct, which it->data points to */
  const CrKey *options;   /* the method's own keys under `time:`, or NULL */
  /* The integrator whose functions compute the steps of a quasi-static analysis, unless the deck asks for the method's
     own functions (CR_MIDDLE_STATICS). NULL: the method computes these steps itself. */
  const CrIntegratorOps *statics;

  PetscErrorCode (*configure)(CrIntegrator *, const CrDeckNode *time);
  /* Prepares the method for the model. The function may convert the initial state to the form that the method uses, for
     instance to staggered velocities. */
  PetscErrorCode (*setup)(CrIntegrator *, const CrModel *, CrState *);
  /* Advances the state from t_n to t_{n+1}. If the step fails, the report gets a negative reason and the state stays
     as it was. */
  PetscErrorCode (*step)(CrIntegrator *, const CrModel *, CrState *, PetscReal h, CrStepReport *);
  /* Computes the greatest overlap of bodies at the start of the run. NULL: the method knows the overlap only after a
     step. */
  PetscErrorCode (*deepest)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  /* Computes the energy that is stored in contact springs. */
  PetscErrorCode (*stored_energy)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  /* Computes the correction that is added to the kinetic energy of staggered velocities to get the kinetic energy at
     t_n. */
  PetscErrorCode (*kinetic_shift)(CrIntegrator *, const CrModel *, const CrState *, PetscReal *);
  /* Adds to the archive the data of the method that a restart needs in addition to the state. */
  PetscErrorCode (*archive)(CrIntegrator *, CrArchive *);
  /* Computes the data of the method that depend on the state. The function is called after a restart has read the
     archive. */
  PetscErrorCode (*resume)(CrIntegrator *, const CrModel *, const CrState *);
  /* Prints a warning at the end of a run, if the audit shows that another option of the method would change the
     results. NULL: no warning. */
  void (*advise)(const CrIntegrator *, const CrAudit *);
  PetscErrorCode (*destroy)(CrIntegrator *);
};

struct CrIntegrator {
  const CrIntegratorOps *ops;
  /* the functions that compute the steps of this run: either ops or ops->statics */
  const CrIntegratorOps *steps;
  /* tolerance of Newton's method: norm of the residual divided by the largest force */
  PetscReal tolerance;
  PetscReal first_step;
  /* true: if this step fails, the run ends, because the step cannot be divided further */
  PetscBool last_try;
  /* True if some material law has internal variables, or if there is bulk viscosity. Then checkpoints contain the
     forces at t_n, because forces that are recomputed from the state would differ. */
  PetscBool  remembers;
  CrContact *contact; /* borrowed; NULL: the model has no contact */
  /* solver by Newton's method; NULL until the time integration method creates it; owned */
  CrNewton *newton;
  /* why and where the last step failed; empty: the reason is not known */
  char           blame[512];
  CrNewtonReport newton_report; /* report of the last solve, for tests and monitors */
  void          *data;          /* the method's own struct; owned */
};

/* Return the i-th method in the order of the registry, its name, and its keys under `time:`; NULL after the last
   method. CrIntegratorFind returns the method with this name, or NULL. */
const CrIntegratorOps *CrIntegratorAt(PetscInt i);
const char            *CrIntegratorNameAt(PetscInt i);
const CrKey           *CrIntegratorOptionsAt(PetscInt i);
const CrIntegratorOps *CrIntegratorFind(const char name[]);

/* Creates the method that `time:` names, configures it and sets it up. first_step is the size of the first step;
   methods with staggered velocities need it. contact may be NULL. Collective. */
PetscErrorCode CrIntegratorCreate(const CrDeckNode *time, PetscReal first_step,
                                  const CrModel *model, CrContact *contact, CrState *state,
                                  CrIntegrator **it);
/* Computes one step, and fills `penalty` and `kinetic_shift` of the report. With h = 0, CrIntegratorStep computes no
   step, and only fills `penalty` and `kinetic_shift`, for the first row of the output tables. */
PetscErrorCode CrIntegratorStep(CrIntegrator *it, const CrModel *model, CrState *state, PetscReal h,
                                CrStepReport *report);
/* CrIntegratorArchive adds the method's data to the archive of a checkpoint. CrIntegratorResume prepares the method
   after a restart has read the archive. */
PetscErrorCode CrIntegratorArchive(CrIntegrator *it, CrArchive *archive);
PetscErrorCode CrIntegratorResume(CrIntegrator *it, const CrModel *model, const CrState *state);
PetscErrorCode CrIntegratorDestroy(CrIntegrator **it);
