/* PETSc's star forest finds out which rank needs which nodes. The numbers of a node are sent together, and a star
   forest can sum such groups for few types only. So this file sends the messages itself. */
#include <petscsf.h>
#include <string.h>
#include "model/halo.h"

/* Copies one end of a star forest, with ranks in ascending order. */
static PetscErrorCode take_end(PetscInt nranks, const PetscMPIInt *ranks, const PetscInt *start,
                               const PetscInt *node, CrHaloEnd *end)
{
  PetscInt *order, *sorted, n = nranks ? start[nranks] : 0, m = 0;

  PetscFunctionBeginUser;
  end->nranks = nranks;
  PetscCall(PetscMalloc3(nranks, &end->ranks, nranks + 1, &end->start, n, &end->node));
  PetscCall(PetscMalloc2(nranks, &order, nranks, &sorted));
  for (PetscInt k = 0; k < nranks; k++) {
    order[k] = k;
    sorted[k] = ranks[k];
  }
  PetscCall(PetscSortIntWithArray(nranks, sorted, order));
  for (PetscInt k = 0; k < nranks; k++) {
    end->ranks[k] = ranks[order[k]];
    end->start[k] = m;
    for (PetscInt j = start[order[k]]; j < start[order[k] + 1]; j++)
      end->node[m++] = node ? node[j] : j;
  }
  end->start[nranks] = m;
  PetscCall(PetscFree2(order, sorted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_ends(PetscSF way, CrHalo *halo)
{
  PetscInt           n;
  const PetscMPIInt *ranks;
  const PetscInt    *start, *node, *remote;

  PetscFunctionBeginUser;
  PetscCall(PetscSFGetRootRanks(way, &n, &ranks, &start, &node, &remote));
  PetscCall(take_end(n, ranks, start, node, &halo->needed));
  PetscCall(PetscSFGetLeafRanks(way, &n, &ranks, &start, &node));
  PetscCall(take_end(n, ranks, start, node, &halo->owned));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHaloCreate(MPI_Comm comm, PetscInt nowned, PetscInt n, const PetscInt global[],
                            CrHalo *halo)
{
  PetscLayout layout;
  PetscSF     way;

  PetscFunctionBeginUser;
  *halo = (CrHalo){.nowned = nowned, .n = n};
  PetscCall(PetscCommDuplicate(comm, &halo->comm, &halo->tag));
  PetscCall(PetscLayoutCreateFromSizes(comm, nowned, PETSC_DETERMINE, 1, &layout));
  PetscCall(PetscSFCreate(comm, &way));
  PetscCall(PetscSFSetGraphLayout(way, layout, n, NULL, PETSC_COPY_VALUES, global));
  PetscCall(PetscSFSetUp(way));
  PetscCall(take_ends(way, halo));
  PetscCall(PetscMalloc1(halo->needed.nranks + halo->owned.nranks, &halo->requests));
  PetscCall(PetscSFDestroy(&way));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHaloDestroy(CrHalo *halo)
{
  PetscFunctionBeginUser;
  if (!halo->comm) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3(halo->owned.ranks, halo->owned.start, halo->owned.node));
  PetscCall(PetscFree3(halo->needed.ranks, halo->needed.start, halo->needed.node));
  for (int k = 0; k < 2; k++) PetscCall(PetscFree(halo->buffer[k]));
  PetscCall(PetscFree(halo->requests));
  PetscCall(PetscCommDestroy(&halo->comm));
  PetscCall(PetscMemzero(halo, sizeof *halo));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Both buffers have room for the longer end. */
static PetscErrorCode fit(CrHalo *halo, PetscInt size)
{
  PetscInt n =
      PetscMax(halo->owned.start[halo->owned.nranks], halo->needed.start[halo->needed.nranks]) *
      size;

  PetscFunctionBeginUser;
  if (n <= halo->room) PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < 2; k++) {
    PetscCall(PetscFree(halo->buffer[k]));
    PetscCall(PetscMalloc1(n, &halo->buffer[k]));
  }
  halo->room = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscMPIInt bytes_of(const CrHaloEnd *end, PetscInt k, PetscInt size)
{
  return (PetscMPIInt)(size * (end->start[k + 1] - end->start[k]));
}

/* Sends `size` bytes per node of the end `from`; what arrives is in the second buffer, in the order of the end `to`. */
static PetscErrorCode exchange(CrHalo *halo, PetscInt size, const CrHaloEnd *from,
                               const CrHaloEnd *to, const void *values)
{
  PetscMPIInt n = 0;

  PetscFunctionBeginUser;
  PetscCall(fit(halo, size));
  for (PetscInt k = 0; k < to->nranks; k++)
    PetscCallMPI(MPI_Irecv(halo->buffer[1] + size * to->start[k], bytes_of(to, k, size), MPI_BYTE,
                           to->ranks[k], halo->tag, halo->comm, &halo->requests[n++]));
  for (PetscInt j = 0; j < from->start[from->nranks]; j++)
    memcpy(halo->buffer[0] + size * j, (const char *)values + size * from->node[j], (size_t)size);
  for (PetscInt k = 0; k < from->nranks; k++)
    PetscCallMPI(MPI_Isend(halo->buffer[0] + size * from->start[k], bytes_of(from, k, size),
                           MPI_BYTE, from->ranks[k], halo->tag, halo->comm, &halo->requests[n++]));
  PetscCallMPI(MPI_Waitall(n, halo->requests, MPI_STATUSES_IGNORE));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode bring(CrHalo *halo, PetscInt size, const void *owned, void *needed)
{
  const CrHaloEnd *to = &halo->needed;

  PetscFunctionBeginUser;
  PetscCall(exchange(halo, size, &halo->owned, to, owned));
  for (PetscInt j = 0; j < to->start[to->nranks]; j++)
    memcpy((char *)needed + size * to->node[j], halo->buffer[1] + size * j, (size_t)size);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHaloBring(CrHalo *halo, PetscInt width, const PetscReal owned[],
                           PetscReal needed[])
{
  return bring(halo, width * (PetscInt)sizeof(PetscReal), owned, needed);
}

PetscErrorCode CrHaloBringInts(CrHalo *halo, PetscInt width, const PetscInt owned[],
                               PetscInt needed[])
{
  return bring(halo, width * (PetscInt)sizeof(PetscInt), owned, needed);
}

PetscErrorCode CrHaloAdd(CrHalo *halo, PetscInt width, const PetscReal needed[], PetscReal owned[])
{
  const CrHaloEnd *to = &halo->owned;
  const PetscReal *got;

  PetscFunctionBeginUser;
  PetscCall(exchange(halo, width * (PetscInt)sizeof(PetscReal), &halo->needed, to, needed));
  got = (const PetscReal *)(const void *)halo->buffer[1];
  for (PetscInt j = 0; j < to->start[to->nranks]; j++)
    for (PetscInt i = 0; i < width; i++) owned[width * to->node[j] + i] += got[width * j + i];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What happens where integers come back. */
typedef enum { SUM, LEAST, GREATEST } Joining;

static PetscErrorCode join_ints(CrHalo *halo, PetscInt width, Joining how, const PetscInt needed[],
                                PetscInt owned[])
{
  const CrHaloEnd *to = &halo->owned;
  const PetscInt  *got;

  PetscFunctionBeginUser;
  PetscCall(exchange(halo, width * (PetscInt)sizeof(PetscInt), &halo->needed, to, needed));
  got = (const PetscInt *)(const void *)halo->buffer[1];
  for (PetscInt j = 0; j < width * to->start[to->nranks]; j++) {
    PetscInt *own = &owned[width * to->node[j / width] + j % width];

    *own = how == SUM     ? *own + got[j]
           : how == LEAST ? PetscMin(*own, got[j])
                          : PetscMax(*own, got[j]);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrHaloAddInts(CrHalo *halo, PetscInt width, const PetscInt needed[],
                             PetscInt owned[])
{
  return join_ints(halo, width, SUM, needed, owned);
}

PetscErrorCode CrHaloLeast(CrHalo *halo, PetscInt width, const PetscInt needed[], PetscInt owned[])
{
  return join_ints(halo, width, LEAST, needed, owned);
}

PetscErrorCode CrHaloGreatest(CrHalo *halo, PetscInt width, const PetscInt needed[],
                              PetscInt owned[])
{
  return join_ints(halo, width, GREATEST, needed, owned);
}
