/* Numbers of cells, collected on rank 0 in the order of cell numbers, whatever the number of ranks. Cells of width 0 have none. */
#include "model/internal.h"
#include "model/gather.h"

/* Cells of this rank that have numbers, as pairs of cell number and width: those that it counts. */
typedef struct {
  PetscInt *pairs; /* [2*n], owned */
  PetscInt  n, nreals;
} Cells;

static PetscErrorCode list_cells(const CrModel *model, const PetscInt *width, Cells *cells)
{
  PetscInt room = 0;

  PetscFunctionBeginUser;
  cells->n = cells->nreals = 0;
  for (PetscInt k = 0; k < model->nblocks; k++) room += model->blocks[k].n;
  PetscCall(PetscMalloc1(2 * room, &cells->pairs));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    for (PetscInt e = 0; width[k] && e < b->nowned; e++) {
      cells->pairs[2 * cells->n] = b->cell[e];
      cells->pairs[2 * cells->n + 1] = width[k];
      cells->n++;
      cells->nreals += width[k];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* From blocks to one array of cell after cell, in the order of list_cells. */
static void copy_cells(const CrModel *model, const PetscInt *width, PetscReal *const *blocks,
                       PetscReal *packed)
{
  for (PetscInt k = 0; k < model->nblocks; k++)
    for (PetscInt e = 0; e < model->blocks[k].nowned; e++)
      for (PetscInt i = 0; i < width[k]; i++)
        *packed++ = blocks[k][(e / CR_BATCH * width[k] + i) * CR_BATCH + e % CR_BATCH];
}

/* Where the numbers of each cell begin, on rank 0 (start: [ncells+1], the caller frees it). */
static PetscErrorCode find_starts(const CrModel *model, const PetscInt *width, PetscInt **start)
{
  PetscInt   *all, total;
  Cells       mine;
  PetscMPIInt rank;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCall(list_cells(model, width, &mine));
  PetscCall(CrGatherInts(model->comm, 2 * mine.n, mine.pairs, &all, &total));
  PetscCall(PetscFree(mine.pairs));
  PetscCall(PetscCalloc1(rank ? 0 : model->ncells + 1, start));
  for (PetscInt k = 0; k < total; k += 2) (*start)[all[k] + 1] = all[k + 1];
  for (PetscInt c = 0; rank == 0 && c < model->ncells; c++) (*start)[c + 1] += (*start)[c];
  PetscCall(PetscFree(all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelCountCells(const CrModel *model, const PetscInt *width, PetscInt *n)
{
  PetscInt mine = 0;

  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < model->nblocks; k++) mine += model->blocks[k].nowned * width[k];
  PetscCallMPI(MPI_Allreduce(&mine, n, 1, MPIU_INT, MPI_SUM, model->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelGatherReals(const CrModel *model, const PetscInt *width,
                                  PetscReal *const *blocks, PetscReal *all)
{
  PetscInt    *start, *pairs, npairs, total;
  PetscMPIInt *counts, *starts, rank;
  PetscReal   *mine, *theirs;
  Cells        cells;

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(model->comm, &rank));
  PetscCall(find_starts(model, width, &start));
  PetscCall(list_cells(model, width, &cells));
  PetscCall(CrGatherInts(model->comm, 2 * cells.n, cells.pairs, &pairs, &npairs));
  PetscCall(CrGatherCounts(model->comm, cells.nreals, &counts, &starts, &total));
  PetscCall(PetscMalloc2(cells.nreals, &mine, rank ? 0 : total, &theirs));
  copy_cells(model, width, blocks, mine);
  PetscCallMPI(MPI_Gatherv(mine, (int)cells.nreals, MPIU_REAL, theirs, counts, starts, MPIU_REAL, 0,
                           model->comm));
  for (PetscInt k = 0, at = 0; k < npairs; at += pairs[k + 1], k += 2)
    PetscCall(PetscArraycpy(all + start[pairs[k]], theirs + at, pairs[k + 1]));
  PetscCall(PetscFree2(mine, theirs));
  PetscCall(PetscFree2(counts, starts));
  PetscCall(PetscFree(pairs));
  PetscCall(PetscFree(cells.pairs));
  PetscCall(PetscFree(start));
  PetscFunctionReturn(PETSC_SUCCESS);
}
