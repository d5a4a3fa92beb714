/* A halo: nodes of other ranks whose values this rank needs, and the way of these values. Every node has one owner.
   Values go from the owners to all who need them; contributions come back and are added at the owners. Who needs a node
   and who owns it may be the same rank. Neighbours alone exchange messages. */
#pragma once

#include "base/base.h"

/* One end of the way: nodes by neighbour. Both ends list the nodes of a message in the same order. */
typedef struct {
  PetscInt     nranks;
  PetscMPIInt *ranks;     /* [nranks] ascending; owned, like the others */
  PetscInt *start, *node; /* [nranks+1] first node of each rank; numbers of owned or needed nodes */
} CrHaloEnd;

typedef struct {
  MPI_Comm     comm; /* a duplicate of PETSc's, owned */
  PetscMPIInt  tag;
  PetscInt     nowned; /* nodes that this rank owns */
  PetscInt     n;      /* nodes that this rank needs, in the order in which it named them */
  CrHaloEnd    owned, needed;
  PetscInt     room;      /* size of the two buffers, in bytes */
  char        *buffer[2]; /* owned, like the requests */
  MPI_Request *requests;
} CrHalo;

/* Builds the halo of `n` nodes, given by global numbers (PETSc's: those of rank 0 first), in any order and with doubles
   allowed. This rank owns `nowned` nodes. Collective. */
PetscErrorCode CrHaloCreate(MPI_Comm comm, PetscInt nowned, PetscInt n, const PetscInt global[],
                            CrHalo *halo);
/* Brings `width` numbers per node from the owners: needed[n][width] becomes a copy of owned[nowned][width]. needed[]
   may be the part of an array behind owned[]. Collective. */
PetscErrorCode CrHaloBring(CrHalo *halo, PetscInt width, const PetscReal owned[],
                           PetscReal needed[]);
PetscErrorCode CrHaloBringInts(CrHalo *halo, PetscInt width, const PetscInt owned[],
                               PetscInt needed[]);
/* The way back: adds needed[n][width] to owned[nowned][width], rank after rank in ascending order. So a run can be
   repeated bit by bit, and sums on other numbers of ranks differ by rounding alone. Collective. */
PetscErrorCode CrHaloAdd(CrHalo *halo, PetscInt width, const PetscReal needed[], PetscReal owned[]);
PetscErrorCode CrHaloAddInts(CrHalo *halo, PetscInt width, const PetscInt needed[],
                             PetscInt owned[]);
/* Do the same with the least, or the greatest, of all numbers instead of their sum. */
PetscErrorCode CrHaloLeast(CrHalo *halo, PetscInt width, const PetscInt needed[], PetscInt owned[]);
PetscErrorCode CrHaloGreatest(CrHalo *halo, PetscInt width, const PetscInt needed[],
                              PetscInt owned[]);
PetscErrorCode CrHaloDestroy(CrHalo *halo);
