/* Rigid bodies that touch, in a step of efda (theory 18): who may meet whom, the contacts, the states between which a
   part of the step leads. The engine for few bodies and the crowd of shapes work on such a system. */
#pragma once

#include "base/grow.h"
#include "base/union.h"
#include "base/vector.h"
#include "contact/contact.h"
#include "model/model.h"

/* What the deck says, beside the engine. */
typedef struct {
  PetscBool penalty, settling, splitting, sequential;
  PetscReal omega, s, tangential; /* tangential: coefficient of restitution e_T */
} EfdaOptions;

/* Two bodies, or a body and a wall of an obstacle, that may come near in this step. */
typedef struct {
  PetscInt  body, other;    /* slave, master; other -1: an obstacle */
  PetscInt  obstacle, wall; /* -1 */
  PetscInt  pair;
  PetscReal friction, restitution;
} EfdaCandidate;

/* One number for wall and obstacle. */
static inline PetscInt EfdaWallNumber(const EfdaCandidate *c)
{
  return 64 * c->obstacle + c->wall;
}

/* A gap and its rate. */
typedef struct {
  PetscReal gap, rate;
} EfdaLook;

/* W = J M^-1 J^T of one contact in its frame, column by column. */
typedef struct {
  PetscReal W[9], inverse[9], rho;
} EfdaBlock;

/* The tangential spring of `variant: penalty`. */
typedef struct {
  PetscReal stretch, psi; /* psi2 of the normal one */
  PetscReal shift;        /* position impulse along the first tangent */
} EfdaSpring;

typedef struct {
  const EfdaCandidate *of; /* the two; borrowed from the list */
  CrFeature            feature;
  EfdaLook             start;    /* of the part */
  PetscReal            slip0[3]; /* velocity of slip, at the start */
  EfdaLook             low;      /* at the last time at which it was open */
  PetscBool            closed;   /* touches at the start */
  PetscBool            held;     /* takes part in the guided motion */
  PetscBool            aside;    /* would, but has nothing to do with the instant that is sought */
  PetscBool            strikes; /* an impact that is not resolved: restitution acts over the part */
  PetscBool            struck;  /* belongs to an island in which bodies approach */
  CrMeeting            meeting; /* of the last evaluation */
  PetscReal            d[3][3]; /* normal, and two tangents */
  PetscReal  rn[2][3], rt[2][3]; /* lever arms of the normal and the tangential force, per side */
  PetscReal  wall_velocity[3];
  PetscReal  arm[2][3][3], turn[2][3][3]; /* r x d and I^-1 (r x d), per side and direction d */
  EfdaBlock  block;
  PetscReal  bias[3];   /* what the velocity of the middle is judged against */
  PetscReal  bias0;     /* of the normal, before lever arms are moved */
  PetscReal  settle[2]; /* slip0 in the frame */
  PetscBool  may_settle;
  PetscBool  takes; /* the tangential bias is limited so that friction does no positive work */
  PetscReal  tried; /* length of the part for which p was found, 0: none yet */
  PetscReal  p[3];  /* half the impulse of the part, in the frame */
  PetscReal  pt[3]; /* its tangential part in space */
  PetscReal  shift; /* position impulse along the normal */
  PetscReal  room;  /* gap at the end, while it is being closed */
  EfdaSpring spring;
} EfdaContact;

/* What is remembered of a contact from part to part: force, and (penalty) the tangential spring. */
typedef struct {
  PetscInt  body, other, wall, key; /* wall: EfdaWallNumber */
  PetscReal force[4];               /* normal, tangential in space */
  PetscReal spring;
  PetscReal arm[3]; /* from the slave's centre to the contact */
} EfdaKept;

typedef struct {
  PetscReal v[3], om[3]; /* of the middle */
  PetscReal force[3], torque[3];
  PetscReal inverse[9]; /* inertia, in space */
  PetscBool guided;     /* some contact holds it */
  PetscBool free;       /* its island touches no obstacle */
  PetscBool struck;     /* root of an island in which bodies approach */
  PetscBool away;       /* of a crowd: its step is done by its group */
} EfdaBody;

/* Lists that grow. */
typedef struct {
  PetscInt       n, room;
  EfdaCandidate *at;
} EfdaCandidates;

typedef struct {
  PetscInt     n, room;
  EfdaContact *at;
} EfdaContacts;

typedef struct {
  PetscInt  n, room;
  EfdaKept *at;
} EfdaKeptList;

/* What contacts and loads do in a part, or in a step. */
typedef struct {
  CrTally   tally;
  PetscReal contact_work, external_work;
  PetscInt  passes; /* iterations */
  PetscInt  nevents, events_room;
  CrEvent  *events; /* impacts that were resolved */
} EfdaWork;

/* What small means in a step. */
typedef struct {
  PetscReal a;      /* greatest acceleration by loads */
  PetscReal size;   /* least reach of a body */
  PetscReal length; /* coordinates */
  PetscReal speed;
  PetscReal close, rest; /* gap below which bodies touch, velocity below which nothing rebounds */
} EfdaScales;

typedef struct {
  const EfdaOptions   *options; /* borrowed, as the next four */
  const CrModel       *model;
  const CrRigid       *rigid;
  CrContact           *contact;
  const PetscInt      *names;    /* numbers of the bodies among all; NULL: these are all */
  PetscBool            manifold; /* a face that touches is a contact at every corner */
  struct EfdaTogether *together; /* NULL: masses are alike; owned by who made it */
  /* owned from here; states: start and end of the part, end before positions are corrected */
  CrRigidState  *now, *trial, *base;
  EfdaBody      *bodies;
  CrPose        *poses;
  PetscReal     *load; /* [3n] accelerations of the part */
  PetscReal     *dx;   /* [6n] correction of positions: displacement, rotation; zero between uses */
  PetscReal     *last; /* [3n] positions of the pass before */
  PetscInt      *roots; /* union-find */
  CrShape       *balls; /* obstacles seen from outside, per obstacle */
  PetscReal     *slide; /* [4 nslides] sums of a part, CrContactSlide */
  EfdaCandidates candidates;
  EfdaContacts   contacts;
  EfdaKeptList   previous, kept; /* of the part before, of this one */
  struct {
    PetscInt   n;
    PetscReal *at;
  } packed;        /* `previous` in a checkpoint */
  PetscReal  h, t; /* size of the whole step, time of `now` */
  EfdaScales scale;
  PetscBool  striking; /* an unresolved impact is among the contacts: nothing settles */
  EfdaWork   part, total;
} EfdaSystem;

/* Loops over the contacts, and over those that are held. */
#define EFDA_EACH(c, e)                                                                            \
  for (EfdaContact *c = (e)->contacts.at; c < (e)->contacts.at + (e)->contacts.n; c++)
#define EFDA_EACH_HELD(c, e)                                                                       \
  EFDA_EACH (c, e)                                                                                 \
    if (!c->held)                                                                                  \
      continue;                                                                                    \
    else

/* Loop over the one or two bodies of a candidate. */
#define EFDA_EACH_SIDE(side, b, d)                                                                 \
  for (PetscInt side = 0, b = (d)->body; side < ((d)->other < 0 ? 1 : 2); side++, b = (d)->other)

/* The bodies of a candidate are guided by a contact. */
static inline void EfdaSetGuided(EfdaSystem *e, const EfdaCandidate *d)
{
  EFDA_EACH_SIDE (side, b, d) e->bodies[b].guided = PETSC_TRUE;
}

/* Room for at most n bodies of `rigid`, whose number may change. */
PetscErrorCode EfdaSystemCreate(const EfdaOptions *options, const CrModel *model,
                                const CrRigid *rigid, CrContact *contact, PetscInt n,
                                EfdaSystem *e);
PetscErrorCode EfdaSystemDestroy(EfdaSystem *e);
/* A step from `state` begins: `now`, loads and sums. */
PetscErrorCode EfdaSystemBegin(EfdaSystem *e, const CrState *state, PetscReal h);
/* The contacts that are remembered, in a checkpoint and back. */
PetscErrorCode EfdaSystemArchive(void *system, CrArchive *archive);
PetscErrorCode EfdaSystemResume(void *system);

/* Mean velocity of the wall of a candidate, from t over s; zero for two bodies. */
void EfdaWallVelocity(const EfdaSystem *e, const EfdaCandidate *c, PetscReal t, PetscReal s,
                      PetscReal v[3]);
/* What small means in a step from `now`. */
void EfdaSetScales(EfdaSystem *e, PetscReal h);
/* An energy to judge by: that of the bodies, and what falling by their own size gives. Contacts may make this part of it
   in a step. */
PetscReal EfdaEnergyScale(const CrRigid *rigid, const CrRigidState *state, const PetscReal *load);
#define EFDA_NEGLIGIBLE 1e-9

/* Sums begin, and are added. */
PetscErrorCode EfdaWorkCreate(PetscInt npairs, EfdaWork *work);
PetscErrorCode EfdaWorkDestroy(EfdaWork *work);
void           EfdaWorkBegin(EfdaWork *work);
PetscErrorCode EfdaWorkAdd(EfdaWork *work, const EfdaWork *part);
