/* Internal forces and tangents: kernels over batches, results scattered to nodes and matrix values. */
#include "model/internal.h"

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
  PetscInt        nn    = b->element->nnodes;
  const PetscInt *nodes = b->nodes + batch * nn * CR_BATCH;
  PetscInt        used  = lanes_used(batch, b->n);

  for (PetscInt a = 0; a < nn; a++)
    for (PetscInt l = 0; l < used; l++) {
      PetscInt A = nodes[a * CR_BATCH + l];

      if (A >= model->nowned) continue;
      for (PetscInt i = 0; i < DIM; i++) f[DIM * A + i] += force[(a * DIM + i) * CR_BATCH + l];
    }
}

static void scatter_forces(const CrModel *model, const CrElementBlock *b, PetscInt batch,
                           const PetscReal *force, PetscReal *f)
{
  if (model->dim == 2)
    scatter_force(2, model, b, batch, force, f);
  else
    scatter_force(3, model, b, batch, force, f);
}

PetscErrorCode CrModelForce(const CrModel *model, CrForceKind kind, const PetscReal *u0,
                            const PetscReal *u1, PetscReal *f)
{
  const CrNodal     nodal = {model->X, u0, u1};
  PetscReal         force[CR_MAX_DOFS * CR_BATCH];
  const CrKernelOut out = {.force = force};

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(f, model->nowned * model->dim));
  for (PetscInt k = 0; k < model->nblocks; k++)
    for (PetscInt batch = 0; batch < model->blocks[k].nbatches; batch++) {
      model->blocks[k].element->force(&model->blocks[k], batch, &nodal, kind, &out);
      scatter_forces(model, &model->blocks[k], batch, force, f);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelForceObserve(const CrModel *model, const PetscReal *u1, PetscReal *f,
                                   PetscReal *energy, PetscReal *least_det)
{
  const CrNodal     nodal = {model->X, NULL, u1};
  PetscReal         force[CR_MAX_DOFS * CR_BATCH], W[CR_BATCH], det[CR_BATCH];
  const CrKernelOut out = {.force = force, .energy = W, .det = det};

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(f, model->nowned * model->dim));
  PetscCall(PetscArrayzero(energy, model->nbodies));
  *least_det = PETSC_MAX_REAL;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    PetscBool large         = b->material->ops->flags & CR_SMALL_STRAIN ? PETSC_FALSE : PETSC_TRUE;

    for (PetscInt batch = 0; batch < b->nbatches; batch++) {
      b->element->force(b, batch, &nodal, CR_FORCE_POINT, &out);
      scatter_forces(model, b, batch, force, f);
      for (PetscInt l = lanes_used(batch, b->nowned); l-- > 0;) {
        energy[b->body] += W[l];
        if (large) keep_least(least_det, det[l]);
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Adds the element matrices of a batch to the values, with the dimension as a constant. Where the
   block (A, B) begins, and how long its row is, follows from the graph (graph.h). */
static inline void scatter(const PetscInt DIM, const CrModel *model, PetscInt block, PetscInt batch,
                           PetscReal scale, const PetscReal *K, CrMatrixValues *values)
{
  const CrGraph        *g  = model->graph;
  const CrElementBlock *b  = &model->blocks[block];
  PetscInt              nn = b->element->nnodes, nd = nn * DIM;
  PetscInt              used  = lanes_used(batch, b->n);
  const PetscInt       *nodes = b->nodes + batch * nn * CR_BATCH;
  const PetscInt       *slots = g->slots[block] + batch * CR_BATCH * nn * nn;

  for (PetscInt l = 0; l < used; l++)
    for (PetscInt a = 0; a < nn; a++) {
      PetscInt A = nodes[a * CR_BATCH + l], n[2];

      if (A >= model->nowned) continue;
      for (int p = 0; p < 2; p++) n[p] = g->start[p][A + 1] - g->start[p][A];
      for (PetscInt c = 0; c < nn; c++) {
        PetscInt   slot = slots[(l * nn + a) * nn + c], part = slot >= n[0];
        PetscReal *to =
            values->value[part] + DIM * (DIM * g->start[part][A] + slot - (part ? n[0] : 0));
        const PetscReal *from = K + (a * DIM * nd + c * DIM) * CR_BATCH + l;

        for (PetscInt i = 0; i < DIM; i++)
          for (PetscInt j = 0; j < DIM; j++)
            to[i * DIM * n[part] + j] += scale * from[(i * nd + j) * CR_BATCH];
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

/* Adds mass * M of one part: the same number on the dim diagonal places of each node pair. */
static const PetscReal *add_mass(const CrModel *model, PetscReal mass, int p, const PetscReal *m,
                                 CrMatrixValues *values)
{
  const CrGraph *g   = model->graph;
  PetscInt       dim = model->dim;

  for (PetscInt A = 0; A < g->nowned; A++) {
    PetscInt n = g->start[p][A + 1] - g->start[p][A];

    for (PetscInt k = 0; k < n; k++, m++)
      for (PetscInt i = 0; i < dim; i++)
        values->value[p][dim * (dim * g->start[p][A] + k) + i * dim * n + i] += mass * *m;
  }
  return m;
}

/* The same when all bodies are lumped: only the node with itself. */
static void add_lumped_mass(const CrModel *model, PetscReal mass, CrMatrixValues *values)
{
  for (PetscInt A = 0; A < model->nowned; A++)
    for (PetscInt i = 0; i < model->dim; i++)
      *CrMatrixEntry(model->graph, values, A, i, A, i) += mass * model->row_mass[A];
}

PetscErrorCode CrModelTangent(const CrModel *model, CrForceKind kind, const PetscReal *u0,
                              const PetscReal *u1, PetscReal scale, PetscReal mass, Mat A)
{
  const CrNodal     nodal = {model->X, u0, u1};
  PetscReal         K[CR_MAX_DOFS * CR_MAX_DOFS * CR_BATCH];
  const CrKernelOut out = {.tangent = K};
  CrMatrixValues    values;

  PetscFunctionBeginUser;
  PetscCall(MatZeroEntries(A));
  PetscCall(CrMatrixGetValues(A, &values));
  for (PetscInt k = 0; scale != 0 && k < model->nblocks; k++)
    for (PetscInt batch = 0; batch < model->blocks[k].nbatches; batch++) {
      model->blocks[k].element->tangent(&model->blocks[k], batch, &nodal, kind, &out);
      scatter_tangent(model, k, batch, scale, K, &values);
    }
  if (mass != 0 && model->all_lumped)
    add_lumped_mass(model, mass, &values);
  else if (mass != 0)
    add_mass(model, mass, 1, add_mass(model, mass, 0, model->mass, &values), &values);
  PetscCall(CrMatrixRestoreValues(&values));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrModelObserve(const CrModel *model, const PetscReal *u, PetscReal *energy,
                              PetscReal *least_det, PetscReal *least_stretch)
{
  const CrNodal nodal = {model->X, NULL, u};
  PetscReal     W[CR_BATCH], det[CR_BATCH], stretch[CR_BATCH];

  PetscFunctionBeginUser;
  if (energy) PetscCall(PetscArrayzero(energy, model->nbodies));
  if (least_det) *least_det = PETSC_MAX_REAL;
  if (least_stretch) *least_stretch = PETSC_MAX_REAL;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b     = &model->blocks[k];
    unsigned              flags = b->material->ops->flags;
    PetscBool             large = flags & CR_SMALL_STRAIN ? PETSC_FALSE : PETSC_TRUE;
    PetscBool   soft = least_stretch && large && (flags & CR_QUADRATIC) ? PETSC_TRUE : PETSC_FALSE;
    CrKernelOut out  = {.energy = W, .det = det, .stretch = soft ? stretch : NULL};

    for (PetscInt batch = 0; batch * CR_BATCH < b->nowned; batch++) {
      b->element->observe(b, batch, &nodal, CR_FORCE_POINT, &out);
      for (PetscInt l = lanes_used(batch, b->nowned); l-- > 0;) {
        if (energy) energy[b->body] += W[l];
        if (least_det && large) keep_least(least_det, det[l]);
        if (soft) keep_least(least_stretch, stretch[l]);
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
