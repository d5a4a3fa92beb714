#include <petsc/private/petscimpl.h> /* PetscObjectStateIncrease */
#include "base/grow.h"
#include "model/graph.h"
#include "model/forces.h"

/* ---- rows --------------------------------------------------------------------------------- */

static PetscInt node_of(const CrElementBlock *b, PetscInt e, PetscInt a)
{
  return b->nodes[(e / CR_BATCH * b->element->nnodes + a) * CR_BATCH + e % CR_BATCH];
}

/* Elements around each owned node, as (block, element) pairs, compressed. */
static PetscErrorCode elements_of_nodes(const CrModel *model, PetscInt **start, PetscInt **list)
{
  PetscInt *s, *l;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(model->nowned + 2, &s));
  for (int pass = 0; pass < 2; pass++) {
    for (PetscInt b = 0; b < model->nblocks; b++)
      for (PetscInt e = 0; e < model->blocks[b].n; e++)
        for (PetscInt a = 0; a < model->blocks[b].element->nnodes; a++) {
          PetscInt A = node_of(&model->blocks[b], e, a);

          if (A >= model->nowned) continue;
          if (pass == 0)
            s[A + 2]++;
          else {
            l[2 * s[A + 1]] = b;
            l[2 * s[A + 1]++ + 1] = e;
          }
        }
    if (pass) break;
    for (PetscInt A = 0; A <= model->nowned; A++) s[A + 1] += s[A];
    PetscCall(PetscMalloc1(2 * s[model->nowned + 1], &l));
  }
  *start = s;
  *list = l;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Further pairs by row, both directions. */
static PetscErrorCode pairs_of_nodes(const CrModel *model, PetscInt npairs, const PetscInt *pairs,
                                     PetscInt **start, PetscInt **list)
{
  PetscInt *s, *l;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(model->nowned + 2, &s));
  for (PetscInt k = 0; k < 2 * npairs; k++)
    if (pairs[k] < model->nowned) s[pairs[k] + 2]++;
  for (PetscInt A = 0; A <= model->nowned; A++) s[A + 1] += s[A];
  PetscCall(PetscMalloc1(s[model->nowned + 1], &l));
  for (PetscInt k = 0; k < 2 * npairs; k++)
    if (pairs[k] < model->nowned) l[s[pairs[k] + 1]++] = pairs[k ^ 1];
  *start = s;
  *list = l;
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  PetscInt n, room, *data; /* owned */
} List;

static PetscErrorCode append(List *list, PetscInt value)
{
  PetscFunctionBeginUser;
  PetscCall(CrGrow(list->n + 1, &list->room, &list->data));
  list->data[list->n++] = value;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode build_rows(const CrModel *model, PetscInt npairs, const PetscInt *pairs,
                                 CrGraph *g)
{
  PetscInt *start, *list, *extra_start, *extra, *seen;
  List      columns[2] = {{0, 0, NULL}, {0, 0, NULL}};

  PetscFunctionBeginUser;
  PetscCall(elements_of_nodes(model, &start, &list));
  PetscCall(pairs_of_nodes(model, npairs, pairs, &extra_start, &extra));
  PetscCall(PetscMalloc1(model->nlocal, &seen));
  for (PetscInt B = 0; B < model->nlocal; B++) seen[B] = -1;
  for (int p = 0; p < 2; p++) PetscCall(PetscMalloc1(model->nowned + 1, &g->start[p]));
  g->start[0][0] = g->start[1][0] = 0;
  for (PetscInt A = 0; A < model->nowned; A++) {
    for (PetscInt k = start[A]; k < start[A + 1]; k++) {
      const CrElementBlock *b = &model->blocks[list[2 * k]];

      for (PetscInt a = 0; a < b->element->nnodes; a++) {
        PetscInt B = node_of(b, list[2 * k + 1], a);

        if (seen[B] == A) continue;
        seen[B] = A;
        PetscCall(append(&columns[B >= model->nowned], B));
      }
    }
    for (PetscInt k = extra_start[A]; k < extra_start[A + 1]; k++) {
      if (seen[extra[k]] == A) continue;
      seen[extra[k]] = A;
      PetscCall(append(&columns[extra[k] >= model->nowned], extra[k]));
    }
    for (int p = 0; p < 2; p++) {
      g->start[p][A + 1] = columns[p].n;
      if (columns[p].n > g->start[p][A])
        PetscCall(PetscSortInt(columns[p].n - g->start[p][A], columns[p].data + g->start[p][A]));
    }
  }
  g->column[0] = columns[0].data;
  g->column[1] = columns[1].data;
  PetscCall(PetscFree(seen));
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(list));
  PetscCall(PetscFree(extra_start));
  PetscCall(PetscFree(extra));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- slots -------------------------------------------------------------------------------- */

static PetscInt find(const PetscInt *sorted, PetscInt n, PetscInt value)
{
  PetscInt low = 0, high = n;

  while (low < high) {
    PetscInt middle = (low + high) / 2;

    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static PetscInt slot_of(const CrGraph *g, PetscInt A, PetscInt B)
{
  PetscInt n0 = g->start[0][A + 1] - g->start[0][A], n1 = g->start[1][A + 1] - g->start[1][A];

  if (B < g->nowned) return find(g->column[0] + g->start[0][A], n0, B);
  return n0 + find(g->column[1] + g->start[1][A], n1, B);
}

static PetscErrorCode build_slots(const CrModel *model, CrGraph *g)
{
  PetscFunctionBeginUser;
  g->nblocks = model->nblocks;
  PetscCall(PetscCalloc1(g->nblocks, &g->slots));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    PetscInt              nn = b->element->nnodes;

    PetscCall(PetscMalloc1(b->n * nn * nn, &g->slots[k]));
    for (PetscInt e = 0; e < b->n; e++)
      for (PetscInt a = 0; a < nn; a++)
        for (PetscInt c = 0; c < nn; c++) {
          PetscInt A = node_of(b, e, a);

          g->slots[k][(e * nn + a) * nn + c] = A < g->nowned ? slot_of(g, A, node_of(b, e, c)) : -1;
        }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGraphCreate(const CrModel *model, PetscInt npairs, const PetscInt *pairs,
                             CrGraph **graph)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(graph));
  (*graph)->dim = model->dim;
  (*graph)->nowned = model->nowned;
  (*graph)->nghosts = model->nlocal - model->nowned;
  PetscCall(build_rows(model, npairs, pairs, *graph));
  PetscCall(build_slots(model, *graph));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrGraphDestroy(CrGraph **graph)
{
  PetscFunctionBeginUser;
  if (!*graph) PetscFunctionReturn(PETSC_SUCCESS);
  for (int p = 0; p < 2; p++) {
    PetscCall(PetscFree((*graph)->start[p]));
    PetscCall(PetscFree((*graph)->column[p]));
  }
  for (PetscInt b = 0; b < (*graph)->nblocks; b++) PetscCall(PetscFree((*graph)->slots[b]));
  PetscCall(PetscFree((*graph)->slots));
  PetscCall(PetscFree(*graph));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscInt CrGraphSize(const CrGraph *g)
{
  return g->start[0][g->nowned] + g->start[1][g->nowned];
}

PetscInt CrGraphPosition(const CrGraph *g, PetscInt row, PetscInt slot)
{
  PetscInt n0 = g->start[0][row + 1] - g->start[0][row];

  return slot < n0 ? g->start[0][row] + slot
                   : g->start[0][g->nowned] + g->start[1][row] + (slot - n0);
}

/* ---- matrices ----------------------------------------------------------------------------- */

/* One part of a matrix gets its pattern: entries per scalar row, then their columns, global ones in the part
   of the ghosts (PETSc renumbers them when it assembles). Entry by entry, as the interface for rows with
   global columns has it, PETSc would take several times as long as the rest of the set-up. */
static PetscErrorCode count_entries(const CrGraph *g, int part, PetscInt *count)
{
  PetscFunctionBeginUser;
  for (PetscInt r = 0; r < g->dim * g->nowned; r++)
    count[r] = g->dim * (g->start[part][r / g->dim + 1] - g->start[part][r / g->dim]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode set_columns(const CrModel *model, const CrGraph *g, int part, Mat A)
{
  PetscInt   dim = g->dim, size = dim * dim * g->start[part][g->nowned], *columns, n = 0;
  PetscReal *value;

  PetscFunctionBeginUser;
  PetscCall(PetscMalloc1(size, &columns));
  for (PetscInt r = 0; r < dim * g->nowned; r++)
    for (PetscInt k = g->start[part][r / dim]; k < g->start[part][r / dim + 1]; k++) {
      PetscInt B = g->column[part][k];

      for (PetscInt j = 0; j < dim; j++)
        columns[n++] = dim * (part == 0 ? B : model->ghosts[B - g->nowned]) + j;
    }
  PetscCall(MatSeqAIJSetColumnIndices(A, columns));
  PetscCall(PetscFree(columns));
  PetscCall(MatSeqAIJGetArray(A, &value));
  PetscCall(PetscArrayzero(value, size));
  PetscCall(MatSeqAIJRestoreArray(A, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* PETSc numbers the ghost columns it sees, ascending; ours must come in the same order, or addresses
   would be wrong. Ghosts that couple with nothing (contact's) are not among them. */
static PetscErrorCode check_ghost_columns(const CrModel *model, const CrGraph *g, Mat A)
{
  const PetscInt *seen;
  Mat             diagonal, off;
  PetscInt        n, unused, used = 0;
  PetscBool      *couples;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(g->nghosts, &couples));
  for (PetscInt k = 0; k < g->start[1][g->nowned]; k++)
    couples[g->column[1][k] - g->nowned] = PETSC_TRUE;
  PetscCall(MatMPIAIJGetSeqAIJ(A, &diagonal, &off, &seen));
  PetscCall(MatGetSize(off, &unused, &n));
  for (PetscInt k = 0; k < g->nghosts; k++) {
    if (!couples[k]) continue;
    for (PetscInt i = 0; i < g->dim; i++, used++)
      PetscCheck(used < n && seen[used] == g->dim * model->ghosts[k] + i, PETSC_COMM_SELF,
                 PETSC_ERR_PLIB, "ghost column %" PetscInt_FMT " is another", used);
  }
  PetscCheck(n == used, PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "%" PetscInt_FMT " ghost columns, expected %" PetscInt_FMT, n, used);
  PetscCall(PetscFree(couples));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rigid-body modes, for multigrid. */
static PetscErrorCode attach_rigid_modes(const CrModel *model, Mat A)
{
  MatNullSpace modes;
  Vec          X;
  PetscReal   *x;

  PetscFunctionBeginUser;
  PetscCall(MatCreateVecs(A, &X, NULL));
  PetscCall(VecSetBlockSize(X, model->dim));
  PetscCall(VecGetArray(X, &x));
  PetscCall(PetscArraycpy(x, model->X, model->nowned * model->dim));
  PetscCall(VecRestoreArray(X, &x));
  PetscCall(MatNullSpaceCreateRigidBody(X, &modes));
  PetscCall(MatSetNearNullSpace(A, modes));
  PetscCall(MatNullSpaceDestroy(&modes));
  PetscCall(VecDestroy(&X));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A matrix of this pattern (AIJ), zero. Collective. */
static PetscErrorCode create_matrix(const CrModel *model, const CrGraph *graph, Mat *A)
{
  PetscMPIInt size;
  PetscInt   *count[2], n = graph->dim * graph->nowned;
  Mat         part[2];

  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(model->comm, &size));
  PetscCall(MatCreate(model->comm, A));
  PetscCall(MatSetSizes(*A, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
  PetscCall(MatSetBlockSize(*A, graph->dim));
  PetscCall(MatSetType(*A, size == 1 ? MATSEQAIJ : MATMPIAIJ));
  PetscCall(PetscMalloc2(n, &count[0], n, &count[1]));
  for (int p = 0; p < 2; p++) PetscCall(count_entries(graph, p, count[p]));
  part[0] = *A;
  if (size == 1)
    PetscCall(MatSeqAIJSetPreallocation(*A, 0, count[0]));
  else {
    PetscCall(MatMPIAIJSetPreallocation(*A, 0, count[0], 0, count[1]));
    PetscCall(MatMPIAIJGetSeqAIJ(*A, &part[0], &part[1], NULL));
  }
  for (int p = 0; p < PetscMin(size, 2); p++) PetscCall(set_columns(model, graph, p, part[p]));
  PetscCall(PetscFree2(count[0], count[1]));
  PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  if (size > 1) PetscCall(check_ghost_columns(model, graph, *A));
  PetscCall(attach_rigid_modes(model, *A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The graph is a cache: explicit runs with lumped mass never need it. */
PetscErrorCode CrModelCreateMatrix(const CrModel *model, Mat *A)
{
  PetscFunctionBeginUser;
  if (!model->graph) PetscCall(CrGraphCreate(model, 0, NULL, &((CrModel *)model)->graph));
  PetscCall(create_matrix(model, model->graph, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Entries of the mass matrix at the places of another graph. */
static PetscErrorCode move_mass(CrModel *model, const CrGraph *to)
{
  const CrGraph   *from = model->graph;
  const PetscReal *m = model->mass;
  PetscReal       *moved;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(CrGraphSize(to), &moved));
  for (int p = 0; p < 2; p++)
    for (PetscInt A = 0; A < from->nowned; A++)
      for (PetscInt k = from->start[p][A]; k < from->start[p][A + 1]; k++, m++)
        if (*m != 0) moved[CrGraphPosition(to, A, slot_of(to, A, from->column[p][k]))] = *m;
  PetscCall(PetscFree(model->mass));
  model->mass = moved;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelCouple(const CrModel *constant, PetscInt npairs, const PetscInt *pairs)
{
  CrModel *model = (CrModel *)constant; /* the graph is a cache */
  CrGraph *graph;

  PetscFunctionBeginUser;
  PetscCall(CrGraphCreate(model, npairs, pairs, &graph));
  if (model->mass) PetscCall(move_mass(model, graph));
  PetscCall(CrGraphDestroy(&model->graph));
  model->graph = graph;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscBool CrGraphHas(const CrGraph *g, PetscInt A, PetscInt B)
{
  PetscInt part = B >= g->nowned, n = g->start[part][A + 1] - g->start[part][A];
  PetscInt k = find(g->column[part] + g->start[part][A], n, B);

  return k < n && g->column[part][g->start[part][A] + k] == B;
}

PetscReal *CrMatrixEntry(const CrGraph *g, CrMatrixValues *values, PetscInt A, PetscInt i,
                         PetscInt B, PetscInt j)
{
  PetscInt dim = g->dim, part = B >= g->nowned, n = g->start[part][A + 1] - g->start[part][A];
  PetscInt k = find(g->column[part] + g->start[part][A], n, B);

  return values->value[part] + dim * (dim * g->start[part][A] + i * n + k) + j;
}

PetscErrorCode CrMatrixGetValues(Mat A, CrMatrixValues *values)
{
  PetscBool distributed;

  PetscFunctionBeginUser;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  values->A = A;
  values->part[0] = A;
  values->part[1] = NULL;
  values->value[1] = NULL;
  if (distributed) PetscCall(MatMPIAIJGetSeqAIJ(A, &values->part[0], &values->part[1], NULL));
  for (int p = 0; p < 2; p++)
    if (values->part[p]) PetscCall(MatSeqAIJGetArray(values->part[p], &values->value[p]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrMatrixRestoreValues(CrMatrixValues *values)
{
  PetscFunctionBeginUser;
  for (int p = 0; p < 2; p++)
    if (values->part[p]) PetscCall(MatSeqAIJRestoreArray(values->part[p], &values->value[p]));
  /* the values are complete on every rank; tell the matrix that they changed */
  PetscCall(PetscObjectStateIncrease((PetscObject)values->A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is a dof of a node marked? */
static PetscBool is_fixed(PetscInt dim, const char *fixed, PetscInt node)
{
  for (PetscInt i = 0; i < dim; i++)
    if (fixed[dim * node + i]) return PETSC_TRUE;
  return PETSC_FALSE;
}

PetscErrorCode CrMatrixConstrain(const CrModel *model, const char *fixed, Mat A)
{
  const CrGraph *g = model->graph;
  PetscInt       dim = g->dim;
  CrMatrixValues values;

  PetscFunctionBeginUser;
  PetscCall(CrMatrixGetValues(A, &values));
  for (PetscInt node = 0; node < g->nowned; node++) {
    PetscBool touched = is_fixed(dim, fixed, node);

    for (int p = 0; p < 2; p++) {
      PetscInt   n = g->start[p][node + 1] - g->start[p][node];
      PetscReal *row = values.value[p] + dim * dim * g->start[p][node];

      for (PetscInt k = 0; k < n; k++) {
        PetscInt B = g->column[p][g->start[p][node] + k];

        if (!touched && !is_fixed(dim, fixed, B)) continue;
        for (PetscInt i = 0; i < dim; i++)
          for (PetscInt j = 0; j < dim; j++)
            if ((fixed[dim * node + i] || fixed[dim * B + j]) && !(B == node && i == j))
              row[i * dim * n + dim * k + j] = 0;
      }
    }
  }
  PetscCall(CrMatrixRestoreValues(&values));
  PetscFunctionReturn(PETSC_SUCCESS);
}
