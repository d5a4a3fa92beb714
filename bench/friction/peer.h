/* The solvers of Siconos behind plain arrays: race.c sees none of its types, and only this folder links it. */
#pragma once

#include "base/base.h"

typedef struct Peer Peer;

/* A problem of n contacts: blocks of W as CrCone keeps them (`stride` reals per column), q and mu with dim and 1 reals
   per contact; all copied, into the storages that its solvers take. */
Peer *PeerCreate(PetscInt dim, PetscInt n, PetscInt stride, const PetscInt row[],
                 const PetscInt col[], const PetscReal block[], const PetscReal q[],
                 const PetscReal mu[]);
void  PeerDestroy(Peer **peer);

/* Entry k of its solvers for a dimension; NULL behind the last. */
const char *PeerName(PetscInt dim, PetscInt k);

/* Options of entry k, with 1/part of its limit of iterations (100000 sweeps, 1000 Newton iterations); then the solve
   alone, from r = 0: it says whether it is content, and after how many iterations. */
void      PeerPrepare(Peer *peer, PetscInt k, PetscReal tolerance, PetscInt part);
PetscBool PeerSolve(Peer *peer, PetscReal r[], PetscInt *iterations);
