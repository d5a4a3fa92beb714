/* Which rank computes which cell: PTScotch on the graph of cells that share a face. */
#include <petscmat.h>
#include "base/grow.h"
#include "model/internal.h"

/* Cells around each node, compressed. */
static PetscErrorCode cells_of_nodes(const CrWhole *w, PetscInt **offset, PetscInt **cells)
{
  PetscInt *o, *c;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(w->nnodes + 1, &o));
  PetscCall(PetscMalloc1(w->cell_offset[w->ncells], &c));
  for (PetscInt k = 0; k < w->cell_offset[w->ncells]; k++) o[w->cell_nodes[k] + 1]++;
  for (PetscInt A = 0; A < w->nnodes; A++) o[A + 1] += o[A];
  for (PetscInt e = w->ncells; e-- > 0;) /* backwards, with the ends as cursors */
    for (PetscInt k = w->cell_offset[e]; k < w->cell_offset[e + 1]; k++)
      c[--o[w->cell_nodes[k] + 1]] = e;
  for (PetscInt A = 0; A < w->nnodes; A++) o[A] = o[A + 1];
  o[w->nnodes] = w->cell_offset[w->ncells];
  *offset = o;
  *cells = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two cells are neighbours when they share as many corner nodes as a face has: dim. */
static PetscErrorCode dual_graph(const CrWhole *w, PetscInt **rows, PetscInt **columns)
{
  PetscInt *offset = NULL, *cells = NULL, *shared, *ia, *ja, room = 8 * w->ncells + 16;

  PetscFunctionBeginUser;
  PetscCall(cells_of_nodes(w, &offset, &cells));
  PetscCall(PetscCalloc1(w->ncells, &shared));
  PetscCall(PetscMalloc1(w->ncells + 1, &ia));
  PetscCall(PetscMalloc1(room, &ja));
  ia[0] = 0;
  for (PetscInt e = 0; e < w->ncells; e++) {
    PetscInt first = w->cell_offset[e], corners = CrCells[w->cell_type[e]].ncorners, n = ia[e];

    for (PetscInt k = first; k < first + corners; k++)
      for (PetscInt m = offset[w->cell_nodes[k]]; m < offset[w->cell_nodes[k] + 1]; m++) {
        PetscInt other = cells[m];

        if (other == e || ++shared[other] != w->dim) continue;
        PetscCall(CrGrow(n + 1, &room, &ja));
        ja[n++] = other;
      }
    for (PetscInt k = first; k < first + corners; k++)
      for (PetscInt m = offset[w->cell_nodes[k]]; m < offset[w->cell_nodes[k] + 1]; m++)
        shared[cells[m]] = 0;
    PetscCall(PetscSortInt(n - ia[e], ja + ia[e]));
    ia[e + 1] = n;
  }
  PetscCall(PetscFree(shared));
  PetscCall(PetscFree(offset));
  PetscCall(PetscFree(cells));
  *rows = ia;
  *columns = ja;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt share_begin(PetscInt n, PetscMPIInt size, PetscMPIInt rank)
{
  return (PetscInt)((PetscInt64)n * rank / size);
}

/* Rank 0 hands out equal shares of the rows of the graph. Row and column arrays go to PETSc. */
static PetscErrorCode scatter_graph(MPI_Comm comm, PetscInt ncells, PetscInt *ia, PetscInt *ja,
                                    Mat *graph)
{
  PetscMPIInt rank, size;
  PetscInt    n, *my_ia, *my_ja;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  n = share_begin(ncells, size, rank + 1) - share_begin(ncells, size, rank);
  PetscCall(PetscMalloc1(n + 1, &my_ia));
  for (PetscMPIInt p = 0; rank == 0 && p < size; p++) {
    PetscInt first = share_begin(ncells, size, p), end = share_begin(ncells, size, p + 1);

    if (p == 0) {
      PetscCall(PetscArraycpy(my_ia, ia, n + 1));
      PetscCall(PetscMalloc1(my_ia[n] + 1, &my_ja));
      PetscCall(PetscArraycpy(my_ja, ja, my_ia[n]));
    } else {
      PetscCallMPI(MPI_Send(ia + first, (int)(end - first + 1), MPIU_INT, p, 0, comm));
      PetscCallMPI(MPI_Send(ja + ia[first], (int)(ia[end] - ia[first]), MPIU_INT, p, 1, comm));
    }
  }
  if (rank) {
    PetscInt base;

    PetscCallMPI(MPI_Recv(my_ia, (int)n + 1, MPIU_INT, 0, 0, comm, MPI_STATUS_IGNORE));
    base = my_ia[0];
    for (PetscInt i = 0; i <= n; i++) my_ia[i] -= base;
    PetscCall(PetscMalloc1(my_ia[n] + 1, &my_ja));
    PetscCallMPI(MPI_Recv(my_ja, (int)my_ia[n], MPIU_INT, 0, 1, comm, MPI_STATUS_IGNORE));
  }
  PetscCall(MatCreateMPIAdj(comm, n, ncells, my_ia, my_ja, NULL, graph));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode gather_parts(MPI_Comm comm, PetscInt ncells, IS is, PetscInt *part)
{
  PetscMPIInt     rank, size, *counts = NULL, *starts = NULL;
  const PetscInt *mine;
  PetscInt        n;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscMalloc2(size, &counts, size, &starts));
  for (PetscMPIInt p = 0; p < size; p++) {
    starts[p] = (PetscMPIInt)share_begin(ncells, size, p);
    counts[p] = (PetscMPIInt)share_begin(ncells, size, p + 1) - starts[p];
  }
  PetscCall(ISGetLocalSize(is, &n));
  PetscCall(ISGetIndices(is, &mine));
  PetscCallMPI(MPI_Gatherv(mine, (int)n, MPIU_INT, part, counts, starts, MPIU_INT, 0, comm));
  PetscCall(ISRestoreIndices(is, &mine));
  PetscCall(PetscFree2(counts, starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrWholePartition(MPI_Comm comm, const CrWhole *whole, PetscInt *part)
{
  PetscMPIInt     rank, size;
  PetscInt        ncells = whole->ncells, *ia = NULL, *ja = NULL;
  Mat             graph;
  MatPartitioning partitioning;
  IS              is;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCallMPI(MPI_Bcast(&ncells, 1, MPIU_INT, 0, comm));
  if (size == 1 || ncells < 8 * size) { /* nothing worth partitioning: slices in order */
    for (PetscInt e = 0; rank == 0 && e < ncells; e++)
      part[e] = (PetscInt)((PetscInt64)e * size / ncells);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (rank == 0) PetscCall(dual_graph(whole, &ia, &ja));
  PetscCall(scatter_graph(comm, ncells, ia, ja, &graph));
  PetscCall(PetscFree(ia));
  PetscCall(PetscFree(ja));
  PetscCall(MatPartitioningCreate(comm, &partitioning));
  PetscCall(MatPartitioningSetAdjacency(partitioning, graph));
  PetscCall(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
  PetscCall(MatPartitioningSetFromOptions(partitioning));
  PetscCall(MatPartitioningApply(partitioning, &is));
  PetscCall(gather_parts(comm, ncells, is, part));
  PetscCall(ISDestroy(&is));
  PetscCall(MatPartitioningDestroy(&partitioning));
  PetscCall(MatDestroy(&graph));
  PetscFunctionReturn(PETSC_SUCCESS);
}
