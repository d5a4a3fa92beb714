/* Sums of nodal values over all ranks that have a node, in one exchange of messages. Every rank sends its contribution
   to a node to all other ranks that have the node. All these ranks add the contributions in the order of the ranks, so
   that they get the same bits. A halo (halo.h) would need two exchanges, to the owner and back. */
#pragma once

#include "model/halo.h"

typedef struct {
  MPI_Comm    comm; /* a duplicate of PETSc's communicator; owned */
  PetscMPIInt tag, rank;
  /* nodes in common with each other rank, as local numbers, in the same order on both ranks */
  CrHaloEnd with;
  /* [n] nodes that at least one other rank has too, each listed once; owned, like all below */
  PetscInt n, *nodes;
  PetscInt room;
  /* [room] own values, values that are being sent, and received values */
  PetscReal   *own, *sent, *got;
  MPI_Request *requests;
} CrMutual;

/* Creates the exchange for the nodes of a halo. `first` is the global number of owned node 0. local[] and global[] are
   the numbers of the nodes that this rank needs, in the order of the halo. CrMutualCreate and CrMutualSum are
   collective. */
PetscErrorCode CrMutualCreate(const CrHalo *halo, PetscInt first, const PetscInt *local,
                              const PetscInt *global, CrMutual *mutual);
PetscErrorCode CrMutualDestroy(CrMutual *mutual);
/* Replaces the numbers of every shared node by their sum over all ranks that have the node. There are `width` numbers
   per local node. */
PetscErrorCode CrMutualSum(CrMutual *mutual, PetscInt width, PetscReal *values);
