/* Bulk viscosity of central differences (theory 12.3): its forces, and the energy that it dissipates. The force at t_n
   acts for half a step before and after t_n, as all internal forces do. So the loss of each cell is (p0 + p1)/2 (V1 -
   V0). */
#include "model/forces.h"
#include "model/internal.h"

PetscErrorCode CrBulkRead(CrModel *model, const CrDeckNode *root)
{
  static const char *const keys[] = {"bulk_linear", "bulk_quadratic"};
  const CrDeckNode        *time = CrDeckFind(root, "time");

  PetscFunctionBeginUser;
  if (!CrDeckIsWord(CrDeckFind(time, "method"), "explicit")) PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < 2; k++) {
    const CrDeckNode *key = CrDeckFind(time, keys[k]);

    if (key) model->bulk[k] = CrDeckReal(key);
    if (!(model->bulk[k] > 0)) continue;
    model->thickens = PETSC_TRUE;
    if (CrDeckIsWord(CrDeckFind(root, "plane"), "stress"))
      CrDeckFail(
          key,
          "bulk viscosity is for plane strain and 3D, because in plane stress the thickness changes freely");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void CrBulkSetUp(const CrModel *model, CrElementBlock *block)
{
  block->bulk_linear = model->bulk[0] * CrMaterialWaveSpeed(block->material);
  block->bulk_quadratic = model->bulk[1];
}

PetscBool CrModelLoses(const CrModel *model)
{
  return model->remembers || model->thickens;
}

/* ---- life --------------------------------------------------------------------------------- */

PetscErrorCode CrBulkCreate(const CrModel *model, CrBulk *bulk)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMemzero(bulk, sizeof *bulk));
  if (!model->thickens) PetscFunctionReturn(PETSC_SUCCESS);
  bulk->nblocks = model->nblocks;
  bulk->nbodies = model->nbodies;
  PetscCall(PetscCalloc3(model->nblocks, &bulk->width, model->nblocks, &bulk->now, model->nblocks,
                         &bulk->next));
  PetscCall(PetscCalloc3(model->nbodies, &bulk->losses, model->nbodies, &bulk->taken,
                         model->nbodies, &bulk->marks));
  for (PetscInt b = 0; b < model->nbodies; b++) bulk->marks[b] = CR_BULK;
  for (PetscInt k = 0; k < model->nblocks; k++) {
    bulk->width[k] = CR_BULK;
    PetscCall(PetscCalloc1(model->blocks[k].nbatches * CR_BULK * CR_BATCH, &bulk->now[k]));
    PetscCall(PetscCalloc1(model->blocks[k].nbatches * CR_BULK * CR_BATCH, &bulk->next[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBulkDestroy(CrBulk *bulk)
{
  PetscFunctionBeginUser;
  for (PetscInt k = 0; k < bulk->nblocks; k++) {
    PetscCall(PetscFree(bulk->now[k]));
    PetscCall(PetscFree(bulk->next[k]));
  }
  PetscCall(PetscFree3(bulk->width, bulk->now, bulk->next));
  PetscCall(PetscFree3(bulk->losses, bulk->taken, bulk->marks));
  PetscCall(PetscMemzero(bulk, sizeof *bulk));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBulkArchive(CrBulk *bulk, CrArchive *archive)
{
  PetscFunctionBeginUser;
  if (!bulk->width) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(
      CrArchiveAddCells(archive, "state.bulk", bulk->width, bulk->now, bulk->nbodies, bulk->marks));
  PetscCall(CrArchiveAddReals(archive, "state.bulk_loss", 1, &bulk->loss));
  PetscCall(CrArchiveAddReals(archive, "state.bulk_losses", bulk->nbodies, bulk->losses));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* ---- a step ------------------------------------------------------------------------------- */

PetscErrorCode CrBulkForce(const CrModel *model, CrState *state, const PetscReal *u0,
                           const PetscReal *u1, PetscReal h, PetscReal *f)
{
  CrBulk   *bulk = &state->bulk;
  PetscReal force[CR_MAX_DOFS * CR_BATCH], loss[CR_BATCH];

  PetscFunctionBeginUser;
  if (!model->thickens) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscArrayzero(bulk->taken, model->nbodies));
  for (PetscInt k = 0; k < model->nblocks; k++) {
    const CrElementBlock *b = &model->blocks[k];
    const CrNodal nodal = {.X = model->X, .u0 = u0, .u1 = u1, .state = bulk->now[k], .h = h};

    for (PetscInt batch = 0; batch < b->nbatches; batch++) {
      const CrKernelOut out = {.force = force,
                               .state = bulk->next[k] + batch * CR_BULK * CR_BATCH,
                               .loss = loss};

      b->element->bulk(b, batch, &nodal, CR_FORCE_POINT, &out);
      CrScatterForces(model, b, batch, force, f);
      for (PetscInt l = 0; l < CR_BATCH && batch * CR_BATCH + l < b->nowned; l++)
        bulk->taken[b->body] += loss[l];
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrBulkAccept(const CrModel *model, CrState *state)
{
  CrBulk     *bulk = &state->bulk;
  PetscReal **swap = bulk->now;

  PetscFunctionBeginUser;
  if (!model->thickens) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bulk->taken, (int)model->nbodies, MPIU_REAL, MPIU_SUM,
                             model->comm));
  for (PetscInt b = 0; b < model->nbodies; b++) {
    bulk->losses[b] += bulk->taken[b];
    bulk->loss += bulk->taken[b];
  }
  bulk->now = bulk->next;
  bulk->next = swap;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The force is slope b (b.v), of which the only eigenvalue against the masses is slope b.M^-1 b. */
PetscReal CrBulkDamping(PetscInt nnodes, PetscInt dim, PetscInt lane, const PetscReal *b,
                        PetscReal slope, const PetscReal *m)
{
  PetscReal sum = 0;

  for (PetscInt r = 0; r < nnodes * dim; r++) sum += PetscSqr(b[r * CR_BATCH + lane]) / m[r / dim];
  return slope * sum;
}
