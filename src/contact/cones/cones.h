/* The contact solver of the method `bipotential`. The solver computes all contacts of a step together, as one discrete
   Coulomb problem z = W r + q (cone/cone.h, theory 17.3). Here r are the contact reactions, and z are the gaps and
   slips of the active contacts. W is the flexibility matrix of the contacts, and q is z without reactions. The laws of
   contact and friction are satisfied exactly, without penalties. The stiffness matrix of the bodies contains no contact
   terms. W is computed from responses. A response is the displacement of all surface nodes under a unit force on one of
   them. Responses depend only on the stiffness matrix, so they stay valid when normals, facets or active contacts
   change. */
#pragma once

#include "cone/cone.h"
#include "contact/contact.h"

/* The quantities z on which the contact law is imposed (theory 17.2; docs/references.md, FJCM). */
typedef enum {
  CR_LEVEL_GAP,       /* gap at the end of the step; increment of slip in the step */
  CR_LEVEL_INCREMENT, /* increments of gap and slip in the step */
  CR_LEVEL_VELOCITY   /* rates of gap and slip at the end of the step, times theta h */
} CrConesLevel;

/* Data of one touch (touch/touch.h). A touch is a contact point that may be in contact in this step. */
typedef struct {
  int state; /* OUT, ACTIVE or HELD (internal.h) */
  /* free: z (gap and slip) in this iteration without reactions. predicted: z that the last solution of the Coulomb
     problem predicted. */
  PetscReal free[3], predicted[3];
  PetscReal kept[3]; /* pressure and two tractions of the last evaluation */
  /* own: diagonal entries of this contact's block of W, without the effect that reactions rotate with their facets.
     flexible: their mean. */
  PetscReal own[3], flexible;
  /* Only with CR_LEVEL_GAP (bank.c). bank: energy that impacts of the point have dissipated. lasted: number of layers of
     elements that a wave has crossed since these impacts. lift: gap to which the point is pushed, so that this energy is
     returned. */
  PetscReal bank, lasted, lift;
} CrConesTouch;

typedef struct {
  CrContact   *contact; /* borrowed */
  CrConesLevel level;
  PetscReal    theta; /* weight theta of CR_LEVEL_VELOCITY */
  /* contact law whose pressure and traction are the present reactions; for CrContactForce and CrContactCommit */
  CrContactLaw law;
  /* returns: contact points get back the energy that their impacts have dissipated. pauses: no energy is returned in
     this step. rounds: how often the gaps `lift` have changed in this step. */
  PetscBool  returns, pauses;
  PetscInt   rounds;
  PetscReal *mass;   /* [nlocal] lumped nodal masses, if energy is returned; owned */
  PetscReal *rate;   /* [npasses] layers of elements that a wave crosses per unit of time; owned */
  PetscInt   nnodes; /* number of nodes of contact surfaces that this rank owns */
  /* [nnodes] local numbers of these nodes; owned, like all arrays below */
  PetscInt *nodes;
  PetscInt *index; /* [nlocal] index of a node in `nodes`; -1: the node is not in `nodes` */
  /* The responses of nodes that belong to the present stiffness matrix. They have the same numbers on every rank, but a
     rank stores only the displacements of its own `nodes` (CrConesResponse, internal.h). */
  PetscInt  nresponses, room_responses;
  void     *responses; /* [nresponses] CrConesResponse */
  PetscInt *known;     /* [nlocal] number of the response of a node; -1: it is not known */
  /* The groups of nodes whose responses were computed together. `learned` has the number of nodes of a group, their
     global numbers, then the same for the next group, and so on. A repeated computation uses the same groups, because
     rounding errors depend on them. */
  PetscInt nlearned, *learned;
  /* Numbers of the responses of all nodes of active contacts. */
  PetscInt npart, *part;
  /* The responses in `part` whose nodes this rank owns, or all of them if reactions rotate: `here` has the row of each
     node in the table from which W is computed (flexibility.c). */
  PetscInt      nhere, *here;
  PetscReal    *gathered; /* if reactions rotate on several ranks: rows of all nodes in `part` */
  PetscInt      room_gathered;
  PetscInt      room;
  CrConesTouch *touches; /* [room] data of each touch of the step */
  /* The Coulomb problem z = W r + q of the n active contacts of all ranks, with the friction coefficients mu. All ranks
     list the contacts in the same order. */
  PetscInt   n, room_n;
  PetscInt  *which; /* [n] index of a contact among the touches of this rank; -1: it is on others */
  PetscReal *q, *r, *mu;
  PetscReal *vectors; /* [2 dim n] q and r, ordered by islands */
  /* [dim n] own: diagonal of W, without the effect that reactions rotate with their facets. diagonal: with it. */
  PetscReal *own, *diagonal;
  PetscReal *work; /* [13 n] numbers of contacts, such as those of bank.c */
  /* Islands: groups of contacts whose bodies are in contact with each other. Only contacts of one island are coupled.
     The contacts of island g are member[first[g]] to member[first[g + 1] - 1], ascending. The rank solver[g] solves the
     problem of the island. W has the matrices of the islands that this rank solves, and block[g] is the index of the
     first entry of such a matrix. */
  PetscInt   nislands, *first, *solver, *block, *member;
  PetscInt  *parent; /* [bodies] union of bodies (base/union.h), then numbers of islands */
  PetscInt   room_W, room_given;
  PetscInt  *rows;      /* [n] contacts of an island with a node of one rank */
  PetscReal *W, *given; /* given: rows of W on their way to the rank that solves */
  PetscBool  told;      /* the log says that an island has contacts of several ranks */
  PetscReal  scale;     /* number by which W was divided for the solution */
  /* y: displacements under unit reactions of one contact, four numbers per dof. moved [nnodes*dim]: displacements of
     `nodes`. push [nlocal*dim]: displacements of the nodes under all reactions (CrConesPush). */
  PetscReal *y, *moved, *push;
  /* Rigid bodies of finite mass. `at` is the trial state of the last evaluation. `flexibility` [36 rigid->n] has the
     displacement and rotation of each body under unit forces and torques. `body_free` [6 rigid->n] has the
     displacements and rotations of the bodies without the reactions of the last evaluation. `body_push` [6 rigid->n]
     has the displacements and rotations that the new reactions cause. */
  CrContactStep at;
  PetscReal    *flexibility, *body_free, *body_push;
  void         *operators; /* [n] CrConesOperators (internal.h) */
  /* True: the directions of reactions rotate with their facets within an iteration (turning.c, theory 17.4). The
     integration method sets `turns`. */
  PetscBool turns;
  /* True: corrections in an iteration are short and lead to stable equilibria (theory 9.6). `careful` needs `turns`.
     The integration method sets `careful`. */
  PetscBool careful;
  PetscReal ease;    /* factor on the responses: 1, or less in a careful iteration */
  void     *turning; /* CrConesTurning (internal.h) */
  CrCone   *cone;
  PetscBool indefinite; /* W of the last unsolved problem is not positive definite */
  /* Work arrays of stiffened.c: matrices A, row exchanges and springs. stiff: the last solution was found with
     springs. */
  struct {
    PetscBool  stiff;
    PetscInt   room, room_rows, *rows;
    PetscReal *A;
  } stiffened;
  CrConeReport report; /* report of the last solution of the Coulomb problem */
  PetscInt     solves, sweeps, newton, columns; /* counts since the start of the run */
  /* The same, of this rank: touches that it evaluated in iterations, and entries of W that it computed. */
  PetscReal evaluated, entries;
} CrCones;

/* A function of the integration method, with its data ctx. The function computes the displacements of owned dofs under a
   unit force on each of n nodes in each direction. nodes[] has local numbers; -1: the node is not on this rank. The
   function calls CrConesTake with each of these displacement fields. *solved is false if the linear solver failed.
   Collective. */
typedef PetscErrorCode CrConesRespond(void *ctx, PetscInt n, const PetscInt *nodes,
                                      PetscBool *solved);

/* Creates the contact solver. `level` says on which quantities the contact law is imposed, and theta is the weight of
   CR_LEVEL_VELOCITY. The history gets space for the reactions. */
PetscErrorCode CrConesCreate(CrContact *contact, CrConesLevel level, PetscReal theta,
                             CrContactHistory *history, CrCones **cones);
PetscErrorCode CrConesDestroy(CrCones **cones);
/* Writes to PETSc's information output (option -info) how much of the work and of the data is on this rank. */
PetscErrorCode CrConesInform(const CrCones *cones);
/* Begins a step; call this function after CrContactBegin. The initial reactions are the reactions in the history, and
   no contact is active. */
PetscErrorCode CrConesBegin(CrCones *cones);
/* Returns the number of response columns that would have to be computed again for a new stiffness matrix. */
PetscInt CrConesColumns(const CrCones *cones);
/* Marks all responses as unknown. Called when the stiffness matrix has changed. */
void CrConesForget(CrCones *cones);
/* Stores a response: the displacements x (owned dofs) under a unit force in direction `axis` on the k-th node of the
   list that CrConesRespond was given. */
void CrConesTake(CrCones *cones, PetscInt k, PetscInt axis, const PetscReal *x);
/* These functions are for restarts. CrConesLearned returns the list `learned` of n numbers, with the groups of nodes
   whose responses are known. The caller then owns this list. CrConesLearnAgain computes the responses again in the same
   groups, and takes back the ownership of the list. */
PetscInt      *CrConesLearned(CrCones *cones, PetscInt *n);
PetscErrorCode CrConesLearnAgain(CrCones *cones, PetscInt n, PetscInt *learned,
                                 CrConesRespond *respond, void *ctx);
/* Compares gaps and slips with the prediction of the last solution. *force is the greatest difference, expressed as a
   force. With CR_LEVEL_GAP, *missed is true if a contact point that is not active penetrates. way[] are the
   displacement increments of the step (local). With CR_LEVEL_VELOCITY, way[] are the velocities times theta h. Call
   this function after CrContactForce. Collective. */
PetscErrorCode CrConesMismatch(const CrCones *cones, const PetscReal *way, PetscReal *force,
                               PetscBool *missed);
/* Computes the reactions. d[] (local) is the correction of displacements that the iteration would make without
   reactions. In the first iteration of a step (`first`), d decides which contacts are active. way[] is the same array
   as in CrConesMismatch. *solved is false if there is no solution. Collective. */
PetscErrorCode CrConesSolve(CrCones *cones, const PetscReal *way, const PetscReal *d,
                            PetscBool first, CrConesRespond *respond, void *ctx, PetscBool *solved);
/* Returns true if the analysis is quasi-static and the model has rigid bodies of finite mass. Only then may
   CrConesMoveBodies, CrConesHaltBodies and CrConesImbalance be called. */
PetscBool CrConesMovesBodies(const CrCones *cones);
/* CrConesMoveBodies moves the rigid bodies by the displacements and rotations of the last solution. CrConesHaltBodies
   moves the bodies back to the start of the step. */
void CrConesMoveBodies(CrCones *cones);
void CrConesHaltBodies(CrCones *cones);
/* Returns the greatest force that is missing for the equilibrium of a rigid body. A missing torque is divided by the
   size of the body. */
PetscReal CrConesImbalance(CrCones *cones);
/* Adds to f (owned dofs) the nodal forces of the reactions, with the operators G and H of the last evaluation. If
   `turns` is true, the correction of the displacements rotates the reactions. The function then also adds the change of
   the forces due to this rotation. Collective. */
PetscErrorCode CrConesAddForce(const CrCones *cones, PetscReal *f);
/* Stores the reactions in the history, as initial values for the next attempt or the next step. Collective. */
PetscErrorCode CrConesRemember(const CrCones *cones, CrContactHistory *history);
/* Computes the friction loss of a quasi-static step from the mean of the reactions at the start and the end of the
   step. Call this function before CrConesRemember. */
void CrConesMeanLoss(CrCones *cones);
/* Switches on, for CR_LEVEL_GAP, that contact points get back the energy that their impacts have dissipated (theory
   17.9). Collective. */
PetscErrorCode CrConesReturn(CrCones *cones);
/* Computes *energy, which contact points get back in the step, from the last evaluation. *overdrawn is true if the
   points get back more energy than their impacts have dissipated. Collective. */
PetscErrorCode CrConesReturned(const CrCones *cones, PetscReal *energy, PetscBool *overdrawn);
/* Computes the work that the normal reactions of the last evaluation do in the step. Collective. */
PetscErrorCode CrConesNormalWork(const CrCones *cones, PetscReal *work);
