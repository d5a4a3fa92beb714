#include "solve/incomplete.h"
#include <petscsf.h>
#include "solve/blocks.h"

/* Where rows come from: own columns and ghost columns of own rows, as PETSc keeps them, and rows of
   ghosts, whose columns are in the order of the factors. */
enum { OWN, OFF, GHOST, NPARTS };

typedef struct {
  Mat              mat; /* borrowed; NULL on one rank but for the first */
  PetscInt         n;   /* scalar rows */
  const PetscInt  *ia, *ja;
  const PetscReal *value;
} Part;

typedef struct {
  PetscObjectId    id;    /* of the matrix whose pattern this is */
  PetscObjectState state; /* of that pattern */
  CrFactors        factors;
  PetscInt         nowned, nghosts, nbelow; /* nodes; nbelow: ghosts before the first own node */
  PetscInt        *below;                   /* [nowned] ghosts below in each own row */
  PetscInt        *order, *turn;   /* [n] node of each row of the factors; row of each node */
  IS               rows, columns;  /* of ghosts; own and ghosts */
  Mat             *ghost;          /* their matrix, an array of one; NULL on one rank */
  PetscSF          nodes;          /* own nodes to the places of ghosts */
  MPI_Datatype     unit;           /* the dofs of a node */
  PetscSF          entries;        /* gifts to the values of the ghosts' matrix */
  PetscInt         ngifts, *gifts; /* own values that others need: places, off part last */
  PetscReal       *gift;           /* [ngifts] */
  PetscInt        *place;          /* scratch of the kernels, as all below */
  double          *work, *r, *b, *y, *x;
} Incomplete;

/* ---- the matrix --------------------------------------------------------------------------- */

static PetscErrorCode parts_get(const Incomplete *in, Mat A, Part part[NPARTS])
{
  PetscBool distributed, done;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(part, NPARTS));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  part[OWN].mat = A;
  if (distributed) PetscCall(MatMPIAIJGetSeqAIJ(A, &part[OWN].mat, &part[OFF].mat, NULL));
  if (in->ghost) part[GHOST].mat = in->ghost[0];
  for (Part *p = part; p < part + NPARTS; p++) {
    if (!p->mat) continue;
    PetscCall(MatGetRowIJ(p->mat, 0, PETSC_FALSE, PETSC_FALSE, &p->n, &p->ia, &p->ja, &done));
    PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_PLIB, "rows of the matrix are not at hand");
    PetscCall(MatSeqAIJGetArrayRead(p->mat, &p->value));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode parts_restore(Part part[NPARTS])
{
  PetscBool done;

  PetscFunctionBeginUser;
  for (Part *p = part; p < part + NPARTS; p++) {
    if (!p->mat) continue;
    PetscCall(MatSeqAIJRestoreArrayRead(p->mat, &p->value));
    PetscCall(MatRestoreRowIJ(p->mat, 0, PETSC_FALSE, PETSC_FALSE, &p->n, &p->ia, &p->ja, &done));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscInt blocks_of(const Part *p, PetscInt bs, PetscInt A)
{
  return p->mat ? (p->ia[bs * A + 1] - p->ia[bs * A]) / bs : 0;
}

/* Block k of row A: its column, in the numbers of that part. */
static PetscInt column_of(const Part *p, PetscInt bs, PetscInt A, PetscInt k)
{
  return p->ja[p->ia[bs * A] + bs * k] / bs;
}

/* ---- overlap ------------------------------------------------------------------------------ */

/* All nodes here: ghosts below the own nodes first, then own nodes, then ghosts above. */
static PetscInt place_of_ghost(const Incomplete *in, PetscInt g)
{
  return g < in->nbelow ? g : in->nowned + g;
}

/* How parts of a vector that belong to ghosts get here. */
static PetscErrorCode share_nodes(Incomplete *in, MPI_Comm comm, const PetscInt *ghosts,
                                  PetscInt *places)
{
  PetscLayout layout;

  PetscFunctionBeginUser;
  PetscCall(PetscLayoutCreateFromSizes(comm, in->nowned, PETSC_DETERMINE, 1, &layout));
  PetscCall(PetscSFCreate(comm, &in->nodes));
  PetscCall(
      PetscSFSetGraphLayout(in->nodes, layout, in->nghosts, places, PETSC_COPY_VALUES, ghosts));
  PetscCall(PetscSFSetUp(in->nodes));
  PetscCallMPI(MPI_Type_contiguous((int)in->factors.bs, MPIU_REAL, &in->unit));
  PetscCallMPI(MPI_Type_commit(&in->unit));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The matrix of the ghosts, each entry the place of its value where it lives. */
static PetscErrorCode take_places(Incomplete *in, Mat A)
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
  PetscCall(
      MatCreateSubMatrices(places, 1, &in->rows, &in->columns, MAT_INITIAL_MATRIX, &in->ghost));
  PetscCall(MatDestroy(&places));
  in->ngifts = place; /* so far: all values */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the values of the ghosts' matrix live: rank and place. */
static PetscErrorCode homes(const Incomplete *in, Mat A, PetscInt *n, PetscSFNode **home)
{
  const PetscInt *ia, *ja, *dofs;
  PetscReal      *place;
  PetscInt        rows;
  PetscLayout     layout;
  PetscBool       done;

  PetscFunctionBeginUser;
  PetscCall(MatGetLayouts(A, &layout, NULL));
  PetscCall(ISGetIndices(in->rows, &dofs));
  PetscCall(MatGetRowIJ(in->ghost[0], 0, PETSC_FALSE, PETSC_FALSE, &rows, &ia, &ja, &done));
  PetscCall(MatSeqAIJGetArray(in->ghost[0], &place));
  *n = ia[rows];
  PetscCall(PetscMalloc1(*n, home));
  for (PetscInt r = 0; r < rows; r++) {
    PetscMPIInt owner;

    PetscCall(PetscLayoutFindOwner(layout, dofs[r], &owner));
    for (PetscInt k = ia[r]; k < ia[r + 1]; k++)
      (*home)[k] = (PetscSFNode){owner, (PetscInt)place[k]};
  }
  PetscCall(MatSeqAIJRestoreArray(in->ghost[0], &place));
  PetscCall(MatRestoreRowIJ(in->ghost[0], 0, PETSC_FALSE, PETSC_FALSE, &rows, &ia, &ja, &done));
  PetscCall(ISRestoreIndices(in->rows, &dofs));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Own values that somebody asked for get numbers; those who asked hear them. */
static PetscErrorCode number_gifts(Incomplete *in, PetscSF asked, PetscInt *answer)
{
  const PetscInt *wishes;
  PetscInt       *number, all = in->ngifts;

  PetscFunctionBeginUser;
  PetscCall(PetscSFComputeDegreeBegin(asked, &wishes));
  PetscCall(PetscSFComputeDegreeEnd(asked, &wishes));
  PetscCall(PetscMalloc1(all, &number));
  in->ngifts = 0;
  for (PetscInt k = 0; k < all; k++) number[k] = wishes[k] ? in->ngifts++ : -1;
  PetscCall(PetscMalloc2(in->ngifts, &in->gifts, in->ngifts, &in->gift));
  for (PetscInt k = 0; k < all; k++)
    if (number[k] >= 0) in->gifts[number[k]] = k;
  PetscCall(PetscSFBcastBegin(asked, MPIU_INT, number, answer, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(asked, MPIU_INT, number, answer, MPI_REPLACE));
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How values of the ghosts' rows get here. PETSc can take them out of the matrix itself, but goes through
   all columns anew each time, which costs as much as our factors. */
static PetscErrorCode share_entries(Incomplete *in, Mat A)
{
  MPI_Comm     comm = PetscObjectComm((PetscObject)A);
  PetscSFNode *home;
  PetscSF      asked;
  PetscInt     n, *answer;

  PetscFunctionBeginUser;
  PetscCall(take_places(in, A));
  PetscCall(homes(in, A, &n, &home));
  PetscCall(PetscMalloc1(n, &answer));
  PetscCall(PetscSFCreate(comm, &asked));
  PetscCall(
      PetscSFSetGraph(asked, in->ngifts, n, NULL, PETSC_COPY_VALUES, home, PETSC_COPY_VALUES));
  PetscCall(number_gifts(in, asked, answer));
  for (PetscInt k = 0; k < n; k++) home[k].index = answer[k];
  PetscCall(PetscSFCreate(comm, &in->entries));
  PetscCall(PetscSFSetGraph(in->entries, in->ngifts, n, NULL, PETSC_COPY_VALUES, home,
                            PETSC_COPY_VALUES));
  PetscCall(PetscSFSetUp(in->entries));
  PetscCall(PetscSFDestroy(&asked));
  PetscCall(PetscFree(answer));
  PetscCall(PetscFree(home));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* In the order of numbers, but first those that the matrix says. */
static PetscErrorCode order_create(Incomplete *in, Mat A)
{
  PetscInt *first, n = in->factors.n, row = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &in->order, n, &in->turn));
  PetscCall(PetscCalloc1(n, &first));
  PetscCall(CrBlocksGetFirst(A, first + in->nbelow));
  if (in->nodes) {
    PetscCall(PetscSFBcastBegin(in->nodes, MPIU_INT, first + in->nbelow, first, MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(in->nodes, MPIU_INT, first + in->nbelow, first, MPI_REPLACE));
  }
  for (PetscInt mark = 1; mark >= 0; mark--)
    for (PetscInt k = 0; k < n; k++)
      if (first[k] == mark) in->order[row++] = k;
  for (PetscInt i = 0; i < n; i++) in->turn[in->order[i]] = i;
  PetscCall(PetscFree(first));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which rows of others belong to the factors. */
static PetscErrorCode overlap_create(Incomplete *in, Mat A, const PetscInt *dofs)
{
  PetscInt *ghosts, *places, *all, bs = in->factors.bs, first;

  PetscFunctionBeginUser;
  PetscCall(MatGetOwnershipRange(A, &first, NULL));
  PetscCall(PetscMalloc3(in->nghosts, &ghosts, in->nghosts, &places, in->factors.n, &all));
  for (PetscInt g = 0; g < in->nghosts; g++) {
    ghosts[g] = dofs[bs * g] / bs;
    if (dofs[bs * g] < first) in->nbelow++;
  }
  for (PetscInt g = 0; g < in->nghosts; g++) all[places[g] = place_of_ghost(in, g)] = ghosts[g];
  for (PetscInt k = 0; k < in->nowned; k++) all[in->nbelow + k] = first / bs + k;
  PetscCall(ISCreateBlock(PETSC_COMM_SELF, bs, in->nghosts, ghosts, PETSC_COPY_VALUES, &in->rows));
  PetscCall(
      ISCreateBlock(PETSC_COMM_SELF, bs, in->factors.n, all, PETSC_COPY_VALUES, &in->columns));
  PetscCall(share_nodes(in, PetscObjectComm((PetscObject)A), ghosts, places));
  PetscCall(share_entries(in, A));
  PetscCall(PetscFree3(ghosts, places, all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The values of the ghosts' rows, as they are now. */
static PetscErrorCode overlap_update(Incomplete *in, Mat A)
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
  for (PetscInt k = 0; k < in->ngifts; k++)
    in->gift[k] = in->gifts[k] < n ? value[0][in->gifts[k]] : value[1][in->gifts[k] - n];
  for (int p = 0; p < 2; p++) PetscCall(MatSeqAIJRestoreArrayRead(part[p], &value[p]));
  PetscCall(MatSeqAIJGetArrayWrite(in->ghost[0], &ghost));
  PetscCall(PetscSFBcastBegin(in->entries, MPIU_REAL, in->gift, ghost, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(in->entries, MPIU_REAL, in->gift, ghost, MPI_REPLACE));
  PetscCall(MatSeqAIJRestoreArrayWrite(in->ghost[0], &ghost));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- pattern ------------------------------------------------------------------------------ */

/* The nodes that node i couples with, ascending; how many. */
static PetscInt columns_of(const Incomplete *in, const Part *part, PetscInt i, PetscInt *column)
{
  PetscInt bs = in->factors.bs, A = i - in->nbelow, n = 0;

  if (A < 0 || A >= in->nowned) {
    PetscInt g = A < 0 ? i : i - in->nowned;

    for (PetscInt k = 0; k < blocks_of(&part[GHOST], bs, g); k++)
      column[n++] = column_of(&part[GHOST], bs, g, k);
    return n;
  }
  for (PetscInt k = 0; k < in->below[A]; k++) column[n++] = column_of(&part[OFF], bs, A, k);
  for (PetscInt k = 0; k < blocks_of(&part[OWN], bs, A); k++)
    column[n++] = in->nbelow + column_of(&part[OWN], bs, A, k);
  for (PetscInt k = in->below[A]; k < blocks_of(&part[OFF], bs, A); k++)
    column[n++] = in->nowned + column_of(&part[OFF], bs, A, k);
  return n;
}

/* The same for row i of the factors, as rows of the factors, ascending; from[]: which block of the matrix. */
static PetscErrorCode row_columns(const Incomplete *in, const Part *part, PetscInt i, PetscInt *n,
                                  PetscInt *column, PetscInt *from)
{
  PetscFunctionBeginUser;
  *n = columns_of(in, part, in->order[i], column);
  for (PetscInt k = 0; k < *n; k++) {
    column[k] = in->turn[column[k]];
    from[k]   = k;
  }
  PetscCall(PetscSortIntWithArray(*n, column, from));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode pattern_create(Incomplete *in, const Part *part)
{
  CrFactors *f = &in->factors;
  PetscInt  *column, *from, bs = f->bs, longest = 0, room[2] = {0, 0};

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(f->n, &column, f->n, &from));
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt i = 0; i < f->n; i++) {
      PetscBool diagonal = PETSC_FALSE;
      PetscInt  n, *slot = f->slot + (pass ? room[0] + room[1] + i : 0);

      PetscCall(row_columns(in, part, i, &n, column, from));
      longest = PetscMax(longest, n);
      for (int t = 0; pass && t < 2; t++) f->start[t][i] = room[t];
      for (PetscInt k = 0; k < n; k++) {
        if (pass) slot[from[k]] = k;
        if (column[k] == i) diagonal = PETSC_TRUE;
        if (column[k] == i) continue;
        if (pass) f->column[column[k] > i][room[column[k] > i]] = column[k];
        room[column[k] > i]++;
      }
      PetscCheck(diagonal, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a row without its diagonal block");
    }
    if (pass) break;
    PetscCall(PetscMalloc1(room[0] + room[1] + f->n, &f->slot));
    for (int t = 0; t < 2; t++) {
      PetscCall(PetscMalloc3(f->n + 1, &f->start[t], room[t], &f->column[t],
                             bs * bs * room[t] + CR_FACTOR_PAD, &f->value[t]));
      PetscCall(PetscArrayzero(f->value[t] + bs * bs * room[t], CR_FACTOR_PAD));
      f->start[t][f->n] = room[t];
      room[t]           = 0;
    }
  }
  PetscCall(PetscFree2(column, from));
  PetscCall(PetscCalloc1(bs * bs * f->n + CR_FACTOR_PAD, &f->diagonal));
  PetscCall(PetscMalloc2(f->n, &in->place, 4 * bs * longest + 4, &in->work));
  PetscCall(PetscCalloc4(bs * f->n, &in->r, bs * f->n + CR_FACTOR_PAD, &in->b,
                         bs * f->n + CR_FACTOR_PAD, &in->y, 4 * f->n, &in->x));
  for (PetscInt i = 0; i < f->n; i++) in->place[i] = -1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode release(Incomplete *in)
{
  CrFactors *f = &in->factors;

  PetscFunctionBeginUser;
  for (int t = 0; t < 2; t++)
    if (f->start[t]) PetscCall(PetscFree3(f->start[t], f->column[t], f->value[t]));
  PetscCall(PetscFree(f->diagonal));
  PetscCall(PetscFree(f->slot));
  PetscCall(PetscFree(in->below));
  if (in->order) PetscCall(PetscFree2(in->order, in->turn));
  if (in->place) PetscCall(PetscFree2(in->place, in->work));
  if (in->b) PetscCall(PetscFree4(in->r, in->b, in->y, in->x));
  if (in->ghost) PetscCall(MatDestroySubMatrices(1, &in->ghost));
  PetscCall(ISDestroy(&in->rows));
  PetscCall(ISDestroy(&in->columns));
  if (in->nodes) PetscCallMPI(MPI_Type_free(&in->unit));
  if (in->entries) PetscCall(PetscFree2(in->gifts, in->gift));
  PetscCall(PetscSFDestroy(&in->entries));
  PetscCall(PetscSFDestroy(&in->nodes));
  *in = (Incomplete){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything that depends on the pattern alone. */
static PetscErrorCode prepare(Incomplete *in, Mat A)
{
  const PetscInt *dofs;
  Mat             own, off;
  Part            part[NPARTS];
  PetscInt        bs, rows;
  PetscBool       distributed;

  PetscFunctionBeginUser;
  PetscCall(release(in));
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(MatGetLocalSize(A, &rows, NULL));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  in->factors.bs = bs;
  in->factors.n = in->nowned = rows / bs;
  PetscCall(PetscCalloc1(in->nowned, &in->below));
  if (distributed) {
    PetscCall(MatMPIAIJGetSeqAIJ(A, &own, &off, &dofs));
    PetscCall(MatGetSize(off, NULL, &in->nghosts));
    PetscCheck(in->nghosts % bs == 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "ghosts are not whole");
    in->nghosts /= bs;
    in->factors.n += in->nghosts;
    PetscCall(overlap_create(in, A, dofs));
  }
  PetscCall(parts_get(in, A, part));
  for (int k = 0; k < NPARTS; k++) PetscCall(CrBlocksCheck(bs, part[k].n, part[k].ia, part[k].ja));
  for (PetscInt i = 0; i < in->nowned; i++)
    while (in->below[i] < blocks_of(&part[OFF], bs, i) &&
           column_of(&part[OFF], bs, i, in->below[i]) < in->nbelow)
      in->below[i]++;
  PetscCall(order_create(in, A));
  PetscCall(pattern_create(in, part));
  PetscCall(parts_restore(part));
  PetscCall(PetscObjectGetId((PetscObject)A, &in->id));
  PetscCall(MatGetNonzeroState(A, &in->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- factors ------------------------------------------------------------------------------ */

static void add_part(const Part *p, PetscInt bs, PetscInt A, PetscInt from, PetscInt n,
                     CrFactorRow *row, int at)
{
  row->blocks[at] = n;
  if (n == 0) return;
  row->value[at]  = p->value + p->ia[bs * A] + bs * from;
  row->stride[at] = p->ia[bs * A + 1] - p->ia[bs * A];
}

/* The row of node i. */
static CrFactorRow row_of(const Incomplete *in, const Part *part, PetscInt i)
{
  PetscInt    bs = in->factors.bs, A = i - in->nbelow;
  CrFactorRow row = {0};

  if (A < 0 || A >= in->nowned) {
    PetscInt g = A < 0 ? i : i - in->nowned;

    add_part(&part[GHOST], bs, g, 0, blocks_of(&part[GHOST], bs, g), &row, 0);
    return row;
  }
  add_part(&part[OFF], bs, A, 0, in->below[A], &row, 0);
  add_part(&part[OWN], bs, A, 0, blocks_of(&part[OWN], bs, A), &row, 1);
  add_part(&part[OFF], bs, A, in->below[A], blocks_of(&part[OFF], bs, A) - in->below[A], &row, 2);
  return row;
}

static PetscErrorCode setup(PC pc)
{
  Incomplete      *in;
  Mat              A;
  PetscObjectId    id;
  PetscObjectState state;
  Part             part[NPARTS];
  int              good = 1;

  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &in));
  PetscCall(PCGetOperators(pc, NULL, &A));
  PetscCall(PetscObjectGetId((PetscObject)A, &id));
  PetscCall(MatGetNonzeroState(A, &state));
  if (in->id != id || in->state != state) PetscCall(prepare(in, A));
  if (in->ghost) PetscCall(overlap_update(in, A));
  PetscCall(parts_get(in, A, part));
  for (PetscInt i = 0; good && i < in->factors.n; i++) {
    CrFactorRow row = row_of(in, part, in->order[i]);

    good = CrBlockKernelsGet()->eliminate(&in->factors, i, &row, in->place, in->work);
  }
  PetscCall(parts_restore(part));
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, PetscObjectComm((PetscObject)pc)));
  PetscCall(PCSetFailedReason(pc, good ? PC_NOERROR : PC_FACTOR_NUMERIC_ZEROPIVOT));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode apply(PC pc, Vec from, Vec to)
{
  Incomplete      *in;
  const PetscReal *r;
  PetscReal       *x;
  PetscInt         bs;

  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &in));
  bs = in->factors.bs;
  PetscCall(VecGetArrayRead(from, &r));
  if (in->nodes) PetscCall(PetscSFBcastBegin(in->nodes, in->unit, r, in->r, MPI_REPLACE));
  PetscCall(PetscArraycpy(in->r + bs * in->nbelow, r, bs * in->nowned));
  if (in->nodes) PetscCall(PetscSFBcastEnd(in->nodes, in->unit, r, in->r, MPI_REPLACE));
  PetscCall(VecRestoreArrayRead(from, &r));
  for (PetscInt i = 0; i < in->factors.n; i++)
    for (PetscInt k = 0; k < bs; k++) in->b[bs * i + k] = in->r[bs * in->order[i] + k];
  CrBlockKernelsGet()->solve(&in->factors, in->b, in->y, in->x);
  PetscCall(VecGetArrayWrite(to, &x));
  for (PetscInt A = 0; A < in->nowned; A++)
    for (PetscInt k = 0; k < bs; k++) x[bs * A + k] = in->x[4 * in->turn[in->nbelow + A] + k];
  PetscCall(VecRestoreArrayWrite(to, &x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode destroy(PC pc)
{
  Incomplete *in;

  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &in));
  PetscCall(release(in));
  PetscCall(PetscFree(in));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIncompleteUse(PC pc)
{
  Incomplete *in;

  PetscFunctionBeginUser;
  PetscCall(PetscNew(&in));
  PetscCall(PCSetType(pc, PCNONE)); /* another one may be there already */
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, in));
  PetscCall(PCShellSetName(pc, "block ILU(0)"));
  PetscCall(PCShellSetSetUp(pc, setup));
  PetscCall(PCShellSetApply(pc, apply));
  PetscCall(PCShellSetDestroy(pc, destroy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIncompleteDrop(PC pc)
{
  Incomplete *in;
  PetscBool   shell;

  PetscFunctionBeginUser;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCSHELL, &shell));
  if (!shell) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCShellGetContext(pc, &in));
  PetscCall(release(in));
  PetscFunctionReturn(PETSC_SUCCESS);
}
