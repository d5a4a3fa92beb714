/* Computes internal forces and tangents: calls the element kernels for batches of elements, and adds their results to
   nodes and matrix. */
#include "model/internal.h"
#include "model/forces.h"
#include "model/vicinity.h"

static PetscInt lanes_used(PetscInt batch, PetscInt n)
{
  return PetscMax(0, PetscMin(CR_BATCH, n - batch * CR_BATCH));
}

static void keep_least(PetscReal *least, PetscReal value)
{
  if (!(value >= *least)) *least = value; /* takes NaN too */
}

/* Adds the nodal forces of one batch to the owned nodes, with the dimension as a constant. */
static inline void scatter_force(const PetscInt DIM, const CrModel *model, const CrElementBlock *b,
                                 PetscInt batch, const PetscReal *force, PetscReal *f)
{
  PetscInt        nn = b->element->nnodes;
  const PetscInt *nodes = b->nodes + batch * nn * CR_BATCH;
  PetscInt        used = lanes_used(batch, b->n);

  for (PetscInt a = 0; a < nn; a++)
    for (PetscInt l = 0; l < used; l++) {
      PetscInt A = nodes[a * CR_BATCH + l];

      if (A >= model->nowned) continue;
      for (PetscInt i = 0; i < DIM; i++) f[DIM * A + i] += force[(a * DIM + i) * CR_BATCH + l];
    }
}

/* Does the same for cells that this rank counts, and for all their nodes. */
static inline void scatter_counted(const PetscInt DIM, const CrElementBlock *b, PetscInt batch,
                                   const PetscReal *force, PetscReal *f)
{
  const PetscInt  nn = b->element->nnodes, used = lanes_used(batch, b->nowned);
  const PetscInt *nodes = b->nodes + batch * nn * CR_BATCH;

  for (PetscInt a = 0; a < nn; a++)
    for (PetscInt l = 0; l < used; l++)
      for (PetscInt i = 0; i < DIM; i++)
        f[DIM * nodes[a * CR_BATCH + l] + i] += force[(a * DIM + i) * CR_BATCH + l];
}

void CrScatterForces(const CrModel *model, const CrElementBlock *b, PetscInt batch,
                     const PetscReal *force, PetscReal *f)
{
  if (model->dim == 2)
    scatter_force(2, model, b, batch, force, f);
  else
    scatter_force(3, model, b, batch, force, f);
}

PetscErrorCode CrModelForce(const CrModel *model, const CrState *state, CrForceKind kind,
                            const PetscReal *u0, const PetscReal *u1, PetscReal *f)
{
  CrNodal           nodal;
  PetscReal         force[CR_MAX_DOFS * CR_BATCH];
  const CrKernelOut out = {.force = force};
  const CrPart      part = CrWatchTurn(model->watch, CR_PART_ELEMENTS);

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(f, model->nowned * model->dim));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    PetscCall(CrModelNodal(model, state, k, u0, u1, &nodal));
    for (PetscInt batch = 0; batch < model->blocks[k].nbatches; batch++) {
      model->blocks[k].element->force(&model->blocks[k], batch, &nodal, kind, &out);
      CrScatterForces(model, &model->blocks[k], batch, force, f);
    }
  }
  (void)CrWatchTurn(model->watch, part);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sets owned nodes, and ghosts of the seam, to zero. */
static void clear_with_seam(const CrModel *model, PetscReal *f)
{
  const PetscInt *ghosts, n = CrVicinityNodes(model->seam, &ghosts);

  for (PetscInt k = 0; k < model->nowned * model->dim; k++) f[k] = 0;
  for (PetscInt k = 0; k < n * model->dim; k++)
    f[model->dim * ghosts[k / model->dim] + k % model->dim] = 0;
}

PetscErrorCode CrModelForceObserve(const CrModel *model, const CrState *state, const PetscReal *u1,
                                   PetscReal *f, PetscReal *energy, PetscReal *least_det)
{
  CrNodal           nodal;
  PetscReal         force[CR_MAX_DOFS * CR_BATCH], W[CR_BATCH], det[CR_BATCH];
  const CrKernelOut out = {.force = force, .energy = W, .det = det};
  const CrPart      part = CrWatchTurn(model->watch, CR_PART_ELEMENTS);

  PetscFunctionBeginUser;
  clear_with_seam(model, f);
  PetscCall(PetscArrayzero(energy, model->nbodies));
  *least_det = PETSC_MAX_REAL;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    PetscBool             large = !(b->material->ops->flags & CR_SMALL_STRAIN);

    PetscCall(CrModelNodal(model, state, k, NULL, u1, &nodal));
    for (PetscInt batch = 0; batch * CR_BATCH < b->nowned; batch++) {
      b->element->force(b, batch, &nodal, CR_FORCE_POINT, &out);
      if (model->dim == 2)
        scatter_counted(2, b, batch, force, f);
      else
        scatter_counted(3, b, batch, force, f);
      for (PetscInt l = lanes_used(batch, b->nowned); l-- > 0;) {
        energy[b->body] += W[l];
        if (large) keep_least(least_det, det[l]);
      }
    }
  }
  PetscCall(CrVicinityAdd(model->seam, model->dim, 0, f));
  (void)CrWatchTurn(model->watch, part);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The rows of one node in the values: where they begin and how long they are, in the two parts. */
typedef struct {
  PetscReal *begin[2];
  PetscInt   n[2];
} Rows;

static inline Rows rows_of(const PetscInt DIM, const CrGraph *g, PetscInt A, CrMatrixValues *values)
{
  Rows rows;

  for (int p = 0; p < 2; p++) {
    rows.n[p] = g->start[p][A + 1] - g->start[p][A];
    rows.begin[p] = rows.n[p] ? values->value[p] + DIM * DIM * g->start[p][A] : NULL;
  }
  return rows;
}

/* Adds the element matrices of a batch to the values, with the dimension as a constant. Lanes
   innermost: K is read once, in the order in which it lies in memory. */
static inline void scatter(const PetscInt DIM, const CrModel *model, PetscInt block, PetscInt batch,
                           PetscReal scale, const PetscReal *K, CrMatrixValues *values)
{
  const CrElementBlock *b = &model->blocks[block];
  PetscInt              nn = b->element->nnodes, nd = nn * DIM;
  PetscInt              used = lanes_used(batch, b->n);
  const PetscInt       *nodes = b->nodes + batch * nn * CR_BATCH;
  const PetscInt       *slots = model->graph->slots[block] + batch * CR_BATCH * nn * nn;
  Rows                  rows[CR_BATCH];

  for (PetscInt a = 0; a < nn; a++) {
    for (PetscInt l = 0; l < used; l++)
      if (nodes[a * CR_BATCH + l] < model->nowned)
        rows[l] = rows_of(DIM, model->graph, nodes[a * CR_BATCH + l], values);
    for (PetscInt c = 0; c < nn; c++)
      for (PetscInt l = 0; l < used; l++) {
        const PetscReal *from = K + (a * DIM * nd + c * DIM) * CR_BATCH + l;
        PetscInt         slot = slots[(l * nn + a) * nn + c], n = rows[l].n[0];
        PetscReal       *to;

        if (slot < 0) continue; /* the row of a ghost */
        if (slot < n)
          to = rows[l].begin[0] + DIM * slot;
        else {
          to = rows[l].begin[1] + DIM * (slot - n);
          n = rows[l].n[1];
        }
        for (PetscInt i = 0; i < DIM; i++)
          for (PetscInt j = 0; j < DIM; j++)
            to[i * DIM * n + j] += scale * from[(i * nd + j) * CR_BATCH];
      }
  }
}

static void scatter_tangent(const CrModel *model, PetscInt block, PetscInt batch, PetscReal scale,
                            const PetscReal *K, CrMatrixValues *values)
{
  if (model->dim == 2)
    scatter(2, model, block, batch, scale, K, values);
  else
    scatter(3, model, block, batch, scale, K, values);
}

/* The rows of one node as they begin: mass * M, the same number on the dim diagonal places of each
   node pair. */
static void begin_row(const CrModel *model, PetscReal mass, PetscInt A, CrMatrixValues *values)
{
  const CrGraph *g = model->graph;
  PetscInt       dim = model->dim;

  if (model->all_lumped) {
    for (PetscInt i = 0; i < dim; i++)
      *CrMatrixEntry(g, values, A, i, A, i) = mass * model->row_mass[A];
    return;
  }
  for (int p = 0; p < 2; p++) {
    Rows             rows = rows_of(dim, g, A, values);
    const PetscReal *m = model->mass + (p ? g->start[0][g->nowned] : 0) + g->start[p][A];

    for (PetscInt k = 0; k < rows.n[p]; k++)
      for (PetscInt i = 0; i < dim; i++) rows.begin[p][(i * rows.n[p] + k) * dim + i] = mass * m[k];
  }
}

/* The rows from *begun to `end` are set to mass * M just before elements add to them, while they
   are on their way into the cache anyway: no pass over the whole matrix before or after. */
static PetscErrorCode begin_rows(const CrModel *model, PetscReal mass, PetscInt end,
                                 PetscInt *begun, CrMatrixValues *values)
{
  const CrGraph *g = model->graph;
  PetscInt       d = model->dim * model->dim;

  PetscFunctionBeginUser;
  if (end <= *begun) PetscFunctionReturn(PETSC_SUCCESS);
  for (int p = 0; p < 2; p++)
    if (values->value[p])
      PetscCall(PetscArrayzero(values->value[p] + d * g->start[p][*begun],
                               d * (g->start[p][end] - g->start[p][*begun])));
  for (PetscInt A = *begun; mass != 0 && A < end; A++) begin_row(model, mass, A, values);
  *begun = end;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One behind the last owned node of a batch. */
static PetscInt end_of_batch(const CrModel *model, const CrElementBlock *b, PetscInt batch)
{
  PetscInt        n = b->element->nnodes * CR_BATCH, end = 0;
  const PetscInt *nodes = b->nodes + batch * n;

  for (PetscInt k = 0; k < n; k++)
    if (nodes[k] < model->nowned) end = PetscMax(end, nodes[k] + 1);
  return end;
}

PetscErrorCode CrModelTangentAt(const CrModel *model, const CrState *state, const CrTangentAt *at,
                                PetscReal scale, PetscReal mass, Mat A)
{
  CrNodal                nodal;
  _Alignas(64) PetscReal K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH]; /* lines of the cache: lanes */
  const CrKernelOut      out = {.tangent = K};
  PetscInt               begun = 0;
  CrMatrixValues         values;
  const CrPart           part = CrWatchTurn(model->watch, CR_PART_ELEMENTS);

  PetscFunctionBeginUser;
  PetscCall(CrMatrixGetValues(A, &values));
  for (PetscInt k = 0; scale != 0 && k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    PetscCall(CrModelNodal(model, state, k, at->u0, at->u1, &nodal));
    nodal.before = at->before;
    nodal.reached = at->reached;
    for (PetscInt batch = 0; batch < b->nbatches; batch++) {
      b->element->tangent(b, batch, &nodal, at->kind, &out);
      PetscCall(begin_rows(model, mass, end_of_batch(model, b, batch), &begun, &values));
      scatter_tangent(model, k, batch, scale, K, &values);
    }
  }
  PetscCall(begin_rows(model, mass, model->nowned, &begun, &values));
  PetscCall(CrMatrixRestoreValues(&values));
  (void)CrWatchTurn(model->watch, part);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelTangent(const CrModel *model, const CrState *state, CrForceKind kind,
                              const PetscReal *u0, const PetscReal *u1, PetscReal scale,
                              PetscReal mass, Mat A)
{
  const CrTangentAt at = {.kind = kind, .u0 = u0, .u1 = u1};

  PetscFunctionBeginUser;
  PetscCall(CrModelTangentAt(model, state, &at, scale, mass, A));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelObserve(const CrModel *model, const CrState *state, const PetscReal *u,
                              PetscReal *energy, PetscReal *least_det, PetscReal *least_stretch)
{
  CrNodal      nodal;
  PetscReal    W[CR_BATCH], det[CR_BATCH], stretch[CR_BATCH];
  const CrPart part = CrWatchTurn(model->watch, CR_PART_ELEMENTS);

  PetscFunctionBeginUser;
  if (energy) PetscCall(PetscArrayzero(energy, model->nbodies));
  if (least_det) *least_det = PETSC_MAX_REAL;
  if (least_stretch) *least_stretch = PETSC_MAX_REAL;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    unsigned              flags = b->material->ops->flags;
    PetscBool             large = !(flags & CR_SMALL_STRAIN);
    PetscBool             soft = least_stretch && large && (flags & CR_QUADRATIC);
    CrKernelOut           out = {.energy = W, .det = det, .stretch = soft ? stretch : NULL};

    PetscCall(CrModelNodal(model, state, k, NULL, u, &nodal));
    for (PetscInt batch = 0; batch * CR_BATCH < b->nowned; batch++) {
      b->element->observe(b, batch, &nodal, CR_FORCE_POINT, &out);
      for (PetscInt l = lanes_used(batch, b->nowned); l-- > 0;) {
        if (energy) energy[b->body] += W[l];
        if (least_det && large) keep_least(least_det, det[l]);
        if (soft) keep_least(least_stretch, stretch[l]);
      }
    }
  }
  (void)CrWatchTurn(model->watch, part);
  PetscFunctionReturn(PETSC_SUCCESS);
}
