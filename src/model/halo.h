/* A halo is the list of nodes of other ranks whose values this rank needs, with the exchange of these values. Every
   node has one owner. The functions Bring send values from the owners to all ranks that need them. The functions Add
   send contributions to the owners, and add them there. A rank may also need nodes that it owns. Only neighbouring
   ranks exchange messages. */
#pragma once

#include "base/base.h"

/* One side of the exchange: the nodes of each message, by neighbouring rank. Sender and receiver list the nodes of a
   message in the same order. */
typedef struct {
  PetscInt     nranks;
  PetscMPIInt *ranks; /* [nranks] ascending; owned, like the others */
  /* [nranks+1] first entry of each rank in `node`; numbers of the owned or needed nodes */
  PetscInt *start, *node;
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

/* Builds the halo of `n` needed nodes. global[] has their global numbers (owned nodes of rank 0 first) in any order. A
   node may occur twice. This rank owns `nowned` nodes. Collective. */
PetscErrorCode CrHaloCreate(MPI_Comm comm, PetscInt nowned, PetscInt n, const PetscInt global[],
                            CrHalo *halo);
/* Copies `width` numbers per node from owned[nowned][width] of the owners to needed[n][width]. needed[] may be the part
   of an array directly after owned[]. Collective. */
PetscErrorCode CrHaloBring(CrHalo *halo, PetscInt width, const PetscReal owned[],
                           PetscReal needed[]);
PetscErrorCode CrHaloBringInts(CrHalo *halo, PetscInt width, const PetscInt owned[],
                               PetscInt needed[]);
/* Adds needed[n][width] to owned[nowned][width] of the owners, rank by rank in ascending order. Therefore a repeated
   run gives the same bits. With another number of ranks, sums differ only by rounding errors. Collective. */
PetscErrorCode CrHaloAdd(CrHalo *halo, PetscInt width, const PetscReal needed[], PetscReal owned[]);
PetscErrorCode CrHaloAddInts(CrHalo *halo, PetscInt width, const PetscInt needed[],
                             PetscInt owned[]);
/* CrHaloLeast and CrHaloGreatest replace each number of the owner by the least, or the greatest, of this number and the
   numbers of the ranks that need the node. */
PetscErrorCode CrHaloLeast(CrHalo *halo, PetscInt width, const PetscInt needed[], PetscInt owned[]);
PetscErrorCode CrHaloGreatest(CrHalo *halo, PetscInt width, const PetscInt needed[],
                              PetscInt owned[]);
PetscErrorCode CrHaloDestroy(CrHalo *halo);
