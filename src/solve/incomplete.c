#include "solve/incomplete.h"
#include <petscsf.h>
#include "base/isa.h"

extern const CrFactorKernels CrFactorKernels_baseline;
#if defined(__x86_64__)
extern const CrFactorKernels CrFactorKernels_avx2, CrFactorKernels_avx512;
#endif

static const CrFactorKernels *kernels(void)
{
#if defined(__x86_64__)
  static const CrFactorKernels *const table[CR_NISAS] = {&CrFactorKernels_baseline,
                                                         &CrFactorKernels_avx2,
                                                         &CrFactorKernels_avx512};

  return table[CrIsaGet()];
#else
  return &CrFactorKernels_baseline;
#endif
}

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
  IS               rows, columns;           /* of ghosts; own and ghosts */
  Mat             *ghost;                   /* their matrix, an array of one; NULL on one rank */
  PetscSF          nodes;                   /* own nodes to the places of ghosts */
  MPI_Datatype     unit;                    /* the dofs of a node */
  PetscInt        *place;                   /* scratch of the kernels, as all below */
  double          *work, *b, *y, *x;
} Incomplete;

/* ---- the matrix --------------------------------------------------------------------------- */

PetscErrorCode CrIncompleteFits(Mat A, PetscBool *fits)
{
  PetscInt  bs;
  PetscBool aij;

  PetscFunctionBeginUser;
  PetscCall(MatGetBlockSize(A, &bs));
  PetscCall(PetscObjectTypeCompareAny((PetscObject)A, &aij, MATSEQAIJ, MATMPIAIJ, ""));
  *fits = aij && (bs == 2 || bs == 3) ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

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

/* All rows of a node have the same columns, and these come in whole blocks. */
static PetscErrorCode check_blocks(const Part *p, PetscInt bs)
{
  PetscBool whole = PETSC_TRUE;

  PetscFunctionBeginUser;
  for (PetscInt r = 0; r < p->n; r++) {
    const PetscInt *first = p->ja + p->ia[r / bs * bs], *row = p->ja + p->ia[r];
    PetscInt        n = p->ia[r + 1] - p->ia[r];

    if (n != bs * blocks_of(p, bs, r / bs)) whole = PETSC_FALSE;
    for (PetscInt k = 0; whole && k < n; k++)
      if (row[k] != first[k / bs * bs] + k % bs || row[k] % bs != k % bs) whole = PETSC_FALSE;
  }
  PetscCheck(whole, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the matrix does not consist of blocks");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- overlap ------------------------------------------------------------------------------ */

/* The factors have ghosts below the own nodes first, then own nodes, then ghosts above. */
static PetscInt place_of_ghost(const Incomplete *in, PetscInt g)
{
  return g < in->nbelow ? g : in->nowned + g;
}

/* Which rows of others belong to the factors, and how their part of a vector gets here. */
static PetscErrorCode overlap_create(Incomplete *in, Mat A, const PetscInt *dofs)
{
  PetscInt   *ghosts, *places, *all, bs = in->factors.bs, first;
  PetscLayout layout;
  MPI_Comm    comm = PetscObjectComm((PetscObject)A);

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
  PetscCall(MatCreateSubMatrices(A, 1, &in->rows, &in->columns, MAT_INITIAL_MATRIX, &in->ghost));
  PetscCall(PetscLayoutCreateFromSizes(comm, in->nowned, PETSC_DETERMINE, 1, &layout));
  PetscCall(PetscSFCreate(comm, &in->nodes));
  PetscCall(
      PetscSFSetGraphLayout(in->nodes, layout, in->nghosts, places, PETSC_COPY_VALUES, ghosts));
  PetscCall(PetscSFSetUp(in->nodes));
  PetscCallMPI(MPI_Type_contiguous((int)bs, MPIU_REAL, &in->unit));
  PetscCallMPI(MPI_Type_commit(&in->unit));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscCall(PetscFree3(ghosts, places, all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- pattern ------------------------------------------------------------------------------ */

/* Columns of row i of the factors, ascending; how many. */
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

static PetscErrorCode pattern_create(Incomplete *in, const Part *part)
{
  CrFactors *f = &in->factors;
  PetscInt  *column, bs = f->bs, longest = 0, room[2] = {0, 0};

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(f->n, &column));
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt i = 0; i < f->n; i++) {
      PetscInt  n        = columns_of(in, part, i, column);
      PetscBool diagonal = PETSC_FALSE;

      longest = PetscMax(longest, n);
      for (int t = 0; pass && t < 2; t++) f->start[t][i] = room[t];
      for (PetscInt k = 0; k < n; k++) {
        if (column[k] == i) diagonal = PETSC_TRUE;
        if (column[k] == i) continue;
        if (pass) f->column[column[k] > i][room[column[k] > i]] = column[k];
        room[column[k] > i]++;
      }
      PetscCheck(diagonal, PETSC_COMM_SELF, PETSC_ERR_PLIB, "a row without its diagonal block");
    }
    for (int t = 0; t < 2 && !pass; t++) {
      PetscCall(PetscMalloc3(f->n + 1, &f->start[t], room[t], &f->column[t],
                             bs * bs * room[t] + CR_FACTOR_PAD, &f->value[t]));
      PetscCall(PetscArrayzero(f->value[t] + bs * bs * room[t], CR_FACTOR_PAD));
      f->start[t][f->n] = room[t];
      room[t]           = 0;
    }
  }
  PetscCall(PetscFree(column));
  PetscCall(PetscCalloc1(bs * bs * f->n + CR_FACTOR_PAD, &f->diagonal));
  PetscCall(PetscMalloc2(f->n, &in->place, 4 * bs * longest + 4, &in->work));
  PetscCall(PetscCalloc3(bs * f->n + CR_FACTOR_PAD, &in->b, bs * f->n + CR_FACTOR_PAD, &in->y,
                         4 * f->n, &in->x));
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
  PetscCall(PetscFree(in->below));
  if (in->place) PetscCall(PetscFree2(in->place, in->work));
  if (in->b) PetscCall(PetscFree3(in->b, in->y, in->x));
  if (in->ghost) PetscCall(MatDestroySubMatrices(1, &in->ghost));
  PetscCall(ISDestroy(&in->rows));
  PetscCall(ISDestroy(&in->columns));
  if (in->nodes) PetscCallMPI(MPI_Type_free(&in->unit));
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
  for (int k = 0; k < NPARTS; k++) PetscCall(check_blocks(&part[k], bs));
  for (PetscInt i = 0; i < in->nowned; i++)
    while (in->below[i] < blocks_of(&part[OFF], bs, i) &&
           column_of(&part[OFF], bs, i, in->below[i]) < in->nbelow)
      in->below[i]++;
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
  if (in->id != id || in->state != state)
    PetscCall(prepare(in, A));
  else if (in->ghost)
    PetscCall(MatCreateSubMatrices(A, 1, &in->rows, &in->columns, MAT_REUSE_MATRIX, &in->ghost));
  PetscCall(parts_get(in, A, part));
  for (PetscInt i = 0; good && i < in->factors.n; i++) {
    CrFactorRow row = row_of(in, part, i);

    good = kernels()->eliminate(&in->factors, i, &row, in->place, in->work);
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
  const PetscReal *b;
  PetscReal       *x;
  PetscInt         bs;

  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &in));
  bs = in->factors.bs;
  PetscCall(VecGetArrayRead(from, &b));
  if (in->nodes) PetscCall(PetscSFBcastBegin(in->nodes, in->unit, b, in->b, MPI_REPLACE));
  PetscCall(PetscArraycpy(in->b + bs * in->nbelow, b, bs * in->nowned));
  if (in->nodes) PetscCall(PetscSFBcastEnd(in->nodes, in->unit, b, in->b, MPI_REPLACE));
  PetscCall(VecRestoreArrayRead(from, &b));
  kernels()->solve(&in->factors, in->b, in->y, in->x);
  PetscCall(VecGetArrayWrite(to, &x));
  for (PetscInt A = 0; A < in->nowned; A++)
    for (PetscInt k = 0; k < bs; k++) x[bs * A + k] = in->x[4 * (in->nbelow + A) + k];
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
