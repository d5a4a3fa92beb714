#include "solve/overlap.h"

static PetscInt place_of_ghost(const CrOverlap *o, PetscInt g)
{
  return g < o->nbelow ? g : o->nowned + g;
}

/* How parts of a vector that belong to ghosts get here. */
static PetscErrorCode share_nodes(CrOverlap *o, MPI_Comm comm, PetscInt bs, const PetscInt *ghosts,
                                  PetscInt *places)
{
  PetscLayout layout;

  PetscFunctionBeginUser;
  PetscCall(PetscLayoutCreateFromSizes(comm, o->nowned, PETSC_DETERMINE, 1, &layout));
  PetscCall(PetscSFCreate(comm, &o->nodes));
  PetscCall(PetscSFSetGraphLayout(o->nodes, layout, o->nghosts, places, PETSC_COPY_VALUES, ghosts));
  PetscCall(PetscSFSetUp(o->nodes));
  PetscCallMPI(MPI_Type_contiguous((int)bs, MPIU_REAL, &o->unit));
  PetscCallMPI(MPI_Type_commit(&o->unit));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The matrix of the ghosts, each entry the place of its value where it lives. */
static PetscErrorCode take_places(CrOverlap *o, Mat A)
{
  Mat        places, part[2];
  MatInfo    info;
  PetscReal *value;
  PetscInt   place = 0;

  PetscFunctionBeginUser;
  PetscCall(MatDuplicate(A, MAT_DO_NOT_COPY_VALUES, &places));
  PetscCall(MatMPIAIJGetSeqAIJ(places, &part[0], &part[1], NULL));
  for (int p = 0; p < 2; p++) {
    PetscCall(MatGetInfo(part[p], MAT_LOCAL, &info));
    PetscCall(MatSeqAIJGetArrayWrite(part[p], &value));
    for (PetscInt k = 0; k < (PetscInt)info.nz_used; k++) value[k] = (PetscReal)place++;
    PetscCall(MatSeqAIJRestoreArrayWrite(part[p], &value));
  }
  PetscCall(MatCreateSubMatrices(places, 1, &o->rows, &o->columns, MAT_INITIAL_MATRIX, &o->ghost));
  PetscCall(MatDestroy(&places));
  o->ngifts = place; /* so far: all values */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the values of the ghosts' matrix live: rank and place. */
static PetscErrorCode homes(const CrOverlap *o, Mat A, PetscInt *n, PetscSFNode **home)
{
  const PetscInt *ia, *ja, *dofs;
  PetscReal      *place;
  PetscInt        rows;
  PetscLayout     layout;
  PetscBool       done;

  PetscFunctionBeginUser;
  PetscCall(MatGetLayouts(A, &layout, NULL));
  PetscCall(ISGetIndices(o->rows, &dofs));
  PetscCall(MatGetRowIJ(o->ghost[0], 0, PETSC_FALSE, PETSC_FALSE, &rows, &ia, &ja, &done));
  PetscCall(MatSeqAIJGetArray(o->ghost[0], &place));
  *n = ia[rows];
  PetscCall(PetscMalloc1(*n, home));
  for (PetscInt r = 0; r < rows; r++) {
    PetscMPIInt owner;

    PetscCall(PetscLayoutFindOwner(layout, dofs[r], &owner));
    for (PetscInt k = ia[r]; k < ia[r + 1]; k++)
      (*home)[k] = (PetscSFNode){owner, (PetscInt)place[k]};
  }
  PetscCall(MatSeqAIJRestoreArray(o->ghost[0], &place));
  PetscCall(MatRestoreRowIJ(o->ghost[0], 0, PETSC_FALSE, PETSC_FALSE, &rows, &ia, &ja, &done));
  PetscCall(ISRestoreIndices(o->rows, &dofs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Own values that somebody asked for get numbers; those who asked hear them. */
static PetscErrorCode number_gifts(CrOverlap *o, PetscSF asked, PetscInt *answer)
{
  const PetscInt *wishes;
  PetscInt       *number, all = o->ngifts;

  PetscFunctionBeginUser;
  PetscCall(PetscSFComputeDegreeBegin(asked, &wishes));
  PetscCall(PetscSFComputeDegreeEnd(asked, &wishes));
  PetscCall(PetscMalloc1(all, &number));
  o->ngifts = 0;
  for (PetscInt k = 0; k < all; k++) number[k] = wishes[k] ? o->ngifts++ : -1;
  PetscCall(PetscMalloc2(o->ngifts, &o->gifts, o->ngifts, &o->gift));
  for (PetscInt k = 0; k < all; k++)
    if (number[k] >= 0) o->gifts[number[k]] = k;
  PetscCall(PetscSFBcastBegin(asked, MPIU_INT, number, answer, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(asked, MPIU_INT, number, answer, MPI_REPLACE));
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How values of the ghosts' rows get here. PETSc can take them out of the matrix itself, but goes through
   all columns anew each time, which costs as much as our factors. */
static PetscErrorCode share_entries(CrOverlap *o, Mat A)
{
  MPI_Comm     comm = PetscObjectComm((PetscObject)A);
  PetscSFNode *home;
  PetscSF      asked;
  PetscInt     n, *answer;

  PetscFunctionBeginUser;
  PetscCall(take_places(o, A));
  PetscCall(homes(o, A, &n, &home));
  PetscCall(PetscMalloc1(n, &answer));
  PetscCall(PetscSFCreate(comm, &asked));
  PetscCall(PetscSFSetGraph(asked, o->ngifts, n, NULL, PETSC_COPY_VALUES, home, PETSC_COPY_VALUES));
  PetscCall(number_gifts(o, asked, answer));
  for (PetscInt k = 0; k < n; k++) home[k].index = answer[k];
  PetscCall(PetscSFCreate(comm, &o->entries));
  PetscCall(
      PetscSFSetGraph(o->entries, o->ngifts, n, NULL, PETSC_COPY_VALUES, home, PETSC_COPY_VALUES));
  PetscCall(PetscSFSetUp(o->entries));
  PetscCall(PetscSFDestroy(&asked));
  PetscCall(PetscFree(answer));
  PetscCall(PetscFree(home));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ghosts below the own nodes first, then own nodes, then ghosts above. dofs: those of the ghosts. */
static PetscErrorCode choose_rows(CrOverlap *o, Mat A, PetscInt bs, const PetscInt *dofs)
{
  PetscInt *ghosts, *places, *all, n = o->nowned + o->nghosts, first;

  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, NULL));
  PetscCall(PetscMalloc3(o->nghosts, &ghosts, o->nghosts, &places, n, &all));
  for (PetscInt g = 0; g < o->nghosts; g++) {
    ghosts[g] = dofs[bs * g] / bs;
    if (dofs[bs * g] < first) o->nbelow++;
  }
  for (PetscInt g = 0; g < o->nghosts; g++) all[places[g] = place_of_ghost(o, g)] = ghosts[g];
  for (PetscInt k = 0; k < o->nowned; k++) all[o->nbelow + k] = first / bs + k;
  PetscCall(ISCreateBlock(PETSC_COMM_SELF, bs, o->nghosts, ghosts, PETSC_COPY_VALUES, &o->rows));
  PetscCall(ISCreateBlock(PETSC_COMM_SELF, bs, n, all, PETSC_COPY_VALUES, &o->columns));
  PetscCall(share_nodes(o, PetscObjectComm((PetscObject)A), bs, ghosts, places));
  PetscCall(share_entries(o, A));
  PetscCall(PetscFree3(ghosts, places, all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapCreate(Mat A, PetscInt bs, CrOverlap *o)
{
  const PetscInt *dofs;
  Mat             own, off;
  PetscInt        rows;
  PetscBool       distributed;

  PetscFunctionBeginUser;
  *o = (CrOverlap){0};
  PetscCall(MatGetLocalSize(A, &rows, NULL));
  o->nowned = rows / bs;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  if (!distributed) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatMPIAIJGetSeqAIJ(A, &own, &off, &dofs));
  PetscCall(MatGetSize(off, NULL, &o->nghosts));
  PetscCheck(o->nghosts % bs == 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "ghosts are not whole");
  o->nghosts /= bs;
  PetscCall(choose_rows(o, A, bs, dofs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapDestroy(CrOverlap *o)
{
  PetscFunctionBeginUser;
  if (o->ghost) PetscCall(MatDestroySubMatrices(1, &o->ghost));
  PetscCall(ISDestroy(&o->rows));
  PetscCall(ISDestroy(&o->columns));
  if (o->nodes) PetscCallMPI(MPI_Type_free(&o->unit));
  if (o->entries) PetscCall(PetscFree2(o->gifts, o->gift));
  PetscCall(PetscSFDestroy(&o->entries));
  PetscCall(PetscSFDestroy(&o->nodes));
  *o = (CrOverlap){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapUpdate(CrOverlap *o, Mat A)
{
  const PetscReal *value[2];
  PetscReal       *ghost;
  Mat              part[2];
  MatInfo          info;
  PetscInt         n;

  PetscFunctionBeginUser;
  PetscCall(MatMPIAIJGetSeqAIJ(A, &part[0], &part[1], NULL));
  PetscCall(MatGetInfo(part[0], MAT_LOCAL, &info));
  n = (PetscInt)info.nz_used;
  for (int p = 0; p < 2; p++) PetscCall(MatSeqAIJGetArrayRead(part[p], &value[p]));
  for (PetscInt k = 0; k < o->ngifts; k++)
    o->gift[k] = o->gifts[k] < n ? value[0][o->gifts[k]] : value[1][o->gifts[k] - n];
  for (int p = 0; p < 2; p++) PetscCall(MatSeqAIJRestoreArrayRead(part[p], &value[p]));
  PetscCall(MatSeqAIJGetArrayWrite(o->ghost[0], &ghost));
  PetscCall(PetscSFBcastBegin(o->entries, MPIU_REAL, o->gift, ghost, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(o->entries, MPIU_REAL, o->gift, ghost, MPI_REPLACE));
  PetscCall(MatSeqAIJRestoreArrayWrite(o->ghost[0], &ghost));
  PetscFunctionReturn(PETSC_SUCCESS);
}
