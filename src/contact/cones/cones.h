/* The contact solver of the method `bipotential`. It solves all contacts of a step together, as one discrete Coulomb
   problem z = W r + q (cone/cone.h, theory 17.3). Here r are the contact reactions, and z are the gaps and slips of the
   active contacts. The laws of contact and friction are satisfied exactly, without penalties. The stiffness matrix of
   the bodies contains no contact terms. W is computed from responses: the displacements of surface nodes under unit
   forces on one of them. Responses depend on the matrix alone, so they stay valid when normals, facets or active
   contacts change. */
#pragma once

#include "cone/cone.h"
#include "contact/contact.h"

/* The quantities to which the contact law applies (FJCM, theory 17.2). */
typedef enum {
  CR_LEVEL_GAP,       /* the gap at the end of the step; increments of the slip */
  CR_LEVEL_INCREMENT, /* increments of gap and slip */
  CR_LEVEL_VELOCITY   /* velocities at the end of the step, times theta h */
} CrConesLevel;

/* Data of one touch. A touch is a contact point that may be in contact in this step. */
typedef struct {
  int state; /* OUT, ACTIVE or HELD (internal.h) */
  /* z (gap and slip) of this iteration without reactions; z that the last solve predicted */
  PetscReal free[3], predicted[3];
  PetscReal kept[3]; /* pressure and tractions of the last evaluation */
  /* diagonal entries of the block of W for this contact, without the rotation of reactions, and their mean */
  PetscReal own[3], flexible;
  /* level gap: energy that impacts of the point have taken, layers of elements that a wave has crossed since then, gap to
     which the point is pushed off (bank.c) */
  PetscReal bank, lasted, lift;
  /* work of bank.c: is the point pushed off; its gap without such reactions; its reaction if it were alone */
  PetscBool pushed;
  PetscReal parts, alone;
} CrConesTouch;

typedef struct {
  CrContact   *contact; /* borrowed */
  CrConesLevel level;
  PetscReal    theta; /* weight theta of the velocity level */
  /* returns the reactions as pressure and traction, for CrContactForce and CrContactCommit */
  CrContactLaw law;
  /* returns: points get back the energy that their impacts have dissipated. pauses: no energy is returned in this step.
     rounds: number of times that the gaps `lift` have changed in this step. */
  PetscBool  returns, pauses;
  PetscInt   rounds;
  PetscReal *mass;   /* [nlocal] lumped masses of the nodes, if energy is returned; owned */
  PetscReal *rate;   /* [npasses] layers of elements that a wave crosses per unit of time; owned */
  PetscInt   nnodes; /* number of nodes that may be in contact */
  /* [nnodes] local numbers; the order is the same on every rank; owned, like all below */
  PetscInt *nodes;
  PetscInt *index; /* [nlocal] index of a node in `nodes`; -1: the node is not in `nodes` */
  /* [nnodes] dim columns of nnodes*dim reals: displacements under unit forces on the node */
  PetscReal **response;
  PetscBool  *known; /* [nnodes] the response was computed with the present matrix */
  /* The groups in which responses were computed: a number of nodes, their indices, the next number, and so on.
     It is archived, because rounding depends on the groups. */
  PetscInt  nlearned, *learned;
  PetscInt *unknown;      /* [nnodes + 1] one group of nodes: their number and their indices */
  PetscInt  npart, *part; /* [nnodes] indices of the nodes of active contacts */
  /* [nnodes] place of a node in `part`; -1: the node is not in `part` */
  PetscInt     *place;
  PetscInt      room;
  CrConesTouch *touches; /* [room] by touch of the contact */
  /* the Coulomb problem */
  PetscInt   n, room_n;
  PetscInt  *which; /* [n] numbers of the contacts */
  PetscReal *W, *q, *r, *mu;
  PetscReal  scale;    /* by which W was divided for the solve */
  PetscReal *y, *push; /* [nnodes*dim*4], [nnodes*dim] */
  /* Rigid bodies of finite mass. at: trial state of the last evaluation. flexibility [36 rigid->n]: displacement and
     rotation under unit forces and torques. body_free, body_push [6 rigid->n]: displacements and rotations of the
     bodies without the reactions of the last evaluation, and those that the new reactions cause. */
  CrContactStep at;
  PetscReal    *flexibility, *body_free, *body_push;
  void         *operators; /* [n] CrConesOperators (internal.h) */
  /* The integration method sets `turns`: the directions of reactions rotate with their facets within an iteration
     (turning.c, theory 17.4). */
  PetscBool turns;
  /* The integration method sets `careful`: corrections are short and lead to stable equilibria (theory 9.6). `careful`
     needs `turns`. */
  PetscBool    careful;
  PetscReal    ease;    /* factor of the responses: 1, or less in a careful iteration */
  void        *turning; /* CrConesTurning (internal.h) */
  CrCone      *cone;
  PetscBool    indefinite; /* W of the last problem without a solution is not positive */
  CrConeReport report;     /* report of the last solve */
  PetscInt     solves, sweeps, newton, columns; /* counts since the start of the run */
} CrCones;

/* The method provides this function. It computes the displacements (local, with ghosts) under unit forces on n nodes,
   in each direction, and calls CrConesTake with each displacement field. Collective. */
typedef PetscErrorCode CrConesRespond(void *ctx, PetscInt n, const PetscInt *nodes,
                                      PetscBool *solved);

PetscErrorCode CrConesCreate(CrContact *contact, CrConesLevel level, PetscReal theta,
                             CrContactHistory *history, CrCones **cones);
PetscErrorCode CrConesDestroy(CrCones **cones);
/* Begins a step, after CrContactBegin. The reactions of the history are the initial values, and no contact is
   active. */
PetscErrorCode CrConesBegin(CrCones *cones);
/* Returns the number of response columns that would have to be computed again for a new matrix. */
PetscInt CrConesColumns(const CrCones *cones);
/* Marks all responses as unknown, because the matrix has changed. */
void CrConesForget(CrCones *cones);
/* Receives the displacements x under a unit force on `node` in direction `axis`. */
void CrConesTake(CrCones *cones, PetscInt node, PetscInt axis, const PetscReal *x);
/* These functions are for restarts. CrConesLearned returns the groups of nodes whose responses are known, and the
   caller then owns this list. CrConesLearnAgain computes the responses again in the same groups, and takes the
   ownership of the list back. */
PetscInt      *CrConesLearned(CrCones *cones, PetscInt *n);
PetscErrorCode CrConesLearnAgain(CrCones *cones, PetscInt n, PetscInt *learned,
                                 CrConesRespond *respond, void *ctx);
/* Compares gaps and slips with the prediction of the last solve; call it after CrContactForce. *force is the
   difference, expressed as a force. With CR_LEVEL_GAP, *missed is true if a contact point that is not active
   penetrates. `way` are the displacement increments of the step (local), or with CR_LEVEL_VELOCITY theta h times the
   velocities. */
void CrConesMismatch(const CrCones *cones, const PetscReal *way, PetscReal *force,
                     PetscBool *missed);
/* Computes the reactions. `d` (local) is the correction by which the nodes would move without reactions. In the first
   iteration of a step (`first`) it decides which contacts are active. *solved is false if there is no solution.
   Collective. */
PetscErrorCode CrConesSolve(CrCones *cones, const PetscReal *way, const PetscReal *d,
                            PetscBool first, CrConesRespond *respond, void *ctx, PetscBool *solved);
/* Returns true if the analysis is quasi-static and the model has rigid bodies of finite mass. CrConesMoveBodies,
   CrConesHaltBodies and CrConesImbalance are for such models. */
PetscBool CrConesMovesBodies(const CrCones *cones);
/* CrConesMoveBodies moves the rigid bodies by the displacements of the last solve. CrConesHaltBodies moves them back to
   the start of the step. */
void CrConesMoveBodies(CrCones *cones);
void CrConesHaltBodies(CrCones *cones);
/* Returns the greatest force that is missing for the equilibrium of a body; a torque is divided by the size of the
   body. */
PetscReal CrConesImbalance(CrCones *cones);
/* Adds the reactions to f (owned dofs), with the operators of the last evaluation. If reactions turn with their facets
   (`turns`), the nodes' correction rotates the reactions; the function then also adds this change of the forces. */
void CrConesAddForce(const CrCones *cones, PetscReal *f);
/* Stores the reactions as start values for the next attempt or the next step. */
void CrConesRemember(const CrCones *cones, CrContactHistory *history);
/* Computes the friction loss of a quasi-static step from the mean of the reactions at both ends. Call it before
   CrConesRemember. */
void CrConesMeanLoss(CrCones *cones);
/* With CR_LEVEL_GAP: from now on, contact points get back the energy that their impacts have dissipated (theory 17.9).
   Collective. */
PetscErrorCode CrConesReturn(CrCones *cones);
/* Returns the energy that points get back in the step, of the last evaluation. *overdrawn: this is more than the
   impacts of these points took. */
PetscReal CrConesReturned(const CrCones *cones, PetscBool *overdrawn);
/* Returns the work that the normal reactions of the last evaluation do in the step. */
PetscReal CrConesNormalWork(const CrCones *cones);
