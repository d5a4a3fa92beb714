/* Contact of bodies: which bodies may touch, the history of contact points, and the contact forces of one step.

   A pair is two bodies or surfaces that may touch. A pass tests the slaves of one side of a pair for contact with the
   facets of the other side. A pair has one pass or two. A box-shaped obstacle has one pass per wall. A contact point is
   one slave of one pass: a node, a sample between nodes, an edge, or a point of a rigid body. Every rank has all
   surfaces. A touch (type CrTouch) is a contact point that may be in contact in the current step. A point is pressed if
   its contact pressure is positive.

   Contact forces come from penalty springs (springs/), from multipliers of the explicit method (multipliers/), or from
   the cone solver (cones/). Springs and multipliers divide their points among the ranks (division.h): the rank that
   owns a slave searches for its contact, evaluates its law and stores its history. This rank sends forces and matrix
   entries to the owners of the master's nodes. The cone solver computes every contact point on every rank; each rank
   adds forces only to rows that it owns. docs/glossary.md explains these words. */
#pragma once

#include "base/archive.h"
#include "base/index.h"
#include "contact/laws/law.h"
#include "contact/pass.h"
#include "contact/tally.h"
#include "model/conditions.h"
#include "model/history.h"

/* The slaves of a pair of a rigid and a deformable body: nodes of the deformable body, points of the rigid body, or
   both. AUTO: the program has not chosen yet, or the pair does not consist of a rigid and a deformable body. */
typedef enum { CR_SLAVES_AUTO, CR_SLAVES_NODES, CR_SLAVES_BODY, CR_SLAVES_BOTH } CrSlaves;
const char *CrSlavesWord(CrSlaves slaves); /* returns the value of the deck's key `slaves` */

/* The slaves of a pair of two deformable bodies. AUTO: the method decides. BOTH: the nodes of both bodies; each node
   carries a share of its area. FINER: the nodes of the finer surface, and nodes at sharp edges of the other one.
   FIRST: the nodes of the body that the deck names first; such a node may touch only facets whose normals are roughly
   opposite to its own normal. */
typedef enum { CR_SIDES_AUTO, CR_SIDES_BOTH, CR_SIDES_FINER, CR_SIDES_FIRST } CrSides;

typedef struct {
  char name[136];
  /* the deck implies the pair by `default`; tables list the pair only after its two sides have touched */
  PetscBool found;
  PetscReal friction, restitution;
  PetscBool rebounds;                   /* the deck gives the restitution */
  PetscReal kn, kt;                     /* normal and tangential penalty in use */
  char      kn_text[200], kt_text[120]; /* the origin of the penalties, for the log */
  /* The normal penalty in use, before two passes halve it; the automatic normal penalty. */
  PetscReal kn_set, kn_auto;
  PetscReal layer;    /* height of the layer of elements from which the automatic penalty follows */
  PetscReal filter;   /* filtered forces are means over this time; 0: forces are not filtered */
  PetscInt  obstacle; /* number of the obstacle that is the master; -1: none */
  /* The deck names the master first. Tables show the force on the side that is named first. */
  PetscBool swapped;
  /* The slave is a whole body. The slip of the pair then counts only nodes that have touched. */
  PetscBool whole;
  PetscBool rigid;  /* a pair of rigid bodies: only its friction and restitution are used */
  PetscBool unit;   /* penalties are stiffnesses per node, not per area */
  CrSides   sides;  /* slaves of a pair of deformable bodies */
  PetscInt  passes; /* value of the older key `passes`; 0: the deck does not have it */
  /* In radians. Normals may deviate by `cone` from the cone of normals of a node. An edge is sharp if it turns by more
     than `corner`. */
  PetscReal cone, corner;
  PetscInt  samples; /* samples along a facet; 1: only nodes are slaves */
  CrSlaves  slaves;  /* slaves of a pair of a rigid and a deformable body */
  /* Distance between the nodes, and thickness of the rigid body, if the body may fall between the nodes. 0: the body
     cannot fall between them. */
  PetscReal         apart, thick;
  PetscBool         resolve; /* `ramp` removes the initial penetration gradually */
  CrFactor          ramp;
  const CrDeckNode *overlap; /* the deck's entry `overlap`, for messages; borrowed */
  /* Least and greatest gap of the nodes that penetrate at the start: on the facets, and on the curves that the facets
     approximate. */
  PetscReal facets[2], curves[2];
} CrPair;

/* CrTallySums contains forces on the slave. Multiplied by this sign, they are forces on the side that the deck names
   first. */
static inline PetscReal CrPairSign(const CrPair *pair)
{
  return pair->swapped ? -1 : 1;
}

/* Contact of a free point does not begin if the point penetrates by more than this many facet sizes. Such a point has
   probably come from the other side. */
#define CR_DEEPEST 1.0

/* Under exact laws without sweeps, a sharp edge is a slave on other edges only if its two facets make an angle of more
   than this many times `corner`. In coarse meshes of round bodies neighbouring facets make angles of 20 to 30 degrees.
   Contact of such edges would impose the same conditions as contact of nodes with facets. */
#define CR_EXACT_CORNERS 2

/* Contact results of one slave node over all its pairs, for output. */
typedef struct {
  /* least gap (PETSC_MAX_REAL: far), length of slip, force per area */
  PetscReal gap, slip, pressure;
  /* sum of the normal forces from contacts of other slaves; zero between uses */
  PetscReal       reaction;
  CrContactStatus status;
} CrContactNodal;

typedef struct CrRigidPair CrRigidPair; /* contact/rigid_pairs.h */

/* Observations about a pair during a run, for warnings. */
typedef struct {
  PetscReal facets[2], curves[2]; /* gaps at the start, as in CrPair */
  PetscBool told;                 /* the user has been warned of the overlap at the start */
  PetscBool sunk; /* a node penetrates although the law is exact, and the user has been warned */
  PetscReal
      depth; /* in the step that is being accepted: greatest penetration under an exact law; 0: none */
  /* Number of pressed points in valleys, for which contact with one facet is not sufficient. It is the greatest number
     in a failed step since the last accepted step. */
  PetscInt valleys;
} CrPairNotes;

/* Data of rigid bodies under Newmark's method: the weights beta and gamma, and [6 rigid->n] the acceleration and the
   angular acceleration (in body axes) at t_n. */
typedef struct {
  PetscReal beta, gamma, *a;
} CrRigidNewmark;

/* Work space of the step that is being solved. Only the couplings of the matrix and the notes outlive a step. */
typedef struct {
  PetscReal t, h;
  /* Newton iterations since the last restart; points change facets only in the first ones */
  PetscInt iteration;
  /* Results for the method, which are the same on all ranks. lost: a contact point had no closest point on its master
     in the last evaluation. pressed: a contact point was pressed at t_n. unsettled: the state of a contact point
     contradicts its law, so the step is not solved yet. too_far: the path of a node leaps over an obstacle, and the
     step must be cut. */
  PetscBool lost, pressed, unsettled, too_far;
  /* Only if the law satisfies the gap condition exactly: contact with one facet was not sufficient for a point, so
     every concave edge now counts as a valley. */
  PetscBool dented;
  /* Some contact points were still held at a concave edge (valley) after they had crossed it, so the step is solved
     once more. */
  PetscBool hung;
  PetscBool wide; /* the search is wider, because a step failed */
  /* Only if the law satisfies the gap condition exactly: no contacts of edges are added to this step, because the step
     failed with such contacts. */
  PetscBool plain;
  /* The integration method sets `loose`, for the quasi-static contact law: in the first iteration, points at the
     friction limit slip if `loose` is true, and stick otherwise. Bodies that only friction holds must start with
     stick. */
  PetscBool loose;
  PetscInt ndeep; /* number of points that penetrate too deeply at the start for contact to begin */
  PetscBool warned_deep;
  PetscInt  ntouches, touches_room, nfound, found_room, ndropped, dropped_room, npairs_room;
  CrTouch
      *touches; /* contact points that the step considers (touches); owned, like all arrays below */
  PetscInt *first;   /* [npasses + 1] number of the first touch of each pass */
  PetscInt *found;   /* numbers of the facets near each contact point */
  PetscInt *dropped; /* points that were in contact and leave it at the end of this step */
  /* [nlocal*2*dim] bounding boxes of the nodes' paths; [nlocal*dim] predicted displacements u0 + h v0 */
  PetscReal *path, *predicted;
  PetscReal *boxes; /* bounding boxes of the facets of one surface */
  PetscInt  *names; /* numbers of these facets */
  /* [nlocal] 1 + number of the contact of a node, to find nodes of two bodies that coincide; zero between uses */
  PetscInt  *at_node;
  PetscReal *held_at; /* [nlocal] number of pressed edges of a pass at a node; zero between uses */
  /* Places where the program must add a contact of edges (springs/calls.h), and work arrays for items near an edge. */
  PetscInt     ncalls, calls_room, query_room;
  CrCall      *calls;
  PetscInt    *query;
  CrPairNotes *notes; /* [npairs] */
  /* The matrix. Its couplings are pairs of nodes, by their natural numbers (model/model.h). Couplings are archived,
     because rounding errors of the linear solver depend on them. */
  PetscBool splits;   /* the law has CR_FACET_OWN: it uses the facets at mid-step and at the end */
  PetscInt *couples;  /* node pairs that the matrix must couple in this step */
  PetscInt  npattern; /* length of `pattern` */
  PetscInt *pattern;  /* couplings for which the present matrix was created */
  PetscBool resumed;  /* after a restart: the matrix must be created again for `pattern` */
  /* Data of rigid bodies in a model with deformable bodies. */
  CrPartner            *partners; /* [model->rigid->n]; NULL: the method does not move them */
  const CrRigidNewmark *newmark;  /* NULL: bodies move by the mid-point rule; borrowed */
  PetscReal            *loads;    /* [3 rigid->n] accelerations by loads */
  PetscInt             *shared;   /* [rigid->n] room for a sum over ranks */
  PetscReal            *schur;    /* couplings of nodes and one body (CR_SCHUR_REALS per node) */
  PetscInt             *near;     /* nodes that touch one rigid body, which couples these nodes */
  PetscInt              schur_room, near_room;
  /* quasi-static: a body without equilibrium in the last evaluation that failed; -1: none */
  PetscInt unheld;
} CrContactWork;

/* Contact in the last accepted step, for output. All arrays are owned. */
typedef struct {
  CrTally         tally;
  PetscReal      *pressure, *gap; /* [npoints] pressure; real gap (PETSC_MAX_REAL: far) */
  PetscInt       *status;         /* [npoints] CrContactStatus */
  PetscReal      *force;          /* [nlocal*dim] contact force on the nodes of this rank */
  CrContactNodal *nodal;          /* [nlocal], filled by CrContactGatherNodes */
  /* [3 npairs] greatest penetration of the slave's side into the master's, of the master's side into the slave's, and
     of penetration that contact does not detect (overlap/overlap.h). Tables swap the first two if the deck names the
     master first. */
  PetscReal *overlap;
  /* [3 npairs] mean, least and greatest slip of the slave nodes of a pair, or of its rigid slaves, zero if none has
     touched; [npairs] 1: the pair has touched. Filled by CrContactGatherNodes. */
  PetscReal *slip;
  PetscInt  *touched;
  /* how often ranks have chosen the nodes near their own points again; 0 on one rank */
  PetscInt renewals;
} CrContactPicture;

/* The pairs, passes and surfaces of a model. These data are constant once the method has been created. The members at
   the end point to data that change from step to step. */
struct CrContact {
  const CrModel *model; /* borrowed */
  PetscInt       nobstacles, npairs, npasses, npoints;
  CrObstacle    *obstacles; /* owned, like all arrays below */
  CrPair        *pairs;
  CrPass        *passes;
  PetscInt       nrigid;
  CrRigidPair   *rigid;       /* pairs of rigid bodies */
  CrIndex       *rigid_index; /* finds pairs of rigid bodies by their two sides */
  CrIndex       *pair_index;  /* finds the deck's pairs by name */
  CrIndex       *pass_index;  /* finds passes by their slave and their master */
  PetscInt       nslides; /* number of slaves of all pairs of rigid bodies, whose slip is summed */
  /* [npairs] slave b of a pair has the number slide_of[pair] + b among these slaves */
  PetscInt *slide_of;
  /* True: contact forces come from penalty springs. False: they come from exact contact laws. With exact laws only
     points of the finer surface are slaves, because two equal conditions at one place would be redundant. */
  PetscBool springs;
  PetscBool
      /* exact laws that are solved by sweeps; with sweeps, two points may impose the same condition */
      sweeps;
  /* exact laws apply to the gap at the end of a step, so that there is no penetration at that time */
  PetscBool tight;
  /* explicit steps end without penetration (theory 19.9) */
  PetscBool   closes;
  CrSurface **surfaces; /* [nsets], NULL where a set is in no pair */
  CrTree    **trees;    /* [nsets] trees of the facets of these surfaces */
  PetscInt    nridges;
  CrRidges  **ridges; /* [nridges] sharp edges of surfaces, for edges on edges */
  PetscInt    nshells;
  CrShell   **shells; /* [nshells] surfaces that sharp edges must not penetrate (theory 17.7) */
  PetscInt    nsamples;
  CrSamples **samples; /* [nsamples] points between the nodes of surfaces */
  /* [2 nlocal] 1 + numbers of the ends of the edge of a mid-side node (lift.h); 0: the node is no mid-side node. NULL:
     no surface has quadratic faces, or there are no contact springs */
  PetscInt *ends;
  /* data that change */
  /* the history of the points, which a step reads and does not change; borrowed from the state */
  CrContactPast     past;
  CrContactWork    *work;    /* owned */
  CrContactPicture *picture; /* owned */
  CrDivision
          *division; /* points are divided among the ranks; NULL: every rank computes all; owned */
  CrStage *stage;    /* part of the surfaces that this rank uses in the search of springs; owned */
};

/* A loop over all passes of the contact. */
#define CR_EACH_PASS(p, c) for (CrPass *p = (c)->passes; p < (c)->passes + (c)->npasses; p++)

extern const CrKey CrContactKeys[]; /* the top-level key `contact` */

/* Reads `obstacles` and `contact`. *contact is NULL if the deck has neither contact pairs nor rigid bodies.
   Collective. */
PetscErrorCode CrContactCreate(const CrModel *model, const CrDeck *deck, CrContact **contact);
/* Creates an empty history with an entry for every contact point, and stores it in the state. */
PetscErrorCode CrContactRemember(CrContact *contact, CrState *state);
/* Allocates `width` numbers for every contact point of the history. The integration method uses these numbers. */
PetscErrorCode CrContactWiden(CrContact *contact, CrContactHistory *history, PetscInt width);
/* Divides the contact points among the ranks: the owner of a slave computes its contact (division.h). A method calls
   this function once, before the first step. If `whole` is true, edges on rigid bodies and points of rigid bodies are
   divided too. */
PetscErrorCode CrContactDivide(CrContact *contact, PetscBool whole);
/* Called before a checkpoint is written: stores in the history which contact points this rank writes to the file and
   reads from it. Every rank gets the couplings of all ranks. Collective. */
PetscErrorCode CrContactCollect(CrContact *contact, CrContactHistory *history);
/* Adds points of rigid bodies as slaves, before the first step. CR_POINT_ON_WALL: points on obstacles.
   CR_POINT_ON_FACET: points on facets, in the pairs that ask for them (theory 14.4). */
PetscErrorCode CrContactAddPoints(CrContact *contact, CrPassKind kind, CrState *state);
/* Warns of rigid bodies that may fall between the nodes of the surface below them. */
PetscErrorCode CrContactWarnSlaves(const CrContact *contact);
PetscErrorCode CrContactDestroy(CrContact **contact);
/* Adds the couplings of the matrix to a checkpoint. The history is in the checkpoint already, as part of the state. */
PetscErrorCode CrContactArchive(CrContact *contact, CrArchive *archive);
/* Called after a checkpoint has been read. If the checkpoint contains couplings, the matrix will be created again for
   them. */
void CrContactResume(CrContact *contact);

/* The trial state at which contact is evaluated, and the law. Arrays are local. */
struct CrContactStep {
  const CrContactLaw *law;
  const PetscReal *u;   /* displacements at which the operators G and H are computed (law->where) */
  const PetscReal *end; /* displacements at t_{n+1}, for laws that use the gap there */
  const PetscReal *du;  /* increments of the displacements over the step */
  const PetscReal *slide; /* increments from which slip is computed; most methods use du */
  /* times between which `slide` is measured, for moving obstacles */
  PetscReal slide_from, slide_to;
  PetscReal slide_factor; /* derivative of `slide` by u */
};

/* Returns the length scale of the points of a pass: the mean size of the facets of the slave or master, or the size of
   the rigid body. */
PetscReal CrPassSize(const CrContact *contact, const CrPass *pass);

/* ---- rigid bodies beside deformable ones (partners/) ------------------------------------------ */

/* Begins a step of rigid bodies of finite mass, from `state`. The motion of these bodies follows from the trial
   positions of the nodes (theory 14.3), so the method computes only forces and tangents of nodes. Call it before
   CrContactBegin. Loads are those in the middle of the step. */
PetscErrorCode CrContactBeginRigid(CrContact *contact, const CrRigidState *state, PetscReal t,
                                   PetscReal h);
/* Called before the first step: rigid bodies then move by Newmark's method. Computes their accelerations at time t
   without contact. */
void CrContactUseNewmark(CrContact *contact, const CrRigidState *state, PetscReal t,
                         const CrRigidNewmark *newmark);
/* Called after an accepted step: CrContactAcceptRigid copies the motion of the rigid bodies to the state, and
   CrContactRigidWork returns the work of loads on the rigid bodies. */
void      CrContactAcceptRigid(const CrContact *contact, CrRigidState *state);
PetscReal CrContactRigidWork(const CrContact *contact);
/* These functions are for quasi-static analyses. CrContactRigidForces computes the contact force and torque on each
   rigid body at the end of the step, six numbers per body. CrContactRigidFade returns the work of the force that is
   missing for equilibrium at t_n, where contact had the forces `before`. This force is applied from outside, and
   decreases to zero within the step. */
void      CrContactRigidForces(const CrContact *contact, PetscReal *forces);
PetscReal CrContactRigidFade(const CrContact *contact, const PetscReal *before);

/* ---- impulses and reactions (book.c) -------------------------------------------------------- */

/* Data of a step of size h that starts at time t. The impulse of a pair is `now` times its force in this step plus
   `before` times its force in the last step. */
typedef struct {
  PetscReal t, h, now, before;
} CrStepSpan;

/* Is called when a step is accepted and its ledger is complete. Adds impulses and filtered forces of the pairs to the
   history, and the forces of obstacles to the reactions. */
void CrContactBook(CrContact *contact, const CrStepSpan *step, CrContactHistory *history,
                   CrReactions *reactions);
/* Sets the time over which filtered forces are means. If `seconds` is negative, each pair gets four times the time in
   which a wave crosses the layer of elements at the contact. The smaller body decides. The log reports the result. */
void CrContactSetFilter(CrContact *contact, PetscReal seconds);
/* Sets `obstacle` of every pair. */
void CrPairsFindObstacles(CrContact *contact);
/* Returns the name of obstacle k. */
const char *CrObstacleNameAt(const void *contact, PetscInt k);

/* ---- for output --------------------------------------------------------------------------- */

/* Fills nodal, slip and touched of contact->picture from the last accepted step. Nodal results exist for owned nodes
   only. Collective. */
PetscErrorCode CrContactGatherNodes(CrContact *contact);
/* Returns true if any pair has touched since the start of the run. */
PetscBool CrContactHasTouched(const CrContact *contact);

/* ---- for the user ---------------------------------------------------------------------------- */

/* After the first step: warns of pairs that penetrate at the start and are not pushed apart. Of pairs that are pushed
   apart, it warns if the penetration varies only because facets approximate curves. Collective. */
PetscErrorCode CrContactWarnOverlap(const CrContact *contact);
/* Warns once of points that penetrate so deeply at the start that their contact does not begin. Sets the number of
   these points to zero. */
void CrContactWarnDeep(CrContact *contact);
/* When a run fails: tells the user which pairs had points in valleys (theory 13.10). */
void CrContactExplain(const CrContact *contact);
