/* Sums at nodes that several ranks have, in one exchange. Every rank sends its part of a node to all other ranks that
   have the node. All these ranks add the parts in the order of the ranks, so that they get the same bits. A halo
   (halo.h) would need two exchanges, to the owner and back. */
#pragma once

#include "model/halo.h"

typedef struct {
  MPI_Comm    comm; /* a duplicate of PETSc's communicator; owned */
  PetscMPIInt tag, rank;
  CrHaloEnd
      /* nodes in common with each other rank, as local numbers, in the same order on both ranks */
           with;
  PetscInt n, *nodes; /* [n] nodes that some other rank has too, each once; owned, like all below */
  PetscInt room;
  PetscReal   *own, *sent, *got; /* [room] values that are being sent */
  MPI_Request *requests;
} CrMutual;

/* Creates the exchange for the nodes of a halo. first: global number of owned node 0; local[], global[]: numbers of the
   nodes that this rank needs, in the order of the halo. Collective, like CrMutualSum. */
PetscErrorCode CrMutualCreate(const CrHalo *halo, PetscInt first, const PetscInt *local,
                              const PetscInt *global, CrMutual *mutual);
PetscErrorCode CrMutualDestroy(CrMutual *mutual);
/* Replaces the numbers of every shared node by their sum over all ranks that have the node. There are `width` numbers
   per local node. */
PetscErrorCode CrMutualSum(CrMutual *mutual, PetscInt width, PetscReal *values);
