/* Internal variables of material laws at quadrature points (theory 5.8). Between steps `now` belongs to the
   displacements of the state. A step only reads it. When the step is accepted, one pass over the elements computes
   `next`, and the two arrays are exchanged. A failed step has changed nothing. Ghost cells have internal variables like
   owned cells: every rank computes the same bits from the same numbers. */
#include "model/internal.h"

/* ---- life --------------------------------------------------------------------------------- */

/* What a checkpoint must agree with, of each body: law, numbers per point, points per cell type. */
#define MARK_LAW   0
#define MARK_SIZE  1
#define MARK_TYPES 2
#define MARKS      (MARK_TYPES + CR_NCELLS)

/* A name as a positive number below 2^31 (FNV-1a). */
static PetscInt number_of(const char *name)
{
  uint32_t hash = 2166136261u;

  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
  return (PetscInt)(hash >> 1);
}

static PetscErrorCode fill_marks(const CrModel *model, CrPoints *points)
{
  PetscFunctionBeginUser;
  points->nmarks = MARKS * model->nbodies;
  points->marks_per_body = MARKS;
  PetscCall(PetscCalloc1(points->nmarks, &points->marks));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    const CrMaterial *material = model->bodies[b].material;

    if (!material->ops->state_size) continue;
    points->marks[MARKS * b + MARK_LAW] = number_of(material->elastic->name);
    points->marks[MARKS * b + MARK_SIZE] = CrMaterialStateSize(material, model->dim);
  }
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    if (b->state_size)
      points->marks[MARKS * b->body + MARK_TYPES + (PetscInt)b->element->type] = b->stress_rule.n;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, points->marks, (int)points->nmarks, MPIU_INT, MPI_MAX,
                             model->comm)); /* a rank may have no cell of a body */
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Every point of a block starts alike; so do the lanes left over, where laws compute too. */
static PetscErrorCode fill_start(const CrElementBlock *b, PetscInt dim, PetscReal *state)
{
  PetscInt   size = b->state_size, npoints = b->nbatches * b->stress_rule.n;
  PetscReal *start;

  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(size, &start));
  if (b->material->ops->state_init)
    b->material->ops->state_init(b->material, dim == 2 ? 4 : 6, start);
  for (PetscInt q = 0; q < npoints; q++)
    for (PetscInt c = 0; c < size; c++)
      for (PetscInt l = 0; l < CR_BATCH; l++) state[(q * size + c) * CR_BATCH + l] = start[c];
  PetscCall(PetscFree(start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointsCreate(const CrModel *model, CrPoints *points)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(points, sizeof *points));
  if (!model->remembers) PetscFunctionReturn(PETSC_SUCCESS);
  points->nblocks = model->nblocks;
  PetscCall(PetscCalloc3(model->nblocks, &points->width, model->nblocks, &points->now,
                         model->nblocks, &points->next));
  PetscCall(PetscCalloc1(model->nlocal * model->dim, &points->u0));
  PetscCall(PetscCalloc2(model->nbodies, &points->losses, model->nbodies, &points->taken));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];

    points->width[k] = b->stress_rule.n * b->state_size;
    if (!b->state_size) continue;
    PetscCall(PetscCalloc1(b->nbatches * points->width[k] * CR_BATCH, &points->now[k]));
    PetscCall(PetscCalloc1(b->nbatches * points->width[k] * CR_BATCH, &points->next[k]));
    PetscCall(fill_start(b, model->dim, points->now[k]));
  }
  PetscCall(fill_marks(model, points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointsDestroy(CrPoints *points)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < points->nblocks; k++) {
    PetscCall(PetscFree(points->now[k]));
    PetscCall(PetscFree(points->next[k]));
  }
  PetscCall(PetscFree3(points->width, points->now, points->next));
  PetscCall(PetscFree(points->u0));
  PetscCall(PetscFree2(points->losses, points->taken));
  PetscCall(PetscFree(points->marks));
  PetscCall(PetscMemzero(points, sizeof *points));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrPointsArchive(CrPoints *points, CrArchive *archive)
{
  PetscFunctionBeginUser;
  PetscCall(CrArchiveAddCells(archive, "state.points", points->width, points->now, points->nmarks,
                              points->marks));
  if (!points->nmarks) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrArchiveAddReals(archive, "state.loss", 1, &points->loss));
  PetscCall(CrArchiveAddReals(archive, "state.losses", points->nmarks / points->marks_per_body,
                              points->losses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a step ------------------------------------------------------------------------------- */

PetscErrorCode CrModelNodal(const CrModel *model, const CrState *state, PetscInt k,
                            const PetscReal *u0, const PetscReal *u1, CrNodal *nodal)
{
  PetscFunctionBeginUser;
  *nodal = (CrNodal){.X = model->X, .u0 = u0, .u1 = u1};
  if (!model->blocks[k].state_size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCheck(state, model->comm, PETSC_ERR_PLIB, "the law of body %s needs its state",
             model->bodies[model->blocks[k].body].name);
  nodal->state = state->points.now[k];
  nodal->h = state->points.h;
  nodal->lags = state->points.lags;
  if (!u0) nodal->u0 = nodal->h > 0 ? state->points.u0 : u1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStateBeginStep(const CrModel *model, CrState *state, PetscReal h)
{
  const PetscReal *u;

  PetscFunctionBeginUser;
  if (!model->remembers) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VecGetArrayRead(state->u, &u));
  PetscCall(PetscArraycpy(state->points.u0, u, model->nlocal * model->dim));
  PetscCall(VecRestoreArrayRead(state->u, &u));
  state->points.h = h;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* `next` of one block; the loss of the cells that this rank counts goes to its body. */
static PetscErrorCode commit_block(const CrModel *model, CrState *state, PetscInt k,
                                   const PetscReal *u1)
{
  const CrElementBlock *b = &model->blocks[k];
  PetscInt              batch_size = state->points.width[k] * CR_BATCH;
  PetscReal             loss[CR_BATCH];
  CrNodal               nodal;

  PetscFunctionBeginUser;
  if (!b->state_size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CrModelNodal(model, state, k, NULL, u1, &nodal));
  for (PetscInt batch = 0; batch < b->nbatches; batch++) {
    const CrKernelOut out = {.state = state->points.next[k] + batch * batch_size, .loss = loss};

    b->element->commit(b, batch, &nodal, CR_FORCE_POINT, &out);
    for (PetscInt l = 0; l < CR_BATCH && batch * CR_BATCH + l < b->nowned; l++)
      state->points.taken[b->body] += loss[l];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode commit(const CrModel *model, CrState *state)
{
  CrPoints        *points = &state->points;
  PetscReal      **swap = points->now;
  const PetscReal *u1;

  PetscFunctionBeginUser;
  PetscCall(PetscArrayzero(points->taken, model->nbodies));
  PetscCall(VecGetArrayRead(state->u, &u1));
  for (PetscInt k = 0; k < model->nblocks; k++) PetscCall(commit_block(model, state, k, u1));
  PetscCall(VecRestoreArrayRead(state->u, &u1));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, points->taken, (int)model->nbodies, MPIU_REAL, MPIU_SUM,
                             model->comm));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    points->losses[b] += points->taken[b];
    points->loss += points->taken[b];
  }
  points->now = points->next;
  points->next = swap;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrStateEndStep(const CrModel *model, CrState *state, PetscBool accepted)
{
  PetscFunctionBeginUser;
  if (!model->remembers) PetscFunctionReturn(PETSC_SUCCESS);
  if (accepted) PetscCall(commit(model, state));
  state->points.h = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
