/* A system of rigid bodies and their contacts, in a step of the method `efda` (theory 18). A step may consist of
   several sub-steps. Each sub-step goes from the state `now` to the state `trial`. The engine for few bodies and the
   engine for many bodies of any shape use this system. */
#pragma once

#include "base/grow.h"
#include "base/union.h"
#include "base/vector.h"
#include "contact/rigid_pairs.h"
#include "model/model.h"
#include "rigid/collide.h"

/* Options of the method `efda` in the deck, except the choice of the engine. */
typedef struct {
  PetscBool penalty, settling, splitting, sequential;
  PetscReal omega, s, tangential; /* tangential is the coefficient of tangential restitution e_T */
} EfdaOptions;

/* A candidate: two bodies, or a body and a wall of an obstacle, that may touch in this step. */
typedef struct {
  PetscInt  body, other;    /* slave and master; other is -1 if the master is an obstacle */
  PetscInt  obstacle, wall; /* -1 if the master is a body */
  PetscInt  pair;
  PetscReal friction, restitution;
  /* in engines for many bodies: the least gap of the contacts of this candidate; PETSC_MAX_REAL: these contacts are not
     used */
  PetscReal gap;
} EfdaCandidate;

/* Returns a number that identifies the obstacle and the wall of a candidate. */
static inline PetscInt EfdaWallNumber(const EfdaCandidate *c)
{
  return 64 * c->obstacle + c->wall;
}

/* A gap and its time derivative. */
typedef struct {
  PetscReal gap, rate;
} EfdaLook;

/* The matrix W = J M^-1 J^T of one contact in the frame of its normal and tangents. W and its inverse are stored column
   by column. rho is the scale of the projection in cone/cone.h. */
typedef struct {
  PetscReal W[9], inverse[9], rho;
} EfdaBlock;

/* The springs of `variant: penalty` (theory 18.7). */
typedef struct {
  PetscReal psi;            /* damping parameter psi2 of the normal spring */
  PetscReal stretch, shift; /* tangential spring: its elongation, and its position impulse */
} EfdaSpring;

typedef struct {
  const EfdaCandidate *of; /* the bodies in contact; borrowed from the list of candidates */
  CrFeature            feature;
  EfdaLook             start;    /* gap and its rate at the start of the sub-step */
  PetscReal            slip0[3]; /* slip velocity at the start of the sub-step */
  /* gap and its rate at the last time at which the contact was found open */
  EfdaLook  low;
  PetscBool closed; /* the bodies touch at the start of the sub-step */
  PetscBool held;   /* the contact is kept closed during the sub-step */
  /* true: the contact is released while the time of an impact is computed on which it has no influence */
  PetscBool aside;
  /* true: the contact is an impact whose time is not computed; restitution acts over the whole sub-step */
  PetscBool strikes;
  /* the contact belongs to a group of touching bodies in which some approach each other */
  PetscBool struck;
  CrMeeting meeting; /* gap, normal and point of the last evaluation */
  PetscReal d[3][3]; /* frame of the contact: normal and two tangents */
  /* lever arms of the normal and the tangential force, on slave and master */
  PetscReal rn[2][3], rt[2][3];
  PetscReal wall_velocity[3];
  /* r x d and I^-1 (r x d) for slave and master and each direction d; r is the lever arm */
  PetscReal arm[2][3][3], turn[2][3][3];
  EfdaBlock block;
  /* target for the relative velocity in the middle of the sub-step, in the frame of the contact */
  PetscReal bias[3];
  PetscReal bias0;     /* bias[0] before the lever arms are changed */
  PetscReal settle[2]; /* components of slip0 along the two tangents */
  /* friction may stop the slip that exists at the start of the sub-step (theory 18.5) */
  PetscBool may_settle;
  PetscBool takes; /* the tangential bias is limited so that friction does no positive work */
  PetscReal tried; /* duration of the sub-step for which p was computed; 0: p is not known */
  PetscReal p[3];  /* half of the contact impulse of the sub-step, in the frame of the contact */
  PetscReal pt[3]; /* tangential part of p, in space axes */
  PetscReal shift; /* position impulse along the normal */
  /* gap at the end of the sub-step, during the iteration of position corrections */
  PetscReal room;
  /* in engines for many bodies: greatest further position impulse that may close a gap */
  PetscReal  pull;
  EfdaSpring spring;
} EfdaContact;

/* Data of a contact that are stored from one sub-step to the next: its force and, with `variant: penalty`, the
   elongation of its tangential spring. */
typedef struct {
  PetscInt body, other, wall, key; /* slave, master, EfdaWallNumber, and CrFeature.key */
  /* normal force, then the three components of the tangential force in space */
  PetscReal force[4];
  PetscReal spring;
  PetscReal arm[3]; /* vector from the slave's mass centre to the contact point */
} EfdaKept;

/* A body during a sub-step. */
typedef struct {
  PetscReal v[3], om[3]; /* velocity and angular velocity in the middle of the sub-step */
  PetscReal force[3], torque[3];
  PetscReal inverse[9]; /* inverse of the inertia matrix in space axes, by rows */
  PetscBool guided;     /* some contact holds the body */
  PetscBool free;       /* no chain of contacts connects the body to an obstacle */
  /* the body represents a group of touching bodies in which some approach each other */
  PetscBool struck;
  /* in the engine for many shapes: the body moves with a small group of fast bodies */
  PetscBool away;
} EfdaBody;

typedef CR_LIST(EfdaKept) EfdaKeptList;

/* Works of contacts and loads in a sub-step or in a whole step. */
typedef struct {
  CrTally   tally;
  PetscReal contact_work, external_work;
  /* engine for many balls: the part of contact_work that moved overlapping bodies apart */
  PetscReal push_work;
  PetscInt  passes;        /* number of iterations */
  CR_LIST(CrEvent) events; /* impacts whose times were computed */
} EfdaWork;

/* Typical sizes in a step, with which gaps and velocities are compared to decide whether they are negligible. */
typedef struct {
  PetscReal a; /* greatest acceleration by loads */
  /* least radius of all bodies; the radius is the greatest distance of a body's points from its mass centre */
  PetscReal size;
  PetscReal length; /* greatest coordinate of a body */
  PetscReal speed;  /* greatest velocity of a point of a body */
  PetscReal close;  /* gap below which bodies touch */
  PetscReal rest;   /* closing velocity below which bodies do not rebound */
} EfdaScales;

typedef struct {
  const EfdaOptions *options; /* borrowed, like model, rigid, contact and names */
  const CrModel     *model;
  const CrRigid     *rigid;
  CrContact         *contact;
  const PetscInt *names; /* numbers of the bodies in the model; NULL: the system has all bodies */
  PetscBool       manifold; /* true: a face that lies on a face gives a contact at every corner */
  /* solver for all contacts as one system (few.h); NULL if all masses are similar; its creator owns it */
  struct EfdaTogether *together;
  /* All members below are owned. now: state at the start of the sub-step. trial: state at the end of the sub-step.
     base: state at the end of the sub-step before positions are corrected. */
  CrRigidState *now, *trial, *base;
  EfdaBody     *bodies;
  CrPose       *poses;
  PetscReal    *load; /* [3n] accelerations by loads in this sub-step */
  /* [6n] position corrections: displacement and rotation of each body; zero between uses */
  PetscReal *dx;
  PetscReal *last;  /* [3n] positions of the previous iteration */
  PetscInt  *roots; /* union-find forest that groups bodies in contact */
  /* [obstacles] ball shapes of spherical obstacles that have the bodies outside */
  CrShape *balls;
  CR_LIST(EfdaCandidate) candidates;
  CR_LIST(EfdaContact) contacts;
  EfdaKeptList previous, kept; /* stored contacts of the last sub-step, and of this sub-step */
  struct {
    PetscInt   n;
    PetscReal *at;
  } packed;        /* `previous` as reals, for a checkpoint */
  PetscReal  h, t; /* size of the whole step, and time of `now` */
  EfdaScales scale;
  /* true: a held contact is an impact whose time is not computed; then friction does not stop slip in this sub-step */
  PetscBool striking;
  EfdaWork  part, total;
} EfdaSystem;

/* Calls a function that sets *good. If *good is false, returns from the calling function. */
#define EFDA_TRY(...)                                                                              \
  do {                                                                                             \
    PetscCall(__VA_ARGS__);                                                                        \
    if (!*good) PetscFunctionReturn(PETSC_SUCCESS);                                                \
  } while (0)

/* EFDA_EACH loops over all contacts of the system e, EFDA_EACH_HELD over the held contacts. */
#define EFDA_EACH(c, e)                                                                            \
  for (EfdaContact *c = (e)->contacts.at; c < (e)->contacts.at + (e)->contacts.n; c++)
#define EFDA_EACH_HELD(c, e)                                                                       \
  EFDA_EACH (c, e)                                                                                 \
    if (!c->held)                                                                                  \
      continue;                                                                                    \
    else

/* EFDA_EACH_CANDIDATE loops over the candidates, EFDA_EACH_SIDE over the one or two bodies of a candidate. */
#define EFDA_EACH_CANDIDATE(d, e)                                                                  \
  for (EfdaCandidate *d = (e)->candidates.at; d < (e)->candidates.at + (e)->candidates.n; d++)
#define EFDA_EACH_SIDE(side, b, d)                                                                 \
  for (PetscInt side = 0, b = (d)->body; side < ((d)->other < 0 ? 1 : 2); side++, b = (d)->other)

/* Marks the bodies of a candidate as held by a contact. */
static inline void EfdaSetGuided(EfdaSystem *e, const EfdaCandidate *d)
{
  EFDA_EACH_SIDE (side, b, d) e->bodies[b].guided = PETSC_TRUE;
}

/* Creates a system with memory for n of the bodies in `rigid`. The number of bodies may change later. */
PetscErrorCode EfdaSystemCreate(const EfdaOptions *options, const CrModel *model,
                                const CrRigid *rigid, CrContact *contact, PetscInt n,
                                EfdaSystem *e);
PetscErrorCode EfdaSystemDestroy(EfdaSystem *e);
/* Begins a step of size h from `state`: sets `now`, loads, scales and sums. */
PetscErrorCode EfdaSystemBegin(EfdaSystem *e, const CrState *state, PetscReal h);
/* EfdaSystemArchive adds the stored contacts to a checkpoint. EfdaSystemResume is called after a checkpoint has been
   read. */
PetscErrorCode EfdaSystemArchive(void *system, CrArchive *archive);
PetscErrorCode EfdaSystemResume(void *system);

/* Computes v, the mean velocity of the wall of a candidate from time t to t + s. If the candidate has no wall, v is
   zero. */
void EfdaWallVelocity(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t, PetscReal s,
                      PetscReal v[3]);
/* Returns the least radius of the bodies, where points do not count. Returns `none` if all bodies are points. */
PetscReal EfdaLeastReach(const CrRigid *rigid, PetscReal none);
/* Computes the scales of a step of size h from `now`. */
void EfdaSetScales(EfdaSystem *e, PetscReal h);
/* Returns a typical energy of the system: the kinetic energy of the bodies, plus the work of loads when bodies fall by
   their own size. In a step, contacts may create at most the fraction EFDA_NEGLIGIBLE of this energy. */
PetscReal EfdaEnergyScale(const CrRigid *rigid, const CrRigidState *state, const PetscReal *load);
#define EFDA_NEGLIGIBLE 1e-9

/* Functions for sums of works. EfdaWorkBegin sets the sums to zero. EfdaWorkAdd adds the works of a sub-step to those
   of the step. `parts` must be true if EfdaWorkAdd will be called. Works are summed for each contact pair; if `contact`
   is NULL there is one pair. */
PetscErrorCode EfdaWorkCreate(const CrContact *contact, PetscBool parts, EfdaWork *work);
PetscErrorCode EfdaWorkDestroy(EfdaWork *work);
void           EfdaWorkBegin(EfdaWork *work);
PetscErrorCode EfdaWorkAdd(EfdaWork *work, const EfdaWork *part);
