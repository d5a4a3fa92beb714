/* A halo: nodes of other ranks whose values this rank needs, and the exchange of these values. Every node has one
   owner. Values are sent from the owners to all ranks that need them. Contributions are sent back, and are added at
   the owners. A rank may also need nodes that it owns. Only neighbouring ranks exchange messages. */
#pragma once

#include "base/base.h"

/* One side of the exchange: nodes by neighbour. Sender and receiver list the nodes of a message in the same order. */
typedef struct {
  PetscInt     nranks;
  PetscMPIInt *ranks;     /* [nranks] ascending; owned, like the others */
  PetscInt *start, *node; /* [nranks+1] first node of each rank; numbers of owned or needed nodes */
} CrHaloEnd;

typedef struct {
  MPI_Comm     comm; /* a duplicate of PETSc's communicator; owned */
  PetscMPIInt  tag;
  PetscInt     nowned; /* number of nodes that this rank owns */
  PetscInt     n;      /* number of nodes that this rank needs, in the order of CrHaloCreate */
  CrHaloEnd    owned, needed;
  PetscInt     room;      /* size of the two buffers, in bytes */
  char        *buffer[2]; /* owned, like the requests */
  MPI_Request *requests;
} CrHalo;

/* Builds the halo of `n` nodes, given by global numbers (PETSc's: those of rank 0 first), in any order; a node may
   occur twice. This rank owns `nowned` nodes. Collective. */
PetscErrorCode CrHaloCreate(MPI_Comm comm, PetscInt nowned, PetscInt n, const PetscInt global[],
                            CrHalo *halo);
/* Brings `width` numbers per node from the owners: needed[n][width] becomes a copy of owned[nowned][width]. needed[]
   may be the part of an array after owned[]. Collective. */
PetscErrorCode CrHaloBring(CrHalo *halo, PetscInt width, const PetscReal owned[],
                           PetscReal needed[]);
PetscErrorCode CrHaloBringInts(CrHalo *halo, PetscInt width, const PetscInt owned[],
                               PetscInt needed[]);
/* Adds needed[n][width] to owned[nowned][width] at the owners, rank by rank in ascending order. So a run can be
   repeated bit by bit, and sums on another number of ranks differ only by rounding errors. Collective. */
PetscErrorCode CrHaloAdd(CrHalo *halo, PetscInt width, const PetscReal needed[], PetscReal owned[]);
PetscErrorCode CrHaloAddInts(CrHalo *halo, PetscInt width, const PetscInt needed[],
                             PetscInt owned[]);
/* CrHaloLeast and CrHaloGreatest replace each number of the owner by the least, or the greatest, of this number and the
   numbers of the ranks that need the node. */
PetscErrorCode CrHaloLeast(CrHalo *halo, PetscInt width, const PetscInt needed[], PetscInt owned[]);
PetscErrorCode CrHaloGreatest(CrHalo *halo, PetscInt width, const PetscInt needed[],
                              PetscInt owned[]);
PetscErrorCode CrHaloDestroy(CrHalo *halo);
