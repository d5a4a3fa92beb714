/* Contact of bodies. This file declares which bodies may touch, the history of their contact points, and the contact
   forces of one step.

   A pair is two bodies or surfaces that may touch. A contact pass, for short a pass, tests the slaves of one side of a
   pair for contact with the facets of the other side, the master. A pair has one pass or two. A box-shaped obstacle has
   one pass per wall. A contact point is one slave of one pass: a node, a sample between nodes, an edge, or a point of a
   rigid body. Every rank (MPI process) stores the reference shapes of all surfaces. A touch (type CrTouch) is a contact
   point that may be in contact in the current step. A contact point is pressed if its contact pressure is positive.

   Contact forces come from penalty springs (springs/), from multipliers of the explicit method (multipliers/), or from
   the cone solver (cones/). The contact points are divided among the ranks (division.h). The rank that owns a slave
   searches for the slave's contact, evaluates the contact law and stores the history. This rank also sends forces and
   matrix entries to the owners of the master's nodes. With the cone solver, the ranks also share the friction problem
   (cones/active.c). docs/glossary.md explains the terms. */
#pragma once

#include "base/archive.h"
#include "base/index.h"
#include "contact/laws/law.h"
#include "contact/pass.h"
#include "contact/tally.h"
#include "model/conditions.h"
#include "model/history.h"

/* The slaves of a pair of a rigid and a deformable body: nodes of the deformable body, points of the rigid body, or
   both. AUTO means that the program has not chosen yet, or that the pair does not consist of a rigid and a deformable
   body. */
typedef enum { CR_SLAVES_AUTO, CR_SLAVES_NODES, CR_SLAVES_BODY, CR_SLAVES_BOTH } CrSlaves;
const char *CrSlavesWord(CrSlaves slaves); /* returns the value of the deck's key `slaves` */

/* The slaves of a pair of two deformable bodies. AUTO: the integration method decides. BOTH: the nodes of both bodies
   are slaves, and only a part of each node's area carries pressure. FINER: the slaves are the nodes of the finer
   surface, and the nodes at sharp edges of the other surface. FIRST: the slaves are the nodes of the body that the deck
   names first. With FIRST, a node may touch only facets whose normals are roughly opposite to the node's normal. */
typedef enum { CR_SIDES_AUTO, CR_SIDES_BOTH, CR_SIDES_FINER, CR_SIDES_FIRST } CrSides;

typedef struct {
  char name[136];
  /* true: the deck does not name the pair, but implies it by the key `default`. Tables then list the pair only after
     its two sides have touched. */
  PetscBool found;
  PetscReal friction, restitution;
  PetscBool rebounds;                   /* the deck gives a value for `restitution` */
  PetscReal kn, kt;                     /* normal and tangential penalty stiffness in use */
  char      kn_text[200], kt_text[120]; /* how kn and kt were found, in words for the log */
  /* kn_set is the normal penalty before it is halved for a pair with two passes. kn_auto is the normal penalty that the
     program would choose. */
  PetscReal kn_set, kn_auto;
  PetscReal layer;    /* height of the element layer at the surface; kn_auto follows from it */
  PetscReal filter;   /* physical time over which filtered forces are averaged; 0: no filter */
  PetscInt  obstacle; /* number of the obstacle that is the master; -1: none */
  /* True if the deck names the master first. Tables show the force on the side that the deck names first. */
  PetscBool swapped;
  /* True if the slave is the whole surface of a body. The slip of the pair is then computed only from nodes that have
     touched. */
  PetscBool whole;
  PetscBool rigid;  /* both sides are rigid: only friction and restitution are used */
  PetscBool unit;   /* penalties are stiffnesses per node, not per area */
  CrSides   sides;  /* which nodes are slaves in a pair of deformable bodies */
  PetscInt  passes; /* value of the older key `passes`; 0: the key is not in the deck */
  /* Angles in radians. A node may touch facets whose normals deviate by at most `cone` from the node's cone of normals.
     An edge is sharp if the normals of its two facets differ by more than `corner`. */
  PetscReal cone, corner;
  PetscInt  samples; /* number of samples along a facet; 1: only nodes are slaves */
  CrSlaves  slaves;  /* slaves of a pair of a rigid and a deformable body */
  /* A thin rigid body may fall between the nodes of the surface below it. In this case `apart` is the distance between
     the nodes and `thick` is the thickness of the body. Otherwise both are 0. */
  PetscReal         apart, thick;
  PetscBool         resolve; /* the initial penetration is removed gradually */
  CrFactor          ramp;
  const CrDeckNode *overlap; /* entry `overlap` of the deck; messages print its line; borrowed */
  /* entry of the pair under `contact`, or the entry `default`; messages print its line; borrowed */
  const CrDeckNode *entry;
  /* Least and greatest gap of the nodes that penetrate at the start. facets[] are gaps to the facets. curves[] are gaps
     to the smooth curves that the facets approximate. */
  PetscReal facets[2], curves[2];
} CrPair;

/* Returns the factor 1 or -1 that converts the force on the slave (in CrTallySums) to the force on the side that the
   deck names first. */
static inline PetscReal CrPairSign(const CrPair *pair)
{
  return pair->swapped ? -1 : 1;
}

/* Greatest penetration, in facet sizes, at which a point that was not in contact may start contact. A point that
   penetrates deeper has probably entered through the opposite side of the body. */
#define CR_DEEPEST 1.0

/* Factor on the angle `corner`, under exact laws that are not solved by sweeps. A sharp edge may touch other edges only
   if the normals of its two facets differ by more than this factor times `corner`. In coarse meshes of round bodies,
   neighbouring facets differ by 20 to 30 degrees. Contact of such edges would repeat the conditions that nodes on
   facets impose. */
#define CR_EXACT_CORNERS 2

/* Contact results of one slave node over all its pairs, for output. */
typedef struct {
  /* least gap (PETSC_MAX_REAL: no facet is near), length of slip, normal force per area */
  PetscReal gap, slip, pressure;
  /* sum of the normal forces that slaves of the other side exert on this node; zero between uses */
  PetscReal       reaction;
  CrContactStatus status;
} CrContactNodal;

typedef struct CrRigidPair CrRigidPair; /* contact/rigid_pairs.h */

/* Facts about a pair that the program notes during a run, to warn the user. */
typedef struct {
  PetscReal facets[2], curves[2]; /* gaps at the start, as in CrPair */
  PetscBool told;                 /* the user has been warned of the overlap at the start */
  PetscBool sunk; /* the user has been warned that a node penetrates although the law is exact */
  /* greatest penetration under an exact law, in the step that is being accepted; 0: none */
  PetscReal depth;
  /* Number of pressed points in valleys (concave edges), where contact with one facet is not sufficient. The number is
     the greatest one of all failed steps since the last accepted step. */
  PetscInt valleys;
} CrPairNotes;

/* Data of rigid bodies under Newmark's method. beta and gamma are the weights of the method. a[6 rigid->n] has for each
   body the acceleration at t_n, and the angular acceleration at t_n in body axes. */
typedef struct {
  PetscReal beta, gamma, *a;
} CrRigidNewmark;

/* Work space of the step that is being solved. Only the couplings of the matrix and the notes are kept from step to
   step. */
typedef struct {
  PetscReal t, h;
  /* number of Newton iterations since Newton's method (re)started; points change facets only in the first iterations */
  PetscInt iteration;
  /* Results that the integration method reads, with the same values on all ranks. lost: in the last evaluation, a
     contact point had no closest point on its master. pressed: a contact point was pressed at t_n. unsettled: the state
     of a contact point contradicts its law, so the step is not solved yet. too_far: the path of a node leaps over an
     obstacle, and the step size must be reduced. */
  PetscBool lost, pressed, unsettled, too_far;
  /* Used only if the law satisfies the gap condition exactly. True: contact with one facet was not sufficient for some
     point, so every concave edge now counts as a valley. */
  PetscBool dented;
  /* True: some contact points were still held at a concave edge (valley) after they had crossed the edge. So the step
     is solved once more. */
  PetscBool hung;
  PetscBool wide; /* the search uses a greater distance, because a step failed */
  /* Used only if the law satisfies the gap condition exactly. True: no contacts of edges are added to this step,
     because the step failed with such contacts. */
  PetscBool plain;
  /* The integration method sets `loose`, for the quasi-static contact law. In the first iteration, points at the
     friction limit slip if `loose` is true, and stick otherwise. Bodies that only friction holds must start with
     stick. */
  PetscBool loose;
  PetscInt ndeep; /* number of points that penetrate too deeply at the start for contact to begin */
  PetscBool warned_deep;
  PetscInt  ntouches, touches_room, nfound, found_room, ndropped, dropped_room, npairs_room;
  CrTouch *touches; /* [ntouches] the possible contacts of the step; owned, like all arrays below */
  PetscInt *first;  /* [npasses + 1] index in `touches` of the first touch of each pass */
  PetscInt *found;  /* numbers of the facets near each contact point */
  PetscInt *dropped; /* points that leave contact at the end of this step */
  /* [nlocal*2*dim] bounding boxes of the nodes' paths; [nlocal*dim] predicted displacements u0 + h v0 */
  PetscReal *path, *predicted;
  PetscReal *boxes; /* bounding boxes of the facets of one surface */
  PetscInt  *names; /* numbers of these facets */
  /* [nlocal] 1 + index of the touch of a node, to find coincident nodes of two bodies; zero between uses */
  PetscInt *at_node;
  /* [nlocal] number of pressed edges at a node, in one pass; zero between uses */
  PetscReal *held_at;
  /* `calls` lists the places where a contact of edges must be added (springs/calls.h). `query` lists the facets or
     edges near an edge. */
  PetscInt     ncalls, calls_room, query_room;
  CrCall      *calls;
  PetscInt    *query;
  CrPairNotes *notes; /* [npairs] */
  /* Data of the stiffness matrix. A coupling is a pair of nodes with a nonzero block in the matrix. Couplings use the
     natural numbers of nodes (model/model.h). Checkpoints contain the couplings, because rounding errors of the linear
     solver depend on them. */
  /* true if the law has CR_FACET_OWN: its facets at mid-step and at the end of the step may differ */
  PetscBool splits;
  PetscInt *couples;  /* node pairs that the matrix must couple in this step */
  PetscInt  npattern; /* length of `pattern` */
  PetscInt *pattern;  /* couplings for which the present matrix was created */
  PetscBool resumed;  /* after a restart: the matrix must be created again for `pattern` */
  /* Data of rigid bodies in a model that also has deformable bodies. */
  CrPartner            *partners; /* [rigid->n]; NULL: this step does not move rigid bodies */
  const CrRigidNewmark *newmark;  /* NULL: bodies move by the mid-point rule; borrowed */
  PetscReal            *loads;    /* [3 rigid->n] accelerations of the bodies due to loads */
  PetscInt             *shared;   /* [rigid->n] buffer for a sum over ranks */
  /* blocks that couple nodes with one body (CR_SCHUR_REALS per node) */
  PetscReal *schur;
  PetscInt  *near; /* nodes in contact with one rigid body */
  PetscInt   schur_room, near_room;
  /* quasi-static: number of a rigid body that had no equilibrium in the last failed evaluation; -1: none */
  PetscInt unheld;
} CrContactWork;

/* Contact in the last accepted step, for output. All arrays are owned. */
typedef struct {
  CrTally tally;
  /* [npoints] pressure; real gap (PETSC_MAX_REAL: no facet is near) */
  PetscReal      *pressure, *gap;
  PetscInt       *status; /* [npoints] CrContactStatus */
  PetscReal      *force;  /* [nlocal*dim] contact force on the nodes of this rank */
  CrContactNodal *nodal;  /* [nlocal], filled by CrContactGatherNodes */
  /* [3 npairs] for each pair: greatest penetration of the slave's side into the master's side, and of the master's side
     into the slave's side. The third number is the greatest penetration that contact did not detect
     (overlap/overlap.h). Tables swap the first two numbers if the deck names the master first. */
  PetscReal *overlap;
  /* slip[3 npairs] has the mean, least and greatest slip of the slave nodes of each pair, or of its rigid slaves. These
     numbers are zero if no slave has touched. touched[npairs] is 1 if the pair has touched. CrContactGatherNodes fills
     both arrays. */
  PetscReal *slip;
  PetscInt  *touched;
  /* how often the ranks have renewed their lists of nodes near their contact points; 0 on one rank */
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
  CrRigidPair   *rigid;       /* [nrigid] pairs of rigid bodies */
  CrIndex       *rigid_index; /* finds pairs of rigid bodies by their two sides */
  CrIndex       *pair_index;  /* finds the deck's pairs by name */
  CrIndex       *pass_index;  /* finds passes by their slave and their master */
  PetscInt       nslides;     /* number of rigid slaves of all pairs; each has a sum of slip */
  /* [npairs] if rigid body b is a slave of a pair, its index among the nslides slaves is slide_of[pair] + b */
  PetscInt *slide_of;
  /* True: contact forces come from penalty springs. False: contact forces come from exact contact laws. With exact laws
     only points of the finer surface are slaves, because two equal conditions at one place would be redundant. */
  PetscBool springs;
  /* Exact laws are solved by sweeps (iterations over single contacts). With sweeps, two points may impose the same
     condition. */
  PetscBool sweeps;
  /* exact laws are imposed on the gap at the end of a step, so that no point penetrates at that time */
  PetscBool tight;
  /* explicit steps end without penetration (theory 19.9) */
  PetscBool   closes;
  CrSurface **surfaces; /* [nsets] surface of each node set; NULL: no pair uses the set */
  CrTree    **trees;    /* [nsets] trees of the facets of these surfaces */
  PetscInt    nridges;
  CrRidges  **ridges; /* [nridges] sharp edges of surfaces, for contact of edges with edges */
  PetscInt    nshells;
  /* [nshells] current shapes of surfaces that sharp edges must not penetrate (theory 17.7) */
  CrShell   **shells;
  PetscInt    nsamples;
  CrSamples **samples; /* [nsamples] points between the nodes of surfaces */
  /* [2 nlocal] for a mid-side node: 1 + local numbers of the two end nodes of its edge (lift.h). 0: the node is no
     mid-side node. The array is NULL if no vertices are lifted. */
  PetscInt *ends;
  /* data that change */
  /* the history of the contact points at t_n, which a step reads but does not change; borrowed from the state */
  CrContactPast     past;
  CrContactWork    *work;    /* owned */
  CrContactPicture *picture; /* owned */
  /* how points are divided among the ranks; NULL: every rank computes all points; owned */
  CrDivision *division;
  CrStage    *stage; /* facets that this rank searches for contact with springs; owned */
};

/* A loop over all passes of the contact. */
#define CR_EACH_PASS(p, c) for (CrPass *p = (c)->passes; p < (c)->passes + (c)->npasses; p++)

extern const CrKey CrContactKeys[]; /* the top-level key `contact` */

/* Reads the keys `obstacles` and `contact` of the deck, and creates the contact data. *contact is NULL if the deck has
   neither contact pairs nor rigid bodies. Collective: all ranks must call the function. */
PetscErrorCode CrContactCreate(const CrModel *model, const CrDeck *deck, CrContact **contact);
/* Creates an empty history with an entry for every contact point, and stores it in the state. */
PetscErrorCode CrContactRemember(CrContact *contact, CrState *state);
/* Allocates `width` additional numbers per contact point in the history, for the integration method. */
PetscErrorCode CrContactWiden(CrContact *contact, CrContactHistory *history, PetscInt width);
/* Divides the contact points among the ranks (division.h). The rank that owns a slave then computes its contact. An
   integration method calls this function once, before the first step. If `whole` is true, edges on rigid bodies and
   points of rigid bodies are divided too. */
PetscErrorCode CrContactDivide(CrContact *contact, PetscBool whole);
/* Stores in the history which contact points this rank writes to a checkpoint and reads from it. Also gives every rank
   the matrix couplings of all ranks. Called before a checkpoint is written. Collective. */
PetscErrorCode CrContactCollect(CrContact *contact, CrContactHistory *history);
/* Adds points of rigid bodies as slaves. Called before the first step. With kind = CR_POINT_ON_WALL, the points touch
   obstacles. With CR_POINT_ON_FACET, the points touch facets, in the pairs that have such slaves (theory 14.4). */
PetscErrorCode CrContactAddPoints(CrContact *contact, CrPassKind kind, CrState *state);
/* Warns the user of rigid bodies that may fall between the nodes of the surface below them. */
PetscErrorCode CrContactWarnSlaves(const CrContact *contact);
PetscErrorCode CrContactDestroy(CrContact **contact);
/* Adds to a checkpoint the couplings of the matrix. The checkpoint already contains the contact history, as part of the
   state. */
PetscErrorCode CrContactArchive(CrContact *contact, CrArchive *archive);
/* Requests that the matrix be created again for the couplings in the checkpoint, if there are any. Called after a
   checkpoint has been read. */
void CrContactResume(CrContact *contact);

/* The trial state of the step at which contact is evaluated, and the contact law. Arrays are indexed by local dofs (dim
   * local node + component). */
struct CrContactStep {
  const CrContactLaw *law;
  const PetscReal *u;   /* displacements at which the operators G and H are computed (law->where) */
  const PetscReal *end; /* displacements at t_{n+1}, for laws that use the gap there */
  const PetscReal *du;  /* increments of the displacements over the step */
  const PetscReal *slide; /* increments from which slip is computed; most methods use du */
  /* times at the start and end of the increments `slide`, for moving obstacles */
  PetscReal slide_from, slide_to;
  PetscReal slide_factor; /* derivative of `slide` with respect to u */
};

/* Returns the length scale of a pass, to which gaps are compared. This length is the mean size of the facets of the
   slave or master, or the size of the rigid body. */
PetscReal CrPassSize(const CrContact *contact, const CrPass *pass);

/* ---- rigid bodies beside deformable ones (partners/) ------------------------------------------ */

/* Begins a step of the rigid bodies of finite mass, from time t to t + h. `state` has the motion of the bodies at t.
   Their motion in the step follows from the trial positions of the nodes (theory 14.3). So the integration method
   computes only forces and tangents of nodes. Loads are evaluated in the middle of the step. Call this function before
   CrContactBegin. */
PetscErrorCode CrContactBeginRigid(CrContact *contact, const CrRigidState *state, PetscReal t,
                                   PetscReal h);
/* Selects Newmark's method for the motion of rigid bodies, and computes their accelerations at time t without contact.
   Called before the first step. */
void CrContactUseNewmark(CrContact *contact, const CrRigidState *state, PetscReal t,
                         const CrRigidNewmark *newmark);
/* Called after an accepted step. CrContactAcceptRigid copies the motion of the rigid bodies to the state.
   CrContactRigidWork returns the work of loads on the rigid bodies in the step. */
void      CrContactAcceptRigid(const CrContact *contact, CrRigidState *state);
PetscReal CrContactRigidWork(const CrContact *contact);
/* These functions are for quasi-static analyses. CrContactRigidForces computes the contact force and torque on each
   rigid body at the end of the step, six numbers per body. `before` has these contact forces at t_n. If a body is not
   in equilibrium at t_n, an external force replaces the missing force, and decreases to zero within the step.
   CrContactRigidFade returns the work of this external force. */
void      CrContactRigidForces(const CrContact *contact, PetscReal *forces);
PetscReal CrContactRigidFade(const CrContact *contact, const PetscReal *before);

/* ---- impulses and reactions (book.c) -------------------------------------------------------- */

/* A step of size h that starts at time t, with weights for impulses. The impulse of a pair in the step is `now` times
   its force in this step plus `before` times its force in the last step. */
typedef struct {
  PetscReal t, h, now, before;
} CrStepSpan;

/* Adds to the history the impulses and filtered forces of the pairs, and to the reactions the forces of obstacles.
   Called when a step is accepted and its ledger (tally.h) is complete. */
void CrContactBook(CrContact *contact, const CrStepSpan *step, CrContactHistory *history,
                   CrReactions *reactions);
/* Sets the physical time over which filtered forces are averaged. If `seconds` is negative, each pair gets four times
   the time in which a wave crosses the layer of elements at the contact. The layer of the smaller body decides. The log
   reports the result. */
void CrContactSetFilter(CrContact *contact, PetscReal seconds);
/* Sets the member `obstacle` of every pair. */
void CrPairsFindObstacles(CrContact *contact);
/* Returns the name of obstacle k. */
const char *CrObstacleNameAt(const void *contact, PetscInt k);

/* ---- for output --------------------------------------------------------------------------- */

/* Fills the members `nodal`, `slip` and `touched` of contact->picture from the last accepted step. Nodal results exist
   only for nodes that this rank owns. Collective. */
PetscErrorCode CrContactGatherNodes(CrContact *contact);
/* Returns true if any pair has touched since the start of the run. */
PetscBool CrContactHasTouched(const CrContact *contact);

/* ---- for the user ---------------------------------------------------------------------------- */

/* Warns the user of pairs that penetrate at the start of the run. If a pair is pushed apart, the warning appears only
   if the penetration varies only because facets approximate curves. Called after the first step. Collective. */
PetscErrorCode CrContactWarnOverlap(const CrContact *contact);
/* Warns the user once of points that penetrate so deeply at the start that their contact does not begin. Resets the
   number of these points to zero. */
void CrContactWarnDeep(CrContact *contact);
/* Tells the user which pairs had points in valleys (theory 13.10). Called when a run fails. */
void CrContactExplain(const CrContact *contact);
