#include <stdlib.h>
#include "base/mail.h"
#include "solve/overlap.h"

/* ---- vectors ---------------------------------------------------------------------------------- */

static PetscInt place_of_ghost(const CrOverlap *o, PetscInt g)
{
  return g < o->nbelow ? g : o->nowned + g;
}

/* How parts of a vector that belong to ghosts get here. */
static PetscErrorCode share_nodes(CrOverlap *o, MPI_Comm comm, const PetscInt *ghosts)
{
  PetscInt   *places;
  PetscLayout layout;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(o->nghosts, &places));
  for (PetscInt g = 0; g < o->nghosts; g++) places[g] = place_of_ghost(o, g);
  PetscCall(PetscLayoutCreateFromSizes(comm, o->nowned, PETSC_DETERMINE, 1, &layout));
  PetscCall(PetscSFCreate(comm, &o->nodes));
  PetscCall(PetscSFSetGraphLayout(o->nodes, layout, o->nghosts, places, PETSC_COPY_VALUES, ghosts));
  PetscCall(PetscSFSetUp(o->nodes));
  PetscCallMPI(MPI_Type_contiguous((int)o->bs, MPIU_REAL, &o->unit));
  PetscCallMPI(MPI_Type_commit(&o->unit));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscCall(PetscFree(places));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- rows of the matrix ----------------------------------------------------------------------- */

/* The own rows of a distributed matrix: columns of own nodes, and of ghosts. */
typedef struct {
  Mat              mat[2]; /* borrowed, like all below */
  PetscInt         rows;
  const PetscInt  *ia[2], *ja[2];
  const PetscReal *value[2];
  const PetscInt  *dofs; /* global dofs of the columns of ghosts */
} Rows;

static PetscErrorCode rows_get(Mat A, Rows *r)
{
  PetscBool done;

  PetscFunctionBeginUser;
  PetscCall(MatMPIAIJGetSeqAIJ(A, &r->mat[0], &r->mat[1], &r->dofs));
  for (int p = 0; p < 2; p++) {
    PetscCall(
        MatGetRowIJ(r->mat[p], 0, PETSC_FALSE, PETSC_FALSE, &r->rows, &r->ia[p], &r->ja[p], &done));
    PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_PLIB, "rows of the matrix are not at hand");
    PetscCall(MatSeqAIJGetArrayRead(r->mat[p], &r->value[p]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode rows_restore(Rows *r)
{
  PetscBool done;

  PetscFunctionBeginUser;
  for (int p = 0; p < 2; p++) {
    PetscCall(MatSeqAIJRestoreArrayRead(r->mat[p], &r->value[p]));
    PetscCall(MatRestoreRowIJ(r->mat[p], 0, PETSC_FALSE, PETSC_FALSE, &r->rows, &r->ia[p],
                              &r->ja[p], &done));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- the plan --------------------------------------------------------------------------------- */

/* What an owner tells of a row: the node, the node of a column, and which block that is. */
enum { NODE, COLUMN, BLOCK, NWORDS };

/* Answers the questions for rows with their blocks. */
static PetscErrorCode tell_rows(const CrOverlap *o, Mat A, const CrPost *questions, CrMail *mail)
{
  Rows     r;
  PetscInt first;

  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, NULL));
  PetscCall(rows_get(A, &r));
  for (PetscInt q = 0; q < questions->n; q++) {
    PetscInt node = questions->ints[q], row = o->bs * node - first;

    for (int p = 0; p < 2; p++)
      for (PetscInt k = 0; k < (r.ia[p][row + 1] - r.ia[p][row]) / o->bs; k++) {
        PetscInt column = r.ja[p][r.ia[p][row] + o->bs * k];
        PetscInt words[NWORDS] = {node, (p ? r.dofs[column] : first + column) / o->bs,
                                  p ? -1 - k : k};

        PetscCall(CrMailAdd(mail, questions->from[q], words, NULL));
      }
  }
  PetscCall(rows_restore(&r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The place of a node in the factors: ghosts below, own nodes, ghosts above; -1: it is none of them. */
static PetscErrorCode place_of(const CrOverlap *o, PetscInt first, const PetscInt *ghosts,
                               PetscInt node, PetscInt *place)
{
  PetscFunctionBeginUser;
  if (node >= first && node < first + o->nowned)
    *place = o->nbelow + node - first;
  else {
    PetscCall(PetscFindInt(node, o->nghosts, ghosts, place));
    *place = *place < 0 ? -1 : place_of_ghost(o, *place);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A block of a ghost's row. */
typedef struct {
  PetscInt ghost, column, told; /* told: which of the words it came with */
} Block;

static int by_place(const void *a, const void *b)
{
  const Block *x = a, *y = b;

  if (x->ghost != y->ghost) return x->ghost < y->ghost ? -1 : 1;
  return (x->column > y->column) - (x->column < y->column);
}

/* Takes the blocks between nodes that this rank has. place[k]: number of the block of the k-th words; -1: none. */
static PetscErrorCode take_rows(CrOverlap *o, PetscInt first, const PetscInt *ghosts,
                                const CrPost *told, PetscInt *place)
{
  Block   *blocks;
  PetscInt n = 0, longest = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(told->n, &blocks));
  for (PetscInt k = 0; k < told->n; k++) {
    const PetscInt *words = told->ints + NWORDS * k;

    place[k] = -1;
    PetscCall(place_of(o, first, ghosts, words[COLUMN], &blocks[n].column));
    PetscCall(PetscFindInt(words[NODE], o->nghosts, ghosts, &blocks[n].ghost));
    blocks[n].told = k;
    if (blocks[n].column >= 0) n++;
  }
  qsort(blocks, (size_t)n, sizeof *blocks, by_place);
  PetscCall(PetscCalloc1(o->nghosts + 1, &o->start));
  PetscCall(PetscMalloc2(n, &o->column, o->bs * o->bs * n, &o->value));
  for (PetscInt k = 0; k < n; k++) {
    o->column[k] = blocks[k].column;
    place[blocks[k].told] = k;
    o->start[blocks[k].ghost + 1]++;
  }
  for (PetscInt g = 0; g < o->nghosts; g++) {
    longest = PetscMax(longest, o->start[g + 1]);
    o->start[g + 1] += o->start[g];
  }
  PetscCall(PetscMalloc1(o->bs * o->bs * longest, &o->row));
  PetscCall(PetscFree(blocks));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists the blocks that others took, in the order in which they were told, and their way. */
static PetscErrorCode list_gifts(CrOverlap *o, MPI_Comm comm, PetscInt first, PetscInt n,
                                 const PetscInt *words, const PetscMPIInt *to,
                                 const PetscInt *place)
{
  PetscSFNode *there;

  PetscFunctionBeginUser;
  o->ngifts = 0;
  for (PetscInt k = 0; k < n; k++) o->ngifts += place[k] >= 0;
  PetscCall(PetscMalloc1(o->ngifts, &there));
  PetscCall(PetscMalloc2(2 * o->ngifts, &o->gifts, o->bs * o->bs * o->ngifts, &o->gift));
  o->ngifts = 0;
  for (PetscInt k = 0; k < n; k++) {
    if (place[k] < 0) continue;
    there[o->ngifts] = (PetscSFNode){to[k], place[k]};
    o->gifts[2 * o->ngifts] = words[NWORDS * k + NODE] - first;
    o->gifts[2 * o->ngifts++ + 1] = words[NWORDS * k + BLOCK];
  }
  PetscCall(PetscSFCreate(comm, &o->entries));
  PetscCall(PetscSFSetGraph(o->entries, o->start[o->nghosts], o->ngifts, NULL, PETSC_COPY_VALUES,
                            there, PETSC_COPY_VALUES));
  PetscCall(PetscSFSetUp(o->entries));
  PetscCallMPI(MPI_Type_contiguous((int)(o->bs * o->bs), MPIU_REAL, &o->block));
  PetscCallMPI(MPI_Type_commit(&o->block));
  PetscCall(PetscFree(there));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Asks the owners for the rows of the ghosts. PETSc can take them out of the matrix, but needs a copy of the whole
   matrix for their places, or goes through all columns anew each time. */
static PetscErrorCode share_entries(CrOverlap *o, Mat A, const PetscInt *ghosts)
{
  MPI_Comm     comm = PetscObjectComm((PetscObject)A);
  PetscInt     first, n, *words, *place, *taken;
  PetscMPIInt *to;
  PetscLayout  layout;
  CrMail       ask, tell;
  CrPost       questions, told;

  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, NULL));
  first /= o->bs;
  PetscCall(MatGetLayouts(A, &layout, NULL));
  PetscCall(CrMailBegin(comm, 1, 0, &ask));
  for (PetscInt g = 0; g < o->nghosts; g++) {
    PetscMPIInt owner;

    PetscCall(PetscLayoutFindOwner(layout, o->bs * ghosts[g], &owner));
    PetscCall(CrMailAdd(&ask, owner, &ghosts[g], NULL));
  }
  PetscCall(CrMailSend(comm, &ask, &questions));
  PetscCall(CrMailBegin(comm, NWORDS, 0, &tell));
  PetscCall(tell_rows(o, A, &questions, &tell));
  n = tell.n;
  PetscCall(PetscMalloc3(NWORDS * n, &words, n, &to, n, &taken));
  PetscCall(PetscArraycpy(words, tell.ints, NWORDS * n));
  PetscCall(PetscArraycpy(to, tell.to, n));
  PetscCall(CrMailSend(comm, &tell, &told));
  PetscCall(PetscMalloc1(told.n, &place));
  PetscCall(take_rows(o, first, ghosts, &told, place));
  PetscCall(CrMailAnswer(comm, &tell, 1, place, taken, 0, NULL, NULL));
  PetscCall(list_gifts(o, comm, first, n, words, to, taken));
  PetscCall(PetscFree(place));
  PetscCall(PetscFree3(words, to, taken));
  PetscCall(CrPostEnd(&questions));
  PetscCall(CrPostEnd(&told));
  PetscCall(CrMailEnd(&ask));
  PetscCall(CrMailEnd(&tell));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapCreate(Mat A, PetscInt bs, CrOverlap *o)
{
  const PetscInt *dofs;
  Mat             own, off;
  PetscInt        rows, first, *ghosts;
  PetscBool       distributed;

  PetscFunctionBeginUser;
  *o = (CrOverlap){.bs = bs};
  PetscCall(MatGetLocalSize(A, &rows, NULL));
  o->nowned = rows / bs;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  if (!distributed) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(MatMPIAIJGetSeqAIJ(A, &own, &off, &dofs));
  PetscCall(MatGetSize(off, NULL, &o->nghosts));
  PetscCheck(o->nghosts % bs == 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "ghosts are not whole");
  o->nghosts /= bs;
  PetscCall(MatGetOwnershipRange(A, &first, NULL));
  PetscCall(PetscMalloc1(o->nghosts, &ghosts)); /* ascending, like the columns of PETSc */
  for (PetscInt g = 0; g < o->nghosts; g++) {
    ghosts[g] = dofs[bs * g] / bs;
    if (dofs[bs * g] < first) o->nbelow++;
  }
  PetscCall(share_nodes(o, PetscObjectComm((PetscObject)A), ghosts));
  PetscCall(share_entries(o, A, ghosts));
  PetscCall(PetscFree(ghosts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrOverlapDestroy(CrOverlap *o)
{
  PetscFunctionBeginUser;
  if (o->nodes) PetscCallMPI(MPI_Type_free(&o->unit));
  if (o->entries) PetscCallMPI(MPI_Type_free(&o->block));
  if (o->entries) PetscCall(PetscFree2(o->gifts, o->gift));
  if (o->entries) PetscCall(PetscFree2(o->column, o->value));
  PetscCall(PetscFree(o->start));
  PetscCall(PetscFree(o->row));
  PetscCall(PetscSFDestroy(&o->entries));
  PetscCall(PetscSFDestroy(&o->nodes));
  *o = (CrOverlap){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- values ----------------------------------------------------------------------------------- */

/* Blocks arrive one after the other; the row gets its scalar rows. */
static void arrange(const CrOverlap *o, PetscInt g)
{
  PetscInt   bs = o->bs, n = o->start[g + 1] - o->start[g];
  PetscReal *value = o->value + bs * bs * o->start[g];

  for (PetscInt k = 0; k < bs * bs * n; k++) o->row[k] = value[k];
  for (PetscInt k = 0; k < n; k++)
    for (PetscInt i = 0; i < bs; i++)
      for (PetscInt j = 0; j < bs; j++) value[bs * (n * i + k) + j] = o->row[bs * (bs * k + i) + j];
}

PetscErrorCode CrOverlapUpdate(CrOverlap *o, Mat A)
{
  Rows     r;
  PetscInt bs = o->bs;

  PetscFunctionBeginUser;
  PetscCall(rows_get(A, &r));
  for (PetscInt k = 0; k < o->ngifts; k++) {
    PetscInt node = o->gifts[2 * k], block = o->gifts[2 * k + 1], p = block < 0;

    for (PetscInt i = 0; i < bs; i++)
      for (PetscInt j = 0; j < bs; j++)
        o->gift[bs * (bs * k + i) + j] =
            r.value[p][r.ia[p][bs * node + i] + bs * (p ? -1 - block : block) + j];
  }
  PetscCall(rows_restore(&r));
  PetscCall(PetscSFReduceBegin(o->entries, o->block, o->gift, o->value, MPI_REPLACE));
  PetscCall(PetscSFReduceEnd(o->entries, o->block, o->gift, o->value, MPI_REPLACE));
  for (PetscInt g = 0; g < o->nghosts; g++) arrange(o, g);
  PetscFunctionReturn(PETSC_SUCCESS);
}
