/* What the files of efda share: the engine for few bodies, which resolves every impact (theory 18). A step
   is a chain of parts: guided motion along the contacts that hold (efda_guide.c) up to the next impact, the
   impact at an instant (efda_impact.c), and so on (efda.c). Who may touch whom: efda_contacts.c. */
#pragma once

#include "base/vector.h"
#include "integrate/integrator.h"
#include "integrate/efda/pile.h"

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

typedef struct {
  PetscInt  candidate;
  CrFeature feature;
  PetscReal gap0;     /* at the start of the part */
  PetscReal rate0;    /* of the gap, at the start */
  PetscReal slip0[3]; /* velocity of slip, at the start */
  EfdaLook  low;      /* at the last time at which it was open */
  PetscBool closed;   /* touches at the start */
  PetscBool held;     /* takes part in the guided motion */
  PetscBool aside;    /* would, but has nothing to do with the instant that is sought */
  PetscBool strikes;  /* an impact that is not resolved: restitution acts over the part */
  PetscBool struck;   /* belongs to an island in which bodies approach */
  CrMeeting meeting;  /* of the last evaluation */
  PetscReal t1[3], t2[3];
  PetscReal rn[2][3],
      rt[2][3]; /* lever arms of the normal and of the tangential force, slave and master */
  PetscReal wall_velocity[3];
  PetscReal arm[2][3][3], turn[2][3][3]; /* r x d and I^-1 (r x d), per side and direction d */
  PetscReal W[9], inverse[9], rho;       /* in the frame, column by column */
  PetscReal bias[3],
      settle[2];   /* what the velocity of the middle is judged against; slip0 in the frame */
  PetscReal bias0; /* of the normal, before lever arms are moved */
  PetscBool may_settle;
  PetscBool takes;          /* as much of the tangential bias as friction can do without driving */
  PetscReal tried;          /* length of the part for which p was found, 0: none yet */
  PetscReal p[3];           /* half the impulse of the part, in the frame */
  PetscReal pt[3];          /* its tangential part in space */
  PetscReal shift, shift_t; /* position impulses, along normal and first tangent */
  PetscReal room;           /* gap at the end, while it is being closed */
  PetscReal spring, psi;    /* penalty: stretch of the tangential spring, psi2 */
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
  PetscBool away;       /* of a heap: its step is done by its group (efda_groups.c) */
} EfdaBody;

/* What contacts and loads do in a part, or in a step. */
typedef struct {
  CrTally   tally;
  PetscReal contact_work, external_work;
} EfdaWork;

typedef struct {
  /* options */
  PetscBool            penalty, settling, splitting, sequential;
  PetscReal            omega, s, tangential; /* tangential: coefficient of restitution e_T */
  PetscInt             engine;               /* 0: auto, 1: few, 2: many */
  const CrDeckNode    *engine_node;          /* borrowed */
  CrPile              *pile;   /* the engine for many round bodies, NULL: not used; owned */
  struct EfdaMany     *many;   /* owned */
  struct EfdaHeap     *heap;   /* the engine for many bodies of any shape, NULL: not used; owned */
  struct EfdaGroups   *groups; /* of a heap; owned */
  struct EfdaTogether *together; /* NULL: masses are alike; owned, of groups borrowed */
  const PetscInt      *names; /* numbers of the bodies among all; NULL: these are all; borrowed */
  /* the problem; borrowed */
  const CrModel *model;
  const CrRigid *rigid;
  CrContact     *contact;
  /* owned from here */
  CrRigidState *now, *trial,
      *base; /* start and end of the part; end before positions are corrected */
  EfdaBody  *bodies;
  CrPose    *poses;
  PetscReal *load;  /* [3n] accelerations of the part */
  PetscReal *dx;    /* [6n] correction of positions: displacement, rotation */
  PetscReal *last;  /* [3n] positions of the pass before */
  PetscInt  *roots; /* union-find */
  CrShape   *balls; /* obstacles seen from outside, per obstacle */
  PetscInt   ncandidates, candidates_room, ncontacts, contacts_room, nkept, kept_room, nevents,
      events_room;
  EfdaCandidate *candidates;
  EfdaContact   *contacts;
  EfdaKept      *kept, *previous;
  PetscInt       nprevious, previous_room;
  CrEvent       *events;
  PetscInt       npacked, *packed; /* kept contacts as integers, for checkpoints */
  PetscReal     *slide;            /* [4 nslides] sums of a part, CrContactSlide */
  PetscReal     *undo;             /* slips at the start of the step */
  PetscInt      *undo_slid;
  /* the step */
  PetscReal h, t, a; /* size of the whole step, time of `now`, greatest load acceleration */
  PetscReal size, length, speed; /* scales: least reach of a body, coordinates, velocities */
  PetscReal close, rest; /* gap below which bodies touch, velocity below which nothing rebounds */
  PetscBool striking;    /* an unresolved impact is among the contacts: nothing settles */
  PetscInt  passes;
  EfdaWork  part, total;
} Efda;

/* efda.c: what small means in a step from `now`. */
void EfdaSetScales(Efda *e, PetscReal h);

/* efda_contacts.c */
PetscErrorCode EfdaFindCandidates(Efda *e, PetscReal h);
PetscErrorCode EfdaAddCandidate(Efda *e, const CrRigidPair *pair, PetscInt body, PetscInt other,
                                PetscInt obstacle, PetscInt wall);
/* In how many ways a candidate may touch within `reach`, at the poses. */
PetscInt EfdaFeatures(const Efda *e, const EfdaCandidate *c, PetscReal t, PetscReal reach,
                      CrFeature *features);
/* Contacts nearer than they can come within s, with gaps and velocities at `now`. */
PetscErrorCode EfdaCollect(Efda *e, PetscReal s);
/* Gap, normal, point of a contact of `state` at time t; poses of all bodies must be those of it. */
void EfdaMeet(const Efda *e, const EfdaContact *c, PetscReal t, CrMeeting *meeting);
void EfdaPoses(Efda *e, const CrRigidState *state);
/* Gap and rate in `trial`, s after the start of the part; poses must be those of it. */
EfdaLook EfdaLookAt(Efda *e, const EfdaContact *c, PetscReal s);
/* Enters the overlaps of a state into the ledger of the step. */
void EfdaEnterGaps(Efda *e, const CrRigidState *state, PetscReal t);
/* Velocity of slave against master at a point, for given velocities of the bodies. */
void EfdaRelative(const Efda *e, const EfdaContact *c, const PetscReal *v0, const PetscReal *om0,
                  const PetscReal *v1, const PetscReal *om1, PetscReal u[3]);
void EfdaWallVelocity(const Efda *e, const EfdaCandidate *c, PetscReal t, PetscReal s,
                      PetscReal v[3]);
PetscInt EfdaRoot(Efda *e, PetscInt body);
void     EfdaJoin(Efda *e, PetscInt a, PetscInt b);
/* Frame, lever arms about the given centres, and W = J M^-1 J^T, from meeting. */
void EfdaRows(const Efda *e, EfdaContact *c, const PetscReal *x0, const PetscReal *x1);
void EfdaBlock(const Efda *e, EfdaContact *c);
/* Exact solve of one contact; u: velocity with p. Returns the greatest change of velocity, and changes
   the bodies' velocities v, om. */
PetscReal EfdaSolveOne(Efda *e, EfdaContact *c);
PetscReal EfdaSpeedAt(const Efda *e, const EfdaContact *c, PetscReal u[3]);
PetscReal EfdaResidual(const Efda *e, const EfdaContact *c); /* the same, and changes nothing */
/* The half impulse of a contact becomes p, and the bodies' velocities change with it. */
void            EfdaGive(Efda *e, EfdaContact *c, const PetscReal p[3]);
CrContactStatus EfdaStatus(const Efda *e, const EfdaContact *c);
/* Sums begin; contact c, which has done its work at the velocity u, is entered; sums are added. */
void EfdaWorkBegin(EfdaWork *work);
void EfdaEnter(const Efda *e, const EfdaContact *c, const PetscReal u[3], EfdaWork *work);
void EfdaWorkAdd(EfdaWork *work, const EfdaWork *part);

/* efda_guide.c: motion over s from `now` to `trial` with the held contacts; *good false: no solution. */
PetscErrorCode EfdaGuide(Efda *e, PetscReal s, PetscBool *good);
/* Its parts: forces of the half impulses; velocities of the middle and the end of guided bodies; free flight of the
   others. */
void      EfdaSumForces(Efda *e);
PetscBool EfdaMove(Efda *e, PetscReal s, PetscBool free_only);
void      EfdaFly(Efda *e, PetscReal s);
/* The part from `now` to `trial` is accepted: its work is added, `trial` becomes `now`; what was held is remembered. */
PetscErrorCode EfdaAccept(Efda *e, PetscReal s);
/* Adds the displacement by position impulses dn, dt of a contact to dx; how far dx opens a contact; moves
   `trial` by dx. */
void      EfdaDisplace(Efda *e, const EfdaContact *c, PetscReal dn, PetscReal dt, PetscReal *dx);
PetscReal EfdaOpens(const Efda *e, const EfdaContact *c, const PetscReal *dx);
void      EfdaApply(Efda *e, const PetscReal *dx);
/* efda_penalty.c: position impulses of the spring and dashpot. */
void EfdaPenaltyShift(Efda *e, PetscReal s);
void EfdaPenaltyKeep(Efda *e, PetscReal s);

/* efda_instant.c: a step from `now`, impacts at their instants; *good false: no solution. */
PetscErrorCode EfdaStepInstant(Efda *e, PetscReal h, PetscBool *good);
/* Of the contacts that were open and are not held the one deepest after s, at `trial`; -1: none is below
   `depth`. */
PetscInt EfdaFindCrossing(Efda *e, PetscReal s, PetscReal depth);

/* efda_impact.c: every island of closed contacts in which two bodies approach is struck. */
PetscErrorCode EfdaStrike(Efda *e, PetscBool *struck);

/* efda_together.c: all held contacts, or all struck ones, at once; tolerance: of cone.h. */
PetscErrorCode EfdaTogetherCreate(Efda *e);
PetscErrorCode EfdaSolveTogether(Efda *e, PetscBool struck, PetscReal tolerance);
PetscErrorCode EfdaTogetherDestroy(Efda *e);

/* efda_many.c: the engine for many round bodies. */
PetscErrorCode EfdaManySetUp(Efda *e);
PetscErrorCode EfdaManyStep(Efda *e, CrState *state, PetscReal h);
PetscErrorCode EfdaManyDeepest(Efda *e, const CrState *state, PetscReal *depth);
PetscErrorCode EfdaManyDestroy(Efda *e);

/* efda_heap.c: the engine for many bodies of any shape. */
PetscErrorCode EfdaHeapSetUp(Efda *e);
PetscErrorCode EfdaHeapStep(Efda *e, PetscReal h, PetscBool *good);
PetscErrorCode EfdaHeapLook(Efda *e);      /* makes the list of what overlaps now */
void           EfdaHeapEnterGaps(Efda *e); /* those of the last list */
void           EfdaHeapForget(Efda *e);    /* the list is not that of the state any more */
PetscErrorCode EfdaHeapDestroy(Efda *e);
/* An energy to judge by: what the bodies have, and what falling their own size gives; and the part of it that contacts
   may make in a step. */
PetscReal EfdaEnergyScale(const Efda *e);
#define EFDA_NEGLIGIBLE 1e-9
/* How far the two of a candidate can come towards each other in a step from `now`. */
PetscReal EfdaHeapWay(const Efda *e, const EfdaCandidate *c, PetscReal h);

/* efda_groups.c: small groups of a heap that come together fast, stepped by the engine for few. */
PetscErrorCode EfdaGroupsSetUp(Efda *e);
/* Do the two go so far in a step that what touches at its start says little of its end? */
PetscBool      EfdaIsFast(const Efda *e, const EfdaCandidate *c, PetscReal h);
PetscErrorCode EfdaGroupsStep(Efda *e, PetscReal h,
                              PetscBool *good);               /* from the list of the heap */
void           EfdaGroupsPlace(Efda *e, CrRigidState *state); /* puts their bodies at the end */
PetscErrorCode EfdaGroupsKeep(Efda *e); /* their contacts are remembered too */
PetscErrorCode EfdaGroupsDestroy(Efda *e);
