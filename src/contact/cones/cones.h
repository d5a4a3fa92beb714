/* The points of a step as one discrete Coulomb problem z = W r + q (cone/cone.h, theory 17.3): exact
   laws of contact and friction, no penalty, the matrix of the bodies untouched. W is put together
   from the responses of the bodies to unit forces on single surface nodes: these depend on the matrix
   alone, so they outlive changes of normals, facets and of who touches whom. */
#pragma once

#include "cone/cone.h"
#include "contact/contact.h"

/* What obeys the law, normal and tangential (FJCM, theory 17.2). */
typedef enum {
  CR_LEVEL_GAP,       /* gap at the end; increments along the tangents */
  CR_LEVEL_INCREMENT, /* increments */
  CR_LEVEL_VELOCITY   /* velocities at the end, times theta h */
} CrConesLevel;

typedef struct {
  CrContact   *contact; /* borrowed */
  CrConesLevel level;
  PetscReal    theta; /* of the velocity level */
  CrContactLaw law;   /* hands out the reactions; for CrContactForce and CrContactCommit */
  PetscReal         *
      multiplier; /* [4*npoints] pressure and traction in space to start from; archived; owned, as all below */
  PetscInt    nnodes;   /* that may be in contact */
  PetscInt   *nodes;    /* [nnodes] local; the same order on every rank */
  PetscInt   *index;    /* [nlocal] where a node stands in `nodes`, -1: nowhere */
  PetscReal **response; /* [nnodes] dim columns of nnodes*dim reals: displacements of the nodes
                              under unit forces on this one */
  PetscBool  *known;    /* [nnodes] the response is that of the matrix in use */
  PetscInt  nlearned, *learned; /* how they came to be known: a number of nodes, their indices, the
                                     next number, ...; archived, because rounding depends on it */
  PetscInt *unknown;            /* [nnodes + 1] such a number and indices */
  /* by touch */
  PetscInt   room;
  char      *state;     /* ACTIVE, ... */
  PetscReal *free;      /* [3] z without reactions at the end of this iteration */
  PetscReal *predicted; /* [3] z as the solve left it */
  PetscReal *flexible;  /* mean of the diagonal of W */
  /* the problem */
  PetscInt     n, room_n;
  PetscInt    *which; /* [n] touches */
  PetscReal   *W, *q, *r, *mu;
  PetscReal   *y, *push; /* [nnodes*dim*dim], [nnodes*dim] */
  CrCone      *cone;
  CrConeReport report;                          /* of the last solve */
  PetscInt     solves, sweeps, newton, columns; /* since the start */
} CrCones;

/* Hands the displacements (local, with ghosts) under unit forces on nodes, one direction after the
   other, to CrConesTake. Collective. */
typedef PetscErrorCode CrConesRespond(void *ctx, PetscInt n, const PetscInt *nodes,
                                      PetscBool *solved);

PetscErrorCode CrConesCreate(CrContact *contact, CrConesLevel level, PetscReal theta,
                             CrContactHistory *history, CrCones **cones);
PetscErrorCode CrConesDestroy(CrCones **cones);
/* After CrContactBegin: reactions start from those remembered; nothing is active. */
PetscErrorCode CrConesBegin(CrCones *cones);
/* The matrix has changed. */
void CrConesForget(CrCones *cones);
void CrConesTake(CrCones *cones, PetscInt node, PetscInt axis, const PetscReal *x);
/* For restarts: what is known, and to learn it again in the same way. The list goes over to the
   caller, and back. */
PetscInt      *CrConesLearned(CrCones *cones, PetscInt *n);
PetscErrorCode CrConesLearnAgain(CrCones *cones, PetscInt n, PetscInt *learned,
                                 CrConesRespond *respond, void *ctx);
/* After CrContactForce: how far its points are from what the last solve promised, as a force; and
   whether one that was left out is inside (gap level). way: increments (local), velocity level: theta
   h times velocities. */
void CrConesMismatch(const CrCones *cones, const PetscReal *way, PetscReal *force,
                     PetscBool *missed);
/* The reactions for the correction d (local) that the bodies would make without contact. first: the
   first iteration of the step decides who is active. False: there is no answer. Collective. */
PetscErrorCode CrConesSolve(CrCones *cones, const PetscReal *way, const PetscReal *d,
                            PetscBool first, CrConesRespond *respond, void *ctx, PetscBool *solved);
/* f += reactions on owned dofs, by the operators of the last evaluation. */
void CrConesAddForce(const CrCones *cones, PetscReal *f);
/* Takes the reactions as a start for whatever comes next: another attempt, the next step. */
void CrConesRemember(const CrCones *cones, CrContactHistory *history);
/* Work of the normal reactions in the step, of the last evaluation. */
PetscReal CrConesNormalWork(const CrCones *cones);
