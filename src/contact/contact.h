/* Contact: who may touch whom, what is remembered, and its forces in one step.

   A pair of the deck has one pass (slave nodes against master facets) or two; a box gives one pass
   per wall. A point is one slave node or sample in one pass, or one point of a rigid body. Surfaces are the same on
   every rank. Springs and cones compute every point on every rank, so that all decide alike and sums over points need
   no communication. Multipliers may share search and iteration among the ranks (multipliers/share.c), and
   then tell all ranks the result. Forces and matrix entries are added to owned rows only. */
#pragma once

#include "base/archive.h"
#include "base/index.h"
#include "contact/laws/law.h"
#include "contact/pass.h"
#include "contact/tally.h"
#include "model/conditions.h"
#include "model/history.h"

/* Between a rigid and a deformable body: what is slave. AUTO: not such a pair, or not yet chosen. */
typedef enum { CR_SLAVES_AUTO, CR_SLAVES_NODES, CR_SLAVES_BODY, CR_SLAVES_BOTH } CrSlaves;
const char *CrSlavesWord(CrSlaves slaves); /* of the deck */

/* Between two deformable bodies: whose nodes are points on the facets of the other one. AUTO: as the method can,
   BOTH: all, with shares of their areas; FINER: those of the finer surface and sharp ones; FIRST: those of the body
   that the deck names first, by the older test of facing normals. */
typedef enum { CR_SIDES_AUTO, CR_SIDES_BOTH, CR_SIDES_FINER, CR_SIDES_FIRST } CrSides;

typedef struct {
  char      name[136];
  PetscBool found; /* by `default`: reported once it has touched */
  PetscReal friction, restitution;
  PetscBool rebounds;                   /* the deck says how much */
  PetscReal kn, kt;                     /* penalties as they act */
  char      kn_text[200], kt_text[120]; /* where they come from */
  PetscReal kn_set,
      kn_auto; /* the normal penalty as a deck would give it: the one in use, the automatic one */
  PetscReal layer;    /* height of the layer of elements that the automatic one goes by */
  PetscReal filter;   /* time that filtered forces are means over; 0: forces of steps */
  PetscInt  obstacle; /* number of the obstacle that is the master; -1: none */
  PetscBool whole; /* the slave is a body as a whole: slip is that of the nodes that ever touched */
  PetscBool rigid; /* of rigid bodies: it has no passes, friction and restitution is all it says */
  PetscBool unit;  /* weight: nodal springs, not per area */
  CrSides   sides; /* of deformable bodies */
  PetscInt  passes;       /* as the deck says with the older key; 0: it does not */
  PetscReal cone, corner; /* radians: by how much normals may differ; edges above are sharp */
  PetscInt  samples;      /* points along a facet; 1: nodes alone */
  CrSlaves  slaves;       /* of a rigid and a deformable body */
  PetscBool asked;        /* the deck asks for points of the body */
  PetscReal apart, thick; /* nodes so far apart leave so thin a body through; 0: they do not */
  PetscBool resolve;      /* overlap is pushed out by the ramp */
  CrFactor  ramp;
  const CrDeckNode *overlap; /* what the deck says of it, for messages; borrowed */
  /* Least and greatest gap of the nodes that overlap: on facets, and on the curves that these stand for. */
  PetscReal facets[2], curves[2];
} CrPair;

/* Facet sizes that a point which was free before may lie inside and still count as touching: deeper ones are not
   held back. */
#define CR_DEEPEST 1.0

/* What a node sees of contact: as slave, over all its pairs. */
typedef struct {
  PetscReal gap, slip, pressure; /* least gap (PETSC_MAX_REAL: far), length of slip, per area */
  PetscReal reaction;            /* force of the other pass, while it is gathered */
  CrContactStatus status;
} CrContactNodal;

typedef struct CrRigidPair CrRigidPair; /* contact/rigid_pairs.h */

/* What is noted about a pair on the way, for warnings. */
typedef struct {
  PetscReal facets[2], curves[2]; /* as in CrPair, at the start */
  PetscBool sunk;                 /* the user knows that a node sinks in, where none should */
  PetscInt  valleys; /* failed steps since the last good one: points that one facet cannot hold */
} CrPairNotes;

/* The scratch of the step that is being solved. Nothing here survives a step, but for the couplings. */
typedef struct {
  PetscReal  t, h;
  PetscInt   iteration; /* Newton's, since the last restart: facets are frozen after some */
  PetscBool  lost;      /* a projection failed */
  PetscBool  loose;   /* steady laws: points at the limit of friction slip in the first iteration */
  PetscBool  too_far; /* a path leaps over an obstacle: the step must be cut */
  PetscInt   ndeep;   /* points that start too deep inside to be held back */
  PetscBool  warned_deep;
  PetscInt   ntouches, touches_room, nfound, found_room, ndropped, dropped_room, npairs_room;
  CrTouch   *touches; /* slaves that may touch; owned, as all below */
  PetscInt  *first;   /* [npasses + 1] where the touches of each pass begin */
  PetscInt  *found;   /* facets of the touches */
  PetscInt  *dropped; /* points in contact that leave it */
  PetscReal *path,
      *predicted;       /* [nlocal*2*dim] boxes of the nodes' paths; [nlocal*dim] u0 + h v0 */
  PetscReal   *boxes;   /* of the facets of one surface */
  PetscInt    *at_node; /* [nlocal] 1 + the touch of a node, while twins are looked for */
  CrPairNotes *notes;   /* [npairs] */
  /* the matrix */
  PetscBool splits;   /* the law has CR_FACET_OWN: facets of middle and end may differ */
  PetscInt *couples;  /* node pairs for the matrix */
  PetscInt  npattern; /* couplings that the matrix was last made for, pairs of natural nodes; */
  PetscInt *pattern;  /*   archived, because rounding depends on them */
  PetscBool resumed;  /* the matrix must first be made for them again */
  /* rigid bodies beside deformable ones */
  CrPartner *partners; /* [model->rigid->n] where the method moves them; else NULL */
  PetscReal *loads;    /* [3 rigid->n] accelerations from outside */
  PetscReal *schur;    /* of the points on one body */
  PetscInt  *near;     /* nodes near one body; those that it couples */
  PetscInt   schur_room, near_room;
  PetscInt
      unheld; /* quasi-static: a body without equilibrium in the last evaluation that failed; -1: none */
} CrContactWork;

/* The last accepted step, for output. All arrays are owned. */
typedef struct {
  CrTally         tally;
  PetscReal      *pressure, *gap; /* [npoints] per area; real gap, PETSC_MAX_REAL: far */
  PetscInt       *status;         /* [npoints] CrContactStatus */
  PetscReal      *force;          /* [nlocal*dim] contact force on the nodes of this rank */
  CrContactNodal *nodal;          /* [nlocal], filled by CrContactGatherNodes */
  PetscReal *
      overlap; /* [3 npairs] first side in the second, second in the first, unseen: overlap/overlap.h */
} CrContactPicture;

/* The set-up, which is constant once the method has been created; and, by pointer, what changes. */
struct CrContact {
  const CrModel *model; /* borrowed */
  PetscInt       nobstacles, npairs, npasses, npoints;
  CrObstacle    *obstacles; /* owned, as all below */
  CrPair        *pairs;
  CrPass        *passes;
  PetscInt       nrigid;
  CrRigidPair   *rigid;       /* pairs of rigid bodies */
  CrIndex       *rigid_index; /* finds them by their two sides */
  CrIndex       *pair_index;  /* finds the deck's pairs by name */
  CrIndex       *pass_index;  /* finds the deck's passes by what meets in them */
  PetscInt       nslides;     /* slaves of pairs of rigid bodies: */
  PetscInt      *slide_of;    /* [npairs] slave b of the pair has the number slide_of + b */
  PetscBool      springs;     /* nodes meet facets by springs, and not by exact laws */
  PetscBool      finer;       /* exact laws, for the points of the finer surface */
  PetscBool      sweeps;   /* exact laws by sweeps, which do not mind a law that is stated twice */
  PetscBool      tight;    /* exact laws for the gap at the end of a step: nothing is inside then */
  CrSurface    **surfaces; /* [nsets], NULL where a set is in no pair */
  CrTree       **trees;    /* same */
  PetscInt       nridges;
  CrRidges     **ridges; /* [nridges] sharp edges of surfaces, for edges on edges */
  PetscInt       nsamples;
  CrSamples    **samples; /* [nsamples] points between the nodes of surfaces */
  /* what changes */
  CrContactPast     past;    /* the history in the state, which a step can only read; borrowed */
  CrContactWork    *work;    /* owned */
  CrContactPicture *picture; /* owned */
};

extern const CrKey CrContactKeys[]; /* the top-level key `contact` */

/* Reads `obstacles` and `contact`. NULL if the deck has neither pairs nor rigid bodies. Collective. */
PetscErrorCode CrContactCreate(const CrModel *model, const CrDeck *deck, CrContact **contact);
/* The state gets an empty history that fits the contact. */
PetscErrorCode CrContactRemember(CrContact *contact, CrState *state);
/* Its points get room for `width` numbers of the method. */
PetscErrorCode CrContactWiden(CrContact *contact, CrContactHistory *history, PetscInt width);
/* Points of rigid bodies become slaves, before the first step. CR_POINT_ON_WALL: of rigid bodies that stand alone, for
   methods that do not know them as bodies. CR_POINT_ON_FACET: on deformable bodies, as the pairs ask (theory 14.4),
   for methods that solve for both with springs. */
PetscErrorCode CrContactAddPoints(CrContact *contact, CrPassKind kind, CrState *state);
/* Warns of bodies that may fall between the nodes that alone hold them, and of words of the deck that the
   method does not follow. */
PetscErrorCode CrContactWarnSlaves(const CrContact *contact, const char method[]);
PetscErrorCode CrContactDestroy(CrContact **contact);
/* The couplings of the matrix; the history goes with the state. */
PetscErrorCode CrContactArchive(CrContact *contact, CrArchive *archive);
/* After what was archived has been read back. */
void CrContactResume(CrContact *contact);

/* Where a step is evaluated. Arrays are local. */
struct CrContactStep {
  const CrContactLaw *law;
  const PetscReal    *u;     /* displacements of the configuration of the operators */
  const PetscReal    *end;   /* displacements at t_{n+1}, for laws that see the end */
  const PetscReal    *du;    /* increments of the step */
  const PetscReal    *slide; /* increments that slip is measured by; often du */
  PetscReal           slide_from, slide_to; /* times of that way, for moving obstacles */
  PetscReal           slide_factor;         /* d(slide)/d(configuration) */
};

/* ---- rigid bodies beside deformable ones (partners/) ------------------------------------------ */

/* Rigid bodies of finite mass that contact moves along with the nodes: their motion in the step from
   `state` follows from the trial positions of the nodes (theory 14.3), so that the method only sees
   forces and tangents. Before CrContactBegin; accelerations of loads at the middle of the step. */
PetscErrorCode CrContactBeginRigid(CrContact *contact, const CrRigidState *state, PetscReal t,
                                   PetscReal h);
/* After a good step: copies their motion to the state; and the work of loads on them. */
void      CrContactAcceptRigid(const CrContact *contact, CrRigidState *state);
PetscReal CrContactRigidWork(const CrContact *contact);
/* Quasi-static: force and torque of contact on each body at the end of the step, six numbers each. And the work of what
   is missing to equilibrium at t_n, where contact had the forces `before`: it is held from outside and fades within the
   step. */
void      CrContactRigidForces(const CrContact *contact, PetscReal *forces);
PetscReal CrContactRigidFade(const CrContact *contact, const PetscReal *before);

/* ---- impulses and reactions (book.c) -------------------------------------------------------- */

/* A step from t of size h. The impulse of a pair is `now` times its force in this step and `before` times its force in
   the last one. */
typedef struct {
  PetscReal t, h, now, before;
} CrStepSpan;

/* The step is accepted, and its ledger is full: impulses and filtered forces go into the history, and what obstacles
   do into the reactions. */
void CrContactBook(CrContact *contact, const CrStepSpan *step, CrContactHistory *history,
                   CrReactions *reactions);
/* The window of filtered forces. Negative: four times the time that a wave needs through the layer of elements at the
   contact, of the smaller body; the log says it. */
void CrContactSetFilter(CrContact *contact, PetscReal seconds);
/* Notes which obstacle each pair is with. */
void        CrPairsFindObstacles(CrContact *contact);
const char *CrObstacleNameAt(const void *contact, PetscInt k);

/* ---- for output --------------------------------------------------------------------------- */

/* Fills contact->picture->nodal from the last accepted step. */
void CrContactGatherNodes(CrContact *contact);
/* Mean, least and greatest slip of the slave nodes of a pair, or of its rigid slaves; zero where none has touched. */
void      CrPairSlip(const CrContact *contact, PetscInt pair, PetscReal slip[3]);
PetscBool CrContactHasTouched(const CrContact *contact); /* any pair, since the start */
/* Has it touched since the start? */
PetscBool CrPairHasTouched(const CrContact *contact, PetscInt pair);

/* ---- for the user ---------------------------------------------------------------------------- */

/* Of the first step: warns where bodies that are not to be pushed apart start inside each other, and where
   facets alone overlap that are pushed apart. */
void CrContactWarnOverlap(const CrContact *contact);
/* Warns once of points that start too deep inside to be held back, and forgets their number. */
void CrContactWarnDeep(CrContact *contact);
/* Tells the user what was noted, when the run gives up. */
void CrContactExplain(const CrContact *contact);
