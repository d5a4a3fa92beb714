#include "solve/incomplete.h"
#include "solve/blocks.h"
#include "solve/overlap.h"

#define NAME "block ILU(0)"

/* Where own rows come from: own columns and ghost columns, as PETSc keeps them. Rows of ghosts are those of the
   overlap, whose columns are in the order of the factors. */
enum { OWN, OFF, NPARTS };

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
  CrOverlap        overlap;
  PetscInt        *below;        /* [nowned] ghosts below in each own row */
  PetscInt        *order, *turn; /* [n] node of each row of the factors; row of each node */
  PetscInt        *place;        /* scratch of the kernels, as all below */
  double          *work, *r, *b, *y, *x;
} Incomplete;

/* ---- the matrix --------------------------------------------------------------------------- */

static PetscErrorCode parts_get(Mat A, Part part[NPARTS])
{
  PetscBool distributed, done;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(part, NPARTS));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  part[OWN].mat = A;
  if (distributed) PetscCall(MatMPIAIJGetSeqAIJ(A, &part[OWN].mat, &part[OFF].mat, NULL));
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

/* ---- pattern ------------------------------------------------------------------------------ */

/* In the order of numbers, but first those that the matrix says. */
static PetscErrorCode order_create(Incomplete *in, Mat A)
{
  PetscInt *first, n = in->factors.n, row = 0;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &in->order, n, &in->turn));
  PetscCall(PetscCalloc1(n, &first));
  PetscCall(CrBlocksGetFirst(A, first + in->overlap.nbelow));
  if (in->overlap.nodes) {
    PetscCall(PetscSFBcastBegin(in->overlap.nodes, MPIU_INT, first + in->overlap.nbelow, first,
                                MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(in->overlap.nodes, MPIU_INT, first + in->overlap.nbelow, first,
                              MPI_REPLACE));
  }
  for (PetscInt mark = 1; mark >= 0; mark--)
    for (PetscInt k = 0; k < n; k++)
      if (first[k] == mark) in->order[row++] = k;
  for (PetscInt i = 0; i < n; i++) in->turn[in->order[i]] = i;
  PetscCall(PetscFree(first));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The nodes that node i couples with, ascending; how many. */
static PetscInt columns_of(const Incomplete *in, const Part *part, PetscInt i, PetscInt *column)
{
  PetscInt bs = in->factors.bs, A = i - in->overlap.nbelow, n = 0;

  if (A < 0 || A >= in->overlap.nowned) {
    PetscInt g = A < 0 ? i : i - in->overlap.nowned;

    for (PetscInt k = in->overlap.start[g]; k < in->overlap.start[g + 1]; k++)
      column[n++] = in->overlap.column[k];
    return n;
  }
  for (PetscInt k = 0; k < in->below[A]; k++) column[n++] = column_of(&part[OFF], bs, A, k);
  for (PetscInt k = 0; k < blocks_of(&part[OWN], bs, A); k++)
    column[n++] = in->overlap.nbelow + column_of(&part[OWN], bs, A, k);
  for (PetscInt k = in->below[A]; k < blocks_of(&part[OFF], bs, A); k++)
    column[n++] = in->overlap.nowned + column_of(&part[OFF], bs, A, k);
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
    from[k] = k;
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
      room[t] = 0;
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
  PetscCall(CrOverlapDestroy(&in->overlap));
  *in = (Incomplete){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything that depends on the pattern alone. */
static PetscErrorCode prepare(Incomplete *in, Mat A)
{
  Part     part[NPARTS];
  PetscInt bs;

  PetscFunctionBeginUser;
  PetscCall(release(in));
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(CrOverlapCreate(A, bs, &in->overlap));
  in->factors.bs = bs;
  in->factors.n = in->overlap.nowned + in->overlap.nghosts;
  PetscCall(PetscCalloc1(in->overlap.nowned, &in->below));
  PetscCall(parts_get(A, part));
  for (int k = 0; k < NPARTS; k++) PetscCall(CrBlocksCheck(bs, part[k].n, part[k].ia, part[k].ja));
  for (PetscInt i = 0; i < in->overlap.nowned; i++)
    while (in->below[i] < blocks_of(&part[OFF], bs, i) &&
           column_of(&part[OFF], bs, i, in->below[i]) < in->overlap.nbelow)
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
  row->value[at] = p->value + p->ia[bs * A] + bs * from;
  row->stride[at] = p->ia[bs * A + 1] - p->ia[bs * A];
}

/* The row of node i. */
static CrFactorRow row_of(const Incomplete *in, const Part *part, PetscInt i)
{
  PetscInt    bs = in->factors.bs, A = i - in->overlap.nbelow;
  CrFactorRow row = {0};

  if (A < 0 || A >= in->overlap.nowned) {
    PetscInt g = A < 0 ? i : i - in->overlap.nowned;

    row.blocks[0] = in->overlap.start[g + 1] - in->overlap.start[g];
    row.value[0] = in->overlap.value + bs * bs * in->overlap.start[g];
    row.stride[0] = bs * row.blocks[0];
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
  if (in->overlap.entries) PetscCall(CrOverlapUpdate(&in->overlap, A));
  PetscCall(parts_get(A, part));
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
  if (in->overlap.nodes)
    PetscCall(PetscSFBcastBegin(in->overlap.nodes, in->overlap.unit, r, in->r, MPI_REPLACE));
  PetscCall(PetscArraycpy(in->r + bs * in->overlap.nbelow, r, bs * in->overlap.nowned));
  if (in->overlap.nodes)
    PetscCall(PetscSFBcastEnd(in->overlap.nodes, in->overlap.unit, r, in->r, MPI_REPLACE));
  PetscCall(VecRestoreArrayRead(from, &r));
  for (PetscInt i = 0; i < in->factors.n; i++)
    for (PetscInt k = 0; k < bs; k++) in->b[bs * i + k] = in->r[bs * in->order[i] + k];
  CrBlockKernelsGet()->solve(&in->factors, in->b, in->y, in->x);
  PetscCall(VecGetArrayWrite(to, &x));
  for (PetscInt A = 0; A < in->overlap.nowned; A++)
    for (PetscInt k = 0; k < bs; k++)
      x[bs * A + k] = in->x[4 * in->turn[in->overlap.nbelow + A] + k];
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
  PetscCall(PCShellSetName(pc, NAME));
  PetscCall(PCShellSetSetUp(pc, setup));
  PetscCall(PCShellSetApply(pc, apply));
  PetscCall(PCShellSetDestroy(pc, destroy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrShellNamed(PC pc, const char *name, PetscBool *named)
{
  const char *present;

  PetscFunctionBeginUser;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCSHELL, named));
  if (!*named) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCShellGetName(pc, &present));
  PetscCall(PetscStrcmp(present, name, named));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrIncompleteDrop(PC pc)
{
  Incomplete *in;
  PetscBool   named;

  PetscFunctionBeginUser;
  PetscCall(CrShellNamed(pc, NAME, &named));
  if (!named) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCShellGetContext(pc, &in));
  PetscCall(release(in));
  PetscFunctionReturn(PETSC_SUCCESS);
}
