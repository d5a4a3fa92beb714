/* Gathers nodal data and cells on rank 0 in natural order, which does not depend on the number of ranks. */
#include "model/internal.h"
#include "model/gather.h"

PetscErrorCode CrGatherCounts(MPI_Comm comm, PetscInt n, PetscMPIInt **counts, PetscMPIInt **starts,
                              PetscInt *total)
{
  PetscMPIInt size, mine;

  PetscFunctionBeginUser;
  PetscCall(PetscMPIIntCast(n, &mine));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(PetscCalloc2(size, counts, size, starts)); /* zeros stay on the other ranks */
  PetscCallMPI(MPI_Gather(&mine, 1, MPI_INT, *counts, 1, MPI_INT, 0, comm));
  *total = 0;
  for (PetscMPIInt p = 0; p < size; p++) {
    (*starts)[p] = (PetscMPIInt)*total;
    *total += (*counts)[p];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGatherInts(MPI_Comm comm, PetscInt n, const PetscInt *mine, PetscInt **all,
                            PetscInt *total)
{
  PetscMPIInt rank, *counts, *starts;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(CrGatherCounts(comm, n, &counts, &starts, total));
  if (rank) *total = 0;
  PetscCall(PetscMalloc1(*total, all));
  PetscCallMPI(MPI_Gatherv(mine, (int)n, MPIU_INT, *all, counts, starts, MPIU_INT, 0, comm));
  PetscCall(PetscFree2(counts, starts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelGather(const CrModel *model, PetscInt width, const PetscReal *owned,
                             PetscReal *all)
{
  CrGatherPlan plan;

  PetscFunctionBeginUser;
  PetscCall(CrGatherPlanNodes(model, &plan));
  PetscCall(CrGatherRows(model, &plan, width, owned, all));
  PetscCall(CrGatherPlanDestroy(&plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The cells that this rank counts: number, body, type, natural nodes, one after the other. */
static PetscErrorCode pack_cells(const CrModel *model, PetscInt **data, PetscInt *n)
{
  PetscInt room = 0, *d;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nblocks; k++)
    room += model->blocks[k].nowned * (3 + model->blocks[k].element->nnodes);
  PetscCall(PetscMalloc1(room, data));
  d = *data;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    PetscInt              nn = b->element->nnodes;

    for (PetscInt e = 0; e < b->nowned; e++) {
      *d++ = b->cell[e];
      *d++ = b->body;
      *d++ = b->element->type;
      for (PetscInt a = 0; a < nn; a++)
        *d++ = model->natural[b->nodes[(e / CR_BATCH * nn + a) * CR_BATCH + e % CR_BATCH]];
    }
  }
  *n = room;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelGatherCells(const CrModel *model, PetscInt **types, PetscInt **offsets,
                                  PetscInt **nodes, PetscInt **bodies)
{
  PetscInt   *mine, *all, n = 0, total, *where, *o;
  PetscMPIInt rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  *types = *offsets = *nodes = *bodies = NULL;
  PetscCall(pack_cells(model, &mine, &n));
  PetscCall(CrGatherInts(model->comm, n, mine, &all, &total));
  PetscCall(PetscFree(mine));
  if (rank == 0) {
    PetscCall(PetscMalloc1(model->ncells, types));
    PetscCall(PetscMalloc1(model->ncells, bodies));
    PetscCall(PetscCalloc1(model->ncells + 1, offsets));
    PetscCall(PetscMalloc1(total - 3 * model->ncells, nodes));
    PetscCall(PetscMalloc1(model->ncells, &where));
    o = *offsets;
    for (PetscInt k = 0; k < total; k += 3 + CrCells[all[k + 2]].nnodes) {
      where[all[k]] = k;
      (*bodies)[all[k]] = all[k + 1];
      (*types)[all[k]] = all[k + 2];
    }
    for (PetscInt c = 0; c < model->ncells; c++) {
      o[c + 1] = o[c] + CrCells[(*types)[c]].nnodes;
      PetscCall(PetscArraycpy(*nodes + o[c], all + where[c] + 3, o[c + 1] - o[c]));
    }
    PetscCall(PetscFree(where));
  }
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}
