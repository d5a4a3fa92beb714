/* A system of rigid bodies and their contacts, in a step of efda (theory 18). A step may consist of several parts;
   each part goes from the state `now` to the state `trial`. The engine for few bodies and the crowd of shapes use this
   system. */
#pragma once

#include "base/grow.h"
#include "base/union.h"
#include "base/vector.h"
#include "contact/rigid_pairs.h"
#include "model/model.h"
#include "rigid/collide.h"

/* Options of the deck, except the engine. */
typedef struct {
  PetscBool penalty, settling, splitting, sequential;
  PetscReal omega, s, tangential; /* tangential is the coefficient of tangential restitution e_T */
} EfdaOptions;

/* Two bodies, or a body and a wall of an obstacle, that may come near in this step. */
typedef struct {
  PetscInt  body, other;    /* slave and master; other is -1 if the master is an obstacle */
  PetscInt  obstacle, wall; /* -1 if the master is a body */
  PetscInt  pair;
  PetscReal friction, restitution;
  /* crowd: the least gap of the contacts of this candidate; PETSC_MAX_REAL: its contacts are not used */
  PetscReal gap;
} EfdaCandidate;

/* Encodes obstacle and wall of a candidate in one number. */
static inline PetscInt EfdaWallNumber(const EfdaCandidate *c)
{
  return 64 * c->obstacle + c->wall;
}

/* A gap and its rate. */
typedef struct {
  PetscReal gap, rate;
} EfdaLook;

/* The matrix W = J M^-1 J^T of one contact in its frame, column by column, its inverse, and the scale rho of
   cone.h. */
typedef struct {
  PetscReal W[9], inverse[9], rho;
} EfdaBlock;

/* The springs of `variant: penalty` (theory 18.7). */
typedef struct {
  PetscReal psi;            /* damping parameter psi2 of the normal spring */
  PetscReal stretch, shift; /* tangential spring: its stretch, and its position impulse */
} EfdaSpring;

typedef struct {
  const EfdaCandidate *of; /* the bodies in contact; borrowed from the list of candidates */
  CrFeature            feature;
  EfdaLook             start;    /* gap and rate at the start of the part */
  PetscReal            slip0[3]; /* slip velocity at the start of the part */
  EfdaLook             low; /* gap and rate at the last time at which the contact was found open */
  PetscBool            closed; /* the bodies touch at the start of the part */
  PetscBool            held;   /* the contact is kept closed during the part */
  PetscBool
      /* the contact is not held while the time of an impact is computed that it does not influence */
      aside;
  /* an impact whose time is not computed: restitution acts over the whole part */
  PetscBool strikes;
  PetscBool struck;             /* belongs to an island in which bodies approach */
  CrMeeting meeting;            /* gap, normal and point of the last evaluation */
  PetscReal d[3][3];            /* the frame: normal and two tangents */
  PetscReal rn[2][3], rt[2][3]; /* lever arms of the normal and of the tangential force, per side */
  PetscReal wall_velocity[3];
  PetscReal arm[2][3][3], turn[2][3][3]; /* r x d and I^-1 (r x d) per side and direction d */
  EfdaBlock block;
  /* target for the relative velocity in the middle of the part, in the frame of the contact */
  PetscReal bias[3];
  PetscReal bias0;     /* normal bias before lever arms are moved */
  PetscReal settle[2]; /* tangential components of slip0 in the frame */
  /* friction may stop the slip that exists at the start of the part (theory 18.5) */
  PetscBool  may_settle;
  PetscBool  takes; /* the tangential bias is limited so that friction does no positive work */
  PetscReal  tried; /* length of the part for which p was found; 0: none yet */
  PetscReal  p[3];  /* half the impulse of the part, in the frame */
  PetscReal  pt[3]; /* tangential part of p, in space */
  PetscReal  shift; /* position impulse along the normal */
  PetscReal  room;  /* gap at the end of the part, during the iteration that closes it */
  PetscReal  pull;  /* crowd: position impulse that may still close the gap */
  EfdaSpring spring;
} EfdaContact;

/* Data of a contact that are stored from one sub-step (part) to the next: its force, and (variant: penalty) the stretch
   of its tangential spring. */
typedef struct {
  PetscInt  body, other, wall, key; /* wall is EfdaWallNumber, key that of the feature */
  PetscReal force[4];               /* normal force, then the tangential force in space */
  PetscReal spring;
  PetscReal arm[3]; /* from the slave's centre to the contact */
} EfdaKept;

/* A body during a part. */
typedef struct {
  PetscReal v[3], om[3]; /* velocity and angular velocity in the middle of the part */
  PetscReal force[3], torque[3];
  PetscReal inverse[9]; /* inverse of the inertia, in space */
  PetscBool guided;     /* some contact holds the body */
  PetscBool free;       /* the island of the body touches no obstacle */
  PetscBool struck;     /* the body is the root of an island in which bodies approach */
  PetscBool away;       /* in a crowd: the motion of the body is computed with its group */
} EfdaBody;

typedef CR_LIST(EfdaKept) EfdaKeptList;

/* Works of contacts and loads in a part or in a step. */
typedef struct {
  CrTally   tally;
  PetscReal contact_work, external_work;
  PetscReal push_work;     /* crowd of balls: the part of contact_work that pushed bodies apart */
  PetscInt  passes;        /* number of iterations */
  CR_LIST(CrEvent) events; /* impacts whose times were computed */
} EfdaWork;

/* Scales with which gaps and velocities of a step are compared. */
typedef struct {
  PetscReal a;      /* greatest acceleration by loads */
  PetscReal size;   /* least reach of a body */
  PetscReal length; /* greatest coordinate */
  PetscReal speed;  /* greatest velocity of a point */
  PetscReal close;  /* gap below which bodies touch */
  PetscReal rest;   /* closing velocity below which bodies do not rebound */
} EfdaScales;

typedef struct {
  const EfdaOptions *options; /* borrowed, like the next four */
  const CrModel     *model;
  const CrRigid     *rigid;
  CrContact         *contact;
  const PetscInt *names; /* numbers of the bodies in the model; NULL: the system has all bodies */
  PetscBool       manifold; /* a face on a face gives a contact at every corner */
  /* NULL if all masses are similar; owned by the engine that created it */
  struct EfdaTogether *together;
  /* All members below are owned. States: start of the part, end of the part, and its end before positions are
     corrected. */
  CrRigidState *now, *trial, *base;
  EfdaBody     *bodies;
  CrPose       *poses;
  PetscReal    *load;  /* [3n] accelerations of the part */
  PetscReal    *dx;    /* [6n] correction of positions: displacement, rotation; zero between uses */
  PetscReal    *last;  /* [3n] positions of the pass before */
  PetscInt     *roots; /* union-find */
  CrShape      *balls; /* [obstacles] balls for spheres with the bodies outside */
  CR_LIST(EfdaCandidate) candidates;
  CR_LIST(EfdaContact) contacts;
  EfdaKeptList previous, kept; /* contacts remembered from the last part, and those of this part */
  struct {
    PetscInt   n;
    PetscReal *at;
  } packed;        /* `previous` as reals, for a checkpoint */
  PetscReal  h, t; /* size of the whole step, and time of `now` */
  EfdaScales scale;
  /* a held contact is an impact whose time is not computed, so no slip is stopped in this part */
  PetscBool striking;
  EfdaWork  part, total;
} EfdaSystem;

/* Calls a function that has set *good, and returns if it is false. */
#define EFDA_TRY(...)                                                                              \
  do {                                                                                             \
    PetscCall(__VA_ARGS__);                                                                        \
    if (!*good) PetscFunctionReturn(PETSC_SUCCESS);                                                \
  } while (0)

/* Loops over all contacts, and over the held contacts. */
#define EFDA_EACH(c, e)                                                                            \
  for (EfdaContact *c = (e)->contacts.at; c < (e)->contacts.at + (e)->contacts.n; c++)
#define EFDA_EACH_HELD(c, e)                                                                       \
  EFDA_EACH (c, e)                                                                                 \
    if (!c->held)                                                                                  \
      continue;                                                                                    \
    else

/* Loops over the candidates, and over the one or two bodies of a candidate. */
#define EFDA_EACH_CANDIDATE(d, e)                                                                  \
  for (EfdaCandidate *d = (e)->candidates.at; d < (e)->candidates.at + (e)->candidates.n; d++)
#define EFDA_EACH_SIDE(side, b, d)                                                                 \
  for (PetscInt side = 0, b = (d)->body; side < ((d)->other < 0 ? 1 : 2); side++, b = (d)->other)

/* Marks the bodies of a candidate as guided by a contact. */
static inline void EfdaSetGuided(EfdaSystem *e, const EfdaCandidate *d)
{
  EFDA_EACH_SIDE (side, b, d) e->bodies[b].guided = PETSC_TRUE;
}

/* Creates a system with memory for n bodies of `rigid`. The number of bodies may change later. */
PetscErrorCode EfdaSystemCreate(const EfdaOptions *options, const CrModel *model,
                                const CrRigid *rigid, CrContact *contact, PetscInt n,
                                EfdaSystem *e);
PetscErrorCode EfdaSystemDestroy(EfdaSystem *e);
/* Begins a step of size h from `state`: sets `now`, loads, scales and sums. */
PetscErrorCode EfdaSystemBegin(EfdaSystem *e, const CrState *state, PetscReal h);
/* Write the stored contacts to a checkpoint, and read them from a checkpoint. */
PetscErrorCode EfdaSystemArchive(void *system, CrArchive *archive);
PetscErrorCode EfdaSystemResume(void *system);

/* Computes the mean velocity of the wall of a candidate from t to t + s; zero for two bodies. */
void EfdaWallVelocity(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t, PetscReal s,
                      PetscReal v[3]);
/* Returns the least reach of the bodies; `none` if all of them are points. */
PetscReal EfdaLeastReach(const CrRigid *rigid, PetscReal none);
/* Computes the scales of a step of size h from `now`. */
void EfdaSetScales(EfdaSystem *e, PetscReal h);
/* Returns a typical energy of the system: that of the bodies, and the work of the loads when bodies fall by their own
   size. In a step, contacts may create the fraction EFDA_NEGLIGIBLE of this energy. */
PetscReal EfdaEnergyScale(const CrRigid *rigid, const CrRigidState *state, const PetscReal *load);
#define EFDA_NEGLIGIBLE 1e-9

/* Sums of works: EfdaWorkBegin sets the sums to zero, EfdaWorkAdd adds the works of a part. `parts` is true if parts
   will be added. Without contact the ledger has one pair. */
PetscErrorCode EfdaWorkCreate(const CrContact *contact, PetscBool parts, EfdaWork *work);
PetscErrorCode EfdaWorkDestroy(EfdaWork *work);
void           EfdaWorkBegin(EfdaWork *work);
PetscErrorCode EfdaWorkAdd(EfdaWork *work, const EfdaWork *part);
